"""Level 6 - how motions, forces and the terms that depend on velocity answer to small changes of the state.

A change of joint j's coordinates along its own motion, δφ(p,j) = φ(p,j) X, moves all beyond it as one body:

    S_1 = ∂V/∂q = V⁺ × H*,    S_2 = A⁺ × H* + V⁺ × S_1,    S_3 = V⁺ × H* + V × H*,    F = H* × f

with V⁺ = φ* V(p), A⁺ = φ* A(p), and the Lie form of the acceleration A = α - [0; ω × v]. Where H* is fixed in the
parent it turns in the link's axes, ∂ⱼH* = -h(j) × H*, which adds to S_1, S_2, S_3 and to the joint's own forces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.newton_euler import inertial_force
from soadyn.mechanics.link.world_axes import axes_free
from soadyn.mechanics.spatial.arithmetic import Array, beside, cross
from soadyn.mechanics.spatial.drift import Drift
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def turning_map(joint: JointKind) -> bool:
    """Does H* change with the joint's own coordinates, seen from the link?"""
    return joint.fixed_in == "parent" and joint.nv > 1


def _turned(h: Array, x: Spatial) -> Spatial:
    """-h × x, both parts."""
    return Spatial(cross(x.angular, h), cross(x.linear, h))


@axes_free
def motion_changes(
    joint: JointKind, phi: Transform, H: Rows, v: Array, vdot: Array, V: Spatial, V_parent: Spatial, A_parent: Spatial
) -> tuple[Spatial, Spatial, Spatial]:
    """Level 6 - what velocity and acceleration gain from a joint's own changes.

    S_1 = V⁺ × H*,    S_2 = A⁺ × H* + V⁺ × S_1,    S_3 = V⁺ × H* + V × H*,    V⁺ = φ* V(p),    A⁺ = φ* A(p)

    A is α in the Lie form. Maps fixed in the parent add what ∂H* = -h × H* gives.
    """
    S = H.mT
    V_plus, A_plus = phi.mT @ V_parent, phi.mT @ A_parent
    S_1 = V_plus.cross(S)
    if joint.nv == 1:
        return S_1, A_plus.cross(S) + V_plus.cross(S_1), Spatial(2 * S_1.angular, 2 * S_1.linear)
    S_3 = S_1 + V.cross(S)
    if not turning_map(joint):
        return S_1, A_plus.cross(S) + V_plus.cross(S_1), S_3
    relative = S @ v
    turned = _turned(S.angular, relative)  # ∂ⱼH* v, a column for each j
    S_1 = S_1 + turned
    h = relative.angular
    S_2 = A_plus.cross(S) + V_plus.cross(S_1) + _turned(S.angular, S @ vdot) + V.cross(turned) + _turned(h, turned)
    return S_1, S_2, S_3 + turned + _turned(h, S)


@axes_free
def composite_force(
    joint: JointKind, phi: Transform, M: Inertia, V: Spatial, A: Spatial, f_external: Spatial, f_children: Spatial | int
) -> tuple[Spatial, Spatial]:
    """Level 6 - the force that crosses a link's joint (001 eqs. 10-12).

    f(k) = Σⱼ φ(k,j) f(j) + M(k) (A(k) + [0; ω × v]) + b(k) - f_x(k)
    """
    alpha = Spatial(A.angular, A.linear + cross(V.angular, V.linear))
    f = inertial_force(M, V.angular, alpha) - f_external + f_children
    return f, phi @ f


@axes_free
def composite_drift(
    joint: JointKind, phi: Transform, M: Inertia, V: Spatial, N_children: Drift | int
) -> tuple[Drift, Drift]:
    """Level 6 - what a change of its turning rate does to a link with all beyond it.

    N_c(k) = N(k) + Σⱼ φ(k,j) N_c(j) φ*(k,j),    N δ = Σ m [r × (δ_ω × v); δ_ω × v]
    """
    N = Drift.of(M, V) + N_children
    return N, phi.shift(N)


def map_change(joint: JointKind, H: Rows, f: Spatial) -> Array:
    """∂H f: what a joint feels of a force that keeps its components, when its map turns."""
    if not turning_map(joint):
        return np.zeros((joint.nv, joint.nv))
    S = H.mT
    return beside([_turned(S.angular[..., j : j + 1], S).mT @ f for j in range(joint.nv)])


@axes_free
def force_changes(
    joint: JointKind,
    H: Rows,
    A_r: Array,
    R: Inertia,
    N: Drift,
    f: Spatial,
    S_1: Spatial,
    S_2: Spatial,
    S_3: Spatial,
) -> tuple[tuple[Array, ...], tuple[Any, ...]]:
    """Level 6 - the derivatives of joint forces at their diagonal, and what climbs to fill rows and columns.

    x_q = R S_2 + 2 N_c S_1,    x_v = R S_3 + 2 N_c H*,    x = R H*,    y = 2 N_c* H*
    dq(k,k) = H x_q,    dv(k,k) = H x_v,    Mass(k,k) = H x + A_r;    x_q ← x_q + F
    dq(i,k) = H(i) x_q,    dv(i,k) = H(i) x_v,    Mass(i,k) = H(i) x
    dq(k,i) = x* S_2(i) + y* S_1(i),    dv(k,i) = x* S_3(i) + y* H*(i)
    """
    S = H.mT
    x_q, x_v, x = R @ S_2 + N @ S_1, R @ S_3 + N @ S, R @ S
    return (H @ x_q + map_change(joint, H, f), H @ x_v, H @ x + A_r), (x_q + S.cross_force(f), x_v, x, N.adjoint(S))


def force_change_rows(
    joint: JointKind,
    H: Rows,
    S_1: Spatial,
    S_2: Spatial,
    S_3: Spatial,
    x_q: Spatial,
    x_v: Spatial,
    x: Spatial,
    y: Array,
) -> tuple[tuple[Array, ...], tuple[Array | None, ...], tuple[Any, ...]]:
    """Level 6 - what an ancestor's joint feels of changes beyond it, and they of its own.

    dq(i,k) = H(i) x_q,    dv(i,k) = H(i) x_v,    Mass(i,k) = H(i) x
    dq(k,i) = x* S_2(i) + y* S_1(i),    dv(k,i) = x* S_3(i) + y* H*(i)
    """
    rows = x.mT
    above = H @ x_q, H @ x_v, H @ x
    below = rows @ S_2 + y.mT @ S_1.angular, rows @ S_3 + y.mT @ H.mT.angular, None
    return above, below, (x_q, x_v, x, y)


@axes_free
def map_rates(joint: JointKind, H: Rows, v: Array, V: Spatial) -> tuple[Spatial]:
    """Level 6 - how the joint's columns turn with their link, and in it where the parent holds them.

    S_C = V × H*    (- h(v) × H* for maps fixed in the parent)
    """
    S = H.mT
    rates = V.cross(S)
    return (rates + _turned((S @ v).angular, S) if turning_map(joint) else rates,)


@axes_free
def coriolis_columns(
    joint: JointKind, H: Rows, R: Inertia, N: Drift, S_C: Spatial
) -> tuple[tuple[Array], tuple[Any, ...]]:
    """Level 6 - the Coriolis matrix at its diagonal, and what climbs to fill rows and columns.

    x_C = R S_C + N_c H*,    x = R H*,    y = N_c* H*
    C(k,k) = H x_C,    C(i,k) = H(i) x_C,    C(k,i) = x* S_C(i) + y* H*(i)
    """
    S = H.mT
    drift = N @ S  # of 2 N
    x_C = R @ S_C + Spatial(0.5 * drift.angular, 0.5 * drift.linear)
    return (H @ x_C,), (x_C, R @ S, 0.5 * N.adjoint(S))


def coriolis_rows(
    joint: JointKind, H: Rows, S_C: Spatial, x_C: Spatial, x: Spatial, y: Array
) -> tuple[tuple[Array], tuple[Array | None], tuple[Any, ...]]:
    """Level 6 - rows and columns of the Coriolis matrix at an ancestor.

    C(i,k) = H(i) x_C,    C(k,i) = x* S_C(i) + y* H*(i)
    """
    return (H @ x_C,), (x.mT @ S_C + y.mT @ H.mT.angular,), (x_C, x, y)


@axes_free
def mass_rate_columns(
    joint: JointKind, H: Rows, R: Inertia, N: Drift, S_C: Spatial
) -> tuple[tuple[Array], tuple[Any, ...]]:
    """Level 6 - the rate of the mass matrix at its diagonal, and what climbs as for the Coriolis matrix.

    dMass/dt = C + C*
    """
    (C,), rising = coriolis_columns(joint, H, R, N, S_C)
    return (C + C.mT,), rising


def mass_rate_rows(
    joint: JointKind, H: Rows, S_C: Spatial, x_C: Spatial, x: Spatial, y: Array
) -> tuple[tuple[Array], tuple[Array | None], tuple[Any, ...]]:
    """Level 6 - a row of the rate of the mass matrix at an ancestor.

    dMass/dt(i,k) = C(i,k) + C*(k,i)
    """
    (above,), (below,), rising = coriolis_rows(joint, H, S_C, x_C, x, y)
    assert below is not None
    return (above + below.mT,), (None,), rising
