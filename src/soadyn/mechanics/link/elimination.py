"""Level 6 - closures eliminated at a common ancestor of what they hold, their home (24.3, algorithm 8).

Below its home c a closure is  Zₑ* α(c) + Λₑₑ⁻¹ λₑ + Λₑₒ⁻¹ λₒ + sₑ = 0,  o: the others. Resolved there, it leaves

    P(c) += Zₑ Λₑₑ Zₑ*,    z(c) += Zₑ Λₑₑ sₑ,    Zₒ -= Zₑ Λₑₑ Λₑₒ⁻¹,    Λₒₒ⁻¹ -= Λₒₑ⁻¹ Λₑₑ Λₑₒ⁻¹,  sₒ -= Λₒₑ⁻¹ Λₑₑ sₑ

to the links inboard. For straight-line code alone: which link is a home is known there, and zero columns cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar, final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link import crossing, motion
from soadyn.mechanics.link.closed import COLUMNS, cut_columns, cut_forces
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.link.operational import SWEPT
from soadyn.mechanics.spatial.arithmetic import Array, factor, real, symmetric
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def pose_from_home(joint: JointKind, phi: Transform, at_home: float, pose_parent: Transform) -> tuple[Transform]:
    """Level 6 - the pose of a link as seen from the home of a closure that it is part of.

    φ(c,k) = φ(c,p) φ(p,k),    φ(c,c) = I
    """
    return (Transform.identity() if at_home == 1.0 else pose_parent.then(phi),)


def at_home_alone(joint: JointKind, at_home: float, forces: Array) -> tuple[Spatial]:
    """Level 6 - the forces of a closure at its home, nothing elsewhere."""
    return (Spatial.of(forces) if at_home == 1.0 else Spatial.zero(),)


def motion_from_home(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    v: Array,
    vdot: Array,
    at_home: float,
    V_parent: Spatial,
    alpha_parent: Spatial,
) -> tuple[Spatial, Spatial]:
    """Level 6 - how a link moves as seen from the home of a closure that it is part of.

    V(k) = φ*(p,k) V(p) + H*(k) v(k),    α(k) = φ*(p,k) α(p) + H*(k) v̇(k) + a(k),    V(c) = α(c) = 0
    """
    if at_home == 1.0:
        return Spatial.zero(), Spatial.zero()
    V, a = motion.velocity(joint, phi, H, v, V_parent)
    return V, motion.acceleration(joint, phi, H, vdot, a, alpha_parent)[0]


def coupling_acceleration(joint: JointKind, E: Array, drift: Spatial, vdot: Array) -> tuple[Spatial]:
    """Level 6 - a joint's share of what the rates of couplings do.

    E_c(k) v̇(k) + a_Q(k)
    """
    return (Spatial.of(E.mT @ vdot) + drift,)


@final
@dataclass(frozen=True, slots=True)
class LoopForces:
    """Level 6 - what forces of the closures do at a joint; of each group its numbers among all rows.

    [J_c* λ](k) = H(k) φ(k,y) Q* λ - H(k) φ(k,x) Q* λ + E_c*(k) λ
    """

    __name__: ClassVar[str] = "loop_forces"
    rows: tuple[tuple[int, ...], ...]
    cuts: tuple[bool, ...]

    def __call__(self, joint: JointKind, H: Rows, forces: Array, *values: Any) -> tuple[Array]:
        rest = iter(values)
        found: Any = np.zeros((joint.nv, 1))
        for rows, is_cut in zip(self.rows, self.cuts, strict=True):
            own = forces[..., list(rows), :]
            if is_cut:
                pose, wrenches, y, on_x, on_y = (next(rest) for _ in range(5))
                if type(on_x) is float and on_x == on_y:  # outside the loop: both sides push alike
                    continue
                columns = cut_columns(pose, H, wrenches, y, on_x, on_y)
            else:
                columns = next(rest).mT
            found = found + columns[..., : len(rows), :].mT @ own
        return (found,)


def no_gravity(gravity: Array) -> tuple[Array]:
    """Level 6 - nothing in place of gravity."""
    return (0 * gravity,)


def no_forces(gravity: Array) -> Array:
    """Closures that have a home have no forces inboard of it."""
    return np.zeros((COLUMNS, 1))


@final
@dataclass(frozen=True, slots=True)
class RowGroup:
    """How many rows of closures stand together, whether they are a cut's and have a home, what they answer at least."""

    count: int
    is_cut: bool
    has_home: bool
    least: tuple[float, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Eliminated:
    """What became of group e at its home: Λₑₑ factored, Λₑₑ Zₑ*, and Λₑₑ Λₑₒ⁻¹ of the other groups."""

    e: int
    pivot: Pivot
    to_alpha: Array
    to_others: Mapping[int, Array]


@final
@dataclass(frozen=True, slots=True)
class ClosedCrossing:
    """Level 6 - the Riccati recursion and the filter of the closures' unit forces.

    P(k) = M(k) + Σⱼ φ(k,j) P⁺(j) φ*(k,j) + Σₑ Zₑ Λₑₑ Zₑ*    over the closures e whose home is k
    Z(k) = [BQ*](k) + Σⱼ φ(k,j) Z⁺(j),    Y(k) = H(k) Z(k) + E_c*(k),    Z⁺(k) = Z(k) - G(k) Y(k)
    Λ⁻¹ += Y*(k) D⁻¹(k) Y(k)
    """

    __name__: ClassVar[str] = "closed_crossing"
    groups: tuple[RowGroup, ...]

    def __call__(
        self,
        joint: JointKind,
        phi: Transform,
        H: Rows,
        M: Inertia,
        A_r: Array,
        load: Array,
        P_children: ArticulatedInertia | int,
        *values: Any,
    ) -> tuple[Any, ...]:
        rest, Z, E, homes = iter(values), {}, {}, []
        for g, group in enumerate(self.groups):
            if group.has_home and next(rest) == 1.0:
                homes.append(g)
            own: Spatial | int = 0
            if group.is_cut:
                pose, wrenches, y, at_x, at_y = (next(rest) for _ in range(5))
                if at_x != 0.0 or at_y != 0.0:
                    (own,) = cut_forces(joint, pose, wrenches, y, at_x, at_y)
            else:
                E[g] = next(rest)
            Z[g] = own + next(rest)
        S = {pair: next(rest) for pair in _pairs(self.groups)}
        eliminated, stiffer = [], P_children
        for e in homes:
            found = _eliminated(e, self.groups[e], Z, S)
            stiffer = _stiffness(Z[e], found) + stiffer
            Z[e] = 0
            eliminated.append(found)
        one = np.ones((joint.nv, 1))
        _, D, G, P_plus, phi_P = crossing.articulated_inertia(joint, phi, H, M, A_r, load, one, stiffer)
        columns: list[Any] = []
        Y: dict[int, Array] = {}
        nu_Y: dict[int, Array] = {}
        for g in range(len(self.groups)):
            response = H @ Z[g] if Z[g] != 0 else 0
            if g in E and not _is_nothing(E[g]):
                response = response + E[g]
            if isinstance(response, int):
                columns += [0, 0, 0, 0]
                continue
            Y[g], nu_Y[g] = response, D.solve(response)
            Z_plus = Z[g] - G @ response if Z[g] != 0 else Spatial.zero() - G @ response
            columns += [Y[g], nu_Y[g], Z_plus, phi @ Z_plus]
        for e, f in S:
            if e in Y and f in Y:
                S[e, f] = S[e, f] + Spatial.of(Y[e].mT @ nu_Y[f])
        return D, G, P_plus, phi_P, tuple(eliminated), *columns, *S.values()


def _pairs(groups: Sequence[RowGroup]) -> Iterator[tuple[int, int]]:
    return combinations_with_replacement(range(len(groups)), 2)


def _is_nothing(values: Array) -> bool:
    return all(isinstance(x, float) and x == 0.0 for x in np.asarray(values).flat)


Blocks = dict[tuple[int, int], Any]


def _eliminated(e: int, group: RowGroup, Z: dict[int, Any], S: Blocks) -> Eliminated:
    """Group e resolved: Z and Λ⁻¹ of the others are changed, its own end."""
    n = group.count
    own = S[e, e].dense()[..., :n, :n]
    scale = [SWEPT * (real(own[..., i, i]) + least) for i, least in enumerate(group.least)]
    pivot = Pivot(own, *factor(own, scale))
    Z_e = _first(Z[e], n)
    to_others = {}
    for o in Z:
        block = _block(S, e, o)
        if o != e and not (isinstance(block, int) or _is_nothing(block)):
            to_others[o] = pivot.solve(block[..., :n, :])
    for o, to_o in to_others.items():
        Z[o] = Z[o] - Spatial.of(Z_e @ to_o)
        for p, to_p in to_others.items():
            if o <= p:
                S[o, p] = Spatial.of(-(_block(S, e, o)[..., :n, :].mT @ to_p)) + S[o, p]
    for pair in S:
        if e in pair:
            S[pair] = 0
    return Eliminated(e, pivot, pivot.solve(Z_e.mT), to_others)


def _first(columns: Spatial, n: int) -> Array:
    return columns.dense()[..., :n]


def _block(S: Blocks, e: int, f: int) -> Any:
    """The block (e, f) of Λ⁻¹; only those with e <= f are kept."""
    found = S[min(e, f), max(e, f)]
    if isinstance(found, int):
        return 0
    return found.dense() if e <= f else found.dense().mT


def _stiffness(Z: Spatial, found: Eliminated) -> ArticulatedInertia:
    """Zₑ Λₑₑ Zₑ*: what a loop adds to the inertia of its home."""
    P = _first(Z, found.to_alpha.shape[-2]) @ found.to_alpha
    return ArticulatedInertia(symmetric(P[..., :3, :3]), P[..., :3, 3:], symmetric(P[..., 3:, 3:]))


@final
@dataclass(frozen=True, slots=True)
class ClosedInnovation:
    """Level 6 - the filter with what the free motion does to the closures.

    z(k) = b(k) - f_x(k) + Σⱼ φ(k,j) z⁺(j) + Σₑ Zₑ Λₑₑ sₑ    over the closures e whose home is k
    s    = a_Q + Σₖ Y*(k) ν(k) + Z⁺*(k) a(k)

    At rest, `moving` being False, there is no a_Q.
    """

    __name__: ClassVar[str] = "closed_innovation"
    groups: tuple[RowGroup, ...]
    moving: bool = True

    def __call__(
        self,
        joint: JointKind,
        phi: Transform,
        H: Rows,
        D: Pivot,
        G: Spatial,
        P_plus: ArticulatedInertia,
        a: Spatial,
        b: Spatial,
        f_external: Spatial,
        tau: Array,
        eliminated: tuple[Eliminated, ...],
        z_children: Spatial | int,
        *values: Any,
    ) -> tuple[Any, ...]:
        rest = iter(values)
        bias: dict[int, Any] = {}
        Y, Z_plus, s = {}, {}, {}
        for g, group in enumerate(self.groups):
            Y[g], Z_plus[g], found = next(rest), next(rest), next(rest)
            if self.moving and group.is_cut and group.has_home:
                bias[g] = next(rest)
            elif self.moving and not group.is_cut:
                found = next(rest) + found
            s[g] = found
        moved = []
        for each in eliminated:
            n = self.groups[each.e].count
            r = (Spatial.zero() + s[each.e]).dense()[..., :n, :]
            if each.e in bias:
                r = r + bias[each.e]
            z_children = Spatial.of(each.to_alpha.mT @ r) + z_children
            for o, to_o in each.to_others.items():
                s[o] = Spatial.of(-(to_o.mT @ r)) + s[o]
            s[each.e] = 0
            moved.append(each.pivot.solve(r))
        one, none = np.ones((joint.nv, 1)), np.zeros((joint.nv, 1))
        _, nu, phi_z = crossing.innovation(joint, phi, H, D, G, P_plus, a, b, f_external, none, tau, one, z_children)
        for g in s:
            if not isinstance(Y[g], int):
                s[g] = Spatial.of(Y[g].mT @ nu + Z_plus[g].mT @ a) + s[g]
        return nu, phi_z, tuple(moved), *s.values()


@final
@dataclass(frozen=True, slots=True)
class ClosedMotion:
    """Level 6 - the smoother; at a closure's home its forces.

    θ̈(k) = ν(k) + D⁻¹(k) Y(k) λ - G*(k) α⁺(k),    α(k) = α⁺(k) + H*(k) θ̈(k)
    λₑ   = -Λₑₑ [Zₑ* α(c) + sₑ + Λₑₒ⁻¹ λₒ]                    over the closures e whose home is c = k
    """

    __name__: ClassVar[str] = "closed_motion"
    groups: tuple[RowGroup, ...]

    def __call__(
        self,
        joint: JointKind,
        phi: Transform,
        H: Rows,
        G: Spatial,
        a: Spatial,
        nu: Array,
        eliminated: tuple[Eliminated, ...],
        moved: tuple[Array, ...],
        alpha_parent: Spatial,
        *values: Any,
    ) -> tuple[Any, ...]:
        half = len(self.groups)
        forces = dict(enumerate(values[half:]))
        for nu_Y, force in zip(values[:half], forces.values(), strict=True):
            nu = nu + nu_Y @ force if not isinstance(nu_Y, int) else nu
        alpha_plus = phi.mT @ alpha_parent + a
        theta_ddot = nu - G.mT @ alpha_plus
        alpha = alpha_plus + H.mT @ theta_ddot
        for each, found in zip(reversed(eliminated), reversed(moved), strict=True):
            left = each.to_alpha @ alpha.dense() + found
            for o, to_o in each.to_others.items():
                left = left + to_o @ forces[o]
            n = self.groups[each.e].count
            empty = np.zeros((*left.shape[:-2], COLUMNS - n, left.shape[-1]))
            forces[each.e] = np.concatenate([-left, empty], axis=-2)
        carried = (force for group, force in zip(self.groups, forces.values(), strict=True) if group.has_home)
        return theta_ddot, alpha, *carried
