"""Level 6 - the symmetric square root of D(k), as the Cholesky factor L and an orthogonal matrix: D^1/2 = L Q.

Then x of the symmetric root is Q* x of the Cholesky factor, for ν and ε alike, and

    C_symmetric = Q* C + Q* Q̇ ν_symmetric
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.block_operators import OPERATORS
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import Array, factor, matrix, rows_of, solve_factored, spread, sqrt, stacked

_root, _root_solved = OPERATORS["D^1/2"][1], OPERATORS["D^-1/2"][1]

# Newton's steps to the orthogonal factor: as many as inertias need whose square roots differ by 1e8.
STEPS = 9


def symmetric_turn(joint: JointKind, D: Pivot) -> tuple[Array]:
    """Level 6 - what turns the Cholesky factor L into the symmetric root L Q: Q, the orthogonal factor of L*.

    Q(k) = lim X,    X ← ½ (γ X + X⁻* / γ),    X₀ = L*(k),    γ² = |X⁻¹| / |X|
    """
    if joint.nv == 1:
        return (np.ones((1, 1)),)
    unit = np.eye(joint.nv)
    X, X_inverse = _root(D, unit).mT, _root_solved(D, unit).mT
    for step in range(STEPS):
        if step:
            normal = X.mT @ X
            X_inverse = solve_factored(*factor(normal, [0.0] * joint.nv)[:2], X.mT)
        scale = spread(spread(sqrt(sqrt(_squares(X_inverse) / _squares(X)))))
        X = 0.5 * (scale * X + X_inverse.mT / scale)
    return (X,)


def turned(joint: JointKind, Q: Array, x: Array) -> tuple[Array]:
    """Level 6 - from the symmetric root to the Cholesky factor.

    x(k) ← Q(k) x(k)
    """
    return (Q @ x,)


def turned_back(joint: JointKind, Q: Array, x: Array) -> tuple[Array]:
    """Level 6 - from the Cholesky factor to the symmetric root.

    x(k) ← Q*(k) x(k)
    """
    return (Q.mT @ x,)


def symmetric_bias(joint: JointKind, D: Pivot, Q: Array, xi: Array, D_rate: Array, C: Array) -> tuple[Array]:
    """Level 6 - the Coriolis term of the normalized equations with the symmetric root S = L Q.

    C(k) ← Q*(k) C(k) + Ω(k) S(k) ξ(k),    Ω = Q* Q̇
    S Ω + Ω S = F* S - S F,    F = Q* L⁻¹ L̇ Q
    """
    if joint.nv == 1:
        return (C,)
    S = _root(D, Q)
    relative = _root_solved(D, _root_solved(D, D_rate).mT)
    lower = np.tril(np.ones((joint.nv, joint.nv)), -1) + 0.5 * np.eye(joint.nv)
    F = Q.mT @ (lower * relative) @ Q
    SF = S @ F
    return (Q.mT @ C + _skew_solution(S, SF.mT - SF) @ (S.mT @ xi),)


def _squares(X: Array) -> Array:
    """Σ of the squares of the entries."""
    rows = rows_of(X * X)
    total: Any = sum(rows[1:], rows[0])
    return sum((total[..., i] for i in range(1, X.shape[-1])), total[..., 0])


def _skew_solution(S: Array, R: Array) -> Array:
    """The skew Ω with S Ω + Ω S = R, for S symmetric and positive and R skew: one equation for each pair of rows."""
    n = S.shape[-1]
    pairs = list(combinations(range(n), 2))
    # (S Ω + Ω S)(i,j) with Ω = e(k) e(l)* - e(l) e(k)*
    rows = [
        [
            (S[..., i, k] * (j == l) - S[..., i, l] * (j == k)) + (S[..., l, j] * (i == k) - S[..., k, j] * (i == l))
            for k, l in pairs
        ]
        for i, j in pairs
    ]
    system = matrix(rows)
    right = stacked([spread(R[..., i, j]) for i, j in pairs])
    found = solve_factored(*factor(system, [0.0] * len(pairs))[:2], right)
    entries: list[list[Any]] = [[0.0] * n for _ in range(n)]
    for row, (i, j) in enumerate(pairs):
        entries[i][j], entries[j][i] = found[..., row, 0], -found[..., row, 0]
    return matrix(entries)
