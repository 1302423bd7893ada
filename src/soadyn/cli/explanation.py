"""`soadyn explain QUANTITY [ROBOT]` or `soadyn explain "FORMULA" ROBOT`: the recursion as the papers print it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from soadyn.algebra.operators import NAMES
from soadyn.algebra.reading import formula
from soadyn.cli.terminal import MimicOption, RobotName, RootOption, loaded, out
from soadyn.compiled.explaining import explain
from soadyn.quantities import QUANTITIES


def print_explanation(
    what: Annotated[str, Parameter(help="A quantity such as forward_dynamics, or a formula such as 'inv(mass) @ T'.")],
    robot: RobotName | None = None,
    *,
    root: RootOption = None,
    mimic: MimicOption = "independent",
    latex: Annotated[bool, Parameter(help="A formula's recursion as LaTeX.")] = False,
) -> int:
    """Print the recursion that computes a quantity or a formula, as the papers print it."""
    arm = None if robot is None else loaded(robot, root, mimic)
    name = what.strip().replace("-", "_")
    text = explain(
        name if name in QUANTITIES or (name.isidentifier() and name not in NAMES) else formula(what), arm, latex
    )
    out.print(text, markup=False, soft_wrap=True, end="")
    return 0
