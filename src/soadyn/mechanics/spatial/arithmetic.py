"""The few scalar and matrix functions that depend on the kind of number.

Everything else in the library is +, -, * and @. Object arrays hold one Python object per entry (mpmath numbers,
recorded scalars); their functions are looked up by the object's type, and a new kind of number registers its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, singledispatch
from typing import Any

import numpy as np

# A pivot at most this many roundings of its scale is zero: there is no answer.
PIVOT_ROUNDINGS = 64

ROUNDING = 2.0**-52  # of double precision
SMALLEST = 1e-300  # what a zero is divided by
NO_LENGTH = 1e-150  # a length beside which every other is itself, and by which a zero can be divided

Array = Any  # an array of any supported number type; NumPy's stubs cannot say "or object"


def _mpmath_function(name: str) -> Any:
    def function(x: Any) -> Any:
        import mpmath

        return getattr(mpmath, name)(x)

    function.__name__ = name
    return function


sin_of = singledispatch(_mpmath_function("sin"))
cos_of = singledispatch(_mpmath_function("cos"))
sqrt_of = singledispatch(_mpmath_function("sqrt"))
atan_of = singledispatch(_mpmath_function("atan"))
log_of = singledispatch(_mpmath_function("log"))
exp_of = singledispatch(_mpmath_function("exp"))


def _is_positive(x: Any) -> Any:
    return 1.0 if x.real > 0 else 0.0


is_positive_of = singledispatch(_is_positive)


def _elementwise(numeric: Any, scalar: Any) -> Any:
    by_object = np.frompyfunc(scalar, 1, 1)

    def function(x: Array) -> Array:
        x = np.asarray(x)
        return by_object(x) if x.dtype == object else numeric(x)

    return function


sin = _elementwise(np.sin, sin_of)
cos = _elementwise(np.cos, cos_of)
sqrt = _elementwise(np.sqrt, sqrt_of)
arctan = _elementwise(np.arctan, atan_of)
log = _elementwise(np.log, log_of)
exp = _elementwise(np.exp, exp_of)
# 1 where a number is positive, 0 elsewhere: what depends on a sign is a sum of products with these.
is_positive = _elementwise(lambda x: (x.real > 0).astype(x.real.dtype), is_positive_of)


def sign(x: Array) -> Array:
    """1, 0 or -1."""
    return is_positive(x) - is_positive(-x)


def ramp(x: Array) -> Array:
    """x where it is positive, 0 elsewhere."""
    return x * is_positive(x)


def clipped(x: Array, bound: Array) -> Array:
    """x between -bound and bound, which are met exactly however far away x is."""
    above, below = is_positive(x - bound), is_positive(-x - bound)
    return x * (1.0 - above - below) + bound * (above - below)


def tanh(x: Array) -> Array:
    """The hyperbolic tangent, 1 - 2 / (exp 2x + 1), without overflow."""
    x = np.asarray(x)
    if x.dtype != object:
        return np.tanh(x)
    side = sign(x)
    return side * (1 - 2 / (exp(2 * side * x) + 1))


def real(x: Any) -> Array:
    """The real part of every kind of number."""
    x = np.asarray(x)
    return np.frompyfunc(_real_of, 1, 1)(x) if x.dtype == object else x.real


def _real_of(x: Any) -> Any:
    return getattr(x, "real", x)


def _larger(x: Any, y: Any) -> Any:
    if type(x) in maximum_of.registry or type(y) not in maximum_of.registry:
        return maximum_of(x, y)
    return maximum_of(y, x)


# What a guard does: numbers pass, a recorded scalar notes the condition under which the result has an answer.
maximum_of = singledispatch(lambda x, y: x if x > y else y)
# A Python number that is zero becomes NaN, since dividing by it would raise.
pivot_of = singledispatch(lambda pivot, scale: pivot if pivot != 0 else float("nan"))
norm_of = singledispatch(lambda norm2: norm2 if norm2 != 0 else float("nan"))


def maximum(x: Any, y: Any) -> Array:
    """The larger of two real numbers, elementwise."""
    x, y = np.asarray(x), np.asarray(y)
    if object in (x.dtype, y.dtype):
        return np.frompyfunc(_larger, 2, 1)(x, y)
    return np.maximum(x, y)


def guarded_pivot(pivot: Any, scale: Any) -> Any:
    """A pivot about to be divided by; there is no answer where it is not clearly positive beside `scale`."""
    pivot, beside = np.asarray(pivot), np.asarray(scale)
    # A single known number may be a constant among recorded scalars, so it is looked at as well; not so one that
    # stands beside a batch of numbers.
    if pivot.dtype != object and (pivot.ndim > 0 or (beside.dtype != object and beside.ndim > 0)):
        return pivot
    return np.frompyfunc(pivot_of, 2, 1)(pivot, scale)


def guarded_norm(norm2: Any) -> Any:
    """A quaternion's squared norm about to be divided by; there is no answer where it vanishes or overflows."""
    return np.frompyfunc(norm_of, 1, 1)(norm2) if np.asarray(norm2).dtype == object else norm2


def matrix(rows: Sequence[Sequence[Any]]) -> Array:
    """The (..., m, n) array with the given entries, each a number or an array of batch shape."""
    flat = joined([entry for row in rows for entry in row])
    return flat.reshape((*flat.shape[:-1], len(rows), len(rows[0])))


def column(*entries: Any) -> Array:
    """The (..., n, 1) column with the given entries."""
    return joined(entries)[..., None]


def joined(entries: Sequence[Any]) -> Array:
    """The (..., n) array with the given entries, each a number or an array of batch shape."""
    if all(getattr(x, "shape", ()) == () for x in entries):  # numbers of one state: a list is much quicker
        return np.array([x[()] if type(x) is np.ndarray else x for x in entries])
    return np.stack(np.broadcast_arrays(*entries), axis=-1)


def beside(blocks: Sequence[Array]) -> Array:
    """Matrices with equal row counts, side by side; batch axes broadcast."""
    batch = np.broadcast_shapes(*(block.shape[:-2] for block in blocks))
    return np.concatenate([np.broadcast_to(b, batch + b.shape[-2:]) for b in blocks], axis=-1)


def cross(x: Array, y: Array) -> Array:
    """x × y for columns; a single column broadcasts over several."""
    x1, x2, x3 = x[..., 0:1, :], x[..., 1:2, :], x[..., 2:3, :]
    y1, y2, y3 = y[..., 0:1, :], y[..., 1:2, :], y[..., 2:3, :]
    return np.concatenate([x2 * y3 - x3 * y2, x3 * y1 - x1 * y3, x1 * y2 - x2 * y1], axis=-2)


def skew(x: Array) -> Array:
    """The matrix x̃ with x̃ y = x × y."""
    a, b, c = x[..., 0, 0], x[..., 1, 0], x[..., 2, 0]
    return matrix([[0, -c, b], [c, 0, -a], [-b, a, 0]])


def symmetric(A: Array) -> Array:
    """A with its lower triangle replaced by the mirrored upper one, so that only one half need be computed."""
    rows, columns = _upper(A.shape[-1])
    return A[..., rows, columns]


@cache
def _upper(n: int) -> tuple[Array, Array]:
    """For each entry of a symmetric matrix, where its value stands in the upper triangle."""
    i, j = np.indices((n, n))
    return np.minimum(i, j), np.maximum(i, j)


def factor(A: Array, scale: Sequence[Any]) -> tuple[list[list[Any]], list[Any], list[Any]]:
    """L and d with A = L diag(d) L*, and the scale of d; only the upper triangle of the symmetric A is read.

    `scale` says how large the numbers are whose rounding errors each row of A holds. Elimination adds to the errors of
    row j those of the rows above, L²(j,k) times as large; each pivot is guarded with what comes of that. Written out
    entry by entry, without branches, so that every kind of number and the tracer can run it.
    """
    n = A.shape[-1]
    L: list[list[Any]] = [[None] * n for _ in range(n)]
    d: list[Any] = []
    scale = list(scale)
    for j in range(n):
        pivot = A[..., j, j]
        for k in range(j):
            square = L[j][k] * L[j][k]
            pivot = pivot - square * d[k]
            scale[j] = scale[j] + real(square) * scale[k]
        pivot = guarded_pivot(pivot, scale[j])
        d.append(pivot)
        for i in range(j + 1, n):
            entry = A[..., j, i]
            for k in range(j):
                entry = entry - L[i][k] * L[j][k] * d[k]
            L[i][j] = entry / pivot
    return L, d, scale


def semidefinite_root(A: Array) -> Array:
    """The lower triangular L with A = L L* for a semidefinite A; a vanishing pivot leaves its column empty.

    Written without branches: a pivot is at least some roundings of its diagonal entry when it is divided by.
    """
    n = A.shape[-1]
    L: list[list[Any]] = [[0.0] * n for _ in range(n)]
    for j in range(n):
        pivot = maximum(real(A[..., j, j] - sum(L[j][k] * L[j][k] for k in range(j))), 0.0)
        root = sqrt(pivot)
        least = maximum(PIVOT_ROUNDINGS * ROUNDING * real(A[..., j, j]), SMALLEST)
        L[j][j] = root
        for i in range(j + 1, n):
            entry = A[..., j, i] - sum(L[i][k] * L[j][k] for k in range(j))
            L[i][j] = entry * (root / maximum(pivot, least))
    return matrix(L)


def orthogonalized(X: Array, count: int, guards: Sequence[Any] | None = None) -> tuple[Array, list[Any]]:
    """The first `count` columns L of X Q, lower triangular, for an orthogonal Q; and what is left of the other rows.

    By modified Gram-Schmidt: L (..., rows, count) holds what each row of X has along the first ones. The rows left
    (..., columns) have the products with each other that those of X Q have without L. `guards` are sizes beside which
    a row's squared length must be something; without them a row of zeros makes a column of zeros.
    """
    left = rows_of(X)
    columns: list[Array] = []
    for j in range(count):
        row, *left = left
        square = (row * row).sum(axis=-1)
        length = sqrt(square if guards is None else guarded_pivot(square, guards[j]))
        unit = row / spread(length + (NO_LENGTH if guards is None else 0.0))
        along = [(other * unit).sum(axis=-1) for other in left]
        left = [other - spread(x) * unit for other, x in zip(left, along, strict=True)]
        columns.append(column(*[0.0] * j, length, *along))
    return beside(columns), left


def solve_factored(L: list[list[Any]], d: list[Any], B: Array) -> Array:
    """X with (L diag(d) L*) X = B, for B of shape (..., n, m)."""
    rows = forward_substituted(L, rows_of(B))
    return stacked(back_substituted(L, [row / spread(d[i]) for i, row in enumerate(rows)]))


def forward_substituted(L: list[list[Any]], rows: list[Any]) -> list[Any]:
    """L⁻¹ times rows, for L with a unit diagonal."""
    found: list[Any] = []
    for i, row in enumerate(rows):
        for k in range(i):
            row = row - spread(L[i][k]) * found[k]
        found.append(row)
    return found


def back_substituted(L: list[list[Any]], rows: list[Any]) -> list[Any]:
    """L⁻* times rows, for L with a unit diagonal."""
    found = list(rows)
    for i in reversed(range(len(found))):
        for k in range(i + 1, len(found)):
            found[i] = found[i] - spread(L[k][i]) * found[k]
    return found


def rows_of(B: Array) -> list[Any]:
    """The rows (..., m) of a matrix (..., n, m)."""
    return [B[..., i, :] for i in range(B.shape[-2])]


def stacked(rows: Sequence[Any]) -> Array:
    """The matrix with these rows, whose batch axes broadcast."""
    first = rows[0]
    if any(row.shape != first.shape or row.dtype != first.dtype for row in rows):
        return np.stack(np.broadcast_arrays(*rows), axis=-2)
    found = np.empty((*first.shape[:-1], len(rows), first.shape[-1]), first.dtype)
    for i, row in enumerate(rows):
        found[..., i, :] = row
    return found


def spread(x: Any) -> Array:
    """A number of batch shape with an axis added, so that it multiplies a row."""
    return np.asarray(x)[..., None]
