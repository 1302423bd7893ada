"""Levels 6, 7 - what unit wrenches and unit accelerations do: operational inertias, generalized Jacobians.

B is a frame as its link sees it: it carries wrenches at the frame's origin and along the wanted axes to the link, and
its adjoint carries the link's motion to the frame.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import isqrt

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.crossing import Pivot, innovation, smoothed_motion
from soadyn.mechanics.link.frame import carried_wrench, frame_acceleration
from soadyn.mechanics.spatial.arithmetic import Array, beside, column, symmetric
from soadyn.mechanics.spatial.inertia import ArticulatedInertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def task_map(pose_link: Transform, frame: Transform, R_axes: Array) -> tuple[Transform]:
    """Level 7 - the frame as its link sees it (004 eq. 3.5).

    B = φ(k,frame)
    """
    return (Transform((R_axes @ pose_link.R).mT, frame.l),)


def operational_inertia(
    joint: JointKind, phi: Transform, H: Rows, D: Pivot, G: Spatial, Upsilon_parent: ArticulatedInertia
) -> tuple[ArticulatedInertia]:
    """Level 6 - how a link responds to a force on it, from base to tip (003 eqs. 10.1-10.3).

    Υ(k) = ψ*(p,k) Υ(p) ψ(p,k) + H*(k) D⁻¹(k) H(k),    ψ(p,k) = φ(p,k) [I - G(k) H(k)]
    """
    Y = phi.mT.shift(Upsilon_parent)
    U = Y @ G
    S = symmetric(G.mT @ U + D.solve(np.eye(joint.nv)))
    H_adjoint = H.mT
    left = U - H_adjoint @ S

    def crossed(block: Array, row: Array, U_row: Array, column: Array, left_row: Array) -> Array:
        """τ̄* Y τ̄ + H* D⁻¹ H = Y - H* U* - (U - H* S) H, block by block."""
        return block - row @ U_row.mT - left_row @ column.mT

    angular, linear = H_adjoint.angular, H_adjoint.linear
    return (
        ArticulatedInertia(
            symmetric(crossed(Y.A, angular, U.angular, angular, left.angular)),
            crossed(Y.B, angular, U.linear, linear, left.angular),
            symmetric(crossed(Y.C, linear, U.linear, linear, left.linear)),
        ),
    )


def inverse_diagonal(
    joint: JointKind, phi: Transform, D: Pivot, G: Spatial, Upsilon_parent: ArticulatedInertia
) -> tuple[Array]:
    """Level 6 - the diagonal of a joint's block of the inverse mass matrix (003 Lemma 13).

    W(k,k) = D⁻¹(k) + K*(p,k) Υ(p) K(p,k),    K(p,k) = φ(p,k) G(k)
    """
    block = D.solve(np.eye(joint.nv)) + G.mT @ (phi.mT.shift(Upsilon_parent) @ G)
    return (column(*(block[..., i, i] for i in range(joint.nv))),)


def passive_operational_inertia(
    joint: JointKind, phi: Transform, H: Rows, D: Pivot, G: Spatial, passive: Array, Upsilon_parent: ArticulatedInertia
) -> tuple[ArticulatedInertia]:
    """Level 6 - the same for a passive arm, whose active joints are locked (004 section 4).

    Υ(k) = ψ*(p,k) Υ(p) ψ(p,k) + H_p*(k) D_p⁻¹(k) H_p(k)
    """
    return operational_inertia(joint, phi, H.scaled(passive), D, G, Upsilon_parent)


def immovable(gravity: Array) -> ArticulatedInertia:
    """How the ground responds to a force: not at all."""
    zero = np.zeros((3, 3))
    return ArticulatedInertia(zero, zero, zero)


def frame_response(B: Transform, Upsilon: ArticulatedInertia) -> tuple[Array]:
    """Level 6 - a frame's acceleration per unit of a wrench on it (003 eqs. 10.1-10.3).

    Λ⁻¹ = B* Υ(k) B
    """
    return (B.mT.shift(Upsilon).dense(),)


def unit_wrenches(joint: JointKind, at_frame: Array, B: Transform) -> tuple[Spatial]:
    """Level 6 - six unit wrenches at the frame, as external forces on its link.

    f_x(k) = B for the link that carries the frame, else 0
    """
    return (carried_wrench(at_frame, B, np.eye(6)),)


def frame_wrench(joint: JointKind, at_frame: Array, B: Transform, f: Array) -> tuple[Spatial]:
    """Level 6 - a wrench at the frame, as an external force on its link.

    f_x(k) = B f for the link that carries the frame, else 0
    """
    return (carried_wrench(at_frame, B, f),)


def resting_columns(gravity: Array) -> Spatial:
    """The ground's acceleration in six problems at once."""
    return Spatial(np.zeros((3, 6)), np.zeros((3, 6)))


def response_elsewhere(B_other: Transform, alpha_other: Spatial) -> tuple[Array]:
    """Level 6 - a frame's acceleration per unit of a wrench on another frame (003 eqs. 10.1-10.3).

    Λ⁻¹(i,j) = B*(i) Ω(i,j) B(j),    Ω(i,j) = ψ*(c,i) Υ(c) ψ(c,j) with c the nearest common ancestor
    """
    return ((B_other.mT @ alpha_other).dense(),)


def response_of_frames(*upper: Array) -> tuple[Array]:
    """Level 6 - the blocks of several frames' responses, of which those on and above the diagonal are given by rows.

    Λ⁻¹(j,i) = Λ⁻¹(i,j)*
    """
    m = isqrt(2 * len(upper))
    block = dict(zip(combinations_with_replacement(range(m), 2), upper, strict=True))
    rows = [beside([block[i, j] if i <= j else block[j, i].mT for j in range(m)]) for i in range(m)]
    return (beside([row.mT for row in rows]).mT,)


def generalized_column(joint: JointKind, T_wrenches: Array) -> tuple[Array]:
    """Level 6 - a joint's columns of the generalized Jacobian: what its motor feels of unit wrenches (004 eq. 6.11).

    J_G(k) = - T*(k)
    """
    return (-T_wrenches.mT,)


def frame_motion(B: Transform, alpha: Spatial) -> tuple[Spatial]:
    """Level 6 - the acceleration of a frame of a robot at rest (004 eq. 6.10).

    J_G θ̈_active = B* α(k)
    """
    return (B.mT @ alpha,)


def frame_drift(
    V: Spatial, alpha: Spatial, pose_link: Transform, frame: Transform, R_axes: Array, gravity: Array
) -> tuple[Spatial]:
    """Level 6 - the acceleration of the frame's origin, without gravity's offset of α (004 eq. 6.10).

    α(frame) = φ*(k,frame) (α(k) + [0; g]) + [0; ω × (ω × l)]
    """
    free = Spatial(alpha.angular, alpha.linear + pose_link.R.mT @ gravity)
    return frame_acceleration(V, free, pose_link, frame, R_axes)


def unit_innovation(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    D: Pivot,
    G: Spatial,
    P_plus: ArticulatedInertia,
    unit: Array,
    passive: Array,
    z_children: Spatial | int,
) -> tuple[Spatial, Array, Spatial]:
    """Level 6 - the filter for a unit acceleration of an active, or -1 times a unit force of a passive component.

    z(k)  = Σⱼ φ(k,j) z⁺(j)
    ε(k)  = - e(k) - H(k) z(k),    ν(k) = D⁻¹(k) ε(k)             (passive components)
    z⁺(k) = z(k) + P⁺(k) H*(k) e(k) + G(k) ε(k)                   (e: active components)
    """
    none = Spatial.zero()
    return innovation(joint, phi, H, D, G, P_plus, none, none, none, unit, -unit, passive, z_children)


def unit_response(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    P: ArticulatedInertia,
    A_r: Array,
    G: Spatial,
    z: Spatial,
    nu: Array,
    unit: Array,
    passive: Array,
    alpha_parent: Spatial,
) -> tuple[Array, Spatial]:
    """Level 6 - a column of the active and passive halves' exchange (004 eqs. 4.4, 6.13), symmetric by its signs.

    S = [S_aa, -S_ap; -S_ap*, -S_pp]:    forces of active, accelerations of passive components
    """
    theta_ddot, T, alpha = smoothed_motion(
        joint,
        phi,
        H,
        P,
        A_r,
        G,
        Spatial.zero(),
        z,
        nu,
        unit,
        np.zeros((joint.nv, 1)),
        passive,
        alpha_parent,
    )
    return passive * theta_ddot + (1 - passive) * T, alpha
