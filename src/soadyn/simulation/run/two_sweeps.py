"""The semi-implicit step with two sweeps over the links: their velocities are kept with the state.

Forward dynamics alone takes three sweeps, the first of them for the velocities. Here the sweep that finds the
accelerations also moves the joints and finds the velocities at the new state, so the next step has them (001 section
VII.D). Nothing is delayed: the trajectory is that of the three sweeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.model.steppers import Equations, Integrate, Moment
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITIES, SEMI_IMPLICIT_STEP
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike
from soadyn.robot.arguments.plain_values import positive
from soadyn.robot.calling.run_program import outputs_of
from soadyn.robot.checked import checked_robot
from soadyn.simulation.drive.inputs import initial_state


@final
@dataclass(frozen=True, slots=True)
class Moving:
    """A state with its links' velocities: q (..., nq), v (..., nv) and V (..., links, 6) at the link frames.

    >>> import soadyn as sd
    >>> moving(sd.load("planar_two_link"), [0.0, 0.0], [1.0, 0.0]).V.round(6).tolist()
    [[0.0, -1.0, 0.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0, 0.0, 1.0]]
    """

    q: np.ndarray
    v: np.ndarray
    V: np.ndarray


def moving(robot: Robot, q: ArrayLike, v: ArrayLike | None = None) -> Moving:
    """The state (q, v), or a batch of states, with the velocities of the links; v None is rest.

    >>> import soadyn as sd
    >>> moving(sd.load("ur5"), [0.0] * 6).V.shape
    (6, 6)
    """
    model = checked_robot(robot, "moving").model
    hidden = [joint.name for k, joint in enumerate(model.joints, start=1) if k not in model.visible]
    if hidden:
        raise ArgumentError(
            f"two sweeps keep the velocity of every link, but robot {model.name!r} has hidden links, "
            f"at {', '.join(map(repr, hidden))}: simulate by another method"
        )
    if model.ties:
        raise ArgumentError(f"two sweeps move each joint by itself, but robot {model.name!r} has tied joints")
    q, v = initial_state(robot, q, v)
    (V,) = _outputs(robot, LINK_VELOCITIES, {"q": q, "v": v})
    return Moving(q, v, V)


def step(robot: Robot, now: Moving, tau: ArrayLike, h: float, external: ExternalLike | None = None) -> Moving:
    """The state after h seconds under the joint forces tau (..., nv).

    v' = v + h θ̈(q, v, tau)    q' = q ∘ exp(h v')    V' = φ* H* v' at q'

    >>> import numpy as np
    >>> import soadyn as sd
    >>> arm, tau = sd.load("planar_two_link"), [1.0, 0.5]
    >>> after = step(arm, moving(arm, [0.1, 0.2], [0.3, 0.4]), tau, 0.01)
    >>> v = [0.3, 0.4] + 0.01 * arm.forward_dynamics([0.1, 0.2], [0.3, 0.4], tau)
    >>> bool(np.allclose(after.v, v, rtol=1e-14))
    True
    """
    checked_robot(robot, "step")
    if not isinstance(now, Moving):
        raise ArgumentError(f"step takes a state that `moving` made, got {type(now).__name__}")
    program = SEMI_IMPLICIT_STEP if external is not None else without_external(SEMI_IMPLICIT_STEP)
    inputs = {
        "q": now.q,
        "v": now.v,
        "V_link": now.V,
        "tau": arguments.joint_vector(robot.engine.coordinates, tau, "tau"),
        "h": positive("h", h, "step"),
    }
    if external is not None:
        inputs["external"] = arguments.external(robot.engine.constants, external)
    return Moving(*_outputs(robot, program, inputs))


@final
class TwoSweeps:
    """The method "two-sweep" of `simulate`: solves the equations of motion and steps at once, and carries V along."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._now: Moving | None = None
        self._after: Moving | None = None
        self._h = 0.0

    def solve(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: ExternalLike | None = None) -> np.ndarray:
        """The accelerations of the step that begins at (q, v)."""
        assert self._now is not None
        self._after = step(self.robot, self._now, tau, self._h, external)
        return np.asarray((self._after.v - np.asarray(v)) / self._h)

    def take(self, integrate: Integrate, rates: Equations, now: Moment, h: float) -> Moment:
        """One step; `rates` asks `solve`."""
        if self._now is None:
            self._now = moving(self.robot, now.q, now.v)
        self._h = h
        inflow = rates(now.t, now.q, now.v).inflow
        assert self._after is not None
        self._now = self._after
        return Moment(now.t + h, self._now.q, self._now.v, now.inflow + h * inflow)


def _outputs(robot: Robot, program: Program, inputs: dict[str, Any]) -> Sequence[np.ndarray]:
    return outputs_of(robot.engine, program, inputs, "float64")[0]
