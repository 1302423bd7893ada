"""A robot's motion from an initial state."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from soadyn.arguments import ExternalLike
from soadyn.errors import ArgumentError, unknown_name
from soadyn.robot import Robot
from soadyn.simulation.equations import Motion
from soadyn.simulation.failure import SimulationError
from soadyn.simulation.forces import JointForces
from soadyn.simulation.inputs import TorqueLike, Wrenches, external_of, initial_state, positive, torque_of
from soadyn.simulation.recording import Recorder
from soadyn.simulation.steppers import STEPPERS, Method, Moment
from soadyn.simulation.trajectory import Trajectory

__all__ = ["SimulationError", "simulate"]

Progress = Callable[[float, float], object]


def simulate(
    robot: Robot,
    q0: ArrayLike,
    v0: ArrayLike | None = None,
    torque: TorqueLike = None,
    duration: float = 5.0,
    *,
    step: float = 0.002,
    method: Method = "rk4",
    record: float | None = None,
    external: ExternalLike | Wrenches | None = None,
    joint_forces: bool = True,
    friction_speed: float = 0.05,
    progress: Progress | None = None,
) -> Trajectory:
    """The robot's motion for `duration` seconds from (q0, v0); position limits do not act.

    q0, v0: the initial state or a batch of them, (..., nq) and (..., nv); v0 None is rest.
    torque: None, joint forces (..., nv), or a function (t, q, v) -> (..., nv). Such a function is called at every
        evaluation of the equations of motion, four times per step of "rk4", and once for each record.
    step: the longest step in seconds; steps are made equal so that they meet the times of the records.
    method: "rk4" (fourth order on the manifold) or "semi-implicit" (first order, a quarter of the cost).
    record: seconds between the states that are kept; every step's if omitted. The last state is always kept.
    external: wrenches on the links as quantities take them, or a function (t, q, v) that returns them.
    joint_forces: let the model's springs, damping and friction act. Dry friction F acts as -F tanh(v / friction_speed).
    friction_speed: below this speed, in rad/s or m/s, dry friction fades; a small one needs short steps.
    progress: called as progress(t, duration) after every step.

    Ctrl-C ends the simulation and returns what was done until then, with `interrupted` set. A number that is not
    finite raises `SimulationError`, which says when and at which joint, and holds what was done as `trajectory`.

    >>> import soadyn as sd
    >>> from soadyn.simulation import simulate
    >>> arm = sd.load("planar_two_link")
    >>> fall = simulate(arm, [0.3, 0.0], duration=0.1, step=0.01)
    >>> fall.q.shape, bool(abs(fall.energy_drift).max() < 1e-6)
    ((11, 2), True)
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"simulate takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    if method not in STEPPERS:
        raise unknown_name("method of simulate", method, STEPPERS)
    duration, step = positive("duration", duration), positive("step", step)
    every = step if record is None else positive("record", record)
    friction_speed = positive("friction_speed", friction_speed)
    q, v = initial_state(robot, q0, v0, torque)
    motion = Motion(
        robot,
        torque_of(robot, torque, q.shape[:-1]),
        external_of(robot, external, q.shape[:-1]),
        JointForces(robot, friction_speed) if joint_forces else None,
    )
    recorder = Recorder(motion, method, step)
    with np.errstate(over="ignore", invalid="ignore"):
        start = Moment(0.0, robot.integrate(q, np.zeros(robot.nv)), v, np.zeros((*q.shape[:-1], motion.flows)))
        return _run(motion, start, record_times(duration, every), step, recorder, progress)


def record_times(duration: float, every: float) -> np.ndarray:
    """0, every, 2 every, ... and duration itself.

    >>> record_times(1.0, 0.4)
    array([0. , 0.4, 0.8, 1. ])
    """
    whole = int(np.floor(duration / every * (1 + 1e-12)))
    times = every * np.arange(whole + 1)
    if duration - times[-1] > 1e-9 * every:
        return np.append(times, duration)
    times[-1] = duration
    return times


def _run(
    motion: Motion, start: Moment, times: np.ndarray, step: float, recorder: Recorder, progress: Progress | None
) -> Trajectory:
    """From record to record; whatever ends the run early, the last whole step is not lost."""
    take = STEPPERS[recorder.method]
    now = start
    try:
        recorder.keep(now)
        for begin, end in pairwise(times.tolist()):
            count = max(1, int(np.ceil((end - begin) / step * (1 - 1e-9))))
            for i in range(count):
                after = take(motion.robot.integrate, motion, now, (end - begin) / count)
                # t is counted, not summed up, so that it does not drift
                now = Moment(begin + (end - begin) * (i + 1) / count, after.q, after.v, after.inflow)
                if progress is not None:
                    progress(now.t, float(times[-1]))
            recorder.keep(now)
    except KeyboardInterrupt:
        return recorder.trajectory(last=now, interrupted=True)
    except SimulationError as stopped:
        if recorder.moments:
            stopped.trajectory = recorder.trajectory(last=now, interrupted=True)
        raise
    return recorder.trajectory(last=now, interrupted=False)
