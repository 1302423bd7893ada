"""What a robot's own joints do: springs, damping, friction.

    T_joint = -K x - B v - F tanh(v / v_s),        x = difference(rest, q)

Dry friction F is smoothed over the speed v_s, below which it acts like damping; a sharp one would have no solution
that a stepper can follow. A tied mimic joint's share reaches the joint it follows through E*.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from soadyn.joint import rotation
from soadyn.model.model import Joint
from soadyn.robot import Robot


@final
class JointForces:
    """Springs, damping and friction of all joints of a robot."""

    def __init__(self, robot: Robot, friction_speed: float) -> None:
        self.space = robot._coordinates
        self.joints = robot.model.joints
        self.friction_speed = friction_speed

    def _figure(self, name: str) -> np.ndarray:
        return np.array([x for joint in self.joints for x in getattr(joint, name)], dtype=float)

    @cached_property
    def damping(self) -> np.ndarray:
        return self._figure("damping")

    @cached_property
    def friction(self) -> np.ndarray:
        return self._figure("friction")

    @cached_property
    def springs(self) -> list[int]:
        """The joints (0..n-1) with a spring."""
        return [k for k, joint in enumerate(self.joints) if any(joint.stiffness)]

    @cached_property
    def dissipates(self) -> bool:
        return bool(self.damping.any() or self.friction.any())

    def spring_force(self, q: np.ndarray) -> np.ndarray:
        """The force (..., nv) that pulls towards the rest positions; minus the gradient of `spring_energy`."""
        everything = self.space.expand(q)
        force = np.zeros((*q.shape[:-1], self.space.model.nv))
        for k in self.springs:
            joint, x = self.joints[k], everything[..., self.space.model.q_slices[k]]
            force[..., self.space.model.v_slices[k]] = _spring(joint, x)[1]
        return np.asarray(force @ self.space.E)

    def spring_energy(self, q: np.ndarray) -> np.ndarray:
        """The energy (...) stored in the springs."""
        everything = self.space.expand(q)
        energy = np.zeros(q.shape[:-1])
        for k in self.springs:
            energy = energy + _spring(self.joints[k], everything[..., self.space.model.q_slices[k]])[0]
        return energy

    def dissipation(self, v: np.ndarray) -> np.ndarray:
        """The force (..., nv) of damping and friction; it never speeds anything up."""
        everything = v @ self.space.E.T
        force = -self.damping * everything - self.friction * np.tanh(everything / self.friction_speed)
        return np.asarray(force @ self.space.E)


def _spring(joint: Joint, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A joint's spring energy and force.

    Where a joint turns freely the spring acts on the rotation vector r from the rest orientation,
    E = r* K r / 2; dr/dt = J_r⁻¹ ω makes the force -J_r⁻* K r, and J_r⁻* = J_l⁻¹. A free joint's linear springs act
    along the axes of the frame it moves in.
    """
    K, rest = np.array(joint.stiffness), np.array(joint.rest)
    if joint.kind == "free":
        turn_energy, turn = _turning_spring(K[:3], rest[:4], q[..., :4])
        away = q[..., 4:] - rest[4:]
        along = rotation.from_quaternion(q[..., :4]).mT @ (K[3:] * away)[..., None]
        energy = turn_energy + 0.5 * (K[3:] * away * away).sum(axis=-1)
        return energy, np.concatenate([turn, -along[..., 0]], axis=-1)
    if joint.kind == "spherical":
        return _turning_spring(K, rest, q)
    x = q - rest
    return 0.5 * (K * x * x).sum(axis=-1), -K * x


def _turning_spring(K: np.ndarray, rest: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    relative = rotation.product(rotation.conjugate(rotation.unit(rest)), rotation.unit(q))
    r = rotation.logarithm(relative)
    return 0.5 * (K * r * r).sum(axis=-1), -rotation.left_jacobian_solve(r, K * r)
