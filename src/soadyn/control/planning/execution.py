"""A plan carried out by joint forces, in a simulation by forward dynamics that does not use the plan's Jacobians.

At every moment the active joints are given the accelerations

    a_a = a_plan + 2 ω (v_plan - v) + ω² (q_plan - q)

and the hybrid sweep says which forces T_a that takes while the passive joints feel T_p: zero in reaction mode, or what
the base's control gives (004 section 7, step 3). Forward dynamics then moves the robot.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import final

import numpy as np

from soadyn.control.planning import plotting
from soadyn.control.planning.base_control import BaseControl
from soadyn.control.planning.demands import Demands, free_root, rates_named
from soadyn.control.planning.momenta import relative_momentum_drift
from soadyn.control.planning.plan import Plan
from soadyn.control.planning.reach import Reach
from soadyn.errors import ArgumentError, SingularError, errstate
from soadyn.fork_safe import cached_property
from soadyn.model.steppers import Method
from soadyn.progress import ProgressLike
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation import SimulationError, Trajectory, simulate


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

    @cached_property
    def effort_share(self) -> float:
        """The largest joint force as a share of its limit; zero where nothing has a limit."""
        limit = self.robot.effort_limit[self.plan.demands.active]
        forces = np.abs(self.trajectory.tau[:, self.plan.demands.active]).max(axis=0, initial=0.0)
        return float(np.max(forces / limit, initial=0.0))

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
    stiffness: float = 1.0,
    settle: float = 0.0,
    step: float = 0.02,
    method: Method = "rk4",
    record: float | None = None,
    joint_forces: bool = True,
    progress: ProgressLike = None,
) -> Execution:
    """Simulate a plan: joint forces from the hybrid sweep with feedback, nothing else acting on a base that floats.

    base_control: moments and forces on the base when it leaves its bounds; without it T_p is zero throughout.
    stiffness: ω of the feedback, rad/s; a high one costs the simulation accuracy.
    settle: seconds to go on after the plan's end, held where it ends.
    step, method, record, joint_forces, progress: of `simulate`.

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
    demands, robot = plan.demands, plan.robot
    if base_control is not None and not isinstance(base_control, BaseControl):
        raise ArgumentError(f"execute takes a BaseControl as base_control, got {type(base_control).__name__}")
    base = None if base_control is None else list(free_root(robot, "base_control"))
    if base is not None and not demands.mask[base].all():
        raise ArgumentError("base_control acts on the free root, which is not among the plan's passive joints")
    _check_finite(plan)
    w, active, coordinates = positive("stiffness", stiffness), demands.active, demands.active_coordinates

    def forces(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        q_plan, v_plan, a_plan = plan.active_at(t)
        a, T = np.zeros((2, robot.nv))
        a[active] = a_plan + 2 * w * (v_plan - v[active]) + w * w * (q_plan - q[coordinates])
        if base is not None and base_control is not None:
            T[base] = base_control.force(robot.difference(plan.q[0], q)[base], v[base])
        return _forces(demands, t, q, v, a, T)

    trajectory = simulate(
        robot,
        plan.q[0],
        None,
        control=forces,
        duration=plan.duration + positive("settle", settle, zero=True),
        step=step,
        method=method,
        record_every=record,
        joint_forces=joint_forces,
        progress=progress,
    )
    return Execution(plan, trajectory)


def _check_finite(plan: Plan) -> None:
    for name, x in (("q", plan.q), ("v", plan.v)):
        if not np.isfinite(x).all():
            node = int(np.argwhere(~np.isfinite(x))[0][0])
            raise ArgumentError(f"execute: the plan's {name} is not finite at t = {plan.t[node]:.4g} s")


def _forces(demands: Demands, t: float, q: np.ndarray, v: np.ndarray, a: np.ndarray, T: np.ndarray) -> np.ndarray:
    """The joint forces of the hybrid sweep; what has none stops the simulation with the cause."""
    robot = demands.robot
    if not np.isfinite(a).all():
        joint = rates_named(robot, np.flatnonzero(~np.isfinite(a)))[0]
        why = f"joint {joint!r} is asked for an acceleration of {a[~np.isfinite(a)][0]}: it has left the plan"
        raise SimulationError(f"execute: at t = {t:.4g} s {why}; try a lower stiffness or a shorter step")
    try:
        with errstate("raise"):
            return np.asarray(robot.hybrid_dynamics(q, v, a=a, tau=T, passive=demands.mask)[1])
    except SingularError as error:
        raise SimulationError(f"execute: at t = {t:.4g} s there are no joint forces: {error}") from None
