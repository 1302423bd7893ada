"""A plan carried out by joint forces, in a simulation by forward dynamics that does not use the plan's Jacobians.

`ComputedTorque` gives the active joints the accelerations a_a = a_plan + 2 ω (v_plan - v) + ω² (q_plan - q), and the
hybrid sweep says which forces T_a that takes while the passive joints feel T_p: zero in reaction mode, or what the
base's control gives (004 section 7, step 3). Forward dynamics then moves the robot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import free_root
from soadyn.control.feedback.joint_feedbacks import ComputedTorque, PathTracking
from soadyn.control.feedback.motor_forces import driven
from soadyn.control.planning import plotting
from soadyn.control.planning.base_control import BaseControl
from soadyn.control.planning.demands import Demands
from soadyn.control.planning.momenta import relative_momentum_drift
from soadyn.control.planning.plan import Plan, Reach
from soadyn.errors import ArgumentError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation import Trajectory, simulate
from soadyn.simulation.drive.dynamics import Dynamics

START = "start"


@final
class WithBaseControl(PathTracking):
    """The same law for the joints, and `BaseControl` of a free root: T_p is its own, T_a is chosen with T_p known."""

    def __init__(self, plan: Plan, base_control: BaseControl, bandwidth: ArrayLike) -> None:
        super().__init__(plan.robot, plan, bandwidth=bandwidth, passive=plan.demands.mask)
        self.base_control, self.base = base_control, list(free_root(plan.robot, "base_control"))
        if not self.passive[self.base].all():
            raise ArgumentError("base_control acts on the free root, which is not among the plan's passive joints")
        self.references[START] = plan.q[0]

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        wanted = references["a"] + self.pull(dynamics, q, v, references)
        moved = dynamics.difference(references[START], q)
        T_p = self.base_control.force(moved[..., self.base], v[..., self.base]) @ np.eye(self.robot.nv)[self.base]
        return T_p + driven(dynamics, self.passive, q, v, wanted, T_p)[1]

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), tuple(self.base_control.__dict__.items()))


@final
@dataclass(frozen=True, eq=False, repr=False)
class Execution(Reach):
    """What came of a plan: the simulated `trajectory`, and how far frame and base were from where they should be."""

    plan: Plan
    trajectory: Trajectory

    def _states(self) -> tuple[Demands, np.ndarray, np.ndarray]:
        return self.plan.demands, self.plan.target, self.trajectory.q

    @cached_property
    def momentum_drift(self) -> tuple[float, float]:
        """Angular and linear; see `relative_momentum_drift`."""
        return relative_momentum_drift(self.robot, self.trajectory)

    @cached_property
    def base_impulse(self) -> tuple[float, float]:
        """What the base's control has spent: ∫ |moment| dt in N m s and ∫ |force| dt in N s, by trapezoids."""
        T_p = self.trajectory.tau[:, list(free_root(self.robot, "the base's impulse"))]
        moment, force = (np.linalg.norm(T_p[:, part], axis=-1) for part in (slice(0, 3), slice(3, 6)))
        t = self.trajectory.t
        return float(np.trapezoid(moment, t)), float(np.trapezoid(force, t))

    def __repr__(self) -> str:
        return (
            f"<Execution on {self.robot.name!r}, {self.trajectory.t[-1]:.4g} s: at the end {self._missing()} from the "
            f"target, base turned by up to {np.degrees(self.base_turn.max()):.2g} deg>"
        )

    def plot(self, path: str | PathLike[str], *others: tuple[str, Execution], label: str = "this") -> Path:
        """Draw base attitude, frame error and fastest rates into a file, beside other executions (label, execution).

        Needs matplotlib: pip install matplotlib.
        """
        return plotting.plot_executions(path, ((label, self), *others))


def execute(
    plan: Plan,
    *,
    base_control: BaseControl | None = None,
    bandwidth: ArrayLike = 1.0,
    settle: float = 0.0,
    step: float = 0.02,
    **simulating: Any,
) -> Execution:
    """Simulate a plan: joint forces from the hybrid sweep with feedback, nothing else acting on a base that floats.

    base_control: moments and forces on the base when it leaves its bounds; without it T_p is zero throughout.
    bandwidth: ω of the feedback, rad/s; a high one costs the simulation accuracy.
    settle: seconds to go on after the plan's end, held where it ends.
    step, simulating: other options of `sd.simulate`, such as method, record, joint_forces, progress.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> target = flyer.pose(q, "tool")
    >>> target[0, 3] += 0.05
    >>> plan = sd.control.plan_reach(flyer, q, "tool", target, 5.0, step=0.1)
    >>> done = sd.control.execute(plan, step=0.05)
    >>> bool(done.position_error[-1] < 1e-3), bool(np.degrees(done.base_turn.max()) < 0.01), done.base_impulse
    (True, True, (0.0, 0.0))
    """
    if not isinstance(plan, Plan):
        raise ArgumentError(f"execute takes a Plan, as plan_reach makes them, got {type(plan).__name__}")
    if base_control is not None and not isinstance(base_control, BaseControl):
        raise ArgumentError(f"execute takes a BaseControl as base_control, got {type(base_control).__name__}")
    motors: PathTracking = (
        ComputedTorque(plan.robot, plan, bandwidth=bandwidth, passive=plan.demands.mask)
        if base_control is None
        else WithBaseControl(plan, base_control, bandwidth)
    )
    duration = plan.duration + positive("settle", settle, zero=True)
    return Execution(plan, simulate(plan.robot, plan.q[0], control=motors, duration=duration, step=step, **simulating))
