"""The best fit among bodies that can exist and joints that take energy."""

from __future__ import annotations

import numpy as np

from soadyn.estimation.physical import from_log_cholesky, log_cholesky

# How weakly what torques do not tell stays where it started: standard deviations of θ, for each root of a sample.
PULL = 1e-3
BEYOND = 1e100  # what a misfit counts that no number holds


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
