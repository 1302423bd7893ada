"""Configurations at which closures are closed: Newton's method in the mass metric (24.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.mechanics.joint.closure_kinds import slide_count
from soadyn.model.closures import Closure
from soadyn.model.model import Model
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.algorithms import MASS_MATRIX
from soadyn.programs.sweep.moving import INTEGRATE
from soadyn.programs.sweep.program import Program

# A closure is closed if its rows are this small: m, or products of axes.
CLOSED = 1e-12
NEARLY = 1e-9  # where rounding stops the iteration before
STEPS = 200
LONGEST_STEP = 0.5  # rad or m of the fastest joint
RANK = 1e-9  # singular values beside the largest that count as zero
SEPARATE = 1e-7  # ditto far from the closure, where directions that hardly move it lead astray


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assembled:
    """Configurations (rows, nq), and the least error of each closure on the way there."""

    q: np.ndarray
    error: np.ndarray
    is_closed: np.ndarray


def assembled(engine: Engine, q: np.ndarray, moving: np.ndarray | None = None) -> Assembled:
    """The nearest closed configurations of a batch (rows, nq); only the components in `moving` move.

    q ← q ∘ exp(-M⁻¹ J_c* Λ_Q Φ),    repeated; a step moves no joint by more than half a radian
    """
    shape = sweeps.shape_of(engine.model)
    q, free = computed(engine, INTEGRATE, q=q, v=np.zeros((*q.shape[:-1], engine.coordinates.nv))), moving
    now = computed(engine, sweeps.closure_error(shape), q=q)
    best = now.copy()
    for _ in range(STEPS):
        far = np.abs(now).max(axis=-1, initial=0.0)
        going = np.flatnonzero(far > CLOSED / 10)
        if not going.size:
            break
        step = _step(engine, q[going], now[going], free)
        tried = computed(engine, INTEGRATE, q=q[going], v=step)
        error = computed(engine, sweeps.closure_error(shape), q=tried)
        # Rounding has the last word: what does not get better any more is left where it is.
        moved = (np.abs(error).max(axis=-1) < far[going]) | (far[going] > NEARLY)
        if not moved.any():
            break
        q[going[moved]], now[going[moved]] = tried[moved], error[moved]
        nearer = np.linalg.norm(now, axis=-1) < np.linalg.norm(best, axis=-1)
        best[nearer] = now[nearer]
    closed = (np.abs(now).max(axis=-1, initial=0.0) < NEARLY) & _aligned(engine, q)
    return Assembled(q, best, closed)


def _step(engine: Engine, q: np.ndarray, error: np.ndarray, moving: np.ndarray | None) -> np.ndarray:
    """The least motion in the mass metric that closes what is open, to first order."""
    J = computed(engine, sweeps.closure_jacobian(sweeps.shape_of(engine.model)), q=q)
    L_inverse = metric(engine, q)
    if moving is not None:
        J, L_inverse = J * moving, L_inverse * moving
    W = J @ L_inverse.swapaxes(-1, -2)
    far = np.abs(error).max(axis=-1, initial=0.0) > 1e-3
    least = np.where(far, SEPARATE, RANK)
    along = -(L_inverse.swapaxes(-1, -2) @ (np.linalg.pinv(W, rcond=least) @ error[..., None]))[..., 0]
    return along / np.maximum(1.0, np.abs(along).max(axis=-1, keepdims=True) / LONGEST_STEP)


def metric(engine: Engine, q: np.ndarray) -> np.ndarray:
    """L⁻¹ with M = L L*; the identity where M is no metric, such as without mass."""
    mass = computed(engine, MASS_MATRIX, q=q)
    try:
        return np.linalg.inv(np.linalg.cholesky(mass))
    except np.linalg.LinAlgError:
        return np.broadcast_to(np.eye(mass.shape[-1]), mass.shape)


def _aligned(engine: Engine, q: np.ndarray) -> np.ndarray:
    """Do the axes of all cuts point the right way?"""
    program = sweeps.closure_alignment(sweeps.shape_of(engine.model))
    if not program.outputs:
        return np.ones(q.shape[:-1], dtype=bool)
    found = engine.run(program, {"q": q}, q.shape[:-1], "float64")[0]
    # 1 or 3; turned by half a turn -1, and by a third of one about the diagonal, where all dots vanish too, 0.
    return np.asarray((np.stack(found, axis=-1) > 0.5).all(axis=-1))


def farthest(model: Model, error: np.ndarray) -> tuple[str, str]:
    """The closure that is most open at one configuration, and by how much: its slides together, or its turns."""
    found, start = [], 0
    for each in model.closures:
        own, start = error[start : start + each.rows], start + each.rows
        slides = slide_count(each.kind, each.free) if isinstance(each, Closure) else 1
        apart, turned = np.linalg.norm(own[:slides]), np.linalg.norm(own[slides:])
        found.append((max(apart, turned), each.name, f"{apart:.3g} m" if apart >= turned else f"{turned:.2g} rad"))
    _, name, told = max(found)
    return name, told


def computed(engine: Engine, program: Program, **inputs: np.ndarray) -> np.ndarray:
    """A program's only result for a batch."""
    return np.asarray(engine.run(program, inputs, inputs["q"].shape[:-1], "float64")[0][0])
