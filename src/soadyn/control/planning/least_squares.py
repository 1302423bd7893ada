"""Demands solved for the joints by weighted regularized least squares; free motion follows a preferred one.

With row weights P, joint weights W, regularization λ and a preferred x₂

    x = argmin |P (J x - d)|² + λ² |x - x₂|²_W        (λ → 0: the nearest to x₂ of all best solutions)

so that for λ = 0 and J of full rank x = J⁺ d + (I - J⁺ J) x₂: the preferred motion, projected into the null space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError, SingularError
from soadyn.robot.arguments.arguments import batch_shape
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import real

SINGULAR = 1e-9  # a singular value this small beside the largest counts as none
EQUAL = 1e-9  # what is lost of two demands is the same if it differs by no more than this part of them


@final
@dataclass(frozen=True, slots=True)
class Solution:
    """Motions x (..., n) of the joints, what they leave undone, and how near the demands are to depend on each other.

    residual: d - J x, (..., rows); rank: of the weighted J, (...); smallest: its smallest singular value, (...).

    >>> import soadyn as sd
    >>> solution = sd.control.solve_demands([[1.0, 1.0, 0.0]], [2.0])
    >>> solution.x.round(6).tolist(), int(solution.rank)
    ([1.0, 1.0, 0.0], 1)
    """

    x: np.ndarray
    residual: np.ndarray
    rank: np.ndarray
    smallest: np.ndarray


def solve_demands(
    J: ArrayLike,
    demand: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    row_weights: ArrayLike | None = None,
    regularization: ArrayLike = 0.0,
    preferred: ArrayLike | None = None,
    names: Sequence[str] | None = None,
) -> Solution:
    """The joints' motion x that meets J x = demand, or comes nearest to it; leading axes are batches.

    J: a Jacobian (..., rows, n), mostly `Demands.jacobian(q)`; demand: (..., rows).
    weights: one for each joint, (n,); of several solutions that of least Σ w x² is taken.
    row_weights: one for each row, (rows,): how much a row counts where not all can be met.
    regularization: λ, a number or one for each state. Without it demands that depend on each other raise
        `SingularError`; more rows than joints are allowed and solved in the sense of least squares.
    preferred: x₂ (..., n), what the joints should do as far as the demands leave them free.
    names: of the rows, for messages.

    >>> import numpy as np, soadyn as sd
    >>> solution = sd.control.solve_demands([[1.0, 1.0]], [1.0], preferred=[1.0, -1.0])
    >>> solution.x, int(solution.rank)
    (array([ 1.5, -0.5]), 1)
    """
    A, d, x2, W, P, lam = _arguments(J, demand, weights, row_weights, regularization, preferred)
    good = np.isfinite(A).all(axis=(-1, -2)) & np.isfinite(d).all(axis=-1) & np.isfinite(x2).all(axis=-1)
    good = good & np.isfinite(lam)  # which is finite, and has a place for each state of the batch
    A0 = np.where(good[..., None, None], A, 0.0)
    root = np.sqrt(W)
    U, s, Vt = np.linalg.svd(P[:, None] * A0 / root, full_matrices=False)
    rank = (s > SINGULAR * s.max(axis=-1, initial=0.0)[..., None]).sum(axis=-1)
    if s.shape[-1]:
        _refuse_singular(rank, U, A.shape[-1], lam, good, names)
    smallest = s.min(axis=-1, initial=np.inf)
    gain = s / np.where(s > 0, s * s + lam[..., None] ** 2, 1.0)
    b = P * (d - (A0 @ x2[..., None])[..., 0])
    y = Vt.mT @ (gain[..., None] * (U.mT @ b[..., None]))
    x = x2 + y[..., 0] / root
    nothing = ~good[..., None]
    residual = np.where(nothing, np.nan, d - (A0 @ x[..., None])[..., 0])
    return Solution(np.where(nothing, np.nan, x), residual, rank, np.where(good, smallest, np.nan))


def _arguments(
    J: ArrayLike,
    demand: ArrayLike,
    weights: ArrayLike | None,
    row_weights: ArrayLike | None,
    regularization: ArrayLike,
    preferred: ArrayLike | None,
) -> tuple[np.ndarray, ...]:
    A = real("J", J, meaning="a Jacobian (..., rows, n)", of="solve_demands")
    if A.ndim < 2:
        raise ShapeError(f"argument 'J' has shape {A.shape}; expected (..., rows, n), a Jacobian")
    rows, n = A.shape[-2:]
    d = real("demand", demand, rows, meaning=f"one number for each of the {rows} rows of J", of="solve_demands")
    x2 = np.zeros(n)
    if preferred is not None:
        x2 = real("preferred", preferred, n, meaning="one number for each column of J", of="solve_demands")
    W = weights_of("weights", weights, n, "columns")
    P = weights_of("row_weights", row_weights, rows, "rows")
    lam = real("regularization", regularization, meaning="one number, or one for each state", of="solve_demands")
    if not (np.isfinite(lam).all() and (lam >= 0).all()):
        raise ArgumentError(f"regularization must be zero or more, got {regularization!r}")
    given = {"J": (A, 2), "demand": (d, 1), "preferred": (x2, 1), "regularization": (lam, 0)}
    batch_shape({name: x for name, (x, _) in given.items()}, {name: core for name, (_, core) in given.items()})
    return A, d, x2, W, P, lam


def weights_of(name: str, x: ArrayLike | None, count: int, what: str) -> np.ndarray:
    """Positive weights (count,); ones if omitted."""
    return per_component(name, 1.0 if x is None else x, count, "solve_demands", zero=False, what=what)


def _refuse_singular(
    rank: np.ndarray, U: np.ndarray, n: int, lam: np.ndarray, good: np.ndarray, names: Sequence[str] | None
) -> None:
    rows, possible = U.shape[-2:]
    bad = np.argwhere((rank < possible) & (lam == 0) & good)
    if not len(bad):
        return
    row = tuple(int(i) for i in bad[0])
    share = 1.0 - (U[row][:, : int(rank[row])] ** 2).sum(axis=-1)  # of each demand, outside of what can be met
    lost = int(np.flatnonzero(share >= share.max() - EQUAL)[-1])  # of equals the last, whatever rounding says
    what = names[lost] if names is not None else f"row {lost}"
    where = f" in row {row[0] if len(row) == 1 else row}" if row else ""
    raise SingularError(
        f"the demands depend on each other{where}: the Jacobian of {rows} demands on {n} joint components has rank "
        f"{int(rank[row])}; what cannot be met is mostly {what!r}. "
        "regularization= accepts the nearest motion"
    )
