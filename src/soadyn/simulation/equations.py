"""The equations of motion of a simulation, with a balance of what flows in.

Energy changes by the power of all forces that have no potential, and the momentum of a robot on a free base by the
forces that reach it from outside; summing both up beside the motion tells what a stepper loses.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from soadyn.errors import errstate
from soadyn.joint import rotation
from soadyn.model.model import Joint
from soadyn.robot import Robot
from soadyn.simulation.failure import check_acceleration, check_torque
from soadyn.simulation.forces import JointForces
from soadyn.simulation.inputs import External, Torque
from soadyn.simulation.steppers import Rates


@final
class Motion:
    """A robot with what acts on it. Calling it gives the rates of change at (t, q, v)."""

    def __init__(self, robot: Robot, torque: Torque, external: External, joint_forces: JointForces | None) -> None:
        self.robot, self.torque, self.external = robot, torque, external
        self.quantities: Any = robot  # its methods come from a table, which type checkers do not read
        self.joint_forces = joint_forces
        self.free_roots = _free_roots(robot)
        self.weightless = not robot.gravity.any()

    @property
    def flows(self) -> int:
        """How many numbers flow in: power, and six of momentum for a free base."""
        return 7 if self.free_roots else 1

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> Rates:
        with_potential = np.zeros_like(v)
        without = self.checked_torque(t, q, v)
        if self.joint_forces is not None:
            if self.joint_forces.springs:
                with_potential = self.joint_forces.spring_force(q)
            if self.joint_forces.dissipates:
                without = without + self.joint_forces.dissipation(v)
        wrenches = self.external(t, q, v)
        with errstate("ignore"):
            a = self.quantities.forward_dynamics(q, v, without + with_potential, wrenches)
        check_acceleration(self.robot, t, q, v, without + with_potential, wrenches, a)
        if wrenches is not None:
            without = without + self._felt(q, wrenches)
        inflow = (v * without).sum(axis=-1)[..., None]
        if self.free_roots:
            inflow = np.concatenate([inflow, self._push(q, without + with_potential)], axis=-1)
        return Rates(a, inflow)

    def checked_torque(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What the caller lets the joints do, finite."""
        # A controller that changes the state it is shown would spoil the step.
        q.flags.writeable = v.flags.writeable = False
        tau = self.torque(t, q, v)
        check_torque(self.robot, t, tau)
        return tau

    def potential_energy(self, q: np.ndarray) -> np.ndarray:
        """Of gravity and springs, (...)."""
        energy: np.ndarray = self.quantities.potential_energy(q)
        return energy if self.joint_forces is None else energy + self.joint_forces.spring_energy(q)

    def _felt(self, q: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
        """External wrenches as joint forces: what they spare the joints."""
        still = np.zeros(self.robot.nv)
        spared: np.ndarray = self.quantities.gravity_force(q) - self.quantities.inverse_dynamics(
            q, still, still, wrenches
        )
        return spared

    def _push(self, q: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """The rate of change of momentum about the world's origin, (..., 6): forces on free joints, and gravity."""
        if not self.weightless:
            forces = forces - self.quantities.gravity_force(q)
        total = np.zeros((*q.shape[:-1], 6))
        for joint in self.free_roots:
            x = q[..., list(self.robot.joint_coordinates(joint.name))]
            f = forces[..., list(self.robot.joint_dofs(joint.name))]
            outer = joint.placement.transform()
            R = outer.R @ rotation.from_quaternion(x[..., :4])
            p = (outer.R @ x[..., 4:, None] + outer.l)[..., 0]
            moment, force = (R @ f[..., :3, None])[..., 0], (R @ f[..., 3:, None])[..., 0]
            total = total + np.concatenate([moment + np.cross(p, force), force], axis=-1)
        return total


def _free_roots(robot: Robot) -> tuple[Joint, ...]:
    """The joints on the ground if all of them are free; then momentum changes only by what comes from outside."""
    roots = tuple(robot.model.joints[k - 1] for k in robot.model.children[0])
    return roots if roots and all(joint.kind == "free" for joint in roots) else ()
