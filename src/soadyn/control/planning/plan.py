"""A planned motion: states at nodes in time, and polynomials between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import floating
from soadyn.control.planning.demands import Demands
from soadyn.errors import SoadynError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial import rigid
from soadyn.robot import Robot, State
from soadyn.simulation.record.interpolation import Between, state_between


@final
class ReachError(SoadynError, ArithmeticError):
    """A planned motion does not arrive. `plan` is what was planned until then, None if nothing was.

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> try:
    ...     sd.control.plan_reach(flyer, q, "tool", [9.0, 0.0, 0.0], 5.0, step=0.1)
    ... except sd.control.ReachError as error:
    ...     print(str(error)[:20])
    the motion of 'tool'
    """

    def __init__(self, message: str, plan: Plan | None = None) -> None:
        super().__init__(message)
        self.plan = plan


class Reach(ABC):
    """States in time of a robot whose frame should come to a target: planned, or simulated."""

    @abstractmethod
    def _states(self) -> tuple[Demands, np.ndarray, np.ndarray]:
        """The demands, the target's pose (4, 4) and the coordinates (T, nq)."""

    @property
    def robot(self) -> Robot:
        """The robot that moves."""
        return self._states()[0].robot

    @cached_property
    def errors(self) -> np.ndarray:
        """What is left to the target, (T, 6): [turn; displacement] in world axes."""
        demands, target, q = self._states()
        return rigid.error(demands.robot.pose(q, demands.frame), target)

    @property
    def position_error(self) -> np.ndarray:
        """The frame's distance from the target, m, (T,)."""
        return np.linalg.norm(self.errors[:, 3:], axis=-1)

    @property
    def angle_error(self) -> np.ndarray:
        """The angle by which the frame is turned from the target, rad, (T,)."""
        return np.linalg.norm(self.errors[:, :3], axis=-1)

    @cached_property
    def _base(self) -> np.ndarray:
        """The motion since the start, (T, 6), [turn; displacement], of the link that floats; zero if none does."""
        robot, q = self.robot, self._states()[2]
        if not floating(robot):
            return np.zeros((len(q), 6))
        root = robot.pose(q, robot.link_names[0])
        return rigid.error(root, root[0])

    @property
    def base_turn(self) -> np.ndarray:
        """The angle by which the root link has turned since the start, rad, (T,)."""
        return np.linalg.norm(self._base[:, :3], axis=-1)

    @property
    def base_shift(self) -> np.ndarray:
        """The distance by which the root link has moved since the start, m, (T,)."""
        return np.linalg.norm(self._base[:, 3:], axis=-1)

    def _missing(self) -> str:
        """What is left to the target at the end, for people."""
        turned = "" if self._states()[0].of_frame == "position" else f" and {np.degrees(self.angle_error[-1]):.2g} deg"
        return f"{1e3 * self.position_error[-1]:.2g} mm{turned}"


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plan(Reach):
    """A motion of all joints that takes a frame to a target, made by `plan_reach` and its like.

    t         seconds, (T,)
    q, v      coordinates (T, nq) and rates (T, nv); the passive joints as the plan believes they move
    target    the pose (4, 4) to reach; `demands` says which of it, and what is held meanwhile
    smallest  the smallest singular value of the demands' Jacobian on the way, (T,)
    slowed    where speed limits held the joints back, (T,)
    regularization   what was used, (T,)

    It is a motion that feedbacks follow: `sd.control.ComputedTorque(robot, plan)`.

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
    regularization: np.ndarray
    slowed: np.ndarray

    @property
    def duration(self) -> float:
        """Seconds from the start to the end."""
        return float(self.t[-1])

    def _states(self) -> tuple[Demands, np.ndarray, np.ndarray]:
        return self.demands, self.target, self.q

    def __repr__(self) -> str:
        return (
            f"<Plan for {self.robot.name!r}: {self.demands.frame_name!r} to its target in {self.duration:.4g} s, "
            f"{self._missing()} off at the end>"
        )

    def at(self, t: ArrayLike) -> State:
        """The state at times (...), with accelerations of the active joints.

        These follow polynomials of fifth degree that meet the nodes' coordinates, rates and accelerations, so that
        forces have no jumps, which would cost a simulation its order; the passive joints follow cubic ones.
        """
        between = Between.of(self.t, t)
        q, v = state_between(self.robot, between, self.q, self.v)
        times = self.t[between.before] + between.share * between.gap
        a = np.zeros_like(v)
        active = self.demands.active
        for x, places, derivative in ((q, self.demands.active_coordinates, 0), (v, active, 1), (a, active, 2)):
            x[..., places] = self._of_active(times, derivative)
        return self.robot.at(q, v, a=a)

    @cached_property
    def _of_active(self) -> Any:
        """Coordinates (N_a,) and their derivatives as functions of time."""
        from scipy.interpolate import BPoly

        v = self.v[:, self.demands.active]
        nodes = self.q[:, self.demands.active_coordinates], v, np.gradient(v, self.t, axis=0)
        return BPoly.from_derivatives(self.t, np.stack(nodes, axis=1))
