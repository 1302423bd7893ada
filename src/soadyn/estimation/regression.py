"""Torques as a linear function of what is to be identified: inertial parameters, friction, rotors, drive gains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError, check_name
from soadyn.robot import Robot
from soadyn.robot.arguments.plain_values import real
from soadyn.robot.labels import rate_names

SLOW = 1e-2  # rad/s: below this speed dry friction fades, so that noise of a joint at rest makes none
DEPENDENT = 1e-9  # of the longest column
EXPLAINED = 1e-8  # smallest σ of a joint, of the largest
TERMS = ("coulomb", "viscous", "offset", "armature")
NEVER_NEGATIVE = ("coulomb", "viscous", "armature")  # friction takes energy, rotors have inertia


@final
@dataclass(frozen=True, eq=False)
class Columns:
    """The joints' own columns, one for each term and joint component."""

    terms: tuple[str, ...]
    names: tuple[str, ...]

    @staticmethod
    def of(robot: Robot, terms: Sequence[str]) -> Columns:
        if isinstance(terms, str) or not isinstance(terms, Iterable):
            raise ArgumentError(f"terms are a list of friction terms among {', '.join(TERMS)}, got {terms!r:.80}")
        terms = tuple(terms)
        for term in terms:
            check_name("friction term", term, TERMS)
        names = tuple(f"{joint}.{term}" for term in terms for joint in rate_names(robot))
        return Columns(tuple(terms), names)

    def matrix(self, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """(samples, nv, terms * nv)."""
        v, a = np.broadcast_arrays(v, a)
        values = {"coulomb": np.tanh(v / SLOW), "viscous": v, "offset": np.ones_like(v), "armature": a}
        nv = v.shape[-1]
        blocks = [values[term][..., None] * np.eye(nv) for term in self.terms]
        return np.concatenate([np.zeros((*v.shape, 0)), *blocks], axis=-1)

    def never_negative(self, nv: int) -> np.ndarray:
        """Which of the columns' coefficients must not be negative, booleans."""
        return np.repeat([term in NEVER_NEGATIVE for term in self.terms], nv).astype(bool)

    def split(self, x: np.ndarray, nv: int) -> dict[str, np.ndarray]:
        """{term: (nv,)}."""
        return {term: x[i * nv : (i + 1) * nv] for i, term in enumerate(self.terms)}


def samples(of: str, sizes: Mapping[str, int], given: Sequence[Any]) -> list[np.ndarray]:
    """The columns of a recording by name and width, (samples, width) each, all finite; `of` asks for them."""
    named = zip(sizes.items(), given, strict=True)
    found = [real(name, x, size, meaning="samples", of=of) for (name, size), x in named]
    if any(x.ndim != 2 or len(x) != len(found[0]) for x in found):
        raise ShapeError(
            f"{of}: a recording has one row of {', '.join(sizes)} for each sample; got {[x.shape for x in found]}"
        )
    if not all(np.isfinite(x).all() for x in found):
        raise ArgumentError(f"{of}: the recording holds numbers that are not finite")
    return found


def independent_columns(robot: Robot, own: Columns) -> tuple[np.ndarray, tuple[str, ...]]:
    """Columns of [inertial parameters, own] that do not depend on each other, and their names.

    Those of the joints, then base parameters; a rotor's inertia may take the place of one of these. As for base
    parameters, the diagonal of a QR decomposition at random states tells.
    """
    base, rng = robot.base_parameters(), np.random.default_rng(0)
    count, samples = base.matrix.shape[1], 100
    q = robot.random_configuration(rng, samples)
    v, a = rng.standard_normal((2, samples, robot.nv))
    order = np.concatenate([count + np.arange(len(own.names)), base.columns]).astype(int)
    W = np.concatenate([robot.with_backend("numpy").inertia_regressor(q, v, a), own.matrix(v, a)], axis=-1)
    W = W.reshape(samples * robot.nv, -1)[:, order]
    left = np.abs(np.diagonal(np.linalg.qr(W, mode="r")))
    kept = np.flatnonzero(left > DEPENDENT * np.linalg.norm(W, axis=0).max(initial=0.0))
    names = np.array([*own.names, *base.names], dtype=object)[kept]
    place = np.argsort(order[kept])
    return order[kept][place], tuple(names[place])


def joint_weights(W: np.ndarray, y: np.ndarray, nv: int, rounds: int = 3) -> np.ndarray:
    """σ of each joint's torque, (nv,): residuals of least squares, weighted by those of the round before.

    W (samples, nv, columns), y (samples, nv); rank may be deficient.
    """
    sigma = np.ones(nv)
    for _ in range(rounds):
        x = np.linalg.lstsq((W / sigma[:, None]).reshape(-1, W.shape[-1]), (y / sigma).reshape(-1), rcond=1e-10)[0]
        left = y - W @ x
        sigma = np.sqrt((left**2).mean(0))
        # A joint that is explained to rounding must not outweigh the others beyond rounding.
        sigma = np.maximum(sigma, max(EXPLAINED * sigma.max(initial=0.0), 1e-12))
    return sigma
