"""A frame kept on its course by joint forces: resolved acceleration with feedback (004 sections 6.2 and 7).

    α(0) = α_course + 2 ω (V_course - V) + ω² (pose error),    held passive joints: -2 ω v_p + ω² (back to the start)

At every moment the demanded rows of [J_G; J_D] are solved for a_a, and the hybrid sweep gives the forces T_a. What the
demands leave free is damped; otherwise the rates of undemanded motions would drift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.planning.course import Course
from soadyn.control.planning.demands import Demands, checked_demands
from soadyn.control.planning.rates import resolved_acceleration
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial import rigid
from soadyn.robot.arguments.plain_values import positive, real


@final
@dataclass(frozen=True, eq=False)
class CourseTracking:
    """Joint forces (t, q, v) -> (nv,) that keep a frame on a course; give it to `simulate` as `torque`.

    demands: which frame, and which passive components are held where they are at q0.
    stiffness: ω, rad/s. damping, weights: of `solve_demands`.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> target = flyer.pose(q, "tool")
    >>> target[0, 3] += 0.02
    >>> course = sd.control.Course(flyer.pose(q, "tool"), target, 2.0)
    >>> demands = sd.control.Demands(flyer, "tool", hold="attitude")
    >>> run = sd.simulate(flyer, q, control=sd.control.CourseTracking(demands, course, q), duration=2.0, step=0.05)
    >>> bool(np.abs(sd.control.pose_error(flyer.pose(run.q[-1], "tool"), target)).max() < 1e-5)
    True
    """

    demands: Demands
    course: Course
    q0: ArrayLike
    stiffness: float = 4.0
    damping: float = 0.0
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        robot = checked_demands(self.demands, "CourseTracking").robot
        if not isinstance(self.course, Course):
            raise ArgumentError(f"CourseTracking takes a Course, got {type(self.course).__name__}")
        positive("stiffness", self.stiffness)
        meaning = f"the {robot.nq} coordinates of robot {robot.name!r}"
        object.__setattr__(self, "q0", real("q0", self.q0, robot.nq, meaning=meaning, of="CourseTracking"))

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        demands, robot, w = self.demands, self.demands.robot, self.stiffness
        V = robot.frame_velocity(q, v, demands.frame)
        error = rigid.error(robot.pose(q, demands.frame), self.course.pose(t))
        alpha = self.course.acceleration(t) + 2 * w * (self.course.twist(t) - V) + w * w * error
        back = robot.difference(q, self.q0)[..., demands.passive_places]
        of_passive = w * w * back - 2 * w * v[..., demands.passive_places]
        _, tau = resolved_acceleration(
            demands,
            q,
            v,
            alpha,
            of_passive,
            weights=self.weights,
            damping=self.damping,
            preferred=-2 * w * v[..., demands.active],
        )
        return tau
