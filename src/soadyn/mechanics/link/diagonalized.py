"""Level 6 - one link's share of the diagonalized equations of motion (000 sections 5, 7 and 8).

    Mass = m m*,    m = (I + H φ K) L,    D = L L*,    ℓ = m⁻¹ = L⁻¹ (I - H ψ K)
    ν = m* θ̇,  ε = ℓ T:    ν̇ + C = ε,              kinetic energy |ν|² / 2
    ξ = L⁻* ν,  κ = L ε:    D ξ̇ + C_ξ = κ,          kinetic energy ξ* D ξ / 2

Here L is the Cholesky factor of D(k); `square_root` turns its results into those of the symmetric root. The paper's
D^1/2 is that of joints with one component, and its Ω̃_δ that of joints that turn. For all joints, with Δ = H* θ̇:

    X = -Δ̃*,    H* η = Y* H* where Y is X, or its part [0, g̃; 0, 0] for joint maps fixed in the parent
    Γ = A_r η + η* A_r    how the armature changes, seen from the parent
"""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.block_operators import OPERATORS
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial

_root, _root_adjoint, _root_solved, _root_adjoint_solved = (
    OPERATORS[name][1] for name in ("D^1/2", "D^*/2", "D^-1/2", "D^-*/2")
)


# Tables 1 and 2


def total_rate(
    joint: JointKind, phi: Transform, H: Rows, G: Spatial, v: Array, V_parent: Spatial
) -> tuple[Array, Spatial]:
    """Level 6 - the joint's rate and what the moving base makes of it (000 eqs. 5.3, 7.7).

    V⁺(k) = φ*(p,k) V(p)
    ξ(k)  = θ̇(k) + G*(k) V⁺(k)                [000 (5.3), (7.7)]
    V(k)  = V⁺(k) + H*(k) θ̇(k)
    """
    V_plus = phi.mT @ V_parent
    return v + G.mT @ V_plus, V_plus + H.mT @ v


def rate_from_total(
    joint: JointKind, phi: Transform, H: Rows, G: Spatial, xi: Array, V_parent: Spatial
) -> tuple[Array, Spatial]:
    """Level 6 - the joint's own rate (000 eqs. 5.3, 7.7).

    V⁺(k) = φ*(p,k) V(p)
    θ̇(k)  = ξ(k) - G*(k) V⁺(k)                [000 Table 1]
    V(k)  = V⁺(k) + H*(k) θ̇(k)
    """
    V_plus = phi.mT @ V_parent
    v = xi - G.mT @ V_plus
    return v, V_plus + H.mT @ v


def working_force(
    joint: JointKind, phi: Transform, H: Rows, G: Spatial, tau: Array, z_children: Spatial | int
) -> tuple[Array, Spatial]:
    """Level 6 - what of a joint's force is not spent on holding what the links beyond push with (000 eqs. 5.4, 7.9).

    z(k)  = Σⱼ φ(k,j) z⁺(j)
    κ(k)  = T(k) - H(k) z(k)                  [000 Table 2]
    z⁺(k) = z(k) + G(k) κ(k)
    """
    z = Spatial.zero() + z_children
    kappa = tau - H @ z
    return kappa, phi @ (z + G @ kappa)


def force_from_working(
    joint: JointKind, phi: Transform, H: Rows, G: Spatial, kappa: Array, z_children: Spatial | int
) -> tuple[Array, Spatial]:
    """Level 6 - the joint's force (000 eqs. 5.4, 7.9).

    z(k)  = Σⱼ φ(k,j) z⁺(j)
    T(k)  = κ(k) + H(k) z(k)                  [000 Table 2]
    z⁺(k) = z(k) + G(k) κ(k)
    """
    z = Spatial.zero() + z_children
    return kappa + H @ z, phi @ (z + G @ kappa)


def normalized_rate(joint: JointKind, D: Pivot, xi: Array) -> tuple[Array]:
    """Level 6 - the normalized rate (000 eq. 1.3).

    ν(k) = L*(k) ξ(k),    D(k) = L(k) L*(k)
    """
    return (_root_adjoint(D, xi),)


def total_from_normalized(joint: JointKind, D: Pivot, nu: Array) -> tuple[Array]:
    """Level 6 - the total rate that a normalized one is (000 eq. 7.7).

    ξ(k) = L⁻*(k) ν(k),    D(k) = L(k) L*(k)
    """
    return (_root_adjoint_solved(D, nu),)


def normalized_force(joint: JointKind, D: Pivot, kappa: Array) -> tuple[Array]:
    """Level 6 - the normalized force (000 eq. 1.4).

    ε(k) = L⁻¹(k) κ(k),    D(k) = L(k) L*(k)
    """
    return (_root_solved(D, kappa),)


def working_from_normalized(joint: JointKind, D: Pivot, epsilon: Array) -> tuple[Array]:
    """Level 6 - the working force that a normalized one is (000 eq. 7.9).

    κ(k) = L(k) ε(k),    D(k) = L(k) L*(k)
    """
    return (_root(D, epsilon),)


# Coriolis terms


def inertia_rate(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    A_r: Array,
    P: ArticulatedInertia,
    G: Spatial,
    v: Array,
    lambda_children: ArticulatedInertia | int,
) -> tuple[ArticulatedInertia, ArticulatedInertia]:
    """Level 6 - how the articulated inertia changes, seen from the parent (000 Algorithm 6.1).

    λ̇(k) = Σⱼ φ(k,j) λ̇⁺(j) φ*(k,j) + X(k) P(k) + P(k) X*(k)        [000 (6.4)-(6.5)]
    λ̇⁺(k) = τ̄(k) λ̇(k) τ̄*(k) + G(k) Γ(k) G*(k)

    X = -Δ̃*, Δ = H* θ̇. Γ = A_r η + η* A_r is the armature's rate where joint axes turn.
    """
    rate = P.moving(H.mT @ v) + lambda_children
    N = rate @ H.mT
    W = N - G @ (0.5 * (H @ N + _armature_rate(joint, A_r, v)))
    return rate, phi.shift(rate.less_both(G, W))


def total_innovation(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    P: ArticulatedInertia,
    G: Spatial,
    v: Array,
    V: Spatial,
    lambda_dot: ArticulatedInertia,
    b: Spatial,
    tau: Array,
    y_children: Spatial | int,
) -> tuple[Array, Array, Spatial]:
    """Level 6 - the joint's force less all that passes through it (000 Algorithm 8.1; without T and b also (7.10)).

    ξ(k) = θ̇(k) + G*(k) V⁺(k),    V⁺(k) = V(k) - H*(k) θ̇(k)
    y(k) = Σⱼ φ(k,j) y⁺(j) + λ̇(k) H*(k) ξ(k) - [X(k) P(k) + Ṽ*(k) M(k)] V(k) + b(k)      [000 (7.10), (8.3)]
    κ(k) = T(k) - H(k) y(k) - w(k)
    y⁺(k) = y(k) + G(k) κ(k)

    b are weight and wrenches. w = Γ ξ - η* A_r θ̇ only where joint axes turn under an armature.
    """
    relative, xi = _relative_and_total(H, G, v, V)
    y = lambda_dot @ (H.mT @ xi) - relative.cross_force(P @ V) + V.cross_force(M @ V) + b + y_children
    turning = joint.map_turning(v[..., 0])
    kappa = tau - H @ y - _armature_rate(joint, A_r, v) @ xi
    if turning is not None:
        kappa = kappa + turning.mT @ (A_r @ v)
    return xi, kappa, phi @ (y + G @ kappa)


def load(joint: JointKind, M: Inertia, alpha: Spatial, f_external: Spatial) -> tuple[Spatial]:
    """Level 6 - what weighs on a link at rest: its weight less the wrench on it.

    b(k) = M(k) α(k) - f_x(k)
    """
    return (M @ alpha - f_external,)


def total_bias(joint: JointKind, D: Pivot, v: Array, xi: Array, kappa: Array) -> tuple[Array]:
    """Level 6 - the Coriolis term of the un-normalized equations (000 eqs. 7.9-7.10).

    C_ξ(k) = -κ(k) - D(k) η(k) ξ(k)

    η is not zero where joint axes turn: for planar, spherical and free joints.
    """
    turning = joint.map_turning(v[..., 0])
    return (-kappa if turning is None else -kappa - D.D @ (turning @ xi),)


def total_acceleration(joint: JointKind, D: Pivot, v: Array, xi: Array, kappa: Array) -> tuple[Array]:
    """Level 6 - how the total rate changes (000 eq. 8.1).

    ξ̇(k) = D⁻¹(k) κ(k) + η(k) ξ(k)

    η is not zero where joint axes turn: for planar, spherical and free joints.
    """
    turning = joint.map_turning(v[..., 0])
    solved = D.solve(kappa)
    return (solved if turning is None else solved + turning @ xi,)


def normalized_coriolis(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    P: ArticulatedInertia,
    G: Spatial,
    v: Array,
    V: Spatial,
    lambda_dot: ArticulatedInertia,
    y_children: Spatial | int,
) -> tuple[Array, Array, Spatial]:
    """Level 6 - the Coriolis force of the normalized equations, carried inward (000 Algorithm 7.1).

    y(k) = Σⱼ φ(k,j) y⁺(j) - [2 Ṽ*(k) M(k) + X(k) P(k) - P(k) X*(k)] V(k) - λ̇(k) τ̄*(k) V⁺(k)    [000 (7.2)]
    x(k) = H(k) y(k) + w(k)
    y⁺(k) = τ̄(k) [ y(k) + λ̇(k) V(k) ] - G(k) w(k)

    τ̄* V⁺ = V - H* ξ. w = Γ ξ + (A_r η - η* A_r) θ̇ only where joint axes turn under an armature.
    """
    relative, xi = _relative_and_total(H, G, v, V)
    gyroscopic, coupled = V.cross_force(M @ V), relative.cross_force(P @ V) + P @ relative.cross(V)
    y = gyroscopic + gyroscopic - coupled - lambda_dot @ (V - H.mT @ xi) + y_children
    w = _armature_rate(joint, A_r, v) @ xi
    turning = joint.map_turning(v[..., 0])
    if turning is not None:
        w = w + (A_r @ turning - turning.mT @ A_r) @ v
    carried = y + lambda_dot @ V
    return xi, H @ y + w, phi @ (carried - G @ (H @ carried + w))


def normalized_bias(
    joint: JointKind,
    H: Rows,
    A_r: Array,
    D: Pivot,
    v: Array,
    xi: Array,
    lambda_dot: ArticulatedInertia,
    x: Array,
) -> tuple[Array, Array]:
    """Level 6 - the Coriolis term of the normalized equations, and the rate of the pivot (000 eq. 7.1, Table 3).

    C(k) = ½ L⁻¹(k) [ x - Γ θ̇ + (η* D - D η) ξ ](k) + Z(k) ν(k)
    Ḋ(k) = H(k) λ̇(k) H*(k) + [ Γ - η* D - D η ](k)

    Z = ½ [strictly lower - strictly upper part of L⁻¹ Ḋ L⁻*], zero for joints with one component.
    """
    D_rate = pivot_rate(joint, H, A_r, D, v, lambda_dot)
    x = x - _armature_rate(joint, A_r, v) @ v
    turning = joint.map_turning(v[..., 0])
    if turning is not None:
        x = x + (turning.mT @ D.D - D.D @ turning) @ xi
    C = _root_solved(D, 0.5 * x)
    return (C if joint.nv == 1 else C + root_turning(joint, D, D_rate) @ _root_adjoint(D, xi)), D_rate


def pivot_rate(joint: JointKind, H: Rows, A_r: Array, D: Pivot, v: Array, lambda_dot: ArticulatedInertia) -> Array:
    """Ḋ = H λ̇ H* + Γ - η* D - D η."""
    rate = H @ (lambda_dot @ H.mT) + _armature_rate(joint, A_r, v)
    turning = joint.map_turning(v[..., 0])
    return rate if turning is None else rate - turning.mT @ D.D - D.D @ turning


def root_turning(joint: JointKind, D: Pivot, D_rate: Array) -> Array:
    """Z = L⁻¹ L̇ - ½ L⁻¹ Ḋ L⁻* of the Cholesky factor L."""
    relative = _root_solved(D, _root_solved(D, D_rate).mT)
    lower = np.tril(np.ones((joint.nv, joint.nv)), -1)
    return 0.5 * (lower - lower.T) * relative


def _relative_and_total(H: Rows, G: Spatial, v: Array, V: Spatial) -> tuple[Spatial, Array]:
    """H* θ̇ and ξ = θ̇ + G* V⁺, V⁺ = V - H* θ̇ (000 eqs. 5.3, 7.7)."""
    relative = H.mT @ v
    return relative, v + G.mT @ (V - relative)


def _armature_rate(joint: JointKind, A_r: Array, v: Array) -> Array:
    """Γ = A_r η + η* A_r."""
    turning = joint.map_turning(v[..., 0])
    return np.zeros((joint.nv, joint.nv)) if turning is None else A_r @ turning + turning.mT @ A_r
