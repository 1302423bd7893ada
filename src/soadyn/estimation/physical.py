"""Inertial parameters that a body can have: the log-Cholesky parametrisation, and the best fit by it.

A body's ten parameters (m, m c, J about the link frame) are the entries of its pseudo-inertia

    Σ = ∫ρ [x; 1] [x; 1]* = [ C, h; h*, m ],     C = tr(J)/2 I - J,    h = m c

which a density that is nowhere negative makes positive semidefinite (Wensing, Kim and Slotine 2018). Σ = U U* with U
upper triangular and exp(θ) on its diagonal then gives only possible bodies, whatever the ten numbers θ (Rucker and
Wensing 2022).
"""

from __future__ import annotations

import numpy as np

from soadyn.errors import ModelError

# Where the ten parameters m, hx, hy, hz, Jxx, Jxy, Jyy, Jxz, Jyz, Jzz come from in Σ.
DIAGONAL = np.arange(4)
UPPER = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
# How weakly what torques do not tell stays where it started: standard deviations of θ, for each root of a sample.
PULL = 1e-3
BEYOND = 1e100  # what a misfit counts that no number holds


def pseudo_inertia(x: np.ndarray) -> np.ndarray:
    """Σ (..., 4, 4) of ten parameters (..., 10).

    >>> pseudo_inertia(np.array([2.0, 0, 0, 0, 3.0, 0, 4.0, 0, 0, 5.0])).diagonal().tolist()
    [3.0, 2.0, 1.0, 2.0]
    """
    m, h, J = x[..., 0], x[..., 1:4], x[..., 4:]
    half = (J[..., 0] + J[..., 2] + J[..., 5]) / 2
    Sigma = np.zeros((*x.shape[:-1], 4, 4))
    Sigma[..., 0, 0], Sigma[..., 1, 1], Sigma[..., 2, 2] = half - J[..., 0], half - J[..., 2], half - J[..., 5]
    for (i, j), entry in (((0, 1), J[..., 1]), ((0, 2), J[..., 3]), ((1, 2), J[..., 4])):
        Sigma[..., i, j] = Sigma[..., j, i] = -entry
    Sigma[..., :3, 3] = Sigma[..., 3, :3] = h
    Sigma[..., 3, 3] = m
    return Sigma


def parameters_of(Sigma: np.ndarray) -> np.ndarray:
    """The ten parameters (..., 10) of Σ; linear, the inverse of `pseudo_inertia`."""
    trace = Sigma[..., 0, 0] + Sigma[..., 1, 1] + Sigma[..., 2, 2]
    J = [
        trace - Sigma[..., 0, 0], -Sigma[..., 0, 1], trace - Sigma[..., 1, 1], -Sigma[..., 0, 2], -Sigma[..., 1, 2],
        trace - Sigma[..., 2, 2],
    ]  # fmt: skip
    return np.stack([Sigma[..., 3, 3], *(Sigma[..., i, 3] for i in range(3)), *J], axis=-1)


def possible(x: np.ndarray, share: float = 0.0) -> np.ndarray:
    """Can a body have these parameters (..., 10)? Σ's least eigenvalue must be at least `share` of its largest."""
    size = np.linalg.eigvalsh(pseudo_inertia(x))
    return np.asarray(size[..., 0] >= share * size[..., -1])


def log_cholesky(x: np.ndarray, name: str = "a body") -> np.ndarray:
    """The ten numbers θ of a possible body: logarithms of U's diagonal, then what is above it.

    >>> x = np.array([2.0, 0.1, 0, 0.2, 3.0, 0.1, 4.0, 0, 0.2, 5.0])
    >>> bool(np.allclose(from_log_cholesky(log_cholesky(x))[0], x))
    True
    """
    try:
        L = np.linalg.cholesky(pseudo_inertia(x)[..., ::-1, ::-1])
    except np.linalg.LinAlgError:
        raise ModelError(f"{name} has inertial parameters that no body with a positive density has") from None
    U = L[..., ::-1, ::-1]
    return np.concatenate(
        [np.log(U[..., DIAGONAL, DIAGONAL]), np.stack([U[..., i, j] for i, j in UPPER], axis=-1)], axis=-1
    )


def from_log_cholesky(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ten parameters (..., 10) of θ (..., 10), and their derivatives (..., 10, 10), last axis θ."""
    U = np.zeros((*theta.shape[:-1], 4, 4))
    U[..., DIAGONAL, DIAGONAL] = np.exp(theta[..., :4])
    for k, (i, j) in enumerate(UPPER):
        U[..., i, j] = theta[..., 4 + k]
    slopes = []
    for k in range(10):
        dU = np.zeros_like(U)
        i, j = (k, k) if k < 4 else UPPER[k - 4]
        dU[..., i, j] = U[..., i, i] if k < 4 else 1.0
        slopes.append(parameters_of(dU @ U.mT + U @ dU.mT))
    return parameters_of(U @ U.mT), np.stack(slopes, axis=-1)


def possible_fit(bodies: np.ndarray, W: np.ndarray, y: np.ndarray, never_negative: np.ndarray) -> np.ndarray:
    """x with W x = y in least squares: first possible bodies, then coefficients of which the marked are not negative.

    bodies (links, 10) start and stand for what y does not tell; W (samples, nv, columns) and y (samples, nv) weighted.
    Bodies are functions of θ (see `physical`), coefficients that must not be negative are exponentials.
    """
    from scipy import optimize

    count = bodies.size
    Q, R = np.linalg.qr(W.reshape(-1, W.shape[-1]))
    z = Q.T @ y.reshape(-1)
    own = np.linalg.lstsq(R[:, count:], z - R[:, :count] @ bodies.reshape(-1), rcond=None)[0]
    length = np.maximum(np.linalg.norm(R[:, count:], axis=0), 1e-12)
    size = np.where(never_negative, np.maximum(own, 0.01 * np.linalg.norm(z) / length), 1 / length)
    start = np.concatenate([log_cholesky(bodies).reshape(-1), np.where(never_negative, 0.0, own / size)])
    pull = PULL * np.sqrt(len(y)) * np.concatenate([np.ones(count), 1.0 * never_negative])

    def values(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """x and its derivative."""
        found, slopes = from_log_cholesky(x[:count].reshape(-1, 10))
        grown = np.exp(np.clip(x[count:], -50.0, 50.0))
        coefficients = size * np.where(never_negative, grown, x[count:])
        d = np.diag(np.concatenate([np.zeros(count), size * np.where(never_negative, grown, 1.0)]))
        for k, block in enumerate(slopes):
            d[10 * k : 10 * k + 10, 10 * k : 10 * k + 10] = block
        return np.concatenate([found.reshape(-1), coefficients]), d

    def misfit(x: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):  # a step that goes too far is tried and taken back
            found = np.concatenate([R @ values(x)[0] - z, pull * (x - start)])
        return np.clip(np.nan_to_num(found, nan=BEYOND, posinf=BEYOND, neginf=-BEYOND), -BEYOND, BEYOND)

    def slope(x: np.ndarray) -> np.ndarray:
        return np.concatenate([R @ values(x)[1], np.diag(pull)])

    return values(optimize.least_squares(misfit, start, slope, method="lm", x_scale="jac", max_nfev=300).x)[0]
