"""Hybrid dynamics: every mask between inverse and forward dynamics, against the dense Schur complement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import largest, norm, random_state
from random_robots import random_model
from soadyn.theory.oracle.dense_robot import DenseRobot

VARIANTS = {
    "fixed": {},
    "free": {"root": "free"},
    "armature": {"armature": True},
    "free with armature and massless links": {"root": "free", "armature": True, "massless": 0.4},
}


def relative(x: Any, y: Any, s: float = 1.0) -> float:
    return largest(np.asarray(x) - y) / max(largest(y), s)


def robot_and_state(rng: np.random.Generator, n: int, size: tuple[int, ...] = (), **options: Any) -> Any:
    robot = sd.Robot(random_model(rng, n, **options))
    return robot, random_state(rng, robot, size)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 4, pytest.param(12, marks=pytest.mark.slow), 40])
@pytest.mark.heavy
def test_all_passive_is_forward_dynamics(variant: str, n: int, rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, n, (4,), **VARIANTS[variant])
    everything = list(robot.joint_names)
    a, tau = robot.hybrid_dynamics(s["q"], s["v"], tau=s["tau"], passive=everything, external=s["external"])
    expected = robot.forward_dynamics(s["q"], s["v"], s["tau"], external=s["external"])
    assert relative(a, expected) <= 1e-12
    assert np.array_equal(tau, s["tau"])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 4, pytest.param(12, marks=pytest.mark.slow), 40])
@pytest.mark.heavy
def test_all_active_is_inverse_dynamics(variant: str, n: int, rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, n, (4,), **VARIANTS[variant])
    a, tau = robot.hybrid_dynamics(s["q"], s["v"], a=s["a"], external=s["external"])
    expected = robot.inverse_dynamics(s["q"], s["v"], s["a"], external=s["external"])
    assert relative(tau, expected) <= 1e-12
    assert np.array_equal(a, s["a"])


def errors(robot: sd.Robot, s: dict[str, Any], mask: np.ndarray, a: Any, tau: Any) -> tuple[float, float]:
    """Relative errors of accelerations and forces against the Schur complement."""
    dense = DenseRobot(robot.model, s["q"], s["v"])
    a_dense, tau_dense = dense.hybrid_dynamics(s["a"], s["tau"], mask, s["external"])
    return relative(a, a_dense), relative(tau, tau_dense, robot.total_mass * 9.81)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 12, *(pytest.param(n, marks=pytest.mark.slow) for n in (5, 30, 60))])
def test_any_mask_agrees_with_the_schur_complement(variant: str, n: int, rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, n, **VARIANTS[variant])
    for share in (0.2, 0.5, 0.8):
        mask = rng.random(robot.nv) < share
        a, tau = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask, s["external"])
        assert max(errors(robot, s, mask, a, tau)) <= 1e-10
        assert np.array_equal(a[~mask], s["a"][~mask])
        assert np.array_equal(tau[mask], s["tau"][mask])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy(2)
def test_every_mask_of_a_small_robot_agrees_with_the_schur_complement(variant: str, rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 3, kinds=["spherical", "planar", "revolute"], **VARIANTS[variant])
    masks = (np.arange(2**robot.nv)[:, None] >> np.arange(robot.nv)) & 1 == 1
    masks = masks[rng.permutation(len(masks))[:256]]
    a, tau = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], masks, s["external"])
    assert a.shape == tau.shape == masks.shape
    for mask, a_row, tau_row in zip(masks, a, tau, strict=True):
        assert max(errors(robot, s, mask, a_row, tau_row)) <= 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["numpy", "auto"], indirect=True)
@pytest.mark.parametrize("seed", range(200))
def test_two_hundred_trees_with_any_mask_agree_with_the_schur_complement(seed: int) -> None:
    """Every joint kind, fixed and free base, armature, joints of several components split by the mask."""
    rng = np.random.default_rng(seed)
    robot, s = robot_and_state(rng, int(rng.integers(1, 61)), **VARIANTS[rng.choice(list(VARIANTS))])
    mask = rng.random(robot.nv) < rng.random()
    a, tau = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask, s["external"])
    assert max(errors(robot, s, mask, a, tau)) <= 1e-10
    assert np.array_equal(a[~mask], s["a"][~mask])
    assert np.array_equal(tau[mask], s["tau"][mask])


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.heavy(2)
def test_native_code_agrees_with_the_schur_complement_as_well(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    robot, s = robot_and_state(rng, int(rng.integers(14, 30)), **VARIANTS[rng.choice(list(VARIANTS))])
    mask = rng.random(robot.nv) < rng.random()
    native = robot.with_backend("auto")
    for _ in range(2):  # the second time by the prepared call
        a, tau = native.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask)
        assert max(errors(robot, {**s, "external": None}, mask, a, tau)) <= 1e-10


def test_what_is_given_of_the_unknown_halves_does_not_count(rng: np.random.Generator) -> None:
    """Not the first time and not the second, when a kernel takes the arguments as they are."""
    robot, s = robot_and_state(rng, 8, root="free")
    mask = rng.random(robot.nv) < 0.5
    for arm in (robot, robot.with_backend("auto")):
        expected = arm.hybrid_dynamics(s["q"], s["v"], np.where(mask, 0, s["a"]), np.where(mask, s["tau"], 0), mask)
        for _ in range(2):
            found = arm.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask)
            assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))
        a, tau = np.where(mask, np.nan, s["a"]), np.where(mask, s["tau"], np.inf)
        for _ in range(2):
            found = arm.hybrid_dynamics(s["q"], s["v"], a, tau, mask)
            assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))


def test_sets_that_look_alike_are_not_mistaken_for_each_other(rng: np.random.Generator) -> None:
    """By the prepared call as well: a mask, names, numbers that equal booleans, another mask."""
    robot, s = robot_and_state(rng, 2, kinds=["revolute"], shape="serial")
    arm = robot.with_backend("auto")
    state = (s["q"], s["v"], s["a"], s["tau"])
    for _ in range(3):
        for passive, mask in (
            ([True, False], [True, False]),
            (np.array([True, False]), [True, False]),
            (["joint_1"], [True, False]),
            ({"joint_1"}, [True, False]),
            ((name for name in ["joint_2"]), [False, True]),
            ([("joint_2", 0)], [False, True]),
            (np.array([False, True]), [False, True]),
            ([], [False, False]),
        ):
            expected = robot.with_backend("numpy").hybrid_dynamics(*state, np.array(mask))
            found = arm.hybrid_dynamics(*state, passive)
            assert all(relative(x, y) <= 1e-12 for x, y in zip(found, expected, strict=True))
        with pytest.raises(sd.ArgumentError, match="joint names"):
            arm.hybrid_dynamics(*state, [1, 0])
        with pytest.raises(sd.ShapeError, match="passive has dtype uint8"):
            arm.hybrid_dynamics(*state, np.array([1, 0], dtype=np.uint8))


def test_the_two_halves_satisfy_the_equation_of_motion(rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 20, root="free", armature=True)
    mask = rng.random(robot.nv) < 0.5
    a, tau = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask)
    M, c = robot.mass_matrix(s["q"]), robot.bias_force(s["q"], s["v"])
    assert norm(M @ a + c - tau) <= 1e-12 * (norm(M) * norm(a) + norm(tau) + norm(c))


def test_a_mask_can_be_named_in_several_ways(rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 6, kinds=["spherical", "universal", "revolute", "planar"], root="free")
    joint, other = robot.joint_names[2], robot.joint_names[0]
    mask = np.zeros(robot.nv, dtype=bool)
    mask[list(robot.joint_dofs(joint))] = True
    mask[robot.joint_dofs(other)[1]] = True
    expected = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask)
    for passive in ([joint, (other, 1)], ((other, 1), joint), mask.tolist(), np.broadcast_to(mask, (1, robot.nv))):
        found = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], passive)
        assert all(np.array_equal(np.reshape(x, y.shape), y) for x, y in zip(found, expected, strict=True))


def test_each_row_can_have_its_own_mask(rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 7, (5,), root="free")
    masks = rng.random((5, robot.nv)) < 0.5
    a, tau = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], masks)
    for i in range(5):
        alone = robot.hybrid_dynamics(s["q"][i], s["v"][i], s["a"][i], s["tau"][i], masks[i])
        assert relative(a[i], alone[0]) <= 1e-13
        assert relative(tau[i], alone[1]) <= 1e-13


def test_entries_that_are_not_needed_may_be_nan(rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 7, (3,))
    mask = rng.random(robot.nv) < 0.5
    expected = robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], mask)
    a, tau = np.where(mask, np.nan, s["a"]), np.where(mask, s["tau"], np.nan)
    found = robot.hybrid_dynamics(s["q"], s["v"], a, tau, mask)
    assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))


def test_a_needed_nan_spoils_its_row(rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 4, (3,))
    a = s["a"].copy()
    a[1, 0] = np.nan
    mask = np.ones(robot.nv, dtype=bool)
    mask[0] = False
    with pytest.warns(RuntimeWarning, match=r"hybrid_dynamics: 1 of 3 rows came out NaN: argument 'a' is not finite"):
        found = robot.hybrid_dynamics(s["q"], s["v"], a, s["tau"], mask)
    assert all(np.isnan(x[1]).all() and np.isfinite(x[[0, 2]]).all() for x in found)


def test_a_half_that_is_needed_cannot_be_omitted(rng: np.random.Generator) -> None:
    robot, s = robot_and_state(rng, 3, kinds=["revolute"], shape="serial")
    with pytest.raises(sd.ArgumentError, match=r"needs 'a': the accelerations .* active joints 'joint_2', 'joint_3'"):
        robot.hybrid_dynamics(s["q"], s["v"], tau=s["tau"], passive=["joint_1"])
    with pytest.raises(sd.ArgumentError, match=r"needs 'tau': the forces of the passive joints 'joint_1'"):
        robot.hybrid_dynamics(s["q"], s["v"], a=s["a"], passive=["joint_1"])


@pytest.mark.parametrize(
    ("passive", "error", "words"),
    [
        (["joint_9"], sd.UnknownNameError, r"unknown joint 'joint_9' of robot 'random robot'"),
        ("joint_1", sd.ArgumentError, r"takes a list of joint names, got the text 'joint_1'"),
        ([("joint_1", 1)], sd.ArgumentError, r"joint 'joint_1' has components 0 to 0"),
        ([3], sd.ArgumentError, r"joint names and \(name, component\) pairs, .*3"),
        (np.ones(2, dtype=bool), sd.ShapeError, r"expected booleans \(\.\.\., 3\)"),
        (np.ones(3), sd.ShapeError, r"passive has dtype float64"),
        (np.ones((4, 3), dtype=bool), sd.ShapeError, r"batch axes do not broadcast"),
    ],
)
def test_a_mask_that_makes_no_sense_is_refused(
    passive: Any, error: type[Exception], words: str, rng: np.random.Generator
) -> None:
    robot, s = robot_and_state(rng, 3, (2,), kinds=["revolute"])
    with pytest.raises(error, match=words):
        robot.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], passive)
