"""Level 6 - forces carried inward: Newton-Euler, composite inertias, momentum, energy."""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.world_axes import axes_free
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def external_force(joint: JointKind, link_frame: Transform, external: Spatial) -> tuple[Spatial]:
    """Level 7 - a wrench given at the public link frame, carried to the frame the sweeps use.

    f_x(k) = φ(k, link frame) external(k)
    """
    return (link_frame @ external,)


def transmitted_force(
    joint: JointKind,
    phi: Transform,
    M: Inertia,
    alpha: Spatial,
    b: Spatial,
    f_external: Spatial,
    f_children: Spatial | int,
) -> tuple[Spatial, Spatial]:
    """Level 6 - Newton and Euler's equations: the force on a link from its parent (001 eqs. 10-11).

    f(k) = Σⱼ φ(k,j) f(j) + M(k) α(k) + b(k) - f_x(k)
    """
    f = M @ alpha + b - f_external + f_children
    return f, phi @ f


def link_force(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    alpha: Spatial,
    b: Spatial,
    f_external: Spatial,
    vdot: Array,
    f_children: Spatial | int,
) -> tuple[Spatial, Array]:
    """Level 6 - Newton and Euler's equations, and what the joint must supply (001 eqs. 10-12).

    f(k) = Σⱼ φ(k,j) f(j) + M(k) α(k) + b(k) - f_x(k)
    T(k) = H(k) f(k) + A_r(k) θ̈(k)
    """
    f, phi_f = transmitted_force(joint, phi, M, alpha, b, f_external, f_children)
    return phi_f, H @ f + A_r @ vdot


@axes_free
def composite_inertia(
    joint: JointKind, phi: Transform, M: Inertia, R_children: Inertia | int
) -> tuple[Inertia, Inertia]:
    """Level 6 - the inertia of a link with all beyond it locked (001 eqs. 28-33).

    R(k) = M(k) + Σⱼ φ(k,j) R(j) φ*(k,j)
    """
    R = M + R_children
    return R, phi.shift(R)


def mass_column(joint: JointKind, H: Rows, R: Inertia, A_r: Array) -> tuple[Array, Spatial]:
    """Level 6 - the mass matrix at its diagonal, and the force that climbs to fill the column (001 eqs. 30-33).

    x = R(k) H*(k),    Mass(k,k) = H(k) x + A_r(k)
    """
    x = R @ H.mT
    return H @ x + A_r, x


def joint_row(joint: JointKind, H: Rows, x: Spatial) -> Array:
    """Level 6 - what a joint feels of a force that climbs past it.

    Mass(i,k) = H(i) x,    x ← φ(i, previous) x
    """
    return H @ x


def momentum(joint: JointKind, phi: Transform, M: Inertia, V: Spatial, h_children: Spatial | int) -> tuple[Spatial]:
    """Level 6 - the momentum of a link and all beyond it, carried inward (004 eq. 7.3).

    h(k) = M(k) V(k) + Σⱼ φ(k,j) h(j)
    """
    return (phi @ (M @ V + h_children),)


def force_left(joint: JointKind, tau: Array, T: Array) -> tuple[Array]:
    """Level 6 - what is left of a joint's force to accelerate with (001 eq. 25).

    T(k) - C(k)
    """
    return (tau - T,)


def force_alone(joint: JointKind, tau: Array) -> tuple[Array]:
    """Level 6 - a joint's force, all of it left to accelerate with: the robot is at rest.

    T(k)
    """
    return (tau,)
