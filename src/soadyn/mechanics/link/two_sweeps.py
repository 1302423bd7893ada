"""Level 6 - forward dynamics in two sweeps instead of three: without velocities, or with those of the step before.

Both use the Lie form, in which a link's velocity terms depend on its own velocity and no other. With s = [0; ω × v]
and A = α - s, the terms a' and -Ṽ* M V take the places of a and b; then the recursions for α give A, and the same θ̈.
Spatial cross products (000 eqs. 5.5-5.6):

    X × f = -X̃* f    (f a force),        X × Y = X̃ Y    (Y a motion)
"""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.link.world_axes import axes_free
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.quadratic import UNITS, Quadratic
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


@axes_free
def link_velocity(joint: JointKind, phi: Transform, H: Rows, v: Array, V_parent: Spatial) -> tuple[Spatial]:
    """Level 6 - the link's velocity (001 eq. 7).

    V(k) = φ*(p,k) V(p) + H*(k) v(k)
    """
    return (phi.mT @ V_parent + H.mT @ v,)


@axes_free
def own_acceleration(joint: JointKind, H: Rows, v: Array, V: Spatial) -> tuple[Spatial]:
    """Level 6 - the Coriolis acceleration in the Lie form, from the link's own velocity.

    a(k) = V(k) × Δ + [0; g × δ],    Δ = [δ; g] = H*(k) v(k)

    g × δ only for joint maps fixed in the parent. From here on α(k) stands for α(k) - [0; ω × v].
    """
    relative = H.mT @ v
    return (V.cross(relative) + _turning(joint, relative),)


def own_force(joint: JointKind, M: Inertia, V: Spatial) -> tuple[Spatial]:
    """Level 6 - the gyroscopic force in the Lie form.

    b(k) = V(k) × M(k) V(k)
    """
    return (V.cross_force(M @ V),)


def _turning(joint: JointKind, relative: Spatial) -> Spatial:
    """How H* v changes in the link's axes because they turn under it: [0; g × δ] if the parent holds H*."""
    if joint.fixed_in == "body":
        return Spatial.zero()
    return Spatial(0 * relative.angular, cross(relative.linear, relative.angular))


def unknown_velocity(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    G: Spatial,
    P_plus: ArticulatedInertia,
    f_external: Spatial,
    v: Array,
    tau: Array,
    z_children: Quadratic | int,
) -> tuple[Quadratic, Quadratic]:
    """Level 6 - the filter while velocities are unknown: z and ε are quadratic in them (001 section VII.D).

    z(k; V)   = V × M(k) V - f_x(k) + Σⱼ φ(k,j) z⁺(j; φ*(k,j) V)
    ε(k; V)   = T(k) - H(k) z(k; V),    V = V⁺ + Δ,    Δ = [δ; g] = H*(k) v(k)
    z⁺(k; V⁺) = z(k; V) + P⁺(k) { V⁺ × Δ + [0; g × δ] } + G(k) ε(k; V)

    Each polynomial has 6 + 36 + 126 coefficients, those of 1, V_a and V_a V_b. g × δ only for joint maps fixed in
    the parent.
    """
    z = Quadratic.of_products(lambda X, Y: X.cross_force(M @ Y)) + z_children
    z = Quadratic(z.constant - f_external, z.linear, z.square)
    relative = H.mT @ v
    known = P_plus @ _turning(joint, relative) + G @ tau
    z_plus = z.shifted(relative).mapped(lambda x: x - G @ (H @ x))
    return z, (z_plus + Quadratic.affine(known, P_plus @ UNITS.cross(relative))).carried(phi)


def known_velocity(joint: JointKind, H: Rows, D: Pivot, tau: Array, z: Quadratic, V: Spatial) -> tuple[Spatial, Array]:
    """Level 6 - the filter's polynomials at the velocity that has become known (001 section VII.D).

    z(k) = z(k; V(k)),    ν(k) = D⁻¹(k) [ T(k) - H(k) z(k) ]
    """
    found = z.at(V)
    return found, D.solve(tau - H @ found)


def carried_velocity(joint: JointKind, link_frame: Transform, V_link: Spatial) -> tuple[Spatial]:
    """Level 7 - the velocity that the step before found, from the public link frame to the one the sweeps use.

    V(k) = φ*(link frame, k) V_link(k)
    """
    return (link_frame.inverse().mT @ V_link,)


def public_velocity(joint: JointKind, link_frame: Transform, V: Spatial) -> tuple[Spatial]:
    """Level 7 - the velocity at the public link frame, for the step after.

    V_link(k) = φ*(k, link frame) V(k)
    """
    return (link_frame.mT @ V,)


def integrated(joint: JointKind, q: Array, v: Array, theta_ddot: Array, h: Array) -> tuple[Array, Array]:
    """Level 7 - the joint moved on by a semi-implicit Euler step.

    v(k) ← v(k) + h θ̈(k)
    q(k) ← q(k) ∘ exp(h v(k))
    """
    v_new = v + h * theta_ddot
    return joint.integrate(q, np.asarray(h * v_new)[..., 0]), v_new
