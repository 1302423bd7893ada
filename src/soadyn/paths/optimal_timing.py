"""Time-optimal motion along a path within joint forces, rates and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.paths.between_places import fastest_within
from soadyn.paths.bounds import Bounds
from soadyn.paths.joint_paths import Path, ascending
from soadyn.paths.motion import Motion
from soadyn.paths.scaling import Limit
from soadyn.robot.arguments.plain_values import shown

INTERVALS = 100
MOST_INTERVALS = 1_000_000
AT_ONCE = 8  # paths whose constraints fit into a processor's cache


@overload
def time_optimal(
    path: Path,
    effort_limit: Limit = "robot",
    velocity_limit: Limit = "robot",
    acceleration_limit: Limit = None,
    grid: ArrayLike | int = INTERVALS,
) -> Motion: ...
@overload
def time_optimal(
    path: Sequence[Path],
    effort_limit: Limit = "robot",
    velocity_limit: Limit = "robot",
    acceleration_limit: Limit = None,
    grid: ArrayLike | int = INTERVALS,
) -> list[Motion]: ...
def time_optimal(
    path: Path | Sequence[Path],
    effort_limit: Limit = "robot",
    velocity_limit: Limit = "robot",
    acceleration_limit: Limit = None,
    grid: ArrayLike | int = INTERVALS,
) -> Motion | list[Motion]:
    """The fastest motion along a path from rest to rest within limits; of several paths of one robot, all at once.

    effort_limit, velocity_limit, acceleration_limit: the largest joint forces, rates and accelerations, a number or
        (nv,); "robot": the robot's own; None: none
    grid: in how many equal intervals s is cut, or the places (n,) from 0 to 1 themselves

    Limits are passed nowhere, inside intervals neither, by more than a millionth of their size; s̈ is constant within an
    interval, and intervals are halved where that is too coarse. `motion.worst` is the largest share of a limit that was
    measured. A path that cannot be followed within the limits is refused, with the place.

    >>> import soadyn as sd
    >>> arm = sd.load("ur5")
    >>> path = sd.paths.line(arm, [0.0, -1.5, 1.0, 0.0, 0.0, 0.0], [1.0, -0.5, 0.5, 0.0, 0.5, 0.0])
    >>> motion = sd.paths.time_optimal(path)
    >>> bool((abs(motion.tau) <= 1.000001 * arm.effort_limit).all()), motion.worst < 1.000001
    (True, True)
    """
    paths = [path] if isinstance(path, Path) else list(path) if isinstance(path, Sequence) else []
    if not paths or not all(isinstance(one, Path) for one in paths):
        raise ArgumentError(f"time_optimal takes a Path, as sd.paths.line makes them, or several, got {path!r:.80}")
    robot = paths[0].robot
    if any(one.robot != robot for one in paths):
        raise ArgumentError("time_optimal takes several paths of one robot")
    limits = Bounds.of(robot, effort_limit, velocity_limit, acceleration_limit, "time_optimal")
    if not any(np.isfinite(x).any() for x in (limits.effort, limits.velocity, limits.acceleration)):
        raise ArgumentError(f"time_optimal: without limits of {robot.name!r} there is no fastest motion")
    places = _places(grid)
    motions = []
    for begun in range(0, len(paths), AT_ONCE):
        some = paths[begun : begun + AT_ONCE]
        motions += fastest_within(some, places, limits)
    return motions[0] if isinstance(path, Path) else motions


def _places(grid: Any) -> np.ndarray:
    if isinstance(grid, int | np.integer) and not isinstance(grid, bool):
        if not 1 <= grid <= MOST_INTERVALS:
            raise ArgumentError(f"time_optimal: a grid has 1 to {MOST_INTERVALS:,} intervals, got {shown(grid)}")
        return np.linspace(0.0, 1.0, int(grid) + 1)
    if not len(places := ascending(grid)):
        raise ArgumentError(f"time_optimal: a grid is a number of intervals or places from 0 to 1, got {grid!r:.80}")
    return places
