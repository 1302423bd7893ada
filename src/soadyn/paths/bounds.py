"""Limits of joints: forces, rates, accelerations; infinite where there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments.component_values import per_component


@final
@dataclass(frozen=True, eq=False, slots=True)
class Bounds:
    """The largest joint forces, rates and accelerations, (nv,) each."""

    effort: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray

    @staticmethod
    def of(robot: Robot, effort: Any, velocity: Any, acceleration: Any, who: str) -> Bounds:
        """Numbers, "robot" for the robot's own limits, None for none; `who` is who asks."""
        own = {"effort_limit": robot.effort_limit, "velocity_limit": robot.velocity_limit}
        given = {"effort_limit": effort, "velocity_limit": velocity, "acceleration_limit": acceleration}
        return Bounds(*(_bound(robot, name, x, own.get(name), who) for name, x in given.items()))


def _bound(robot: Robot, name: str, x: Any, own: np.ndarray | None, who: str) -> np.ndarray:
    if x is None:
        return np.full(robot.nv, np.inf)
    if isinstance(x, str | bool):
        if x == "robot" and own is not None:
            return own
        words = "positive numbers or None" if own is None else '"robot", positive numbers or None'
        raise ArgumentError(f"{who}: {name} must be {words}, got {x!r:.60}")
    return per_component(name, x, robot.nv, who, zero=False, most=np.inf)
