"""Records the states of a simulation and makes a trajectory of them."""

from __future__ import annotations

from typing import final

import numpy as np

from soadyn.errors import errstate
from soadyn.model.steppers import Moment
from soadyn.robot.labels import coordinate_names, rate_names
from soadyn.simulation.actuation import Roles
from soadyn.simulation.equations import Motion
from soadyn.simulation.failure import check_state
from soadyn.simulation.trajectory import Trajectory


@final
class Recorder:
    """Collects moments with the actuators' forces and the joints' roles at each."""

    def __init__(self, motion: Motion, method: str, step: float) -> None:
        self.motion, self.method, self.step = motion, method, step
        self.moments: list[tuple[Moment, np.ndarray, Roles]] = []

    def keep(self, now: Moment) -> None:
        # One append for all of a record; an interrupt cannot leave half of it.
        check_state(self.motion.robot, now.t, now.q, now.v)
        roles = self.motion.actuation.roles(now.t, now.q, now.v)
        self.moments.append((now, self.motion.actuator_force(now.t, now.q, now.v, roles), roles))

    def trajectory(self, last: Moment, interrupted: bool) -> Trajectory:
        """All records; after an interrupt also the last complete step, with the torque of the record before it.

        Energies of a motion that ran away may overflow; they come out NaN.
        """
        with errstate("ignore"):
            return self._trajectory(last, interrupted)

    def _trajectory(self, last: Moment, interrupted: bool) -> Trajectory:
        moments = self.moments
        if not moments:
            moments = [(last, np.zeros_like(last.v), Roles(*np.zeros((2, *last.v.shape), dtype=bool)))]
        elif last.t > moments[-1][0].t and np.isfinite(last.q).all() and np.isfinite(last.v).all():
            moments = [*moments, (last, *moments[-1][1:])]
        robot = self.motion.robot
        q, v = np.array([m.q for m, *_ in moments]), np.array([m.v for m, *_ in moments])
        inflow = np.array([m.inflow for m, *_ in moments])
        free, roles = bool(self.motion.free_roots), self.motion.actuation.changes
        return Trajectory(
            robot_name=robot.name,
            q_names=coordinate_names(robot),
            v_names=rate_names(robot),
            method=self.method,
            step=self.step,
            interrupted=interrupted,
            t=np.array([m.t for m, *_ in moments]),
            q=q,
            v=v,
            tau=np.array([tau for _, tau, _ in moments]),
            kinetic=self.motion.quantities.kinetic_energy(q, v),
            potential=self.motion.potential_energy(q),
            work=inflow[..., 0],
            momentum=self.motion.quantities.momentum(q, v) if free else None,
            impulse=inflow[..., 1:] if free else None,
            robot=robot,
            passive=np.array([np.broadcast_to(r.passive, v.shape[1:]) for *_, r in moments]) if roles else None,
        )
