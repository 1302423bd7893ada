"""A robot's motion from an initial state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from soadyn.progress import Progress, ProgressLike, shown_progress
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import ExternalLike
from soadyn.robot.arguments.plain_values import flag, positive
from soadyn.robot.parametric import ParametricRobot
from soadyn.simulation.drive.actuation import AccelerationLike, Failures, PassiveSets
from soadyn.simulation.drive.failure import SimulationError
from soadyn.simulation.drive.feedback import check_fits
from soadyn.simulation.drive.inputs import TorqueLike, Wrenches, initial_state
from soadyn.simulation.drive.samples import Samples
from soadyn.simulation.drive.subject import subject_of
from soadyn.simulation.laws.acting import Limits, acting_on
from soadyn.simulation.laws.forces import JointForces, Laws
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run import adaptive, in_python, rollout, staged, stepwise
from soadyn.simulation.run.automatic import chosen
from soadyn.simulation.run.delays import check_delay, delayed
from soadyn.simulation.run.events import Event, checked_events
from soadyn.simulation.run.posing import AnyMethod, check_laws, check_method, checked_bad_rows, flows_of, posed
from soadyn.simulation.run.problem import ADAPTIVE, AsGiven, BadRows, Problem
from soadyn.simulation.run.step_length import with_advice
from soadyn.simulation.run.times import check_memory, checked_steps, record_times

__all__ = ["AnyMethod", "SimulationError", "simulate"]


def simulate(
    robot: Robot | ParametricRobot,
    q0: ArrayLike,
    v0: ArrayLike | None = None,
    torque: TorqueLike = None,
    duration: float = 5.0,
    *,
    step: float = 0.002,
    method: AnyMethod = "auto",
    record: float | None = None,
    external: ExternalLike | Samples | Wrenches | None = None,
    acceleration: AccelerationLike = None,
    passive: PassiveSets = None,
    failures: Failures = (),
    sampled: bool = False,
    delay: int = 0,
    joint_forces: bool | Laws | JointForces = True,
    friction_speed: float | None = None,
    limits: Limits = True,
    events: Event | Sequence[Event] = (),
    parameters: Mapping[str, ArrayLike] | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    bad_rows: BadRows = "raise",
    progress: ProgressLike = None,
) -> Trajectory:
    """The robot's motion for `duration` seconds from (q0, v0), with its limits, springs, damping and friction.

    q0, v0: the initial state or a batch of them, (..., nq) and (..., nv); v0 None is rest.
    torque: None, joint forces (..., nv), `sd.Samples`, or a function (t, q, v) -> (..., nv). Such a function is called
        at every evaluation of the equations of motion, four times per step of "rk4", and once for each record; the
        trajectory's `notes` tell what ran in Python.
    step: the longest step in seconds; steps are made equal so that they meet the times of the records. Of "adaptive" it
        is the first that is tried, and the time from one record to the next.
    method: "auto" is "rk4" where that follows the springs, dampers and stops that act at this step, "rosenbrock" where
        springs or dampers are too quick, and "implicit" where stops are; the robot, what acts in its joints and the
        step decide before the first step, once for all rows, and the trajectory's `method` tells. "rk4" (fourth order
        on the manifold); "rosenbrock" (second order, implicit in what acts in the joints); "implicit" (the same in
        first order, for stops of any stiffness); "semi-implicit" (first order, a quarter of the cost, and energy that
        drifts away over many steps where the mass matrix changes); "symplectic" (second order, for long times: energy
        stays within a band; six times the cost); "adaptive" (fifth order, steps as long as `rtol` and `atol` allow, one
        length for all rows of a batch). "diagonalized" is "rk4" in the total rates ξ, whose equations D ξ̇ + C_ξ = κ
        do not couple (000 Algorithm 8.1). "two-sweep" is "semi-implicit" with the links' velocities carried from step
        to step, two walks over the links in place of three (001 section VII.D). docs/guides/methods.md compares them.
    record: seconds between the states that are kept; every step's if omitted. The last state is always kept.
    external: wrenches on the links as quantities take them, `sd.Samples` of (..., links, 6), or a function (t, q, v)
        that returns them.
    acceleration: accelerations (..., nv), or a function (t, q, v, passive) -> (..., nv), which the active joints have
        whatever that takes (hybrid dynamics); the trajectory's `tau` tells. Passive joints' entries do not matter.
    passive: the joints that move by their torque while the others are accelerated: names, (name, component) pairs or
        booleans (..., nv); a schedule of such, {time: joints}, steps meeting the times; or a function of t that
        returns such, asked at the beginning of each step. None by default.
    failures: (time, joint) pairs. From then on the joint has no actuator: it is passive and its torque zero.
    sampled: ask the functions `torque` and `acceleration` once, at the beginning of a step, and hold the answer through
        it, as a digital controller does. A controller that jumps should be sampled: inside a step, jumps cost accuracy.
    delay: how many steps a sampled torque comes late; until the first comes, the start's acts.
    joint_forces: let the model's springs, damping and friction act. Laws such as [sd.Spring("elbow", 30.0)] act beside
        the model's, an `sd.JointForces` in their place, False: none.
    friction_speed: None: a joint sticks while its load is smaller than its dry friction F. A speed, in rad/s or m/s:
        friction is -F tanh(v / friction_speed) instead.
    limits: let position limits act as stops and effort limits as bounds of the torque; "position" or "effort": one of
        them; False: neither; `sd.Stops(...)`: both, with these stops. Joints with prescribed accelerations pass both,
        with a warning. The trajectory's `acted` names the joints at which one acted.
    events: `sd.Event`s: moments at which a function of (t, q, v) changes its sign, which stop the motion, change its
        state or are noted.
    parameters: values of a parametric robot's constants by name, (..., *shape): the rows of a batch may differ.
    rtol, atol: of "adaptive": an error of a step in v is at most atol + rtol |v|, in q atol + rtol (rad, m).
    bad_rows: what a number that is not finite does in machine code: "raise", or "nan": that row is NaN from then on and
        the others go on. "nan" asks for machine code however few the steps are. Step by step it always raises.
    progress: True shows a bar on stderr where that is a terminal, "always" shows it anyway (in a notebook); a function
        is called as progress(t, duration) after every step.

    Simulations of few steps go step by step in Python, see docs/guides/simulation.md; loops of many short ones are for
    `sd.Stepper`.

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
    subject = subject_of(robot, parameters)
    robot = subject.robot
    check_fits(torque, robot)
    check_method(method, acceleration)
    duration, step = positive("duration", duration, "simulate"), positive("step", step, "simulate")
    every = step if record is None else positive("record", record, "simulate")
    checked_steps(duration, step, "simulate")
    q, v = initial_state(robot, q0, v0, subject.rows, torque=torque, acceleration=acceleration)
    batch, flows = q.shape[:-1], flows_of(robot)
    # Of each record: q, v, tau, what flowed in, and the energies and momentum computed in the end.
    numbers = int(np.prod(batch)) * (robot.nq + 2 * robot.nv + 2 * flows + 1)
    check_memory(duration, every, numbers, "step" if record is None else "record")
    sampled = flag("sampled", sampled) or (isinstance(torque, Samples) and torque.hold)
    check_delay(delay, sampled, method, (acceleration, failures, events))
    with np.errstate(over="ignore", invalid="ignore"), shown_progress(progress) as tell:
        acting = acting_on(subject, q, step, joint_forces, friction_speed, limits)
        problem = posed(
            subject,
            acting,
            AsGiven(torque, external, acceleration, passive),
            (robot.integrate(q, np.zeros(robot.nv)), v),
            chosen(method, subject, acting, limits, step, prescribed=acceleration is not None),
            step,
            record_times(duration, every),
            failures,
            sampled,
            tolerances=(positive("rtol", rtol, "simulate"), positive("atol", atol, "simulate")),
            events=checked_events(events, batch),
            bad_rows=checked_bad_rows(bad_rows),
        )
        problem = delayed(problem, int(delay))
        try:
            run, notes = _way(problem)
            return run(replace(problem, notes=notes), tell)
        except SimulationError as stopped:
            raise with_advice(problem, stopped) from None


Run = Callable[[Problem, Progress | None], Trajectory]


def _way(problem: Problem) -> tuple[Run, tuple[str, ...]]:
    """Machine code for all steps, machine code between calls of Python functions, or Python step by step; and why.

    The reasons decide: they are the trajectory's notes, none where all of it is machine code.
    """
    check_laws(problem.method, problem.acting, problem.values)
    asking = in_python.functions(problem)
    if problem.method == ADAPTIVE:
        return adaptive.run, (in_python.ADAPTS, *asking)
    step_by_step = in_python.obstacles(problem) + in_python.watching(problem)
    if not rollout.suits(problem):
        step_by_step += in_python.short(problem)
    if step_by_step:
        return stepwise.run, step_by_step + asking
    return (staged.run, asking) if asking else (rollout.run, ())
