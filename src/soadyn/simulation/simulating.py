"""A robot's motion from an initial state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from types import SimpleNamespace
from typing import Any

from numpy.typing import ArrayLike

from soadyn.progress import ProgressLike
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import ExternalLike
from soadyn.robot.parametric import ParametricRobot
from soadyn.simulation.derivatives.gradients import Derivatives
from soadyn.simulation.drive.actuation import Failures, Prescribed
from soadyn.simulation.drive.failure import SimulationError
from soadyn.simulation.drive.inputs import ControlLike, Wrenches
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.laws.acting import EffortLimit
from soadyn.simulation.laws.forces import JointForces, Laws
from soadyn.simulation.laws.limits import Stops
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run.events import Event
from soadyn.simulation.run.integrators import Adaptive, AnyMethod
from soadyn.simulation.run.posing import problem_of
from soadyn.simulation.run.problem import BadRows, Problem
from soadyn.simulation.run.running import run

__all__ = ["AnyMethod", "SimulationError", "simulate"]


def simulate(
    robot: Robot | ParametricRobot,
    q0: ArrayLike,
    v0: ArrayLike | None = None,
    *,
    duration: float,
    control: ControlLike = None,
    step: float = 0.002,
    method: AnyMethod | Adaptive = "auto",
    record_every: float | None = None,
    external: ExternalLike | TimeSeries | Wrenches | None = None,
    prescribed: Prescribed | None = None,
    failures: Failures = (),
    sampled: bool = False,
    delay: int = 0,
    joint_forces: bool | Laws | JointForces = True,
    stops: bool | Stops = True,
    effort_limit: EffortLimit = "robot",
    events: Event | Sequence[Event] = (),
    parameters: Mapping[str, ArrayLike] | None = None,
    bad_rows: BadRows = "raise",
    progress: ProgressLike = None,
) -> Trajectory:
    """The robot's motion for `duration` seconds from (q0, v0), with its limits, springs, damping and friction.

    q0, v0: the initial state or a batch of them, (..., nq) and (..., nv); v0 None is rest.
    duration: seconds.
    control: what the actuators do: a feedback of `sd.control`, joint forces (..., nv), `sd.TimeSeries` of them, or a
        function (t, q, v) -> (..., nv); None: nothing. A function is called at every evaluation of the equations of
        motion, four times per step of "rk4", and once for each record; the trajectory's `notes` tell what ran in
        Python.
    step: the largest step in seconds. Steps between two records are equal. With method "adaptive": the first trial
        step and, unless `record_every` is given, the time between records.
    method: "auto" is "rk4" where that follows the springs, dampers and stops that act at this step, "rosenbrock" where
        springs or dampers are too quick, and "implicit" where stops are; the robot, what acts in its joints and the
        step decide before the first step, once for all rows, and the trajectory's `method` tells. "rk4" (fourth order
        on the manifold); "rosenbrock" (second order, implicit in what acts in the joints); "implicit" (the same in
        first order, for stops of any stiffness); "semi-implicit" (first order, a quarter of the cost, and energy that
        drifts away over many steps where the mass matrix changes); "symplectic" (second order, for long times: energy
        stays within a band; six times the cost); "adaptive" or `sd.Adaptive(rtol, atol)` (fifth order, steps as long
        as these tolerances allow, one length for all rows of a batch). "diagonalized" is "rk4" in the total rates ξ,
        whose equations D ξ̇ + C_ξ = κ do not couple (000 Algorithm 8.1). "two-sweep" is "semi-implicit" with the links'
        velocities carried from step to step, two walks over the links in place of three (001 section VII.D).
        docs/guides/methods.md compares them.
    record_every: seconds between the states that are recorded; every step's if omitted. The last state always is.
    external: wrenches on the links as quantities take them, `sd.TimeSeries` of (..., links, 6), or a function (t, q, v)
        that returns them.
    prescribed: `sd.Prescribed(acceleration, passive=...)`: accelerations of the active joints, and which joints move by
        their torque instead.
    failures: (time, joint) pairs. From then on the joint has no actuator: it is passive and its torque zero.
    sampled: ask the functions `control` and `prescribed` once, at the beginning of a step, and hold the answer through
        it, as a digital controller does. A controller that jumps should be sampled: inside a step, jumps cost accuracy.
    delay: how many steps a sampled control comes late; until the first comes, the start's acts.
    joint_forces: let the model's springs, damping and friction act. Laws such as [sd.Spring("elbow", 30.0)] act beside
        the model's, an `sd.JointForces` in their place, False: none. A joint sticks while its load is smaller than its
        dry friction; `sd.JointForces(robot, own=True).smoothed(0.05)` smooths friction instead.
    stops: let position limits act as stops that give way; `sd.Stops(...)`: as these.
    effort_limit: the largest forces of the actuators: the "robot"'s own, numbers (nv,), or None: there are no bounds.
        Joints with prescribed accelerations pass both limits, with a warning. The trajectory's `acted` names the joints
        at which one acted.
    events: `sd.Event`s: moments at which a function of (t, q, v) changes its sign, which stop the motion, change its
        state or are noted.
    parameters: values of a parametric robot's constants by name, (..., *shape): the rows of a batch may differ.
    bad_rows: what a number that is not finite does in machine code: "raise", or "nan": that row is NaN from then on and
        the others go on. "nan" asks for machine code however few the steps are. Step by step it always raises.
    progress: True shows a bar on stderr where that is a terminal, "always" shows it anyway (in a notebook); a function
        is called as progress(t, duration) after every step.

    Robots with closures start closed and are led back onto them after every step; methods "rk4", which "auto" is there,
    "semi-implicit" and "adaptive" know them. `Trajectory.closure_error` tells how well (docs/guides/loops.md).

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

    >>> swing = simulate(arm, [0.0, 0.0], prescribed=sd.Prescribed([2.0, 0.0], passive=["joint2"]), duration=0.1,
    ...                  step=0.01, joint_forces=[sd.Spring("joint2", 50.0)])
    >>> swing.v[-1, 0].round(9).item(), swing.tau[-1, 1].item(), bool(abs(swing.energy_drift).max() < 1e-6)
    (0.2, 0.0, True)
    """
    problem = problem_of(SimpleNamespace(**locals()))
    done = run(problem, progress)
    return done if done.interrupted or problem.events else replace(done, derivatives=Derivatives(problem))


def posed_by(*given: Any, **options: Any) -> Problem:
    """The problem that `simulate` runs when it is called like this."""
    asked = signature(simulate).bind(*given, **options)
    asked.apply_defaults()
    return problem_of(SimpleNamespace(**asked.arguments))
