"""Level 6 - a robot's motion in coordinates and momenta: p = ∂L/∂v and what changes it (for symplectic steps)."""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def canonical(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    v: Array,
    V: Spatial,
    T: Array,
    h_children: Spatial | int,
) -> tuple[Spatial, Array, Array]:
    """Level 6 - the joint's momentum, and the force on it: that of the Lagrangian and all others.

    h(k) = Σⱼ φ(k,j) h(j) + M(k) V(k)
    p(k) = H(k) h(k) + A_r(k) v(k)                                          ∂K/∂v
    f(k) = S*(k) h(k) + T(k),    S(k) = V⁺(k) × H*(k) + [0; g × δ_H]        ∂K/∂q + T
    f(k) ← f(k) - ad*(v) A_r(k) v(k)                                        at joints that turn freely

    K is the kinetic energy, T = Mass θ̈ + the velocities' forces: all forces that act, gravity among them. V⁺ = V - H* v
    is the parent's velocity, g the slide's, δ_H the turns in H*, for joint maps fixed in the parent. Rotors do not turn
    with the link, so their momentum A_r v does not either, as it would with the rest of p.
    """
    h = M @ V + h_children
    relative = H.mT @ v
    columns = H.mT
    S = (V - relative).cross(columns)
    if joint.fixed_in == "parent":
        S = S + Spatial(0 * columns.angular, cross(relative.linear, columns.angular))
    rotors, bracket = A_r @ v, joint.bracket(v[..., 0])
    if bracket is not None:
        T = T - bracket.mT @ rotors
    return phi @ h, H @ h + rotors, S.mT @ h + T
