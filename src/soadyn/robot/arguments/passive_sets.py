"""The active and the passive half of a robot's joints: what is known of each, and results that belong to one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine, Part, PassiveSet
from soadyn.engine.tracing.ports import ports_of
from soadyn.errors import ArgumentError
from soadyn.model.coordinates import Coordinates
from soadyn.programs.sweep.program import Program
from soadyn.quantities import Quantity
from soadyn.robot.arguments import arguments

DOUBLE = np.dtype(np.float64)


def known(space: Coordinates, quantity: Quantity, given: Mapping[str, Any]) -> dict[str, Any]:
    """The passive mask, the active accelerations and the passive forces; entries not needed are set to zero."""
    mask = arguments.passive(space, given["passive"])
    halves = {}
    for name, key, needed in (("a", "vdot", ~mask), ("tau", "tau", mask)):
        if given[name] is None:
            if needed.any():
                wanted = needed.any(axis=tuple(range(needed.ndim - 1)))
                half = "accelerations of the active" if name == "a" else "forces of the passive"
                joints = arguments.components_named(space, wanted)
                raise ArgumentError(f"{quantity.name} needs {name!r}: the {half} joints {joints}")
            halves[key] = np.zeros(space.nv)
        else:
            halves[key] = where_needed(space, given[name], name, needed)
    return {"passive": mask.astype(float), **halves}


def where_needed(space: Coordinates, given: Any, name: str, needed: np.ndarray) -> np.ndarray:
    x = arguments.joint_vector(space, given, name)
    arguments.batch_shape({name: x, "passive": needed}, {name: 1, "passive": 1})
    return np.where(needed, x, np.zeros((), dtype=x.dtype))


def one_set(space: Coordinates, quantity: Quantity, chosen: Any) -> np.ndarray:
    """The mask of passive components, booleans (nv,): one set for all states, on which the result's shape depends."""
    mask = arguments.one_passive_set(space, chosen, quantity.name)
    # Several results are halves and quarters of a whole, which may be empty; a single one may not.
    single = quantity.results[0] if len(quantity.results) == 1 else ""
    if ("Np" in single or "y" in quantity.arguments) and not mask.any():
        raise ArgumentError(f"{quantity.name} needs at least one passive joint; none is")
    if ("Na" in single or "x" in quantity.arguments) and mask.all():
        raise ArgumentError(f"{quantity.name} needs at least one active joint; all {space.nv} components are passive")
    return mask


def spread(space: Coordinates, mask: np.ndarray, given: Any, name: str) -> np.ndarray:
    """A vector x of the active components, (..., Na), or y of the passive ones, among zeros, (..., nv)."""
    half, places = ("active", ~mask) if name == "x" else ("passive", mask)
    count = int(places.sum())
    x = arguments.numbers(name, given, count, meaning=f"one number for each of the {count} {half} components")
    full = np.zeros((*x.shape[:-1], space.nv), dtype=x.dtype)
    full[..., places] = x
    return full


def passive_forces(space: Coordinates, mask: np.ndarray, given: Any) -> np.ndarray:
    """The forces of the passive components, (..., nv); none if none are given."""
    return np.zeros(space.nv) if given is None else where_needed(space, given, "tau", mask)


# Makes a whole joint vector of what a call gives; raises TypeError or ValueError where that has to be checked first.
Filler = Callable[[Any], np.ndarray]


def fillers(quantity: Quantity, inputs: Mapping[str, Any]) -> dict[str, Filler]:
    """What `inputs_of` does with vectors of one half of the joints, for arrays in double precision and nothing else."""
    if "passive set" not in quantity.arguments:
        return {}
    passive = inputs["passive"] != 0
    found: dict[str, Filler] = {}
    for kind in quantity.arguments:
        if kind in ("x", "y"):
            found[kind] = _among_zeros(~passive if kind == "x" else passive)
        elif kind == "passive tau":
            found["tau"] = _passive_forces_alone(passive)
    return found


def _among_zeros(places: np.ndarray) -> Filler:
    """`spread` for one set."""
    at, nv = np.flatnonzero(places), len(places)
    run = slice(at[0], at[-1] + 1)
    chosen = run if places[run].all() else at  # NumPy copies runs faster
    core = (len(at),)

    def filler(x: Any) -> np.ndarray:
        if type(x) is not np.ndarray or x.dtype is not DOUBLE or x.shape[-1:] != core:
            raise TypeError
        full = np.zeros((*x.shape[:-1], nv))
        full[..., chosen] = x
        return full

    return filler


def _passive_forces_alone(passive: np.ndarray) -> Filler:
    """`passive_forces` for one set."""
    none, core = np.zeros(len(passive)), passive.shape

    def filler(tau: Any) -> np.ndarray:
        if tau is None:
            return none
        if type(tau) is not np.ndarray or tau.dtype is not DOUBLE or tau.shape[-1:] != core:
            raise TypeError
        return np.where(passive, tau, 0.0)

    return filler


def key(passive: Any) -> Hashable:
    """The key under which a passive set's kernel is kept; KeyError for sets that are checked at every call."""
    if type(passive) is np.ndarray:
        if passive.dtype != bool or passive.ndim != 1:
            raise KeyError
        return passive.tobytes()
    if type(passive) not in (list, tuple) or not passive:
        raise KeyError
    # 0, 0.0 and False are one key, but only one of them is a component.
    for item in passive:
        if type(item) is not str and (type(item) is not tuple or len(item) != 2 or type(item[1]) is not int):
            raise KeyError
    return tuple(passive)


def taken(quantity: Quantity, inputs: Mapping[str, Any], outputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The parts of a program's outputs that are the quantity's results."""
    if quantity.by:
        return _with_zeros(quantity.parts, inputs["passive"], outputs)
    if not quantity.parts:
        return outputs
    batch = outputs[0].ndim - len(quantity.parts[0].removeprefix("-"))
    return entries_of(parts_of(quantity, inputs, [output.shape[batch:] for output in outputs]), outputs, batch)


def entries_of(parts: Sequence[Part], outputs: Sequence[np.ndarray], batch: int) -> list[np.ndarray]:
    """The parts of outputs that have so many axes of a `batch`."""
    results = []
    for part in parts:
        whole = outputs[part.output]
        # Entries of a flat state are taken in one copy, which lies in memory as its axes say.
        flat = whole.reshape((*whole.shape[:batch], math.prod(whole.shape[batch:])))
        result = flat.take(part.entries, axis=-1)
        results.append(result if part.sign > 0 else np.negative(result, out=result))
    return results


def _with_zeros(parts: tuple[str, ...], passive: np.ndarray, outputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Matrices with zeros in the columns of passive ("A") or active ("P") components; NaN stays what it is.

    Both are parts of one output, which the other parts are not.
    """
    return [
        outputs[place] if mask is None else outputs[place] * mask.astype(outputs[place].dtype)
        for place, mask in _masks(parts, passive)
    ]


def _masks(parts: tuple[str, ...], passive: np.ndarray) -> Iterator[tuple[int, np.ndarray | None]]:
    """For each part the output it belongs to, and the mask of its columns, if it has one."""
    masks = {"A": 1 - passive[..., None, :], "P": passive[..., None, :]}
    used = 0
    for part in parts:
        used += part[-1] != "P"
        yield used - 1, masks.get(part[-1])


def parts_of(quantity: Quantity, inputs: Mapping[str, Any], outputs: Sequence[tuple[int, ...]]) -> list[Part]:
    """Where each result of a quantity is found among its program's outputs, which have these shapes; else nothing."""
    if not quantity.parts or quantity.by:
        return []
    passive = (inputs["passive"] != 0).tobytes()
    found = []
    for i, part in enumerate(quantity.parts):
        output = i % len(outputs)  # one output can hold several results
        entries = _entries(part.removeprefix("-"), passive, outputs[output])
        found.append(Part(output, entries, -1.0 if part.startswith("-") else 1.0))
    return found


def own_set(quantity: Quantity, program: Program, engine: Engine, inputs: Mapping[str, Any]) -> PassiveSet | None:
    """The set that code is made for: the one a robot is specialised for."""
    if engine.passive is None or "passive" not in inputs or not np.array_equal(inputs["passive"], engine.passive):
        return None
    parts: Sequence[Part] = ()
    if "passive set" in quantity.arguments:
        parts = parts_of(quantity, inputs, [port.shape for port in ports_of(program, engine.model)[1]])
    return PassiveSet(inputs["passive"], parts if all(part.entries.size for part in parts) else ())


@final
@dataclass(frozen=True, slots=True)
class Spreader:
    """The other way round: from arrays for a quantity's results, of these `shapes`, to arrays for its outputs.

    `parts` says where each result is taken from.
    """

    outputs: tuple[tuple[int, ...], ...]
    shapes: tuple[tuple[int, ...], ...]
    parts: tuple[Part, ...]

    def whole(self, results: Sequence[np.ndarray]) -> list[np.ndarray]:
        """An array for each output, zero where no result is taken from."""
        batch = np.broadcast_shapes(*(x.shape[: x.ndim - len(s)] for x, s in zip(results, self.shapes, strict=True)))
        dtype = np.result_type(*results)
        wholes = [np.zeros((*batch, math.prod(shape)), dtype=dtype) for shape in self.outputs]
        for x, part, shape in zip(results, self.parts, self.shapes, strict=True):
            flat = x.reshape((*x.shape[: x.ndim - len(shape)], math.prod(shape)))
            wholes[part.output][..., part.entries.ravel()] += part.sign * flat
        return [x.reshape((*batch, *shape)) for x, shape in zip(wholes, self.outputs, strict=True)]


@final
@dataclass(frozen=True, slots=True)
class MaskedSpreader:
    """The same for results that are outputs with zeros in some columns."""

    parts: tuple[str, ...]
    passive: np.ndarray
    shapes: tuple[tuple[int, ...], ...]

    def whole(self, results: Sequence[np.ndarray]) -> list[np.ndarray]:
        """An array for each output: the sum of those of its results."""
        found: dict[int, Any] = {}
        for x, (place, mask) in zip(results, _masks(self.parts, self.passive), strict=True):
            found[place] = found.get(place, 0.0) + (x if mask is None else x * mask)
        return [np.asarray(found[place]) for place in sorted(found)]


def spreader(
    quantity: Quantity, inputs: Mapping[str, Any], outputs: Sequence[tuple[int, ...]]
) -> Spreader | MaskedSpreader:
    """What spreads arrays for the results of a quantity over outputs of the given shapes."""
    if quantity.by:
        return MaskedSpreader(quantity.parts, inputs["passive"], (outputs[0],) * len(quantity.parts))
    if not quantity.parts:
        numbered = (np.arange(math.prod(shape)).reshape(shape) for shape in outputs)
        return Spreader(tuple(outputs), tuple(outputs), tuple(Part(i, x, 1.0) for i, x in enumerate(numbered)))
    parts = tuple(parts_of(quantity, inputs, outputs))
    return Spreader(tuple(outputs), tuple(part.entries.shape for part in parts), parts)


@lru_cache(maxsize=256)
def _entries(letters: str, passive: bytes, shape: tuple[int, ...]) -> np.ndarray:
    """Where in a flat output of this shape the entries of a part are; the array has the part's shape."""
    mask = np.frombuffer(passive, dtype=bool)
    chosen = {"a": np.flatnonzero(~mask), "p": np.flatnonzero(mask)}
    places = [chosen.get(letter, np.arange(size)) for letter, size in zip(letters, shape, strict=True)]
    return np.ravel_multi_index(np.ix_(*places), shape)
