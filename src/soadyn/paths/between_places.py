"""The fastest motions along paths of which the limits hold everywhere, not at the places of a grid alone.

The reachability analysis heeds constraints at both ends of each interval. Where the motion that it finds passes a limit
in between, the interval gets a constraint more, of that limit at that place, and the analysis is done again: with u
constant and x linear in s in an interval it is as linear as the others. What a few such rounds leave over is taken away
by following the path more slowly, and if that does not help by intervals of half the length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from soadyn.errors import ArgumentError, warn_caller
from soadyn.paths.bounds import Bounds
from soadyn.paths.constraints import Coefficients, constraints_along, constraints_at
from soadyn.paths.joint_paths import Path
from soadyn.paths.motion import Motion
from soadyn.paths.reachable import Fastest, both_ends, fastest
from soadyn.paths.shares import Peaks, largest, peaks

KEPT = 1e-6  # a limit is kept if it is passed by less than this share of it
ROUNDS = 8
AT_MOST = 4  # constraints that an interval gets in a round
HALVINGS = 3
COARSE, FINE = 4, 16  # looks for each piece of path and motion: in each round, and in the end


def fastest_within(paths: Sequence[Path], places: np.ndarray, limits: Bounds, halvings: int = HALVINGS) -> list[Motion]:
    """One motion for each path, with its largest share of a limit measured; warns if it is more than one after all."""
    return [_halved(motion, places, limits, halvings) for motion in _solved(paths, places, limits)]


def _halved(motion: Motion, places: np.ndarray, limits: Bounds, halvings: int) -> Motion:
    """The motion, slower if that helps, or one within intervals of half the length."""
    motion, worst = _settled(motion, limits)
    if worst <= 1 + KEPT:
        return motion
    if halvings:
        halves = np.sort(np.concatenate([places, (places[1:] + places[:-1]) / 2]))
        return fastest_within([motion.path], halves, limits, halvings - 1)[0]
    warn_caller(
        f"time_optimal: the motion along {motion.path!r} passes a limit by {worst - 1:.2g} of its size inside an "
        "interval; give a finer grid",
        RuntimeWarning,
    )
    return motion


def _solved(paths: Sequence[Path], places: np.ndarray, limits: Bounds) -> list[Motion]:
    """Motions with which nothing is left to add to the constraints of their intervals, or not after `ROUNDS`."""
    stages = both_ends(constraints_along(paths, places, limits))
    found = fastest(stages)
    motions = [motion_found(path, places, found, k) for k, path in enumerate(paths)]
    left = list(range(len(paths)))
    for _ in range(ROUNDS):
        passed = [peaks(motions[k], limits, COARSE).above(1 + KEPT / 2) for k in left]
        on = [row for row, some in enumerate(passed) if len(some)]
        left, passed = [left[row] for row in on], [passed[row] for row in on]
        if not left:
            break
        more = [_further(motions[k], some, limits) for k, some in zip(left, passed, strict=True)]
        stages = stages.of(on).heeding(*_side_by_side(more))
        found = fastest(stages)
        on = [row for row in range(len(left)) if _leads_on(found, row)]
        for row in on:
            motions[left[row]] = motion_found(paths[left[row]], places, found, row)
        left, stages = [left[row] for row in on], stages.of(on)
    return motions


def _further(motion: Motion, passed: Peaks, limits: Bounds) -> Coefficients:
    """Constraints (N + 1, k) for the intervals in which limits are passed, the worst first."""
    interval = passed.looks.interval
    found = constraints_at(motion, passed, limits)
    rank = np.zeros(len(interval), dtype=int)
    met: dict[int, int] = {}
    for n, k in enumerate(interval.tolist()):
        rank[n] = met[k] = met.get(k, -1) + 1
    kept = rank < AT_MOST
    a, b, c = nothing = np.zeros((3, len(motion.t), rank[kept].max() + 1))
    c[:] = 1.0
    for x, y in zip(nothing, found, strict=True):
        x[interval[kept], rank[kept]] = y[kept]
    return a, b, c


def _side_by_side(of_paths: list[Coefficients]) -> Coefficients:
    """Constraints (N + 1, P, k) from those of each path, filled up with ones that say nothing."""
    k = max(a.shape[1] for a, _, _ in of_paths)
    a, b, c = (
        np.stack([np.pad(x, ((0, 0), (0, k - x.shape[1])), constant_values=fill) for x in some], axis=1)
        for some, fill in zip(zip(*of_paths, strict=True), (0.0, 0.0, 1.0), strict=True)
    )
    return a, b, c


def _leads_on(found: Fastest, k: int) -> bool:
    speed = found.x[:, k]
    return bool(found.stuck[k] < 0 and (speed[1:] + speed[:-1] > 0).all())


def motion_found(path: Path, places: np.ndarray, found: Fastest, k: int) -> Motion:
    """Path k's motion; a path that cannot be followed is refused with the place."""
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


def _settled(motion: Motion, limits: Bounds) -> tuple[Motion, float]:
    """Measured; a motion that still passes limits is slowed down as little as is enough, if slowness helps."""
    worst = largest(motion, limits, FINE)
    if worst > 1 + KEPT and (slower := _slower(motion, limits)):
        motion, worst = slower, largest(slower, limits, FINE)
    return replace(motion, worst=worst), worst


def _slower(motion: Motion, limits: Bounds) -> Motion | None:
    """The path followed with ṡ² and s̈ smaller by one factor; None if some force passes its limit however it is chosen.

    Rates go with the factor's root, accelerations with the factor; of forces the part of gravity stays.
    """
    found, nv = peaks(motion, limits, FINE).looks, motion.robot.nv
    taken, q = found.shares(motion, limits), motion.path.at(found.s)[0]
    nothing = np.zeros((len(q), nv))
    still = motion.robot.inverse_dynamics(q, nothing, nothing) / limits.effort
    moving = taken[:, :nv] - still
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(1 - still) / moving, (-1 - still) / moving])
        held = np.where(np.abs(still) <= 1, np.inf, -np.inf)
        most = np.where(moving == 0, held, ends.max(axis=0)).min()
        least = np.where(moving == 0, -held, ends.min(axis=0)).max()
        rates = np.abs(taken[:, 2 * nv :]).max() ** -2.0
        factor = min(most, rates, 1 / np.abs(taken[:, nv : 2 * nv]).max(), 1.0)
    if not max(least, 0.0) < factor:
        return None
    root = np.sqrt(factor)
    return replace(motion, t=motion.t / root, speed=motion.speed * root, push=motion.push * factor)
