"""Time-optimal motion: limits kept, nothing faster exists, impossible paths refused with the place."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

import soadyn as sd
from small_robots import slider
from soadyn.paths.between_places import motion_found
from soadyn.paths.bounds import Bounds
from soadyn.paths.constraints import constraints_along
from soadyn.paths.reachable import Stages, both_ends, fastest

ACCELERATION = 10.0


def random_paths(arm, count, rng, points=5):
    lower, upper = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    middle, half = (lower + upper) / 2, 0.3 * (upper - lower)
    return [sd.paths.spline(arm, middle + half * rng.uniform(-1, 1, (points, arm.nq))) for _ in range(count)]


def within_the_grid(paths, limits, intervals=100):
    """What reachability analysis finds with constraints at both ends of intervals alone."""
    places = np.linspace(0, 1, intervals + 1)
    found = fastest(both_ends(constraints_along(paths, places, limits)))
    return [motion_found(path, places, found, k) for k, path in enumerate(paths)]


def shares(motion, limits):
    """How much of its limit each interval takes at most, at either end."""
    q, first, second = motion.path.at(motion.s)
    v, x = first * motion.speed[:, None], motion.speed[:, None] ** 2
    taken = [np.abs(v[1:]) / limits.velocity, np.abs(v[:-1]) / limits.velocity]
    for end in (slice(None, -1), slice(1, None)):
        a = first[end] * motion.push[:, None] + second[end] * x[end]
        taken += [np.abs(a) / limits.acceleration]
        taken += [np.abs(motion.robot.inverse_dynamics(q[end], v[end], a)) / limits.effort]
    return np.concatenate(taken, axis=-1).max(axis=-1)


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_a_limit_is_active_at_every_grid_point_of_the_whole_motion(name, rng):
    """In an interval that begins or ends there; between two switches never more than one interval is without."""
    arm = sd.load(name)
    limits = Bounds.of(arm, "robot", "robot", ACCELERATION, "test")
    for motion in within_the_grid(random_paths(arm, 20, rng), limits):
        active = shares(motion, limits) >= 1 - 1e-6
        at_points = np.concatenate([active, [False]]) | np.concatenate([[False], active])
        assert at_points.all()
        assert active.mean() > 0.85


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_limits_are_kept_and_one_is_active_at_an_end_of_every_interval(name, rng):
    arm = sd.load(name)
    limits = Bounds.of(arm, "robot", "robot", ACCELERATION, "test")
    paths = random_paths(arm, 20, rng)
    stages = constraints_along(paths, np.linspace(0, 1, 101), limits)
    assert (stages.a[:-1] * stages.a[1:] < 0).any(axis=(0, 2)).all()  # dynamic singularities in every path
    for motion in within_the_grid(paths, limits):
        taken = shares(motion, limits)
        assert taken.max() <= 1 + 1e-6
        assert (np.maximum(taken[:-1], taken[1:]) >= 1 - 1e-6).all()
        assert np.abs(motion.v[[0, -1]]).max() == 0


def test_pinocchio_finds_the_same_joint_forces(rng):
    pinocchio = pytest.importorskip("pinocchio")
    from soadyn.loading import builtin

    arm = sd.load("ur5")
    (motion,) = sd.paths.time_optimal(random_paths(arm, 1, rng))
    model = pinocchio.buildModelFromUrdf(str(builtin.__file__).replace("builtin.py", "robots/ur5.urdf"))
    data = model.createData()
    for q, v, a in zip(motion.q[:-1], motion.v[:-1], motion.a[:-1], strict=True):
        tau = pinocchio.rnea(model, data, q, v, a)
        assert (np.abs(tau) <= arm.effort_limit * (1 + 1e-6)).all()


def inside_too(stages, path, places, limits, parts=8):
    """With the constraints of so many places of each interval."""
    for d in np.diff(places)[0] * np.arange(1, parts) / parts:
        there = constraints_along([path], np.append(places[:-1] + d, 1.0), limits)
        a = np.concatenate([there.a + 2 * d * there.b, np.full((*there.x_top.shape, 1), 2 * d)], axis=-1)
        b, c = (
            np.concatenate(x, axis=-1)
            for x in ((there.b, np.ones((*there.x_top.shape, 1))), (there.c, there.x_top[..., None]))
        )
        a[-1], b[-1], c[-1] = 0.0, 0.0, 1.0
        all_of_them = (np.concatenate(x, axis=-1) for x in ((stages.a, a), (stages.b, b), (stages.c, c)))
        stages = Stages(*all_of_them, stages.x_top, stages.gaps)
    return stages


def by_linear_programming(stages):
    """The x of the largest sum: variables x(0..N), u(0..N-1)."""
    n, m = len(stages.gaps), stages.a.shape[-1]
    upper, right = lil_matrix((n * m, 2 * n + 1)), np.zeros(n * m)
    equal = lil_matrix((n, 2 * n + 1))
    for i in range(n):
        upper[i * m : (i + 1) * m, i] = stages.b[i, 0][:, None]
        upper[i * m : (i + 1) * m, n + 1 + i] = stages.a[i, 0][:, None]
        right[i * m : (i + 1) * m] = stages.c[i, 0]
        equal[i, i], equal[i, i + 1], equal[i, n + 1 + i] = 1.0, -1.0, 2 * stages.gaps[i, 0]
    tops = [(0.0, top) for top in stages.x_top[:, 0]]
    tops[0] = tops[-1] = (0.0, 0.0)
    cost = -np.concatenate([np.ones(n + 1), np.zeros(n)])
    found = linprog(cost, upper.tocsr(), right, equal.tocsr(), np.zeros(n), [*tops, *[(None, None)] * n], "highs")
    assert found.status == 0
    return found.x[: n + 1]


@pytest.mark.parametrize("name", ["ur5", "panda", "planar_two_link"])
def test_nothing_is_faster_says_linear_programming(name, rng):
    arm = sd.load(name)
    limits = Bounds.of(arm, "robot" if name != "planar_two_link" else 30.0, "robot", ACCELERATION, "test")
    places = np.linspace(0, 1, 41)
    for path in random_paths(arm, 3, rng):
        (motion,) = within_the_grid([path], limits, 40)
        duration = shortest(both_ends(constraints_along([path], places, limits)), places)
        assert motion.duration <= duration * (1 + 5e-3)  # greedy steps are the best in the limit of fine grids


@pytest.mark.parametrize(
    "name",
    [pytest.param("ur5", marks=pytest.mark.slow), pytest.param("panda", marks=pytest.mark.slow), "planar_two_link"],
)
def test_nothing_that_keeps_limits_inside_intervals_too_is_faster(name, rng):
    arm = sd.load(name)
    torque = "robot" if name != "planar_two_link" else 30.0
    limits = Bounds.of(arm, torque, "robot", ACCELERATION, "test")
    places = np.linspace(0, 1, 81)
    for path in random_paths(arm, 2, rng):
        motion = sd.paths.time_optimal(path, effort_limit=torque, acceleration_limit=ACCELERATION, grid=places)
        constraints = both_ends(constraints_along([path], places, limits))
        assert motion.duration <= shortest(inside_too(constraints, path, places, limits), places) * (1 + 5e-3)


def shortest(stages, places):
    """The duration that linear programming finds."""
    best = np.sqrt(by_linear_programming(stages))
    return np.sum(2 * np.diff(places) / (best[1:] + best[:-1]))


@pytest.mark.peers
def test_durations_are_those_of_toppra(rng):
    toppra = pytest.importorskip("toppra", reason="toppra is absent; linear programming says the same")
    from toppra import algorithm, constraint

    arm = sd.load("panda")
    limits = Bounds.of(arm, None, "robot", ACCELERATION, "test")
    both = np.stack([-np.ones(7), np.ones(7)], axis=-1)
    grid = np.linspace(0, 1, 101)
    paths = random_paths(arm, 5, rng)
    for path, motion in zip(paths, within_the_grid(paths, limits), strict=True):
        demands = [
            constraint.JointVelocityConstraint(limits.velocity[:, None] * both),
            constraint.JointAccelerationConstraint(
                limits.acceleration[:, None] * both, constraint.DiscretizationType.Interpolation
            ),
        ]
        way = toppra.SplineInterpolator(path.knots, path.points, bc_type="natural")
        speed = algorithm.TOPPRA(demands, way, gridpoints=grid, solver_wrapper="seidel").compute_parameterization(0, 0)[
            1
        ]
        assert motion.duration == pytest.approx(np.sum(2 * np.diff(grid) / (speed[1:] + speed[:-1])), rel=5e-3)


def test_a_mass_on_a_slide_is_pushed_half_the_way_and_braked_the_other():
    block = slider()
    mass = float(block.mass_matrix([0.0])[0, 0])
    path = sd.paths.line(block, [0.0], [2.0])
    weight = abs(float(block.gravity_force([0.0])[0]))
    assert weight < 1e-12
    motion = sd.paths.time_optimal(path, effort_limit=3.0, velocity_limit=None, grid=200)
    assert motion.duration == pytest.approx(2 * np.sqrt(2.0 * mass / 3.0), rel=1e-9)


def test_several_paths_at_once_are_those_alone(rng):
    arm = sd.load("ur5")
    paths = random_paths(arm, 4, rng)
    together = sd.paths.time_optimal(paths)
    for path, motion in zip(paths, together, strict=True):
        alone = sd.paths.time_optimal(path)
        np.testing.assert_allclose(alone.speed, motion.speed, rtol=1e-9, atol=1e-12)


def test_a_path_that_gravity_forbids_is_refused_with_the_place():
    arm = sd.load("planar_two_link")  # 19.62 N m hold it stretched out, none hanging
    path = sd.paths.line(arm, [-np.pi / 2, 0.0], [np.pi / 2, 0.0])
    assert sd.paths.time_optimal(path, effort_limit=[25.0, 10.0]).duration > 0
    with pytest.raises(sd.ArgumentError, match=r"cannot be followed within the limits: at s = 0 no speed"):
        sd.paths.time_optimal(path, effort_limit=[10.0, 10.0])  # with a run-up it could
    with pytest.raises(sd.ArgumentError, match=r"at s = 0\.\d+ no speed leads on"):
        sd.paths.time_optimal(path, effort_limit=[10.0, 10.0], velocity_limit=0.1)
