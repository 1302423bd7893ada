"""Linear-quadratic regulators: of a robot at rest, and along a motion, where model and gains change from step to step.

At rest, where x = [difference(goal, q); v] obeys ẋ = A x + B u, or x' = A x + B u from step to step, the cost of a
`Cost` is least for T = T_goal - K x; S of ½ x* S x, the cost that is left, solves the algebraic Riccati equation.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError, SoadynError
from soadyn.model.steppers import Method
from soadyn.optimal.cost import Cost, checked_cost
from soadyn.optimal.riccati import LARGEST, QuadraticModel, corrections
from soadyn.optimal.state_feedback import TrackingFeedback
from soadyn.optimal.step_derivatives import Steps
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import flag, positive, real
from soadyn.robot.labels import rate_names
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.laws.forces import JointForces

STILL = 1e-6  # of the robot's largest joint force at the goal, at rest
SHORTEST = 1e-9  # seconds


@final
class Regulator(TrackingFeedback):
    """Motors that hold a robot at its goal, T = T_goal - K [difference(goal, q); v]; made by `lqr`.

    K: (motors, 2 nv); S: (2 nv, 2 nv), of the cost that is left; A, B: the linear model, of a step if `step` is given.
    """

    def __init__(self, cost: Cost, A: np.ndarray, B: np.ndarray, K: np.ndarray, S: np.ndarray, step: float | None):
        limit = motor_limits(cost, None)
        still = np.zeros(cost.robot.nv)
        super().__init__(cost.robot, cost.q, still, cost.tau, K.ravel(), passive=cost.passive, effort_limit=limit)
        self.objective, self.A, self.B, self.K, self.S, self.step = cost, A, B, K, S, step

    @property
    def design(self) -> tuple[str, ...]:
        """The goal belongs to the regulator: its C is a function of the state alone."""
        return tuple(self.references)

    def left(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """½ x* S x, (...): what the way to the goal costs, by the linear model."""
        x = self.objective.deviation(q, v)
        return np.asarray(np.einsum("...i,...i->...", x @ self.S, x)) / 2


def lqr(cost: Cost, *, step: float | None = None, method: Method = "rk4", joint_forces: bool = True) -> Regulator:
    """The linear-quadratic regulator that holds a robot at the goal of a cost.

    step: None: of the equations of motion; seconds: of a digital controller that holds its forces through each step of
        `simulate(..., step=step, sampled=True)`, whose own derivatives the regulator is made of.
    method, joint_forces: of `simulate`. Dry friction is left out.

    Joints may be passive; `final_weight` of the cost does not matter. A goal at which the robot cannot rest, or
    which the motors cannot hold, is refused.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> up = [np.pi / 2, 0.0]
    >>> cost = sd.optimal.Cost(arm, up, state_weight=10.0, effort_weight=0.1, passive=["joint1"])
    >>> hold = sd.optimal.lqr(cost, step=0.01)
    >>> run = sd.simulate(arm, np.add(up, [0.01, 0.0]), control=hold, duration=8.0, step=0.01, sampled=True)
    >>> bool(np.abs(run.q[-1] - cost.q).max() < 1e-3)
    True
    """
    from scipy import linalg

    step = None if step is None else checked_step(step, "lqr")
    _check_rest(checked_cost(cost, "lqr"), flag("lqr: joint_forces", joint_forces))
    A, B = _linear(cost, step, method, joint_forces)
    h = 1.0 if step is None else step
    solve = linalg.solve_continuous_are if step is None else linalg.solve_discrete_are
    try:
        S = np.asarray(solve(A, B, h * cost.Q, h * cost.R))
    except (np.linalg.LinAlgError, ValueError):
        raise _not_held(cost, A, B, step) from None
    BS = B.T @ S
    K = np.linalg.solve(cost.R, BS) if step is None else np.linalg.solve(h * cost.R + BS @ B, BS @ A)
    poles = np.linalg.eigvals(A - B @ K)
    if (poles.real.max() >= 0) if step is None else (np.abs(poles).max() >= 1):
        raise _not_held(cost, A, B, step)
    return Regulator(cost, A, B, K, S, step)


def checked_step(step: Any, of: str) -> float:
    """The length of a step in seconds."""
    h = positive("step", step, of)
    if h < SHORTEST:
        raise ArgumentError(f"{of}: step must be at least {SHORTEST:g} s, got {step!r:.60}")
    return h


def _check_rest(cost: Cost, joint_forces: bool) -> None:
    robot, still = cost.robot, np.zeros(cost.robot.nv)
    acting = JointForces(robot, own=True)(0.0, cost.q, still) if joint_forces else still
    needed = robot.gravity_force(cost.q) - acting
    missing = needed - cost.tau
    scale = max(float(np.abs(needed).max()), float(robot.total_mass), 1e-300)
    worst = int(np.argmax(np.abs(missing)))
    if np.abs(missing[worst]) > STILL * scale:
        names = rate_names(robot)
        why = "has no motor" if cost.passive[worst] else "is given another by tau="
        raise ArgumentError(
            f"lqr: robot {robot.name!r} cannot rest at the goal: {names[worst]!r} needs a force of {needed[worst]:.4g} "
            f"there and {why} ({cost.tau[worst]:.4g})"
        )


def _linear(cost: Cost, step: float | None, method: Method, joint_forces: bool) -> tuple[np.ndarray, np.ndarray]:
    """A and B at the goal: of the equations of motion with the slopes of the joints' own forces, or of a step."""
    robot, still = cost.robot, np.zeros(cost.robot.nv)
    if step is not None:
        none = np.full(len(cost.active), np.inf)
        steps = Steps(robot, cost.q, step, cost.passive, none, method, joint_forces, stops=False)
        return steps.matrices(cost.q, still, cost.tau)
    A, B = robot.linearize(cost.q, still, cost.tau, passive=cost.passive)
    if joint_forces:
        K, D = JointForces(robot, own=True).slopes(cost.q, still)
        inverse = robot.mass_matrix_inverse(cost.q)
        A[robot.nv :, : robot.nv] -= inverse * K
        A[robot.nv :, robot.nv :] -= inverse * D
    return A, B


def _not_held(cost: Cost, A: np.ndarray, B: np.ndarray, step: float | None) -> SoadynError:
    """What the motors do not reach: what is orthogonal to B, A B, A² B ..."""
    names = rate_names(cost.robot)
    rate = A if step is None else (A - np.eye(len(A))) / step
    reached = np.zeros((len(A), 0))
    more = B / np.linalg.norm(B)
    while more.shape[1]:
        new = more - reached @ (reached.T @ more)
        U, sizes, _ = np.linalg.svd(new, full_matrices=False)
        more = U[:, sizes > 1e-8]
        reached = np.hstack([reached, more])
        more = rate @ more / max(float(np.linalg.norm(rate)), 1e-300)
    share = np.sqrt(np.maximum(1 - (reached**2).sum(axis=1), 0.0))[len(names) :]  # of each rate, beyond their reach
    lost = [names[i] for i in np.argsort(-share)[:3] if share[i] > 0.1]
    why = (
        f"they do not reach the motion of {', '.join(map(repr, lost))}"
        if lost
        else "state_weight leaves a motion that grows"
    )
    return ArgumentError(f"lqr: the motors of robot {cost.robot.name!r} cannot hold it at the goal: {why}")


def motor_limits(cost: Cost, effort_limit: ArrayLike | None) -> np.ndarray:
    """The motors' largest forces, (motors,): those given, or the robot's limits; infinite where there is none."""
    if effort_limit is None:
        return cost.robot.effort_limit[cost.active]
    motors = len(cost.active)
    return per_component(
        "effort_limit", effort_limit, motors, "optimal control", zero=False, most=np.inf, what="motors"
    )


def lqr_along(
    cost: Cost,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    *,
    step: float,
    method: Method = "rk4",
    joint_forces: bool = True,
    effort_limit: ArrayLike | None = None,
) -> TrackingFeedback:
    """Motors that keep a robot on a motion: gains that change in time, of least cost near the motion.

    q, v: states at the beginning of each step and at the end, (steps + 1, ..., nq) and (steps + 1, ..., nv).
    tau: joint forces of each step, (steps, ..., nv). step: seconds.
    The weights are those of the cost, which here count from the motion, not from the goal; without `final` the last
    state counts as if the regulator at the goal took over.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> h = 0.01
    >>> motion = sd.simulate(arm, [0.0, 0.5], control=[20.0, 3.0], duration=1.0, step=h, sampled=True)
    >>> weights = {"state_weight": [1e3, 1e3, 1.0, 1.0], "effort_weight": 1e-4, "final_weight": 100.0}
    >>> cost = sd.optimal.Cost(arm, motion.q[-1], **weights)
    >>> follow = sd.optimal.lqr_along(cost, motion.q, motion.v, motion.tau[:-1], step=h)
    >>> run = sd.simulate(arm, [0.1, 0.4], control=follow, duration=1.0, step=h, sampled=True)
    >>> bool(np.abs(run.q[-1] - motion.q[-1]).max() < 1e-2)
    True
    """
    h = checked_step(step, "lqr_along")
    q, v, tau = _motion(checked_cost(cost, "lqr_along"), q, v, tau)
    limit = motor_limits(cost, effort_limit)
    steps = Steps(cost.robot, q[0].reshape(-1, cost.robot.nq)[0], h, cost.passive, limit, method, joint_forces)
    batch = tau.shape[:-1]
    A, B = steps.matrices(q[:-1], v[:-1], tau)
    S = cost.final if cost.final is not None else lqr(cost, step=h, method=method, joint_forces=joint_forces).S
    n, m = A.shape[-1], B.shape[-1]
    Q = np.broadcast_to(h * cost.Q, (len(q), *batch[1:], n, n)).copy()
    Q[-1] = S
    free = np.full((*batch, m), LARGEST)
    near = QuadraticModel(A, B, np.zeros((len(q), *batch[1:], n)), np.zeros((*batch, m)), Q, h * cost.R, -free, free)
    return tracking(cost, q, v, tau, corrections(near).K, h, limit)


def tracking(cost: Cost, q: Any, v: Any, tau: Any, K: np.ndarray, h: float, limit: np.ndarray) -> TrackingFeedback:
    """The feedback along a motion whose forces and gains are held through steps; after the end the last ones stay."""
    times = h * np.arange(len(tau))
    gains = K.reshape(*K.shape[:-2], -1)
    held = (TimeSeries(times, x, hold=True) for x in (q[: len(tau)], v[: len(tau)], tau, gains))
    return TrackingFeedback(cost.robot, *held, passive=cost.passive, effort_limit=limit)


def _motion(cost: Cost, *given: Any) -> list[np.ndarray]:
    robot = cost.robot
    sizes = (robot.nq, robot.nv, robot.nv)
    found = [real(name, x, size, meaning=f"{size} numbers at each time", of="lqr_along")
             for name, x, size in zip(("q", "v", "tau"), given, sizes, strict=True)]  # fmt: skip
    q, v, tau = found
    if q.ndim < 2 or not (len(q) == len(v) == len(tau) + 1) or not q.shape[1:-1] == v.shape[1:-1] == tau.shape[1:-1]:
        raise ShapeError(
            f"lqr_along: q {q.shape} and v {v.shape} are states at the beginning of each step and at the end, tau "
            f"{tau.shape} the forces of each step: (steps + 1, ..., n) twice and (steps, ..., nv)"
        )
    return found
