"""Named quantities' programs from their formulas; which form is taken does not depend on the robot."""

from __future__ import annotations

from soadyn.algebra.expressions import Expression
from soadyn.lowering.building import Builder
from soadyn.lowering.equal_forms import equal_forms
from soadyn.lowering.expanding import Expansion
from soadyn.lowering.lettering import RESULTS, Letters
from soadyn.lowering.stages import lowered
from soadyn.sweep.program import Program


def written_program(name: str, formula: Expression) -> Program:
    """The program of a formula as it is written.

    >>> from soadyn.algebra import H, b, phi
    >>> written_program("felt", H @ phi @ b).inputs
    ('q', 'v')
    """
    builder = Builder()
    node = Expansion(builder.nodes, builder.H).of(builder.vector(formula))
    program = lowered(name, builder.nodes, [node], passive=False)
    Letters(program, builder.inputs, False, (RESULTS.get(str(formula.codomain), "y"),)).tell()
    return program.program


def rewritten_program(name: str, formula: Expression) -> Program:
    """The program of the last of its equal forms, the one in which P⁺ carries accelerations inward.

    >>> from soadyn.algebra import T, inv, mass
    >>> rewritten_program("accelerations", inv(mass) @ T).inputs
    ('q', 'tau')
    """
    *_, (forms, _) = equal_forms((formula,), passive=False)
    return written_program(name, forms[0])
