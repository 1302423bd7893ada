"""The covariances of 003 section 10, as operator formulas.

The model is 003 (5.4) with measurement noise v, whose covariance is the rotors' inertia (armature):

    X = φ W,   T = H X + v,      E[W W*] = M,   E[v v*] = A_r

Without armature v is zero and these are the printed formulas, where print is right: the list of section 10 loses an H*
in E[T T*], a star in ψ M ψ*, and prints for Ŵ the covariance of W - Ŵ.
"""

from __future__ import annotations

from typing import NamedTuple

from soadyn.algebra import A_r, D, K, M, Omega, P, inv, mass, phi, psi_tilde
from soadyn.algebra.expressions import Expression


class Covariance(NamedTuple):
    """A random variable of the model: the papers' symbol, its covariance, where that stands, what it is."""

    symbol: str
    formula: Expression
    source: str
    meaning: str


_S = phi @ M @ phi.T
_SIGMA = P + psi_tilde @ P + P @ psi_tilde.T
_POP = P @ Omega @ P

COVARIANCES: dict[str, Covariance] = {
    "W": Covariance("W", M, "003 (5.3)", "inertial forces of the links: process noise"),
    "X": Covariance("X", _S, "003 Lemma 1", "link forces: states"),
    "T": Covariance("T", mass, "003 Lemma 2", "joint forces: measurements"),
    "z": Covariance("z", phi @ K @ D @ K.T @ phi.T, "003 section 10", "predicted link forces"),
    "X-z": Covariance("X - z", _SIGMA, "003 Lemma 8", "errors of the predicted link forces"),
    "epsilon": Covariance("ε", D, "003 Lemma 7", "innovations"),
    "nu": Covariance("ν", inv(D), "003 section 10", "residuals D⁻¹ ε"),
    "alpha": Covariance("α", Omega, "003 Lemma 9", "link accelerations: costates"),
    "theta_ddot": Covariance("θ̈", inv(mass), "003 section 10", "joint accelerations"),
    "f": Covariance("f", _S - _SIGMA + _POP, "003 section 10", "smoothed link forces"),
    "X-f": Covariance("X - f", _SIGMA - _POP, "003 Lemmas 10, 11", "errors of the smoothed link forces"),
    "f-z": Covariance("f - z", _POP, "003 section 10", "what smoothing adds"),
    "W_hat": Covariance("Ŵ", M @ Omega @ M, "003 section 10", "smoothed inertial forces M α"),
    "W-W_hat": Covariance("W - Ŵ", M - M @ Omega @ M, "003 section 7", "errors of the smoothed inertial forces"),
    "v_hat": Covariance("v̂", A_r @ inv(mass) @ A_r, "armature", "smoothed measurement noise A_r θ̈"),
    "v-v_hat": Covariance("v - v̂", A_r - A_r @ inv(mass) @ A_r, "armature", "errors of the smoothed noise"),
}
