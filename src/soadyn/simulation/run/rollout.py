"""A simulation by machine code: the recorded step repeated in a loop, from record to record.

What is given from outside must be known beforehand, or be a feedback that can be recorded; `in_python` tells what else
cannot be machine code. Simulations of few steps of all rows together go step by step as well: they would wait for the
compiler longer than they take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from soadyn.progress import Progress
from soadyn.simulation.drive.failure import SimulationError
from soadyn.simulation.drive.feedback import Feedback
from soadyn.simulation.drive.time_series import TimeSeries, along_time
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run import stepwise
from soadyn.simulation.run.equations import Given
from soadyn.simulation.run.in_python import functions, obstacles
from soadyn.simulation.run.machine import Machine
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.recording import actuator_force, assembled
from soadyn.simulation.run.stepping import Now
from soadyn.simulation.run.stretches import Stretch, stretches

# Operations of all rows that one call does before Python looks for an interrupt: about a tenth of a second.
WORK_OF_A_CALL = 500_000_000
# Simulations with fewer steps, of all rows together and for each operation of a step, are not worth the compiler.
STEPS_PER_OPERATION = 1 / 20
FEWEST_STEPS = 200


def suits(problem: Problem) -> bool:
    """Does the simulation take steps enough to wait for the compiler, or is that asked for?"""
    # Where bad rows are NaN, as in a study, a row must not depend on its company: machine code alone grants that.
    asked = problem.engine.backend == "straight" or problem.bad_rows == "nan"
    steps = max(1, int(np.prod(problem.batch))) * problem.times[-1] / problem.step
    enough = steps >= max(FEWEST_STEPS, STEPS_PER_OPERATION * problem.integrator.operations * problem.robot.nv)
    return asked or enough


def possible(problem: Problem) -> bool:
    """Can all of the simulation be machine code?"""
    return not obstacles(problem) and not functions(problem)


def run(problem: Problem, tell: Progress | None) -> Trajectory:
    """The simulation by machine code; an interrupt keeps what is done."""
    found = _Run(problem)
    interrupted = False
    try:
        for stretch in stretches(problem, found.longest):
            found.advance(stretch)
            if tell is not None:
                tell(stretch.end, float(problem.times[-1]))
    except KeyboardInterrupt:
        interrupted = True
    return found.trajectory(interrupted)


@final
class _Run:
    """A simulation under way: the last states and the records so far."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.machine = machine = Machine(problem)
        self.rollout = problem.engine.rollout(machine.ports, machine.content(), machine.record, machine.rows == 1)
        rows, state = machine.rows, machine.ports.state
        self.longest = max(1, int(WORK_OF_A_CALL / max(rows * self.rollout.work, 1)))
        self.state = [machine.spread(machine.first[port.name]) for port in state]
        self.kept = [np.empty((rows, len(problem.times), port.count)) for port in state]
        for array, first in zip(self.kept, self.state, strict=True):
            array[:, 0] = first
        self.done = 1

    def advance(self, stretch: Stretch) -> None:
        """Take the steps of a stretch; raises as the simulation step by step does if a number is not finite."""
        machine, rows = self.machine, self.machine.rows
        machine.begin(stretch)
        streams = machine.streams_of(stretch)
        after = [np.empty_like(x) for x in self.state]
        records = [array[:, self.done : self.done + stretch.intervals] for array in self.kept]
        if not stretch.recorded:
            records = [np.empty((rows, 1, port.count)) for port in machine.ports.state]
        arrays = [*self.state, *machine.held.values(), *streams, *after, *records]
        self.rollout.advance(arrays, stretch.steps, stretch.count)
        if self.problem.bad_rows == "raise" and not all(np.isfinite(x).all() for x in after):
            self._explain(stretch, records)
        self.state = after
        self.done += stretch.intervals if stretch.recorded else 0

    def _explain(self, stretch: Stretch, records: Sequence[np.ndarray]) -> None:
        """Go from the last good record step by step, until a number is not finite; that names the cause."""
        finite = np.logical_and.reduce([np.isfinite(x).all(axis=(0, 2)) for x in records])
        good = int(np.argmin(finite))
        state = self.state if good == 0 else [x[:, good - 1] for x in records]
        times = np.linspace(stretch.begin, stretch.end, stretch.intervals + 1)[good:]
        if stretch.recorded:
            self.done += good
        ports, batch = self.machine.ports.state, self.problem.batch
        named = {port.name: x.reshape(*batch, port.count) for port, x in zip(ports, state, strict=True)}
        try:
            stepwise.explain(self.problem, Now.of(float(times[0]), named), times)
        except SimulationError as stopped:
            stopped.trajectory = self.trajectory(interrupted=True)
            raise

    def trajectory(self, interrupted: bool) -> Trajectory:
        """What was recorded."""
        problem, batch = self.problem, self.problem.batch
        t = problem.times[: self.done]
        records = {
            port.name: np.ascontiguousarray(x[:, : self.done].swapaxes(0, 1)).reshape(self.done, *batch, port.count)
            for port, x in zip(self.machine.ports.state, self.kept, strict=True)
        }
        acted = records.get("acted", np.zeros((1, *batch, 0)))[-1]
        q, v = records["q"], records["v"]
        tau, passive = self._tau_and_passive(t, q, v, records.get("waiting"))
        return assembled(problem, interrupted, acted, t, q, v, records["inflow"], tau, passive)

    def _tau_and_passive(
        self, t: np.ndarray, q: np.ndarray, v: np.ndarray, waiting: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The actuators' forces at the records, and which components were passive where that changes."""
        problem = self.problem
        equations = problem.equations()
        torque = problem.source.control
        if not problem.actuation.changes:
            if waiting is not None:
                asked = waiting[..., : v.shape[-1]]
            elif isinstance(torque, Feedback):
                asked = torque.over_time(t, q, v)
            else:
                asked = along_time(torque(t), v.ndim) if isinstance(torque, TimeSeries) else torque
                asked = np.zeros(v.shape[-1]) if asked is None else np.asarray(asked, dtype=float)
            given = Given(t, np.broadcast_to(asked, v.shape))
            return actuator_force(equations, given, q, v).copy(), None
        tau, passive = np.empty_like(v), np.empty(v.shape, dtype=bool)
        for i, time in enumerate(t.tolist()):
            roles = problem.actuation.roles(time, q[i], v[i])
            tau[i] = actuator_force(equations, problem.given(roles, time, q[i], v[i]), q[i], v[i])
            passive[i] = roles.passive
        return tau, passive
