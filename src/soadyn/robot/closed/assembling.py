"""Configurations at which closures are closed: Newton's method in the mass metric (24.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.errors import ModelError
from soadyn.mechanics.joint.closure_kinds import slide_count
from soadyn.model.closures import Closure
from soadyn.model.configuration import random_configuration
from soadyn.model.model import Model
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.algorithms import MASS_MATRIX
from soadyn.programs.sweep.moving import INTEGRATE
from soadyn.programs.sweep.program import Program

# A closure is closed if its rows are this small: m, or products of axes.
CLOSED = 1e-12
NEARLY = 1e-9  # where rounding stops the iteration before
STEPS = 200
NEAR = 1e-3  # so near that steps get shorter by themselves
STUCK, PUSH = 0.99, 0.5  # what is left of the error by a step that leads nowhere; rad or m
LONGEST_STEP = 0.5  # rad or m of the fastest joint
SHARES = np.array([1.0, 0.5, 0.25, 0.1, 0.03])  # of a step: the best of them is taken
DRAWS = 50  # of a random configuration, until one leads to a closed one
RANK = 1e-9  # singular values beside the largest that count as zero
SEPARATE = 1e-7  # ditto far from the closure, where directions that hardly move it lead astray


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assembled:
    """Configurations (rows, nq), and the least error of each closure on the way there."""

    q: np.ndarray
    error: np.ndarray
    is_closed: np.ndarray


def assembled(engine: Engine, q: np.ndarray, moving: np.ndarray | None = None, enough: int | None = None) -> Assembled:
    """The nearest closed configurations of a batch (rows, nq); only the components in `moving` move.

    q ← q ∘ exp(-M⁻¹ J_c* Λ_Q Φ),    repeated; a step moves no joint by more than half a radian

    When `enough` of them are closed the others are left where they are.
    """
    shape = sweeps.shape_of(engine.model)
    q, free = computed(engine, INTEGRATE, q=q, v=np.zeros((*q.shape[:-1], engine.coordinates.nv))), moving
    now = computed(engine, sweeps.closure_error(shape), q=q)
    best, kick, rng = now.copy(), np.zeros((len(q), engine.coordinates.nv)), np.random.default_rng(24)
    for _ in range(STEPS):
        far = np.abs(now).max(axis=-1, initial=0.0)
        going = np.flatnonzero(far > CLOSED / 10)
        if not going.size or (enough is not None and _count(engine, q, far) >= enough):
            break
        before = np.linalg.norm(now[going], axis=-1)
        step = _step(engine, q[going], now[going], free) + kick[going] * (1.0 if free is None else free)
        step = step[:, None] * SHARES[:, None]
        ways = computed(engine, INTEGRATE, q=np.broadcast_to(q[going][:, None], (*step.shape[:2], q.shape[-1])), v=step)
        errors = computed(engine, sweeps.closure_error(shape), q=ways)
        best_way = np.arange(len(going)), np.linalg.norm(errors, axis=-1).argmin(axis=-1)
        tried, error = ways[best_way], errors[best_way]
        # Rounding has the last word: what does not get better any more is left where it is.
        moved = (np.abs(error).max(axis=-1) < far[going]) | (far[going] > NEARLY)
        if not moved.any():
            break
        q[going[moved]], now[going[moved]] = tried[moved], error[moved]
        # Where steps lead nowhere, links point away from each other: a push to one side gets them out of line.
        stuck = np.zeros(len(q), dtype=bool)
        stuck[going] = (np.linalg.norm(error, axis=-1) > STUCK * before) & (far[going] > NEAR)
        kick = np.where(stuck[:, None], rng.uniform(-PUSH, PUSH, kick.shape), 0.0)
        nearer = np.linalg.norm(now, axis=-1) < np.linalg.norm(best, axis=-1)
        best[nearer] = now[nearer]
    closed = (np.abs(now).max(axis=-1, initial=0.0) < NEARLY) & _aligned(engine, q)
    return Assembled(q, best, closed)


def _count(engine: Engine, q: np.ndarray, far: np.ndarray) -> int:
    """How many configurations are closed."""
    closed = far < CLOSED
    return int((closed & _aligned(engine, q)).sum()) if closed.any() else 0


def random_closed(engine: Engine, rng: np.random.Generator | None, size: int | tuple[int, ...]) -> np.ndarray:
    """Random configurations, each led to a closed one near it; starts that lead to none are drawn again.

    So are those that lead beyond position limits, but for the last draws.
    """
    wanted = random_configuration(engine.coordinates, rng, size)
    q = wanted.reshape(-1, wanted.shape[-1])
    waiting = np.arange(len(q))
    for draw in range(DRAWS):
        found = assembled(engine, q[waiting])
        q[waiting] = found.q
        good = found.is_closed & (_within_limits(engine, found.q) | (draw >= DRAWS // 2))
        waiting = waiting[~good]
        if not waiting.size:
            return q.reshape(wanted.shape)
        q[waiting] = random_configuration(engine.coordinates, rng, len(waiting))
    raise ModelError(f"robot {engine.model.name!r}: {DRAWS} random starts led to no closed configuration")


def _within_limits(engine: Engine, q: np.ndarray) -> np.ndarray:
    """Which configurations (rows, nq) pass no position limit."""
    space = engine.coordinates
    joints = [joint for k, joint in enumerate(space.model.joints, start=1) if k not in space.tied]
    lower, upper = (np.array([x for joint in joints for x in getattr(joint, side)]) for side in ("lower", "upper"))
    return np.asarray(((q >= lower) & (q <= upper)).all(axis=-1))


def nearest_rates(engine: Engine, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The rates nearest to v, in the mass metric, that keep closures closed:  v - M⁻¹ J_c* Λ_Q J_c v."""
    J = computed(engine, sweeps.closure_jacobian(sweeps.shape_of(engine.model)), q=q)
    L_inverse = metric(engine, q)
    W = J @ L_inverse.swapaxes(-1, -2)
    away = np.linalg.pinv(W, rcond=RANK) @ (J @ v[..., None])
    return np.asarray(v - (L_inverse.swapaxes(-1, -2) @ away)[..., 0])


def _step(engine: Engine, q: np.ndarray, error: np.ndarray, moving: np.ndarray | None) -> np.ndarray:
    """The least motion in the mass metric that closes what is open, to first order."""
    J = computed(engine, sweeps.closure_jacobian(sweeps.shape_of(engine.model)), q=q)
    L_inverse = metric(engine, q, moving)
    if moving is not None:
        J, L_inverse = J * moving, L_inverse * moving
    W = J @ L_inverse.swapaxes(-1, -2)
    far = np.abs(error).max(axis=-1, initial=0.0) > NEAR
    least = np.where(far, SEPARATE, RANK)
    along = -(L_inverse.swapaxes(-1, -2) @ (np.linalg.pinv(W, rcond=least) @ error[..., None]))[..., 0]
    return along / np.maximum(1.0, np.abs(along).max(axis=-1, keepdims=True) / LONGEST_STEP)


def metric(engine: Engine, q: np.ndarray, moving: np.ndarray | None = None) -> np.ndarray:
    """L⁻¹ with M = L L*, that of the `moving` joints alone; the identity where M is no metric, such as without mass."""
    mass = computed(engine, MASS_MATRIX, q=q)
    if moving is not None:
        mass = mass * np.outer(moving, moving) + np.diag(~moving)
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
