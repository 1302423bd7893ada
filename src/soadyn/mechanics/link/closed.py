"""Level 6 - what closures add to a link's share of the sweeps: columns of their forces, which climb to the base.

Steps that depend on what the closures are, not on numbers alone, are objects that hold it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.closures import ClosureRow, Sides, alignment, closure_bias, closure_error, closure_wrenches
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import (
    Array,
    beside,
    cross,
    rows_of,
    stacked,
)
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial

COLUMNS = 6  # of a group of rows


@final
@dataclass(frozen=True, slots=True)
class CutError:
    """Level 6 - how far a cut is from being closed, row by row.

    Φ
    """

    __name__: ClassVar[str] = "cut_error"
    rows: tuple[ClosureRow, ...]

    def __call__(self, pose_i: Transform, x: Transform, pose_j: Transform, y: Transform) -> tuple[Array]:
        return (closure_error(self.rows, Sides(pose_i.then(x), pose_j.then(y))),)


@final
@dataclass(frozen=True, slots=True)
class CutAlignment:
    """Level 6 - positive if the axes of a cut's frames point the right way.

    Σ xₐ* yₐ    over the axes that a dot holds together
    """

    __name__: ClassVar[str] = "cut_alignment"
    rows: tuple[ClosureRow, ...]

    def __call__(self, pose_i: Transform, x: Transform, pose_j: Transform, y: Transform) -> tuple[Array]:
        return (alignment(self.rows, Sides(pose_i.then(x), pose_j.then(y))),)


@final
@dataclass(frozen=True, slots=True)
class CutWrenches:
    """Level 6 - the wrenches of a cut's rows along the world's axes, and the point y at which they act.

    Q* = [w₁, w₂, ...]
    """

    __name__: ClassVar[str] = "cut_wrenches"
    rows: tuple[ClosureRow, ...]

    def __call__(self, pose_i: Transform, x: Transform, pose_j: Transform, y: Transform) -> tuple[Spatial, Array]:
        at = Sides(pose_i.then(x), pose_j.then(y))
        empty = Spatial(*(np.zeros((3, COLUMNS - len(self.rows))) for _ in range(2)))
        return Spatial.beside([closure_wrenches(self.rows, at), empty]), at.y.l


@final
@dataclass(frozen=True, slots=True)
class CutBias:
    """Level 6 - what the rate of a cut's rows does while no link accelerates.

    a_Q = ẇ* V_δ + w_v* {ω̃(j) ω̃(j) l(j,y) - ω̃(i) [v(y) - v(i)]}
    """

    __name__: ClassVar[str] = "cut_bias"
    rows: tuple[ClosureRow, ...]

    def __call__(
        self, pose_i: Transform, V_i: Spatial, x: Transform, pose_j: Transform, V_j: Spatial, y: Transform
    ) -> tuple[Array]:
        return (closure_bias(self.rows, pose_i, V_i, pose_j, V_j, Sides(pose_i.then(x), pose_j.then(y))),)


@final
@dataclass(frozen=True, slots=True)
class CutDrift:
    """Level 6 - what the rate of a cut's rows does while no joint accelerates.

    J̇_c v = w* [φ*(j,y) α(j) - φ*(i,y) α(i)] + a_Q
    """

    __name__: ClassVar[str] = "cut_drift"
    rows: tuple[ClosureRow, ...]

    def __call__(
        self,
        pose_i: Transform,
        V_i: Spatial,
        alpha_i: Spatial,
        x: Transform,
        pose_j: Transform,
        V_j: Spatial,
        alpha_j: Spatial,
        y: Transform,
    ) -> tuple[Array]:
        at = Sides(pose_i.then(x), pose_j.then(y))
        seen = []
        for pose, alpha in ((pose_i, alpha_i), (pose_j, alpha_j)):
            turning = pose.R @ alpha.angular
            seen.append(Spatial(turning, pose.R @ alpha.linear + cross(turning, at.y.l - pose.l)))
        bias = closure_bias(self.rows, pose_i, V_i, pose_j, V_j, at)
        return (closure_wrenches(self.rows, at).mT @ (seen[1] - seen[0]) + bias,)


def cut_forces(
    joint: JointKind, pose: Transform, wrenches: Spatial, y: Array, at_x: Array, at_y: Array
) -> tuple[Spatial]:
    """Level 6 - unit forces of a cut as forces on the links: at y on the one, their opposites there on the other.

    [BQ*](j) = φ(j,y) Q*,    [BQ*](i) = -φ(i,y) Q*
    """
    sign = at_y - at_x
    moment = wrenches.angular + cross(y - pose.l, wrenches.linear)
    back = pose.R.mT
    return (Spatial(sign * (back @ moment), sign * (back @ wrenches.linear)),)


def cut_columns(pose: Transform, H: Rows, wrenches: Spatial, y: Array, on_x: Array, on_y: Array) -> Array:
    """A joint's columns of a cut's Jacobian, (..., 6, nv)."""
    column = H.mT.rotated(pose.R)
    at_y = Spatial(column.angular, column.linear + cross(column.angular, y - pose.l))
    return (on_y - on_x) * (wrenches.mT @ at_y)


@final
@dataclass(frozen=True, slots=True)
class Coupled:
    """Level 6 - a joint's share of couplings: of their errors, its row of their Jacobian, its share of their drift.

    Φ = Σₖ polyₖ(θₖ),    E_c(k) = polyₖ′(θₖ),    a_Q = Σₖ polyₖ″(θₖ) v²(k)
    """

    __name__: ClassVar[str] = "coupled"
    degrees: tuple[int, ...]

    def __call__(self, joint: JointKind, q: Array, v: Array, *coefficients: Array) -> tuple[Spatial, Array, Spatial]:
        error, row, drift = ([np.zeros((joint.nv, 1))] * COLUMNS for _ in range(3))
        if joint.nq == joint.nv == 1:
            theta, rest = q[..., None], iter(coefficients)
            for c, degree in enumerate(self.degrees):
                poly = [next(rest) for _ in range(degree + 1)]
                slope = [power * a for power, a in enumerate(poly)][1:]
                bend = [power * a for power, a in enumerate(slope)][1:]
                error[c], row[c], drift[c] = _horner(poly, theta), _horner(slope, theta), _horner(bend, theta) * v * v
        return _as_spatial(error, joint), beside(row), _as_spatial(drift, joint)


def _horner(poly: Sequence[Array], theta: Array) -> Array:
    value = np.zeros((1, 1))
    for coefficient in reversed(poly):
        value = value * theta + coefficient
    return value


def _as_spatial(numbers: Sequence[Array], joint: JointKind) -> Spatial:
    """Six numbers of a joint with one component, or zeros."""
    if joint.nv != 1:
        return Spatial.zero()
    return Spatial.of(stacked([x[..., 0, :] for x in numbers]))


def summed(joint: JointKind, share: Spatial, s_children: Spatial | int) -> tuple[Spatial]:
    """Level 6 - the shares of all links on the way to the base.

    s = Σₖ s(k)
    """
    return (share + s_children,)


def cut_response(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    D: Pivot,
    G: Spatial,
    a: Spatial,
    nu: Array,
    f_Q: Spatial,
    Z_children: Spatial | int,
    s_children: Spatial | int,
) -> tuple[Array, Array, Spatial, Spatial]:
    """Level 6 - the filter of a cut's unit forces, and what the free motion does to the cut.

    Z(k) = [BQ*](k) + Σⱼ φ(k,j) Z⁺(j),    Y(k) = H(k) Z(k),    Z⁺(k) = Z(k) - G(k) Y(k)
    s    = Σₖ Y*(k) ν(k) + Z⁺*(k) a(k)
    """
    Z = f_Q + Z_children
    return _filtered(phi, G, D, a, nu, Z, H @ Z, s_children)


def coupling_response(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    D: Pivot,
    G: Spatial,
    a: Spatial,
    nu: Array,
    E: Array,
    drift: Spatial,
    Z_children: Spatial | int,
    s_children: Spatial | int,
) -> tuple[Array, Array, Spatial, Spatial]:
    """Level 6 - the filter of couplings' unit forces, and what the free motion does to the couplings.

    Z(k) = Σⱼ φ(k,j) Z⁺(j),    Y(k) = H(k) Z(k) + E_c*(k),    Z⁺(k) = Z(k) - G(k) Y(k)
    s    = Σₖ Y*(k) ν(k) + Z⁺*(k) a(k) + a_Q(k)
    """
    Z = Spatial(np.zeros((3, COLUMNS)), np.zeros((3, COLUMNS))) + Z_children
    return _filtered(phi, G, D, a, nu, Z, H @ Z + E, drift + s_children)


def _filtered(
    phi: Transform, G: Spatial, D: Pivot, a: Spatial, nu: Array, Z: Spatial, Y: Array, s: Spatial | int
) -> tuple[Array, Array, Spatial, Spatial]:
    Z_plus = Z - G @ Y
    return Y, D.solve(Y), phi @ Z_plus, Spatial.of(Y.mT @ nu + Z_plus.mT @ a) + s


@final
@dataclass(frozen=True, slots=True)
class RowsTogether:
    """Level 6 - the rows of all groups in the closures' order; `kept` are those that a group has, of its `counts`.

    λ, Φ or J̇_c v, zero in rows that are left out
    """

    __name__: ClassVar[str] = "rows_together"
    counts: tuple[int, ...]
    kept: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    def __call__(self, *groups: Any) -> tuple[Array]:
        rows: list[Array] = []
        rest = iter(groups)
        for count, kept in zip(self.counts, self.kept, strict=True):
            group = next(rest) if kept else 0
            column = (Spatial.zero() + group).dense() if isinstance(group, Spatial | int) else group
            own = dict(zip(kept, rows_of(column), strict=False))
            rows += [own.get(i, np.zeros(1)) for i in range(count)]
        return (stacked([rows[i] for i in np.argsort(self.order)]),)


@final
@dataclass(frozen=True, slots=True)
class ClosureColumns:
    """Level 6 - a joint's columns of the closures' Jacobian.

    J_c(k) = Q [on(y) - on(x)] φ*(k,y) H*(k) + E_c(k)
    """

    __name__: ClassVar[str] = "closure_columns"
    counts: tuple[int, ...]
    cuts: tuple[bool, ...]
    order: tuple[int, ...]

    def __call__(self, joint: JointKind, pose: Transform, H: Rows, *values: Any) -> tuple[Array]:
        rest, rows = iter(values), []
        for count, is_cut in zip(self.counts, self.cuts, strict=True):
            block = cut_columns(pose, H, *(next(rest) for _ in range(4))) if is_cut else next(rest).mT
            rows += rows_of(block)[:count]
        return (stacked([rows[i] for i in np.argsort(self.order)]),)


@final
@dataclass(frozen=True, slots=True)
class CutWrench:
    """Level 6 - the wrench of a cut at the point y on the link of y, along the world's axes.

    f = Q* λ    (its rows of λ, from `first` on)
    """

    __name__: ClassVar[str] = "cut_wrench"
    first: int
    count: int

    def __call__(self, wrenches: Spatial, forces: Array) -> tuple[Spatial]:
        own = forces[..., self.first : self.first + self.count, :]
        return (Spatial(wrenches.angular[..., : self.count] @ own, wrenches.linear[..., : self.count] @ own),)
