"""Programs of formulas. Those of named quantities are the same for every robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import WHITE_LINK
from soadyn.programs.lowering.build import NodeBuilder
from soadyn.programs.lowering.equal_forms import equal_forms
from soadyn.programs.lowering.joint_space import is_joint_space
from soadyn.programs.lowering.letters import RESULTS, Letters
from soadyn.programs.lowering.nodes import Node
from soadyn.programs.lowering.recursions import Expansion
from soadyn.programs.lowering.stages import Lowered, lowered
from soadyn.programs.sweep.program import Program


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
    """Lower a builder's nodes, those of formulas, to a Program, and attach its equations for printing."""
    felt = is_joint_space(nodes) and all(x.codomain != WHITE_LINK for x in formulas)
    expansion = Expansion(builder.nodes, "H_p" if builder.passive else "H")
    outputs = [expansion.of(node) for node in nodes]
    program = lowered(name, builder.nodes, outputs, builder.passive, builder.points, felt)
    results = tuple(RESULTS.get(str(x.codomain), "y") for x in formulas)
    Letters(program, builder.inputs, builder.passive, results).attach()
    return program


def rewritten_program(name: str, formula: Expression) -> Program:
    """The program of the last of its equal forms, the one in which P⁺ carries accelerations inward.

    >>> from soadyn.algebra import T, inv, mass
    >>> rewritten_program("accelerations", inv(mass) @ T).inputs
    ('q', 'tau')
    """
    programs = [written_program(name, forms[0]) for forms, _ in equal_forms((formula,), passive=False)]
    return replace(programs[-1], joint_space=any(program.joint_space for program in programs))
