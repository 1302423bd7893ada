"""Level 6 - how accelerations, and forces of active joints, answer to small changes of the state.

Forward and hybrid dynamics are linearised in the operators of the filter and the smoother, a column for each component
of v. Let E be the mask's rows of ∂T/∂x (see `derivatives`); with

    ψ M φ* = ψ P + P φ̃*,    ψ 2N φ* = ψ N̂ + N̂ φ̃*,    N̂ = 2N + E_ψ N̂ E_φ*

what a change does to the links beyond its joint is known at the joint, P S_2 + N̂ S_1; only that goes inward.
"""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.link.derivatives import map_change
from soadyn.mechanics.spatial.arithmetic import Array, skew
from soadyn.mechanics.spatial.drift import Drift
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def articulated_drift(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    V: Spatial,
    D: Pivot,
    G: Spatial,
    passive: Array,
    N_children: Spatial | int,
) -> tuple[Spatial, Array, Spatial]:
    """Level 6 - N̂ on the turning part of motions (6x3), and what of it the joint turns into acceleration.

    N̂(k) = 2 N(k) + Σⱼ ψ(k,j) N̂(j) φ*(k,j),    ψ(k,j) = φ(k,j) [I - G(j) H(j)],    h(k) = D⁻¹ H N̂(k)
    """
    own = Drift.of(M, V)
    N_hat = Spatial(own.B, -skew(own.p)) + N_children
    y = H.scaled(passive) @ N_hat
    left = N_hat - G @ y
    turned = Spatial(phi.carried(left.angular.mT).mT, phi.carried(left.linear.mT).mT)
    return N_hat, D.solve(y), phi @ turned


def change_sources(
    joint: JointKind,
    H: Rows,
    P: ArticulatedInertia,
    N_hat: Spatial,
    z: Spatial,
    alpha: Spatial,
    S_1: Spatial,
    S_2: Spatial,
    S_3: Spatial,
) -> tuple[Spatial, Spatial, Spatial, Array]:
    """Level 6 - the forces that a joint's own changes cause there and beyond.

    s_q = P S_2 + N̂ S_1,    s_v = P S_3 + N̂ H*,    F = H* × f,    f = P α + z,    ∂H f
    """
    S = H.mT
    f = P @ alpha + z
    s_q, s_v = P @ S_2 + N_hat @ S_1.angular, P @ S_3 + N_hat @ S.angular
    return s_q, s_v, S.cross_force(f), map_change(joint, H, f)


def q_innovation(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    D: Pivot,
    G: Spatial,
    s_q: Spatial,
    F: Spatial,
    dH_f: Array,
    unit: Array,
    passive: Array,
    x_children: Spatial | int,
) -> tuple[Spatial, Array, Spatial]:
    """Level 6 - the filter for a unit change e of coordinates.

    x(k)  = Σⱼ φ(k,j) x⁺(j)
    y(k)  = H(k) { x(k) + s_q(k) e } + ∂H f e,    ν(k) = D⁻¹(k) y(k)              (passive components)
    x⁺(k) = x(k) + s_q(k) e - G(k) y(k) + F(k) e
    """
    x = Spatial.zero() + x_children
    total = x + s_q @ unit
    y = passive * (H @ total + dH_f @ unit)
    return x, D.solve(y), phi @ (total - G @ y + F @ unit)


def v_innovation(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    D: Pivot,
    G: Spatial,
    s_v: Spatial,
    unit: Array,
    passive: Array,
    x_children: Spatial | int,
) -> tuple[Spatial, Array, Spatial]:
    """Level 6 - the filter for a unit change e of rates.

    x(k)  = Σⱼ φ(k,j) x⁺(j)
    y(k)  = H(k) { x(k) + s_v(k) e },    ν(k) = D⁻¹(k) y(k)                       (passive components)
    x⁺(k) = x(k) + s_v(k) e - G(k) y(k)
    """
    x = Spatial.zero() + x_children
    total = x + s_v @ unit
    y = passive * (H @ total)
    return x, D.solve(y), phi @ (total - G @ y)


def q_response(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    P: ArticulatedInertia,
    G: Spatial,
    N_hat: Spatial,
    h: Array,
    S_1: Spatial,
    S_2: Spatial,
    dH_f: Array,
    x: Spatial,
    nu: Array,
    unit: Array,
    passive: Array,
    alpha_parent: Spatial,
    w_parent: Array,
) -> tuple[Array, Array, Spatial, Array]:
    """Level 6 - the smoother for a unit change e of coordinates: a column of ∂θ̈/∂q and of ∂T/∂q.

    α⁺ = φ* α(p),    w⁺ = R* w(p)
    θ̈(k) = -ν(k) - G*(k) α⁺ - h(k) w⁺                                       (passive components)
    α(k) = α⁺ + H*(k) θ̈(k) + S_2(k) e,    w(k) = w⁺ + S_1(k) e
    T(k) = H(k) { P(k) α(k) + N̂(k) w(k) + x(k) } + ∂H f e                    (active components)
    """
    theta, alpha, w = _moved(phi, H, G, h, S_1, S_2, nu, unit, passive, alpha_parent, w_parent)
    T = (1 - passive) * (H @ (P @ alpha + N_hat @ w + x) + dH_f @ unit)
    return theta, T, alpha, w


def v_response(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    P: ArticulatedInertia,
    G: Spatial,
    N_hat: Spatial,
    h: Array,
    S_3: Spatial,
    x: Spatial,
    nu: Array,
    unit: Array,
    passive: Array,
    alpha_parent: Spatial,
    w_parent: Array,
) -> tuple[Array, Array, Spatial, Array]:
    """Level 6 - the smoother for a unit change e of rates: a column of ∂θ̈/∂v and of ∂T/∂v.

    α⁺ = φ* α(p),    w⁺ = R* w(p)
    θ̈(k) = -ν(k) - G*(k) α⁺ - h(k) w⁺                                       (passive components)
    α(k) = α⁺ + H*(k) θ̈(k) + S_3(k) e,    w(k) = w⁺ + H*(k) e
    T(k) = H(k) { P(k) α(k) + N̂(k) w(k) + x(k) }                             (active components)
    """
    theta, alpha, w = _moved(phi, H, G, h, H.mT, S_3, nu, unit, passive, alpha_parent, w_parent)
    return theta, (1 - passive) * (H @ (P @ alpha + N_hat @ w + x)), alpha, w


def _moved(
    phi: Transform,
    H: Rows,
    G: Spatial,
    h: Array,
    turns: Spatial,
    accelerates: Spatial,
    nu: Array,
    unit: Array,
    passive: Array,
    alpha_parent: Spatial,
    w_parent: Array,
) -> tuple[Array, Spatial, Array]:
    alpha_plus, w_plus = phi.mT @ alpha_parent, phi.turned_back(w_parent)
    theta = -passive * (nu + G.mT @ alpha_plus + h @ w_plus)
    return theta, alpha_plus + H.mT @ theta + accelerates @ unit, w_plus + turns.angular @ unit


def not_turning(gravity: Array) -> Array:
    """The ground does not turn."""
    return np.zeros((3, 1))
