"""Level 6 - forces carried inward: Newton-Euler, composite inertias, momentum, energy."""

from __future__ import annotations

from soadyn.joint import JointKind
from soadyn.link.motion import gyroscopic
from soadyn.spatial.arithmetic import Array, cross
from soadyn.spatial.inertia import Inertia
from soadyn.spatial.transform import Transform
from soadyn.spatial.vector import Rows, Spatial


def external_force(joint: JointKind, link_frame: Transform, external: Spatial) -> tuple[Spatial]:
    """Level 7 - a wrench given at the public link frame, carried to the frame the sweeps use.

    f_x(k) = φ(k, link frame) external(k)
    """
    return (link_frame @ external,)


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
    f = M @ alpha + b - f_external + f_children
    return phi @ f, H @ f + A_r @ vdot


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


def composite_bias(
    joint: JointKind, phi: Transform, H: Rows, R: Inertia, v: Array, V: Spatial, alpha: Spatial, y: Spatial | int
) -> tuple[Spatial, Array]:
    """Level 6 - the bias force where composite inertias are known, so that no link beyond a joint is looked at again.

    T(k) = H(k) [ R(k) α(k) + b_R(k) + Σⱼ φ(k,j) y(j) ]        b_R(k): b of the composite body, as if rigid
    y(k) = Σⱼ φ(k,j) y(j) + [S w × δ + m p × e; w × (δ × m p) + m e]

    The last is what the joint's own rates [δ; g] = H*(k) v(k) add to the force on that body: w = 2 ω(k) - δ and
    e = (ω_H + ω(p)) × g, with S, m p, m of R(k). It follows from φ M φ* = R + φ̃ R + R φ̃* (003 L.1) and
    x × (w × (δ × x)) = -(w·x) δ × x.
    """
    omega, relative = V.angular, H.mT @ v
    delta = relative.angular
    omega_parent = omega - delta
    w = omega + omega_parent
    e = cross((omega_parent if joint.fixed_in == "parent" else omega) + omega_parent, relative.linear)
    own = Spatial(
        cross(R.second_moment() @ w, delta) + cross(R.mp, e),
        cross(w, cross(delta, R.mp)) + R.m * e,
    )
    return phi @ (own + y), H @ (R @ alpha + gyroscopic(R, omega) + y)


def composite_weight(joint: JointKind, H: Rows, R: Inertia, alpha: Spatial) -> tuple[Array]:
    """Level 6 - what a joint carries of the composite body beyond it, all at rest.

    T(k) = H(k) R(k) α(k)
    """
    return (H @ (R @ alpha),)


def momentum(joint: JointKind, phi: Transform, M: Inertia, V: Spatial, h_children: Spatial | int) -> tuple[Spatial]:
    """Level 6 - the momentum of a link and all beyond it, carried inward (004 eq. 7.3).

    h(k) = M(k) V(k) + Σⱼ φ(k,j) h(j)
    """
    return (phi @ (M @ V + h_children),)
