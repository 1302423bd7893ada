"""From formulas to the program that computes them: which of several equal forms, by what each costs on the robot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

from soadyn.algebra.expressions import Expression, Product, Symbol, walk
from soadyn.algebra.operators import PASSIVE_NAMES, WHOLE_ARM_NAMES, B
from soadyn.backends.constants import Constants
from soadyn.backends.native.traced import traced
from soadyn.errors import ArgumentError, SpaceError
from soadyn.lowering.building import Builder, Inputs, NoRecursionError
from soadyn.lowering.expanding import Expansion
from soadyn.lowering.graph import Node
from soadyn.lowering.lettering import Letters
from soadyn.lowering.resolving import Known, resolved
from soadyn.lowering.stages import Lowered, lowered

# How the papers call what formulas give.
RESULTS = {"joint motion": "θ̈", "joint force": "T", "link motion": "α", "link force": "f", "number": "E"}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """One way to compute formulas: how they are written, what was used to write them so, and their program."""

    formulas: tuple[Expression, ...]
    used: tuple[Known, ...]
    lowered: Lowered
    inputs: Inputs
    operations: int


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """How formulas are to be read: with a passive set or not, which vectors are given, as written or rewritten."""

    passive: bool = False
    given: tuple[str, ...] = ()
    as_written: bool = False
    points: bool = False


def check_reading(formulas: tuple[Expression, ...], passive: bool, points: bool) -> None:
    """Are the active and passive joints, and the operational points, that formulas speak of, known?"""
    names = {x.name for formula in formulas for x in walk(formula) if isinstance(x, Symbol)}
    split = sorted(names & PASSIVE_NAMES)
    if split and not passive:
        raise ArgumentError(f"the formula speaks of {', '.join(split)}: name the passive joints, passive=[...]")
    whole = sorted(names & WHOLE_ARM_NAMES)
    if passive and whole:
        raise SpaceError(
            f"the formula has a passive set and {', '.join(whole)} of the whole arm; write "
            f"{', '.join(f'{name}_p' for name in whole)}: P, psi and Omega are the passive arm's as well"
        )
    if (B.name in names or "f_tip" in names) and not points:
        raise ArgumentError("the formula speaks of operational points (B): name them, frames=[...]")


@lru_cache(maxsize=256)
def chosen_form(formulas: tuple[Expression, ...], reading: Reading, constants: Constants) -> Form:
    """The cheapest known form of formulas that are vectors or numbers, counted on the robot."""
    ways = [_form(formulas, (), reading, constants)] if reading.as_written else _ways(formulas, reading, constants)
    return min(ways, key=lambda form: form.operations)


def _ways(formulas: tuple[Expression, ...], reading: Reading, constants: Constants) -> list[Form]:
    used: list[Known] = []
    plain = tuple(resolved(formula, used) for formula in formulas)
    return [_form(plain, tuple(used), reading, constants)]


def _form(formulas: tuple[Expression, ...], used: tuple[Known, ...], reading: Reading, constants: Constants) -> Form:
    builder = Builder(reading.passive, reading.given, apart=reading.as_written, forces_at_frames=reading.points)
    try:
        nodes = [_shown(builder, builder.vector(x), x) for x in map(_without_points, formulas)]
    except NoRecursionError as error:
        raise SpaceError(
            f"no recursion over the links is known for {error.formula} in {', '.join(map(str, formulas))}; "
            "sd.compile(..., dense=True) computes it with dense matrices"
        ) from None
    expansion = Expansion(builder.nodes, builder.H)
    program = lowered("formula", builder.nodes, [expansion.of(node) for node in nodes], reading.passive)
    Letters(program, builder.inputs, reading.passive, tuple(RESULTS.get(str(x.codomain), "y") for x in formulas)).tell()
    operations = sum(traced(program.program, constants, {}).counts().values())
    return Form(formulas, used, program, builder.inputs, operations)


def _shown(builder: Builder, node: Node, formula: Expression) -> Node:
    """A result as callers see it: vectors of links at the links' own frames."""
    return builder.nodes.act(f"{formula.codomain.side} out", node) if node.place == "link" else node


def _without_points(formula: Expression) -> Expression:
    """A motion of operational points is read off the links' motions afterwards."""
    if formula.codomain.place == "task" and isinstance(formula, Product) and formula.factors[0] == B.T:
        rest = formula.factors[1:]
        return rest[0] if len(rest) == 1 else Product(rest)
    return formula
