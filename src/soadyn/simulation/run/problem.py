"""A simulation to be run: the robot, what acts on it, what is given from outside, the method and the times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.steppers import Moment, Stepper
from soadyn.programs.sweep.program import Program
from soadyn.robot import Robot
from soadyn.robot.calling.function import own_inputs, program_function
from soadyn.simulation.drive.actuation import Actuation, Roles, same_time
from soadyn.simulation.drive.dynamics import Dynamics, RobotDynamics
from soadyn.simulation.drive.failure import check_acceleration
from soadyn.simulation.drive.feedback import Feedback, reference
from soadyn.simulation.drive.inputs import External
from soadyn.simulation.laws.acting import Acting
from soadyn.simulation.run.closing import OntoClosures, onto_closures
from soadyn.simulation.run.equations import Equations, Given
from soadyn.simulation.run.events import Event
from soadyn.simulation.run.integrators import INTEGRATORS, Adaptive, Integrator, StepParts

USUAL_TOLERANCES = Adaptive()
BadRows = Literal["raise", "nan"]  # what a row does whose numbers are not finite


@final
@dataclass(frozen=True, slots=True, eq=False)
class AsGiven:
    """What a caller gave, before it became functions of time and state: only some of it can become machine code."""

    control: Any = None
    external: Any = None
    acceleration: Any = None
    passive: Any = None

    def named(self) -> dict[str, Any]:
        """What was given, by the names that a step has for it: a feedback's references in place of itself."""
        found = {"tau": self.control}
        if isinstance(self.control, Feedback):
            found = {reference(name): x for name, x in self.control.references.items()}
        found |= {"wrenches": self.external, "acceleration": self.acceleration}
        return {name: x for name, x in found.items() if x is not None}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """All of a simulation but its progress."""

    robot: Robot
    acting: Acting
    actuation: Actuation
    external: External
    source: AsGiven
    method: str
    step: float
    times: np.ndarray  # of the records
    start: Moment
    quantities: Any  # the robot, or a parametric one at its values
    values: Mapping[str, np.ndarray]  # of parameters
    engine: Engine
    tolerances: Adaptive = USUAL_TOLERANCES  # of adaptive steps
    events: tuple[Event, ...] = ()
    waiting: np.ndarray | None = None  # torques under way at the start, (..., delay nv)
    bad_rows: BadRows = "raise"
    notes: tuple[str, ...] = ()  # what runs in Python, and why

    @property
    def batch(self) -> tuple[int, ...]:
        return self.start.q.shape[:-1]

    @property
    def integrator(self) -> Integrator:
        return INTEGRATORS[self.method]

    @property
    def stops(self) -> np.ndarray:
        """The times at which steps end: those of the records, and those at which the joints' roles change."""
        switches = [t for t in self.actuation.switches if t < self.times[-1]]
        between = [t for t in switches if not same_time(self.times, t).any()]
        return np.sort(np.concatenate([self.times, between]))

    def equations(self, dynamics: Dynamics | None = None, acting: Acting | None = None) -> Equations:
        """The equations of motion: on numbers, checked, or for another kind of number, as they are."""
        total = self.integrator.total
        if dynamics is not None:
            return Equations(self.robot, dynamics, acting or self.acting, self.weightless, total)
        known = self.acting.with_values(self.values)
        on_numbers = RobotDynamics(self.robot, self.quantities)
        return Equations(self.robot, on_numbers, known, self.weightless, total, self._check)

    @property
    def weightless(self) -> bool:
        return not self.robot.gravity.any() and "gravity" not in self.values

    def _check(self, given: Given, q: np.ndarray, v: np.ndarray, a: np.ndarray, solve: Callable[[], object]) -> None:
        check_acceleration(self.robot, given.t, q, v, given.wrenches, a, solve)

    def stepper(self, equations: Equations) -> Stepper:
        """The method's step."""
        make = self.integrator.make
        assert make is not None, "steps of adaptive length are made by `adaptive`"
        step = make(StepParts(equations, partial(self._called, equations.dynamics), self.engine.coordinates))
        closing = self.closing(equations)
        return step if closing is None else closing.after(step)

    def closing(self, equations: Equations) -> OntoClosures | None:
        """What leads states onto the robot's closures; None where it has none."""
        dynamics = equations.dynamics
        return onto_closures(self.robot, dynamics.integrate, partial(self._called, dynamics))

    def _called(self, dynamics: Dynamics, program: Program) -> Callable[..., Any]:
        """A program as a function of arrays in the order of its inputs, on numbers or on recorded scalars."""
        if isinstance(dynamics, RobotDynamics):
            return program_function(self.engine, program, self.values)

        def recorded(*arrays: Array) -> Any:
            found = dynamics.run(program, dict(zip(own_inputs(program), arrays, strict=True)))
            return found[0] if len(found) == 1 else found

        return recorded

    def given(self, roles: Roles, t: float, q: np.ndarray, v: np.ndarray) -> Given:
        """What comes from outside at a moment, on numbers."""
        tau = self.actuation.torque(t, q, v, roles)
        wrenches = self.external(t, q, v)
        if not self.actuation.prescribes:
            return Given(t, tau, wrenches)
        return Given(t, tau, wrenches, self.actuation.acceleration(t, q, v, roles), roles.passive.astype(float))
