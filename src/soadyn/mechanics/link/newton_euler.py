"""Level 6 - Newton and Euler's equations by the acceleration field of each body, for inverse dynamics.

A body that turns with ω and ω̇ accelerates at a point l by U l more than at its origin,

    U = ω̃̇ + ω̃ ω̃

which serves the joints that it carries (l is where they stand), its first moment and its moments of inertia: products
of ω are taken once for all of them.
"""

from __future__ import annotations

from typing import Any

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, column, cross, matrix
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def point_acceleration(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    v: Array,
    vdot: Array,
    V: Spatial,
    V_parent: Spatial,
    alpha_parent: Spatial,
) -> tuple[Spatial]:
    """Level 6 - the link's acceleration (001 eq. 8), the centripetal term within U. The ground accelerates with -g.

    α(k) = φ*(p,k) α(p) + H*(k) θ̈(k) + a(k)
         = [ω̇(p) + ω(p) × δ; v̇(p) + U(p) l + (ω_H + ω(p)) × g] + H*(k) θ̈(k),    [δ; g] = H*(k) v(k)
    """
    relative = H.mT @ v
    omega_plus = phi.turned_back(V_parent.angular)
    omega_H = omega_plus if joint.fixed_in == "parent" else V.angular
    U = acceleration_field(V_parent.angular, alpha_parent.angular)
    carried = Spatial(
        phi.turned_back(alpha_parent.angular) + cross(omega_plus, relative.angular),
        phi.turned_back(alpha_parent.linear + U @ phi.l) + cross(omega_H + omega_plus, relative.linear),
    )
    return (carried + H.mT @ vdot,)


def joint_force(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    V: Spatial,
    alpha: Spatial,
    f_external: Spatial,
    vdot: Array,
    f_children: Spatial | int,
) -> tuple[Spatial, Array]:
    """Level 6 - the force on a link, and what the joint must supply (001 eqs. 10-12).

    f(k) = Σⱼ φ(k,j) f(j) + M(k) α(k) + b(k) - f_x(k)
    T(k) = H(k) f(k) + A_r(k) θ̈(k)
    """
    f = inertial_force(M, V.angular, alpha) - f_external + f_children
    return phi @ f, H @ f + A_r @ vdot


def inertial_force(M: Inertia, omega: Array, alpha: Spatial) -> Spatial:
    """M α + b = [J ω̇ + ω × J ω + m p × v̇; m v̇ + U m p]."""
    U = acceleration_field(omega, alpha.angular)
    return Spatial(
        _turning_moment(M.J, U, omega, alpha.angular) + cross(M.mp, alpha.linear), M.m * alpha.linear + U @ M.mp
    )


def acceleration_field(omega: Array, omega_dot: Array) -> Array:
    """U = ω̃̇ + ω̃ ω̃."""
    xx, yy, zz, xy, xz, yz = _products(omega)
    x, y, z = _components(omega_dot)
    return matrix([[-(yy + zz), xy - z, xz + y], [xy + z, -(xx + zz), yz - x], [xz - y, yz + x, -(xx + yy)]])


def _turning_moment(J: Array, U: Array, omega: Array, omega_dot: Array) -> Array:
    """J ω̇ + ω × J ω. Each product of inertia meets one entry of U, or the difference of two squares."""
    xx, yy, zz, xy, xz, yz = _products(omega)
    x, y, z = _components(omega_dot)
    (J_xx, J_xy, J_xz), (_, J_yy, J_yz), (*_, J_zz) = ([J[..., i, j] for j in range(3)] for i in range(3))
    (_, U_xy, U_xz), (U_yx, _, U_yz), (U_zx, U_zy, _) = ([U[..., i, j] for j in range(3)] for i in range(3))
    return column(
        J_xx * x + (J_zz - J_yy) * yz + J_yz * (yy - zz) + J_xz * U_yx - J_xy * U_zx,
        J_yy * y + (J_xx - J_zz) * xz + J_xz * (zz - xx) + J_xy * U_zy - J_yz * U_xy,
        J_zz * z + (J_yy - J_xx) * xy + J_xy * (xx - yy) + J_yz * U_xz - J_xz * U_yz,
    )


def _components(x: Array) -> tuple[Any, Any, Any]:
    return x[..., 0, 0], x[..., 1, 0], x[..., 2, 0]


def _products(omega: Array) -> tuple[Any, ...]:
    x, y, z = _components(omega)
    return x * x, y * y, z * z, x * y, x * z, y * z
