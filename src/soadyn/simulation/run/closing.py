"""Robots with closures in time: states that begin on the closures, and steps that end on them (24.9).

    q ← q ∘ exp(-M⁻¹ J_c* Λ_Q Φ), three times    v ← v - M⁻¹ J_c* Λ_Q J_c v

So a motion does not drift off its closures, however long it takes. What that does to the energy is part of the step's
error: of the order of the method. The number of corrections is fixed, so that a step can be recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.steppers import Equations, Integrate, Moment, Stepper
from soadyn.programs.sweep.closed import shape_of
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.projecting import consistent_rates, nearer_configuration
from soadyn.robot import Robot
from soadyn.robot.closed.assembling import farthest

CORRECTIONS = 3
# A start this far off is led onto the closures, one farther off is refused: m or products of axes; m/s or rad/s.
NEAR = 1e-6


@final
@dataclass(frozen=True, slots=True, eq=False)
class OntoClosures:
    """Leads a moment's state onto the closures, on numbers or on recorded scalars."""

    integrate: Integrate
    nearer: Callable[[Array], Array]
    consistent: Callable[[Array, Array], Array]

    def __call__(self, moment: Moment) -> Moment:
        """The nearest state, in the mass metric, that is closed."""
        q = moment.q
        for _ in range(CORRECTIONS):
            q = self.integrate(q, self.nearer(q))
        return Moment(moment.t, q, moment.v + self.consistent(q, moment.v), moment.inflow)

    def after(self, stepper: Stepper) -> Stepper:
        """The step that ends on the closures."""

        def stepped(integrate: Integrate, rates: Equations, now: Moment, h: Any) -> Moment:
            return self(stepper(integrate, rates, now, h))

        return stepped


def onto_closures(
    robot: Robot, integrate: Integrate, called: Callable[[Program], Callable[..., Any]]
) -> OntoClosures | None:
    """What leads states onto the robot's closures; None where it has none. Programs are `called` as functions."""
    if not robot.model.closures:
        return None
    shape = shape_of(robot.model)
    return OntoClosures(integrate, called(nearer_configuration(shape)), called(consistent_rates(shape)))


def check_closed(robot: Robot, q: np.ndarray, v: np.ndarray, of: str = "simulate") -> None:
    """A start must be closed, or nearly so."""
    if not robot.model.closures or not q.size:
        return
    error = np.asarray(robot.closure_error(q)).reshape(-1, robot.closures[-1].rows.stop)
    rate = robot.closure_jacobian(q) @ v[..., None]
    for found, what, unit, way in (
        (error, "q0", "", "robot.closed(q0)"),
        (np.asarray(rate).reshape(error.shape), "v0", "/s", "robot.consistent(q0, v0)"),
    ):
        open_ = np.abs(found).max(axis=-1, initial=0.0)
        worst = int(np.argmax(open_))
        if open_[worst] > NEAR:
            name, told = farthest(robot.model, found[worst])
            row = f" in row {worst}" if len(found) > 1 else ""
            raise ArgumentError(
                f"{of}: {what} leaves closure {name!r} of robot {robot.name!r} open by {told}{unit}{row}; {way} is the "
                "nearest that does not"
            )
