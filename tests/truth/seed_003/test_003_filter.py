"""Random Field Estimation (003), sections 8 to 12: filter, smoother, covariances, the inverse in closed form."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import D, E_psi, G, H, K, P, Upsilon, phi, psi
from soadyn.estimation import RandomField
from soadyn.estimation.covariances import COVARIANCES
from soadyn.theory.oracle.dense_geometry import six
from systems_003 import System, same

LISTED = ("W", "X", "T", "z", "X-z", "epsilon", "nu", "alpha", "theta_ddot", "f", "X-f", "f-z", "W_hat")


def test_003_eq_8_1(s: System) -> None:
    K_ = s.op(H @ phi @ K)
    assert same((np.eye(s.d.nv) + K_) @ s.op(D) @ (np.eye(s.d.nv) + K_).T, s.d.mass_matrix)


def test_003_eq_8_2(s: System) -> None:
    left = np.eye(s.d.nv) - s.op(H @ psi @ K)
    inverse = left.T @ np.linalg.solve(s.op(D), left)
    assert same(inverse @ s.d.mass_matrix, np.eye(s.d.nv))
    assert same(s.robot.mass_matrix_inverse(s.q), inverse)


@pytest.mark.heavy(2)
def test_003_section_8_filter(s: System) -> None:
    """P, D, G link by link, and ψ(p, k) = φ(p, k) (I - G H)."""
    filtered = s.smoothed.filtered
    P_ = s.d.M.copy()
    for k in reversed(range(s.d.n)):
        at, dofs, X = six(k), s.d.model.v_slices[k], s.X[six(k), six(k)]
        h = s.d.H[dofs, at]
        D_k = h @ P_[at, at] @ h.T + s.d.A_r[dofs, dofs]
        gain = np.linalg.solve(D_k, h @ P_[at, at]).T
        assert same(X @ filtered.P[k] @ X.T, P_[at, at])
        assert same(filtered.D[dofs, dofs], D_k)
        assert same(X @ filtered.G[k][:, dofs], gain)
        if (p := s.d.parents[k]) >= 0:
            step = s.d.E_phi[six(p), at]
            assert same(s.op(E_psi)[six(p), at], step @ (np.eye(6) - gain @ h))
            P_[six(p), six(p)] += step @ (P_[at, at] - gain @ D_k @ gain.T) @ step.T


def test_003_lemma_3(s: System) -> None:
    p, k, tilde = s.op(P), s.op(K), s.d.phi - np.eye(6 * s.d.n)
    carried = s.d.phi @ k @ s.op(D) @ k.T @ s.d.phi.T
    assert same(s.dense(s.field.covariance("X")), p + tilde @ p + p @ tilde.T + carried)
    assert same(carried, s.dense(s.field.covariance("z")))


def test_003_lemma_4(s: System) -> None:
    K_ = s.d.H @ s.d.phi @ s.d.K
    assert same(s.op(H @ phi @ K), K_)
    assert same(s.robot.mass_matrix_factors(s.q)[0], np.eye(s.d.nv) + K_)
    assert same(s.d.H @ (s.d.phi - np.eye(6 * s.d.n)) @ s.op(G), K_)


def test_003_lemma_5(s: System) -> None:
    assert same(np.linalg.inv(s.op(psi)), np.linalg.inv(s.d.phi) + s.d.K @ s.d.H)


@pytest.mark.heavy(2)
def test_003_lemma_6(s: System) -> None:
    K_, L = s.op(H @ phi @ K), s.op(H @ psi @ K)
    assert same((np.eye(s.d.nv) + K_) @ (np.eye(s.d.nv) - L), np.eye(s.d.nv))
    assert np.abs(K_ - L - K_ @ L).max() < 1e-9
    assert np.abs(K_ @ L - L @ K_).max() < 1e-9
    assert same(s.smoothed.filtered.epsilon, s.T - L @ s.T)


@pytest.mark.heavy(2)
def test_003_section_9_filter(s: System) -> None:
    z = s.forces(s.smoothed.filtered.z)
    assert same(z, s.d.psi @ s.d.K @ s.T)
    assert same(z, s.d.E_psi @ z + s.d.K @ s.T)
    assert same(s.smoothed.filtered.epsilon, s.T - s.d.H @ z)
    assert same(s.smoothed.filtered.nu, np.linalg.solve(s.d.D, s.T - s.d.H @ z))


@pytest.mark.heavy(2)
def test_003_eq_9_1(s: System) -> None:
    nu = s.smoothed.filtered.nu
    assert same(s.smoothed.theta_ddot, nu - (s.d.H @ s.d.psi @ s.d.K).T @ nu)
    assert same(s.motions(s.smoothed.alpha), s.d.psi.T @ s.d.H.T @ nu)


@pytest.mark.heavy(2)
def test_003_section_9_smoother(s: System) -> None:
    alpha = s.motions(s.smoothed.alpha)
    assert same(s.smoothed.theta_ddot, s.smoothed.filtered.nu - s.d.K.T @ alpha)
    assert same(alpha, s.d.E_phi.T @ alpha + s.d.H.T @ s.smoothed.theta_ddot)


@pytest.mark.heavy(2)
def test_003_eq_9_3(s: System) -> None:
    """Predictor and corrector: z⁺ = z + G ε, z(p) = Σ φ z⁺, P⁺ = (I - G H) P."""
    filtered = s.smoothed.filtered
    z_plus = s.forces(filtered.z_plus)
    assert same(z_plus, s.forces(filtered.z) + s.d.G @ filtered.epsilon)
    assert same(s.forces(filtered.z), s.d.E_phi @ z_plus)
    for k in range(s.d.n):
        at, X = six(k), s.X[six(k), six(k)]
        expected = (np.eye(6) - s.d.G[at] @ s.d.H[:, at]) @ s.d.P[at, at]
        assert np.abs(X @ filtered.P_plus[k] @ X.T - expected).max() < 1e-9 * np.abs(s.d.P).max()


@pytest.mark.heavy(2)
def test_003_eq_9_11(s: System) -> None:
    alpha = s.motions(s.smoothed.alpha)
    before = s.d.E_phi.T @ alpha
    assert same(s.smoothed.theta_ddot, s.smoothed.filtered.nu - s.d.G.T @ before)
    assert same(alpha, before + s.d.H.T @ s.smoothed.theta_ddot)


def test_003_section_9_meaning(chain: System) -> None:
    """ν(k) is joint k's acceleration when all joints inboard of it are locked, D(k) the inertia it has then."""
    s, M = chain, chain.d.mass_matrix
    for k in range(s.d.nv):
        beyond = slice(k, None)
        assert same(s.smoothed.filtered.nu[k], np.linalg.solve(M[beyond, beyond], s.T[beyond])[0])
        assert same(s.smoothed.filtered.D[k, k], 1 / np.linalg.inv(M[beyond, beyond])[0, 0])


def test_003_section_10_simulation(chain: System, rng: np.random.Generator) -> None:
    errors = []
    for count in (100, 10_000):
        T = chain.field.sample(rng, count).T
        errors.append(np.linalg.norm(T.T @ T / count - chain.d.mass_matrix) / np.linalg.norm(chain.d.mass_matrix))
    assert errors[1] < 0.06
    assert errors[1] < errors[0]


@pytest.mark.heavy(2)
def test_003_lemma_7(s: System, rng: np.random.Generator) -> None:
    assert same(s.dense(s.field.covariance("epsilon")), s.d.D)
    count = 4000
    epsilon = s.field.filter(s.field.sample(rng, count).T).epsilon
    size = np.sqrt(np.diag(s.d.D))
    white = epsilon.T @ epsilon / count / np.outer(size, size)
    assert np.abs(white - s.d.D / np.outer(size, size)).max() < 5 * np.sqrt(2 / count)


def test_003_lemma_8(s: System) -> None:
    found, tilde = s.dense(s.field.covariance("X-z")), s.d.psi - np.eye(6 * s.d.n)
    noise = s.d.psi @ s.d.K @ s.d.A_r @ s.d.K.T @ s.d.psi.T
    assert same(found, s.d.psi @ s.d.M @ s.d.psi.T + noise)
    assert same(found, s.d.P + tilde @ s.d.P + s.d.P @ tilde.T)


def test_003_lemma_9(s: System) -> None:
    found, tilde = s.dense(s.field.covariance("alpha")), s.d.psi - np.eye(6 * s.d.n)
    assert same(found, s.d.psi.T @ s.d.H.T @ np.linalg.solve(s.d.D, s.d.H @ s.d.psi))
    assert same(found, s.Upsilon + s.Upsilon @ tilde + tilde.T @ s.Upsilon + s.unrelated)


def test_003_eq_10_2(s: System) -> None:
    found = s.op(Upsilon)
    for k, p in enumerate(s.d.parents):
        dofs, at = s.d.model.v_slices[k], six(k)
        expected = s.d.H[dofs, at].T @ np.linalg.solve(s.d.D[dofs, dofs], s.d.H[dofs, at])
        if p >= 0:
            step = s.d.E_psi[six(p), at]
            expected = expected + step.T @ found[six(p), six(p)] @ step
        assert same(found[at, at], expected)
    assert same(found, s.Upsilon)


def test_003_eq_10_3(s: System) -> None:
    u = s.op(Upsilon)
    expected = u - s.blocks(s.d.E_psi.T @ u @ s.d.E_psi)
    assert same(s.d.H.T @ np.linalg.solve(s.d.D, s.d.H), expected)


def test_003_section_10_HPU(chain: System) -> None:
    assert same(chain.d.H @ chain.op(P) @ chain.op(Upsilon), chain.d.H)


def test_003_section_10_operational(s: System) -> None:
    k = s.d.n - 1
    link = s.d.model.links[k]
    assert not link.hidden
    J = s.robot.jacobian(s.q, link.name)
    expected = J @ np.linalg.solve(s.d.mass_matrix, J.T)
    assert same(s.robot.operational_inertia_inverse(s.q, link.name), expected)
    R = np.kron(np.eye(2), s.robot.pose(s.q, link.name)[:3, :3])
    block = s.field.covariance("alpha").block(link.name, link.name)
    assert same(R @ block @ R.T, expected)


def test_003_lemma_10(chain: System) -> None:
    d = chain.d
    left = np.eye(6 * d.n) - d.P @ d.psi.T @ d.H.T @ np.linalg.solve(d.D, d.H)
    assert same(chain.dense(chain.field.covariance("X-f")), left @ d.psi @ d.M @ d.psi.T @ left.T)


def test_003_lemma_11(s: System) -> None:
    P_, U, tilde, one = s.d.P, s.Upsilon, s.d.psi - np.eye(6 * s.d.n), np.eye(6 * s.d.n)
    expected = (P_ - P_ @ U @ P_) + (one - P_ @ U) @ tilde @ P_ + P_ @ tilde.T @ (one - U @ P_)
    assert same(s.dense(s.field.covariance("X-f")), expected - P_ @ s.unrelated @ P_)


def test_003_eq_10_6(chain: System) -> None:
    error = chain.dense(chain.field.covariance("X-f"))
    assert np.abs(chain.d.H @ error).max() < 1e-9 * np.abs(chain.S).max()
    assert np.abs(error @ chain.d.H.T).max() < 1e-9 * np.abs(chain.S).max()


@pytest.mark.parametrize("name", LISTED)
@pytest.mark.heavy
def test_003_list(name: str, s: System) -> None:
    """Covariances of linear maps of (W, v), by explicit matrices."""
    d, n = s.d, 6 * s.d.n
    W, v = np.eye(n, n + d.nv), np.eye(d.nv, n + d.nv, n)
    X = d.phi @ W
    T = d.H @ X + v
    z, theta_ddot = d.psi @ d.K @ T, np.linalg.solve(d.mass_matrix, T)
    alpha = d.phi.T @ d.H.T @ theta_ddot
    f, epsilon = d.phi @ d.M @ alpha, T - d.H @ z
    maps = {
        "W": W, "X": X, "T": T, "z": z, "X-z": X - z, "epsilon": epsilon, "nu": np.linalg.solve(d.D, epsilon),
        "alpha": alpha, "theta_ddot": theta_ddot, "f": f, "X-f": X - f, "f-z": f - z, "W_hat": d.M @ alpha,
    }  # fmt: skip
    noise = np.zeros((n + d.nv, n + d.nv))
    noise[:n, :n], noise[n:, n:] = d.M, d.A_r
    assert same(s.dense(s.field.covariance(name)), maps[name] @ noise @ maps[name].T)
    assert set(LISTED) < set(COVARIANCES)


def test_003_lemma_12_first(s: System) -> None:
    d, U = s.d, s.Upsilon
    D_inv = np.linalg.inv(d.D)
    half = d.K.T @ d.psi.T @ (d.E_psi.T @ U @ d.K - d.H.T @ D_inv)
    expected = D_inv + d.K.T @ U @ d.K + half + half.T + d.K.T @ s.unrelated @ d.K
    assert same(s.robot.mass_matrix_inverse(s.q), expected)


def test_003_lemma_12_second(s: System) -> None:
    d, U = s.d, s.Upsilon
    D_inv = np.linalg.inv(d.D)
    half = d.K.T @ d.psi.T @ (U @ d.K - d.H.T @ D_inv)
    expected = D_inv - d.K.T @ U @ d.K + half + half.T + d.K.T @ s.unrelated @ d.K
    assert same(s.robot.mass_matrix_inverse(s.q), expected)


def test_003_lemma_12_U(s: System) -> None:
    d, Omega = s.d, s.Omega
    D_inv = np.linalg.inv(d.D)
    E = d.E_phi
    U = d.P + d.P @ E.T @ Omega @ E @ d.P - d.P @ E.T @ d.psi.T - d.psi @ E @ d.P
    assert same(s.robot.mass_matrix_inverse(s.q), D_inv @ (d.H @ U @ d.H.T + d.A_r) @ D_inv)
    if s.chained:
        plus, tau_bar = E.T @ s.Upsilon @ E, np.eye(6 * d.n) - d.G @ d.H
        half = d.P @ E.T @ d.psi.T @ (tau_bar.T @ plus @ d.P - np.eye(6 * d.n))
        assert same(U, d.P + d.P @ plus @ d.P + half + half.T)


def test_003_lemma_13(chain: System) -> None:
    """Element by element, base to tip: W(i,i) = D⁻¹ + K* Υ K, then along the row by ψ."""
    d, n = chain.d, chain.d.n
    W, u = np.zeros((d.nv, d.nv)), np.zeros((6, 6))
    for i in range(n):
        at = six(i)
        D_inv, h = np.linalg.inv(d.D[i : i + 1, i : i + 1]), d.H[i : i + 1, at]
        k = d.K[six(i - 1), i : i + 1] if i else np.zeros((6, 1))
        step = d.E_phi[six(i - 1), at] if i else np.zeros((6, 6))
        W[i, i] = (D_inv + k.T @ u @ k)[0, 0]
        row = k.T @ u @ step - W[i, i] * h
        closed = d.E_psi[six(i - 1), at] if i else np.zeros((6, 6))
        u = closed.T @ u @ closed + h.T @ D_inv @ h
        for j in range(i + 1, n):
            W[i, j] = W[j, i] = (row @ d.K[six(j - 1), j])[0]
            row = row @ d.E_psi[six(j - 1), six(j)]
    assert same(chain.robot.mass_matrix_inverse(chain.q), W)


def test_003_section_1_decoupled(s: System, rng: np.random.Generator) -> None:
    """In the innovations' coordinates ν = D^½ (I + H φ K)* θ̇ each error of a path has an equation of its own."""
    nv = s.robot.nv
    goal, rate, wanted = s.robot.integrate(s.q, 0.3 * rng.standard_normal(nv)), *rng.standard_normal((2, nv))
    k, c = rng.uniform(1.0, 9.0, (2, nv))
    law = sd.control.DecoupledControl(
        s.robot, goal, rate, wanted, bandwidth=np.sqrt(k), damping_ratio=c / (2 * np.sqrt(k))
    )
    a = s.d.forward_dynamics(law(0.0, s.q, s.v))
    m = s.robot.mass_matrix_root(s.q)
    assert same(m @ m.T, s.d.mass_matrix)
    x, x_dot, x_ddot = (m.T @ y for y in (s.robot.difference(s.q, goal), rate - s.v, wanted - a))
    assert same(x_ddot, -c * x_dot - k * x)


def test_003_section_11_linearized(chain: System) -> None:
    """d(v, a)/d(q, v) and d(v, a)/dT, against complex steps of the dense inverse times T - C."""
    robot, nv = chain.robot, chain.d.nv
    A, B = robot.linearize(chain.q, chain.v, chain.T)
    inverse = robot.mass_matrix_inverse(chain.q)
    assert same(B, np.concatenate([np.zeros((nv, nv)), inverse]))
    for i, e in enumerate(np.eye(nv)):
        by_q = robot.forward_dynamics(chain.q + 1e-30j * e, chain.v, chain.T).imag / 1e-30
        by_v = robot.forward_dynamics(chain.q, chain.v + 1e-30j * e, chain.T).imag / 1e-30
        assert same(A[:, i], np.concatenate([np.zeros(nv), by_q]))
        assert same(A[:, nv + i], np.concatenate([e, by_v]))


def test_003_section_12_one_more(chain: System) -> None:
    """P, D and G of the bodies beyond do not change when a body is added at the base."""
    name = chain.robot.link_names[1]
    beyond = chain.robot.subtree(name)
    found = RandomField(beyond, chain.q[1:]).filter(chain.T[1:])
    whole = chain.smoothed.filtered
    assert same(found.P, whole.P[1:])
    assert same(np.diag(found.D), np.diag(whole.D)[1:])
    assert same(found.epsilon, whole.epsilon[1:])


def test_003_section_12_cost() -> None:
    counts = []
    for n in (20, 40, 80):
        stages = sd.chain(n).operation_counts("forward_dynamics").values()
        counts.append(sum(sum(stage.values()) for stage in stages))
    assert abs((counts[2] - counts[1]) / (counts[1] - counts[0]) - 2) < 0.1


def test_003_likelihood(s: System) -> None:
    _, log_determinant = np.linalg.slogdet(s.d.mass_matrix)
    square = s.T @ np.linalg.solve(s.d.mass_matrix, s.T)
    expected = -(log_determinant + square + s.d.nv * np.log(2 * np.pi)) / 2
    assert abs(s.field.log_likelihood(s.T) - expected) < 1e-12 * max(1.0, abs(expected))
