"""The mass matrix as an object, against dense algebra and Pinocchio's inverse."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error, norm
from corpus import loadable_urdfs, pin_model, short_name
from native_cases import corpus_robot
from random_robots import random_model
from soadyn.robot.mass import MassMatrix
from soadyn.theory.oracle.dense_robot import DenseRobot

TOLERANCE = 1e-10


def robot_named(name: str) -> sd.Robot:
    match name:
        case "talos":
            return corpus_robot("talos_data/talos_reduced", root="free")
        case "tree of 60 links":
            return sd.Robot(random_model(np.random.default_rng(60), 60, root="free", armature=True))
    return sd.load(name)


def columns(X: Any, x: np.ndarray) -> np.ndarray:
    return (X @ x[..., None])[..., 0]


@pytest.mark.parametrize("name", ["ur5", "talos", pytest.param("tree of 60 links", marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [(), (2, 2)])
@pytest.mark.heavy(2)
def test_everything_agrees_with_dense_algebra(name: str, size: tuple[int, ...], rng: np.random.Generator) -> None:
    robot = robot_named(name)
    q, x = robot.random_configuration(rng, size), rng.standard_normal((*size, robot.nv))
    flat = q.reshape(-1, robot.nq)
    M = np.array([DenseRobot(robot.model, row).mass_matrix for row in flat]).reshape(*size, robot.nv, robot.nv)
    m = robot.mass(q)
    W, root = np.linalg.inv(M), m.root.dense()
    assert error(m.dense(), M) <= TOLERANCE
    assert error(root @ root.mT, M) <= TOLERANCE
    assert error(m @ x, columns(M, x)) <= TOLERANCE
    assert error(m.root @ x, columns(root, x)) <= TOLERANCE
    assert error(m.root.T @ x, columns(root.mT, x)) <= TOLERANCE
    assert error(columns(M, m.solve(x)), x) <= TOLERANCE
    assert error(columns(M, m.inverse @ x), x) <= TOLERANCE
    assert error(columns(root, m.whiten(x)), x) <= TOLERANCE
    assert error(columns(root.mT, m.root.T.solve(x)), x) <= TOLERANCE
    assert error(M @ m.inverse.dense(), np.broadcast_to(np.eye(robot.nv), M.shape)) <= TOLERANCE
    assert error(m.inverse_diagonal(), np.diagonal(W, axis1=-2, axis2=-1)) <= TOLERANCE
    assert error(m.log_determinant(), np.linalg.slogdet(M)[1]) <= TOLERANCE
    for first in (robot.joint_names[0], robot.joint_names[-1]):
        for second in (robot.joint_names[len(robot.joint_names) // 2], robot.joint_names[-1]):
            rows, places = list(robot.joint_dofs(first)), list(robot.joint_dofs(second))
            assert error(m.block(first, second), M[..., rows, :][..., places]) <= TOLERANCE
            scale = float(abs(W).max())
            assert error(m.inverse_block(first, second), W[..., rows, :][..., places], scale) <= TOLERANCE


def test_the_root_is_choleskys_factor_in_the_papers_order_on_single_joints(rng: np.random.Generator) -> None:
    arm = sd.load("puma560")
    q = arm.random_configuration(rng)
    root = arm.mass(q).root.dense()
    assert error(root[::-1, ::-1], np.linalg.cholesky(arm.mass_matrix(q)[::-1, ::-1])) <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("path", loadable_urdfs(), ids=short_name)
def test_the_inverse_agrees_with_computeminverse(path: Any, rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    if short_name(path).startswith(("romeo", "human")):
        pytest.skip("a singular mass matrix")
    from soadyn import interop

    robot, model = corpus_robot(short_name(path), root="free"), pin_model(path, free=True)
    if robot.nv != model.nv:
        pytest.skip("the two count coordinates differently")
    peer = interop.Pinocchio(robot, model)
    q = robot.random_configuration(rng)
    theirs = pin.computeMinverse(model, model.createData(), peer.q_to(q))
    theirs = np.triu(theirs) + np.triu(theirs, 1).T
    M = robot.mass_matrix(q)
    ours = robot.mass(q).inverse.dense()
    assert norm(M @ ours - np.eye(robot.nv)) <= 1e-10 * norm(M) * norm(ours)
    assert norm(peer.matrix_to(q, ours) - theirs) <= 1e-8 * norm(theirs)


def test_the_condition_is_estimated_from_products_and_solutions(rng: np.random.Generator) -> None:
    flyer = sd.load("dual_arm_flyer")
    q = flyer.random_configuration(rng, 4)
    true = np.linalg.cond(flyer.mass_matrix(q))
    assert error(flyer.mass(q).condition(), true) <= 1e-6
    chain = sd.Robot(random_model(rng, 70, kinds=["revolute"], shape="serial"))
    q = chain.random_configuration(rng)
    found, true = float(chain.mass(q).condition()), float(np.linalg.cond(chain.mass_matrix(q)))
    assert 0.5 * true <= found <= true * (1 + 1e-6)


def test_scipy_solves_with_it(rng: np.random.Generator) -> None:
    from scipy.sparse.linalg import cg

    arm = sd.load("ur5")
    m, x = arm.mass(arm.random_configuration(rng)), rng.standard_normal(6)
    found, failed = cg(m.linear_operator(), x, M=m.inverse.linear_operator(), rtol=1e-12)
    assert not failed
    assert error(found, m.solve(x)) <= 1e-9
    with pytest.raises(sd.ShapeError, match="no batch axes"):
        arm.mass(np.zeros((2, 6))).linear_operator()


def test_it_cannot_be_changed_and_keeps_its_own_coordinates() -> None:
    arm = sd.load("ur5")
    q = arm.neutral()
    m = arm.mass(q)
    before = m.dense()
    q[1] = 1.0
    assert np.array_equal(m.dense(), before)
    with pytest.raises(sd.FrozenError, match="mass matrix cannot be changed"):
        m.extra = 1
    with pytest.raises(sd.FrozenError):
        m.root.extra = 1
    with pytest.raises(ValueError, match="read-only"):
        m.dense()[:] = 0
    np.array(m)[:] = 0
    assert np.array_equal(m.dense(), before)
    assert np.array_equal(pickle.loads(pickle.dumps(m)).dense(), before)
    assert np.asarray(m, dtype=np.float32).dtype == np.float32


def test_a_singular_state_comes_out_nan(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, kinds=["revolute"], singular=True))
    m = robot.mass(robot.random_configuration(rng, 2))
    assert np.isfinite(m.dense()).all()
    with pytest.warns(RuntimeWarning, match="D is singular"):
        assert np.isnan(m.log_determinant()).all()
    with pytest.warns(RuntimeWarning, match="D is singular"):
        assert np.isnan(m.solve(np.ones(robot.nv))).all()


def test_types() -> None:
    m = sd.load("planar_two_link").mass([0.0, 0.5])
    assert isinstance(m, MassMatrix)
    assert repr(m) == "<MassMatrix of 'planar_two_link', 2 x 2>"
    assert m.T is m
    with pytest.raises(sd.ShapeError, match="argument 'x' has shape"):
        m @ np.ones(3)
    with pytest.raises(sd.UnknownNameError):
        m.block("joint1", "joint3")
