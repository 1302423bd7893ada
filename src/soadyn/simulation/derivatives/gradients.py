"""Derivatives of a simulation's last state, and gradients of weighted sums of its records, by machine code.

Backwards the states before every step are needed. They are kept if they fit into some memory; otherwise stretches of
steps are simulated once more, each from the state it began with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.model.coordinate_rates import coordinate_rates, coordinate_weights, joint_rates, joint_weights
from soadyn.simulation.derivatives.differentiated import GradientStep, TangentStep
from soadyn.simulation.drive.feedback import Feedback
from soadyn.simulation.drive.samples import Samples
from soadyn.simulation.run import rollout
from soadyn.simulation.run.machine import Machine
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.stretches import Stretch, stretches

MEMORY = 2**28  # bytes of states that are kept for the way back
STATE = {"q0": "q", "v0": "v"}


def checked(problem: Problem | None, what: str) -> Problem:
    """The problem, if its simulation can be differentiated."""
    if problem is None:
        raise ArgumentError(f"{what}: derivatives are of a whole simulation, as `simulate` returned it")
    if not rollout.possible(problem):
        raise ArgumentError(
            f"{what}: the simulation of {problem.robot.name!r} cannot be machine code, which derivatives are made of: "
            "torques must be constant, sd.Samples or a feedback of sd.control, joints untied, native code present"
        )
    if problem.waiting is not None:
        raise ArgumentError(f"{what}: simulations with a delay of the torque have no derivatives")
    return problem


def inputs_of(problem: Problem) -> dict[str, str]:
    """What a simulation can be differentiated by: as users call it, and as the step calls it."""
    source, found = problem.source, dict(STATE)
    if isinstance(source.torque, Feedback):
        found |= {name: f"reference {name}" for name in source.torque.references}
    elif source.torque is not None:
        found["torque"] = "tau"
    if source.external is not None:
        found["external"] = "wrenches"
    return found | {name: name for name in problem.values}


def jvp(problem: Problem, along: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """How the last q, as joint motion, and v change along directions of what the simulation started from."""
    names = inputs_of(problem)
    unknown = set(along) - set(names)
    if unknown:
        raise ArgumentError(f"jvp: there is no {sorted(unknown)[0]!r} here; directions are of {', '.join(names)}")
    machine = Machine(problem)
    step = TangentStep(machine, tuple(names[name] for name in along if name not in STATE))
    code = problem.engine.rollout(step.ports, (*machine.content(), "tangent", *along), step.record, machine.rows == 1)
    start, model = problem.start, problem.robot.model
    directions = {
        "d:q": coordinate_rates(model, start.q, _joint(problem, along, "q0")),
        "d:v": _joint(problem, along, "v0"),
    }
    state = [
        machine.spread(directions[port.name]) if port.name in directions else machine.spread(machine.first[port.name])
        for port in step.ports.state
    ]
    streams = {f"d:{names[name]}": x for name, x in along.items() if isinstance(x, Samples)}
    held = {port.name: along[_called(names, port.name[2:])] for port in step.ports.held if port.name[:2] == "d:"}
    fixed = {name: machine.flat(np.asarray(x, dtype=float), _core(problem, name[2:])) for name, x in held.items()}
    for stretch in stretches(problem, 10**9):
        machine.begin(stretch)
        more = [machine.stream(streams[port.name.partition("@")[0]], port.name, stretch)
                for port in step.ports.streamed if port.name[:2] == "d:"]  # fmt: skip
        arguments = [*state, *machine.held.values(), *fixed.values(), *machine.streams_of(stretch), *more]
        state, _ = code.ran(arguments, stretch.steps, stretch.steps)
    last = {port.name: x.reshape(*problem.batch, port.count) for port, x in zip(step.ports.state, state, strict=True)}
    return joint_rates(model, last["q"], last["d:q"]), last["d:v"]


def _called(names: Mapping[str, str], inside: str) -> str:
    return next(name for name, own in names.items() if own == inside)


def _joint(problem: Problem, along: Mapping[str, Any], name: str) -> np.ndarray:
    shape = (*problem.batch, problem.robot.nv)
    given = np.asarray(along.get(name, 0.0), dtype=float)
    try:
        return np.broadcast_to(given, shape)
    except ValueError:
        raise ShapeError(f"jvp: the direction of {name} has shape {given.shape}; expected {shape}") from None


def _core(problem: Problem, name: str) -> int:
    if name == "wrenches":
        return 2
    return len(problem.engine.parameters.get(name, (1,)))


def vjp(problem: Problem, weights: Sequence[Any]) -> dict[str, np.ndarray]:
    """The derivatives of a weighted sum of recorded q, as joint motion, and v by all that the simulation starts from.

    `weights` are of q and of v: (..., nv) of the last record, or (T, ..., nv) of all.
    """
    return _Backward(problem, weights).found()


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
        ends = [port.name for port in machine.ports.state]
        last_q = begins[-1][ends.index("q")]
        weights = {port.name: np.zeros((machine.rows, port.count)) for port in self.step.ports.state}
        model, record = problem.robot.model, len(self.w_q)
        weights["w:q"] += coordinate_weights(model, last_q, self.w_q[-1])
        weights["w:v"] += self.w_v[-1]
        streams: dict[str, list[np.ndarray]] = {port.name[2:]: [] for port in self.step.ports.emitted}
        for i in reversed(range(len(self.stretches))):
            records = kept[i] or self._states(self.stretches[i], begins[i])[1]
            emitted = self._back(self.stretches[i], begins[i], records, weights)
            for port, x in zip(self.step.ports.emitted, emitted, strict=True):
                streams[port.name[2:]].insert(0, x)
            if record > 1 and (self.stretches[i - 1].recorded if i else True):
                record -= 1
                q = begins[i][ends.index("q")]
                weights["w:q"] += coordinate_weights(model, q, self.w_q[record - 1])
                weights["w:v"] += self.w_v[record - 1]
        return self._named(weights, {name: np.concatenate(x, axis=1) for name, x in streams.items()})

    def _states(self, stretch: Stretch, begin: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The state after a stretch, and the states after every step of it, (rows, steps, n) each."""
        machine = self.machine
        machine.begin(stretch)
        arguments = [*begin, *machine.held.values(), *machine.streams_of(stretch)]
        return self.forward.ran(arguments, stretch.steps, 1)

    def _back(
        self, stretch: Stretch, begin: Sequence[np.ndarray], records: Sequence[np.ndarray], weights: dict[str, Any]
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
        weights.update((port.name, x) for port, x in zip(ports.state, after, strict=True))
        return [x[:, ::-1] for x in found[len(ports.state) :]]

    def _named(self, weights: Mapping[str, np.ndarray], streams: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Weights as users know them, with the batch axes of the simulation."""
        problem, batch = self.problem, self.problem.batch
        nq, nv = problem.robot.nq, problem.robot.nv
        start = problem.start.q.reshape(self.machine.rows, nq)
        found = {"q0": joint_weights(problem.robot.model, start, weights["w:q"]).reshape(*batch, nv)}
        found["v0"] = weights["w:v"].reshape(*batch, nv)
        samples = self.machine.samples()
        for name, own in self.names.items():
            if own in samples:
                found[name] = self._by_sample(samples[own], own, streams)
            elif name not in STATE:
                shape = next(port.shape for port in self.machine.ports.held if port.name == own)
                found[name] = weights[f"w:{own}"].reshape(*batch, *shape)
        return found

    def _by_sample(self, samples: Samples, own: str, streams: Mapping[str, np.ndarray]) -> np.ndarray:
        """Weights of sampled values, (S, ..., n), from those of the values at the moments of steps."""
        n = samples.values.shape[-1]
        total = np.zeros((len(samples.times), self.machine.rows, n))
        for name, x in streams.items():
            of, _, moment = name.partition("@")
            if of == own:
                times = np.concatenate([s.starts + float(moment) * s.h for s in self.stretches])
                for number, share in samples.shares(times):
                    np.add.at(total, number, share[:, None, None] * x.swapaxes(0, 1))
        core = (n // 6, 6) if own == "wrenches" else (n,)
        return total.reshape(len(samples.times), *self.problem.batch, *core)
