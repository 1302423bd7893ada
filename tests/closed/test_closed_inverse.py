"""Torques of motors of closed robots: unique, of least norm, internal; and derivatives of closed forward dynamics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import null_space
from test_closed_dynamics import EPS, prepared
from test_elimination import legs, with_homes

import soadyn as sd
from agreement import close, error
from closed_robots import consistent, four_bar, random_closed
from random_robots import random_v
from soadyn.theory.oracle.dense_closures import DenseClosures, coordinate_rates


def moving(rng: np.random.Generator, n: int, cuts: int, **of: object):  # type: ignore[no-untyped-def]
    """A closed robot, where it is, and accelerations that keep it closed."""
    model, q = random_closed(rng, n, cuts, mobile=True, **of)  # type: ignore[arg-type]
    robot, v, _, condition = prepared(rng, model, q)
    dense = DenseClosures(robot.model, q, v)
    lost = np.linalg.lstsq(dense.jacobian, -dense.drift, rcond=1e-11)[0]
    return robot, q, v, lost + consistent(dense.jacobian, random_v(rng, model)), dense, condition


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_torques_of_motors_are_those_of_the_independent_rates(root: str, rng: np.random.Generator) -> None:
    driven = 0
    while driven < 12:
        robot, q, v, a, dense, _ = moving(rng, 7, 2, root=root)
        X = null_space(dense.jacobian, rcond=1e-9)
        mask = np.zeros(robot.nv, dtype=bool)
        mask[rng.permutation(robot.nv)[: min(robot.nv, X.shape[1] + driven % 3)]] = True
        lengths = np.linalg.svd(X[mask], compute_uv=False)
        if len(lengths) < X.shape[1] or lengths[-1] < 1e-3:  # these motors do not hold every motion
            continue
        driven += 1
        weights = rng.uniform(0.5, 2.0, mask.sum())
        force = dense.dense.mass_matrix @ a + dense.dense.bias_force(None)
        tau = robot.inverse_dynamics(q, v, a, motors=mask, weights=weights)
        W = np.diag(1 / weights)
        Xa = X[mask]
        expected = W @ Xa @ np.linalg.solve(Xa.T @ W @ Xa, X.T @ force)
        assert close(tau[mask], expected, 1e-8)
        assert not tau[~mask].any()
        # Internal torques move nothing, and there are as many as there are more motors than ways to move.
        inner = robot.internal_torques(q, mask)
        assert inner.shape == (robot.nv, mask.sum() - X.shape[1])
        assert np.abs(X.T @ inner).max(initial=0) < 1e-8
        assert close(inner.T @ inner, np.eye(inner.shape[1]), 1e-12) or not inner.size


def test_inverse_then_forward_gives_the_motion_back(rng: np.random.Generator) -> None:
    for _ in range(10):
        robot, q, v, a, _, condition = moving(rng, 7, 2)
        every = np.ones(robot.nv, dtype=bool)
        for tau in (robot.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, v, a, motors=every)):
            assert error(robot.forward_dynamics(q, v, tau), a) < max(1000 * EPS * condition, 1e-9)


def test_the_crank_alone_drives_a_four_bar(rng: np.random.Generator) -> None:
    bar = four_bar()
    q = bar.closed(rng.uniform(0.2, 0.5, (5, 3)) + np.array([0, 0, 0.8]), hold=["crank_joint"])
    v = bar.consistent(q, rng.standard_normal((5, 3)))
    a = bar.forward_dynamics(q, v, rng.standard_normal((5, 3)))
    tau = bar.inverse_dynamics(q, v, a, motors=["crank_joint"])
    assert not tau[:, 1:].any()
    assert close(bar.forward_dynamics(q, v, tau), a, 1e-10)
    assert bar.internal_torques(q, ["crank_joint"]).shape == (5, 3, 0)
    assert bar.internal_torques(q, ["crank_joint", "rocker_joint"]).shape == (5, 3, 1)
    # Regressor times parameters is inverse dynamics, on closed robots too.
    assert close(bar.inertia_regressor(q, v, a) @ bar.inertial_parameters(), bar.inverse_dynamics(q, v, a), 1e-12)


def test_motors_that_cannot_do_it_are_told() -> None:
    bar = four_bar()
    q = bar.closed([0.3, 0.4, 1.0])
    with pytest.warns(RuntimeWarning, match="its 1 motors and its closures cannot produce these accelerations"):
        tau = bar.open().inverse_dynamics(q, [0.0] * 3, [1.0, 2.0, 3.0], motors=["crank_joint"])
    assert np.isnan(tau).all()


def complex_steps(robot: sd.Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> list[np.ndarray]:
    """The derivatives of forward dynamics by q, v and tau, column by column."""
    h, model = 1e-30, robot.model
    reference, found = robot.with_backend("numpy"), []
    for which in range(3):
        columns = []
        for unit in np.eye(model.nv):
            ahead = [x + 0j for x in (q, v, tau)]
            ahead[which] = ahead[which] + 1j * h * (coordinate_rates(model, q, unit) if which == 0 else unit)
            columns.append(reference.forward_dynamics(*ahead).imag / h)
        found.append(np.stack(columns, axis=-1))
    return found


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_jacobians_are_those_of_complex_steps(root: str, rng: np.random.Generator) -> None:
    for couplings in (0, 1, 0, 1):
        model, q = random_closed(rng, 6, 2, couplings, mobile=True, root=root)
        robot, v, tau, condition = prepared(rng, model, q)
        for same in (robot, sd.Robot(with_homes(robot.model, q), "numpy"), robot.with_backend("auto")):
            found = same.forward_dynamics_derivatives(q, v, tau)
            for x, y in zip(found, complex_steps(robot, q, v, tau), strict=True):
                assert error(x, y) < max(1e3 * EPS * condition, 1e-10)


def test_jacobians_of_local_loops_and_what_follows_from_them(rng: np.random.Generator) -> None:
    robot = legs(0)
    q = robot.random_configuration(rng)
    v, tau = robot.consistent(q, rng.standard_normal(robot.nv)), rng.standard_normal(robot.nv)
    found, expected = robot.forward_dynamics_derivatives(q, v, tau), complex_steps(robot, q, v, tau)
    for x, y in zip(found, expected, strict=True):
        assert error(x, y) < 1e-10
    A, B = robot.linearize(q, v, tau)
    assert error(A[robot.nv :, : robot.nv], expected[0]) < 1e-10
    assert error(B[robot.nv :], expected[2]) < 1e-10
    w, d = rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    _, rate = robot.jvp("forward_dynamics", (q, v, tau), (d, d, d))
    assert error(rate, sum(y @ d for y in expected)) < 1e-10
    _, gradient = robot.vjp("forward_dynamics", (q, v, tau), w)
    assert all(error(g, y.T @ w) < 1e-10 for g, y in zip(gradient, expected, strict=True))


def test_what_knows_no_closures_says_so() -> None:
    bar, none = four_bar(), np.zeros(3)
    from soadyn.algebra import inv, mass

    for ask in (
        lambda: bar.forward_dynamics_second_derivatives(none, none, none),
        lambda: bar.linearize(none, none, none, step=0.01),
        lambda: sd.compile(inv(mass), bar),
    ):
        with pytest.raises(sd.ArgumentError, match="knows no closures yet, and robot 'four-bar' has 'pin'"):
            ask()
