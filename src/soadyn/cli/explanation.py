"""`soadyn explain QUANTITY [ROBOT]`: the recursion as the papers print it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from soadyn.cli.terminal import MimicOption, RobotName, RootOption, loaded, out
from soadyn.explaining import explain_quantity


def print_explanation(
    quantity: Annotated[str, Parameter(help="A quantity such as forward_dynamics or mass_matrix.")],
    robot: RobotName | None = None,
    *,
    root: RootOption = None,
    mimic: MimicOption = "independent",
) -> int:
    """Print the recursion that computes a quantity, as the papers print it."""
    arm = None if robot is None else loaded(robot, root, mimic)
    out.print(explain_quantity(quantity.replace("-", "_"), arm), markup=False, soft_wrap=True, end="")
    return 0
