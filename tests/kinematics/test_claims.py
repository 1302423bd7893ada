"""What inverse kinematics calls a success is one: half turns, opposite directions; measured apart from the search."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.engine import Engine
from soadyn.kinematics import Direction, Orientation
from soadyn.kinematics.compiled_step import StepContent, step_inputs, stepper
from soadyn.kinematics.errors_of_frames import ERRORS, SQUARES
from soadyn.mechanics.spatial.rotation import from_quaternion

FRAMES = {"ur5": "tool0", "panda": "panda_link8"}
HALF_TURNS = [np.diag(signs) for signs in ((1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0))]


def angle(R: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The angle between rotations, by the length of their difference, 2 √2 sin(angle/2)."""
    return 2 * np.arcsin(np.minimum(np.linalg.norm(R - other, axis=(-1, -2)) / np.sqrt(8), 1.0))


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("turn", range(3))
def test_a_pose_half_a_turn_from_the_start_is_reached_or_not_called_a_success(name, turn, rng):
    arm, frame = sd.load(name), FRAMES[name]
    q0 = arm.random_configuration(rng, 300)
    wanted = arm.pose(q0, frame)
    wanted[:, :3, :3] = wanted[:, :3, :3] @ HALF_TURNS[turn]
    found = arm.inverse_kinematics({frame: wanted}, q0=q0)
    reached = arm.pose(found.q, frame)
    off = angle(reached[:, :3, :3], wanted[:, :3, :3])
    away = np.linalg.norm(reached[:, :3, 3] - wanted[:, :3, 3], axis=-1)
    assert (off[found.success] < 2e-8).all()
    assert (away[found.success] < 2e-8).all()
    assert found.success.mean() > 0.3  # many of these poses are beyond the arm's limits
    np.testing.assert_allclose(found.errors[f"{frame} orientation"], off, atol=1e-7)


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_one_search_without_restarts_leaves_half_a_turn(backend):
    arm = sd.load("ur5").with_backend(backend)
    q0 = np.array([0.1, -1.0, 1.0, 0.2, 0.3, 0.4])
    R = arm.pose(q0, "tool0")[:3, :3]
    for turn in HALF_TURNS:
        found = arm.inverse_kinematics({"tool0": Orientation(R @ turn)}, q0=q0, restarts=0, limits=False)
        assert found.success
        assert angle(arm.pose(found.q, "tool0")[:3, :3], R @ turn) < 1e-7
    found = arm.inverse_kinematics({"tool0": Direction(-R[:, 2])}, q0=q0, restarts=0, limits=False)
    assert found.success
    np.testing.assert_allclose(arm.pose(found.q, "tool0")[:3, 2], -R[:, 2], atol=1e-7)


def test_errors_at_half_turns_about_axes_of_every_kind_do_not_vanish(rng):
    axes = [*np.eye(3), *(np.array(x) / np.linalg.norm(x) for x in rng.standard_normal((50, 3)))]
    axes += [np.array(x) / np.linalg.norm(x) for x in ((1, 1, 0), (1, -1, 0), (1, 0, 1), (0, 1, -1), (1, 1, 1))]
    pose, J = np.eye(4), np.zeros((6, 1))
    for n in axes:
        R = 2 * np.outer(n, n) - np.eye(3)
        e = ERRORS["orientation"](R.reshape(9), pose, J)[0]
        assert np.linalg.norm(e) > 1e-3
        assert SQUARES["orientation"](R.reshape(9), pose) == pytest.approx(4.0)
        turned = np.eye(4)
        turned[:3, 0] = n  # the axis x of the frame; the others are not asked for
        goal = np.concatenate([-n, [1.0, 0.0, 0.0]])
        assert np.linalg.norm(ERRORS["direction"](goal, turned, J)[0]) > 1e-3
        assert SQUARES["direction"](goal, turned) == pytest.approx(4.0)


def test_errors_away_from_half_a_turn_are_twice_the_sine_of_half_the_angle(rng):
    pose, J = np.eye(4), np.zeros((6, 1))
    for size in (1e-9, 1e-3, 1.0, 2.0, 2.9):
        n = rng.standard_normal(3)
        n /= np.linalg.norm(n)
        R = from_quaternion(np.array([np.cos(size / 2), *(np.sin(size / 2) * n)]))
        chord = 2 * np.sin(size / 2)
        np.testing.assert_allclose(ERRORS["orientation"](R.reshape(9), pose, J)[0][:, 0], chord * n, atol=1e-14)
        np.testing.assert_allclose(np.sqrt(SQUARES["orientation"](R.reshape(9), pose)), chord, atol=1e-15, rtol=1e-6)


def test_a_step_of_native_code_is_the_references(rng):
    arm = sd.load("panda")
    link = arm.model.n
    for kinds in (("position", "orientation"), ("direction",)):
        demands = StepContent((link,), tuple((kind, 0) for kind in kinds), True, False)
        engines: list[Engine] = [arm.engine, arm.with_backend("numpy").engine]
        q = arm.random_configuration(rng, 64)
        pose = arm.pose(arm.random_configuration(rng, 64), arm.link_names[-1])
        pose[:6, :3, :3] = arm.pose(q[:6], arm.link_names[-1])[:, :3, :3] @ HALF_TURNS[0]
        goals = {
            "position": pose[:, :3, 3],
            "orientation": pose[:, :3, :3].reshape(-1, 9),
            "direction": np.concatenate([pose[:, :3, 0], np.tile([0.0, 0.0, 1.0], (64, 1))], axis=-1),
        }
        place = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
        arrays = [q, place, *(np.ascontiguousarray(goals[kind]) for kind in kinds), np.ones(len(kinds))]
        assert len(arrays) == len(step_inputs(engines[0], demands))
        (q_native, squares), (q_numpy, expected) = (stepper(engine, demands)(*arrays) for engine in engines)
        np.testing.assert_allclose(squares, expected, atol=1e-12)
        np.testing.assert_allclose(q_native, q_numpy, atol=1e-12)


def test_a_feedback_on_a_pose_leaves_half_a_turn():
    arm = sd.load("ur5")
    q = np.array([0.1, -1.0, 1.0, 0.2, 0.3, 0.4])
    wanted = arm.pose(q, "tool0")
    wanted[:3, :3] = wanted[:3, :3] @ HALF_TURNS[0]
    feedback = sd.control.OperationalSpace(arm, {"tool0": wanted})
    held = sd.control.OperationalSpace(arm, {"tool0": arm.pose(q, "tool0")})
    at_rest = np.zeros(6)
    assert np.abs(feedback(0.0, q, at_rest) - held(0.0, q, at_rest)).max() > 1e-2
