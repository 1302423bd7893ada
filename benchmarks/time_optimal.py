"""Time-optimal motion along random paths beside toppra, on the same grid and under the same limits.

Beside toppra stands the analysis that heeds limits at both ends of intervals, as toppra does; then `time_optimal`,
which keeps them inside intervals too, and how much of them the others pass there.

Run it with `.venv/bin/python benchmarks/time_optimal.py [--paths N] [--intervals N]`; it needs `pip install toppra`.
Paths are natural splines of a UR5 and a Panda through five random configurations; many have places at which the inertia
that a joint feels along the path changes its sign (dynamic singularities, counted). toppra gets inverse dynamics by
Pinocchio, and its fastest solver, seidel. Times are processor time for each path; toppra's with and without the time
that its torque constraint spends in Python.
"""

from __future__ import annotations

import argparse
import logging
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from peer_robots import pinocchio

import soadyn as sd
from soadyn.loading import builtin
from soadyn.paths.between_places import motion_found
from soadyn.paths.bounds import Bounds
from soadyn.paths.constraints import constraints_along
from soadyn.paths.reachable import both_ends, fastest
from soadyn.paths.shares import largest

ACCELERATION = 10.0


def random_paths(arm: sd.Robot, count: int, rng: np.random.Generator) -> list[sd.paths.Path]:
    """Splines through five configurations within 60 % of the limits."""
    lower, upper = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    middle, half = (lower + upper) / 2, 0.3 * (upper - lower)
    points = middle + half * rng.uniform(-1, 1, (count, 5, arm.nq))
    return [sd.paths.spline(arm, way) for way in points]


def singular_paths(paths: list[sd.paths.Path], grid: np.ndarray, limits: Bounds) -> int:
    """How many paths have a place where a coefficient of the acceleration in a torque constraint changes sign."""
    nv = paths[0].robot.nv
    a = constraints_along(paths, grid, limits).a[..., :nv]
    return int(((a[:-1] * a[1:]) < 0).any(axis=(0, 2)).sum())


def check(motions: list[sd.paths.Motion], limits: Bounds) -> tuple[float, float, float]:
    """How much limits are passed, as a share; the shares of grid points and of intervals without an active limit.

    A limit is active in an interval if it is reached at either of its ends. Where a motion switches from one limit to
    another, a whole interval may lie between them; at a grid point two intervals meet.
    """
    passed, idle, between, points, intervals = 0.0, 0, 0, 0, 0
    for motion in motions:
        robot = motion.robot
        q, first, second = motion.path.at(motion.s)
        v, x = first * motion.speed[:, None], motion.speed[:, None] ** 2
        taken = [np.abs(v[1:]) / limits.velocity, np.abs(v[:-1]) / limits.velocity]
        for end in (slice(None, -1), slice(1, None)):  # of every interval
            a = first[end] * motion.push[:, None] + second[end] * x[end]
            tau = robot.inverse_dynamics(q[end], v[end], a)
            taken += [np.abs(a) / limits.acceleration, np.abs(tau) / limits.effort]
        shares = np.concatenate(taken, axis=-1).max(axis=-1)
        passed = max(passed, float(shares.max() - 1))
        active = shares >= 1 - 1e-6
        at_points = np.concatenate([active, [False]]) | np.concatenate([[False], active])
        idle, points = idle + int((~at_points).sum()), points + len(at_points)
        between, intervals = between + int((~active).sum()), intervals + len(active)
    return passed, idle / points, between / intervals


def theirs(path: sd.paths.Path, grid: np.ndarray, limits: Bounds, dynamics: Any) -> tuple[float, float, float]:
    """toppra's duration, its time, and the part of it that went into the torque constraint."""
    import toppra
    from toppra import algorithm, constraint

    inside = [0.0]

    def inverse_dynamics(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        start = time.process_time()
        tau = np.array(dynamics(q, v, a))
        inside[0] += time.process_time() - start
        return tau

    way = toppra.SplineInterpolator(path.knots, path.points, bc_type="natural")
    both = np.stack([-np.ones(path.robot.nv), np.ones(path.robot.nv)], axis=-1)
    demands = [
        constraint.JointVelocityConstraint(limits.velocity[:, None] * both),
        constraint.JointAccelerationConstraint(
            limits.acceleration[:, None] * both, constraint.DiscretizationType.Interpolation
        ),
        constraint.JointTorqueConstraint(
            inverse_dynamics,
            limits.effort[:, None] * both,
            np.zeros(path.robot.nv),
            discretization_scheme=constraint.DiscretizationType.Interpolation,
        ),
    ]
    start = time.process_time()
    solver = algorithm.TOPPRA(demands, way, gridpoints=grid, solver_wrapper="seidel")
    _, speed, _ = solver.compute_parameterization(0, 0)
    spent = time.process_time() - start
    if speed is None:
        return np.nan, spent, inside[0]
    return float(np.sum(2 * np.diff(grid) / (speed[1:] + speed[:-1]))), spent, inside[0]


def at_ends(paths: list[sd.paths.Path], grid: np.ndarray, limits: Bounds) -> list[sd.paths.Motion]:
    """The fastest motions with limits at both ends of every interval, eight paths at once."""
    motions = []
    for begun in range(0, len(paths), 8):
        some = paths[begun : begun + 8]
        found = fastest(both_ends(constraints_along(some, grid, limits)))
        motions += [motion_found(path, grid, found, k) for k, path in enumerate(some)]
    return motions


def compare(name: str, count: int, intervals: int) -> None:
    arm, rng = sd.load(name), np.random.default_rng(3)
    grid = np.linspace(0.0, 1.0, intervals + 1)
    limits = Bounds.of(arm, "robot", "robot", ACCELERATION, "benchmark")
    paths = random_paths(arm, count, rng)
    print(f"{name}: {count} paths, {intervals} intervals, {singular_paths(paths, grid, limits)} with singularities")
    at_ends(paths[:300], grid, limits)  # compiles
    start = time.process_time()
    motions = at_ends(paths, grid, limits)
    ours = (time.process_time() - start) / count
    alone = []
    for path in paths[:50]:
        start = time.process_time()
        at_ends([path], grid, limits)
        alone.append(time.process_time() - start)
    passed, idle, between = check(motions, limits)
    missing = [name for name in ("toppra", "pinocchio") if find_spec(name) is None]
    print(f"  soadyn: {1e3 * ours:.3f} ms a path together, {1e3 * np.median(alone):.2f} ms alone")
    print(
        f"  limits passed by {max(passed, 0):.1e} of their size; {100 * idle:.3f} % of grid points without an active "
        f"one, {100 * between:.2f} % of intervals, where motions switch"
    )
    start = time.process_time()
    kept = sd.paths.time_optimal(paths, acceleration_limit=ACCELERATION, grid=grid)
    spent = (time.process_time() - start) / count
    longer = np.array([one.duration / other.duration for one, other in zip(kept, motions, strict=True)])
    print(
        f"  inside intervals passed by {max(largest(one, limits, 16)[0] for one in motions) - 1:.1e}; time_optimal: "
        f"{max(one.worst or 0.0 for one in kept) - 1:.1e}, {1e3 * spent:.2f} ms a path, "
        f"durations {longer.min():.5f} to {longer.max():.5f} times"
    )
    if missing:
        print(f"  {missing[0]} is not installed")
        return
    model = pinocchio.buildModelFromUrdf(str(Path(builtin.__file__).parent / "robots" / f"{name}.urdf"))
    data = model.createData()
    found = np.array([theirs(path, grid, limits, lambda *x: pinocchio.rnea(model, data, *x)) for path in paths])
    ratio = np.array([motion.duration for motion in motions]) / found[:, 0]
    solved = np.isfinite(found[:, 0])
    whole, inside = 1e3 * np.median(found[:, 1:], axis=0)
    print(f"  toppra: {whole:.3f} ms a path, of it {inside:.3f} ms dynamics; {solved.sum()} solved")
    print(f"  duration beside toppra's: from {ratio[solved].min():.5f} to {ratio[solved].max():.5f} times\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paths", type=int, default=1000)
    parser.add_argument("--intervals", type=int, default=100)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    sd.set_threads(1)
    for name in ("ur5", "panda"):
        compare(name, options.paths, options.intervals)


if __name__ == "__main__":
    main()
