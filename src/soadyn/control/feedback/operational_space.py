"""Operational-space control (Khatib 1987; 001 section I.C): frames move as if each were a free body.

    T = T₀ + R* F,    F = Λ (α_wanted - α₀),    Λ⁻¹ = R Mass⁻¹ R* = Z Z*,    Z = R ℓ*,    R* F = m Z* F

T₀ are the joint forces of a posture, and α₀ is how the frames would accelerate by them. So the frames have the wanted
acceleration whatever the posture asks for. The rows of Z are the rows of R as normalized forces (000 Table 2), one walk
over the links each: in normalized coordinates Khatib's inverse of R is the plain least squares of Z. Neither the mass
matrix nor its inverse is formed.
"""

from __future__ import annotations

from typing import final

import numpy as np

from soadyn.control.feedback.acceleration_feedback import Decaying
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.simulation.drive.dynamics import Dynamics


class Operational(Decaying):
    """The wanted accelerations by the least effort in the mass matrix's measure."""

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        return normalized_rows(dynamics, q, R)

    def corrected(self, dynamics: Dynamics, q: Array, v: Array, posture: tuple[Array, Array], s: Array) -> Array:
        return posture[1] + self.motors * from_normalized(dynamics, q, s)


@final
class OperationalSpace(Operational):
    """Frames and the mass centre follow their references, the errors decaying as chosen; the rest is a posture.

        ë + 2 ζ ω ė + ω² e = 0

    targets: {frame: target}, several frames at once. A target is a pose (..., 4, 4) or a position (..., 3),
        `sd.TimeSeries` of these, a `sd.paths.FrameMotion`, a motion of joints (of `sd.paths`, a trajectory, a plan), or
        one of these in `sd.kinematics.Position`, `Orientation` or `Pose`.
    com: where the mass centre shall be, (..., 3), or `sd.TimeSeries` of it.
    bandwidth, damping_ratio: ω in rad/s and ζ, numbers or one for each of the `rows`.
    posture: a configuration (..., nq) to which the joints go with the freedom that the targets leave, with
        `posture_bandwidth` and `posture_damping_ratio`; without it this freedom is only damped.
    passive: joints without a motor, by default a free root; R has what motors do to the frames while these give way.
    singular: rows are damped where less than this share of their usual response is left; `damped` tells.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("panda")
    >>> q = np.array([0.0, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8])
    >>> there = arm.pose(q, "panda_link8")
    >>> there[:3, 3] += [0.05, -0.1, 0.02]
    >>> control = sd.control.OperationalSpace(arm, {"panda_link8": there}, posture=q)
    >>> still = np.zeros(7)
    >>> a = arm.forward_dynamics(q, still, control(0.0, q, still))
    >>> arm.frame_acceleration(q, still, a, "panda_link8").round(6) + 0.0  # 100 / s² times the error
    array([  0.,   0.,   0.,   5., -10.,   2.])
    >>> float(control.damped(q))
    0.0
    """


def normalized_rows(dynamics: Dynamics, q: Array, R: Array) -> Array:
    """Z = R ℓ*, (..., m, nv), row by row: Λ⁻¹ = Z Z*."""
    rows = [dynamics.quantity("normalized_forces", q=q, tau=R[..., i, :]) for i in range(R.shape[-2])]
    return np.stack(rows, axis=-2)


def from_normalized(dynamics: Dynamics, q: Array, epsilon: Array) -> Array:
    """T = m ε."""
    return dynamics.quantity("forces_from_normalized", q=q, epsilon=epsilon)
