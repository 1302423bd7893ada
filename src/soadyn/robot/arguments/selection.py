"""A set of passive joint components: vectors and results that belong to it, or to the active ones."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Part, PassiveSet
from soadyn.errors import ArgumentError
from soadyn.model.coordinates import Coordinates
from soadyn.quantities import Quantity
from soadyn.robot.arguments import arguments

DOUBLE = np.dtype(np.float64)


@final
class Selection:
    """The passive components of a robot's joints, booleans (..., nv); with batch axes for the letters A and P alone.

    Letters say for each axis of a result which entries are wanted: "a" those of active components, "p" of passive ones,
    "." all, "A" or "P" all with zeros for passive or active ones; in front "-" if the sign changes.
    """

    def __init__(self, mask: np.ndarray) -> None:
        self.mask = mask
        self._counts = {"a": int((~mask).sum()), "p": int(mask.sum())}
        self._entries: dict[Any, np.ndarray] = {}
        self._places: dict[str, Any] = {}

    def half(self, letter: str) -> np.ndarray:
        """The mask of the passive components, or of the active ones."""
        return self.mask if letter in "pP" else ~self.mask

    def count(self, letter: str) -> int:
        """How many components are passive, or active."""
        return self._counts[letter]

    def entries(self, letters: str, shape: tuple[int, ...]) -> np.ndarray:
        """Where in a flat array of this shape the wanted entries are; the array has the part's shape."""
        if (letters, shape) not in self._entries:
            halves = {letter: np.flatnonzero(self.half(letter)) for letter in "ap"}
            chosen = [halves.get(letter, np.arange(size)) for letter, size in zip(letters, shape, strict=True)]
            self._entries[letters, shape] = np.ravel_multi_index(np.ix_(*chosen), shape)
        return self._entries[letters, shape]

    def shape(self, letters: str, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the wanted part of an array of this shape."""
        sizes = zip(letters.removeprefix("-"), shape, strict=True)
        return tuple(self.count(letter) if letter in "ap" else size for letter, size in sizes)

    def take(self, x: np.ndarray, letters: str) -> np.ndarray:
        """The wanted part of an array whose last axes the letters name."""
        axes = letters.removeprefix("-")
        if axes.endswith(("A", "P")):  # NaN stays what it is
            return np.asarray(x * self.half(axes[-1])[..., None, :].astype(x.dtype))
        if "a" not in axes and "p" not in axes:
            return x
        batch, shape = x.shape[: x.ndim - len(axes)], x.shape[x.ndim - len(axes) :]
        # Entries of a flat state are taken in one copy, which lies in memory as its axes say.
        found = x.reshape((*batch, math.prod(shape))).take(self.entries(axes, shape), axis=-1)
        return np.negative(found, out=found) if letters[0] == "-" else found

    def spread(self, x: np.ndarray, letters: str, shape: tuple[int, ...]) -> np.ndarray:
        """The adjoint of `take`: a part among zeros, in an array whose last axes have this shape."""
        axes = letters.removeprefix("-")
        if "a" not in axes and "p" not in axes:
            return self.take(x, letters)
        full = np.zeros((*x.shape[: x.ndim - len(axes)], math.prod(shape)), x.dtype)
        if len(axes) == 1:
            full[..., self._place(axes)] = x
            return -full if letters[0] == "-" else full
        places = self.entries(axes, shape).ravel()
        full[..., places] = x.reshape((*full.shape[:-1], len(places)))
        return (-full if letters[0] == "-" else full).reshape((*full.shape[:-1], *shape))

    def _place(self, half: str) -> Any:
        """The components of a half of a vector; a slice where they stand together, which NumPy copies faster."""
        if half not in self._places:
            at = np.flatnonzero(self.half(half))
            run = slice(at[0], at[-1] + 1) if len(at) else slice(0)
            self._places[half] = run if len(range(len(self.mask))[run]) == len(at) else at
        return self._places[half]

    def vector(self, half: str, given: Any, name: str) -> np.ndarray:
        """A caller's vector of the components of one half among zeros, (..., nv)."""
        count = self._counts[half]
        if type(given) is not np.ndarray or given.dtype is not DOUBLE or given.shape[-1:] != (count,):
            word = "passive" if half == "p" else "active"
            meaning = f"one number for each of the {count} {word} components"
            given = arguments.numbers(name, given, count, meaning=meaning)
        return self.spread(given, half, self.mask.shape)

    def needed(self, space: Coordinates, half: str, given: Any, name: str) -> np.ndarray:
        """A caller's joint vector, the entries of the other half set to zero."""
        wanted, x = self.half(half), arguments.joint_vector(space, given, name)
        arguments.batch_shape({name: x, "passive": wanted}, {name: 1, "passive": 1})
        return np.where(wanted, x, np.zeros((), dtype=x.dtype))


@final
class Results:
    """What callers get of a program's outputs, which have these shapes: for each result an output and its letters.

    `each` results form a tuple of their own, if it is not 0.
    """

    def __init__(
        self, chosen: Selection, parts: Sequence[tuple[int, str]], outputs: Sequence[tuple[int, ...]], each: int = 0
    ) -> None:
        self._chosen, self._parts, self._outputs, self.each = chosen, parts, outputs, each
        self.shapes = [chosen.shape(letters, outputs[place]) for place, letters in parts]

    def take(self, found: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The results."""
        return [self._chosen.take(found[place], letters) for place, letters in self._parts]

    def spread(self, given: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The adjoint of `take`."""
        wholes: dict[int, Any] = {}
        for x, (place, letters) in zip(given, self._parts, strict=True):
            wholes[place] = wholes.get(place, 0.0) + self._chosen.spread(x, letters, self._outputs[place])
        return [np.asarray(wholes[place]) for place in sorted(wholes)]

    @property
    def passive(self) -> PassiveSet:
        """The set with its parts of the outputs for code that is made for it alone; without parts if one is empty."""
        own = [] if self.each or not all(map(math.prod, self.shapes)) else self._parts
        found = []
        for output, letters in own:
            entries = self._chosen.entries(letters.removeprefix("-"), self._outputs[output])
            sign = -1.0 if letters[0] == "-" else 1.0
            found.append(Part(output, tuple(entries.ravel().tolist()), sign, entries.shape))
        return PassiveSet(tuple(self._chosen.mask.astype(float).tolist()), tuple(found))


def results_of(quantity: Quantity, chosen: Selection, outputs: Sequence[tuple[int, ...]]) -> Results:
    """The parts of its program's outputs that a quantity's results are; none if they are the outputs."""
    parts = quantity.parts
    if quantity.by:  # columns of active and of passive components are parts of one output, other parts are not
        places = [sum(part[-1] != "P" for part in parts[: i + 1]) - 1 for i in range(len(parts))]
    else:  # one output can hold several results
        places = [i % len(outputs) for i in range(len(parts))]
    return Results(chosen, list(zip(places, parts, strict=True)), outputs, len(quantity.by))


def selection_of(space: Coordinates, quantity: Quantity, given: Mapping[str, Any]) -> Selection | None:
    """The passive set that a quantity is asked for, if it takes one."""
    if "passive sets" in quantity.arguments:
        return Selection(arguments.passive(space, given["passive"]))
    if "passive set" not in quantity.arguments:
        return None
    mask = arguments.one_passive_set(space, given["passive"], quantity.name)
    # Several results are halves and quarters of a whole, which may be empty; a single one may not.
    single = quantity.results[0] if len(quantity.results) == 1 else ""
    if ("Np" in single or "y" in quantity.arguments) and not mask.any():
        raise ArgumentError(f"{quantity.name} needs at least one passive joint; none is")
    if ("Na" in single or "x" in quantity.arguments) and mask.all():
        raise ArgumentError(f"{quantity.name} needs at least one active joint; all {space.nv} components are passive")
    return Selection(mask)


def key(passive: Any) -> Hashable | None:
    """What a passive set is remembered by; None for sets that are checked at every call."""
    if type(passive) is np.ndarray:
        return passive.tobytes() if passive.dtype == bool and passive.ndim == 1 else None
    if type(passive) not in (list, tuple) or not passive:
        return None
    for item in passive:
        # 0, 0.0 and False are one key, but only one of them is a component.
        if type(item) is not str and not (
            type(item) is tuple and len(item) == 2 and type(item[0]) is str and type(item[1]) is int
        ):
            return None
    return tuple(passive)
