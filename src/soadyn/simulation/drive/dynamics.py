"""What a step in time asks of a robot: its accelerations and forces, on numbers or on recorded scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, final

import numpy as np

from soadyn.engine.tracing.recording import Recording
from soadyn.errors import check_name
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import program_name
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.inputs import frame_inputs, frames_inputs, program_for
from soadyn.robot.calling.run_program import outputs_of


class Dynamics(Protocol):
    """Quantities of a robot as functions of the state, and motion along joint rates.

    integrate: q and dv to q ∘ exp(dv); difference: q0 and q1 to the joint motion that takes q0 to q1; still: rates of
    joints at rest.
    """

    integrate: Callable[[Array, Array], Array]
    difference: Callable[[Array, Array], Array]
    still: np.ndarray

    def quantity(self, name: str, **given: Any) -> Any:
        """A quantity of the table, its arguments by name; those left out, or None, are as usual."""

    def run(self, program: Program, inputs: Mapping[str, Array]) -> Sequence[Array]:
        """The results of a program."""

    def forward(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        """θ̈ under joint forces."""
        return self.quantity("forward_dynamics", q=q, v=v, tau=tau, external=wrenches)

    def total(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        """ξ̇ under joint forces: the accelerations of the total rates (000 Algorithm 8.1)."""
        return self.quantity("total_accelerations", q=q, v=v, tau=tau, external=wrenches)

    def hybrid(
        self, q: Array, v: Array, a: Array, tau: Array, passive: Array, wrenches: Array | None
    ) -> tuple[Array, Array]:
        """θ̈ and T of all joints; `passive` is 1 where T is given, 0 where θ̈ is."""
        known = {"a": a, "tau": tau, "passive": passive, "external": wrenches}
        found: tuple[Array, Array] = self.quantity("hybrid_dynamics", q=q, v=v, **known)
        return found

    def inverse_at_rest(self, q: Array, wrenches: Array | None) -> Array:
        """The joint forces that hold the robot still."""
        return self.quantity("inverse_dynamics", q=q, v=self.still, a=self.still, external=wrenches)

    def pose(self, q: Array, frame: FrameLike) -> Array:
        """A frame's pose in the world, (..., 4, 4)."""
        return self.quantity("pose", q=q, frame=frame)

    def jacobian(self, q: Array, frame: FrameLike, axes: FrameLike = "world") -> Array:
        """A frame's Jacobian [angular; linear], (..., 6, nv)."""
        return self.quantity("jacobian", q=q, frame=frame, axes=axes)

    def frame_velocity(self, q: Array, v: Array, frame: FrameLike, axes: FrameLike = "world") -> Array:
        """A frame's velocity [angular; linear], (..., 6)."""
        return self.quantity("frame_velocity", q=q, v=v, frame=frame, axes=axes)

    def into_total(self, q: Array, v: Array) -> Array:
        """The total rates ξ of joint rates v."""
        return self.quantity("total_rates", q=q, v=v)

    def from_total(self, q: Array, xi: Array) -> Array:
        """The joint rates of total rates."""
        return self.quantity("rates_from_total", q=q, xi=xi)


@final
class RobotDynamics(Dynamics):
    """On numbers: the robot's own methods."""

    def __init__(self, robot: Robot, quantities: Any = None) -> None:
        self._quantities = quantities or robot  # whose methods come from a table, which type checkers do not read
        self._engine = robot.engine
        self.integrate, self.difference, self.still = robot.integrate, robot.difference, np.zeros(robot.nv)

    def quantity(self, name: str, **given: Any) -> Any:
        return getattr(self._quantities, name)(**given)

    def forward(self, q: Array, v: Array, tau: Array, wrenches: Array | None) -> Array:
        # Python asks this most, and the call with positions alone is the quickest.
        if wrenches is None:
            return self._quantities.forward_dynamics(q, v, tau)
        return super().forward(q, v, tau, wrenches)

    def hybrid(
        self, q: Array, v: Array, a: Array, tau: Array, passive: Array, wrenches: Array | None
    ) -> tuple[Array, Array]:
        return super().hybrid(q, v, a, tau, passive > 0.5, wrenches)

    def run(self, program: Program, inputs: Mapping[str, Array]) -> Sequence[Array]:
        return outputs_of(self._engine, program, inputs, "float64")[0]


@final
class RecordedDynamics(Dynamics):
    """On recorded scalars: the same programs, run in the recording."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.integrate, self.difference = recording.integrate, recording.difference
        self.still = np.zeros(recording.constants.model.nv)

    def quantity(self, name: str, **given: Any) -> Any:
        check_name("quantity", name, QUANTITIES)
        quantity = QUANTITIES[name]
        usual = {x.name: x.usual for x in quantity.parameters if x.default is not None}
        read = program_for(quantity, {**usual, **given}, self._recording.constants.model)
        frames = ("frame", "frames", "axes")
        named = {program_name(k): x for k, x in given.items() if k not in frames and x is not None}
        for place, read_frames in (("frame", frame_inputs), ("frames", frames_inputs)):
            if place in given:
                axes = given.get("axes", usual.get("axes", "world"))
                named |= read_frames(self._recording.constants, given[place], axes)
        found = self._recording.run(read, **named)
        return found[0] if len(found) == 1 else tuple(found)

    def run(self, program: Program, inputs: Mapping[str, Array]) -> Sequence[Array]:
        return self._recording.run(program, **inputs)
