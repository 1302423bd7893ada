"""From formulas to the program that computes them: which of several equal forms, by what each costs on the robot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from soadyn.algebra.expressions import Expression, Product, Symbol, walk
from soadyn.algebra.operators import PASSIVE_NAMES, WHOLE_ARM_NAMES, B
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.spaces import NUMBER
from soadyn.backends.constants import Constants
from soadyn.backends.plan.operations import planned_operations
from soadyn.backends.traced import traced
from soadyn.errors import ArgumentError, SpaceError
from soadyn.fork_safe import cached_property
from soadyn.lowering.build import Builder, Inputs, NoRecursionError
from soadyn.lowering.equal_forms import equal_forms
from soadyn.lowering.formula_text import Collected
from soadyn.lowering.known_inverses import Known, resolved
from soadyn.lowering.lower import told_program
from soadyn.lowering.nodes import Node
from soadyn.lowering.stages import Lowered
from soadyn.sweep.combine import combined

Said = Known | Reason

ARTICULATED_VALUES = frozenset({"P", "D", "G", "P_plus"})
LONGEST_TRACED = 60  # links
NEARLY = 1.05


@final
@dataclass(frozen=True, eq=False)
class Form:
    """One way to compute formulas: how they are written, what was used to write them so, and their program."""

    formulas: tuple[Expression, ...]
    used: tuple[Said, ...]
    lowered: Lowered
    inputs: Inputs
    constants: Constants
    collected: tuple[str, ...]

    @cached_property
    def work(self) -> int:
        """Operations of the loops on this robot, every link's figures counted as unknown."""
        return planned_operations(self.lowered.program, self.constants)

    @cached_property
    def shape(self) -> frozenset[tuple[str, int]]:
        """What is computed, counted by kind: forms of one shape cost the same."""
        nodes = [node for step in self.lowered.steps.values() for node in step.nodes]
        return frozenset(Counter(f"{node.kind} {node.operator.split()[:1]}" for node in nodes).items())


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
    stripped = tuple(map(_without_points, formulas))
    if reading.as_written:
        return _form(stripped, (), reading, constants)
    ways: list[Form] = []
    refused: NoRecursionError | None = None
    for written, used in _ways(stripped, reading):
        if any(written == way.formulas for way in ways):
            continue
        try:
            ways.append(_form(written, used, reading, constants))
        except NoRecursionError as error:
            refused = refused or error
    if not ways:
        assert refused is not None
        raise SpaceError(
            f"no recursion over the links is known for {refused.formula} in {', '.join(map(str, formulas))}; "
            "sd.compile(..., dense=True) computes it with dense matrices"
        )
    return _cheapest(ways)


def _cheapest(ways: list[Form]) -> Form:
    """Of forms that differ, those whose loops are nearly the shortest are counted with the robot's figures."""
    distinct = list({way.shape: way for way in reversed(ways)}.values())[::-1]
    if len(distinct) == 1:
        return distinct[0]
    least = min(way.work for way in distinct)
    near = [way for way in distinct if way.work <= NEARLY * least]
    if len(near) == 1 or near[0].constants.model.n > LONGEST_TRACED:
        return min(near, key=lambda way: way.work)
    operations = _operations(near)
    return near[operations.index(min(operations))]


def _operations(forms: list[Form]) -> list[int]:
    """What forms take on their robot, its figures known; what they share is traced once."""
    constants, programs = forms[0].constants, tuple(form.lowered.program for form in forms)
    # Pivots are guarded in all forms that are traced together, so either all have them or none.
    if len({ARTICULATED_VALUES.isdisjoint(form.lowered.walks.base) for form in forms}) > 1:
        return [sum(traced(program, constants, {}).counts().values()) for program in programs]
    together = combined(programs)
    trace = traced(together, constants, {})
    found = {port.name: scalars for port, scalars in trace.outputs.items()}
    outputs = iter(together.outputs)
    results = [[x for _ in program.outputs for x in found[next(outputs).value]] for program in programs]
    return [sum(trace.graph.counts(scalars).values()) for scalars in results]


def _ways(
    formulas: tuple[Expression, ...], reading: Reading
) -> Iterator[tuple[tuple[Expression, ...], tuple[Said, ...]]]:
    """The formulas as they are with inverses resolved, then rewritten."""
    used: list[Said] = []
    yield tuple(resolved(formula, used) for formula in formulas), tuple(used)
    if all(formula.codomain != NUMBER for formula in formulas):
        yield from equal_forms(formulas, reading.passive)


def _form(formulas: tuple[Expression, ...], used: tuple[Said, ...], reading: Reading, constants: Constants) -> Form:
    builder = Builder(reading.passive, reading.given, apart=reading.as_written, forces_at_frames=reading.points)
    nodes = [_shown(builder, builder.vector(x), x) for x in formulas]
    program = told_program("formula", builder, nodes, formulas)
    collected = tuple(Collected(nodes, builder.inputs, reading.passive).lines)
    return Form(formulas, used, program, builder.inputs, constants, collected)


def _shown(builder: Builder, node: Node, formula: Expression) -> Node:
    """A result as callers see it: vectors of links at the links' own frames."""
    return builder.nodes.act(f"{formula.codomain.side} out", node) if node.place == "link" else node


def _without_points(formula: Expression) -> Expression:
    """A motion of operational points is read off the links' motions afterwards."""
    if formula.codomain.place == "task" and isinstance(formula, Product) and formula.factors[0] == B.T:
        rest = formula.factors[1:]
        return rest[0] if len(rest) == 1 else Product(rest)
    return formula
