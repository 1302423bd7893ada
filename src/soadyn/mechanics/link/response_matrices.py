"""Level 6 - how accelerations answer to small changes of the state, by matrices of pairs of links.

    Mass = U D U*,    U = I + H φ K,    ∂θ̈/∂q = U⁻* Y_q,    Y_q = -D⁻¹ H ψ { E_φ F + M φ* S_2 + 2N φ* S_1 }

Y_q, Y_v and U are filled by columns that climb (see `response`). The substitution grows with the cube of the joints,
but takes less than the smoother for arms and for trees of many short branches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import Array, beside, symmetric
from soadyn.mechanics.spatial.vector import Rows, Spatial


def response_columns(
    joint: JointKind, H: Rows, D: Pivot, G: Spatial, h: Array, s_q: Spatial, s_v: Spatial, F: Spatial, dH_f: Array
) -> tuple[tuple[Array, ...], tuple[Any, ...]]:
    """Level 6 - the matrices at their diagonal, and what climbs to fill rows and columns (001 eqs. 43-45).

    Y_q(k,k) = -D⁻¹ { H s_q + ∂H f },    Y_v(k,k) = -D⁻¹ H s_v,    U(k,k) = I
    x_q = [I - G H] s_q - G ∂H f + F,    x_v = [I - G H] s_v,    g = G,    h
    Y_q(i,k) = -D⁻¹ H x_q,    Y_v(i,k) = -D⁻¹ H x_v,    U(i,k) = H g,    x ← [I - G H] x for x_q, x_v
    Y_q(k,i) = -g* S_2(i) - h S_1(i),    Y_v(k,i) = -g* S_3(i) - h H*(i)
    """
    unit = np.eye(joint.nv)
    y_q, y_v = H @ s_q + dH_f, H @ s_v
    return (-D.solve(y_q), -D.solve(y_v), unit, D.solve(unit)), (s_q - G @ y_q + F, s_v - G @ y_v, G, h.mT)


def response_rows(
    joint: JointKind,
    H: Rows,
    D: Pivot,
    G: Spatial,
    S_1: Spatial,
    S_2: Spatial,
    S_3: Spatial,
    x_q: Spatial,
    x_v: Spatial,
    g: Spatial,
    h: Array,
) -> tuple[tuple[Array, ...], tuple[Array | None, ...], tuple[Any, ...]]:
    """Level 6 - what an ancestor's joint turns into acceleration of changes beyond it, and they of its own.

    Y_q(i,k) = -D⁻¹ H x_q,    Y_v(i,k) = -D⁻¹ H x_v,    U(i,k) = H g,    x ← [I - G H] x for x_q, x_v
    Y_q(k,i) = -g* S_2(i) - h S_1(i),    Y_v(k,i) = -g* S_3(i) - h H*(i)
    """
    y_q, y_v, U = H @ x_q, H @ x_v, H @ g
    above = -D.solve(y_q), -D.solve(y_v), U, np.zeros(U.shape[-2:])
    below = -(g.mT @ S_2 + h.mT @ S_1.angular), -(g.mT @ S_3 + h.mT @ H.mT.angular), None, None
    return above, below, (x_q - G @ y_q, x_v - G @ y_v, g, h)


def responses(U: Array, Y_q: Array, Y_v: Array, D_inverse: Array) -> tuple[Array, Array, Array]:
    """Level 6 - accelerations from what changes make of the innovations (001 eq. 45).

    ∂θ̈/∂q = U⁻* Y_q,    ∂θ̈/∂v = U⁻* Y_v,    Mass⁻¹ = U⁻* D⁻¹ U⁻¹
    """
    W = _inverse(U)
    return W.mT @ Y_q, W.mT @ Y_v, symmetric(W.mT @ (D_inverse @ W))


def _inverse(U: Array) -> Array:
    """U⁻¹, column after column, for a unit upper triangular U; where no link is inboard of another it stays zero.

    W(b,a) = -U(b,a) - Σ_c W(b,c) U(c,a),    b < c < a
    """
    columns: list[Array] = []
    for a in range(U.shape[-1]):
        column = np.eye(U.shape[-1])[:, a : a + 1]
        for c in range(a):
            column = column - columns[c] * U[..., c : c + 1, a : a + 1]
        columns.append(column)
    return beside(columns) if columns else U
