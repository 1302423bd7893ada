"""Level 6 - joint forces as a linear function of the links' ten inertial parameters."""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, beside, cross, matrix, skew
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def parameter_force(
    joint: JointKind, H: Rows, link_frame: Transform, V: Spatial, alpha: Spatial
) -> tuple[Array, Spatial]:
    """Level 6 - the force a link needs, per unit of each of its parameters (mass, first moment, moments of inertia).

    f(k) = Y(k) π(k),    Y = [0, -ṽ̇, L(ω̇) + ω̃ L(ω); v̇, ω̃̇ + ω̃ ω̃, 0],    J ω = L(ω) [Jxx Jxy Jyy Jxz Jyz Jzz]*
    T(k) = H(k) f(k)
    """
    at_frame = link_frame.mT @ alpha
    omega = link_frame.R.mT @ V.angular
    l = link_frame.R.mT @ link_frame.l
    omega_dot = at_frame.angular
    v_dot = at_frame.linear + cross(omega, cross(omega, l))
    omega_tilde = skew(omega)
    moments = _moments(omega_dot) + omega_tilde @ _moments(omega)
    Y = Spatial(
        beside([np.zeros((3, 1)), -skew(v_dot), moments]),
        beside([v_dot, skew(omega_dot) + omega_tilde @ omega_tilde, np.zeros((3, 6))]),
    )
    x = link_frame @ Y
    return H @ x, x


def _moments(w: Array) -> Array:
    """L(w) with J w = L(w) [Jxx, Jxy, Jyy, Jxz, Jyz, Jzz]*."""
    x, y, z = (w[..., i, 0] for i in range(3))
    return matrix([[x, y, 0, z, 0, 0], [0, x, y, 0, z, 0], [0, 0, 0, x, y, z]])
