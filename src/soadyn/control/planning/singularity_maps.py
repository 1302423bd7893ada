"""Where demands are easy and where they become singular: maps over configurations and over places of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.planning import plotting
from soadyn.control.planning.demands import Demands, checked_demands
from soadyn.control.planning.least_squares import solve_demands
from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial import rigid
from soadyn.robot.arguments.plain_values import real

STEPS = 60  # from the start to the places of a workspace map
CORRECTIONS = 15  # that follow, to arrive
ARRIVED = 1e-3  # m and rad
REGULARIZATION = 1e-3


@final
@dataclass(frozen=True, eq=False, slots=True)
class Singularity:
    """How near the demanded rows are to depend on each other; one figure for each configuration.

    smallest: the smallest singular value of their Jacobian. manipulability: the product of all, √det(J J*) where there
    are no more rows than joints.

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> found = sd.control.measure_singularity(sd.control.Demands(flyer, "tool", passive=["root"]), flyer.neutral())
    >>> bool(0 < found.smallest < 1)
    True
    """

    smallest: np.ndarray
    manipulability: np.ndarray


def measure_singularity(demands: Demands, q: ArrayLike) -> Singularity:
    """Smallest singular value and manipulability of the demands' Jacobian at configurations (..., nq).

    For `Demands(robot, frame)` that is J_G itself.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.random_configuration(np.random.default_rng(0), size=100)
    >>> found = sd.control.measure_singularity(sd.control.Demands(flyer, "tool"), q)
    >>> found.smallest.shape, bool((found.smallest > 0).all())
    ((100,), True)
    """
    J = checked_demands(demands, "measure_singularity").jacobian(q)
    bad = ~np.isfinite(J).all(axis=(-1, -2))
    s = np.linalg.svd(np.where(bad[..., None, None], 0.0, J), compute_uv=False)
    s[bad] = np.nan
    return Singularity(s[..., -1], np.prod(s, axis=-1))


@final
@dataclass(frozen=True, eq=False, slots=True)
class WorkspaceMap:
    """Singular values where a frame can go from one configuration in reaction mode, made by `workspace_map`.

    grid: the two axes' positions, (m,) and (n,), in m. smallest, manipulability: at arrival, (m, n), NaN where the
    frame did not arrive. on_the_way: the smallest singular value met on the straight way there, (m, n).
    start: where the frame was, along the two axes.
    """

    axes: tuple[int, int]
    grid: tuple[np.ndarray, np.ndarray]
    smallest: np.ndarray
    manipulability: np.ndarray
    on_the_way: np.ndarray
    start: tuple[float, float]
    title: str

    @property
    def reached(self) -> np.ndarray:
        """Where the frame arrived, booleans (m, n)."""
        return np.isfinite(self.smallest)

    def plot(self, path: str | PathLike[str]) -> Path:
        """Draw the smallest singular values into a file; needs matplotlib: pip install matplotlib."""
        return plotting.plot_workspace(path, self)


def workspace_map(
    demands: Demands,
    q0: ArrayLike,
    *,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    z: ArrayLike | None = None,
) -> WorkspaceMap:
    """Where the frame can go from q0, and how singular the demands are there.

    Two of x, y, z: positions (m,), (n,) in the world; along the third axis the frame stays. All places are approached
    at once, on straight lines with regularized resolved rates at zero momentum: a free-flyer's configuration at a place
    depends on how it came there (momentum is no holonomic constraint). Position limits do not act. Beyond a singularity
    the map is ragged: small differences decide how the arm folds.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> x, _, z = flyer.pose(q, "tool")[:3, 3]
    >>> demands = sd.control.Demands(flyer, "tool", "position", hold="attitude")
    >>> sd.control.workspace_map(demands, q, x=x + np.array([-0.1, 0.1]), z=z + np.array([0.0, 9.0])).reached.tolist()
    [[True, False], [True, False]]
    """
    robot = checked_demands(demands, "workspace_map").robot
    if not set(range(3, 6)) <= set(demands.frame_rows.tolist()):
        raise ArgumentError("a workspace map needs demands on the frame's position")
    start = real("q0", q0, robot.nq, meaning=f"the {robot.nq} coordinates of robot {robot.name!r}", of="workspace_map")
    given = {i: places for i, places in enumerate((x, y, z)) if places is not None}
    if len(given) != 2:
        raise ArgumentError(f"a workspace map takes positions along two of x, y, z, got {len(given)} of them")
    axes = (min(given), max(given))
    grid = [real("xyz"[i], given[i], meaning="positions along an axis", of="workspace_map") for i in axes]
    if start.ndim != 1 or any(places.ndim != 1 or not len(places) for places in grid):
        raise ShapeError("a workspace map takes one configuration and two lists of positions")
    if not all(np.isfinite(numbers).all() for numbers in (start, *grid)):
        raise ArgumentError("a workspace map takes finite coordinates and positions")
    pose = robot.pose(start, demands.frame)
    shape = (len(grid[0]), len(grid[1]))
    target = np.broadcast_to(pose, (*shape, 4, 4)).copy()
    target[..., axes[0], 3], target[..., axes[1], 3] = grid[0][:, None], grid[1][None, :]
    smallest, product, on_the_way = (part.reshape(shape) for part in _approached(demands, start, pose, target))
    held = "" if isinstance(demands.hold, str) and demands.hold == "none" else ", base held"
    at = (float(pose[axes[0], 3]), float(pose[axes[1], 3]))
    title = f"{robot.name}: {demands.of_frame}{held}"
    return WorkspaceMap(axes, (grid[0], grid[1]), smallest, product, on_the_way, at, title)


def _approached(demands: Demands, start: np.ndarray, pose: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, ...]:
    """Smallest singular value and manipulability at arrival, and the smallest value met on the way, (targets,) each."""
    robot, target = demands.robot, target.reshape(-1, 4, 4)
    q = np.broadcast_to(start, (len(target), robot.nq)).copy()
    met = np.full(len(target), np.inf)
    for step in range(STEPS + CORRECTIONS):
        share = min(1.0, (step + 1) / STEPS)
        aim = pose + share * (target - pose)  # the rotations agree
        error = rigid.error(robot.pose(q, demands.frame), aim)
        base = robot.difference(q, start)[..., demands.passive_places]
        J_G, J_D = demands.jacobians(q)
        solution = solve_demands(demands.rows_of(J_G, J_D), demands.stacked(error, base), regularization=REGULARIZATION)
        met = np.minimum(met, solution.smallest)
        # No step turns a joint by more than half a radian: far out of reach the way is of no interest.
        x = solution.x / np.maximum(1.0, 2 * np.abs(solution.x).max(axis=-1, keepdims=True))
        q = robot.integrate(q, demands.whole(x, (J_D @ x[..., None])[..., 0]))
    base = robot.difference(q, start)[..., demands.passive_places]
    left = demands.stacked(rigid.error(robot.pose(q, demands.frame), target), base)
    arrived = np.abs(left).max(axis=-1) < ARRIVED
    found = measure_singularity(demands, q)
    return *(np.where(arrived, x, np.nan) for x in (found.smallest, found.manipulability)), met
