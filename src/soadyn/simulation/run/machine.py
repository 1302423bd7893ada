"""A simulation's step, equations and stepper, on recorded scalars; and the arrays that its machine code works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.simulation.drive.actuation import Roles
from soadyn.simulation.drive.dynamics import RecordedDynamics
from soadyn.simulation.drive.feedback import Feedback, reference
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.run.equations import Given
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.stepping import Now, start, trial
from soadyn.simulation.run.stretches import Stretch

AGAIN = Port("again", (1,))
NOTHING_ASKED: Mapping[str, int] = MappingProxyType({})
# What differs from evaluation to evaluation, by name and by moment, or by the number of the evaluation.
Timed = dict[str, dict[float, Array]]


def flattened(external: TimeSeries) -> TimeSeries:
    """Wrenches (S, ..., links, 6) as vectors (S, ..., 6 links)."""
    return TimeSeries(external.times, external.values.reshape(*external.values.shape[:-2], -1), hold=external.hold)


@final
class Machine:
    """The recorded step of a problem: its ports, the recording, and the arrays of a run.

    `asked` is how often a step asks Python functions for "tau", "wrenches" and "acceleration"; their answers are held,
    one for each evaluation of the equations. What is asked more than once depends on the trial of the step: then the
    step is a single trial, and says in "again" whether there must be another.
    """

    def __init__(self, problem: Problem, asked: Mapping[str, int] = NOTHING_ASKED) -> None:
        self.problem, self.asked = problem, asked
        now = start(problem.equations(), problem.start, problem.waiting)
        self.rows = int(np.prod(problem.batch))
        self.first = {name: self.flat(x, 1) for name, x in now.named().items()}
        self.held = self._held_arrays()
        self.answers = self._answer_arrays()
        self.stages: list[tuple[Array, Array]] = []  # the states at which a step evaluates the equations
        self.samples = self._samples()
        state = tuple(Port(name, x.shape[1:]) for name, x in self.first.items() if x.shape[1])
        held = tuple(Port(name, x.shape[1:]) for name, x in self.held.items())
        streamed = tuple(
            Port(name, samples.values.shape[-1:], moment=moment)
            for name, samples in self.samples.items()
            for moment in self._moments(name)
        )
        modes = tuple(port for port in state if port.name == "sliding")
        if modes and max(asked.values(), default=1) > 1:
            self.ports = StepPorts(state, (*held, *self.answers), streamed, emitted=(AGAIN,))
        else:
            self.ports = StepPorts(state, (*held, *self.answers), streamed, modes=modes)

    def _moments(self, name: str) -> tuple[float, ...]:
        """The moments of a step at which a stream is read; of a sampled torque only the first."""
        if self.problem.actuation.sampled and name != "wrenches":
            return (0.0,)
        return self.problem.integrator.moments

    def flat(self, x: np.ndarray, core: int) -> np.ndarray:
        """Rows of a batch one after the other; a single row where all share it."""
        x = np.asarray(x, dtype=float)
        if x.ndim == core or all(n == 1 for n in x.shape[: x.ndim - core]):
            return np.ascontiguousarray(x.reshape((1, *x.shape[x.ndim - core :])))
        shape = x.shape[x.ndim - core :]
        return np.ascontiguousarray(np.broadcast_to(x, (*self.problem.batch, *shape)).reshape((self.rows, *shape)))

    def spread(self, x: np.ndarray) -> np.ndarray:
        """Vectors of all rows, (rows, n), in memory of their own."""
        if x.ndim == 2 and len(x) in (1, self.rows):
            return np.broadcast_to(x, (self.rows, x.shape[-1])).copy()
        return np.broadcast_to(x, (*self.problem.batch, x.shape[-1])).reshape(self.rows, x.shape[-1]).copy()

    def begin(self, stretch: Stretch) -> None:
        """Set what is held through a stretch of steps: its step and the joints' roles."""
        self.set_roles(self.problem.actuation.sets(stretch.begin))
        self.held["h"] = np.array([[stretch.h]])

    def streams_of(self, stretch: Stretch) -> list[np.ndarray]:
        """What comes with every step of a stretch, (rows, steps, n) each; of one row where all share it."""
        return [self.stream(self.samples[port.name], port, stretch.starts, stretch.h) for port in self.ports.streamed]

    def stream(self, samples: TimeSeries, port: Port, starts: np.ndarray, h: Any) -> np.ndarray:
        """Samples at the port's moment of steps that begin at these times and take h seconds, (rows, steps, n)."""
        assert port.moment is not None
        values = samples(times := starts + port.moment * h)
        rows, n = 1, values.shape[-1]
        if values.ndim > 2:
            rows, values = self.rows, np.broadcast_to(values, (len(times), *self.problem.batch, n))
        return np.ascontiguousarray(values.reshape(len(times), rows, n).swapaxes(0, 1))

    def _samples(self) -> dict[str, TimeSeries]:
        """What comes with every step, by name."""
        found = {name: x for name, x in self.problem.source.named().items() if isinstance(x, TimeSeries)}
        return {name: flattened(x) if name == "wrenches" else x for name, x in found.items()}

    def _held_arrays(self) -> dict[str, np.ndarray]:
        """What stays the same from switch to switch, by name."""
        problem, nv = self.problem, self.problem.robot.nv
        found = {"h": np.zeros((1, 1))}
        found |= {name: self.flat(x, len(problem.engine.parameters[name])) for name, x in problem.values.items()}
        constant = {name: x for name, x in problem.source.named().items() if not callable(x)}
        if "wrenches" in constant:
            constant["wrenches"] = problem.external(0.0, problem.start.q, problem.start.v)
        if "acceleration" in constant:
            constant["acceleration"] = np.zeros(nv)  # of active joints, set with the roles
        found |= {name: self.flat(x, 2 if name == "wrenches" else 1) for name, x in constant.items()}
        if problem.actuation.prescribes:
            found["passive"] = np.zeros((1, nv))
        if problem.actuation.fails:
            found["working"] = np.ones((1, nv))
        for stop in problem.acting.stops:
            found |= {f"K{stop.side}": self.flat(stop.K, 1), f"C{stop.side}": self.flat(stop.C, 1)}
        return found

    def _answer_arrays(self) -> dict[Port, np.ndarray]:
        """The answers of Python functions, one array for each evaluation at which they are asked."""
        nv, links = self.problem.robot.nv, len(self.problem.robot.link_names)
        shapes = {"tau": (nv,), "wrenches": (links, 6), "acceleration": (nv,)}
        return {
            Port(name, shapes[name], evaluation=k): np.zeros((self.rows, *shapes[name]))
            for name, times in self.asked.items()
            for k in range(times)
        }

    def record(self) -> Step:
        """The step on recorded scalars."""
        problem, engine = self.problem, self.problem.engine
        recording = Recording(engine.constants, engine.parameters)
        dynamics = RecordedDynamics(recording)
        values = dict(recording.parameters)
        timed: Timed = {}
        for port in self.ports.arguments:
            when = port.moment if port.evaluation is None else port.evaluation
            if when is not None:
                timed.setdefault(port.name, {})[when] = recording.argument(port)
            elif port.name not in values:
                values[port.name] = recording.argument(port)
        self.stages.clear()
        stops = tuple(
            replace(stop, K=values[f"K{stop.side}"], C=values[f"C{stop.side}"]) for stop in problem.acting.stops
        )
        acting = replace(problem.acting, stops=stops).with_values(recording.parameters)
        equations = problem.equations(dynamics, acting)
        h = values["h"][0]

        known = self._known_to_feedback(recording, dynamics)
        # Sampled torques are asked for at the step's start, wherever the method evaluates the equations.
        sampled = problem.actuation.sampled
        held = self._torque(known, values, timed, values["q"], values["v"]) if sampled else None

        def supply(t: Any, q: Array, v: Array) -> Given:
            tau = self._torque(known, values, timed, q, v) if held is None else held
            wrenches = self._now(values, timed, "wrenches")
            wrenches = None if wrenches is None else wrenches.reshape(-1, 6)
            acceleration = self._now(values, timed, "acceleration")
            self.stages.append((q, v))
            return Given(t, tau, wrenches, acceleration, values.get("passive"))

        tried = trial(equations, problem.stepper(equations), supply, Now.of(0.0, values), h)
        found = tried.after.named()
        again = tried.again.item() if self.ports.modes else None
        outputs = {port: list(found[port.name]) for port in self.ports.state}
        outputs |= {port: [tried.again.item()] for port in self.ports.emitted}
        return Step(recording.graph, self.ports, recording.inputs, outputs, again)

    def _known_to_feedback(self, recording: Recording, dynamics: RecordedDynamics) -> RecordedDynamics:
        """The dynamics that a feedback counts on: those of its own robot, whatever the parameters of the rows are."""
        feedback, moving = self.problem.source.control, self.problem.engine
        if not isinstance(feedback, Feedback) or (feedback.robot.engine is moving and not recording.parameters):
            return dynamics
        return RecordedDynamics(Recording(feedback.robot.engine.constants, graph=recording.graph))

    def _torque(self, dynamics: RecordedDynamics, values: dict[str, Array], timed: Timed, q: Array, v: Array) -> Array:
        feedback = self.problem.source.control
        if isinstance(feedback, Feedback):
            given = {name: self._now(values, timed, reference(name)) for name in feedback.references}
            tau = feedback.torque(dynamics, q, v, given)
        else:
            found = self._now(values, timed, "tau")
            tau = np.zeros(self.problem.robot.nv) if found is None else found
        return tau * values["working"] if "working" in values else tau

    def _now(self, values: dict[str, Array], timed: Timed, name: str) -> Any:
        """What is given at the next evaluation: what is held, a function's answer or a sample; None if nothing is."""
        if name not in timed:
            return values.get(name)
        each = timed[name]
        if len(each) == 1:
            return next(iter(each.values()))
        return each[len(self.stages) if name in self.asked else self.problem.integrator.stages[len(self.stages)]]

    def content(self) -> tuple[Any, ...]:
        """All that the recorded step depends on besides the robot and its parameters, for its fingerprint."""
        problem, acting = self.problem, self.problem.acting
        stops = tuple((stop.side, stop.q, stop.v, stop.rest) for stop in acting.stops)
        effort = None if acting.effort is None else (acting.effort.v, acting.effort.bound)
        laws = () if acting.forces is None else acting.forces.laws
        torque = problem.source.control
        law = (torque.content(), torque.robot.engine.constants) if isinstance(torque, Feedback) else ()
        sampled = problem.actuation.sampled
        asked = tuple(sorted(self.asked.items()))
        return (asked, problem.weightless, problem.method, laws, stops, effort, self.ports.arrays, sampled, law)

    def set_roles(self, roles: Roles) -> None:
        """What is held changes at a switch."""
        start = self.problem.start
        if "working" in self.held:
            self.held["working"] = self.flat(1.0 - roles.failed, 1)
        if "passive" in self.held:
            self.held["passive"] = self.flat(roles.passive.astype(float), 1)
        if "acceleration" in self.held:
            self.held["acceleration"] = self.flat(self.problem.actuation.acceleration(0.0, start.q, start.v, roles), 1)
