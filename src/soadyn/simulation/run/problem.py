"""A simulation to be run: the robot, what acts on it, what is given from outside, the method and the times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.steppers import STEPPERS, Moment, Stepper, rk4
from soadyn.programs.sweep.program import Program
from soadyn.robot import Robot
from soadyn.robot.calling.function import program_function
from soadyn.simulation.drive.actuation import Actuation, Roles, same_time
from soadyn.simulation.drive.dynamics import Dynamics, RobotDynamics
from soadyn.simulation.drive.failure import check_acceleration
from soadyn.simulation.drive.inputs import External
from soadyn.simulation.run.equations import Acting, Equations, Given
from soadyn.simulation.run.events import Event
from soadyn.simulation.run.implicit import IMPLICIT, ROSENBROCK, implicit_stepper
from soadyn.simulation.run.symplectic import symplectic_stepper
from soadyn.simulation.run.two_sweeps import TwoSweeps

DIAGONALIZED, TWO_SWEEP = "diagonalized", "two-sweep"
SYMPLECTIC, ADAPTIVE = "symplectic", "adaptive"
BadRows = Literal["raise", "nan"]  # what a row does whose numbers are not finite
OF_JOINT_FORCES = (DIAGONALIZED, TWO_SWEEP)  # methods that do not know hybrid dynamics


@final
@dataclass(frozen=True, slots=True, eq=False)
class AsGiven:
    """What a caller gave, before it became functions of time and state: only some of it can become machine code."""

    torque: Any = None
    external: Any = None
    acceleration: Any = None
    passive: Any = None


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
    tolerances: tuple[float, float] = (1e-6, 1e-9)  # relative and absolute, of adaptive steps
    events: tuple[Event, ...] = ()
    waiting: np.ndarray | None = None  # torques under way at the start, (..., delay nv)
    bad_rows: BadRows = "raise"
    notes: tuple[str, ...] = ()  # what runs in Python, and why

    @property
    def batch(self) -> tuple[int, ...]:
        return self.start.q.shape[:-1]

    @property
    def stops(self) -> np.ndarray:
        """The times at which steps end: those of the records, and those at which the joints' roles change."""
        switches = [t for t in self.actuation.switches if t < self.times[-1]]
        between = [t for t in switches if not same_time(self.times, t).any()]
        return np.sort(np.concatenate([self.times, between]))

    def equations(self, dynamics: Dynamics | None = None, acting: Acting | None = None) -> Equations:
        """The equations of motion: on numbers, checked, or for another kind of number, as they are."""
        total = self.method == DIAGONALIZED
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
        dynamics, space = equations.dynamics, self.engine.coordinates
        called = partial(self._called, dynamics)
        if self.method == TWO_SWEEP:
            both = TwoSweeps(self.robot)
            equations.solver = both.solve
            return both.take
        if self.method == SYMPLECTIC:
            return symplectic_stepper(called, space)
        if self.method in (IMPLICIT, ROSENBROCK):
            return implicit_stepper(self.method, called, equations.acting, space)
        if self.method != DIAGONALIZED:
            return STEPPERS[self.method]
        return partial(rk4, into=dynamics.into_total, back=dynamics.from_total)

    def _called(self, dynamics: Dynamics, program: Program) -> Callable[..., Any]:
        """A program as a function of arrays in the order of its inputs, on numbers or on recorded scalars."""
        if isinstance(dynamics, RobotDynamics):
            return program_function(self.engine, program, self.values)

        def recorded(*arrays: Array) -> Any:
            found = dynamics.run(program, dict(zip(program.inputs, arrays, strict=True)))
            return found[0] if len(found) == 1 else found

        return recorded

    def given(self, roles: Roles, t: float, q: np.ndarray, v: np.ndarray) -> Given:
        """What comes from outside at a moment, on numbers."""
        tau = self.actuation.torque(t, q, v, roles)
        wrenches = self.external(t, q, v)
        if not self.actuation.prescribes:
            return Given(t, tau, wrenches)
        return Given(t, tau, wrenches, self.actuation.acceleration(t, q, v, roles), roles.passive.astype(float))
