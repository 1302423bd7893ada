"""Level 6 - quantities of the whole robot, read off what arrives at the ground.

From a robot without moving links nothing arrives: the integer 0, an empty sum.
"""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, cross, factor, solve_factored
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def center_of_mass(R_ground: Inertia | int) -> tuple[Array]:
    """Level 6 - the mass centre, from the composite inertia seen at the ground.

    c = m p / m
    """
    R = Inertia.zero() + R_ground
    return (R.mp / R.m,)


def potential_energy(R_ground: Inertia | int, gravity: Array) -> tuple[Array]:
    """Level 6 - the potential energy, zero at the world's origin.

    E = - Σ m g · c
    """
    R = Inertia.zero() + R_ground
    return (-(gravity.mT @ R.mp),)


def momentum_about(h_ground: Spatial | int, R_ground: Inertia | int, about: Array, about_com: Array) -> tuple[Spatial]:
    """Level 6 - the momentum about a point p, in world axes (004 eq. 7.3).

    h(p) = [h_angular - p × h_linear; h_linear]
    """
    h, R = Spatial.zero() + h_ground, Inertia.zero() + R_ground
    # Without the mass centre nothing is divided by the mass, which may be zero.
    point = about + about_com * R.mp / (about_com * R.m + (1 - about_com))
    return (Spatial(h.angular - cross(point, h.linear), h.linear),)


def momentum_column(joint: JointKind, pose: Transform, H: Rows, R: Inertia, com: Array) -> tuple[Spatial]:
    """Level 6 - a joint's columns of the centroidal momentum matrix.

    A(k) = φ(c,k) R(k) H*(k)
    """
    return (Transform(pose.R, pose.l - com) @ (R @ H.mT),)


def com_jacobian_column(joint: JointKind, momentum_column: Spatial, R_ground: Inertia) -> tuple[Array]:
    """Level 6 - a joint's columns of the mass centre's Jacobian: linear momentum over mass.

    J_c(k) = A_linear(k) / m
    """
    return (momentum_column.linear / R_ground.m,)


def solved_from_the_tips(mass: Array, T: Array, scale: Array) -> tuple[Array]:
    """Level 6 - accelerations from the mass matrix, factored from the last joint to the first (001 eq. 43).

    Mass = U D U*,    θ̈ = U⁻* D⁻¹ U⁻¹ T

    In that order the zeros between different branches of the tree stay zeros, and D is that of the articulated bodies.
    """
    backwards = slice(None, None, -1)
    L, d, _ = factor(mass[..., backwards, backwards], [scale[..., i, 0] for i in reversed(range(scale.shape[-2]))])
    return (solve_factored(L, d, T[..., backwards, :])[..., backwards, :],)
