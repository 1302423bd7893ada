"""Somebody else's Kalman smoother does forward dynamics with the arrays that `build_kalman_model` exports."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import close
from soadyn.estimation import RandomField, build_kalman_model


def smoothed_elsewhere(model, tau):
    """A chain of single joints through statsmodels: T and R are its letters for F and the noise's entrance."""
    smoothers = pytest.importorskip("statsmodels.tsa.statespace.kalman_smoother")
    n = len(model.links)
    y = np.concatenate(model.measurements(tau))[:, None]
    kf = smoothers.KalmanSmoother(k_endog=1, k_states=6, k_posdef=6)
    kf.bind(y)
    kf["design"] = np.stack(model.H, axis=-1)
    kf["obs_cov"] = np.stack(model.R, axis=-1)
    kf["transition"] = np.moveaxis(model.F, 0, -1)
    kf["selection"] = np.eye(6)
    after = np.roll(np.arange(n), -1)  # what enters state k+1 is counted at step k there; the last is never used
    kf["state_cov"] = np.moveaxis(model.Q[after], 0, -1)
    kf["state_intercept"] = model.u[after].T
    kf.initialize_known(model.u[0], model.Q[0])
    kf.tolerance = 0  # the filter must not be taken for converged
    return kf.smooth()


def puma_and_long_chain():
    """PUMA 560, and 20 links with armature."""
    b = sd.Builder("chain with armature", gravity=(0, 0, -9.81))
    parent, rng = None, np.random.default_rng(1)
    for k in range(20):
        body = sd.Body(1.0 + rng.random(), rng.normal(0, 0.1, 3), np.diag(0.02 + 0.01 * rng.random(3)))
        axis = rng.standard_normal(3)
        place = (0, 0, 0) if parent is None else (0.2, 0.05, 0.1)
        parent = b.link(
            f"link_{k}",
            body,
            parent,
            axis=axis / np.linalg.norm(axis),
            origin=place,
            armature=0.05 + 0.1 * rng.random(),
        )
    return {"puma560": sd.load("puma560"), "chain": sd.build(b)}


@pytest.mark.parametrize("name", ["puma560", "chain"])
@pytest.mark.heavy(2)
def test_a_smoother_of_another_package_returns_forward_dynamics(name, rng):
    robot = puma_and_long_chain()[name]
    assert (robot.armature > 0).all() or name == "puma560"
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    tau = 10 * rng.standard_normal(robot.nv)
    found = smoothed_elsewhere(build_kalman_model(robot, q, v), tau)
    a = build_kalman_model(robot, q, v).joint_vector(found.smoothing_error.T)
    expected = robot.forward_dynamics(q, v, tau)
    assert np.abs(a - expected).max() <= 1e-10 * np.abs(expected).max()
    likelihood = RandomField(robot, q).log_likelihood(tau - robot.bias_force(q, v))
    assert np.isclose(found.llf, likelihood, rtol=1e-12, atol=0)


def test_its_states_and_innovations_are_forces_and_articulated_inertias(rng):
    robot = sd.load("puma560")
    q, tau = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    still = robot.with_gravity([0, 0, 0])
    found = smoothed_elsewhere(build_kalman_model(still, q), tau)
    ours = RandomField(still, q).smooth(tau)
    assert close(found.smoothed_state.T[::-1], ours.f, tolerance=1e-9)
    assert close(np.moveaxis(found.predicted_state_cov, -1, 0)[:6][::-1], ours.filtered.P, tolerance=1e-9)
    assert close(found.forecasts_error[0][::-1], ours.filtered.epsilon, tolerance=1e-9)
    assert close(found.forecasts_error_cov[0, 0][::-1], np.diag(ours.filtered.D), tolerance=1e-9)


def test_a_textbook_filter_on_a_tree_returns_forward_dynamics(system, rng):
    """Kalman filter and Bryson-Frazier smoother, sums over children the only change; joints of any kind."""
    model = build_kalman_model(system.robot, system.q, system.v)
    tau = rng.standard_normal(system.robot.nv)
    y, n = model.measurements(tau), len(model.links)
    x, P = model.u.copy(), model.Q.copy()
    gains, shares = [], []
    for k in range(n):
        S = model.H[k] @ P[k] @ model.H[k].T + model.R[k]
        e = y[k] - model.H[k] @ x[k]
        gain = P[k] @ model.H[k].T @ np.linalg.inv(S)
        gains.append(gain)
        shares.append(np.linalg.solve(S, e))
        if model.parents[k] >= 0:
            x[model.parents[k]] += model.F[k] @ (x[k] + gain @ e)
            P[model.parents[k]] += model.F[k] @ (P[k] - gain @ S @ gain.T) @ model.F[k].T
    costate, a = np.zeros((n, 6)), [np.zeros(0)] * n
    for k in reversed(range(n)):
        ahead = model.F[k].T @ costate[model.parents[k]] if model.parents[k] >= 0 else np.zeros(6)
        a[k] = shares[k] - gains[k].T @ ahead
        costate[k] = ahead + model.H[k].T @ a[k]
    assert close(model.joint_vector(a), system.d.forward_dynamics(tau), tolerance=1e-9)
    assert all(parent == -1 or parent > k for k, parent in enumerate(model.parents))
