"""A simulation whose torque is a Python function: machine code from one call of the function to the next.

The state at which a step asks for its k-th torque follows from the torques before. A kernel for each such state
computes the step so far; the last one computes the step. So parts of a step are computed several times, which costs
less than a few calls of NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import final

import numpy as np

from soadyn.backends.ports import Port
from soadyn.backends.step import Step, StepPorts
from soadyn.model.steppers import Moment
from soadyn.simulation import stepwise
from soadyn.simulation.failure import ran_away
from soadyn.simulation.inputs import joint_result, torque_name
from soadyn.simulation.machine import Machine
from soadyn.simulation.problem import Problem
from soadyn.simulation.progress import Progress
from soadyn.simulation.recording import Recorder
from soadyn.simulation.stepping import Now
from soadyn.simulation.stretches import steps
from soadyn.simulation.trajectory import Trajectory

# When a step asks for a torque, as shares of it.
MOMENTS = {"rk4": (0.0, 0.5, 0.5, 1.0), "semi-implicit": (0.0,), "implicit": (0.0,), "rosenbrock": (0.0, 1.0)}


def possible(problem: Problem) -> bool:
    """Is the torque a function, all else fit for machine code, and the method one that is known here?"""
    return (
        problem.method in MOMENTS
        and callable(problem.source.torque)
        and problem.acting.sticking is None
        and not problem.actuation.prescribes
        and not callable(problem.source.external)
    )


@final
class _Stages:
    """The kernels of a step and the memory that they work on."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.moments = (0.0,) if problem.actuation.sampled else MOMENTS[problem.method]
        self.machine = machine = Machine(problem, asked=len(self.moments))
        engine, single = problem.engine, machine.rows == 1
        self.state = {port.name: machine.spread(machine.first[port.name]) for port in machine.ports.state}
        self.after = {name: np.empty_like(x) for name, x in self.state.items()}
        self.held = {name: np.array(x) for name, x in machine.held.items()}
        nq, nv = problem.robot.nq, problem.robot.nv
        self.asked_at = [(np.empty((machine.rows, nq)), np.empty((machine.rows, nv))) for _ in self.moments[1:]]
        unused = [np.empty((machine.rows, 1, port.count)) for port in machine.ports.results]
        whole = engine.rollout(machine.ports, machine.content(), machine.record, single)
        arrays = [*self.state.values(), *self.held.values(), *self.after.values(), *unused]
        self.step = whole.prepared(arrays)
        self.stages: list[Callable[[], None]] = []
        for k, (q, v) in enumerate(self.asked_at, start=1):
            ports = self._ports(k)
            code = engine.rollout(ports, (*machine.content(), "stage", k), partial(self._stage, k), single)
            self.stages.append(code.prepared([*self._arguments(ports), q[:, None], v[:, None]]))

    def _ports(self, k: int) -> StepPorts:
        """The arguments that the state of the k-th question depends on, and that state."""
        ports, nq, nv = self.machine.ports, self.problem.robot.nq, self.problem.robot.nv
        late = {f"tau#{i}" for i in range(k, self.machine.asked)}
        held = tuple(port for port in (*ports.state, *ports.held) if port.name not in late)
        return StepPorts((), held, emitted=(Port("q at", (nq,)), Port("v at", (nv,))))

    def _arguments(self, ports: StepPorts) -> list[np.ndarray]:
        return [self.state[port.name] if port.name in self.state else self.held[port.name] for port in ports.held]

    def _stage(self, k: int) -> Step:
        step = self.machine.record()
        ports = self._ports(k)
        _, q, v = self.machine.stages[k]
        inputs = {port: x for port, x in step.inputs.items() if port in ports.held}
        # What later torques decide is not known yet, nor whether it has an answer.
        known = {x.node for scalars in inputs.values() for x in scalars}
        step.graph.guards = [guard for guard in step.graph.guards if step.graph.leaves(guard.node) <= known]
        return Step(step.graph, ports, inputs, dict(zip(ports.emitted, (list(q), list(v)), strict=True)))

    def take(self, t: float, h: float) -> bool:
        """Take a step of h seconds, asking for torques on the way. False, and no step, if a number is not finite."""
        self.held["h"][0, 0] = h
        self.held["tau#0"][:] = self.torque(t, self.state["q"], self.state["v"])
        for k, (stage, (q, v)) in enumerate(zip(self.stages, self.asked_at, strict=True), start=1):
            stage()
            self.held[f"tau#{k}"][:] = self.torque(t + self.moments[k] * h, q, v)
        self.step()
        if not isfinite(self.after["v"].sum()):
            return False
        for name, x in self.state.items():
            x[:] = self.after[name]
        return True

    def torque(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The caller's torque at copies of the state, which the caller may keep, (rows, nv)."""
        batch = self.problem.batch
        q, v = (x.reshape(*batch, x.shape[-1]).copy() if batch else x[0].copy() for x in (q, v))
        q.flags.writeable = v.flags.writeable = False
        tau = self.problem.source.torque(t, q, v)
        if type(tau) is not np.ndarray or tau.dtype != np.float64 or tau.shape != v.shape:
            tau = joint_result(self.problem.robot, torque_name(self.problem.source.torque), t, tau, batch)
        return tau.reshape(self.machine.rows, v.shape[-1])

    def now(self, t: float) -> Now:
        batch = self.problem.batch
        at = {name: x.reshape(*batch, x.shape[-1]).copy() for name, x in self.state.items()}
        nothing = np.zeros((*batch, 0))
        moment = Moment(t, at["q"], at["v"], at["inflow"])
        return Now(moment, at.get("sliding", nothing), at.get("acted", nothing), at.get("waiting"))


def run(problem: Problem, tell: Progress | None) -> Trajectory:
    """Step from record to record; an interrupt or error keeps the last complete step."""
    stages, recorder = _Stages(problem), Recorder(problem)
    done = 0.0

    def walk() -> None:
        nonlocal done
        recorder.keep(stages.now(done))
        for t, h, after, due in steps(problem):
            if "working" in stages.held:
                stages.held["working"][:] = 1.0 - problem.actuation.sets(t).failed
            if not stages.take(t, h):
                _explain(problem, stages.now(t), h)
            done = after
            if tell is not None:
                tell(after, float(problem.times[-1]))
            if due:
                recorder.keep(stages.now(after))

    return recorder.kept_through(walk, lambda: stages.now(done))


def _explain(problem: Problem, before: Now, h: float) -> None:
    """Take the step that failed once more in Python, which names what is not finite."""
    moment, times = before.moment, np.array([before.moment.t, before.moment.t + h])
    stepwise.run(replace(problem, times=times, start=moment, waiting=before.waiting), None)
    raise ran_away(problem.robot, moment.t, moment.v)
