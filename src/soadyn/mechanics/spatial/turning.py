"""Turns about a coordinate axis and slides along it, with fewer operations than products with matrices.

About axis k the components i and j turn, (i, j, k) in cyclic order:

    x_i' = c x_i - s x_j,    x_j' = s x_i + c x_j,    x_k' = x_k
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, column, matrix, spread, stacked, symmetric


def others(axis: int) -> tuple[int, int]:
    """i and j."""
    return (axis + 1) % 3, (axis + 2) % 3


def turned_columns(x: Array, axis: int, c: Array, s: Array) -> Array:
    """R x for columns (..., 3, m)."""
    i, j = others(axis)
    c, s, x_i, x_j = spread(c), spread(s), x[..., i, :], x[..., j, :]
    rows = {i: c * x_i - s * x_j, j: s * x_i + c * x_j, axis: x[..., axis, :]}
    return stacked([rows[row] for row in range(3)])


def turned_symmetric(A: Array, axis: int, c: Array, s: Array) -> Array:
    """R A R* of a symmetric matrix; its 2x2 part changes by w on the diagonal, beside it turns by twice the angle."""
    if _is_quarter(c, s):
        return symmetric(_turned_by_quarters(A, axis, c, s))
    i, j = others(axis)
    a, b, d = A[..., i, i], A[..., i, j], A[..., j, j]
    e, f = A[..., i, axis], A[..., j, axis]
    ss, cs = s * s, c * s
    difference = a - d
    w = difference * ss + b * (2 * cs)
    off = difference * cs + b * (1 - 2 * ss)
    e, f = c * e - s * f, s * e + c * f
    return _symmetric_of({(i, i): a - w, (j, j): d + w, (axis, axis): A[..., axis, axis],
                          (i, j): off, (i, axis): e, (j, axis): f})  # fmt: skip


def turned_matrix(B: Array, axis: int, c: Array, s: Array) -> Array:
    """R B R* of any matrix; the antisymmetric part of its 2x2 part does not change."""
    if _is_quarter(c, s):
        return _turned_by_quarters(B, axis, c, s)
    i, j = others(axis)
    e, f, g, h = B[..., i, i], B[..., i, j], B[..., j, i], B[..., j, j]
    x, y = B[..., i, axis], B[..., j, axis]
    p, q = B[..., axis, i], B[..., axis, j]
    ss, cs = s * s, c * s
    difference, total = e - h, f + g
    w = difference * ss + total * cs
    v = difference * cs - total * ss
    return placed(
        {
            (i, i): e - w,
            (i, j): f + v,
            (j, i): g + v,
            (j, j): h + w,
            (i, axis): c * x - s * y,
            (j, axis): s * x + c * y,
            (axis, i): c * p - s * q,
            (axis, j): s * p + c * q,
            (axis, axis): B[..., axis, axis],
        }
    )


def slid_articulated(A: Array, B: Array, C: Array, axis: int, d: Array) -> tuple[Array, Array]:
    """A' and B' of φ [A, B; B*, C] φ* for a slide l = d e along an axis:  B' = B + l̃ C,  A' = A + l̃ B* - B' l̃."""
    if _is_nothing(d):
        return A, B
    i, j = others(axis)
    row_d = spread(d)
    rows = {i: B[..., i, :] - row_d * C[..., j, :], j: B[..., j, :] + row_d * C[..., i, :], axis: B[..., axis, :]}
    moved = stacked([rows[row] for row in range(3)])
    new = _symmetric_of(
        {
            (i, i): A[..., i, i] - d * (B[..., i, j] + moved[..., i, j]),
            (i, j): A[..., i, j] + d * (moved[..., i, i] - B[..., j, j]),
            (j, j): A[..., j, j] + d * (B[..., j, i] + moved[..., j, i]),
            (i, axis): A[..., i, axis] - d * B[..., axis, j],
            (j, axis): A[..., j, axis] + d * B[..., axis, i],
            (axis, axis): A[..., axis, axis],
        }
    )
    return new, moved


def slid_body(J: Array, mp: Array, m: Array, axis: int, d: Array) -> tuple[Array, Array]:
    """The moment of inertia and the first moment of a body seen from a point, its origin being at d e from there."""
    if _is_nothing(d):
        return J, mp
    i, j = others(axis)
    x = mp[..., 0]
    along = x[..., axis] + m[..., 0, 0] * d
    moments = {i: x[..., i], j: x[..., j], axis: along}
    more = d * (x[..., axis] + along)
    new = _symmetric_of(
        {
            (i, i): J[..., i, i] + more,
            (j, j): J[..., j, j] + more,
            (axis, axis): J[..., axis, axis],
            (i, j): J[..., i, j],
            (i, axis): J[..., i, axis] - d * x[..., i],
            (j, axis): J[..., j, axis] - d * x[..., j],
        }
    )
    return new, column(moments[0], moments[1], moments[2])


def placed(entries: dict[tuple[int, int], Any]) -> Array:
    """The 3x3 matrix with these entries."""
    return matrix([[entries[row, col] for col in range(3)] for row in range(3)])


def _symmetric_of(half: dict[tuple[int, int], Any]) -> Array:
    return placed({**half, **{(col, row): entry for (row, col), entry in half.items()}})


def _is_nothing(d: Any) -> bool:
    return isinstance(d, float) and d == 0.0


def _is_quarter(c: Any, s: Any) -> bool:
    """A known turn that only exchanges and flips axes, which costs nothing."""
    return isinstance(c, float) and isinstance(s, float) and c * s == 0.0


def _turned_by_quarters(B: Array, axis: int, c: float, s: float) -> Array:
    R = known_turn(axis, c, s)
    return R @ B @ R.T


def known_turn(axis: int, c: float, s: float) -> Array:
    """The rotation about an axis by an angle with this cosine and sine."""
    i, j = others(axis)
    R = np.zeros((3, 3))
    R[axis, axis], R[i, i], R[j, j], R[j, i], R[i, j] = 1.0, c, c, s, 0.0 - s
    return R
