"""The random field against dense matrices, samples and a textbook's likelihood."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from agreement import close
from random_robots import random_model
from soadyn.estimation import RandomField
from soadyn.estimation.covariances import COVARIANCES
from soadyn.theory.oracle.dense_geometry import six
from soadyn.theory.oracle.dense_robot import DenseRobot
from systems_003 import System

JOINT = ("T", "epsilon", "nu", "theta_ddot", "v_hat", "v-v_hat")
MOTION = ("alpha",)


def maps(system):
    """Every variable as a linear map of (W, v), in the oracle's coordinates, by explicit matrices."""
    d = system.d
    n, nv = 6 * d.n, d.nv
    W, v = np.eye(n, n + nv), np.eye(nv, n + nv, n)
    X = d.phi @ W
    T = d.H @ X + v
    mass_inverse = np.linalg.inv(d.mass_matrix)
    z = d.psi @ d.K @ T
    theta_ddot = mass_inverse @ T
    alpha = d.phi.T @ d.H.T @ theta_ddot
    f = d.phi @ d.M @ alpha
    epsilon = T - d.H @ z
    W_hat, v_hat = d.M @ alpha, d.A_r @ theta_ddot
    return {
        "W": W, "X": X, "T": T, "z": z, "X-z": X - z, "epsilon": epsilon, "nu": np.linalg.solve(d.D, epsilon),
        "alpha": alpha, "theta_ddot": theta_ddot, "f": f, "X-f": X - f, "f-z": f - z, "W_hat": W_hat,
        "W-W_hat": W - W_hat, "v_hat": v_hat, "v-v_hat": v - v_hat,
    }  # fmt: skip


def in_link_axes(system, name, covariance):
    """From the oracle's frames to link frames; motions turn inversely to forces."""
    if name in JOINT:
        return covariance
    turn = system.X.T if name in MOTION else np.linalg.inv(system.X)
    return turn @ covariance @ turn.T


@pytest.mark.parametrize("name", COVARIANCES)
@pytest.mark.heavy
def test_covariances_are_those_of_the_linear_maps(system, name):
    noise = np.zeros((6 * system.d.n + system.d.nv,) * 2)
    noise[: -system.d.nv, : -system.d.nv] = system.d.M
    noise[-system.d.nv :, -system.d.nv :] = system.d.A_r
    x = maps(system)[name]
    expected = in_link_axes(system, name, x @ noise @ x.T)
    found = RandomField(system.robot, system.q).covariance(name).dense()
    assert close(found, expected, tolerance=1e-10)


@pytest.mark.heavy(2)
def test_filter_and_smoother_are_the_explicit_matrices(system, rng):
    d, T = system.d, rng.standard_normal((3, system.robot.nv))
    found = RandomField(system.robot, system.q).smooth(T)
    filtered = found.filtered
    turn = system.X
    for i in range(3):
        z = d.psi @ d.K @ T[i]
        theta_ddot = np.linalg.solve(d.mass_matrix, T[i])
        alpha = d.phi.T @ d.H.T @ theta_ddot
        assert close(turn @ filtered.z[i].reshape(-1), z, tolerance=1e-10)
        assert close(filtered.epsilon[i], T[i] - d.H @ z, tolerance=1e-10)
        assert close(found.theta_ddot[i], theta_ddot, tolerance=1e-10)
        assert close(found.alpha[i].reshape(-1), turn.T @ alpha, tolerance=1e-10)
        assert close(turn @ found.f[i].reshape(-1), d.phi @ d.M @ alpha, tolerance=1e-10)
        assert close(turn @ filtered.z_plus[i].reshape(-1), z + d.G @ filtered.epsilon[i], tolerance=1e-10)
    assert close(filtered.D, d.D, tolerance=1e-10)
    S = d.phi @ d.M @ d.phi.T
    errors = S - S @ d.H.T @ np.linalg.solve(d.mass_matrix, d.H @ S)
    for k in range(d.n):
        inside = np.linalg.inv(turn[six(k), six(k)])
        assert close(filtered.P[k], inside @ d.P[six(k), six(k)] @ inside.T, tolerance=1e-10)
        dofs = system.robot.model.v_slices[k]
        assert close(filtered.G[k][:, dofs], inside @ d.G[six(k), dofs], tolerance=1e-10)
        assert close(found.covariance[k], inside @ errors[six(k), six(k)] @ inside.T, tolerance=1e-10)
    assert found.theta_ddot.shape == T.shape
    assert len(str(filtered).splitlines()) == len(str(found).splitlines()) == d.n + 1


@pytest.mark.heavy(2)
def test_the_likelihood_is_that_of_the_normal_distribution(system, rng):
    from scipy import stats

    T = rng.standard_normal((4, system.robot.nv))
    expected = stats.multivariate_normal(cov=system.d.mass_matrix).logpdf(T)
    assert np.allclose(RandomField(system.robot, system.q).log_likelihood(T), expected, rtol=1e-12, atol=1e-12)


def test_batches_of_configurations_broadcast(rng):
    arm = sd.load("planar_two_link").with_backend("numpy")
    q, T = rng.standard_normal((4, 2)), rng.standard_normal((3, 1, 2))
    found = RandomField(arm, q).smooth(T)
    assert found.theta_ddot.shape == (3, 4, 2)
    alone = RandomField(arm, q[2]).smooth(T[1, 0])
    assert np.allclose(found.theta_ddot[1, 2], alone.theta_ddot)
    assert np.allclose(found.filtered.log_likelihood[1, 2], alone.filtered.log_likelihood)


# TimeSeries: with N of them an entry of a covariance C errs by about sqrt((C_ii C_jj + C_ij²) / N)

SAMPLES = 20_000


def assert_sampled(x, expected):
    x = x.reshape(-1, expected.shape[0])
    variances = np.maximum(np.diag(expected), 0.0)  # zeros may be rounded below zero
    spread = np.sqrt((np.outer(variances, variances) + expected**2) / len(x))
    error = np.abs(x.T @ x / len(x) - expected)
    assert (error <= 5 * spread + 1e-9 * np.abs(expected).max()).all()
    assert error.max() > 0


@pytest.mark.slow
def test_all_covariances_show_in_samples(system, rng):
    assert_all_sampled(system, rng)


def test_all_covariances_show_in_samples_of_a_tree(rng):
    model = random_model(rng, 3, kinds=["revolute", "spherical"], armature=True)
    robot = sd.Robot(model, "numpy")
    q = robot.random_configuration(rng)
    assert_all_sampled(System(robot, q, np.zeros(robot.nv), np.zeros(robot.nv), DenseRobot(model, q)), rng)


def assert_all_sampled(system, rng):
    field = RandomField(system.robot, system.q)
    drawn = field.sample(rng, SAMPLES)
    W, X, T = (x.reshape(SAMPLES, -1) for x in drawn)
    smoothed = field.smooth(drawn.T)
    f, z, alpha = (x.reshape(SAMPLES, -1) for x in (smoothed.f, smoothed.filtered.z, smoothed.alpha))
    M = field.covariance("W").dense()
    v = T - joint_part(system, X)
    W_hat, v_hat = alpha @ M, smoothed.theta_ddot * system.robot.armature
    variables = {
        "W": W, "X": X, "T": T, "z": z, "X-z": X - z, "epsilon": smoothed.filtered.epsilon, "nu": smoothed.filtered.nu,
        "alpha": alpha, "theta_ddot": smoothed.theta_ddot, "f": f, "X-f": X - f, "f-z": f - z, "W_hat": W_hat,
        "W-W_hat": W - W_hat, "v_hat": v_hat, "v-v_hat": v - v_hat,
    }  # fmt: skip
    assert set(variables) == set(COVARIANCES)
    for name, x in variables.items():
        expected = field.covariance(name).dense()
        if np.abs(expected).max() > 0:
            assert_sampled(x, expected)


def joint_part(system, X):
    """H X of sampled link forces, by explicit matrices."""
    return X @ (system.d.H @ system.X).T


def test_forces_and_accelerations_are_drawn_with_the_mass_matrix_and_its_inverse(system, rng):
    field = RandomField(system.robot, system.q)
    assert_sampled(field.sample_forces(rng, SAMPLES), system.d.mass_matrix)
    assert_sampled(field.sample_accelerations(rng, SAMPLES), np.linalg.inv(system.d.mass_matrix))


def test_the_mass_matrix_emerges_from_samples_as_one_over_the_root_of_their_number(rng):
    arm = sd.load("puma560").with_backend("numpy")
    q = arm.random_configuration(rng)
    field, M = RandomField(arm, q), arm.mass_matrix(q)
    counts = (100, 1_000, 10_000, 100_000)
    errors = []
    for count in counts:
        T = field.sample(rng, count).T
        errors.append(np.linalg.norm(T.T @ T / count - M) / np.linalg.norm(M))
    slope = np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert errors[-1] < 0.02
    assert -0.8 < slope < -0.25


# The field within the links


def test_point_masses_have_the_links_inertias(system):
    points = RandomField(system.robot, system.q).points()
    for link in system.robot.model.links:
        mine = [i for i, name in enumerate(points.links) if name == link.name]
        if not link.mass:
            assert not mine
            continue
        body = sd.Body.point_masses(points.masses[mine], points.places[mine])
        assert np.allclose(body.com, link.com, atol=1e-12)
        assert np.allclose(body.inertia, link.inertia, atol=1e-12)
        assert np.isclose(body.mass, link.mass)


def test_the_kernel_integrates_the_density_to_the_mass_matrix(system):
    field = RandomField(system.robot, system.q)
    total = np.diag(system.robot.armature)
    for name, x, m in zip(*field.points(), strict=True):
        k = field.kernel(name, x)
        total = total + m * k @ k.T
    assert close(total, system.d.mass_matrix, tolerance=1e-10)


def test_the_field_at_points_makes_joint_forces_with_the_mass_matrix_as_covariance(rng):
    arm = sd.load("ur5").with_backend("numpy")
    q = arm.random_configuration(rng)
    field = RandomField(arm, q)
    w = field.sample_points(rng, SAMPLES)
    points = field.points()
    kernels = np.stack([field.kernel(name, x) for name, x in zip(points.links, points.places, strict=True)])
    T = np.einsum("pij,bpj->bi", kernels, w)
    assert_sampled(T, arm.mass_matrix(q) - np.diag(arm.armature))


# Innovations


def whiteness(field, T):
    """Normalised squared innovations, (samples,), and the innovations scaled to unit covariance."""
    filtered = field.filter(T)
    root = np.linalg.cholesky(filtered.D)
    return (filtered.epsilon * filtered.nu).sum(-1), np.linalg.solve(root, filtered.epsilon[..., None])[..., 0]


def test_innovations_are_white_and_a_mass_wrong_by_5_percent_is_detected(rng):
    from scipy import stats

    arm = sd.load("ur5")
    q, count = np.array([0.3, -0.8, 0.5, 0.4, 0.9, -0.2]), 200_000
    T = RandomField(arm, q).sample(rng, count).T
    low, high = stats.chi2(count * arm.nv).ppf([0.025, 0.975]) / count
    squares, scaled = whiteness(RandomField(arm, q), T)
    assert low < squares.mean() < high
    correlation = scaled.T @ scaled / count
    assert np.abs(correlation - np.eye(arm.nv)).max() < 5 * np.sqrt(2 / count)
    for factor in (0.95, 1.05):
        wrong = sd.Robot(with_mass(arm.model, arm.link_names[1], factor))
        assert not low < whiteness(RandomField(wrong, q), T)[0].mean() < high
        assert RandomField(wrong, q).log_likelihood(T).sum() < RandomField(arm, q).log_likelihood(T).sum() - 10


def with_mass(model, name, factor):
    """The model with one link heavier or lighter."""

    def scaled(link):
        inertia = tuple(tuple(factor * x for x in row) for row in link.inertia)
        return replace(link, mass=factor * link.mass, inertia=inertia) if link.name == name else link

    return replace(model, links=tuple(scaled(link) for link in model.links))
