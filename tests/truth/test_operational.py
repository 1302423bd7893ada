"""The inverse of the operational inertia against J M⁻¹ J* with somebody else's J and M."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error, largest, random_state
from random_robots import random_model, random_placement
from soadyn.theory.oracle.dense_robot import DenseRobot

VARIANTS = {
    "fixed": {},
    "free": {"root": "free"},
    "armature": {"armature": True},
    "free with armature and massless links": {"root": "free", "armature": True, "massless": 0.4},
}


def dense_inverse(dense: DenseRobot, frames: list[Any], axes: str = "world") -> np.ndarray:
    J = np.concatenate([dense.jacobian(frame, axes) for frame in frames])
    return J @ np.linalg.solve(dense.mass_matrix, J.T)


def some_frames(rng: np.random.Generator, robot: sd.Robot, m: int) -> list[Any]:
    names = [robot.frame_names[i] for i in rng.integers(len(robot.frame_names), size=m)]
    return [(name, random_placement(rng).matrix()) if rng.random() < 0.3 else name for name in names]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 3, 8, 25])
@pytest.mark.heavy
def test_a_frame_responds_as_the_dense_matrices_say(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    q = robot.random_configuration(rng)
    dense = DenseRobot(robot.model, q)
    for frame in [*robot.frame_names[:3], "tool"]:
        for axes in ("world", "local", robot.frame_names[-1]):
            found = robot.operational_inertia_inverse(q, frame, axes=axes)
            assert error(found, dense_inverse(dense, [frame], axes)) <= 1e-10
            assert np.array_equal(found, found.T)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [3, 8, 25])
@pytest.mark.heavy(2)
def test_frames_respond_to_each_other_through_their_nearest_common_ancestor(
    variant: str, n: int, rng: np.random.Generator
) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    q = robot.random_configuration(rng, 2)
    frames = [*some_frames(rng, robot, 3), "ground"]
    for axes in ("world", "local", robot.frame_names[-1]):
        found = robot.operational_inertia_inverse(q, frames, axes=axes)
        assert found.shape == (2, 24, 24)
        for i in range(2):
            assert error(found[i], dense_inverse(DenseRobot(robot.model, q[i]), frames, axes)) <= 1e-10


def test_arms_on_the_ground_do_not_respond_to_each_other(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, shape="star"))
    found = robot.operational_inertia_inverse(robot.random_configuration(rng), ["link_1", "link_3"])
    assert np.array_equal(found[:6, 6:], np.zeros((6, 6)))
    assert largest(found[:6, :6]) > 0


@pytest.mark.parametrize("variant", ["fixed", "free", "armature"])
@pytest.mark.parametrize("n", [2, 7, 30])
def test_it_agrees_with_the_jacobian_and_mass_matrix_of_pinocchio(
    variant: str, n: int, rng: np.random.Generator
) -> None:
    pytest.importorskip("pinocchio")
    from pinocchio_peer import pin_tree

    model = random_model(rng, n, **VARIANTS[variant])
    robot = sd.Robot(model)
    state = random_state(rng, robot, (3,))
    frames = ["tool", robot.link_names[len(robot.link_names) // 2]]
    found = robot.operational_inertia_inverse(state["q"], frames)
    peer = pin_tree(model)
    for i in range(3):
        theirs = peer.quantities({key: x[i] for key, x in state.items()}, frames)
        J = np.concatenate([theirs[f"jacobian {frame} world"] for frame in frames])
        assert error(found[i], J @ np.linalg.solve(theirs["mass_matrix"], J.T)) <= 1e-9


def test_one_frame_in_a_list_is_that_frame(rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer")
    q = robot.random_configuration(rng, 3)
    alone = robot.operational_inertia_inverse(q, "left_tool")
    assert np.array_equal(robot.operational_inertia_inverse(q, ["left_tool"]), alone)
    both = robot.operational_inertia_inverse(q, ["right_tool", "left_tool"])
    assert np.array_equal(both[:, 6:, 6:], alone)
    assert np.array_equal(both, both.mT)


def test_a_free_body_responds_with_the_inverse_of_its_inertia(rng: np.random.Generator) -> None:
    robot = sd.load("free_flyer")
    q = robot.neutral()
    locked = robot.lock([name for name in robot.joint_names if name != "root"], q)
    found = locked.operational_inertia_inverse(locked.neutral(), locked.link_names[0])
    assert error(found @ locked.mass_matrix(locked.neutral()), np.eye(6)) <= 1e-12


def test_a_wrench_accelerates_its_frame_as_the_matrix_says(rng: np.random.Generator) -> None:
    """The definition itself: forward dynamics with a wrench and without."""
    robot = sd.Robot(random_model(rng, 9, root="free", armature=True))
    q, v, tau = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    wrench = rng.standard_normal(6)
    pushed, alone = (robot.forward_dynamics(q, v, tau, external=e) for e in ({"tool": wrench}, None))
    change = robot.frame_acceleration(q, v, pushed, "tool", "local") - robot.frame_acceleration(
        q, v, alone, "tool", "local"
    )
    found = robot.operational_inertia_inverse(q, "tool", "local") @ wrench
    assert error(found, change) <= 1e-10


@pytest.mark.parametrize(
    ("frames", "error", "words"),
    [
        ("nowhere", sd.UnknownNameError, "unknown frame 'nowhere'"),
        (["left_tool", "nowhere"], sd.UnknownNameError, "unknown frame 'nowhere'"),
        ([], sd.ArgumentError, "takes a frame or a list of at least one, got an empty list"),
        (("left_tool", "right_tool"), sd.SoadynError, "left_tool"),
        (3, sd.ArgumentError, r"a frame is a name or \(name, 4x4 offset\), got 3"),
    ],
)
def test_frames_that_make_no_sense_are_refused(frames: Any, error: type[Exception], words: str) -> None:
    robot = sd.load("dual_arm_flyer")
    with pytest.raises(error, match=words):
        robot.operational_inertia_inverse(robot.neutral(), frames)


def test_a_link_without_inertia_spoils_its_row() -> None:
    robot = sd.Robot(random_model(np.random.default_rng(0), 3, singular=True))
    with pytest.warns(RuntimeWarning, match=r"operational_inertia_inverse: the state came out NaN: D is singular"):
        found = robot.operational_inertia_inverse(robot.neutral(), ["tool", "link_1"])
    assert np.isnan(found[:6, :6]).all()
