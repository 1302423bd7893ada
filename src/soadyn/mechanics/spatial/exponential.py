"""How a motion with constant rates depends on the rates: the derivative of the exponential.

For rates ξ with bracket A = ad ξ, turning by the angle |ω|:

    exp((ξ + dξ)~) = exp(ξ~) exp((J dξ)~),    J = Σ (-A)ᵏ / (k+1)! = (I - exp(-A)) / A
"""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, skew
from soadyn.mechanics.spatial.rotation import from_vector, left_jacobian_solve, left_jacobian_times

# Below this angle the closed form loses digits to differences, and so many terms of the series give them all.
SMALL, TERMS = 1.0, 22


def turning_bracket(omega: Array) -> Array:
    """ad ω = ω̃ of angular rates, (..., 3, 3)."""
    return skew(omega[..., None])


def turning_ends(d: Array, p: Array, f: Array, h: Array) -> tuple[Array, Array]:
    """The momenta of a turn before and after a step by the rotation vector d, along the turned axes at each end.

    p and f are the derivatives of the Lagrangian by the angular rates and by the turn, halfway. With J the derivative
    of the exponential, the discrete Euler-Lagrange equations on a Lie group (Marsden, Pekarsky and Shkoller 1999):

        c = p + h/2 J*(d/2) f,    before = J_l⁻*(d) c - h R(d/2) f,    after = J⁻*(d) c,    J_l = R(d) J
    """
    c = p + h / 2 * left_jacobian_times(d / 2, f)
    turned = (from_vector(d / 2) @ f[..., None])[..., 0]
    return left_jacobian_solve(-d, c) - h * turned, left_jacobian_solve(d, c)


def rigid_bracket(xi: Array) -> Array:
    """ad ξ = [ω̃, 0; ṽ, ω̃] of rates [ω; v], (..., 6, 6)."""
    omega, v = skew(xi[..., :3, None]), skew(xi[..., 3:, None])
    rows = [np.concatenate([omega, np.zeros_like(omega)], axis=-1), np.concatenate([v, omega], axis=-1)]
    return np.concatenate(rows, axis=-2)


def right_jacobian(A: Array, angle: Array) -> Array:
    """J of a bracket A, for motions that turn by `angle`, of batch shape.

    Beyond small angles by the first four powers of A, which satisfies A (A² + angle²)² = 0.
    """
    small = angle < SMALL
    x = np.where(small, SMALL, angle)  # the closed form is not used where it is small
    s, c = np.sin(x), np.cos(x)
    numbers = [
        (4 - x * s - 4 * c) / (2 * x**2),
        (4 * x - 5 * s + x * c) / (2 * x**3),
        (2 - x * s - 2 * c) / (2 * x**4),
        (2 * x - 3 * s + x * c) / (2 * x**5),
    ]
    unit = np.eye(A.shape[-1])
    closed, power = unit + np.zeros_like(A), unit
    for number in numbers:
        power = power @ -A
        closed = closed + number[..., None, None] * power
    series = unit + np.zeros_like(A)
    for k in range(TERMS, 1, -1):
        series = unit - A @ series / k
    return np.where(small[..., None, None], series, closed)


def carried(A: Array, J: Array) -> Array:
    """exp(-A) = I - A J: a direction at the start of a motion, seen at its end."""
    return np.eye(A.shape[-1]) - A @ J
