"""Time-optimal motion along a path within joint forces, rates and accelerations.

Along a path the dynamics are linear in u = s̈ and x = ṡ²: with q' and q'' the path's derivatives,

    T = (Mass q') u + (Mass q'' + C(q, q')) x + T_gravity

All three come from one batched inverse dynamics ID(q, v, a): T_gravity = ID(q, 0, 0),
Mass q' = ID(q, 0, q') - T_gravity, Mass q'' + C = ID(q, q', q'') - T_gravity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.evaluation.figures import shown
from soadyn.paths.bounds import Bounds
from soadyn.paths.joint_paths import Path
from soadyn.paths.motion import Motion
from soadyn.paths.reachable import Fastest, Stages, both_ends, fastest
from soadyn.spatial.reading import NotNumbersError, real_array

INTERVALS = 100
MOST_INTERVALS = 1_000_000
AT_ONCE = 8  # paths whose constraints fit into a processor's cache


@overload
def time_optimal(
    path: Path,
    torque: ArrayLike | bool = True,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    grid: ArrayLike | int = INTERVALS,
) -> Motion: ...
@overload
def time_optimal(
    path: Sequence[Path],
    torque: ArrayLike | bool = True,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    grid: ArrayLike | int = INTERVALS,
) -> list[Motion]: ...
def time_optimal(
    path: Path | Sequence[Path],
    torque: ArrayLike | bool = True,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    grid: ArrayLike | int = INTERVALS,
) -> Motion | list[Motion]:
    """The fastest motion along a path from rest to rest within limits; of several paths of one robot, all at once.

    torque: largest joint forces, a number or (nv,); True: the robot's own, False: none
    velocity: largest joint rates, likewise; the robot's own if omitted, False: none
    acceleration: largest joint accelerations; none if omitted
    grid: in how many equal intervals s is cut, or the places (n,) from 0 to 1 themselves

    Limits hold at both ends of every interval of the grid, within which s̈ is constant. A path that cannot be followed
    within the limits is refused, with the place.

    >>> import soadyn as sd
    >>> arm = sd.load("ur5")
    >>> path = sd.paths.line(arm, [0.0, -1.5, 1.0, 0.0, 0.0, 0.0], [1.0, -0.5, 0.5, 0.0, 0.5, 0.0])
    >>> motion = sd.paths.time_optimal(path)
    >>> bool((abs(motion.tau[:-1]) <= arm.effort_limit + 1e-6).all()), bool((abs(motion.v) <= arm.velocity_limit).all())
    (True, True)
    """
    paths = [path] if isinstance(path, Path) else list(path) if isinstance(path, Sequence) else []
    if not paths or not all(isinstance(one, Path) for one in paths):
        raise ArgumentError(f"time_optimal takes a Path, as sd.paths.line makes them, or several, got {path!r:.80}")
    robot = paths[0].robot
    if any(one.robot != robot for one in paths):
        raise ArgumentError("time_optimal takes several paths of one robot")
    limits = Bounds.of(robot, torque, velocity, acceleration, "time_optimal")
    if not any(np.isfinite(x).any() for x in (limits.torque, limits.velocity, limits.acceleration)):
        raise ArgumentError(f"time_optimal: without limits of {robot.name!r} there is no fastest motion")
    places = _places(grid)
    motions = []
    for begun in range(0, len(paths), AT_ONCE):
        some = paths[begun : begun + AT_ONCE]
        found = fastest(both_ends(constraints_along(some, places, limits)))
        motions += [_motion(one, places, found, k) for k, one in enumerate(some)]
    return motions[0] if isinstance(path, Path) else motions


def _places(grid: Any) -> np.ndarray:
    if isinstance(grid, int | np.integer) and not isinstance(grid, bool):
        if not 1 <= grid <= MOST_INTERVALS:
            raise ArgumentError(f"time_optimal: a grid has 1 to {MOST_INTERVALS:,} intervals, got {shown(grid)}")
        return np.linspace(0.0, 1.0, int(grid) + 1)
    try:
        places = real_array(grid)
    except NotNumbersError:
        places = np.zeros(0)
    if places.ndim != 1 or len(places) < 2 or places[0] != 0 or places[-1] != 1 or not (np.diff(places) > 0).all():
        raise ArgumentError(f"time_optimal: a grid is a number of intervals or places from 0 to 1, got {grid!r:.80}")
    return places


def constraints_along(paths: Sequence[Path], places: np.ndarray, limits: Bounds) -> Stages:
    """The constraints of all paths at all places."""
    robot = paths[0].robot
    q, first, second = (np.stack(x, axis=1) for x in zip(*(one.at(places) for one in paths), strict=True))
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    if (at := np.isfinite(limits.torque)).any():
        still = np.zeros_like(first)
        rates = np.stack([still, still, first])
        T, pushed, moved = robot.inverse_dynamics(q, rates, np.stack([still, first, second]))
        a, b = (pushed - T)[..., at], (moved - T)[..., at]
        parts += [(a, b, (limits.torque - T)[..., at]), (-a, -b, (limits.torque + T)[..., at])]
    if (at := np.isfinite(limits.acceleration)).any():
        a, b = first[..., at], second[..., at]
        most = np.broadcast_to(limits.acceleration[at], a.shape)
        parts += [(a, b, most), (-a, -b, most)]
    with np.errstate(divide="ignore", invalid="ignore"):
        top = np.where(first != 0, (limits.velocity / np.abs(first)) ** 2, np.inf).min(axis=-1)
    empty = np.zeros((*top.shape, 0))
    a, b, c = (np.concatenate([empty, *x], axis=-1) for x in zip(*parts, strict=True)) if parts else (empty,) * 3
    gaps = np.broadcast_to(np.diff(places)[:, None], (len(places) - 1, len(paths)))
    return Stages(*_rounded(a, b), c, np.minimum(top, _largest(a, b, c)), gaps)


def _rounded(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients that are nothing but rounding errors of the others at that place are zero."""
    size = 1e-13 * np.maximum(np.abs(a), np.abs(b)).max(axis=-1, keepdims=True, initial=0.0)
    return np.where(np.abs(a) <= size, 0.0, a), np.where(np.abs(b) <= size, 0.0, b)


def _largest(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """An x that no constraint can be met with, for places where nothing else bounds it: a start for the search."""
    size = np.maximum(np.abs(a), np.abs(b)).max(axis=-1, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size > 0, 1e8 * (1 + np.abs(c).max(axis=-1, initial=0.0)) / size, 1e8)


def _motion(path: Path, places: np.ndarray, found: Fastest, k: int) -> Motion:
    x, u = found.x[:, k], found.u[:, k]
    if found.stuck[k] >= 0:
        raise ArgumentError(
            f"time_optimal: {path!r} cannot be followed within the limits: at s = {places[found.stuck[k]]:.4g} no "
            "speed leads on; are the limits below what gravity takes there?"
        )
    speed = np.sqrt(x)
    mean = (speed[1:] + speed[:-1]) / 2
    if not (mean > 0).all():
        raise ArgumentError(f"time_optimal: {path!r} comes to rest at s = {places[int(np.argmin(mean))]:.4g} for good")
    t = np.concatenate([[0.0], np.cumsum(np.diff(places) / mean)])
    return Motion(path, t, places, speed, u, np.zeros_like(u))
