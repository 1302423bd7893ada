"""A quantity explained: its formula, and the recursion that computes it."""

from __future__ import annotations

from soadyn.errors import ArgumentError, unknown_name
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot
from soadyn.sweep.printing import explain
from soadyn.sweep.program import Program


def explain_quantity(quantity: str | Program, robot: Robot | None = None) -> str:
    """The recursion of a quantity or program as the papers print it; with a robot, the links it walks over.

    >>> import soadyn as sd
    >>> from soadyn.explaining import explain_quantity
    >>> text = explain_quantity("forward_dynamics", sd.load("planar_two_link"))
    >>> "P(k)  = M(k) + Σⱼ φ(k,j) P⁺(j) φ*(k,j)" in text
    True
    """
    if robot is not None and not isinstance(robot, Robot):
        raise ArgumentError(f"explain takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    model = None if robot is None else robot.model
    tied = _tied(robot) if robot is not None and robot.model.ties else ""
    if isinstance(quantity, Program):
        return explain(quantity, model) + tied
    if not isinstance(quantity, str):
        raise ArgumentError(f"explain takes the name of a quantity or a Program, got {type(quantity).__name__}")
    if quantity not in QUANTITIES:
        raise unknown_name("quantity", quantity, QUANTITIES)
    row = QUANTITIES[quantity]
    return f"{row.doc}\n\n    {row.equation}        in {row.unit}\n\n{explain(row.program, model)}{tied}"


def _tied(robot: Robot) -> str:
    joints = ", ".join(repr(robot.model.joints[tie.joint - 1].name) for tie in robot.model.ties)
    return (
        f"\nMimic joints tied to others: {joints}. The sweeps run on all joints and their results are condensed,\n"
        "v_all = E v, Mass = E* Mass_all E, T = E* T_all; what needs the inverse of Mass is solved densely.\n"
    )
