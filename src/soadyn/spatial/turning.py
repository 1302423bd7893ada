"""Rotations about a coordinate axis, with fewer operations than products with a rotation matrix.

About axis k the components i and j turn, (i, j, k) in cyclic order:

    x_i' = c x_i - s x_j,    x_j' = s x_i + c x_j,    x_k' = x_k
"""

from __future__ import annotations

from typing import Any

from soadyn.spatial.arithmetic import Array, column, matrix


def _others(axis: int) -> tuple[int, int]:
    return (axis + 1) % 3, (axis + 2) % 3


def _placed(entries: dict[tuple[int, int], Any]) -> Array:
    return matrix([[entries[row, col] for col in range(3)] for row in range(3)])


def turned_column(x: Array, axis: int, c: Array, s: Array) -> Array:
    """A column (..., 3, 1)."""
    i, j = _others(axis)
    entries = {
        i: c * x[..., i, 0] - s * x[..., j, 0],
        j: s * x[..., i, 0] + c * x[..., j, 0],
        axis: x[..., axis, 0],
    }
    return column(entries[0], entries[1], entries[2])


def turned_symmetric(A: Array, axis: int, c: Array, s: Array) -> Array:
    """R A R* of a symmetric matrix; its 2x2 part changes by w on the diagonal, beside it turns by twice the angle."""
    i, j = _others(axis)
    a, b, d = A[..., i, i], A[..., i, j], A[..., j, j]
    e, f = A[..., i, axis], A[..., j, axis]
    ss, cs = s * s, c * s
    difference = a - d
    w = difference * ss + b * (2 * cs)
    off = difference * cs + b * (1 - 2 * ss)
    e, f = c * e - s * f, s * e + c * f
    return _placed(
        {
            (i, i): a - w,
            (j, j): d + w,
            (axis, axis): A[..., axis, axis],
            (i, j): off,
            (j, i): off,
            (i, axis): e,
            (axis, i): e,
            (j, axis): f,
            (axis, j): f,
        }
    )


def turned_matrix(B: Array, axis: int, c: Array, s: Array) -> Array:
    """R B R* of any matrix; the antisymmetric part of its 2x2 part does not change."""
    i, j = _others(axis)
    e, f, g, h = B[..., i, i], B[..., i, j], B[..., j, i], B[..., j, j]
    x, y = B[..., i, axis], B[..., j, axis]
    p, q = B[..., axis, i], B[..., axis, j]
    ss, cs = s * s, c * s
    difference, total = e - h, f + g
    w = difference * ss + total * cs
    v = difference * cs - total * ss
    return _placed(
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
