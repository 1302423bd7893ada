"""What a step in time asks of a robot: its accelerations and forces, on numbers or on recorded scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, final

import numpy as np

from soadyn.engine.tracing.recording import Recording
from soadyn.errors import check_name
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import program_name
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.inputs import frame_inputs, frames_inputs, program_for
from soadyn.robot.calling.run_program import outputs_of


class Dynamics(Protocol):
    """Quantities of a robot as functions of the state, and motion along joint rates.

    integrate: q and dv to q ∘ exp(dv); difference: q0 and q1 to the joint motion that takes q0 to q1.
    """

    integrate: Callable[[Array, Array], Array]
    difference: Callable[[Array, Array], Array]

    def forward(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        """θ̈ under joint forces."""

    def total(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        """ξ̇ under joint forces: the accelerations of the total rates (000 Algorithm 8.1)."""

    def hybrid(
        self, q: Array, v: Array, a: Array, tau: Array, passive: Array, wrenches: Array | None
    ) -> tuple[Array, Array]:
        """θ̈ and T of all joints; `passive` is 1 where T is given, 0 where θ̈ is."""

    def inverse_at_rest(self, q: Array, wrenches: Array | None) -> Array:
        """The joint forces that hold the robot still."""

    def quantity(self, name: str, **given: Any) -> Array:
        """A quantity of the table that has one result, its arguments by name; those left out are as usual."""

    def pose(self, q: Array, frame: FrameLike) -> Array:
        """A frame's pose in the world, (..., 4, 4)."""
        return self.quantity("pose", q=q, frame=frame)

    def jacobian(self, q: Array, frame: FrameLike, axes: FrameLike = "world") -> Array:
        """A frame's Jacobian [angular; linear], (..., 6, nv)."""
        return self.quantity("jacobian", q=q, frame=frame, axes=axes)

    def frame_velocity(self, q: Array, v: Array, frame: FrameLike, axes: FrameLike = "world") -> Array:
        """A frame's velocity [angular; linear], (..., 6)."""
        return self.quantity("frame_velocity", q=q, v=v, frame=frame, axes=axes)

    def run(self, program: Program, inputs: Mapping[str, Array]) -> Sequence[Array]:
        """The results of a program."""

    def into_total(self, q: Array, v: Array) -> Array:
        """The total rates ξ of joint rates v."""

    def from_total(self, q: Array, xi: Array) -> Array:
        """The joint rates of total rates."""


@final
class RobotDynamics(Dynamics):
    """On numbers: the robot's own methods."""

    def __init__(self, robot: Robot, quantities: Any = None) -> None:
        self._quantities = quantities or robot  # whose methods come from a table, which type checkers do not read
        self._still = np.zeros(robot.nv)
        self._engine = robot.engine
        self.integrate = robot.integrate
        self.difference = robot.difference

    def forward(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        if wrenches is None:
            return self._quantities.forward_dynamics(q, v, tau)
        return self._quantities.forward_dynamics(q, v, tau, external=wrenches)

    def total(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        return self._quantities.total_accelerations(q, v, tau, external=wrenches)

    def hybrid(
        self, q: Array, v: Array, a: Array, tau: Array, passive: Array, wrenches: Array | None
    ) -> tuple[Array, Array]:
        known = {"a": a, "tau": tau, "passive": passive > 0.5, "external": wrenches}
        found: tuple[Array, Array] = self._quantities.hybrid_dynamics(q, v, **known)
        return found

    def inverse_at_rest(self, q: Array, wrenches: Array | None) -> Array:
        return self._quantities.inverse_dynamics(q, self._still, self._still, external=wrenches)

    def quantity(self, name: str, **given: Any) -> Array:
        return getattr(self._quantities, name)(**given)

    def into_total(self, q: Array, v: Array) -> Array:
        return self._quantities.total_rates(q, v)

    def from_total(self, q: Array, xi: Array) -> Array:
        return self._quantities.rates_from_total(q, xi)

    def run(self, program: Program, inputs: Mapping[str, Array]) -> Sequence[Array]:
        return outputs_of(self._engine, program, inputs, "float64")[0]


@final
class RecordedDynamics(Dynamics):
    """On recorded scalars: the same programs, run in the recording."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.integrate = recording.integrate
        self.difference = recording.difference

    def quantity(self, name: str, **given: Any) -> Array:
        check_name("quantity", name, QUANTITIES)
        quantity = QUANTITIES[name]
        usual = {x.name: x.usual for x in quantity.parameters if x.default is not None}
        read = program_for(quantity, {**usual, **given}, self._recording.constants.model)
        named = {program_name(public): x for public, x in given.items() if public not in ("frame", "frames", "axes")}
        for place, read_frames in (("frame", frame_inputs), ("frames", frames_inputs)):
            if place in given:
                axes = given.get("axes", usual.get("axes", "world"))
                named |= read_frames(self._recording.constants, given[place], axes)
        return self._recording.run(read, **named)[0]

    def run(self, program: Program, inputs: Mapping[str, Array]) -> Sequence[Array]:
        return self._recording.run(program, **inputs)

    def _run(self, name: str, wrenches: Array | None, **inputs: Array) -> list[Array]:
        program = QUANTITIES[name].program_on(self._recording.constants.model)
        if wrenches is None:
            return self._recording.run(without_external(program), **inputs)
        return self._recording.run(program, **inputs, external=wrenches)

    def forward(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        return self._run("forward_dynamics", wrenches, q=q, v=v, tau=tau)[0]

    def total(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        return self._run("total_accelerations", wrenches, q=q, v=v, tau=tau)[0]

    def hybrid(
        self, q: Array, v: Array, a: Array, tau: Array, passive: Array, wrenches: Array | None
    ) -> tuple[Array, Array]:
        found = self._run("hybrid_dynamics", wrenches, q=q, v=v, vdot=a, tau=tau, passive=passive)
        return found[0], found[1]

    def inverse_at_rest(self, q: Array, wrenches: Array | None) -> Array:
        still = np.zeros(self._recording.constants.model.nv)
        return self._run("inverse_dynamics", wrenches, q=q, v=still, vdot=still)[0]

    def into_total(self, q: Array, v: Array) -> Array:
        return self._recording.run(QUANTITIES["total_rates"].program, q=q, v=v)[0]

    def from_total(self, q: Array, xi: Array) -> Array:
        return self._recording.run(QUANTITIES["rates_from_total"].program, q=q, xi_given=xi)[0]
