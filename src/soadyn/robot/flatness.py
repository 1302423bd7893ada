"""Robots whose equations of motion lose every Coriolis term in some coordinates (000 section 2).

    ϑ = f(q) with ∇f = E,    E* E = Mass:        ϑ̈ = E⁻* T

Such coordinates exist where the curvature of the mass matrix vanishes, and only there (000 Lemma 2.2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.model.model import Model
from soadyn.robot.arguments import arguments
from soadyn.robot.checked import checked_robot
from soadyn.robot.mass.curvature import Metric, check_holonomic
from soadyn.robot.robot import Robot

Verdict = Literal["flat", "curved", "no curvature found"]
# Curvature at most so many times the size of the mass matrix counts as none.
NONE = 1e-10
CHECKED = 1e-8


@final
@dataclass(frozen=True, slots=True, eq=False)
class Flatness:
    """What `sd.is_flat` found: true if proved flat.

    verdict: "flat" is proved, "curved" refuted; "no curvature found" is neither.
    reason: the proof, or what was tried.
    value, q: the largest Riemann symbol that was seen, and where.
    coordinates: of a robot that is proved flat, coordinates without Coriolis terms, counted from q; otherwise None.
    """

    verdict: Verdict
    reason: str
    value: float
    q: np.ndarray
    coordinates: FlatCoordinates | None = None

    def __bool__(self) -> bool:
        return self.verdict == "flat"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"


def is_flat(robot: Robot, samples: int = 20, rng: np.random.Generator | None = None) -> Flatness:
    """Are there coordinates in which the robot's motion has no Coriolis terms, ϑ̈ = ℓ T?

    Refuted by a configuration with curvature; proved where the joints prove it: nothing turns, or one joint turns and
    nothing slides or turns beyond it. Samples without curvature prove nothing.

    >>> import soadyn as sd
    >>> found = sd.is_flat(sd.load("planar_two_link"))
    >>> bool(found), found.verdict
    (False, 'curved')

    The coordinates that come with a proof are checked: their gradient is a root of the mass matrix.
    """
    check_holonomic(checked_robot(robot, "is_flat", moving=True).engine.coordinates)
    proof = _proof(robot.model)
    if proof:
        return _flat(robot, proof, np.random.default_rng(0) if rng is None else rng)
    q = robot.random_configuration(np.random.default_rng(0) if rng is None else rng, samples)
    largest = np.abs(robot.mass_matrix_curvature(q)).max(axis=(-4, -3, -2, -1))
    bound = NONE * np.abs(robot.mass_matrix(q)).max(axis=(-2, -1))
    worst = int(np.argmax(largest / bound))
    value, where = float(largest[worst]), q[worst]
    if value > bound[worst]:
        return Flatness("curved", f"a Riemann symbol is {value:.4g} at q = {where.round(4).tolist()}", value, where)
    return Flatness("no curvature found", f"no curvature found in {samples} samples", value, where)


def _flat(robot: Robot, proof: str, rng: np.random.Generator) -> Flatness:
    """A robot whose joints prove it flat, with its coordinates if they pass the check at a random configuration."""
    ends = np.stack([robot.neutral(), robot.random_configuration(rng)])
    M = robot.mass_matrix(ends)
    if np.linalg.eigvalsh(M).min() <= NONE * np.abs(M).max():  # no inertia along some motion: E has no inverse
        return Flatness("flat", proof, 0.0, ends[0])
    found = FlatCoordinates(robot, ends[0], proved=True)
    _, E = found.at(ends[1])
    checked = np.abs(E.T @ E - M[1]).max() <= CHECKED * np.abs(M[1]).max()
    return Flatness("flat", proof, 0.0, ends[0], found if checked else None)


def _proof(model: Model) -> str:
    """Why the mass matrix is flat, if its joints tell."""
    turning = [k for k, joint in enumerate(model.joints, 1) if "angular" in joint.behaviour.components]
    if not turning:
        return "nothing turns, so the mass matrix is constant"
    if len(turning) == 1 and turning[0] not in model.parents:
        return (
            f"only joint {model.joints[turning[0] - 1].name!r} turns, and nothing moves beyond it, so that the mass "
            "matrix depends on its angle alone and that of the slides is constant"
        )
    return ""


@final
class FlatCoordinates:
    """Coordinates ϑ of a flat robot in which ϑ̈ = ℓ T; ϑ(q0) = 0.

    Along the line from q0 to q they are found by E' = E Γ(q̇), ϑ' = E q̇ from E* E = Mass at q0. Curved robots are
    refused.

    >>> import numpy as np, soadyn as sd
    >>> b = sd.Builder("cart_pole")
    >>> _ = b.link("cart", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0))
    >>> _ = b.link("pole", sd.Body(0.3, com=(0, 0, 0.5)), parent="cart", axis=(0, 1, 0))
    >>> cart = sd.build(b)
    >>> flat = sd.FlatCoordinates(cart, cart.neutral())
    >>> theta, E = flat.at([0.1, 0.7])
    >>> bool(np.allclose(E.T @ E, cart.mass_matrix([0.1, 0.7]), atol=1e-9))
    True
    """

    def __init__(self, robot: Robot, q0: ArrayLike, *, proved: bool = False) -> None:
        found = None if proved else is_flat(robot)
        if found is not None and found.verdict == "curved":
            raise ArgumentError(f"robot {robot.name!r} has no flat coordinates: {found.reason}")
        self.robot = robot
        self.q0 = np.array(arguments.coordinates(robot.engine.coordinates, q0))
        self._start = np.linalg.cholesky(robot.mass_matrix(self.q0)).T

    def __repr__(self) -> str:
        return f"<FlatCoordinates of {self.robot.name!r}>"

    def at(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """ϑ, (nv,), and its gradient E, (nv, nv), at one configuration."""
        end = arguments.coordinates(self.robot.engine.coordinates, q)
        step, nv = end - self.q0, self.robot.nv

        def rates(s: float, x: np.ndarray) -> np.ndarray:
            E = x[nv:].reshape(nv, nv)
            return np.concatenate([E @ step, (E @ self._turning(self.q0 + s * step, step)).ravel()])

        first = np.concatenate([np.zeros(nv), self._start.ravel()])
        last = _solved(rates, first, np.array([0.0, 1.0]), 1e-12)[-1]
        return last[:nv], last[nv:].reshape(nv, nv)

    def rates(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """ϑ̇ = E v, (nv,)."""
        return np.asarray(self.at(q)[1] @ np.asarray(v))

    def forces(self, q: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """ℓ T = E⁻* T, (nv,): what ϑ̈ is where gravity's forces are part of T (000 eq. 2.4)."""
        return np.linalg.solve(self.at(q)[1].T, np.asarray(tau))

    def motion(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, times: ArrayLike
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The motion under constant joint forces by the coordinates' own equations ϑ̈ = E⁻* T (000 Lemma 2.1).

        Results are ϑ, ϑ̇ and q at the times, (times, nv); q follows from q̇ = E⁻¹ ϑ̇, E from E' = E Γ(q̇). Gravity's
        forces, if there is any, belong into `tau`.

        >>> import numpy as np, soadyn as sd
        >>> b = sd.Builder("slide")
        >>> _ = b.link("cart", sd.Body(4.0), joint="prismatic", axis=(1, 0, 0))
        >>> flat = sd.is_flat(sd.build(b)).coordinates
        >>> theta, rate, q = flat.motion([0.0], [1.0], [2.0], [0.0, 1.0])
        >>> q[:, 0].round(9).tolist(), rate[:, 0].round(9).tolist()
        ([0.0, 1.25], [2.0, 3.0])
        """
        nv, T, t = self.robot.nv, np.asarray(tau, dtype=float), np.asarray(times, dtype=float)
        theta, E = self.at(q)

        def rates(_: float, x: np.ndarray) -> np.ndarray:
            E = x[3 * nv :].reshape(nv, nv)
            v = np.linalg.solve(E, x[nv : 2 * nv])
            turning = self._turning(x[2 * nv : 3 * nv], v)
            return np.concatenate([x[nv : 2 * nv], np.linalg.solve(E.T, T), v, (E @ turning).ravel()])

        first = np.concatenate([theta, E @ np.asarray(v, dtype=float), np.asarray(q, dtype=float), E.ravel()])
        path = _solved(rates, first, t, 1e-11)
        return path[:, :nv], path[:, nv : 2 * nv], path[:, 2 * nv : 3 * nv]

    def _turning(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Γ(q̇) at q."""
        M, along = self.robot.jvp("mass_matrix", (q,), (np.eye(self.robot.nv),))
        connection = Metric(M[0], np.moveaxis(along, 0, -1)).connection()
        return np.einsum("lij,i->lj", connection, step)


def _solved(rates: Callable[[float, np.ndarray], np.ndarray], first: np.ndarray, times: np.ndarray, off: float) -> Any:
    """The solution of x' = rates(t, x) at the times, a row for each, to a relative error `off` of each step."""
    from scipy import integrate

    span = times[0], times[-1]
    return integrate.solve_ivp(rates, span, first, t_eval=times, method="DOP853", rtol=off, atol=off / 10).y.T
