"""`soadyn explain QUANTITY [ROBOT]` or `soadyn explain "FORMULA" ROBOT`: the recursion as the papers print it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from soadyn.algebra.expressions import Expression
from soadyn.algebra.operators import NAMES
from soadyn.algebra.reading import formula
from soadyn.cli.terminal import MimicOption, RobotName, RootOption, loaded, out
from soadyn.quantities import QUANTITIES
from soadyn.robot.compiled.explaining import explain
from soadyn.theory.literature.references import is_citation

HELP = "A quantity such as forward_dynamics, a formula such as 'inv(mass) @ T', or a paper's such as '001 Algorithm 3'."


def print_explanation(
    what: Annotated[str, Parameter(help=HELP)],
    robot: RobotName | None = None,
    *,
    root: RootOption = None,
    mimic: MimicOption = "independent",
    latex: Annotated[bool, Parameter(help="A formula's recursion as LaTeX.")] = False,
) -> int:
    """Print the recursion that computes a quantity or a formula, as the papers print it."""
    arm = None if robot is None else loaded(robot, root, mimic)
    text = explain(_named(what.strip()), arm, latex)
    out.print(text, markup=False, soft_wrap=True, end="")
    return 0


def _named(what: str) -> str | Expression:
    """What is to be explained: the name of a quantity or of a paper's formula as it is, else a formula."""
    name = what.replace("-", "_")
    if is_citation(what):
        return what
    return name if name in QUANTITIES or (name.isidentifier() and name not in NAMES) else formula(what)
