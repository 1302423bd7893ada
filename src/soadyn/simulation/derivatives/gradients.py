"""Derivatives of a simulation's last state, and gradients of weighted sums of its records, by machine code.

Backwards the states before every step are needed. They are kept if they fit into some memory; otherwise stretches of
steps are simulated once more, each from the state it began with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.ports import Port
from soadyn.errors import ArgumentError, ShapeError
from soadyn.model.coordinate_rates import coordinate_rates, coordinate_weights, joint_rates, joint_weights
from soadyn.simulation.derivatives.differentiated import GradientStep, TangentStep, direction, weight
from soadyn.simulation.drive.feedback import Feedback, reference
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.run import rollout
from soadyn.simulation.run.machine import Machine, flattened
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.stretches import Stretch, stretches

MEMORY = 2**28  # bytes of states that are kept for the way back
STATE = {"q0": "q", "v0": "v"}


@final
@dataclass(frozen=True, eq=False, repr=False)
class Derivatives:
    """Those of the motion that a problem leads to."""

    problem: Problem

    def jvp(self, along: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """How the last q, as joint motion, and v change along directions of what the simulation started from."""
        return _forward(_checked(self.problem, "jvp"), along)

    def vjp(self, weights: Sequence[Any]) -> dict[str, np.ndarray]:
        """The derivatives of a weighted sum of recorded q, as joint motion, and v by all that it starts from.

        `weights` are of q and of v: (..., nv) of the last record, or (T, ..., nv) of all.
        """
        return _Backward(_checked(self.problem, "vjp"), weights).found()


def _checked(problem: Problem, what: str) -> Problem:
    """The problem, if its simulation can be differentiated."""
    if not rollout.possible(problem):
        raise ArgumentError(
            f"{what}: the simulation of {problem.robot.name!r} cannot be machine code, which derivatives are made of: "
            "the control must be constant, sd.TimeSeries or a feedback of sd.control, joints untied, native code there"
        )
    if problem.waiting is not None:
        raise ArgumentError(f"{what}: simulations with a delay of the control have no derivatives")
    return problem


def inputs_of(problem: Problem) -> dict[str, str]:
    """What a simulation can be differentiated by: as users call it, and as the step calls it."""
    source, found = problem.source, dict(STATE)
    if isinstance(source.control, Feedback):
        found |= {name: reference(name) for name in source.control.references}
    elif source.control is not None:
        found["control"] = "tau"
    if source.external is not None:
        found["external"] = "wrenches"
    return found | {name: name for name in problem.values}


def _forward(problem: Problem, along: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """A simulation with the rates of its states along directions."""
    names = inputs_of(problem)
    unknown = set(along) - set(names)
    if unknown:
        raise ArgumentError(f"jvp: there is no {sorted(unknown)[0]!r} here; directions are of {', '.join(names)}")
    machine = Machine(problem)
    step = TangentStep(machine, tuple(names[name] for name in along if name not in STATE))
    code = problem.engine.rollout(step.ports, (*machine.content(), "tangent", *along), step.record, machine.rows == 1)
    start, model = problem.start, problem.robot.model
    q, v = step.moving
    directions = {
        direction(q): coordinate_rates(model, start.q, _joint(problem, along, "q0")),
        direction(v): _joint(problem, along, "v0"),
    }
    state = [machine.spread(directions.get(port, machine.first[port.name])) for port in step.ports.state]
    called = {names[name]: x for name, x in along.items()}
    streams = {port.name: _direction(port, called[port.name]) for port in step.streamed}
    fixed = [machine.flat(np.asarray(called[port.name], dtype=float), len(port.shape)) for port in step.held]
    for stretch in stretches(problem, 10**9):
        machine.begin(stretch)
        more = [machine.stream(streams[port.name], port, stretch.starts, stretch.h) for port in step.streamed]
        arguments = [*state, *machine.held.values(), *fixed, *machine.streams_of(stretch), *more]
        state, _ = code.ran(arguments, stretch.steps, stretch.steps)
    last = {port: x.reshape(*problem.batch, port.count) for port, x in zip(step.ports.state, state, strict=True)}
    return joint_rates(model, last[q], last[direction(q)]), last[direction(v)]


def _direction(port: Port, x: Any) -> TimeSeries:
    """A direction of samples."""
    if not isinstance(x, TimeSeries):
        raise ArgumentError(f"jvp: the direction of what is given as sd.TimeSeries is sd.TimeSeries too, got {x!r:.80}")
    return flattened(x) if port.name == "wrenches" else x


def _joint(problem: Problem, along: Mapping[str, Any], name: str) -> np.ndarray:
    shape = (*problem.batch, problem.robot.nv)
    given = np.asarray(along.get(name, 0.0), dtype=float)
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise ShapeError(f"jvp: the direction of {name} has shape {given.shape}; expected {shape}") from None


@final
class _Backward:
    """A simulation forwards, and the way back."""

    def __init__(self, problem: Problem, weights: Sequence[Any]) -> None:
        self.problem, self.machine = problem, Machine(problem)
        self.names = inputs_of(problem)
        self.by = tuple(own for name, own in self.names.items() if name not in STATE)
        self.step = GradientStep(self.machine, self.by)
        single = self.machine.rows == 1
        content = self.machine.content()
        engine = problem.engine
        self.forward = engine.rollout(self.machine.ports, content, self.machine.record, single)
        self.backward = engine.rollout(self.step.ports, (*content, "gradient"), self.step.record, single)
        self.w_q, self.w_v = (self._weights(x, name) for x, name in zip(weights, ("q", "v"), strict=True))
        every = self.w_q.shape[0] > 1
        bytes_of_a_step = 8 * self.machine.rows * sum(port.count for port in self.machine.ports.state)
        longest = max(1, MEMORY // max(bytes_of_a_step, 1))
        self.stretches = list(stretches(problem, 1 if every else longest))

    def _weights(self, x: Any, name: str) -> np.ndarray:
        """Weights as (T, rows, nv); of the last record alone, as one."""
        nv, batch, many = self.problem.robot.nv, self.problem.batch, len(self.problem.times)
        array = np.asarray(x, dtype=float)
        for records, shape in ((1, (*batch, nv)), (many, (many, *batch, nv))):
            if array.shape == shape or (array.ndim <= 1 and shape == (*batch, nv) and array.shape in ((), (nv,))):
                return np.broadcast_to(array, shape).reshape(records, self.machine.rows, nv)
        raise ShapeError(
            f"vjp: the weights of {name} have shape {array.shape}; expected {(*batch, nv)} for the last record or "
            f"{(many, *batch, nv)} for all"
        )

    def found(self) -> dict[str, np.ndarray]:
        """Forwards, then backwards."""
        machine, problem = self.machine, self.problem
        begins = [[machine.spread(machine.first[port.name]) for port in machine.ports.state]]
        kept: list[list[np.ndarray] | None] = []
        for i, stretch in enumerate(self.stretches):
            last, records = self._states(stretch, begins[i])
            begins.append(last)
            kept.append(records if len(self.stretches) == 1 else None)
        q, v = self.step.moving
        at_q = machine.ports.state.index(q)
        weights = {port: np.zeros((machine.rows, port.count)) for port in self.step.ports.state}

        def weigh(record: int, state: Sequence[np.ndarray]) -> None:
            weights[weight(q)] += coordinate_weights(problem.robot.model, state[at_q], self.w_q[record])
            weights[weight(v)] += self.w_v[record]

        record = len(self.w_q)
        weigh(record - 1, begins[-1])
        streams: dict[Port, list[np.ndarray]] = {port: [] for port in self.step.streamed}
        for i in reversed(range(len(self.stretches))):
            records = kept[i] or self._states(self.stretches[i], begins[i])[1]
            emitted = self._back(self.stretches[i], begins[i], records, weights)
            for port, x in zip(self.step.streamed, emitted, strict=True):
                streams[port].insert(0, x)
            if record > 1 and (self.stretches[i - 1].recorded if i else True):
                record -= 1
                weigh(record - 1, begins[i])
        return self._named(weights, {port: np.concatenate(x, axis=1) for port, x in streams.items()})

    def _states(self, stretch: Stretch, begin: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The state after a stretch, and the states after every step of it, (rows, steps, n) each."""
        machine = self.machine
        machine.begin(stretch)
        arguments = [*begin, *machine.held.values(), *machine.streams_of(stretch)]
        return self.forward.ran(arguments, stretch.steps, 1)

    def _back(
        self, stretch: Stretch, begin: Sequence[np.ndarray], records: Sequence[np.ndarray], weights: dict[Port, Any]
    ) -> list[np.ndarray]:
        """Take the weights from the end of a stretch to its begin; the weights of what is streamed, in their order."""
        machine, ports = self.machine, self.step.ports
        machine.begin(stretch)
        states = []
        for port, first, later in zip(machine.ports.state, begin, records, strict=True):
            if port in self.step.known:
                # The direction of sliding is that of the step itself, which its own record holds.
                x = later if port.name == "sliding" else np.concatenate([first[:, None], later[:, :-1]], axis=1)
                states.append(np.ascontiguousarray(x[:, ::-1]))
        streams = [np.ascontiguousarray(x[:, ::-1]) for x in machine.streams_of(stretch)]
        arguments = [*weights.values(), *machine.held.values(), *states, *streams]
        after, found = self.backward.ran(arguments, stretch.steps, 1)
        weights.update(zip(ports.state, after, strict=True))
        return [x[:, ::-1] for x in found[len(ports.state) :]]

    def _named(self, weights: Mapping[Port, np.ndarray], streams: Mapping[Port, np.ndarray]) -> dict[str, np.ndarray]:
        """Weights as users know them, with the batch axes of the simulation."""
        problem, batch = self.problem, self.problem.batch
        nq, nv = problem.robot.nq, problem.robot.nv
        start = problem.start.q.reshape(self.machine.rows, nq)
        q, v = self.step.moving
        found = {"q0": joint_weights(problem.robot.model, start, weights[weight(q)]).reshape(*batch, nv)}
        found["v0"] = weights[weight(v)].reshape(*batch, nv)
        held = {port.name: port for port in self.step.held}
        for name, own in self.names.items():
            if own in held:
                found[name] = weights[weight(held[own])].reshape(*batch, *held[own].shape)
            elif own in self.machine.samples:
                found[name] = self._by_sample(self.machine.samples[own], own, streams)
        return found

    def _by_sample(self, samples: TimeSeries, own: str, streams: Mapping[Port, np.ndarray]) -> np.ndarray:
        """Weights of sampled values, (S, ..., n), from those of the values at the moments of steps."""
        n = samples.values.shape[-1]
        total = np.zeros((len(samples.times), self.machine.rows, n))
        for port, x in streams.items():
            if port.name == own and port.moment is not None:
                times = np.concatenate([s.starts + port.moment * s.h for s in self.stretches])
                for number, share in samples.shares(times):
                    np.add.at(total, number, share[:, None, None] * x.swapaxes(0, 1))
        core = (n // 6, 6) if own == "wrenches" else (n,)
        return total.reshape(len(samples.times), *self.problem.batch, *core)
