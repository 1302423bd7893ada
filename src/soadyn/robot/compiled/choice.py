"""Stages of `sd.compile`: write formulas in equal ways, lower each to a program, take the cheapest on the robot.

Inverses that cancel are checked at last: X⁻¹ X is the identity only where X has an inverse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import final

from soadyn.algebra.expressions import Adjoint, Expression, Inverse, Root, Symbol, walk
from soadyn.algebra.misfits import INVERTIBLE
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.rewriting.work import GivenUpError
from soadyn.algebra.spaces import NUMBER, WHITE_LINK
from soadyn.engine.cache.fingerprint import cached
from soadyn.engine.constants.constants import Constants
from soadyn.engine.loops.plan import planned_operations
from soadyn.engine.tracing.traced import traced
from soadyn.fork_safe import cached_property
from soadyn.programs.lowering.build import Inputs, NodeBuilder, NoRecursionError, hands_on
from soadyn.programs.lowering.equal_forms import equal_forms
from soadyn.programs.lowering.formula_text import Collected
from soadyn.programs.lowering.known_inverses import resolved
from soadyn.programs.lowering.lower import printable_program
from soadyn.programs.lowering.nodes import Node
from soadyn.programs.lowering.stages import LAYOUT, Lowered
from soadyn.theory.proof.arguments import is_too_large, speaks_of_the_passive_arm
from soadyn.theory.proof.comparing import undefined_parts

# Links of a robot, at most, where operations are counted with constants folded in: longer ones save about the same in
# every form.
MOST_FOLDED = 24
NEARLY = 1.05


@final
@dataclass(frozen=True, slots=True)
class Way:
    """Formulas in one notation, the identities used to get there, and why rewriting was given up, if it was."""

    formulas: tuple[Expression, ...]
    used: tuple[Reason, ...] = ()
    given_up: str = ""


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """How formulas are to be read.

    `passive`: P, psi and what is made of them are the passive arm's; `given` names the vectors that calls supply;
    `points`: how many operational points were named; `grounded`: some of them are fixed in the ground.
    """

    passive: bool = False
    given: tuple[str, ...] = ()
    as_written: bool = False
    points: int = 0
    grounded: bool = False


@final
@dataclass(frozen=True, eq=False)
class Form:
    """One way to compute formulas, and its program."""

    way: Way
    nodes: tuple[Node, ...]
    lowered: Lowered
    inputs: Inputs
    reading: Reading
    constants: Constants

    @property
    def formulas(self) -> tuple[Expression, ...]:
        """The formulas as they are computed."""
        return self.way.formulas

    @cached_property
    def work(self) -> int:
        """Operations on this robot in loops over the links, which read every constant from memory."""
        return planned_operations(self.lowered.program, self.constants)

    @cached_property
    def shape(self) -> frozenset[tuple[str, int]]:
        """What is computed, counted by kind: forms of one shape cost the same."""
        nodes = [node for step in self.lowered.steps.values() for node in step.nodes]
        return frozenset(Counter(f"{node.kind} {node.operator.split()[:1]}" for node in nodes).items())

    @cached_property
    def folded_work(self) -> int:
        """Operations in straight-line code, the robot's constants folded in; the last link carries all points."""
        links = {f"point${i}": self.constants.model.n for i in range(self.reading.points)}
        return sum(traced(self.lowered.program, self.constants, links).counts().values())

    @property
    def collected(self) -> list[str]:
        """The formulas with terms collected under common operators, as text."""
        return Collected(self.nodes, self.inputs, self.reading.passive).lines


def equal_ways(formulas: tuple[Expression, ...], reading: Reading) -> list[Way]:
    """Formulas with their inverses replaced, then rewritten by the identity table; unchanged if `as_written`."""
    if reading.as_written:
        return [Way(formulas)]
    used: list[Reason] = []
    resolved_formulas = tuple(resolved(formula, reading.passive, used) for formula in formulas)
    rewritten: list[Way] = []
    given_up = ""
    if all(formula.codomain != NUMBER for formula in formulas):
        try:
            rewritten += (Way(*found) for found in equal_forms(formulas, reading.passive))
        except GivenUpError as error:
            given_up = str(error)
    return [Way(resolved_formulas, tuple(used), given_up), *rewritten]


def lowered_ways(ways: Iterable[Way], reading: Reading, constants: Constants) -> list[Form]:
    """A program for each distinct way that has recursions; NoRecursionError if none has."""
    forms: list[Form] = []
    refused: NoRecursionError | None = None
    for way in ways:
        if any(way.formulas == form.formulas for form in forms):
            continue
        try:
            forms.append(_lowered(way, reading, constants))
        except NoRecursionError as error:
            refused = refused or error
    if not forms:
        assert refused is not None
        raise refused
    # All forms give the same results, so what the rule sees in one of them is true of all.
    felt = any(form.lowered.program.joint_space for form in forms)
    programs = [replace(form.lowered.program, joint_space=felt) for form in forms]
    return [replace(form, lowered=replace(form.lowered, program=x)) for form, x in zip(forms, programs, strict=True)]


def _lowered(way: Way, reading: Reading, constants: Constants) -> Form:
    builder = NodeBuilder(reading.passive, reading.given, reading.as_written, reading.points, reading.grounded)
    nodes = tuple(_as_seen(builder, builder.vector(x), x) for x in way.formulas)
    for x, node in zip(way.formulas, nodes, strict=True):
        if node.place not in LAYOUT:  # poses; programs give vectors of joints, links and points, and numbers
            raise NoRecursionError(x)
    program = printable_program("formula", builder, nodes, way.formulas)
    return Form(way, nodes, program, builder.inputs, reading, constants)


def _as_seen(builder: NodeBuilder, node: Node, formula: Expression) -> Node:
    """A result as callers see it: vectors of links at the links' own frames, those at points summed over the links."""
    if node.place == "task":
        if builder.grounded and hands_on(node):
            raise NoRecursionError(formula)
        return builder.shares(node)
    framed = node.place == "link" and formula.codomain != WHITE_LINK
    return builder.nodes.act(f"{formula.codomain.side} out", node) if framed else node


def cheapest(forms: list[Form]) -> Form:
    """The form with the fewest operations on its robot.

    Operations are first counted in loops over the links. Forms near the least are counted again with the robot's
    constants folded in, which removes products with 0 and 1, if the robot is short. Which form it was is kept on disk.
    """
    distinct = list({form.shape: form for form in reversed(forms)}.values())[::-1]
    if len(distinct) == 1:
        return distinct[0]
    programs = [form.lowered.program for form in distinct]
    depends = programs, distinct[0].constants, distinct[0].reading
    answer = cached("cheapest form", depends, lambda: str(distinct.index(_counted_cheapest(distinct))))
    return distinct[int(answer)]


def _counted_cheapest(distinct: list[Form]) -> Form:
    least = min(form.work for form in distinct)
    near = [form for form in distinct if form.work <= NEARLY * least]
    if len(near) == 1 or near[0].constants.model.n > MOST_FOLDED:
        return min(near, key=lambda form: form.work)
    return min(near, key=lambda form: form.folded_work)


class ExistsNowhereError(NoRecursionError):
    """An inverse that cancels, of something that is singular on every arm."""


def check_cancelled(before: Iterable[Expression], after: Iterable[Expression], passive: bool, one_frame: bool) -> None:
    """ExistsNowhereError if an inverse is in the formulas before, not in those after, and on no arm at all."""
    kept = set(_inverses(after))
    for x in dict.fromkeys(_inverses(before)):
        if x in kept or _has_an_inverse(x.of) or is_too_large(x):
            continue
        if missing := undefined_parts(
            x, passive or speaks_of_the_passive_arm([x]), ("one frame",) if one_frame else ()
        ):
            raise ExistsNowhereError(missing[0])


def _inverses(formulas: Iterable[Expression]) -> Iterator[Inverse]:
    return (x for formula in formulas for x in walk(formula) if isinstance(x, Inverse))


def _has_an_inverse(x: Expression) -> bool:
    """Whether it is one of the operators that have an inverse on every arm, a root of one, or the adjoint of that."""
    while isinstance(x, Adjoint | Root):
        x = x.of
    return isinstance(x, Symbol) and x.name in INVERTIBLE
