"""A planned motion: nodes in time, and what lies between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.control.course import pose_error
from soadyn.control.demands import Demands
from soadyn.errors import ArgumentError, SoadynError
from soadyn.fork_safe import cached_property
from soadyn.robot import Robot


@final
class ReachError(SoadynError, ArithmeticError):
    """A planned motion does not arrive. `plan` is what was planned until then, None if nothing was."""

    plan: Plan | None = None


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """A motion of all joints that takes a frame to a target, made by `plan_reach` and its like.

    t         seconds, (T,)
    q, v      coordinates (T, nq) and rates (T, nv); the passive joints as the plan believes they move
    target    the pose (4, 4) to reach; `demands` says which of it, and what is held meanwhile
    smallest  the smallest singular value of the demands' Jacobian on the way, (T,)
    damping   what was used, (T,)
    slowed    where speed limits held the joints back, (T,)

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> target = flyer.pose(q, "tool")
    >>> target[0, 3] += 0.1
    >>> plan = sd.control.plan_reach(flyer, q, "tool", target, 10.0, step=0.1)
    >>> bool(plan.position_error[-1] < 1e-4), bool(plan.base_turn.max() < 1e-6)
    (True, True)
    """

    demands: Demands
    target: np.ndarray
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    smallest: np.ndarray
    damping: np.ndarray
    slowed: np.ndarray

    @property
    def robot(self) -> Robot:
        return self.demands.robot

    @property
    def duration(self) -> float:
        return float(self.t[-1])

    def __repr__(self) -> str:
        angle = "" if self.demands.of_frame == "position" else f" and {np.degrees(self.angle_error[-1]):.2g} deg"
        return (
            f"<Plan for {self.robot.name!r}: {self.demands.frame_name!r} to its target in {self.duration:.4g} s, "
            f"{1e3 * self.position_error[-1]:.2g} mm{angle} off at the end>"
        )

    @cached_property
    def errors(self) -> np.ndarray:
        """What is left to the target, (T, 6): [turn; displacement] in world axes."""
        return pose_error(self.robot.pose(self.q, self.demands.frame), self.target)

    @property
    def position_error(self) -> np.ndarray:
        """The frame's distance from the target, m, (T,)."""
        return np.linalg.norm(self.errors[:, 3:], axis=-1)

    @property
    def angle_error(self) -> np.ndarray:
        """The angle by which the frame is turned from the target, rad, (T,)."""
        return np.linalg.norm(self.errors[:, :3], axis=-1)

    @property
    def base_turn(self) -> np.ndarray:
        """The angle by which a free root has turned since the start, rad, (T,)."""
        return base_motion(self.robot, self.q)[0]

    def active_at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, rates and accelerations (N_a,) of the active joints at any time; at rest after the end.

        Between the nodes by polynomials of fifth degree that meet the nodes' coordinates, rates and accelerations, so
        that forces have no jumps, which would cost a simulation its order.
        """
        q, v, a = self._nodes
        if t >= self.t[-1]:
            return q[-1], np.zeros_like(q[-1]), np.zeros_like(q[-1])
        i = min(max(int(np.searchsorted(self.t, t, side="right")) - 1, 0), len(self.t) - 2)
        h = float(self.t[i + 1] - self.t[i])
        s = (t - float(self.t[i])) / h
        b, c = h * v[i], h * h / 2 * a[i]
        # What the polynomial b s + c s² lacks at the end of the interval, in place, rate and acceleration
        x = q[i + 1] - q[i] - b - c
        y = h * v[i + 1] - b - 2 * c
        z = h * h * a[i + 1] - 2 * c
        d3, d4, d5 = 10 * x - 4 * y + z / 2, -15 * x + 7 * y - z, 6 * x - 3 * y + z / 2
        way = s * (b + s * (c + s * (d3 + s * (d4 + s * d5))))
        rate = b + s * (2 * c + s * (3 * d3 + s * (4 * d4 + s * 5 * d5)))
        bend = 2 * c + s * (6 * d3 + s * (12 * d4 + s * 20 * d5))
        return q[i] + way, rate / h, bend / (h * h)

    @cached_property
    def _nodes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        v = self.v[:, self.demands.active]
        if len(self.t) < 2:
            return self.q[:, self.demands.active_coordinates], v, np.zeros_like(v)
        return self.q[:, self.demands.active_coordinates], v, np.gradient(v, self.t, axis=0)


def base_motion(robot: Robot, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The angle (T,) and the distance (T,) by which the root link has moved since the first of the states q."""
    root = robot.pose(q, robot.link_names[0])
    moved = pose_error(root, root[0])
    return np.linalg.norm(moved[..., :3], axis=-1), np.linalg.norm(moved[..., 3:], axis=-1)


def positive(name: str, x: float, zero: bool = False) -> float:
    """A number that must be positive, or zero where that is allowed."""
    number = float(x)
    if not (0 < number < np.inf or (zero and number == 0)):
        raise ArgumentError(f"{name} must be a positive number{' or zero' if zero else ''}, got {x!r}")
    return number


def checked(plan: Plan, tolerance: tuple[float, float]) -> Plan:
    """The plan if it arrives and respects position limits; otherwise `ReachError` says where it fails and why."""
    wrong = _limit_passed(plan) or _not_there(plan, tolerance)
    if wrong:
        error = ReachError(wrong)
        error.plan = plan
        raise error
    return plan


def _not_there(plan: Plan, tolerance: tuple[float, float]) -> str:
    rows = set(plan.demands.frame_rows.tolist())
    far, turned = float(plan.position_error[-1]), float(plan.angle_error[-1])
    missing: list[str] = []
    if rows >= {3, 4, 5} and not far <= tolerance[0]:
        missing.append(f"{1e3 * far:.3g} mm")
    if rows >= {0, 1, 2} and not turned <= tolerance[1]:
        missing.append(f"{np.degrees(turned):.3g} deg")
    if not missing:
        return ""
    worst = int(np.argmin(plan.smallest))
    reasons = [
        f"the smallest singular value of its Jacobian is {plan.smallest[worst]:.2g} at t = {plan.t[worst]:.3g} s"
    ]
    if plan.damping.any():
        first = plan.t[np.argmax(plan.damping > 0)]
        reasons.append(f"damping acted from t = {first:.3g} s (up to {plan.damping.max():.2g})")
    if plan.slowed.any():
        reasons.append(f"speed limits held it back from t = {plan.t[np.argmax(plan.slowed)]:.3g} s")
    return (
        f"the motion of {plan.demands.frame_name!r} ends {' and '.join(missing)} from its target: "
        f"{'; '.join(reasons)}. "
        "Try a nearer target, another start, a longer duration, or hold less"
    )


def _limit_passed(plan: Plan) -> str:
    robot = plan.robot
    outside = (plan.q < robot.lower) | (plan.q > robot.upper)
    if not outside.any():
        return ""
    node, place = np.argwhere(outside)[0]
    joint = next(name for name in robot.joint_names if place in robot.joint_coordinates(name))
    return (
        f"the motion of {plan.demands.frame_name!r} takes joint {joint!r} past its position limit "
        f"at t = {plan.t[node]:.3g} s: "
        f"{plan.q[node, place]:.3g} is outside of {robot.lower[place]:.3g} to {robot.upper[place]:.3g}"
    )
