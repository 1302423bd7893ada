"""Records the states of a simulation and makes a trajectory of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from soadyn.errors import errstate, warn_caller
from soadyn.robot.labels import coordinate_names, rate_names
from soadyn.simulation.drive.actuation import Roles
from soadyn.simulation.drive.failure import SimulationError, check_state
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run.equations import Equations, Given, free_roots
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.stepping import Now


@final
class Recorder:
    """Collects moments with the actuators' forces and the joints' roles at each."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.equations = problem.equations()
        self.records: list[tuple[Now, np.ndarray, Roles]] = []

    def keep(self, now: Now) -> None:
        # One append for all of a record; an interrupt cannot leave half of it.
        t, q, v = now.moment.t, now.moment.q, now.moment.v
        check_state(self.problem.robot, t, q, v)
        actuation = self.problem.actuation
        roles = actuation.roles(t, q, v)
        # What a prescribed acceleration takes depends on all that acts; otherwise torques are all there is to ask for.
        given = (self.problem.given if actuation.prescribes else self._torque_alone)(roles, t, q, v)
        if now.waiting is not None:
            given = replace(given, tau=now.waiting[..., : v.shape[-1]])
        self.records.append((now, actuator_force(self.equations, given, q, v), roles))

    def _torque_alone(self, roles: Roles, t: float, q: np.ndarray, v: np.ndarray) -> Given:
        return Given(t, self.problem.actuation.torque(t, q, v, roles))

    def kept_through(
        self, walk: Callable[[], object], last: Callable[[], Now], events: Sequence[tuple[float, str]] = ()
    ) -> Trajectory:
        """The trajectory of a walk through the steps; after an interrupt or error, what was done until then.

        `last` is the state after the last complete step, `events` those that the walk finds.
        """
        try:
            walk()
        except KeyboardInterrupt:
            return self.trajectory(last(), interrupted=True)
        except SimulationError as stopped:
            if self.records:
                stopped.trajectory = self.trajectory(last(), interrupted=True)
            raise
        return self.trajectory(last(), interrupted=False, events=events)

    def trajectory(self, last: Now, interrupted: bool, events: Sequence[tuple[float, str]] = ()) -> Trajectory:
        """All records; after an interrupt also the last complete step, with the torque of the record before it."""
        records = self.records
        moment = last.moment
        if not records:
            records = [(last, np.zeros_like(moment.v), Roles(*np.zeros((2, *moment.v.shape), dtype=bool)))]
        elif moment.t > records[-1][0].moment.t and np.isfinite(moment.q).all() and np.isfinite(moment.v).all():
            records = [*records, (last, *records[-1][1:])]
        moments = [now.moment for now, *_ in records]
        t, q, v, inflow = (np.array([getattr(m, name) for m in moments]) for name in ("t", "q", "v", "inflow"))
        passive = None
        if self.problem.actuation.changes:
            passive = np.array([np.broadcast_to(roles.passive, v.shape[1:]) for *_, roles in records])
        tau = np.array([tau for _, tau, _ in records])
        return assembled(self.problem, interrupted, last.acted, t, q, v, inflow, tau, passive, tuple(events))


def actuator_force(equations: Equations, given: Any, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The actuators' forces: the caller's within their bounds, or what the prescribed acceleration takes."""
    if given.acceleration is not None:
        return np.asarray(equations.evaluated(given, q, v).tau)
    effort = equations.acting.effort
    return np.asarray(given.tau if effort is None else effort.clipped(given.tau))


def assembled(
    problem: Problem,
    interrupted: bool,
    acted: np.ndarray,
    t: np.ndarray,
    q: np.ndarray,
    v: np.ndarray,
    inflow: np.ndarray,
    tau: np.ndarray,
    passive: np.ndarray | None,
    events: tuple[tuple[float, str], ...] = (),
) -> Trajectory:
    """The trajectory of recorded states. Energies of a motion that ran away may overflow; they come out NaN."""
    robot = problem.robot
    quantities = problem.quantities
    if passive is not None and problem.actuation.prescribes:
        _warn_of_limits(problem, q, tau, passive)
    free = bool(free_roots(robot))
    with errstate("ignore"):
        return Trajectory(
            robot_name=robot.name,
            q_names=coordinate_names(robot),
            v_names=rate_names(robot),
            method=problem.method,
            step=problem.step,
            interrupted=interrupted,
            t=t,
            q=q,
            v=v,
            tau=tau,
            kinetic=quantities.kinetic_energy(q, v),
            potential=quantities.potential_energy(q) + problem.acting.potential_energy(q),
            work=inflow[..., 0],
            momentum=quantities.momentum(q, v) if free else None,
            impulse=inflow[..., 1:] if free else None,
            robot=None if problem.values else robot,
            passive=passive,
            acted=_named(problem, acted),
            events=events,
            notes=problem.notes,
        )


def _warn_of_limits(problem: Problem, q: np.ndarray, tau: np.ndarray, passive: np.ndarray) -> None:
    """Joints with prescribed accelerations pass their limits; say which did."""
    names, effort = rate_names(problem.robot), problem.acting.effort
    beyond = np.zeros(passive.shape, dtype=bool)
    if effort is not None:
        beyond[..., effort.v] = np.abs(tau[..., effort.v]) > effort.bound
    for stop in problem.acting.stops:
        beyond[..., stop.v] |= stop.pressed(q[..., stop.q]) > 0
    found = (beyond & ~passive).any(axis=tuple(range(beyond.ndim - 1)))
    if found.any():
        joints = ", ".join(repr(names[i]) for i in np.flatnonzero(found)[:6])
        warn_caller(
            f"simulate: prescribed accelerations took joints of {problem.robot.name!r} beyond their limits: {joints}",
            RuntimeWarning,
        )


def _named(problem: Problem, acted: np.ndarray) -> dict[str, tuple[str, ...]]:
    """The joints in which limits and sticking friction acted, in any row, by what it was."""
    names = rate_names(problem.robot)
    found: dict[str, list[str]] = {}
    for number, (what, component) in enumerate(problem.equations().acts()):
        if acted[..., number].any() and names[component] not in found.setdefault(what, []):
            found[what].append(names[component])
    return {what: tuple(joints) for what, joints in found.items() if joints}
