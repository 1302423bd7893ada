"""Capture: momentum is kept, the body no longer moves in the hand, and the loss is what the closed form says."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.simulation import Phases, simulate


def chaser_and_target(rng, root="free", armature=True):
    """Both in one robot; run by the reference, which compiles nothing for each new tree."""
    chaser = sd.Robot(random_model(rng, 6, root=root, armature=armature, gravity=(0, 0, 0)), "numpy")
    target = sd.Robot(random_model(rng, 3, root="free", armature=armature, gravity=(0, 0, 0)), "numpy")
    both = chaser.attach(target, "ground", name_prefix="target_")
    q, v = both.random_configuration(rng), rng.standard_normal(both.nv)
    return both, q, v, "target_" + target.link_names[0], chaser.link_names[-1]


@pytest.mark.parametrize("seed", range(20))
def test_momentum_is_kept_and_energy_lost_as_the_closed_form_says(seed):
    both, q, v, body, frame = chaser_and_target(np.random.default_rng(seed))
    held = sd.capture(both, q, v, body, frame)
    before, after = both.momentum(q, v), held.robot.momentum(held.q, held.v)
    assert np.abs(after - before).max() <= 1e-12 * np.abs(before).max()
    lost = both.kinetic_energy(q, v) - held.robot.kinetic_energy(held.q, held.v)
    assert lost > 0
    np.testing.assert_allclose(held.energy_loss, lost, rtol=1e-10)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("root", ["free", "fixed"])
def test_rates_afterwards_are_the_projection_that_the_held_robots_mass_matrix_gives(seed, root):
    """v⁺ = Mass_held⁻¹ B* Mass v, B taking the held robot's rates to those of robot and body: another way there."""
    both, q, v, body, frame = chaser_and_target(np.random.default_rng(seed), root)
    held = sd.capture(both, q, v, body, frame)
    B = np.zeros((both.nv, held.robot.nv))
    for joint in held.robot.joint_names:
        B[both.joint_dofs(joint), held.robot.joint_dofs(joint)] = 1.0
    free = [j for j in both.joint_names if j not in held.robot.joint_names]
    B[both.joint_dofs(free[0])] = held.robot.jacobian(held.q, body, axes="local")
    M = both.mass_matrix(q)
    np.testing.assert_allclose(B.T @ M @ B, held.robot.mass_matrix(held.q), atol=1e-9)
    wanted = np.linalg.solve(B.T @ M @ B, B.T @ M @ v)
    np.testing.assert_allclose(held.v, wanted, atol=1e-8 * max(1.0, np.abs(wanted).max()))


def test_nothing_is_displaced_and_the_body_rests_in_the_hand():
    both, q, v, body, frame = chaser_and_target(np.random.default_rng(3))
    held = sd.capture(both, q, v, body, frame)
    for name in both.link_names:
        np.testing.assert_allclose(held.robot.pose(held.q, name), both.pose(q, name), atol=1e-12)
    pose = held.robot.pose(held.q, body)
    offset = np.linalg.inv(held.robot.pose(held.q, frame)) @ pose
    hand = held.robot.frame_velocity(held.q, held.v, (frame, offset))
    np.testing.assert_allclose(held.robot.frame_velocity(held.q, held.v, body), hand, atol=1e-12)
    assert held.robot.total_mass == pytest.approx(both.total_mass)


def test_a_central_impact_of_two_balls_loses_the_textbooks_energy():
    b = sd.Builder("balls")
    b.link("first", sd.Body(2.0, inertia=np.eye(3)), joint="free")
    b.link("second", sd.Body(3.0, inertia=np.eye(3)), joint="free")
    balls = sd.build(b)
    q = balls.neutral()
    v = np.zeros(12)
    v[3:6] = [1.0, 0.0, 0.0]
    held = sd.capture(balls, q, v, "second", "first")
    np.testing.assert_allclose(held.v, [0, 0, 0, 0.4, 0, 0], atol=1e-15)
    assert held.energy_loss == pytest.approx(0.5 * (2 * 3 / 5) * 1.0)


def test_both_phases_are_joined_saved_and_told_in_the_first_robots_coordinates(tmp_path):
    both, q, v, body, frame = chaser_and_target(np.random.default_rng(5))
    first = simulate(both, q, 0.1 * v, duration=0.1, step=0.01, joint_forces=False)
    held = sd.capture(both, first.end.q, first.end.v, body, frame)
    then = simulate(held.robot, held.q, held.v, duration=0.1, step=0.01, joint_forces=False)
    phases = Phases([first]).joined(then)
    assert phases.at(0.05).robot is both
    assert phases.at(0.15).robot is held.robot
    back = Phases.load(phases.save(tmp_path / "phases.npz")).of(both, held.robot)
    np.testing.assert_array_equal(back.end.q, then.q[-1])
    whole = back.as_first()
    assert len(whole) == len(first) + len(then) - 1
    for name in both.link_names:
        np.testing.assert_allclose(both.pose(whole.q[-1], name), held.robot.pose(then.q[-1], name), atol=1e-12)
    np.testing.assert_allclose(whole.momentum[-1], both.momentum(whole.q[-1], whole.v[-1]), atol=1e-9)
    np.testing.assert_allclose(whole.momentum_drift, 0.0, atol=1e-5)
    np.testing.assert_allclose(whole.energy_drift[-1], -held.energy_loss, atol=1e-6)


def test_files_that_hold_no_phases_are_refused(tmp_path):
    fall = simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.02, step=0.01)
    with pytest.raises(sd.ArgumentError, match="its format is not 'soadyn phases 1'"):
        Phases.load(fall.save(tmp_path / "fall.npz"))
    np.savez(tmp_path / "odd.npz", format="soadyn phases 1")
    with pytest.raises(sd.ArgumentError, match="does not count its trajectories"):
        Phases.load(tmp_path / "odd.npz")
    np.savez(tmp_path / "odd.npz", **{"format": "soadyn phases 1", "count": 1, "7.q": np.zeros(3)})
    with pytest.raises(sd.ArgumentError, match=r"it holds '7\.q'"):
        Phases.load(tmp_path / "odd.npz")
