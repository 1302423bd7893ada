"""Formulas on dense robots: symbols against their recursions, a user's own symbols, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from random_robots import random_model, random_q, random_v
from soadyn.algebra import (
    A_r,
    B,
    D,
    D_p,
    H,
    H_a,
    H_p,
    K_p,
    M,
    P,
    R,
    T,
    Z,
    alpha,
    f,
    f_tip,
    inv,
    mass,
    phi,
    psi,
    sqrt,
    theta_ddot,
    theta_ddot_a,
    theta_dot,
)
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import Symbol
from soadyn.algebra.operators import NAMES, OPERATORS, WHOLE_ARM_NAMES
from soadyn.errors import ArgumentError, ShapeError, SingularError
from soadyn.theory.oracle.dense_geometry import six
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues, dense_value
from soadyn.theory.oracle.specimens import FAMILY, Specimen


@pytest.fixture
def robot(rng: np.random.Generator) -> DenseRobot:
    model = random_model(rng, 6, armature=True)
    return DenseRobot(model, random_q(rng, model), random_v(rng, model))


@pytest.mark.parametrize("name", NAMES)
def test_every_symbol_has_a_value(name: str) -> None:
    whole, passive = FAMILY[6].values(False), FAMILY[6].values(True)
    x = NAMES[name]
    values = whole if name in WHOLE_ARM_NAMES else passive
    shape = values.of(x).shape
    assert shape == ((values.size(x.codomain),) if x.is_vector else (values.size(x.codomain), values.size(x.domain)))


@pytest.mark.parametrize("name", [name for name, x in OPERATORS.items() if x.symmetric])
def test_what_is_called_symmetric_is(name: str) -> None:
    values = FAMILY[6].values(name not in WHOLE_ARM_NAMES)
    value = values.of(OPERATORS[name])
    assert np.allclose(value, value.T, rtol=0, atol=1e-12 * abs(value).max())


@pytest.mark.parametrize("name", [name for name, x in OPERATORS.items() if x.local])
def test_what_is_called_local_is_block_diagonal(name: str) -> None:
    values = FAMILY[6].values(name not in WHOLE_ARM_NAMES)
    x, robot = OPERATORS[name], values.robot
    value = values.of(x)
    places = {
        "link": np.repeat(np.arange(robot.n), 6),
        "joint": np.concatenate([np.full(s.stop - s.start, k) for k, s in enumerate(robot.model.v_slices)]),
    }
    places["white joint"] = places["joint"]
    assert values.passive is None or values.passive.any()
    places["passive joint"] = places["joint"][values.passive]
    places["active joint"] = places["joint"][~values.passive] if values.passive is not None else None
    apart = places[x.codomain.place][:, None] != places[x.domain.place][None, :]
    assert not value[apart].any()


def test_all_passive_is_the_whole_arm(robot: DenseRobot) -> None:
    passive = np.ones(robot.nv, dtype=bool)
    assert np.allclose(dense_value(D_p, robot, passive), robot.D)
    assert np.allclose(dense_value(K_p, robot, passive), robot.K)
    assert dense_value(H_a, robot, passive).shape == (0, 6 * robot.n)


def test_all_active_are_composite_bodies(robot: DenseRobot) -> None:
    passive = np.zeros(robot.nv, dtype=bool)
    assert np.allclose(dense_value(P, robot, passive), dense_value(R, robot))
    assert np.allclose(dense_value(psi, robot, passive), robot.phi)


def test_composite_inertias_are_the_sums_of_what_hangs_on_a_link(robot: DenseRobot) -> None:
    total, value = robot.phi @ robot.M @ robot.phi.T, dense_value(R, robot)
    assert all(np.allclose(value[six(k), six(k)], total[six(k), six(k)]) for k in range(robot.n))


@pytest.mark.parametrize("X", [M, D, P, A_r], ids=str)
def test_roots_are_lower_cholesky_factors_of_the_blocks(X: Symbol, robot: DenseRobot) -> None:
    root = dense_value(sqrt(X), robot)
    assert np.allclose(root @ root.T, dense_value(X, robot))
    of_links = X.domain.place == "link"  # those of links along the links' own axes
    at_link_frames = np.linalg.solve(robot.from_link_frames, root) if of_links else root
    assert abs(np.triu(at_link_frames, 1)).max() <= (1e-12 * abs(root).max() if of_links else 0)


def test_the_hybrid_dynamics_of_004(robot: DenseRobot, rng: np.random.Generator) -> None:
    passive = rng.random(robot.nv) < 0.5
    vdot, tau = rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    all_vdot, _ = robot.hybrid_dynamics(vdot, tau, passive)
    values = DenseValues(robot, passive, vectors={"theta_ddot": all_vdot})
    assert np.allclose(values.of(T)[passive], tau[passive])
    assert np.allclose(values.of(theta_ddot_a), vdot[~passive])


def test_force_and_acceleration_give_each_other(robot: DenseRobot, rng: np.random.Generator) -> None:
    vdot, tip = rng.standard_normal(robot.nv), rng.standard_normal(6)
    force = dense_value(T, robot, frames=["tool"], vectors={"theta_ddot": vdot, "f_tip": tip})
    assert np.allclose(force, robot.inverse_dynamics(vdot) + robot.jacobian("tool").T @ tip)
    back = dense_value(theta_ddot, robot, frames=["tool"], vectors={"T": force, "f_tip": tip})
    assert np.allclose(back, vdot)


def test_inner_products_are_numbers(robot: DenseRobot) -> None:
    energy = dense_value(theta_dot.T @ mass @ theta_dot / 2, robot)
    assert energy.shape == ()
    assert np.isclose(energy, robot.kinetic_energy)


def test_a_users_operators(robot: DenseRobot, rng: np.random.Generator) -> None:
    damping = rng.random(robot.nv)
    assert np.allclose(dense_value(operator("damping", damping) @ theta_dot, robot), damping * robot.v)
    A = operator("A", H @ phi @ M)
    assert np.allclose(dense_value(A, robot), robot.H_phi @ robot.M)
    x = vector("x", "joint force")
    assert np.allclose(dense_value(inv(D) @ x, robot, vectors={"x": damping}), np.linalg.solve(robot.D, damping))


def test_a_users_link_blocks_are_at_the_link_frames(robot: DenseRobot, rng: np.random.Generator) -> None:
    """The inertias about the link frames, given as numbers, are M."""
    from soadyn.theory.oracle.dense_geometry import inertia, skew

    blocks = []
    for k in robot.model.visible:
        link = robot.model.links[k - 1]
        c = np.array(link.com)
        blocks.append(inertia(link.mass, link.mass * c, np.array(link.inertia) - link.mass * skew(c) @ skew(c)))
    assert np.allclose(dense_value(operator("own", blocks), robot), robot.M)


def test_what_has_no_value_is_refused(robot: DenseRobot) -> None:
    passive = np.zeros(robot.nv, dtype=bool)
    with pytest.raises(ArgumentError, match="H_p needs a passive set"):
        dense_value(H_p, robot)
    with pytest.raises(ArgumentError, match="with a passive set it is D_p"):
        dense_value(D, robot, passive)
    with pytest.raises(ArgumentError, match="the vector theta_ddot"):
        dense_value(alpha, robot)
    with pytest.raises(ArgumentError, match="the vector f_tip"):
        dense_value(f, robot, frames=["tool"], vectors={"theta_ddot": robot.v})
    with pytest.raises(ShapeError, match="passive is a boolean for each"):
        dense_value(D_p, robot, [True])
    with pytest.raises(ShapeError, match=r"T has shape"):
        dense_value(T, robot, vectors={"T": [1.0]})
    with pytest.raises(SingularError, match="singular on this robot"):
        dense_value(inv(B.T @ inv(P) @ B - B.T @ inv(P) @ B), robot, frames=["tool"])


def test_task_vectors_are_stacked_frame_after_frame(robot: DenseRobot) -> None:
    name = robot.model.link_names[0]
    stacked = dense_value(B.T @ phi.T @ H.T, robot, frames=["tool", name])
    assert np.allclose(stacked, np.vstack([robot.jacobian("tool"), robot.jacobian(name)]))
    assert dense_value(B @ f_tip, robot).shape == (6 * robot.n,)


def test_a_specimen_is_the_same_each_time() -> None:
    one, other = (
        Specimen(9, "fork", "free", "any", armature=True).robot(),
        Specimen(9, "fork", "free", "any", armature=True).robot(),
    )
    assert np.array_equal(one.mass_matrix, other.mass_matrix)


def test_what_is_left_of_an_operator_that_vanishes_is_rounding_beside_what_cancelled(rng: np.random.Generator) -> None:
    """Z of balls on the ground: their D is constant, and compared with itself its rounding would be everything."""
    model = random_model(rng, 3, kinds=["spherical"], shape="star")
    values = DenseValues(DenseRobot(model, random_q(rng, model), random_v(rng, model)))
    assert abs(values.matrix(Z)).max() < 1e-15
    assert values.apart(Z @ Z, 1e6 * (Z.T @ Z.T)) < 1e-20
