"""One step in time, on the manifold of configurations.

Both steppers move q only through `integrate`, the exponential, so that quaternions stay of unit length and nothing
depends on a choice of angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from soadyn.model.discrete import Discrete

Method = Literal["rk4", "semi-implicit"]
Integrate = Callable[[np.ndarray, np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, slots=True)
class Rates:
    """How a state changes: the acceleration, and the inflows of energy and momentum, integrated with the motion."""

    a: np.ndarray  # (..., nv)
    inflow: np.ndarray  # (..., 1 or 7): power, then the rate of momentum of a free base
    free: np.ndarray | None = None  # (..., nv): 0 where the acceleration is prescribed, 1 elsewhere; None: nowhere


@final
@dataclass(frozen=True, slots=True)
class Moment:
    """A state at a time, and the energy and momentum that have flowed in since the start."""

    t: float
    q: np.ndarray
    v: np.ndarray
    inflow: np.ndarray


Equations = Callable[[float, np.ndarray, np.ndarray], Rates]
Change = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of (q, v) or (q, x)
Stepper = Callable[[Integrate, Equations, Moment, float], Moment]


def itself(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Joint rates are the variables that are integrated."""
    return x


def rk4(
    integrate: Integrate, rates: Equations, now: Moment, h: float, into: Change = itself, back: Change = itself
) -> Moment:
    """Fourth order; four evaluations. On vector spaces the classical Runge-Kutta step, elsewhere the commutator-free
    one of Celledoni, Marthinsen and Owren (2003), which has the same order on every Lie group.

    q₂ = q ∘ exp(h v₁/2)    q₃ = q ∘ exp(h v₂/2)    q₄ = q₂ ∘ exp(h (v₃ - v₁/2))
    q' = q ∘ exp(h (3 v₁ + 2 v₂ + 2 v₃ - v₄)/12) ∘ exp(h (-v₁ + 2 v₂ + 2 v₃ + 3 v₄)/12)

    Variables x = into(q, v) can be integrated in place of v = back(q, x); `rates` then tells how they change.
    """
    t, q, v1 = now.t, now.q, now.v
    x1 = into(q, v1)
    r1 = rates(t, q, v1)
    q2 = integrate(q, h / 2 * v1)
    v2 = back(q2, x1 + h / 2 * r1.a)
    r2 = rates(t + h / 2, q2, v2)
    q3 = integrate(q, h / 2 * v2)
    v3 = back(q3, x1 + h / 2 * r2.a)
    r3 = rates(t + h / 2, q3, v3)
    q4 = integrate(q2, h * (v3 - v1 / 2))
    v4 = back(q4, x1 + h * r3.a)
    r4 = rates(t + h, q4, v4)
    half = integrate(q, h / 12 * (3 * v1 + 2 * v2 + 2 * v3 - v4))
    end = integrate(half, h / 12 * (-v1 + 2 * v2 + 2 * v3 + 3 * v4))
    return Moment(
        t + h,
        end,
        back(end, x1 + h / 6 * (r1.a + 2 * r2.a + 2 * r3.a + r4.a)),
        now.inflow + h / 6 * (r1.inflow + 2 * r2.inflow + 2 * r3.inflow + r4.inflow),
    )


def rk4_along(integrate: Integrate, rates: Callable[[Any, np.ndarray], np.ndarray], now: Moment, h: float) -> Moment:
    """The step `rk4` where v = rates(t, q) is known: time takes the place of the variables that v is found from."""
    even = Rates(np.ones(()), np.zeros(()))
    return rk4(
        integrate, lambda t, q, v: even, now, h, into=lambda q, v: np.asarray(now.t), back=lambda q, t: rates(t, q)
    )


def semi_implicit(integrate: Integrate, rates: Equations, now: Moment, h: float) -> Moment:
    """First order, one evaluation: the new velocity moves the configuration.

    v' = v + h a(t, q, v)    q' = q ∘ exp(h v')

    Energy errors stay bounded only where the mass matrix is constant, as of a mass on a spring. Elsewhere the step is
    not symplectic: `planar_two_link`, released at (1.5, 0.5), loses 23 J of 38 J in 40 s of steps of 5 ms
    (tests/simulation/test_steppers.py).
    """
    r = rates(now.t, now.q, now.v)
    v = now.v + h * r.a
    return Moment(now.t + h, integrate(now.q, h * v), v, now.inflow + h * r.inflow)


@final
@dataclass(frozen=True, slots=True)
class Stiff:
    """What a step that is implicit in the joints' laws asks of a robot.

    slopes: (q, v) -> K and B, (..., nv): how the laws' forces fall with q and with v, component by component
    solve: (q, x, free, E) -> y with (Mass + E) y = x at components where `free` is 1, y = 0 at the others
    """

    slopes: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    solve: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def implicit(integrate: Integrate, rates: Equations, now: Moment, h: float, of: Stiff) -> Moment:
    """First order, as `semi_implicit`, but implicit in springs, dampers and stops, which may be of any stiffness.

    (Mass + E) a' = Mass a - h K v,    E = h B + h² K        v' = v + h a'    q' = q ∘ exp(h v')

    The laws' forces are those at the new state, to first order in h; E enters the sweeps as armature does.
    """
    r = rates(now.t, now.q, now.v)
    K, B = of.slopes(now.q, now.v)
    E = h * B + h * h * K
    free = 0 * now.v + (1.0 if r.free is None else r.free)
    v = now.v + h * (r.a - of.solve(now.q, E * r.a + h * K * now.v, free, E))
    return Moment(now.t + h, integrate(now.q, h * v), v, now.inflow + h * r.inflow)


@final
@dataclass(frozen=True, slots=True)
class Canonical:
    """What a step in coordinates and momenta asks of a robot.

    momenta: (q, v, a) -> p = Mass v, and ∂K/∂q plus all forces, those that accelerate it with a
    solve: (q, p) -> v with Mass v = p, exactly or nearly
    """

    momenta: Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    solve: Change
    discrete: Discrete


SOLVES = 8  # corrections of a symplectic step; each takes off two digits of the error or more, as h |v| is below 0.01


def symplectic(
    integrate: Integrate, rates: Equations, now: Moment, h: float, of: Canonical, solves: int = SOLVES
) -> Moment:
    """Second order, symmetric; keeps the two-form dp ∧ dq. Each of its `solves` takes an evaluation and an O(N) solve.

    The discrete Euler-Lagrange equations of h L(q_m, v_m), the Lagrangian halfway along a motion with constant rates
    (Marsden and West 2001, "Discrete mechanics and variational integrators"; forces as in their section 3.2). Where
    rates add like vectors it is the implicit midpoint rule:

    p = Mass v = p_m - h/2 f_m    q_m = q + h/2 v_m    p' = p_m + h/2 f_m    q' = q + h v_m    p_m = Mass(q_m) v_m

    v_m is found by corrections Mass⁻¹(q_m) (p - p_m + h/2 f_m), a fixed number of them, so that nothing is decided.
    """
    t, leap = now.t + h / 2, of.discrete
    p, _ = of.momenta(now.q, now.v, 0 * now.v)
    x = leap.inboard(now.q, now.v)
    for left in reversed(range(solves + 1)):
        q = leap.shifted(now.q, h / 2 * x)
        end = leap.shifted(now.q, h * x)
        v = leap.outboard(q, x)
        r = rates(t, q, v)
        before, after = leap.ends((now.q, q, end), v, *of.momenta(q, v, r.a), h)
        if left:
            x = x + leap.inboard(q, of.solve(q, p - before))
    return Moment(now.t + h, end, of.solve(end, after), now.inflow + h * r.inflow)


STEPPERS: dict[str, Stepper] = {"rk4": rk4, "semi-implicit": semi_implicit}
