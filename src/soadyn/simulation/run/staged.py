"""A simulation that asks Python functions: machine code from one call of a function to the next.

The state at which a step asks for the k-th time follows from the answers before. A kernel for each such state computes
the step so far; the last one computes the step. So parts of a step are computed several times, which costs less than a
few calls of NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from math import isfinite
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.step import TRIALS, Step, StepPorts
from soadyn.progress import Progress
from soadyn.simulation.drive.actuation import Roles
from soadyn.simulation.drive.inputs import control_name, joint_result
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run import stepwise
from soadyn.simulation.run.in_python import asked
from soadyn.simulation.run.machine import AGAIN, Machine
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.recording import Recorder
from soadyn.simulation.run.stepping import Now
from soadyn.simulation.run.stretches import steps

# What is held from switch to switch, and may then differ from row to row.
ROLES = ("working", "passive", "acceleration")
# So many steps' samples are computed at once.
TOGETHER = 256


@final
class _Stages:
    """The kernels of a step and the memory that they work on."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.asked = asked(problem)
        self.machine = machine = Machine(problem, self.asked)
        often = max(self.asked.values(), default=1)
        self.moments = problem.integrator.stages if often > 1 else (0.0,)
        engine, single = problem.engine, machine.rows == 1
        self.state = {port.name: machine.spread(machine.first[port.name]) for port in machine.ports.state}
        self.after = {name: np.empty_like(x) for name, x in self.state.items()}
        self.held = {name: machine.spread(x) if name in ROLES else np.array(x) for name, x in machine.held.items()}
        self.answers = {(port.name, port.evaluation): x for port, x in machine.answers.items()}
        self.streams = {
            port: np.empty((len(machine.stream(machine.samples[port.name], port, np.zeros(1), 0.0)), 1, port.count))
            for port in machine.ports.streamed
        }
        nq, nv = problem.robot.nq, problem.robot.nv
        self.asked_at = [(np.empty((machine.rows, nq)), np.empty((machine.rows, nv))) for _ in self.moments[1:]]
        unused = [np.empty((machine.rows, 1, port.count)) for port in machine.ports.results]
        # Where the answers depend on it, every trial of a step asks anew, and says whether there must be another.
        self.again = unused[-1] if AGAIN in machine.ports.emitted else None
        whole = engine.rollout(machine.ports, machine.content(), machine.record, single)
        given = [*self.state.values(), *self.held.values(), *self.answers.values(), *self.streams.values()]
        self.step = whole.prepared([*given, *self.after.values(), *unused])
        self.stages: list[Callable[[], None]] = []
        for k, (q, v) in enumerate(self.asked_at, start=1):
            ports = self._ports(k)
            code = engine.rollout(ports, (*machine.content(), "stage", k), partial(self._stage, k), single)
            self.stages.append(code.prepared([*self._arguments(ports), q[:, None], v[:, None]]))

    def _ports(self, k: int) -> StepPorts:
        """The arguments that the state of the k-th question depends on, and that state."""
        ports, nq, nv = self.machine.ports, self.problem.robot.nq, self.problem.robot.nv
        held = tuple(port for port in ports.arguments if port.evaluation is None or port.evaluation < k)
        return StepPorts((), held, emitted=(Port("q at", (nq,)), Port("v at", (nv,))))

    def _arguments(self, ports: StepPorts) -> list[np.ndarray]:
        whole = self.machine.ports
        arrays = [*self.state.values(), *self.held.values(), *self.answers.values()]
        known = dict(zip((*whole.state, *whole.held), arrays, strict=True))
        known |= {port: x[:, 0] for port, x in self.streams.items()}
        return [known[port] for port in ports.held]

    def _stage(self, k: int) -> Step:
        step = self.machine.record()
        ports = self._ports(k)
        q, v = self.machine.stages[k]
        inputs = {port: x for port, x in step.inputs.items() if port in ports.held}
        # What later answers decide is not known yet, nor whether it has an answer.
        known = {x.node for scalars in inputs.values() for x in scalars}
        step.graph.guards = [guard for guard in step.graph.guards if step.graph.leaves(guard.node) <= known]
        return Step(step.graph, ports, inputs, dict(zip(ports.emitted, (list(q), list(v)), strict=True)))

    def streamed(self, times: np.ndarray, h: np.ndarray) -> Iterator[list[np.ndarray]]:
        """The samples of steps that begin at these times and take h seconds, step by step."""
        values = [self.machine.stream(self.machine.samples[port.name], port, times, h) for port in self.streams]
        return ([x[:, i : i + 1] for x in values] for i in range(len(times)))

    def take(self, t: float, h: float, samples: list[np.ndarray]) -> bool:
        """Take a step of h seconds, asking on the way. False, and no step, if a number is not finite."""
        roles = self._begin(t, h, samples)
        self._ask(0, t, roles, self.state["q"], self.state["v"])
        for _ in range(TRIALS):
            for k, (stage, (q, v)) in enumerate(zip(self.stages, self.asked_at, strict=True), start=1):
                stage()
                self._ask(k, t + self.moments[k] * h, roles, q, v)
            self.step()
            if self.again is None or not self.again.any():
                break
            np.copyto(self.state["sliding"], self.after["sliding"], where=self.again[:, 0] > 0)
        if not isfinite(self.after["v"].sum()):
            return False
        for name, x in self.state.items():
            x[:] = self.after[name]
        return True

    def _begin(self, t: float, h: float, samples: list[np.ndarray]) -> Roles | None:
        """Set what is held through a step; the joints' roles, if they may change."""
        self.held["h"][0, 0] = h
        for x, values in zip(self.streams.values(), samples, strict=True):
            x[:] = values
        if not self.problem.actuation.changes:
            return None
        roles = self.problem.actuation.sets(t)
        self.machine.set_roles(roles)
        for name in ROLES:
            if name in self.held:
                self.held[name][:] = self.machine.held[name]
        return roles

    def _ask(self, k: int, t: float, roles: Roles | None, q: np.ndarray, v: np.ndarray) -> None:
        """Ask all functions that answer at the k-th evaluation, at copies of the state, which they may keep."""
        batch = self.problem.batch
        q, v = (x.reshape(*batch, x.shape[-1]).copy() if batch else x[0].copy() for x in (q, v))
        q.flags.writeable = v.flags.writeable = False
        for name, times in self.asked.items():
            if k < times:
                held = self.answers[name, k]
                held[:] = self._answer(name, t, roles, q, v).reshape(held.shape)

    def _answer(self, name: str, t: float, roles: Roles | None, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        problem = self.problem
        if name == "wrenches":
            wrenches = problem.external(t, q, v)
            assert wrenches is not None
            return wrenches
        if name == "acceleration":
            assert roles is not None
            return problem.actuation.acceleration(t, q, v, roles)
        tau: Any = problem.source.control(t, q, v)
        if type(tau) is not np.ndarray or tau.dtype != np.float64 or tau.shape != v.shape:
            tau = joint_result(problem.robot, control_name(problem.source.control), t, tau, problem.batch)
        return tau if roles is None or not roles.failed.any() else np.where(roles.failed, 0.0, tau)

    def now(self, t: float) -> Now:
        batch = self.problem.batch
        return Now.of(t, {name: x.reshape(*batch, x.shape[-1]).copy() for name, x in self.state.items()})


def run(problem: Problem, tell: Progress | None) -> Trajectory:
    """Step from record to record; an interrupt or error keeps the last complete step."""
    stages, recorder = _Stages(problem), Recorder(problem)
    done = 0.0

    def walk() -> None:
        nonlocal done
        recorder.keep(stages.now(done))
        for (t, h, after, due), samples in _with_samples(stages, steps(problem)):
            if not stages.take(t, h, samples):
                stepwise.explain(problem, stages.now(t), np.array([t, t + h]))
            done = after
            if tell is not None:
                tell(after, float(problem.times[-1]))
            if due:
                recorder.keep(stages.now(after))

    return recorder.kept_through(walk, lambda: stages.now(done))


OneStep = tuple[float, float, float, bool]


def _with_samples(stages: _Stages, every: Iterator[OneStep]) -> Iterator[tuple[OneStep, list[np.ndarray]]]:
    """The steps, each with the samples that come with it."""
    while some := list(islice(every, TOGETHER)):
        times, h = np.array([step[:2] for step in some]).T
        yield from zip(some, stages.streamed(times, h), strict=True)
