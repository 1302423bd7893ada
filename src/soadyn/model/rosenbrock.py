"""A step of second order that is implicit in what acts in the joints."""

from __future__ import annotations

import numpy as np

from soadyn.model.steppers import Equations, Integrate, Moment, Stiff

GAMMA = 1 - 0.5**0.5  # what is infinitely quick is gone after a step


def rosenbrock(integrate: Integrate, rates: Equations, now: Moment, h: float, of: Stiff) -> Moment:
    """Second order, two evaluations; springs, dampers and stops may be quick, and dampers of any size.

    Verwer, Spee, Blom and Hundsdorfer (1999), ROS2, with the slopes K and B of the laws in the joints as the Jacobian;
    its order does not depend on what that leaves out. Where there are no laws it is Heun's step. With g = γ h:

    (1 - g J) [u₁; a₁] = f(q, v)        (1 - g J) [u₂; a₂] = f(q ∘ exp(h u₁), v + h a₁) - 2 [u₁; a₁]
    q' = q ∘ exp(h (3 u₁ + u₂)/2)       v' = v + h (3 a₁ + a₂)/2

    (1 - g J) [u; a] = [s; r]   is   (Mass + E) a = Mass r - g K s,   u = s + g a,   E = g B + g² K
    """
    t, q, v, g = now.t, now.q, now.v, GAMMA * h
    r1 = rates(t, q, v)
    K, B = of.slopes(q, v)
    E = g * B + g * g * K
    free = 0 * v + (1.0 if r1.free is None else r1.free)

    def damped(s: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a = r - of.solve(q, E * r + g * K * s, free, E)
        return s + g * a, a

    u1, a1 = damped(v, r1.a)
    between = v + h * a1
    r2 = rates(t + h, integrate(q, h * u1), between)
    u2, a2 = damped(between - 2 * u1, r2.a - 2 * a1)
    return Moment(
        t + h,
        integrate(q, h / 2 * (3 * u1 + u2)),
        v + h / 2 * (3 * a1 + a2),
        now.inflow + h / 2 * (r1.inflow + r2.inflow),
    )
