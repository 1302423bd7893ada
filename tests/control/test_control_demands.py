"""Demands and their solutions, against dense formulas by numpy.linalg."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn import control
from soadyn.control import Demands, solve_demands

BENT = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)


@pytest.fixture
def flyer() -> sd.Robot:
    return sd.load("free_flyer")


@pytest.fixture
def q(flyer: sd.Robot) -> np.ndarray:
    q = flyer.neutral()
    q[7:14] = BENT
    return q


def dense_jacobians(robot: sd.Robot, q: Any, frame: Any, passive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J_D = -M_pp⁻¹ M_pa and J_G = J_a + J_p J_D from the mass matrix."""
    M, J = robot.mass_matrix(q), robot.jacobian(q, frame)
    p, a = np.flatnonzero(passive), np.flatnonzero(~passive)
    J_D = -np.linalg.solve(M[..., p[:, None], p], M[..., p[:, None], a])
    return J[..., a] + J[..., p] @ J_D, J_D


# Rows


def test_the_rows_are_those_of_both_jacobians(flyer: sd.Robot, rng: np.random.Generator) -> None:
    q = flyer.random_configuration(rng, size=5)
    demands = Demands(flyer, "tool", "position", hold="attitude")
    J_G, J_D = dense_jacobians(flyer, q, "tool", demands.mask)
    expected = np.concatenate([J_G[:, 3:], J_D[:, :3]], axis=-2)
    assert np.abs(demands.jacobian(q) - expected).max() < 1e-12
    assert demands.names == (
        "tool: move along x",
        "tool: move along y",
        "tool: move along z",
        "root.wx",
        "root.wy",
        "root.wz",
    )


def test_passive_joints_inside_the_arm_can_be_held(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, kinds=["revolute", "prismatic", "universal"], root="free"))
    names = robot.joint_names
    q = robot.random_configuration(rng)
    demands = Demands(robot, robot.link_names[-1], "pose", [names[0], names[4]], hold=[(names[4], 0), (names[0], 5)])
    J_G, J_D = dense_jacobians(robot, q, robot.link_names[-1], demands.mask)
    p = np.flatnonzero(demands.mask).tolist()
    rows = [p.index(5), p.index(robot.joint_dofs(names[4])[0])]
    scale = np.abs(J_D).max() + np.abs(J_G).max()
    assert np.abs(demands.jacobian(q) - np.concatenate([J_G, J_D[rows]])).max() < 1e-10 * scale


# Solutions


def test_what_is_left_free_follows_the_preferred_motion(rng: np.random.Generator) -> None:
    J, d, x2 = rng.standard_normal((4, 9)), rng.standard_normal(4), rng.standard_normal(9)
    found = solve_demands(J, d, preferred=x2)
    inverse = np.linalg.pinv(J)
    assert np.abs(found.x - (inverse @ d + (np.eye(9) - inverse @ J) @ x2)).max() < 1e-12
    assert np.abs(found.residual).max() < 1e-12
    assert found.smallest == pytest.approx(np.linalg.svd(J, compute_uv=False)[-1])


def test_weights_choose_among_solutions(rng: np.random.Generator) -> None:
    J, d, W = rng.standard_normal((3, 6)), rng.standard_normal(3), rng.uniform(0.1, 10, 6)
    expected = (J / W).T @ np.linalg.solve((J / W) @ J.T, d)
    assert np.abs(solve_demands(J, d, weights=W).x - expected).max() < 1e-10


def test_regularization_is_the_regularised_normal_equation(rng: np.random.Generator) -> None:
    J, d, x2 = rng.standard_normal((7, 5)), rng.standard_normal(7), rng.standard_normal(5)
    W, P, lam = rng.uniform(0.1, 10, 5), rng.uniform(0.1, 10, 7), 0.3
    A = (P[:, None] * J).T @ (P[:, None] * J) + lam**2 * np.diag(W)
    b = (P[:, None] * J).T @ (P * d) + lam**2 * W * x2
    found = solve_demands(J, d, weights=W, row_weights=P, regularization=lam, preferred=x2)
    assert np.abs(found.x - np.linalg.solve(A, b)).max() < 1e-11
    assert np.abs(found.residual - (d - J @ found.x)).max() < 1e-12


def test_more_demands_than_joints_are_met_in_the_least_squares_sense(rng: np.random.Generator) -> None:
    J, d = rng.standard_normal((9, 6)), rng.standard_normal(9)
    found = solve_demands(J, d)
    assert np.abs(found.x - np.linalg.lstsq(J, d, rcond=None)[0]).max() < 1e-12
    assert np.linalg.norm(found.residual) > 0.1


def test_a_batch_is_solved_state_by_state(rng: np.random.Generator) -> None:
    J, d, lam = rng.standard_normal((2, 3, 4, 6)), rng.standard_normal((3, 4)), rng.uniform(0, 1, (2, 1))
    together = solve_demands(J, d, regularization=lam)
    for i, j in np.ndindex(2, 3):
        alone = solve_demands(J[i, j], d[j], regularization=lam[i, 0])
        assert np.abs(together.x[i, j] - alone.x).max() < 1e-13
        assert together.rank[i, j] == 4


def test_demands_that_depend_on_each_other_are_refused_and_named() -> None:
    J = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    with pytest.raises(sd.SingularError, match=r"3 demands on 3 joint components has rank 2; .* mostly 'lift'"):
        solve_demands(J, [1.0, 0.0, 1.0], names=("reach", "turn", "lift"))
    with pytest.raises(sd.SingularError, match="in row 1"):
        solve_demands(np.stack([np.eye(3), J]), np.ones(3))
    found = solve_demands(J, [1.0, 0.0, 1.0], regularization=1e-3)
    assert np.abs(found.x - [1, 0, 0]).max() < 1e-5
    assert found.residual[2] == 1.0


@pytest.mark.parametrize("scale", np.linspace(0.5, 2.0, 7))
def test_of_demands_that_exclude_each_other_alike_the_last_is_named(scale: float) -> None:
    J = scale * np.array([[0.3, 0.7], [0.3, 0.7], [-0.3, -0.7]])
    for rows, name in ((2, "turn"), (3, "lift")):
        with pytest.raises(sd.SingularError, match=rf"mostly '{name}'"):
            solve_demands(J[:rows], np.ones(rows), names=("reach", "turn", "lift")[:rows])


def test_a_stretched_arm_is_singular_and_says_so(flyer: sd.Robot) -> None:
    stretched = flyer.lock(("wheel_x", "wheel_y", "wheel_z"), flyer.neutral())
    demands = Demands(stretched, "tool", "position", hold="attitude")
    J = demands.jacobian(stretched.neutral())
    with pytest.raises(sd.SingularError, match="6 demands on 7 joint components has rank 5"):
        solve_demands(J, [0, 0, 0.1, 0, 0, 0])
    found = solve_demands(J, [0, 0, 0.1, 0, 0, 0], regularization=0.01)
    assert np.linalg.norm(found.x) <= 0.1 / (2 * 0.01)  # σ / (σ² + λ²) is at most 1 / 2 λ


def test_states_that_are_not_finite_come_out_nan() -> None:
    found = solve_demands(np.stack([np.eye(2), np.full((2, 2), np.nan)]), [1.0, 2.0])
    assert found.x[0].tolist() == [1.0, 2.0]
    assert np.isnan(found.x[1]).all()
    assert np.isnan(found.residual[1]).all()
    assert np.isnan(found.smallest[1])


# Motions


def test_zero_momentum_rates_have_no_momentum(flyer: sd.Robot, rng: np.random.Generator) -> None:
    q = flyer.random_configuration(rng, size=6)
    v = control.zero_momentum_rates(flyer, q, rng.standard_normal((6, 10)))
    shares = np.abs(control.link_momenta(flyer, q, v)).sum(axis=-2)
    assert (np.abs(flyer.momentum(q, v)) < 1e-13 * shares).all()


def test_motions_of_the_reaction_null_space_leave_the_base_alone(flyer: sd.Robot, rng: np.random.Generator) -> None:
    q = flyer.random_configuration(rng, size=6)
    N = flyer.reaction_null_space(q, undisturbed=["root"])
    v = control.zero_momentum_rates(flyer, q, (N @ rng.standard_normal((6, 10, 1)))[..., 0])
    assert np.abs(v[:, :6]).max() < 1e-12


@pytest.mark.parametrize("momentum", [0.0, 1.0])
def test_resolved_rates_give_the_frame_the_wanted_velocity(
    momentum: float, flyer: sd.Robot, q: np.ndarray, rng: np.random.Generator
) -> None:
    """Beside the momentum that the robot has, whose motion of the frame is counted in."""
    there = flyer.pose(q, "tool")
    there[:3, 3] += 0.1, 0.2, -0.1
    v = control.zero_momentum_rates(flyer, q, 0.3 * rng.standard_normal(10))
    v[:6] += momentum * rng.standard_normal(6)
    rates = control.ResolvedRate(flyer, {"tool": there}, bandwidth=5.0).rates(0.0, q, v)
    assert not rates[:6].any()
    # The base's velocity once the motors give the joints these rates: a stroke of theirs keeps the momentum.
    J_D = flyer.disturbance_jacobian(q, passive=["root"])
    moving = rates + np.concatenate([v[:6] + J_D @ (rates - v)[6:], np.zeros(10)])
    np.testing.assert_allclose(flyer.momentum(q, moving), flyer.momentum(q, v), atol=1e-9)
    np.testing.assert_allclose(flyer.frame_velocity(q, moving, "tool"), [0, 0, 0, 0.5, 1.0, -0.5], atol=1e-9)


def test_a_frame_follows_its_motion_under_joint_forces_and_the_base_stays(flyer: sd.Robot, q: np.ndarray) -> None:
    target = flyer.pose(q, "tool")
    target[:3, 3] += (0.1, -0.1, 0.05)
    motion = sd.paths.FrameMotion(flyer.pose(q, "tool"), target, 6.0)
    motors = control.ReactionMode(flyer, {"tool": motion}, q, bandwidth=4.0)
    run = sd.simulate(flyer, q, control=motors, duration=6.0, step=0.04)
    assert np.abs(control.pose_error(flyer.pose(run.q, "tool"), motion.pose(run.t))).max() < 1e-6
    assert np.abs(flyer.difference(q, run.q)[:, :3]).max() < 1e-6
    assert not run.tau[:, :6].any()


# Maps


def test_singularity_is_that_of_the_dense_jacobian(flyer: sd.Robot, rng: np.random.Generator) -> None:
    q = flyer.random_configuration(rng, size=20)
    demands = Demands(flyer, "tool")
    J_G, _ = dense_jacobians(flyer, q, "tool", demands.mask)
    found = control.measure_singularity(demands, q)
    assert np.abs(found.manipulability - np.sqrt(np.linalg.det(J_G @ J_G.mT))).max() < 1e-12
    assert np.abs(found.smallest**2 - np.linalg.eigvalsh(J_G @ J_G.mT)[:, 0]).max() < 1e-12


def test_a_workspace_map_knows_what_is_out_of_reach(flyer: sd.Robot, q: np.ndarray, tmp_path: Any) -> None:
    x, _, z = flyer.pose(q, "tool")[:3, 3]
    demands = Demands(flyer, "tool", "position", hold="attitude")
    across, up = x + np.linspace(-0.3, 0.3, 4), z + np.linspace(-0.3, 3.0, 6)
    found = control.workspace_map(demands, q, x=across, z=up)
    assert found.smallest.shape == (4, 6)
    assert found.reached[:, :1].all()
    assert not found.reached[:, 3:].any()
    assert (found.on_the_way > 0).all()
    assert found.plot(tmp_path / "map.png").stat().st_size > 1000
