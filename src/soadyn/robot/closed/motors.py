"""Inverse dynamics of robots of which some joints have motors: their torques, and those that move nothing (24.7)."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, ShapeError, report_bad_rows
from soadyn.mechanics.spatial.reading import real_array
from soadyn.programs.sweep import closed as sweeps
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike, PassiveLike
from soadyn.robot.closed.assembling import RANK, computed

# What may be left of the forces that motors and closures have to balance, beside these.
LEFT = 1e-7


class MotorForces(ABC):
    """Forces of the motors of a robot."""

    __slots__ = ()
    engine: Engine

    def internal_torques(self, q: ArrayLike, motors: PassiveLike) -> np.ndarray:
        """Torques of the motors that move nothing and preload the loops: orthonormal columns, (..., nv, count).

            T = J_ca* λ    with J_cp* λ = 0,    a: joints with motors, p: the others

        `motors` are joint names, (name, component) pairs or booleans (nv,). Where there are fewer such torques than
        elsewhere in the batch the last columns are zero.

        >>> import soadyn as sd
        >>> bar = sd.load("planar_two_link").close(("ground", "tool"), free=("x", "y", "rx", "ry", "rz"))
        >>> q = bar.closed([0.3, 0.5])
        >>> bar.internal_torques(q, ["joint1", "joint2"]).shape  # two motors, and one way to move
        (2, 1)
        """
        space = self.engine.coordinates
        states = arguments.coordinates(space, q)
        driven = _motors(self.engine, motors, "internal_torques")
        J = _rows(self.engine, states.reshape(-1, space.nq))
        idle = _idle(J[..., ~driven])
        _, lengths, directions = np.linalg.svd((idle @ J[..., driven]), full_matrices=False)
        counted = (lengths > RANK).sum(axis=-1)
        count = int(counted.max(initial=0))
        found = np.zeros((len(J), space.nv, count))
        found[:, driven] = directions.mT[..., :count]
        return (found * (np.arange(count) < counted[:, None])[:, None]).reshape(*states.shape[:-1], space.nv, count)

    def _motor_forces(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: ExternalLike | None, motors: Any, weights: Any
    ) -> np.ndarray:
        """The forces of motors that, with the closures' forces, produce accelerations; zero at other joints.

            T_a = r_a + J_ca* λ    with    0 = r_p + J_cp* λ,    r = M a + C

        Of several the one with the least Σ weights T_a². Rows whose motors cannot produce the accelerations are NaN.
        """
        space = self.engine.coordinates
        driven = _motors(self.engine, motors, "inverse_dynamics")
        scale = np.sqrt(_weights(weights, int(driven.sum())))
        scale = scale / scale.max()
        needed = np.asarray(self.inverse_dynamics(q, v, a, external))  # type: ignore[attr-defined]
        batch = needed.shape[:-1]
        r = needed.reshape(-1, space.nv)
        states = np.broadcast_to(arguments.coordinates(space, q), (*batch, space.nq)).reshape(-1, space.nq)
        J = _rows(self.engine, states)
        at_motors, elsewhere = J[..., driven], J[..., ~driven]
        forces = _applied(_inverse(elsewhere.mT), -r[:, ~driven])
        first = r[:, driven] + _applied(at_motors.mT, forces)
        freely = scale[:, None] * (at_motors.mT @ _idle(elsewhere).mT)
        further = -_applied(_inverse(freely) * scale, first)
        found = np.zeros_like(r)
        found[:, driven] = first + _applied(freely, further) / scale
        left = np.abs(r[:, ~driven] + _applied(elsewhere.mT, forces)).max(axis=-1, initial=0.0)
        bad = left > LEFT * np.maximum(np.abs(r).max(axis=-1, initial=0.0), 1e-300)
        if bad.any():
            found[bad] = np.nan
            reason = f"its {driven.sum()} motors and its closures cannot produce these accelerations"
            rows = f"{bad.sum()} of {bad.size} rows" if batch else "the state"
            report_bad_rows(f"inverse_dynamics: {rows} came out NaN: {reason}", f"inverse_dynamics: {reason}")
        return found.reshape(*batch, space.nv)


def _motors(engine: Engine, motors: Any, of: str) -> np.ndarray:
    """The mask of the components that have a motor."""
    mask = arguments.one_passive_set(engine.coordinates, motors, f"{of}: motors")
    if not mask.any():
        raise ArgumentError(f"{of}: no joint has a motor; motors are joint names, (name, component) pairs or booleans")
    return mask


def _weights(weights: Any, count: int) -> np.ndarray:
    if weights is None:
        return np.ones(count)
    try:
        found = real_array(weights)
    except ValueError:
        found = np.empty(0)
    if found.shape != (count,) or not np.isfinite(found).all() or not (found > 0).all():
        raise ShapeError(
            f"inverse_dynamics: weights are {count} positive numbers, one for each motor in the order of v; got "
            f"{weights!r:.80}"
        )
    return np.asarray(found, dtype=float)


def _rows(engine: Engine, q: np.ndarray) -> np.ndarray:
    """J_c with rows of length 1, so that metres stand beside radians; 0 if nothing moves them. (states, rows, nv)."""
    if not engine.model.closures:
        return np.zeros((len(q), 0, engine.coordinates.nv))
    J = computed(engine, sweeps.closure_jacobian(sweeps.shape_of(engine.model)), q=q)
    length = np.linalg.norm(J, axis=-1, keepdims=True)
    return np.asarray(J / np.where(length > RANK * np.linalg.norm(J, axis=(-1, -2), keepdims=True), length, np.inf))


def _idle(J: np.ndarray) -> np.ndarray:
    """The projection onto the closure forces that are not felt by any of J's joints."""
    return np.asarray(np.eye(J.shape[-2]) - _inverse(J.mT) @ J.mT)


def _inverse(A: np.ndarray) -> np.ndarray:
    """The pseudo-inverse; entries are of the order of 1, so that what is no longer than rounding counts as zero."""
    if not min(A.shape[-2:]):
        return A.mT
    U, lengths, V = np.linalg.svd(A, full_matrices=False)
    kept = lengths > RANK
    return np.asarray((V.mT * (kept / np.where(kept, lengths, 1.0))[..., None, :]) @ U.mT)


def _applied(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.asarray((A @ x[..., None])[..., 0])
