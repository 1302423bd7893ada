"""Level 6 - one link's share of the operators that are linear in the joint rates (000 section 6, for all joints)."""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.link.diagonalized import pivot_rate, root_turning
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import ArticulatedInertia
from soadyn.mechanics.spatial.vector import Rows, Spatial


def across(joint: JointKind, H: Rows, v: Array) -> tuple[Spatial, Spatial, Array]:
    """Level 6 - how a link moves relative to the next one inward, and how its joint's axes do (000 eq. 6.3).

    Δ(k) = H*(k) θ̇(k) = [δ; g]        X_δ = -Δ̃*
    Δ_H(k) = Δ(k) or [0; g]            Y_δ = -Δ̃_H*, as the axes of H(k) are fixed in link k or in the next one
    H*(k) η(k) = Y_δ*(k) H*(k)
    """
    relative = H.mT @ v
    axes = relative if joint.fixed_in == "body" else Spatial(0.0 * relative.angular, relative.linear)
    turning = joint.map_turning(v[..., 0])
    return relative, axes, np.zeros((joint.nv, joint.nv)) if turning is None else turning


def turning_root(
    joint: JointKind, H: Rows, A_r: Array, D: Pivot, v: Array, lambda_dot: ArticulatedInertia
) -> tuple[Array]:
    """Level 6 - how the Cholesky factor L of D(k) turns (000 eq. A.29 for all joints).

    Z(k) = L⁻¹(k) L̇(k) - ½ L⁻¹(k) Ḋ(k) L⁻*(k)
    """
    return (root_turning(joint, D, pivot_rate(joint, H, A_r, D, v, lambda_dot)),)
