"""The public functions on rotations and poses, beside Pinocchio, SciPy and what they undo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import soadyn as sd

LINEAR_FIRST = np.roll(np.eye(6), 3, axis=0)
HALF_TURNS = np.pi * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0.6, 0.8, 0], [0.6, 0, -0.8]])


def vectors(rng: np.random.Generator) -> np.ndarray:
    """Rotation vectors of every length up to half a turn, nothing and next to nothing among them."""
    axes = rng.standard_normal((60, 3))
    axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
    lengths = np.concatenate([rng.uniform(0.0, np.pi, 40), 10.0 ** -np.arange(1, 16), np.pi - 10.0 ** -np.arange(4, 9)])
    tiny = [[1e-30, 0, 0], [0, -1e-200, 0], [0, 0, 0]]
    return np.concatenate([axes * lengths[:, None], HALF_TURNS, tiny])


def twists(rng: np.random.Generator) -> np.ndarray:
    omega = vectors(rng)
    return np.concatenate([omega, rng.standard_normal(omega.shape)], axis=-1)


def same_turn(first: np.ndarray, second: np.ndarray) -> bool:
    """Are rotation vectors those of one turn? Half a turn has two."""
    return bool(np.minimum(abs(first - second).max(axis=-1), turned_on(first, second)).max() < 1e-7)


def turned_on(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(first, axis=-1, keepdims=True)
    other = first * (1 - 2 * np.pi / np.where(length > 1, length, np.inf))
    return np.asarray(abs(other - second).max(axis=-1))


# Beside Pinocchio


def test_rotations_agree_with_pinocchio(rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    r = vectors(rng)
    R = sd.spatial.rotation_from_vector(r)
    assert abs(R - [pin.exp3(x) for x in r]).max() < 2e-15
    assert same_turn(sd.spatial.rotation_vector(R), np.array([pin.log3(x) for x in R]))
    Q = np.array([pin.Quaternion(x).coeffs()[[3, 0, 1, 2]] for x in R])
    found = sd.spatial.quaternion(R)
    assert np.minimum(abs(found - Q).max(axis=-1), abs(found + Q).max(axis=-1)).max() < 1e-15
    assert abs(sd.spatial.rotation_from_quaternion(Q) - R).max() < 2e-15
    assert abs(sd.spatial.skew(r) - [pin.skew(x) for x in r]).max() == 0
    angles = rng.uniform(-1.5, 1.5, (50, 3))
    turned = sd.spatial.rotation_from_roll_pitch_yaw(angles)
    assert abs(turned - [pin.rpy.rpyToMatrix(*x) for x in angles]).max() < 1e-15
    assert abs(sd.spatial.roll_pitch_yaw(turned) - [pin.rpy.matrixToRpy(x) for x in turned]).max() < 1e-13


def test_poses_agree_with_pinocchio(rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    xi = twists(rng)
    T = sd.spatial.pose_from_twist(xi)
    peer = [pin.exp6(pin.Motion(LINEAR_FIRST @ x)) for x in xi]
    assert abs(T - [x.homogeneous for x in peer]).max() < 1e-14
    slow = np.linalg.norm(xi[:, :3], axis=-1) < 3.0
    found, there = sd.spatial.twist(T), np.array([pin.log6(x).vector for x in peer]) @ LINEAR_FIRST
    assert abs(found - there)[slow].max() < 1e-12
    exchanged = [LINEAR_FIRST @ x.action @ LINEAR_FIRST for x in peer]
    assert abs(sd.spatial.motion_adjoint(T) - exchanged).max() < 1e-14
    of_forces = [LINEAR_FIRST @ x.toDualActionMatrix() @ LINEAR_FIRST for x in peer]
    assert abs(sd.spatial.force_adjoint(T) - of_forces).max() < 1e-14
    assert abs(sd.spatial.inverse(T) - [x.inverse().homogeneous for x in peer]).max() < 1e-14
    a, b = np.flatnonzero(slow)[:2]
    between = pin.SE3.Interpolate(peer[a], peer[b], 0.3).homogeneous
    assert abs(sd.spatial.screw_between(T[a], T[b], 0.3) - between).max() < 1e-13


# Beside SciPy


def test_rotations_agree_with_scipy(rng: np.random.Generator) -> None:
    transform = pytest.importorskip("scipy.spatial.transform")
    r = vectors(rng)
    peer = transform.Rotation.from_rotvec(r)
    R = sd.spatial.rotation_from_vector(r)
    assert abs(R - peer.as_matrix()).max() < 2e-15
    assert same_turn(sd.spatial.rotation_vector(R), peer.as_rotvec())
    assert abs(sd.spatial.angle_between(np.eye(3), R) - peer.magnitude()).max() < 1e-15
    assert abs(sd.spatial.angle_between(R, R[0]) - (peer.inv() * peer[0]).magnitude()).max() < 1e-14
    angles = rng.uniform(-1.5, 1.5, (50, 3))
    turned = sd.spatial.rotation_from_roll_pitch_yaw(angles)
    assert abs(turned - transform.Rotation.from_euler("xyz", angles).as_matrix()).max() < 1e-15
    way = transform.Slerp([0.0, 1.0], transform.Rotation.from_matrix(R[:2]))([0.0, 0.25, 1.0])
    assert abs(sd.spatial.slerp(R[0], R[1], [0.0, 0.25, 1.0]) - way.as_matrix()).max() < 1e-14


# There and back


def test_what_is_turned_into_matrices_comes_back(rng: np.random.Generator) -> None:
    xi = twists(rng)
    T = sd.spatial.pose_from_twist(xi)
    assert same_turn(sd.spatial.twist(T)[:, :3], xi[:, :3])
    assert abs(sd.spatial.pose_from_twist(sd.spatial.twist(T)) - T).max() < 1e-14
    R = T[:, :3, :3]
    assert abs(sd.spatial.rotation_from_vector(sd.spatial.rotation_vector(R)) - R).max() < 2e-15
    assert abs(sd.spatial.rotation_from_quaternion(sd.spatial.quaternion(R)) - R).max() < 2e-15
    assert abs(sd.spatial.rotation_from_roll_pitch_yaw(sd.spatial.roll_pitch_yaw(R)) - R).max() < 2e-15
    assert abs(sd.spatial.compose(T, sd.spatial.inverse(T)) - np.eye(4)).max() < 2e-15
    product = sd.spatial.motion_adjoint(T).mT @ sd.spatial.force_adjoint(T)
    assert abs(product - np.eye(6)).max() < 1e-14
    assert (sd.spatial.quaternion(R)[:, 0] >= 0).all()


@pytest.mark.parametrize("signs", [(1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
def test_half_turns_about_the_axes_are_exact(signs: tuple[int, int, int]) -> None:
    R, axis = np.diag(signs).astype(float), np.array([float(x == 1) for x in signs])
    assert np.array_equal(sd.spatial.rotation_vector(R), np.pi * axis)
    assert np.array_equal(sd.spatial.quaternion(R), [0.0, *axis])
    assert sd.spatial.angle_between(np.eye(3), R) == np.pi
    along = sd.spatial.pose(R, 2.0 * axis)
    assert np.array_equal(sd.spatial.twist(along), [*np.pi * axis, *2.0 * axis])


def test_what_does_not_move_is_exact() -> None:
    assert np.array_equal(sd.spatial.twist(np.eye(4)), np.zeros(6))
    assert np.array_equal(sd.spatial.pose_from_twist(np.zeros(6)), np.eye(4))
    assert np.array_equal(sd.spatial.pose_from_twist([0, 0, 0, 1, 2, 3]), sd.spatial.pose(np.eye(3), [1, 2, 3]))
    assert np.array_equal(sd.spatial.quaternion(np.eye(3)), [1, 0, 0, 0])
    assert np.array_equal(sd.spatial.roll_pitch_yaw(np.eye(3)), np.zeros(3))
    assert np.array_equal(sd.spatial.screw_between(np.eye(4), np.eye(4), 0.5), np.eye(4))
    assert np.array_equal(sd.spatial.motion_adjoint(np.eye(4)), np.eye(6))


@pytest.mark.parametrize("length", [1e-200, 1e-160, 1.0, 1e160, 1e300])
def test_a_quaternion_has_any_length_but_zero(length: float) -> None:
    R = sd.spatial.rotation_from_quaternion([length, 0.0, 0.0, length])
    assert abs(R - [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).max() < 1e-15


# Ways


def test_ways_begin_and_end_where_they_should(rng: np.random.Generator) -> None:
    T = sd.spatial.pose_from_twist(twists(rng))
    start, end = T, T[::-1]
    for way in (sd.spatial.line_between, sd.spatial.screw_between):
        assert abs(way(start, end, 0.0) - start).max() < 2e-15
        assert abs(way(start, end, 1.0) - end).max() < 1e-13
        along = way(start[:, None], end[:, None], np.linspace(0, 1, 5))
        assert along.shape == (len(T), 5, 4, 4)
    line = sd.spatial.line_between(start[0], end[0], 0.5)[:3, 3]
    assert abs(line - (start[0, :3, 3] + end[0, :3, 3]) / 2).max() < 1e-15
    steps = sd.spatial.screw_between(start[0], end[0], np.linspace(0, 1, 5))
    each = sd.spatial.twist(sd.spatial.compose(sd.spatial.inverse(steps[:-1]), steps[1:]))
    assert abs(each - each[0]).max() < 1e-14


def test_the_pose_error_is_that_of_controllers() -> None:
    assert sd.control.pose_error is sd.spatial.pose_error
    quarter = sd.spatial.pose(sd.spatial.rotation_from_vector([0.0, 0.0, 0.5]), [1.0, 0.0, 0.0])
    start = sd.spatial.pose(sd.spatial.rotation_from_vector([0.0, 0.0, 0.2]), [0.0, 2.0, 0.0])
    assert np.allclose(sd.spatial.pose_error(start, quarter), [0, 0, 0.3, 1, -2, 0], rtol=0, atol=1e-15)


# Kinds of numbers, batches


ONE = sd.spatial.pose_from_twist([0.3, -0.2, 0.9, 1.0, 2.0, 3.0])
CALLS: dict[str, tuple[Callable[..., np.ndarray], tuple[np.ndarray, ...], tuple[int, ...]]] = {
    "skew": (sd.spatial.skew, (ONE[:3, 3],), (3, 3)),
    "rotation_from_vector": (sd.spatial.rotation_from_vector, (ONE[:3, 3],), (3, 3)),
    "rotation_vector": (sd.spatial.rotation_vector, (ONE[:3, :3],), (3,)),
    "rotation_from_quaternion": (sd.spatial.rotation_from_quaternion, (np.arange(4.0),), (3, 3)),
    "quaternion": (sd.spatial.quaternion, (ONE[:3, :3],), (4,)),
    "rotation_from_roll_pitch_yaw": (sd.spatial.rotation_from_roll_pitch_yaw, (ONE[:3, 3],), (3, 3)),
    "roll_pitch_yaw": (sd.spatial.roll_pitch_yaw, (ONE[:3, :3],), (3,)),
    "angle_between": (sd.spatial.angle_between, (ONE[:3, :3], np.eye(3)), ()),
    "pose": (sd.spatial.pose, (ONE[:3, :3], ONE[:3, 3]), (4, 4)),
    "pose_from_twist": (sd.spatial.pose_from_twist, (np.arange(6.0),), (4, 4)),
    "twist": (sd.spatial.twist, (ONE,), (6,)),
    "inverse": (sd.spatial.inverse, (ONE,), (4, 4)),
    "compose": (sd.spatial.compose, (ONE, ONE, ONE), (4, 4)),
    "motion_adjoint": (sd.spatial.motion_adjoint, (ONE,), (6, 6)),
    "force_adjoint": (sd.spatial.force_adjoint, (ONE,), (6, 6)),
    "pose_error": (sd.spatial.pose_error, (ONE, np.eye(4)), (6,)),
    "slerp": (sd.spatial.slerp, (ONE[:3, :3], np.eye(3), np.array(0.5)), (3, 3)),
    "line_between": (sd.spatial.line_between, (ONE, np.eye(4), np.array(0.5)), (4, 4)),
    "screw_between": (sd.spatial.screw_between, (ONE, np.eye(4), np.array(0.5)), (4, 4)),
}


def test_every_public_function_is_called_below() -> None:
    assert CALLS.keys() == set(sd.spatial.__all__)


@pytest.mark.parametrize("name", CALLS)
def test_batches_single_precision_and_rows_that_are_not_finite(name: str) -> None:
    function, arguments, core = CALLS[name]
    one = function(*arguments)
    assert one.shape == core
    assert one.dtype == float
    single = function(*(x.astype(np.float32) for x in arguments))
    assert single.dtype == np.float32
    assert abs(single - one).max() < 3e-6
    spread = [np.broadcast_to(x, (3, 1, *x.shape)).copy() for x in arguments]
    assert np.array_equal(function(*spread), np.broadcast_to(one, (3, 1, *core)))
    mixed = [spread[0], *arguments[1:]]
    assert np.array_equal(function(*mixed), np.broadcast_to(one, (3, 1, *core)))
    spread[0].reshape(3, -1)[1, 0] = np.inf
    found = function(*spread)
    assert np.array_equal(found[[0, 2]], np.broadcast_to(one, (2, 1, *core)))
    assert np.isnan(found[1]).any()
    assert function(*(x[:0] for x in spread)).shape == (0, 1, *core)


def test_poses_in_single_precision_are_poses() -> None:
    arm = sd.load("panda")
    q = np.random.default_rng(3).uniform(-2, 2, (300, arm.nq)).astype(np.float32)
    poses = arm.pose(q, "panda_link8")
    assert poses.dtype == np.float32
    assert sd.spatial.twist(poses).dtype == np.float32


def test_pinocchios_names_are_told() -> None:
    from soadyn.spatial import PEER_NAMES

    for name, here in PEER_NAMES.items():
        assert here in sd.spatial.__all__
        with pytest.raises(AttributeError, match=f"Pinocchio's {name} is {here} here"):
            getattr(sd.spatial, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        _ = sd.spatial.nothing
