"""A robot's motion from an initial state."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, unknown_name
from soadyn.evaluation.arguments import ExternalLike
from soadyn.model.steppers import STEPPERS, Method, Moment, Stepper, rk4
from soadyn.robot import Robot
from soadyn.simulation.actuation import AccelerationLike, Failures, PassiveSets, actuation_of, same_time
from soadyn.simulation.equations import Motion
from soadyn.simulation.failure import SimulationError
from soadyn.simulation.forces import JointForces, Laws
from soadyn.simulation.inputs import (
    TorqueLike,
    Wrenches,
    checked_robot,
    external_of,
    initial_state,
    positive,
    torque_of,
)
from soadyn.simulation.progress import Progress, ProgressLike, shown_progress
from soadyn.simulation.recording import Recorder
from soadyn.simulation.times import check_memory, checked_steps, record_times
from soadyn.simulation.trajectory import Trajectory
from soadyn.simulation.two_sweeps import TwoSweeps

OF_JOINT_FORCES = ("diagonalized", "two-sweep")  # methods that do not know hybrid dynamics

__all__ = ["SimulationError", "simulate"]


def simulate(
    robot: Robot,
    q0: ArrayLike,
    v0: ArrayLike | None = None,
    torque: TorqueLike = None,
    duration: float = 5.0,
    *,
    step: float = 0.002,
    method: Method | Literal["diagonalized", "two-sweep"] = "rk4",
    record: float | None = None,
    external: ExternalLike | Wrenches | None = None,
    acceleration: AccelerationLike = None,
    passive: PassiveSets = None,
    failures: Failures = (),
    sampled: bool = False,
    joint_forces: bool | Laws | JointForces = True,
    friction_speed: float = 0.05,
    progress: ProgressLike = None,
) -> Trajectory:
    """The robot's motion for `duration` seconds from (q0, v0); position limits do not act.

    q0, v0: the initial state or a batch of them, (..., nq) and (..., nv); v0 None is rest.
    torque: None, joint forces (..., nv), or a function (t, q, v) -> (..., nv). Such a function is called at every
        evaluation of the equations of motion, four times per step of "rk4", and once for each record.
    step: the longest step in seconds; steps are made equal so that they meet the times of the records.
    method: "rk4" (fourth order on the manifold) or "semi-implicit" (first order, a quarter of the cost, and energy that
        drifts away over many steps where the mass matrix changes). "diagonalized" is "rk4" in the total rates ξ, whose
        equations D ξ̇ + C_ξ = κ do not couple (000 Algorithm 8.1). "two-sweep" is "semi-implicit" with the links'
        velocities carried from step to step, two walks over the links in place of three (001 section VII.D).
    record: seconds between the states that are kept; every step's if omitted. The last state is always kept.
    external: wrenches on the links as quantities take them, or a function (t, q, v) that returns them.
    acceleration: accelerations (..., nv), or a function (t, q, v, passive) -> (..., nv), which the active joints have
        whatever that takes (hybrid dynamics); the trajectory's `tau` tells. Passive joints' entries do not matter.
    passive: the joints that move by their torque while the others are accelerated: names, (name, component) pairs or
        booleans (..., nv); a schedule of such, {time: joints}, steps meeting the times; or a function of t that
        returns such, asked at the beginning of each step. None by default.
    failures: (time, joint) pairs. From then on the joint has no actuator: it is passive and its torque zero.
    sampled: ask the functions `torque` and `acceleration` once, at the beginning of a step, and hold the answer through
        it, as a digital controller does. A controller that jumps should be sampled: inside a step, jumps cost accuracy.
    joint_forces: let the model's springs, damping and friction act, dry friction F as -F tanh(v / friction_speed). Laws
        such as [sd.Spring("elbow", 30.0)] act beside the model's, an `sd.JointForces` in their place, False: none.
    friction_speed: below this speed, in rad/s or m/s, the model's dry friction fades; a small one needs short steps.
    progress: True shows a bar on stderr where that is a terminal, "always" shows it anyway (in a notebook); a function
        is called as progress(t, duration) after every step.

    Ctrl-C ends the simulation and returns what was done until then, with `interrupted` set. A number that is not
    finite raises `SimulationError`, which says when and at which joint, and holds what was done as `trajectory`.

    >>> import soadyn as sd
    >>> from soadyn.simulation import simulate
    >>> arm = sd.load("planar_two_link")
    >>> fall = simulate(arm, [0.3, 0.0], duration=0.1, step=0.01)
    >>> fall.q.shape, bool(abs(fall.energy_drift).max() < 1e-6)
    ((11, 2), True)

    The first joint accelerates as told, the second is free to swing on a spring:

    >>> swing = simulate(arm, [0.0, 0.0], acceleration=[2.0, 0.0], passive=["joint2"], duration=0.1, step=0.01,
    ...                  joint_forces=[sd.Spring("joint2", 50.0)])
    >>> swing.v[-1, 0].round(9).item(), swing.tau[-1, 1].item(), bool(abs(swing.energy_drift).max() < 1e-6)
    (0.2, 0.0, True)
    """
    checked_robot(robot, "simulate")
    methods = (*STEPPERS, *OF_JOINT_FORCES)
    if not isinstance(method, str) or method not in methods:
        raise unknown_name("method of simulate", method, methods)
    if method in OF_JOINT_FORCES and acceleration is not None:
        raise ArgumentError(f'simulate: method "{method}" takes joint forces; prescribed accelerations need "rk4"')
    duration, step = positive("duration", duration, "simulate"), positive("step", step, "simulate")
    every = step if record is None else positive("record", record, "simulate")
    checked_steps(duration, step, "simulate")
    friction_speed = positive("friction_speed", friction_speed, "simulate")
    q, v = initial_state(robot, q0, v0, torque=torque, acceleration=acceleration)
    batch = q.shape[:-1]
    motion = Motion(
        robot,
        actuation_of(robot, torque_of(robot, torque, batch), acceleration, passive, failures, sampled, batch),
        external_of(robot, external, batch),
        _joint_forces(robot, joint_forces, friction_speed),
        total=method == "diagonalized",
    )
    # Of each record: q, v, tau, what flowed in, and the energies and momentum computed in the end.
    numbers = int(np.prod(batch)) * (robot.nq + 2 * robot.nv + 2 * motion.flows + 1)
    check_memory(duration, every, numbers, "step" if record is None else "record")
    recorder = Recorder(motion, method, step)
    with np.errstate(over="ignore", invalid="ignore"), shown_progress(progress) as tell:
        start = Moment(0.0, robot.integrate(q, np.zeros(robot.nv)), v, np.zeros((*batch, motion.flows)))
        return _run(motion, start, record_times(duration, every), step, recorder, tell)


def _joint_forces(robot: Robot, wanted: bool | Laws | JointForces, friction_speed: float) -> JointForces | None:
    if isinstance(wanted, JointForces):
        if wanted.robot != robot:
            raise ArgumentError(
                f"simulate: joint_forces were made for robot {wanted.robot.name!r}, which is not this {robot.name!r}"
            )
        return wanted
    laws = () if isinstance(wanted, bool) else wanted
    return None if wanted is False else JointForces(robot, laws, own=True, friction_speed=friction_speed)


def _stepper(motion: Motion, method: str) -> Stepper:
    if method == "two-sweep":
        both = TwoSweeps(motion.robot)
        motion.solver = both.solve
        return both.take
    if method != "diagonalized":
        return STEPPERS[method]
    return partial(rk4, into=motion.quantities.total_rates, back=motion.quantities.rates_from_total)


def _run(
    motion: Motion, start: Moment, times: np.ndarray, step: float, recorder: Recorder, tell: Progress | None
) -> Trajectory:
    """Step from record to record; an interrupt or error keeps the last complete step."""
    take = _stepper(motion, recorder.method)
    records = set(times.tolist())
    switches = [t for t in motion.actuation.switches if t < times[-1] and not same_time(times, t).any()]
    stops = sorted([*records, *switches])
    now = start
    try:
        recorder.keep(now)
        for begin, end in pairwise(stops):
            count = max(1, int(np.ceil((end - begin) / step * (1 - 1e-9))))
            for i in range(count):
                rates = partial(motion.rates, roles=motion.actuation.roles(now.t, now.q, now.v))
                after = take(motion.robot.integrate, rates, now, (end - begin) / count)
                # t comes from the step's number; a sum would drift
                t = end if i + 1 == count else begin + (end - begin) * (i + 1) / count
                now = Moment(t, after.q, after.v, after.inflow)
                if tell is not None:
                    tell(now.t, float(times[-1]))
            if end in records:
                recorder.keep(now)
    except KeyboardInterrupt:
        return recorder.trajectory(last=now, interrupted=True)
    except SimulationError as stopped:
        if recorder.moments:
            stopped.trajectory = recorder.trajectory(last=now, interrupted=True)
        raise
    return recorder.trajectory(last=now, interrupted=False)
