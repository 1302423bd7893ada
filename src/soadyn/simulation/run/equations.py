"""The equations of motion of a simulation, with the energy and momentum that flow in.

Energy changes by the power of all forces that have no potential, and the momentum of a robot on a free base by external
forces. Both are integrated with the motion; what remains of the change is the stepper's error.

All of this runs on numbers, and once on recorded scalars, from which machine code is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.errors import errstate
from soadyn.mechanics.spatial import rotation
from soadyn.mechanics.spatial.arithmetic import Array, cross, is_positive
from soadyn.model.model import Joint
from soadyn.model.steppers import Rates
from soadyn.robot import Robot
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.laws.acting import Acting


@final
@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What comes from the caller at a moment. `passive` is 1 where a force is given and 0 where an acceleration is."""

    t: Any
    tau: Array
    wrenches: Array | None = None
    acceleration: Array | None = None
    passive: Array | None = None


# Looks at accelerations that were found: (what was given, q, v, accelerations, the solver, to be run again).
Check = Callable[[Given, np.ndarray, np.ndarray, np.ndarray, Callable[[], object]], None]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Joints that stick: 1 for each component with dry friction that does, and the accelerations that stop them."""

    stuck: Array
    sliding: Array  # the direction of those that slide: 1 or -1; 0 where a component sticks
    acceleration: Array


@final
@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """Rates of change, the actuators' forces, the forces that hold sticking joints, and which limits act."""

    rates: Rates
    tau: Array
    holding: Array | None
    acted: Array


@final
class Equations:
    """A robot and the forces that act on it; with `total`, accelerations are those of the total rates (000)."""

    def __init__(
        self,
        robot: Robot,
        dynamics: Dynamics,
        acting: Acting,
        weightless: bool,
        total: bool = False,
        check: Check | None = None,
    ) -> None:
        self.robot, self.dynamics, self.acting, self._check = robot, dynamics, acting, check
        self.solver: Callable[..., Array] = dynamics.total if total else dynamics.forward
        self.free_roots = free_roots(robot)
        self.weightless = weightless

    def evaluated(self, given: Given, q: Array, v: Array, held: Held | None = None) -> Evaluated:
        """How a state changes.

        Active joints: T_a is all that their acceleration takes; the actuator gives what springs and friction do not.
        """
        tau = given.tau if self.acting.effort is None else self.acting.effort.clipped(given.tau)
        with_potential, without = self._own_forces(q, v, held)
        forces = tau + with_potential + without
        holding = passive = None
        if given.acceleration is None and held is None:
            a = self._solved(partial(self.solver, q, v, forces, given.wrenches), given, q, v)
        else:
            wanted, passive = self._prescribed(given, held, v)
            solve = partial(self.dynamics.hybrid, q, v, wanted, forces, passive, given.wrenches)
            a, total = self._solved(solve, given, q, v)
            taken = (1 - passive) * (total - forces)  # what prescribed accelerations take beside all that acts
            driven = 1 if given.passive is None else given.passive
            without = without + driven * taken
            if held is not None and self.acting.sticking is not None:
                holding = taken[..., self.acting.sticking.v]
            tau = tau + (1 - driven) * taken
        inflow = self._inflow(q, v, given.wrenches, without + tau, with_potential)
        return Evaluated(Rates(a, inflow, passive), tau, holding, self._acted(q, given, held))

    def _solved(self, solve: Callable[[], Any], given: Given, q: Array, v: Array) -> Any:
        if self._check is None:
            return solve()
        with errstate("ignore"):
            found = solve()
        self._check(given, q, v, found[0] if isinstance(found, tuple) else found, solve)
        return found

    def _prescribed(self, given: Given, held: Held | None, v: Array) -> tuple[Array, Array]:
        """The prescribed accelerations and the mask `passive`; accelerations count where the mask is 0."""
        passive = 0 * v + 1 if given.passive is None else 0 * v + given.passive
        wanted = 0 * v if given.acceleration is None else given.acceleration * (1 - passive)
        if held is not None and self.acting.sticking is not None:
            at = self.acting.sticking.v
            stops = passive[..., at] * held.stuck
            wanted[..., at] += stops * held.acceleration
            passive[..., at] = passive[..., at] - stops
        return wanted, passive

    def _own_forces(self, q: Array, v: Array, held: Held | None) -> tuple[Array, Array]:
        """The forces of springs and stops, and the forces of dampers and friction."""
        with_potential, without = 0 * v, 0 * v
        forces, sticking = self.acting.forces, self.acting.sticking
        if forces is not None and forces.stores:
            with_potential = with_potential + forces.elastic_force(q)
        if forces is not None and forces.dissipates:
            others = [dry for dry in forces.dry if held is None or dry is not sticking]
            without = without + forces.lossy_force(q, v, others)
        if held is not None and sticking is not None:
            without[..., sticking.v] += -sticking.level(v[..., sticking.v]) * held.sliding
        for stop in self.acting.stops:
            with_potential[..., stop.v] += stop.elastic_force(q[..., stop.q])
            without[..., stop.v] += stop.damping_force(q[..., stop.q], v[..., stop.v])
        return with_potential, without

    def _acted(self, q: Array, given: Given, held: Held | None) -> Array:
        """1 for each limit that acts: efforts, stops, friction that holds; see `acts`."""
        found = [0 * q[..., :0]]
        effort = self.acting.effort
        if effort is not None:
            asked = given.tau[..., effort.v]
            found.append(is_positive(asked * asked - effort.bound**2))
        found += [is_positive(stop.pressed(q[..., stop.q])) for stop in self.acting.stops]
        if held is not None:
            found.append(held.stuck)
        shape = np.broadcast_shapes(*(x.shape[:-1] for x in found))
        return np.concatenate([np.broadcast_to(x, (*shape, x.shape[-1])) for x in found], axis=-1)

    def acts(self) -> list[tuple[str, int]]:
        """What each entry of `Evaluated.acted` speaks of, and the component of v it stands for."""
        found = [] if self.acting.effort is None else [("effort", int(i)) for i in self.acting.effort.v]
        found += [("position", int(i)) for stop in self.acting.stops for i in stop.v]
        return found + ([] if self.acting.sticking is None else [("friction", int(i)) for i in self.acting.sticking.v])

    def _inflow(self, q: Array, v: Array, wrenches: Array | None, without: Array, with_potential: Array) -> Array:
        """Power, and for a free base the rate of momentum."""
        if wrenches is not None:
            # External wrenches as joint forces: what they spare of the forces that hold the robot still.
            spared = self.dynamics.inverse_at_rest(q, None) - self.dynamics.inverse_at_rest(q, wrenches)
            without = without + spared
        power = (v * without).sum(axis=-1, keepdims=True)
        if not self.free_roots:
            return power
        return np.concatenate([power, self._push(q, without + with_potential)], axis=-1)

    def _push(self, q: Array, forces: Array) -> Array:
        """The rate of change of momentum about the world's origin, (..., 6): forces on free joints, and gravity."""
        if not self.weightless:
            forces = forces - self.dynamics.inverse_at_rest(q, None)
        total = np.zeros((*q.shape[:-1], 6))
        for joint in self.free_roots:
            x = q[..., list(self.robot.joint_coordinates(joint.name))]
            f = forces[..., list(self.robot.joint_dofs(joint.name))]
            outer = joint.placement.transform()
            R = outer.R @ rotation.from_quaternion(x[..., :4])
            p = outer.R @ x[..., 4:, None] + outer.l
            moment, force = R @ f[..., :3, None], R @ f[..., 3:, None]
            total = total + np.concatenate([moment + cross(p, force), force], axis=-2)[..., 0]
        return total


def free_roots(robot: Robot) -> tuple[Joint, ...]:
    """The joints on the ground if all of them are free and no closure holds on there; then momentum is kept inside."""
    if any(0 in closure.links for closure in robot.model.closures):
        return ()
    roots = tuple(robot.model.joints[k - 1] for k in robot.model.children[0])
    return roots if roots and all(joint.kind == "free" for joint in roots) else ()
