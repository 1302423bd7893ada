"""Motions of least cost by iterated linear-quadratic control, many starts at once.

Around a motion the steps are linear and the cost is quadratic; the Riccati recursion gives corrections k and gains K,
the new motion follows u + s k - K x for the best of several s, and all repeats (W. Li, E. Todorov, Iterative linear
quadratic regulator design for nonlinear biological movement systems, ICINCO 2004). Bounds of the motors enter the
recursion (Y. Tassa, N. Mansard, E. Todorov, Control-limited differential dynamic programming, ICRA 2014). Where no s
lowers the cost, damping grows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.model.steppers import Method
from soadyn.optimal.cost import Cost, checked_cost, in_places
from soadyn.optimal.ilqr_result import ILQRResult
from soadyn.optimal.ilqr_search import Search
from soadyn.optimal.regulators import checked_step, lqr, motor_limits
from soadyn.optimal.step_derivatives import Steps
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import flag, positive, real, whole
from soadyn.simulation.drive.inputs import initial_state
from soadyn.simulation.drive.time_series import along_time
from soadyn.simulation.run.times import checked_steps

KNOTS = 8  # of the straight lines that a random start's forces follow


def ilqr(
    cost: Cost,
    q0: ArrayLike,
    v0: ArrayLike | None = None,
    *,
    duration: float,
    step: float = 0.02,
    tau0: ArrayLike | None = None,
    starts: int | None = None,
    amplitude: ArrayLike | None = None,
    rng: np.random.Generator | int = 0,
    effort_limit: ArrayLike | None = None,
    max_iterations: int = 300,
    tolerance: float = 1e-5,
    method: Method = "rk4",
    joint_forces: bool = True,
    limits: bool = True,
) -> ILQRResult:
    """Motions of least cost from a state, by iterated linear-quadratic control within the motors' limits.

    q0, v0: where the motion begins, (..., nq) and (..., nv); v0 None is rest.
    duration, step: seconds; the motors' forces are held through each step.
    tau0: joint forces to begin with, (steps, ..., nv); by default those that hold the goal.
    starts: so many random beginnings instead, forces along straight lines between normal random numbers of standard
        deviation `amplitude` (motors,): by default a quarter of the limits, or what gravity asks where there is none.
    effort_limit: the motors' largest forces, a number or (motors,); the robot's effort limits by default.
    max_iterations, tolerance: a motion is done when a correction lowers, or promises to lower, its cost by at most that
        share, or after so many corrections.
    method, joint_forces: of `simulate`, of whose steps the derivatives are; limits: let position limits act as stops,
        and the robot's effort limits bound the motors.

    All starts go on at once, as batches of machine code in the threads of `sd.set_threads`.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> cost = sd.optimal.Cost(arm, [1.0, 0.5], state_weight=1.0, effort_weight=0.01, final_weight=1e3)
    >>> found = sd.optimal.ilqr(cost, [0.0, 0.0], duration=0.6, effort_limit=60.0)
    >>> bool(found.success), bool(np.abs(found.miss).max() < 0.05), bool(np.abs(found.tau).max() <= 60.0)
    (True, True, True)
    """
    robot = checked_cost(cost, "ilqr").robot
    h, limits = checked_step(step, "ilqr"), flag("ilqr: limits", limits)
    count = max(1, round(checked_steps(positive("duration", duration, "ilqr"), h, "ilqr")))
    largest = (
        motor_limits(cost, effort_limit) if limits or effort_limit is not None else np.full(len(cost.active), np.inf)
    )
    u = _beginnings(cost, count, tau0, starts, amplitude, largest, rng)  # (steps, ..., motors)
    q, v = initial_state(robot, q0, v0)
    try:
        batch = np.broadcast_shapes(u.shape[1:-1], q.shape[:-1])
    except ValueError:
        raise ShapeError(
            f"ilqr: q0 is a batch {q.shape[:-1]}, the starts are {u.shape[1:-1]}: they do not fit"
        ) from None
    q, v = (np.broadcast_to(x, (*batch, x.shape[-1])) for x in (q, v))
    rows = int(np.prod(batch))
    if not rows:
        raise ShapeError(f"ilqr: q0 and the starts are an empty batch {batch}; there is no motion to improve")
    S = cost.final if cost.final is not None else lqr(cost, step=h, method=method, joint_forces=joint_forces).S
    steps = Steps(robot, q.reshape(rows, -1)[0], h, cost.passive, largest, method, joint_forces, limits)
    u = along_time(u, len(batch) + 2)
    u = np.broadcast_to(u, (count, *batch, u.shape[-1])).reshape(count, rows, -1).swapaxes(0, 1)
    search = Search(cost, steps, S, largest, q.reshape(rows, -1), v.reshape(rows, -1), u)
    if search.done.all():
        raise ArgumentError(f"ilqr: the motion of {robot.name} runs away from every start; begin with smaller tau0")
    tolerance = positive("tolerance", tolerance, "ilqr")
    for _ in range(whole("max_iterations", max_iterations, 1)):
        if search.done.all():
            break
        search.improve(tolerance)
    return _result(search, batch)


def _beginnings(
    cost: Cost, count: int, tau0: Any, starts: Any, amplitude: Any, limit: np.ndarray, rng: Any
) -> np.ndarray:
    """The motors' forces to begin with, (steps, ..., motors)."""
    robot, motors = cost.robot, cost.active
    if tau0 is not None:
        given = real("tau0", tau0, robot.nv, meaning=f"{robot.nv} joint forces for each step", of="ilqr")
        if given.ndim < 2 or len(given) != count:
            raise ShapeError(f"ilqr: tau0 has shape {given.shape}; expected ({count}, ..., {robot.nv})")
        return np.asarray(given[..., motors])
    if starts is None:
        return np.broadcast_to(cost.tau[motors], (count, len(motors)))
    many = whole("starts", starts, 1)
    if not isinstance(rng, int | np.integer | np.random.Generator):
        raise ArgumentError(f"ilqr: rng is a numpy.random.Generator or a seed, got {rng!r:.60}")
    generator = np.random.default_rng(rng)
    if amplitude is None:
        weights = np.abs(robot.gravity_force(robot.random_configuration(generator, size=64))).max(axis=0)[motors]
        size = np.where(np.isfinite(limit), limit / 4, np.where(weights > 0, weights, 1.0))
    else:
        size = per_component("amplitude", amplitude, len(motors), "ilqr", what="motors")
    knots = size * generator.standard_normal((KNOTS + 1, many, len(motors)))
    places = np.linspace(0.0, KNOTS, count, endpoint=False)
    before, share = places.astype(int), (places % 1)[:, None, None]
    return np.asarray((1 - share) * knots[before] + share * knots[before + 1])


def _result(search: Search, batch: tuple[int, ...]) -> ILQRResult:
    """What was found, time first and with the axes of the starts."""

    def timed(x: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(x.swapaxes(0, 1)).reshape(x.shape[1], *batch, *x.shape[2:])

    rows = {name: getattr(search, name).reshape(batch) for name in ("cost", "success", "nit")}
    return ILQRResult(
        search.objective,
        search.steps.step * np.arange(search.q.shape[1]),
        timed(search.q),
        timed(search.v),
        timed(in_places(search.objective, search.u)),
        timed(search.K),
        search.effort_limit,
        cost_history=np.array(search.cost_history).reshape(-1, *batch),
        **rows,
    )
