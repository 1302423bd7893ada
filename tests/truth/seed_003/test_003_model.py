"""Random Field Estimation (003), sections 1 to 7: the model, covariance is inertia, conditional means."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.algebra import H, M, R, phi, phi_tilde
from soadyn.estimation import RandomField, build_kalman_model
from soadyn.theory.oracle.dense_geometry import six
from systems_003 import System, random_system, same

SAMPLES = 4000


def sampled(x: np.ndarray, covariance: np.ndarray) -> bool:
    """Is this the covariance of samples (samples, ...), within five standard deviations of its entries?"""
    x = x.reshape(len(x), -1)
    size = np.maximum(np.diag(covariance), 0.0)
    spread = np.sqrt((np.outer(size, size) + covariance**2) / len(x))
    return bool((np.abs(x.T @ x / len(x) - covariance) <= 5 * spread + 1e-9 * np.abs(covariance).max()).all())


def test_003_abstract(s: System) -> None:
    assert same(s.smoothed.theta_ddot, np.linalg.solve(s.d.mass_matrix, s.T))


@pytest.mark.heavy(2)
def test_003_fig_1(s: System) -> None:
    """Newton-Euler, Lagrange, estimation and boundary values give the same accelerations."""
    robot, zero = s.robot.with_gravity([0, 0, 0]), np.zeros(s.d.nv)
    units = np.eye(s.d.nv)
    newton = np.linalg.solve(np.stack([robot.inverse_dynamics(s.q, zero, e) for e in units], axis=-1), s.T)
    K = robot.kinetic_energy(s.q, units[:, None] + units) - robot.kinetic_energy(s.q, units)
    lagrange = np.linalg.solve(K - robot.kinetic_energy(s.q, units)[:, None], s.T)
    assert same(newton, lagrange)
    assert same(newton, s.smoothed.theta_ddot)
    assert same(newton, robot.forward_dynamics(s.q, zero, s.T))


@pytest.mark.parametrize("shape", ["serial", "star"])
@pytest.mark.heavy(2)
def test_003_fig_2(shape: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, shape=shape), "numpy")  # type: ignore[arg-type]
    q, T = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    assert same(robot.mass_matrix(q) @ RandomField(robot, q).smooth(T).theta_ddot, T)


@pytest.mark.heavy(2)
def test_003_fig_3(s: System) -> None:
    """f(k) = Σ φ(k,j) f(j) + M(k) α(k)."""
    f, alpha = s.forces(s.smoothed.f), s.motions(s.smoothed.alpha)
    assert same(f, s.d.E_phi @ f + s.d.M @ alpha)


def test_003_fig_4(s: System) -> None:
    model = build_kalman_model(s.robot, s.q, s.v)
    n = s.d.n
    for k, parent in enumerate(model.parents):
        link, at = n - 1 - k, six(n - 1 - k)
        X = s.X[at, at]
        if parent >= 0:
            to = six(n - 1 - parent)
            assert same(s.X[to, to] @ model.F[k] @ np.linalg.inv(X), s.d.E_phi[to, at])
        dofs = s.d.model.v_slices[link]
        assert same(X @ model.Q[k] @ X.T, s.d.M[at, at])
        assert same(model.H[k] @ np.linalg.inv(X), s.d.H[dofs, at])
        assert same(model.R[k], s.d.A_r[dofs, dofs])
    u = s.d.M @ s.d.phi.T @ (s.d.a + s.d.a_g) + s.d.b
    assert same(s.forces(model.u[::-1]), u)


@pytest.mark.heavy(2)
def test_003_fig_5(s: System) -> None:
    """The smoother's factor is the filter's, mirrored: (I - L)* D⁻¹ (I - L)."""
    units = np.eye(s.d.nv)
    L = np.stack([s.field.filter(e).epsilon for e in units], axis=-1)
    D = s.field.filter(s.T).D
    assert same(s.smoothed.theta_ddot, L.T @ np.linalg.solve(D, L @ s.T))


@pytest.mark.heavy(2)
def test_003_section_3_phi(s: System) -> None:
    """φ(k,i) = φ(k,m) φ(m,i), φ(k,k) = I."""
    whole = s.op(phi)
    assert same(whole, s.d.phi)
    for i in range(s.d.n):
        line = [k - 1 for k in s.d.model.ancestors(i + 1)]
        assert same(whole[six(i), six(i)], np.eye(6))
        for m in line:
            for k in (j - 1 for j in s.d.model.ancestors(m + 1)):
                assert same(whole[six(k), six(i)], whole[six(k), six(m)] @ whole[six(m), six(i)])


def test_003_section_3_inertia(s: System) -> None:
    assert same(s.dense(s.field.covariance("W")), s.d.M)


def test_003_section_3_affine(s: System) -> None:
    def a(T: np.ndarray) -> np.ndarray:
        return s.robot.forward_dynamics(s.q, s.v, T)

    other = s.T[::-1].copy()
    assert same(a(0.3 * s.T + 0.7 * other), 0.3 * a(s.T) + 0.7 * a(other))
    assert not same(a(2 * s.T), 2 * a(s.T))


@pytest.mark.heavy(2)
def test_003_section_4_boundary_values(s: System) -> None:
    """States inward from zero at the tips, costates outward from zero at the ground, T at every joint."""
    f, alpha = s.forces(s.smoothed.f), s.motions(s.smoothed.alpha)
    assert same(alpha, s.d.E_phi.T @ alpha + s.d.H.T @ s.smoothed.theta_ddot)
    assert same(s.d.H @ f + s.d.A_r @ s.smoothed.theta_ddot, s.T)
    assert same(f, s.d.E_phi @ f + s.d.M @ alpha)


def test_003_section_4_free_ends(rng: np.random.Generator) -> None:
    s = random_system(rng, "free tree")
    T = s.T.copy()
    T[:6] = 0.0
    found = s.field.smooth(T)
    rotor = s.d.A_r[:6, :6] @ found.theta_ddot[:6]
    assert np.abs(s.d.H[:6, :6] @ (s.X[:6, :6] @ found.f[0]) + rotor).max() < 1e-9


@pytest.mark.heavy(2)
def test_003_section_4_sweep(s: System) -> None:
    filtered = s.smoothed.filtered
    assert same(s.smoothed.f, filtered.z + (filtered.P @ s.smoothed.alpha[..., None])[..., 0])
    assert same(s.forces(s.smoothed.f), s.d.phi @ s.d.M @ s.d.phi.T @ s.d.H.T @ np.linalg.solve(s.d.mass_matrix, s.T))


def test_003_section_4_operators(s: System) -> None:
    still, a = s.robot.with_gravity([0, 0, 0]), s.T
    f = s.d.phi @ s.d.M @ s.d.phi.T @ s.d.H.T @ a
    assert same(still.inverse_dynamics(s.q, 0 * a, a), s.d.H @ f + s.d.A_r @ a)
    assert same(s.d.V, s.d.phi.T @ s.d.H.T @ s.v)


def test_003_section_4_energy(s: System) -> None:
    V = s.d.phi.T @ s.d.H.T @ s.v
    assert same(s.robot.kinetic_energy(s.q, s.v), (V @ s.d.M @ V + s.v @ s.d.A_r @ s.v) / 2)
    assert same(s.robot.kinetic_energy(s.q, s.v), s.v @ s.d.mass_matrix @ s.v / 2)


def test_003_eq_5_1(s: System, rng: np.random.Generator) -> None:
    drawn = s.field.sample(rng, 3)
    for W, X, T in zip(drawn.W, drawn.X, drawn.T, strict=True):
        assert same(s.forces(X), s.d.E_phi @ s.forces(X) + s.forces(W))
        noise = T - s.d.H @ s.forces(X)
        assert np.abs(noise[np.diag(s.d.A_r) == 0]).max(initial=0.0) < 1e-9


def test_003_eq_5_3(s: System, rng: np.random.Generator) -> None:
    W = s.field.sample(rng, SAMPLES).W
    assert sampled(W.reshape(SAMPLES, -1) @ s.X.T, s.d.M)


def test_003_section_5_mean(s: System) -> None:
    model = build_kalman_model(s.robot, s.q, s.v)
    assert same(s.d.H @ s.d.phi @ s.forces(model.u[::-1]), s.d.bias_force())
    assert same(s.robot.bias_force(s.q, s.v), s.d.bias_force())


def test_003_eq_5_4(s: System) -> None:
    assert same(s.dense(s.field.covariance("X")), s.d.phi @ s.d.M @ s.d.phi.T)


def test_003_section_5_kernel(s: System) -> None:
    """T = Σ H φ(·,x) B w(x): the kernel integrates any field of forces to what inverse dynamics has."""
    points = s.field.points()
    rng = np.random.default_rng(0)
    total, wrenches = np.zeros(s.d.nv), np.zeros((s.d.n, 6))
    for name, x in zip(points.links, points.places, strict=True):
        w = rng.standard_normal(3)
        total = total + s.field.kernel(name, x) @ w
        wrenches[s.field.robot.link_names.index(name)] += np.concatenate([np.cross(x, w), w])
    assert same(total, s.d.H @ s.d.phi @ s.forces(wrenches))


def test_003_section_5_field(s: System, rng: np.random.Generator) -> None:
    w = s.field.sample_points(rng, SAMPLES)
    assert sampled(w, np.diag(np.repeat(s.field.points().masses, 3)))


def test_003_lemma_1(s: System) -> None:
    assert same(s.dense(s.field.covariance("X")), s.op(R + phi_tilde @ R + R @ phi_tilde.T))
    assert same(s.dense(s.field.covariance("X")), s.S)


def test_003_eq_6_2(s: System) -> None:
    found, expected = s.op(R), s.d.M.copy()
    for k in reversed(range(s.d.n)):
        if (p := s.d.parents[k]) >= 0:
            step = s.d.E_phi[six(p), six(k)]
            expected[six(p), six(p)] += step @ expected[six(k), six(k)] @ step.T
    assert same(found, expected)
    assert same(s.d.M, expected - s.d.E_phi @ expected @ s.d.E_phi.T)


def test_003_section_6_table(s: System) -> None:
    S, composite = s.dense(s.field.covariance("X")), s.op(R)
    for j in range(s.d.n):
        for k in (k - 1 for k in s.d.model.ancestors(j + 1)):
            assert same(S[six(k), six(j)], s.d.phi[six(k), six(j)] @ composite[six(j), six(j)])
            assert same(S[six(j), six(k)], S[six(k), six(j)].T)


def test_003_lemma_2(s: System, rng: np.random.Generator) -> None:
    assert same(s.dense(s.field.covariance("T")), s.d.mass_matrix)
    assert sampled(s.field.sample(rng, SAMPLES).T, s.d.mass_matrix)


def test_003_section_6_factors(s: System) -> None:
    U, D = s.robot.mass_matrix_factors(s.q)
    assert same(U, np.eye(s.d.nv) + s.d.H @ s.d.phi @ s.d.K)
    assert same(U @ D @ U.T, s.d.mass_matrix)


@pytest.mark.heavy(2)
def test_003_eq_7_1(s: System) -> None:
    gain = s.S @ s.d.H.T @ np.linalg.inv(s.d.mass_matrix)
    assert same(s.forces(s.smoothed.f), gain @ s.T)


@pytest.mark.heavy(2)
def test_003_eq_7_3(s: System) -> None:
    assert same(s.smoothed.theta_ddot, np.linalg.solve(s.d.mass_matrix, s.T))
    assert same(s.motions(s.smoothed.alpha), s.d.phi.T @ s.d.H.T @ s.smoothed.theta_ddot)


@pytest.mark.heavy(2)
def test_003_section_7_f(s: System, rng: np.random.Generator) -> None:
    """f is the best linear estimate of X from T: the error is uncorrelated with T."""
    drawn = s.field.sample(rng, SAMPLES)
    error = (drawn.X - s.field.smooth(drawn.T).f).reshape(SAMPLES, -1)
    cross = error.T @ drawn.T / SAMPLES
    spread = np.sqrt(np.outer((error**2).mean(0), (drawn.T**2).mean(0)) / SAMPLES)
    assert (np.abs(cross) <= 5 * spread + 1e-9).all()
    assert same(s.forces(s.smoothed.f), s.d.phi @ s.d.M @ s.motions(s.smoothed.alpha))


def test_003_eq_7_5(s: System) -> None:
    gain = s.S @ s.d.H.T @ np.linalg.inv(s.d.mass_matrix)
    left = np.eye(6 * s.d.n) - gain @ s.d.H
    found = s.dense(s.field.covariance("X-f"))
    assert same(found, left @ s.S @ left.T + gain @ s.d.A_r @ gain.T)
    assert same(found, left @ s.S)
    assert same(found, s.S - s.S @ s.d.H.T @ np.linalg.solve(s.d.mass_matrix, s.d.H @ s.S))


@pytest.mark.heavy(2)
def test_003_section_7_no_error(s: System) -> None:
    gain = s.S @ s.d.H.T @ np.linalg.inv(s.d.mass_matrix)
    found = s.d.H @ s.dense(s.field.covariance("X-f"))
    assert np.abs(found - s.d.A_r @ gain.T).max() < 1e-9 * np.abs(s.S).max()


@pytest.mark.heavy(2)
def test_003_section_7_W_hat(s: System) -> None:
    W_hat = s.d.M @ s.d.phi.T @ s.d.H.T @ np.linalg.solve(s.d.mass_matrix, s.T)
    assert same(s.d.M @ s.motions(s.smoothed.alpha), W_hat)
    assert same(s.op(M @ phi.T @ H.T) @ s.smoothed.theta_ddot, W_hat)


@pytest.mark.heavy(2)
def test_003_section_7_Q(s: System) -> None:
    assert same(s.dense(s.field.covariance("W-W_hat")), s.d.M - s.d.M @ s.Omega @ s.d.M)
