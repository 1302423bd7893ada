"""Arguments and results of compiled formulas: which there are, their shapes, and what programs make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.algebra.defining import Numbers
from soadyn.algebra.expressions import Symbol
from soadyn.algebra.operators import VECTORS
from soadyn.algebra.spaces import Space
from soadyn.compiled.points import Point, forces_on_links, motions_at_points
from soadyn.errors import ArgumentError, ShapeError
from soadyn.evaluation import arguments
from soadyn.lowering.build import Inputs, at_frames
from soadyn.robot import Robot

# The papers' vectors in the order of a call's arguments, under the names that calls use.
ORDER = ("v", "theta_dot_a", "theta_ddot", "theta_ddot_a", "T", "T_p", "f_tip", "f_x")
CALLED = {"theta_dot": "v"}
MADE_FROM = {"V": ("v",), "a": ("v",), "b": ("v",), "alpha": ("v", "theta_ddot"), "f": ("v", "theta_ddot")}
OF_PROGRAM = {"v": "v", "theta_ddot": "vdot", "T": "tau", "f_x": "external"}


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A robot with the passive set and the operational points of a formula."""

    robot: Robot
    passive: np.ndarray | None
    points: tuple[Point, ...]

    def shape(self, space: Space) -> tuple[int, ...]:
        """The shape of a vector after its batch axes."""
        match space.place:
            case "active joint":
                return (int((~self._mask).sum()),)
            case "passive joint":
                return (int(self._mask.sum()),)
            case "link" | "white link":
                return (len(self.robot.model.visible), 6)
            case "task":
                return (6 * len(self.points),)
            case "number":
                return ()
            case _:
                return (self.robot.nv,)

    @property
    def _mask(self) -> np.ndarray:
        return np.zeros(self.robot.nv, dtype=bool) if self.passive is None else self.passive

    def checked(self, name: str, x: Any, space: Space) -> np.ndarray:
        """An argument as an array of numbers of the right shape."""
        shape = self.shape(space)
        meaning = f"a {space} of robot {self.robot.name!r}"
        return arguments.numbers(name, x, *shape, meaning=meaning)

    def widened(self, x: np.ndarray, space: Space) -> np.ndarray:
        """Active or passive components among zeros for all others."""
        chosen = {"active joint": ~self._mask, "passive joint": self._mask}.get(space.place)
        if chosen is None:
            return x
        full = np.zeros((*x.shape[:-1], self.robot.nv), dtype=x.dtype)
        full[..., chosen] = x
        return full

    def result(self, x: np.ndarray, space: Space, q: np.ndarray) -> np.ndarray:
        """A program's result as the caller gets it."""
        match space.place:
            case "active joint":
                return np.ascontiguousarray(x[..., ~self._mask])
            case "passive joint":
                return np.ascontiguousarray(x[..., self._mask])
            case "task":
                return motions_at_points(self.robot, self.points, q, x)
            case _:
                return x


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a compiled formula: its name in calls, and its space (None for the coordinates)."""

    name: str
    space: Space | None


def arguments_of(
    inputs: Inputs, program_inputs: tuple[str, ...], formula_vectors: tuple[Symbol, ...]
) -> list[Argument]:
    """q, then those of the papers' vectors that are used, then a user's by name."""
    found = {"q": Argument("q", None)}
    of_program = {program: name for name, program in OF_PROGRAM.items()}
    papers = {CALLED.get(name, name): symbol for name, symbol in VECTORS.items()}
    used = {of_program[name] for name in program_inputs if name in of_program}
    users: dict[str, Symbol] = {}
    at_points = {at_frames(x).name: x for x in formula_vectors if x.codomain.place == "task"}
    for symbol in (*inputs.joint, *inputs.link):
        if symbol.blocks is None:
            real = at_points.get(symbol.name, symbol)
            name = CALLED.get(real.name, real.name)
            if papers.get(name) == real:
                used.add(name)
            else:
                users[name] = real
    for name in (*ORDER, *(n for n in papers if n not in ORDER)):
        if name in used:
            found[name] = Argument(name, papers[name].codomain)
    for name in sorted(users):
        found[name] = Argument(name, users[name].codomain)
    return list(found.values())


def arguments_named(vectors: tuple[Symbol, ...], given: tuple[str, ...]) -> list[Argument]:
    """The same for formulas that are computed densely: what the vectors named in them are made from."""
    named = {x.name: x for x in vectors if x.formula is None}
    papers = {CALLED.get(name, name): symbol for name, symbol in VECTORS.items()}
    needs = {name for x in named if x not in given for name in MADE_FROM.get(x, (CALLED.get(x, x),))}
    needs |= {name for name in given if name in named}
    ordered = [name for name in (*ORDER, *given) if name in needs]
    users = sorted(needs - set(papers))
    spaces = {**{name: named[name].codomain for name in users}, **{name: papers[name].codomain for name in ordered}}
    return [Argument("q", None), *(Argument(name, spaces[name]) for name in (*ordered, *users))]


def program_arrays(
    setting: Setting, inputs: Inputs, program_inputs: tuple[str, ...], given: Mapping[str, np.ndarray]
) -> dict[str, Any]:
    """What the program reads, from checked arguments."""
    arrays: dict[str, Any] = {}
    for name in program_inputs:
        if name == "q":
            arrays[name] = given["q"]
        elif name == "passive":
            assert setting.passive is not None
            arrays[name] = setting.passive.astype(float)
        elif "$" in name:
            arrays[name] = _user_array(setting, inputs.symbol(name), given)
        else:
            arrays[name] = given[next(n for n, p in OF_PROGRAM.items() if p == name)]
    return arrays


def _user_array(setting: Setting, symbol: Symbol, given: Mapping[str, np.ndarray]) -> np.ndarray:
    if isinstance(symbol.blocks, Numbers):
        return block_numbers(setting, symbol)
    if symbol.name.startswith("B_") and symbol.name not in given:
        return forces_on_links(setting.robot, setting.points, given["q"], given[symbol.name.removeprefix("B_")])
    return setting.widened(given[CALLED.get(symbol.name, symbol.name)], symbol.codomain)


def block_numbers(setting: Setting, symbol: Symbol) -> np.ndarray:
    """A user's number for each joint component."""
    array: np.ndarray = symbol.blocks.array
    if array.shape[0] != setting.robot.nv:
        raise ShapeError(
            f"operator {symbol.name!r} has {array.shape[0]} numbers; robot {setting.robot.name!r} has "
            f"{setting.robot.nv} joint components"
        )
    return array


def bound(wanted: list[Argument], signature: str, values: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, from a call's arguments."""
    names = [argument.name for argument in wanted]
    if len(values) > len(names):
        raise ArgumentError(f"{signature} takes {len(names)} arguments, got {len(values)}")
    given = dict(zip(names, values, strict=False))
    for name, value in named.items():
        if name not in names:
            raise ArgumentError(f"{signature} has no argument {name!r}")
        if name in given:
            raise ArgumentError(f"{signature} got {name!r} twice")
        given[name] = value
    missing = [name for name in names if name not in given]
    if missing:
        raise ArgumentError(f"{signature} needs {', '.join(map(repr, missing))}")
    return given
