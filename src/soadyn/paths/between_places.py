"""The fastest motions along paths of which the limits hold everywhere, not at the places of a grid alone.

The reachability analysis heeds constraints at both ends of each interval. A motion that passes a limit in between
follows its path more slowly, by one factor; if that does not help, or costs too much, intervals of half the length do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from soadyn.errors import ArgumentError, warn_caller
from soadyn.paths.bounds import Bounds
from soadyn.paths.constraints import constraints_along
from soadyn.paths.joint_paths import Path
from soadyn.paths.motion import Motion
from soadyn.paths.reachable import Fastest, both_ends, fastest
from soadyn.paths.shares import Looks, largest

KEPT = 1e-6  # a limit is kept if it is passed by less than this share of it
CLOSE = 5e-3  # a motion that slowness makes longer by more than this share gets intervals of half the length
HALVINGS = 3
FINE = 16  # looks for each piece of path and motion


def fastest_within(paths: Sequence[Path], places: np.ndarray, limits: Bounds, halvings: int = HALVINGS) -> list[Motion]:
    """One motion for each path, with its largest share of a limit measured; warns if it is more than one after all."""
    found = fastest(both_ends(constraints_along(paths, places, limits)))
    first = [motion_found(path, places, found, k) for k, path in enumerate(paths)]
    motions = [_settled(motion, limits) for motion in first]
    coarse = [k for k, motion in enumerate(motions) if motion.duration > (1 + CLOSE) * first[k].duration]
    passing = [k for k, motion in enumerate(motions) if (motion.worst or 0.0) > 1 + KEPT]
    if halvings and (again := sorted({*coarse, *passing})):
        halves = np.sort(np.concatenate([places, (places[1:] + places[:-1]) / 2]))
        finer = fastest_within([paths[k] for k in again], halves, limits, halvings - 1)
        for k, motion in zip(again, finer, strict=True):
            motions[k] = motion
        return motions
    for k in passing:
        warn_caller(
            f"time_optimal: the motion along {paths[k]!r} passes a limit by {(motions[k].worst or 0.0) - 1:.2g} of its "
            "size inside an interval; give a finer grid",
            RuntimeWarning,
        )
    return motions


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


def _settled(motion: Motion, limits: Bounds) -> Motion:
    """Measured; a motion that passes limits is slowed down as little as is enough, if slowness helps."""
    worst, tops = largest(motion, limits, FINE)
    if worst > 1 + KEPT and (slower := _slower(motion, limits, tops)):
        motion, worst = slower, largest(slower, limits, FINE)[0]
    return replace(motion, worst=worst)


def _slower(motion: Motion, limits: Bounds, tops: Looks) -> Motion | None:
    """The path followed with ṡ² and s̈ smaller by one factor; None if some force passes its limit however it is chosen.

    Rates go with the factor's root, accelerations with the factor; of forces the part of gravity stays.
    """
    nv = motion.robot.nv
    taken, q = tops.shares(motion, limits), motion.path.at(tops.s)[0]
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
