"""Which rows of closures follow from others wherever the robot is closed (24.5), and which can be eliminated where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.errors import ModelError
from soadyn.model.closures import Coupling
from soadyn.model.configuration import neutral, random_configuration
from soadyn.model.model import Model
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.moving import INTEGRATE
from soadyn.robot.closed.assembling import assembled, computed, farthest, metric

STATES = 5  # closed configurations that are looked at
STARTS = 32  # tried at a time
ROUNDS = 8
NEAR_HINT = 0.05  # rad or m: how far starts are from a configuration that is given
NEAR_NEUTRAL = 1.0  # rad or m: and from the neutral one, close to which files and builders draw their robots closed
# A row follows from others if no more than this is left of it, of 1: Λ_Q⁻¹ has its square, which rounding hides.
FOLLOWS = 1e-6
# Rows, each of length 1, that are eliminated without their system losing more than four digits.
REGULAR = 1e-2


def with_superfluous(model: Model, near: np.ndarray | None = None) -> Model:
    """The model that knows which rows of its closures follow from others, row by row of J_c at random closed states.

    A row is superfluous only if it follows from those before it at all of these states. ModelError if no start leads to
    a closed one; they are random, or `near` a configuration (nq,).
    """
    if model.superfluous is not None:
        return model
    engine = Engine(replace(model, superfluous=(), homes=()), "numpy")
    q = _closed_states(engine, near)
    W = _scaled(engine, q)
    superfluous = superfluous_rows(W)
    left = np.delete(W, superfluous, axis=1)
    lengths = np.linalg.svd(left, compute_uv=False) if left.shape[1] <= left.shape[2] else np.zeros((1, 1))
    changing = bool(left.shape[1] and (lengths[:, -1] < FOLLOWS).any())
    found = replace(model, superfluous=superfluous, changing=changing, homes=())
    return replace(found, homes=regular_homes(engine, q, sweeps.shape_of(found)))


def regular_homes(engine: Engine, q: np.ndarray, shape: sweeps.Shape) -> tuple[int, ...]:
    """For each closure the link where it can be eliminated (24.3), the ground 0 where there is none.

    It is the nearest common ancestor of all that the rows of its group hold, if with that link held still the rows that
    are eliminated there and outboard are independent at all of the states q.
    """
    model = engine.model
    J = computed(engine, sweeps.closure_jacobian(shape), q=q)
    starts = np.cumsum([0, *(group.count for group in shape.groups)])
    ancestors = [_common_ancestor(model, group) for group in shape.groups]
    homes: dict[int, int] = {}  # by the number of a group
    for g in sorted(range(len(ancestors)), key=lambda g: -ancestors[g]):
        home = ancestors[g]
        outboard = [k for k in range(home + 1, model.n + 1) if home in model.ancestors(k)]
        together = [f for f, place in homes.items() if place == home or place in outboard] + [g]
        rows = [shape.order[starts[f] + i] for f in together for i in shape.groups[f].kept]
        moving = np.zeros(model.nv, dtype=bool)
        for k in outboard:
            moving[model.v_slices[k - 1]] = True
        if home and rows and _are_independent((J * moving)[:, rows], metric(engine, q, moving) * moving):
            homes[g] = home
    found = [0] * len(model.closures)
    for g, home in homes.items():
        for number in _members(model, shape, g):
            found[number] = home
    return tuple(found)


def _are_independent(J: np.ndarray, L_inverse: np.ndarray) -> bool:
    W = J @ L_inverse.swapaxes(-1, -2)
    if W.shape[-2] > W.shape[-1]:
        return False
    length = np.linalg.norm(W, axis=-1, keepdims=True)
    if not length.all():
        return False
    singular = np.linalg.svd(W / length, compute_uv=False)
    return bool((singular[:, -1] > REGULAR).all())


def _members(model: Model, shape: sweeps.Shape, g: int) -> list[int]:
    """The closures to which the rows of a group belong, by their numbers."""
    starts = np.cumsum([0, *(group.count for group in shape.groups)])
    rows = shape.order[starts[g] : starts[g + 1]]
    first = np.cumsum([0, *(each.rows for each in model.closures)])
    return [i for i in range(len(model.closures)) if first[i] in rows]


def _common_ancestor(model: Model, group: sweeps.Group) -> int:
    """The nearest common ancestor of the two links of a cut, or of what carries the joints of couplings."""
    if isinstance(group, sweeps.CutRows):
        links = list(model.closures[group.closure].links)
    else:
        couplings = [each for each in model.closures if isinstance(each, Coupling)]
        links = [model.parents[joint - 1] for each in couplings for joint in each.links]
    ways = [[*model.ancestors(k), 0] for k in links]
    return next(k for k in ways[0] if all(k in way for way in ways))


def _closed_states(engine: Engine, near: np.ndarray | None) -> np.ndarray:
    """Closed configurations near the neutral one, or near one that is given, and random ones."""
    rng = np.random.default_rng(35)
    middle = neutral(engine.coordinates) if near is None else near
    here = assembled(engine, _around(engine, middle, NEAR_HINT, rng, STATES))
    return np.array([*here.q[here.is_closed], *_further_states(engine, near, rng)])


def _further_states(engine: Engine, near: np.ndarray | None, rng: np.random.Generator) -> list[np.ndarray]:
    """Closed configurations from random starts, or from starts near one that is given, at most STATES."""
    found: list[np.ndarray] = []
    nearest: tuple[float, np.ndarray] | None = None
    for _ in range(ROUNDS):
        if near is None:
            starts = random_configuration(engine.coordinates, rng, STARTS)
            starts[::2] = _around(engine, neutral(engine.coordinates), NEAR_NEUTRAL, rng, len(starts[::2]))
        else:
            starts = np.concatenate([near[None], _around(engine, near, NEAR_HINT, rng, STARTS - 1)])
        result = assembled(engine, starts, enough=STATES)
        found += list(result.q[result.is_closed])
        if len(found) >= STATES:
            return found[:STATES]
        miss = np.linalg.norm(result.error, axis=-1)
        best = int(np.argmin(miss))
        if nearest is None or miss[best] < nearest[0]:
            nearest = float(miss[best]), result.error[best]
    if found:
        return found
    assert nearest is not None
    name, told = farthest(engine.model, nearest[1])
    where = "random starts" if near is None else "starts near the one given"
    raise ModelError(
        f"robot {engine.model.name!r} cannot be closed: from {ROUNDS * STARTS} {where} closure {name!r} stays "
        f"open by {told} at least" + ("; if it can be, say near which configuration, by `near`" if near is None else "")
    )


def _around(engine: Engine, q: np.ndarray, far: float, rng: np.random.Generator, count: int) -> np.ndarray:
    """Configurations around one, each component at most so far from it."""
    away = rng.uniform(-far, far, (count, engine.coordinates.nv))
    return np.asarray(computed(engine, INTEGRATE, q=np.broadcast_to(q, (count, len(q))), v=away))


def _scaled(engine: Engine, q: np.ndarray) -> np.ndarray:
    """Rows of J_c L⁻*, with M = L L*, each of length 1: (states, rows, nv). Rows that nothing moves are zero."""
    J = computed(engine, sweeps.closure_jacobian(sweeps.shape_of(engine.model)), q=q)
    W = J @ metric(engine, q).swapaxes(-1, -2)
    length = np.linalg.norm(W, axis=-1, keepdims=True)
    return np.asarray(W / np.where(length > FOLLOWS * np.linalg.norm(J, axis=(-1, -2), keepdims=True), length, np.inf))


def superfluous_rows(W: np.ndarray) -> tuple[int, ...]:
    """Rows of W (states, rows, n) that follow from others at all states; those that are most independent stay.

    >>> superfluous_rows(np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]]))
    (2,)
    """
    left = W.copy()  # what the rows that stay leave of each
    waiting = list(range(W.shape[1]))
    while waiting:
        lengths = np.linalg.norm(left[:, waiting], axis=-1)
        worst, best = lengths.min(axis=0), lengths.max(axis=0)
        score = worst if worst.max() > FOLLOWS else best
        if score.max() <= FOLLOWS:
            break
        row = waiting.pop(int(np.argmax(score > 0.999 * score.max())))
        length = np.linalg.norm(left[:, row], axis=-1)
        unit = left[:, row] / np.where(length > FOLLOWS, length, np.inf)[:, None]
        for _ in range(2):  # once more for rounding
            left -= (left @ unit[..., None]) * unit[:, None]
    return tuple(waiting)
