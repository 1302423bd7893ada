"""A step of fifth order that knows its own error, on the manifold of configurations, and the motion within it.

The pair of Dormand and Prince (1980) in canonical coordinates, as Munthe-Kaas (1999) does for every Runge-Kutta method:
during a step q = q₀ ∘ exp(θ), and (θ, v) is a vector that the classical method integrates,

    θ̇ = J⁻¹(θ) v    v̇ = a(t, q, v)

J is the derivative of the exponential, in closed form, so both orders are those on a vector space. Where rates add like
vectors J is the identity. Within the step the interpolant of Shampine (1986), of fourth order, gives θ and v.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.exponential import right_jacobian
from soadyn.model.coordinates import Coordinates
from soadyn.model.steppers import Equations, Integrate, Moment

ORDER = 5
# Dormand and Prince 1980, table 2: where the stages stand in a step, and how each follows from those before it. The
# last stage is the result.
NODES = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
STAGES: tuple[tuple[float, ...], ...] = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
# The result less that of fourth order.
ERRORS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
# Shampine 1986: the stages' weights within a step, as polynomials s, s², s³, s⁴ of the share s of it.
WITHIN = np.array(
    [
        [1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
        [0, 0, 0, 0],
        [0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
        [0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
        [0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
        [0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
        [0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
    ]
)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """A step that was made: its beginning and end, how far off θ and v may be, and the stages' rates of change."""

    begin: Moment
    end: Moment
    error: tuple[np.ndarray, np.ndarray]
    stages: tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]  # of θ, v and the inflows
    integrate: Integrate

    def at(self, t: float) -> Moment:
        """The state at a time within the step."""
        h = self.end.t - self.begin.t
        s = (t - self.begin.t) / h
        weights = h * WITHIN @ [s, s**2, s**3, s**4]
        theta, v, inflow = (_sum(weights, rates) for rates in self.stages)
        return Moment(t, self.integrate(self.begin.q, theta), self.begin.v + v, self.begin.inflow + inflow)


def turning(space: Coordinates) -> list[tuple[JointKind, slice]]:
    """The joints whose rates do not add like vectors, and their places in v."""
    found, at = [], 0
    for k, joint in enumerate(space.model.joints, start=1):
        if k in space.tied:
            continue
        kind = joint.behaviour
        if kind.bracket(np.zeros(kind.nv)) is not None:
            found.append((kind, slice(at, at + kind.nv)))
        at += kind.nv
    return found


def dormand_prince(
    joints: Sequence[tuple[JointKind, slice]], integrate: Integrate, rates: Equations, now: Moment, h: float
) -> Passed:
    """A step of h seconds; `joints` are those of `turning`."""
    thetas, speeds, flows = stages = ([], [], [])  # type: tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]
    q, v = now.q, now.v
    for node, weights in zip(NODES, STAGES, strict=True):
        theta = h * _sum(weights, thetas) if weights else np.zeros_like(v)
        if weights:
            q, v = integrate(now.q, theta), now.v + h * _sum(weights, speeds)
        found = rates(now.t + node * h, q, v)
        thetas.append(_canonical_rates(joints, theta, v))
        speeds.append(found.a)
        flows.append(found.inflow)
    end = Moment(now.t + h, q, v, now.inflow + h * _sum(STAGES[-1], flows))
    return Passed(now, end, (h * _sum(ERRORS, thetas), h * _sum(ERRORS, speeds)), stages, integrate)


def _canonical_rates(joints: Sequence[tuple[JointKind, slice]], theta: np.ndarray, v: np.ndarray) -> np.ndarray:
    """J⁻¹(θ) v."""
    found = np.array(v)
    for kind, place in joints:
        own = theta[..., place]
        J = right_jacobian(kind.bracket(own), np.sqrt((own[..., :3] ** 2).sum(axis=-1)))
        found[..., place] = np.linalg.solve(J, v[..., place, None])[..., 0]
    return found


def _sum(weights: Sequence[float] | np.ndarray, vectors: Sequence[np.ndarray]) -> np.ndarray:
    terms = [w * x for w, x in zip(weights, vectors, strict=False) if w]
    return np.asarray(sum(terms[1:], terms[0]))
