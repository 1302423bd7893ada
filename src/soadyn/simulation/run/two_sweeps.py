"""The semi-implicit step with two sweeps over the links: their velocities are kept with the state.

Forward dynamics alone takes three sweeps, the first of them for the velocities. Here the sweep that finds the
accelerations also moves the joints and finds the velocities at the new state, so the next step has them (001 section
VII.D). Nothing is delayed: the trajectory is that of the three sweeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.model.steppers import Equations, Integrate, Moment
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITIES, SEMI_IMPLICIT_STEP
from soadyn.robot import Robot
from soadyn.robot.calling.run_program import outputs_of


@final
class TwoSweeps:
    """The method "two-sweep" of `simulate`: solves the equations of motion and steps at once, and carries V along.

    v' = v + h θ̈(q, v, tau)    q' = q ∘ exp(h v')    V' = φ* H* v' at q'
    """

    def __init__(self, robot: Robot) -> None:
        model = robot.model
        hidden = [joint.name for k, joint in enumerate(model.joints, start=1) if k not in model.visible]
        if hidden:
            raise ArgumentError(
                f"two sweeps keep the velocity of every link, but robot {model.name!r} has hidden links, "
                f"at {', '.join(map(repr, hidden))}: simulate by another method"
            )
        self._robot, self._h = robot, 0.0
        self._after: Sequence[np.ndarray] = ()  # q, v and V after the last step

    def solve(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray, external: np.ndarray | None = None) -> np.ndarray:
        """The accelerations of the step that begins at (q, v)."""
        # A step goes on from another state than the last one's where an event was looked for, or changed the state.
        goes_on = self._after and q is self._after[0] and v is self._after[1]
        V = self._after[2] if goes_on else self._outputs(LINK_VELOCITIES, q=q, v=v)[0]
        known = {"q": q, "v": v, "V_link": V, "tau": tau, "h": np.asarray(self._h)}
        if external is None:
            self._after = self._outputs(without_external(SEMI_IMPLICIT_STEP), **known)
        else:
            self._after = self._outputs(SEMI_IMPLICIT_STEP, **known, external=external)
        return np.asarray((self._after[1] - v) / self._h)

    def take(self, integrate: Integrate, rates: Equations, now: Moment, h: float) -> Moment:
        """One step; `rates` asks `solve`."""
        self._h = h
        inflow = rates(now.t, now.q, now.v).inflow
        q, v, _ = self._after
        return Moment(now.t + h, q, v, now.inflow + h * inflow)

    def _outputs(self, program: Program, **inputs: np.ndarray) -> Sequence[np.ndarray]:
        return outputs_of(self._robot.engine, program, inputs, "float64")[0]
