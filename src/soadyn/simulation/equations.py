"""The equations of motion of a simulation, with the energy and momentum that flow in.

Energy changes by the power of all forces that have no potential, and the momentum of a robot on a free base by external
forces. Both are integrated with the motion; what remains of the change is the stepper's error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.errors import errstate
from soadyn.model.model import Joint
from soadyn.model.steppers import Rates
from soadyn.robot import Robot
from soadyn.simulation.actuation import Actuation, Roles
from soadyn.simulation.failure import check_acceleration
from soadyn.simulation.forces import JointForces
from soadyn.simulation.inputs import External
from soadyn.spatial import rotation


@final
class Motion:
    """A robot and the forces that act on it; with `total`, accelerations are those of the total rates (000)."""

    def __init__(
        self,
        robot: Robot,
        actuation: Actuation,
        external: External,
        joint_forces: JointForces | None,
        total: bool = False,
    ) -> None:
        self.robot, self.actuation, self.external = robot, actuation, external
        self.quantities: Any = robot  # its methods come from a table, which type checkers do not read
        self.joint_forces = joint_forces
        self.solver = self.quantities.total_accelerations if total else self.quantities.forward_dynamics
        self.free_roots = _free_roots(robot)
        self.weightless = not robot.gravity.any()

    @property
    def flows(self) -> int:
        """How many inflows are integrated: power, and six components of momentum for a free base."""
        return 7 if self.free_roots else 1

    def rates(self, t: float, q: np.ndarray, v: np.ndarray, roles: Roles) -> Rates:
        """How a state changes while the joints have these roles."""
        return self._evaluated(t, q, v, roles)[0]

    def actuator_force(self, t: float, q: np.ndarray, v: np.ndarray, roles: Roles) -> np.ndarray:
        """The actuators' forces, (..., nv): the caller's torque, or what the prescribed acceleration takes."""
        return (
            self._evaluated(t, q, v, roles)[1] if self.actuation.prescribes else self.actuation.torque(t, q, v, roles)
        )

    def _evaluated(self, t: float, q: np.ndarray, v: np.ndarray, roles: Roles) -> tuple[Rates, np.ndarray]:
        """The rates of change, and the actuators' forces.

        Active joints: T_a is all that their acceleration takes; the actuator gives what springs and friction do not.
        """
        tau = self.actuation.torque(t, q, v, roles)
        with_potential, without = self._own_forces(q, v)
        wrenches = self.external(t, q, v)
        a, total = self._solved(t, q, v, tau + with_potential + without, roles, wrenches)
        if total is not None:
            tau = np.where(roles.passive, tau, total - with_potential - without)
        without = without + tau
        if wrenches is not None:
            without = without + self._felt(q, wrenches)
        inflow = (v * without).sum(axis=-1)[..., None]
        if self.free_roots:
            inflow = np.concatenate([inflow, self._push(q, without + with_potential)], axis=-1)
        return Rates(a, inflow), tau

    def _solved(
        self, t: float, q: np.ndarray, v: np.ndarray, forces: np.ndarray, roles: Roles, wrenches: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Accelerations, and all joint forces where some accelerations are prescribed."""
        solve: Callable[[], Any] = partial(self.solver, q, v, forces, wrenches)
        if self.actuation.prescribes:
            wanted = self.actuation.acceleration(t, q, v, roles)
            solve = partial(self.quantities.hybrid_dynamics, q, v, wanted, forces, roles.passive, wrenches)
        with errstate("ignore"):
            solved = solve()
        a, total = solved if self.actuation.prescribes else (solved, None)
        check_acceleration(self.robot, t, q, v, wrenches, a, solve)
        return a, total

    def _own_forces(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The forces of springs and stops, and the forces of dampers and friction."""
        with_potential, without = np.zeros_like(v), np.zeros_like(v)
        if self.joint_forces is not None:
            if self.joint_forces.stores:
                with_potential = self.joint_forces.conservative(q)
            if self.joint_forces.dissipates:
                without = self.joint_forces.dissipative(q, v)
        return with_potential, without

    def potential_energy(self, q: np.ndarray) -> np.ndarray:
        """Of gravity and springs, (...)."""
        energy: np.ndarray = self.quantities.potential_energy(q)
        return energy if self.joint_forces is None else energy + self.joint_forces.energy(q)

    def _felt(self, q: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
        """External wrenches as joint forces: inverse dynamics without them less that with them."""
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
