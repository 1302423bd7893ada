"""Robots with passive joints (004): generalized and disturbance Jacobians, drifts and S against dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error, largest, random_state
from random_robots import random_body, random_model
from soadyn.model.draft import Mimic
from soadyn.theory.oracle.dense_robot import DenseRobot

VARIANTS = {
    "fixed": {},
    "free": {"root": "free"},
    "armature": {"armature": True},
    "free with armature": {"root": "free", "armature": True},
}


def some_mask(rng: np.random.Generator, nv: int) -> np.ndarray:
    """Passive components, some and not all."""
    mask = rng.random(nv) < rng.uniform(0.2, 0.8)
    i, j = rng.choice(nv, size=2, replace=False)
    mask[i], mask[j] = True, False
    return np.asarray(mask)


def dense_jacobians(dense: DenseRobot, p: np.ndarray, frame: Any, axes: str = "world") -> tuple[Any, Any]:
    """J_G = J_a + J_p J_D and J_D = - M_pp⁻¹ M_pa."""
    Mass, J = dense.mass_matrix, dense.jacobian(frame, axes)
    J_D = -np.linalg.solve(Mass[np.ix_(p, p)], Mass[np.ix_(p, ~p)])
    return J[:, ~p] + J[:, p] @ J_D, J_D


@pytest.mark.parametrize("name", ["ets_vii", "dual_arm_flyer"])
def test_jacobians_of_space_robots_are_the_dense_ones(name: str, rng: np.random.Generator) -> None:
    robot = sd.load(name)
    q = robot.random_configuration(rng, 20)
    frame = robot.frame_names[-1]
    p = np.arange(robot.nv) < 6
    G, D = robot.generalized_jacobian(q, frame, passive=["root"]), robot.disturbance_jacobian(q, passive=["root"])
    assert (G.shape, D.shape) == ((20, 6, robot.nv - 6), (20, 6, robot.nv - 6))
    for i in range(20):
        J_G, J_D = dense_jacobians(DenseRobot(robot.model, q[i]), p, frame)
        assert error(G[i], J_G) <= 1e-11
        assert error(D[i], J_D) <= 1e-11


@pytest.mark.parametrize("name", ["ets_vii", "dual_arm_flyer"])
@pytest.mark.heavy(2)
def test_at_zero_momentum_the_jacobians_act_on_velocities(name: str, rng: np.random.Generator) -> None:
    robot = sd.load(name)
    frame = robot.frame_names[-1]
    for _ in range(20):
        q, v_a = robot.random_configuration(rng), rng.standard_normal(robot.nv - 6)
        A = robot.momentum(q, np.eye(robot.nv)).T
        v = np.concatenate([-np.linalg.solve(A[:, :6], A[:, 6:] @ v_a), v_a])  # momentum A v = 0
        assert error(robot.generalized_jacobian(q, frame, ["root"]) @ v_a, robot.frame_velocity(q, v, frame)) <= 1e-11
        assert error(robot.disturbance_jacobian(q, ["root"]) @ v_a, v[:6]) <= 1e-11


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 5, 12, 30])
@pytest.mark.heavy(2)
def test_jacobians_of_any_tree_are_the_dense_ones(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    q = robot.random_configuration(rng)
    dense = DenseRobot(robot.model, q)
    for frame in ("tool", robot.link_names[0], "ground"):
        mask = some_mask(rng, robot.nv)
        axes = str(rng.choice(["world", "local", robot.frame_names[-1]]))
        J_G, J_D = dense_jacobians(dense, mask, frame, axes)
        assert error(robot.generalized_jacobian(q, frame, mask, axes), J_G) <= 1e-10
        assert error(robot.disturbance_jacobian(q, mask), J_D) <= 1e-10
        x = rng.standard_normal((3, int((~mask).sum())))
        assert error(robot.generalized_jacobian_times(q, x, frame, mask, axes), x @ J_G.T) <= 1e-10
        assert error(robot.disturbance_jacobian_times(q, x, mask), x @ J_D.T) <= 1e-10
        y, f = rng.standard_normal((3, int(mask.sum()))), rng.standard_normal((3, 6))
        assert error(robot.generalized_jacobian_transposed_times(q, f, frame, mask, axes), f @ J_G) <= 1e-10
        assert error(robot.disturbance_jacobian_transposed_times(q, y, mask), y @ J_D) <= 1e-10


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 5, 12, 30])
@pytest.mark.heavy
def test_jacobians_and_drifts_make_up_the_accelerations(variant: str, n: int, rng: np.random.Generator) -> None:
    """α(frame) = J_G a_a + drift, a_p = J_D a_a + drift_p, whatever pushes; a and α from the dense Schur complement."""
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    s = random_state(rng, robot)
    q, v, external = s["q"], s["v"], s["external"]
    mask = some_mask(rng, robot.nv)
    dense = DenseRobot(robot.model, q, v)
    J_G, J_D = dense_jacobians(dense, mask, "tool")
    for tau, wrenches in ((s["tau"], external), (None, None)):
        forces = np.zeros(robot.nv) if tau is None else tau
        a, _ = dense.hybrid_dynamics(s["a"], forces, mask, wrenches)
        drift = robot.generalized_drift(q, v, "tool", mask, tau, wrenches)
        drift_p = robot.disturbance_drift(q, v, mask, tau, wrenches)
        scale = largest(a)
        assert error(J_G @ a[~mask] + drift, dense.frame_acceleration(a, "tool"), scale) <= 1e-10
        assert error(J_D @ a[~mask] + drift_p, a[mask], scale) <= 1e-10


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 5, 12, 30])
@pytest.mark.heavy
def test_the_matrices_S_are_the_blocks_of_the_schur_complement(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    q = robot.random_configuration(rng)
    p = some_mask(rng, robot.nv)
    S_aa, S_ap, S_pp = robot.actuation_matrices(q, p)
    Mass = DenseRobot(robot.model, q).mass_matrix
    inverse = np.linalg.inv(Mass[np.ix_(p, p)])
    assert error(S_pp, inverse) <= 1e-10
    assert error(S_ap, Mass[np.ix_(~p, p)] @ inverse) <= 1e-10
    assert error(S_aa, Mass[np.ix_(~p, ~p)] - Mass[np.ix_(~p, p)] @ inverse @ Mass[np.ix_(p, ~p)]) <= 1e-10
    assert np.array_equal(S_aa, S_aa.T)
    assert np.array_equal(robot.disturbance_jacobian(q, p), -S_ap.T)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 5, 12, 30])
@pytest.mark.heavy
def test_the_passive_mass_matrix_factors(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    q = robot.random_configuration(rng)
    p = some_mask(rng, robot.nv)
    A_p, D_p = robot.passive_mass_factors(q, p)
    M_pp = DenseRobot(robot.model, q).mass_matrix[np.ix_(p, p)]
    assert error(A_p @ D_p @ A_p.T, M_pp) <= 1e-12
    assert np.array_equal(np.triu(A_p), A_p)
    assert np.array_equal(np.diag(A_p), np.ones(int(p.sum())))
    # D_p is block diagonal by joint; a universal joint is two single ones
    owner = np.concatenate([np.full(joint.behaviour.nv, k) for k, joint in enumerate(robot.model.joints)])[p]
    assert not D_p[owner[:, None] != owner].any()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_arms_are_robots_of_their_own(variant: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 9, **VARIANTS[variant]))
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    passive = list(rng.choice(robot.joint_names, size=4, replace=False))
    p = np.zeros(robot.nv, dtype=bool)
    for name in passive:
        p[list(robot.joint_dofs(name))] = True
    Mass, J = DenseRobot(robot.model, q).mass_matrix, robot.jacobian(q, "tool")
    for arm, half in ((robot.passive_arm(passive, q), p), (robot.active_arm(passive, q), ~p)):
        assert arm.joint_names == tuple(n for n in robot.joint_names if half[robot.joint_dofs(n)[0]])
        own = np.concatenate([q[list(robot.joint_coordinates(name))] for name in arm.joint_names])
        assert error(arm.mass_matrix(own), Mass[np.ix_(half, half)]) <= 1e-12
        assert error(arm.jacobian(own, "tool"), J[:, half]) <= 1e-12
        still = np.where(half, v, 0.0)
        assert error(arm.bias_force(own, v[half]), robot.bias_force(q, still)[half], robot.total_mass * 10) <= 1e-12


def test_half_a_joint_makes_no_arm() -> None:
    robot = sd.load("ets_vii")
    with pytest.raises(
        sd.ArgumentError, match=r"passive_arm: joint 'root' is passive in some .* split_joint\('root'\)"
    ):
        robot.passive_arm([("root", 0)], robot.neutral())
    with pytest.raises(sd.ShapeError, match=r"active_arm takes one passive set .*; got shape \(2, 12\)"):
        robot.active_arm(np.zeros((2, 12), dtype=bool), robot.neutral())


def test_all_active_is_the_mass_matrix_and_all_passive_its_inverse(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 6, root="free", armature=True))
    q = robot.random_configuration(rng)
    S_aa, S_ap, S_pp = robot.actuation_matrices(q)
    assert (S_ap.shape, S_pp.shape) == ((robot.nv, 0), (0, 0))
    assert error(S_aa, robot.mass_matrix(q)) <= 1e-12
    S_aa, S_ap, S_pp = robot.actuation_matrices(q, list(robot.joint_names))
    assert (S_aa.shape, S_ap.shape) == ((0, 0), (0, robot.nv))
    assert error(S_pp, robot.mass_matrix_inverse(q)) <= 1e-12


def test_without_passive_joints_the_generalized_jacobian_is_the_jacobian(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 6, root="free"))
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    assert error(robot.generalized_jacobian(q, "tool"), robot.jacobian(q, "tool")) <= 1e-13
    zero = np.zeros(robot.nv)
    assert error(robot.generalized_drift(q, v, "tool"), robot.frame_acceleration(q, v, zero, "tool")) <= 1e-12


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r, q: r.generalized_jacobian(q, "tool", ["elbo"]), sd.UnknownNameError, "unknown joint 'elbo'"),
        (lambda r, q: r.disturbance_jacobian(q), sd.ArgumentError, "needs at least one passive joint; none is"),
        (lambda r, q: r.disturbance_drift(q, np.zeros(4)), sd.ArgumentError, "needs at least one passive joint"),
        (
            lambda r, q: r.generalized_jacobian(q, "tool", list(r.joint_names)),
            sd.ArgumentError,
            "generalized_jacobian needs at least one active joint; all 4 components are passive",
        ),
        (
            lambda r, q: r.generalized_jacobian(q, "tool", np.ones((2, 4), dtype=bool)),
            sd.ShapeError,
            r"takes one passive set for all states, booleans \(4,\); got shape \(2, 4\)",
        ),
        (
            lambda r, q: r.generalized_jacobian_times(q, np.zeros(4), "tool", ["joint_1"]),
            sd.ShapeError,
            r"argument 'x' has shape \(4,\); expected \(\.\.\., 3\), one number for each of the 3 active components",
        ),
        (
            lambda r, q: r.generalized_drift(q, np.zeros(4), "tool", ["joint_1"], tau=np.zeros(1)),
            sd.ShapeError,
            r"argument 'tau' has shape \(1,\)",
        ),
    ],
)
def test_sets_that_make_no_sense_are_refused(call: Any, error: type[Exception], words: str) -> None:
    robot = sd.Robot(random_model(np.random.default_rng(3), 4, kinds=["revolute"], shape="serial"))
    with pytest.raises(error, match=words):
        call(robot, robot.neutral())


def test_a_passive_part_without_inertia_spoils_the_row_and_an_active_one_does_not(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 3, kinds=["revolute"], singular=True))
    q = robot.random_configuration(rng)
    with pytest.warns(RuntimeWarning, match=r"disturbance_jacobian: the state came out NaN: D is singular .*'feather'"):
        assert np.isnan(robot.disturbance_jacobian(q, ["feather_joint"])).all()
    assert np.isfinite(robot.disturbance_jacobian(q, ["joint_1"])).all()
    with sd.errstate("raise"), pytest.raises(sd.SingularError, match="feather"):
        robot.generalized_jacobian(q, "tool", ["feather_joint"])


def tied_robot(rng: np.random.Generator) -> sd.Robot:
    """A tree of five joints, two of which follow others."""
    builder = sd.Builder("hand")
    parent: str | None = None
    for k, mimic in ((1, None), (2, None), (3, "joint_2"), (4, None), (5, "joint_1")):
        body = random_body(rng)
        builder.link(
            f"link_{k}",
            body,
            parent=parent,
            joint_name=f"joint_{k}",
            axis=rng.standard_normal(3),
            origin=rng.uniform(-0.5, 0.5, 3),
            mimic=None if mimic is None else Mimic(mimic, 0.7, 0.1),
        )
        parent = "link_2" if k == 3 else f"link_{k}"
    return sd.Robot(builder.model(mimic="tie"))


def test_tied_joints_follow_their_leaders_here_too(rng: np.random.Generator) -> None:
    robot = tied_robot(rng)
    assert robot.nv == 3
    q, v, a, tau = robot.random_configuration(rng), *(rng.standard_normal(3) for _ in range(3))
    Mass, J, other = robot.mass_matrix(q), robot.jacobian(q, "link_5"), robot.jacobian(q, "link_3")
    p = np.array([False, True, False])
    J_D = -np.linalg.solve(Mass[np.ix_(p, p)], Mass[np.ix_(p, ~p)])
    J_G = J[:, ~p] + J[:, p] @ J_D
    x = a[~p]
    assert error(robot.disturbance_jacobian(q, p), J_D) <= 1e-12
    assert error(robot.generalized_jacobian(q, "link_5", p), J_G) <= 1e-12
    assert error(robot.disturbance_jacobian_times(q, x, p), J_D @ x) <= 1e-12
    assert error(robot.generalized_jacobian_times(q, x, "link_5", p), J_G @ x) <= 1e-12
    f, y = rng.standard_normal(6), rng.standard_normal(1)
    assert error(robot.generalized_jacobian_transposed_times(q, f, "link_5", p), J_G.T @ f) <= 1e-12
    assert error(robot.disturbance_jacobian_transposed_times(q, y, p), J_D.T @ y) <= 1e-12
    S_aa, S_ap, S_pp = robot.actuation_matrices(q, p)
    assert error(S_pp, np.linalg.inv(Mass[np.ix_(p, p)])) <= 1e-12
    assert error(S_ap, -J_D.T) <= 1e-12
    assert error(S_aa, Mass[np.ix_(~p, ~p)] + Mass[np.ix_(~p, p)] @ J_D) <= 1e-12
    A_p, D_p = robot.passive_mass_factors(q, p)
    assert error(A_p @ D_p @ A_p.T, Mass[np.ix_(p, p)]) <= 1e-12
    both = np.concatenate([J, other])
    found = robot.operational_inertia_inverse(q, ["link_5", "link_3"])
    assert error(found, both @ np.linalg.solve(Mass, both.T)) <= 1e-12
    accelerations, _ = robot.hybrid_dynamics(q, v, a, tau, p)
    assert error(J_D @ x + robot.disturbance_drift(q, v, p, tau), accelerations[p]) <= 1e-11
    expected = robot.frame_acceleration(q, v, accelerations, "link_5")
    assert error(J_G @ x + robot.generalized_drift(q, v, "link_5", p, tau), expected) <= 1e-11
