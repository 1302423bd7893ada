"""Facts of mechanics that the results for any robot must obey, each computed in two ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.cli.case import Case, apart, matrix_size, relative, size, slope
from soadyn.control.feedback.normalized import times

ROUNDING = 1e-10  # two ways of computing the same number
DIFFERENCES = 1e-6  # a derivative against finite differences


@final
@dataclass(frozen=True, slots=True)
class Check:
    """A fact in plain words, how far the robot's results are from it, and how far they may be."""

    fact: str
    error: Callable[[Case], np.ndarray]
    allowed: float = ROUNDING


def symmetric(case: Case) -> np.ndarray:
    return relative(matrix_size(case.mass - case.mass.mT), matrix_size(case.mass))


def positive(case: Case) -> np.ndarray:
    """Zero, or how far the smallest eigenvalue of the mass matrix, scaled to a unit diagonal, is from positive."""
    diagonal = np.diagonal(case.mass, axis1=-2, axis2=-1)
    if not (diagonal > 0).all():
        return np.asarray(1.0)
    scale = 1 / np.sqrt(diagonal)
    smallest = np.linalg.eigvalsh(scale[..., :, None] * case.mass * scale[..., None, :])[..., 0]
    return np.where(smallest > 1e-14, 0.0, 1 - smallest)


def inverse(case: Case) -> np.ndarray:
    X = case.compute.mass_matrix_inverse(case.q)
    apart_from_identity = matrix_size(case.mass @ X - np.eye(case.robot.nv))
    return relative(apart_from_identity, matrix_size(case.mass) * matrix_size(X))


def factors(case: Case) -> np.ndarray:
    U, D = case.compute.mass_matrix_factors(case.q)
    return relative(matrix_size(U @ D @ U.mT - case.mass), matrix_size(case.mass))


def inverse_dynamics(case: Case) -> np.ndarray:
    return case.residual(case.a, case.compute.inverse_dynamics(case.q, case.v, case.a), case.bias)


def forward_dynamics(case: Case) -> np.ndarray:
    tau = case.compute.inverse_dynamics(case.q, case.v, case.a)
    return case.residual(case.compute.forward_dynamics(case.q, case.v, tau), tau, case.bias)


def pushed(case: Case) -> np.ndarray:
    bias = case.compute.inverse_dynamics(case.q, case.v, 0 * case.a, case.external)
    tau = case.compute.inverse_dynamics(case.q, case.v, case.a, case.external)
    return case.residual(case.compute.forward_dynamics(case.q, case.v, tau, case.external), tau, bias)


def hybrid(case: Case) -> np.ndarray:
    known = case.compute.inverse_dynamics(case.q, case.v, case.a)
    a, tau = case.compute.hybrid_dynamics(case.q, case.v, a=case.a, tau=known, passive=case.passive)
    kept = size(np.where(case.passive, tau - known, a - case.a)) > 0
    return np.where(kept, 1.0, case.residual(a, tau, case.bias))


def kinetic(case: Case) -> np.ndarray:
    return apart(case.compute.kinetic_energy(case.q, case.v), 0.5 * (case.v * times(case.mass, case.v)).sum(axis=-1))


def gravity(case: Case) -> np.ndarray:
    gradient = slope(lambda s: case.compute.potential_energy(case.robot.integrate(case.q, s * case.direction)))
    floor = np.abs(case.compute.potential_energy(case.q)).max()
    return apart((case.compute.gravity_force(case.q) * case.direction).sum(axis=-1), gradient, floor)


def power(case: Case) -> np.ndarray:
    """d/dt (kinetic + potential) = v* tau."""

    def energy(s: float) -> np.ndarray:
        q, v = case.robot.integrate(case.q, s * case.v), case.v + s * case.a
        return np.asarray(case.compute.kinetic_energy(q, v) + case.compute.potential_energy(q))

    tau = case.compute.inverse_dynamics(case.q, case.v, case.a)
    return apart(slope(energy), (case.v * tau).sum(axis=-1), np.abs(energy(0.0)).max())


def jacobian(case: Case) -> np.ndarray:
    """Jacobian times rates against differences of poses, at the tips."""
    worst = np.zeros(())
    for tip in case.tips:
        R = case.compute.pose(case.q, tip)[..., :3, :3]

        def moved(s: float, tip: str = tip) -> np.ndarray:
            return np.asarray(case.compute.pose(case.robot.integrate(case.q, s * case.direction), tip))

        rate = slope(moved)
        spin = rate[..., :3, :3] @ R.mT
        angular = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
        J = case.compute.jacobian(case.q, tip)
        twist = np.concatenate([angular, rate[..., :3, 3]], axis=-1)
        worst = np.maximum(worst, apart(times(J, case.direction), twist))
    return worst


def acceleration(case: Case) -> np.ndarray:
    """frame_acceleration against differences of frame_velocity, at the tips."""
    worst = np.zeros(())
    for tip in case.tips:

        def velocity(s: float, tip: str = tip) -> np.ndarray:
            q, v = case.robot.integrate(case.q, s * case.direction), case.direction + s * case.a
            return np.asarray(case.compute.frame_velocity(q, v, tip))

        found = case.compute.frame_acceleration(case.q, case.direction, case.a, tip)
        worst = np.maximum(worst, apart(found, slope(velocity)))
    return worst


def momentum(case: Case) -> np.ndarray:
    A = case.compute.centroidal_momentum_matrix(case.q)
    return apart(case.compute.momentum(case.q, case.v, about="com"), times(A, case.v))


def mass_centre(case: Case) -> np.ndarray:
    J = case.compute.center_of_mass_jacobian(case.q)
    moved = slope(lambda s: case.compute.center_of_mass(case.robot.integrate(case.q, s * case.direction)))
    return apart(times(J, case.direction), moved)


def regressor(case: Case) -> np.ndarray:
    space = case.robot.engine.coordinates
    armature = np.array([x for joint in case.robot.model.joints for x in joint.armature])
    rotors = times(space.E.T @ np.diag(armature) @ space.E, case.a) if len(armature) else 0 * case.a
    Y = case.compute.inertia_regressor(case.q, case.v, case.a)
    tau = case.compute.inverse_dynamics(case.q, case.v, case.a)
    return apart(tau, Y @ case.robot.inertial_parameters() + rotors)


def difference(case: Case) -> np.ndarray:
    other = case.robot.integrate(case.q, case.direction)
    return apart(case.robot.difference(case.q, other), case.direction)


CHECKS = (
    Check("the mass matrix is symmetric", symmetric, 1e-12),
    Check("the mass matrix is positive definite", positive, 1e-14),
    Check("mass matrix times its inverse is the identity", inverse),
    Check("the factors U D U* give the mass matrix back", factors),
    Check("inverse dynamics is mass matrix times acceleration plus bias", inverse_dynamics),
    Check("forward dynamics undoes inverse dynamics", forward_dynamics),
    Check("the same with wrenches on every link", pushed),
    Check("hybrid dynamics with random sets of passive joints obeys the equations of motion", hybrid),
    Check("kinetic energy is half of v* Mass v", kinetic),
    Check("gravity force is the gradient of potential energy", gravity, DIFFERENCES),
    Check("energy changes by the power of the joint forces", power, DIFFERENCES),
    Check("Jacobians agree with differences of poses", jacobian, DIFFERENCES),
    Check("frame accelerations agree with differences of frame velocities", acceleration, DIFFERENCES),
    Check("momentum is the centroidal momentum matrix times v", momentum),
    Check("the mass centre moves as its Jacobian says", mass_centre, DIFFERENCES),
    Check("joint forces are linear in the inertial parameters (regressor)", regressor),
    Check("difference undoes integrate", difference),
)
