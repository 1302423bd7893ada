"""Limits of joints: forces, rates, accelerations; infinite where there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.robot import Robot


@final
@dataclass(frozen=True, eq=False, slots=True)
class Bounds:
    """The largest joint forces, rates and accelerations, (nv,) each."""

    torque: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray

    @staticmethod
    def of(robot: Robot, torque: Any, velocity: Any, acceleration: Any, who: str) -> Bounds:
        """`torque` True and `velocity` None stand for the robot's own limits, False for none."""
        none = np.full(robot.nv, np.inf)
        effort = robot.effort_limit if torque is True else none if torque is False or torque is None else None
        rates = robot.velocity_limit if velocity is None else none if velocity is False else None
        return Bounds(
            effort if effort is not None else bound(robot, torque, f"{who}: torque"),
            rates if rates is not None else bound(robot, velocity, f"{who}: velocity"),
            none if acceleration is None else bound(robot, acceleration, f"{who}: acceleration"),
        )


def bound(robot: Robot, x: Any, what: str) -> np.ndarray:
    """A positive number for all joint components, or one for each."""
    try:
        limit = real_array(x)
    except NotNumbersError as error:
        raise ShapeError(f"{what} {error}; expected a number or ({robot.nv},)") from None
    if limit.shape not in ((), (robot.nv,)):
        raise ShapeError(f"{what} has shape {limit.shape}; expected a number or ({robot.nv},)")
    if not (limit > 0).all():
        raise ArgumentError(f"{what} must be positive, got {limit.tolist()!r:.80}")
    return np.broadcast_to(limit, (robot.nv,)).astype(float)
