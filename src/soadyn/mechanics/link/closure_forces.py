"""Level 6 - the forces of closures: Λ_Q⁻¹ from what the links' columns sum up to, and the system solved with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar, final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.closed import COLUMNS
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.link.operational import SWEPT
from soadyn.mechanics.spatial.arithmetic import (
    SMALLEST,
    Array,
    factor,
    guarded_pivot,
    matrix,
    real,
    rows_of,
    solve_factored,
    stacked,
)
from soadyn.mechanics.spatial.vector import Spatial

# The proximal iteration: how much of its diagonal Λ⁻¹ gets, and how often what is left is corrected (24.5).
SOFTNESS = 1e-9
CORRECTIONS = 5
# What may be left of a closure's acceleration, beside what was asked for.
LEFT = 1e-6


def response_block(joint: JointKind, Y: Array, nu_Y: Array, S_children: Spatial | int) -> tuple[Spatial]:
    """Level 6 - what two groups of closure forces do to each other.

    Λ_Q⁻¹(e,f) = Σₖ Yₑ*(k) D⁻¹(k) Y_f(k)
    """
    return (Spatial.of(Y.mT @ nu_Y) + S_children,)


@final
@dataclass(frozen=True, slots=True)
class ClosureResponse:
    """Level 6 - Λ_Q⁻¹ of all rows, from the blocks of its groups; `order` says where each of their rows stands.

    Λ_Q⁻¹ = J_c M⁻¹ J_c* = Y* D⁻¹ Y
    """

    __name__: ClassVar[str] = "closure_response"
    counts: tuple[int, ...]
    order: tuple[int, ...]

    def __call__(self, *blocks: Spatial) -> tuple[Array]:
        place = np.argsort(self.order)
        return (_assembled(self.counts, blocks)[..., place[:, None], place],)


def _assembled(counts: Sequence[int], blocks: Sequence[Spatial | int]) -> Array:
    """The symmetric matrix of the blocks (e, f), f from e on, less their empty rows and columns."""
    empty = Spatial(np.zeros((3, COLUMNS)), np.zeros((3, COLUMNS)))
    dense = [empty.dense() if isinstance(b, int) else b.dense() for b in blocks]
    found = dict(zip(combinations_with_replacement(range(len(counts)), 2), dense, strict=True))

    def entry(e: int, i: int, f: int, j: int) -> Array:
        return found[e, f][..., i, j] if (e, i) <= (f, j) else found[f, e][..., j, i]

    rows = [(g, i) for g, count in enumerate(counts) for i in range(count)]
    return matrix([[entry(*row, *column) for column in rows] for row in rows])


@final
@dataclass(frozen=True, slots=True)
class ClosureSolution:
    """Level 6 - the closures' forces (24.3), by corrections where rows are `redundant` (24.5).

    Λ_Q⁻¹ λ = -(a_Q + s + Z*(0) α(0)),    Z(0): what arrives at the ground, and forces on it; α(0) = [0; -g]
    redundant:  λ ← λ + (Λ_Q⁻¹ + μ W)⁻¹ (r - Λ_Q⁻¹ λ),    W = diag Λ_Q⁻¹ + its mean

    `sides` has for each group how its forces act on the ground themselves: with 1, -1 or 0; of couplings None. At rest,
    `moving` being False, there is no gravity and no a_Q.
    """

    __name__: ClassVar[str] = "closure_solution"
    counts: tuple[int, ...]
    sides: tuple[int | None, ...]
    redundant: bool
    least: tuple[float, ...]
    moving: bool = True

    def __call__(self, gravity: Array, *values: Any) -> tuple[Any, ...]:
        rest = iter(values)
        asked: list[Array] = []
        for count, side in zip(self.counts, self.sides, strict=True):
            s, Z = Spatial.zero() + next(rest), next(rest)
            linear = np.zeros((3, COLUMNS)) + (0 if isinstance(Z, int) else Z.linear)
            found = s.dense()
            if side is not None and self.moving:
                wrenches, bias = next(rest), next(rest)
                linear = linear + side * wrenches.linear
                found = found + stacked([*rows_of(bias), *rows_of(np.zeros((COLUMNS - count, 1)))])
            asked += rows_of(found - linear.mT @ gravity)[:count]
        S, r = _assembled(self.counts, list(rest)), -stacked(asked)
        pivot, forces = solved_forces(S, r, self.redundant, self.least)
        room = _room(r, r - S @ forces, _sizes(S)) if self.redundant else []
        return pivot, room, *by_group(self.counts, forces)


@final
@dataclass(frozen=True, slots=True)
class ClosureAnswer:
    """Level 6 - the closures' forces that take back what is asked, on the robot at rest (24.9).

    Λ_Q⁻¹ λ = -Φ    or    Λ_Q⁻¹ λ = -J_c v
    """

    __name__: ClassVar[str] = "closure_answer"
    counts: tuple[int, ...]
    redundant: bool
    least: tuple[float, ...]

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        groups, blocks = values[: len(self.counts)], values[len(self.counts) :]
        asked: list[Array] = []
        for count, group in zip(self.counts, groups, strict=True):
            column = (Spatial.zero() + group).dense() if isinstance(group, Spatial | int) else group
            asked += rows_of(column)[:count]
        pivot, forces = solved_forces(_assembled(self.counts, blocks), -stacked(asked), self.redundant, self.least)
        return pivot, *by_group(self.counts, forces)


def solved_forces(S: Array, r: Array, redundant: bool, least: Sequence[float]) -> tuple[Pivot, Array]:
    """The factors of Λ_Q⁻¹ = S, and λ with S λ = r; by corrections where rows are `redundant` (24.5).

    A pivot is judged beside its row's diagonal entry and `least`, what it has at least where nothing is singular.
    """
    diagonal = [S[..., i, i] for i in range(len(least))]
    scale = [SWEPT * (real(x) + own) for x, own in zip(diagonal, least, strict=True)]
    if not redundant:
        L, d, scale = factor(S, scale)
        return Pivot(S, L, d, scale), solve_factored(L, d, r)
    mean = sum(diagonal) / len(diagonal)
    unit = np.eye(len(diagonal))
    L, d, scale = factor(S + SOFTNESS * (S * unit + np.asarray(mean)[..., None, None] * unit), scale)
    forces = 0 * r
    for _ in range(CORRECTIONS):
        forces = forces + solve_factored(L, d, r - S @ forces)
    return Pivot(S, L, d, scale), forces


def _sizes(S: Array) -> list[Array]:
    """By what rows are measured: the diagonal of Λ_Q⁻¹ and its mean."""
    diagonal = [S[..., i, i] for i in range(S.shape[-1])]
    mean = sum(diagonal) / len(diagonal)
    return [x + mean for x in diagonal]


def by_group(counts: Sequence[int], forces: Array) -> list[Array]:
    """The forces of each group, six with its empty rows."""
    found, rows = [], iter(rows_of(forces))
    for count in counts:
        own = [next(rows) for _ in range(count)]
        found.append(stacked([*own, *rows_of(np.zeros((COLUMNS - count, 1)))]))
    return found


def _room(r: Array, left: Array, sizes: Sequence[Array]) -> list[Array]:
    """For each row a number that is positive if what is left of r there is next to nothing; no answer elsewhere."""
    asked, missed = (
        [real(x) * real(x) / real(size) for x, size in zip(_entries(y), sizes, strict=True)] for y in (r, left)
    )
    most = LEFT**2 * sum(asked) + SMALLEST
    return [guarded_pivot(most - x, 0.0) for x in missed]


def _entries(column: Array) -> list[Array]:
    return [column[..., i, 0] for i in range(column.shape[-2])]


def closed_innovation(joint: JointKind, nu: Array, *responses_forces: Array) -> tuple[Array]:
    """Level 6 - the innovations of a closed robot: those of the tree, and what the closures' forces add.

    ν_c(k) = ν(k) + D⁻¹(k) Y(k) λ
    """
    half = len(responses_forces) // 2
    for nu_Y, forces in zip(responses_forces[:half], responses_forces[half:], strict=True):
        nu = nu + nu_Y @ forces
    return (nu,)
