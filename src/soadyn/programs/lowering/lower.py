"""Programs of formulas. Those of named quantities are the same for every robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import WHITE_LINK
from soadyn.fork_safe import cached_property
from soadyn.programs.lowering.build import Inputs, NodeBuilder
from soadyn.programs.lowering.joint_space import is_joint_space
from soadyn.programs.lowering.nodes import Node
from soadyn.programs.lowering.recursions import Expansion
from soadyn.programs.lowering.stages import Lowered, lowered
from soadyn.programs.sweep.program import Program

if TYPE_CHECKING:
    from soadyn.programs.lowering.letters import Letters


def written_program(name: str, formula: Expression) -> Program:
    """The program of a formula as it is written.

    >>> from soadyn.algebra import H, b, phi
    >>> written_program("felt", H @ phi @ b).inputs
    ('q', 'v')
    """
    builder = NodeBuilder()
    return printable_program(name, builder, [builder.vector(formula)], [formula]).program


def printable_program(
    name: str, builder: NodeBuilder, nodes: Sequence[Node], formulas: Sequence[Expression]
) -> Lowered:
    """The Program of a builder's nodes, those of formulas, which can be printed."""
    felt = is_joint_space(nodes) and all(x.codomain != WHITE_LINK for x in formulas)
    expansion = Expansion(builder.nodes, "H_p" if builder.passive else "H")
    outputs = [expansion.of(node) for node in nodes]
    program = lowered(name, builder.nodes, outputs, builder.passive, builder.points, felt)
    printed = PrintedLater(program, builder.inputs, builder.passive, tuple(str(x.codomain) for x in formulas))
    for step in program.steps.values():
        step.printed = printed
    return program


@final
@dataclass(frozen=True, eq=False)
class PrintedLater:
    """A lowered formula's letters, found when somebody prints it."""

    program: Lowered
    inputs: Inputs
    passive: bool
    spaces: tuple[str, ...]

    @cached_property
    def _letters(self) -> Letters:
        from soadyn.programs.lowering.letters import RESULTS, Letters

        return Letters(self.program, self.inputs, self.passive, tuple(RESULTS.get(x, "y") for x in self.spaces))

    def lines(self, walk: int) -> list[tuple[str, str]]:
        return self._letters.lines(walk)

    def letters_of(self, walk: int) -> dict[str, str]:
        return self._letters.letters_of(walk)


def rewritten_program(name: str, formula: Expression) -> Program:
    """The program of the last of its equal forms, the one in which P⁺ carries accelerations inward.

    >>> from soadyn.algebra import T, inv, mass
    >>> rewritten_program("accelerations", inv(mass) @ T).inputs
    ('q', 'tau')
    """
    from soadyn.programs.lowering.equal_forms import equal_forms

    programs = [written_program(name, forms[0]) for forms, _ in equal_forms((formula,), passive=False)]
    return replace(programs[-1], joint_space=any(program.joint_space for program in programs))
