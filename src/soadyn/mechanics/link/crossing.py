"""Level 6 - the joint crossing: articulated inertia and the masked recursion of forward, inverse and hybrid dynamics.

The mask is 1 for a passive component (its force is known, its acceleration is not) and 0 for an active one; given
values of the unknowns are ignored. All passive is the articulated-body recursion, all active the composite-body one
(004 section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, column, factor, log, matrix, maximum, real, solve_factored, sqrt
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pivot:
    """D(k) with its factors L and d; D(k) is singular where a pivot in d is nothing beside its `scale`."""

    D: Array
    L: list[list[Any]]
    d: list[Any]
    scale: list[Any]

    def solve(self, B: Array) -> Array:
        """D⁻¹ B."""
        return solve_factored(self.L, self.d, B)

    def root(self) -> Array:
        """D^½ = L √d, the lower Cholesky factor."""
        roots = [sqrt(d) for d in self.d]
        n = len(roots)
        below = [[roots[j] * self.L[i][j] if j < i else 0 for j in range(n)] for i in range(n)]
        return matrix([[*row[:i], roots[i], *row[i + 1 :]] for i, row in enumerate(below)])


def articulated_inertia(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    load: Array,
    passive: Array,
    P_children: ArticulatedInertia | int,
) -> tuple[ArticulatedInertia, Pivot, Spatial, ArticulatedInertia, ArticulatedInertia]:
    """Level 6 - the Riccati recursion (001 eqs. 34-40; 004 eq. 4.6), rows of H masked to the passive ones.

    P(k)  = M(k) + Σⱼ φ(k,j) P⁺(j) φ*(k,j)      [001 (34)-(35)]
    D(k)  = H(k) P(k) H*(k) + A_r(k)            [001 (36)-(37)]
    G(k)  = P(k) H*(k) D⁻¹(k)                   [001 (36)-(37)]
    P⁺(k) = P(k) - G(k) D(k) G*(k)              [001 (38)-(40)]
    """
    P = M.articulated() + P_children
    H_p = H.scaled(passive)
    PH = P @ H_p.mT
    # An active component gets the pivot 1 and, its row of H being zero, no gain.
    D = H_p @ PH + np.eye(joint.nv) * (passive * (A_r @ passive) + (1 - passive))
    scale = [passive[..., i, 0] * size for i, size in enumerate(pivot_sizes(joint, P.A, P.C, A_r, load))]
    pivot = Pivot(D, *factor(D, scale))
    G = Spatial.of(pivot.solve(PH.dense().mT).mT)
    P_plus = _updated(joint, P, A_r, passive, G, PH)
    return P, pivot, G, P_plus, phi.shift(P_plus)


def _updated(
    joint: JointKind, P: ArticulatedInertia, A_r: Array, passive: Array, G: Spatial, PH: Spatial
) -> ArticulatedInertia:
    """P⁺ = P - G D G*, whose rows along a passive joint are H P⁺ = A_r G*.

    The difference would leave rounding errors of P in those rows; as A_r G* they vanish exactly without armature.
    """
    P_plus = P.less(G, PH)
    picked = {i: place for i, place in enumerate(joint.picks) if place is not None}
    if not picked:
        return P_plus
    components, places = list(picked), list(picked.values())
    if joint.nv == 1:
        active = P.dense()[..., places, :] - PH.mT.dense()  # (1 - passive) P in one operation
    else:
        active = (1 - passive[..., components, :]) * P_plus.dense()[..., places, :]
    return P_plus.with_rows(places, active + (A_r @ G.mT.dense())[..., components, :])


def pivot_scale(joint: JointKind, R: Inertia, A_r: Array, load: Array) -> tuple[Array]:
    """Level 6 - beside what the pivots of the mass matrix are zero, where composite bodies are known."""
    return (column(*pivot_sizes(joint, R.J, R.m * np.eye(3), A_r, load)),)


def pivot_sizes(joint: JointKind, angular: Array, linear: Array, A_r: Array, load: Array) -> list[Any]:
    """For each component the largest diagonal entry of the block of its kind, plus the link's load and armature.

    Zero if D(k) cannot be singular, which the third number of `load` says.
    """
    size = {
        "angular": _largest_diagonal(angular) + load[..., 0],
        "linear": _largest_diagonal(linear) + load[..., 1],
    }
    return [load[..., 2] * (size[kind] + A_r[..., i, i]) for i, kind in enumerate(joint.components)]


def _largest_diagonal(block: Array) -> Array:
    x, y, z = (real(block[..., i, i]) for i in range(3))
    return maximum(maximum(x, y), z)


def innovation(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    D: Pivot,
    G: Spatial,
    P_plus: ArticulatedInertia,
    a: Spatial,
    b: Spatial,
    f_external: Spatial,
    vdot: Array,
    tau: Array,
    passive: Array,
    z_children: Spatial | int,
) -> tuple[Spatial, Array, Spatial]:
    """Level 6 - the filter: predicted force, innovation, updated force (001 eqs. 67-70; 004 eq. 5.4a).

    z(k)  = Σⱼ φ(k,j) z⁺(j) + b(k) - f_x(k)
    ε(k)  = T(k) - H(k) z(k),    ν(k) = D⁻¹(k) ε(k)        (passive components)
    z⁺(k) = z(k) + P⁺(k) [ a(k) + H*(k) θ̈_active(k) ] + G(k) ε(k)

    This z is that of 004 less P [a + H* θ̈_active]: since (I - G H) P = P⁺, the cheaper P⁺ carries those terms inward.
    """
    z = b - f_external + z_children
    epsilon = passive * (tau - H @ z)
    known = (1 - passive) * vdot
    return z, D.solve(epsilon), phi @ (P_plus @ (a + H.mT @ known) + z + G @ epsilon)


def smoothed_motion(
    joint: JointKind,
    phi: Transform,
    H: Rows,
    P: ArticulatedInertia,
    A_r: Array,
    G: Spatial,
    a: Spatial,
    z: Spatial,
    nu: Array,
    vdot: Array,
    tau: Array,
    passive: Array,
    alpha_parent: Spatial,
) -> tuple[Array, Array, Spatial]:
    """Level 6 - the smoother: accelerations of passive, forces of active components (001 eqs. 71-73; 004 eq. 5.4b).

    α⁺(k) = φ*(p,k) α(p) + a(k) + H*(k) θ̈_active(k)
    θ̈(k)  = ν(k) - G*(k) α⁺(k)                                 (passive components)
    α(k)  = α⁺(k) + H*(k) θ̈_passive(k)
    T(k)  = H(k) [ P(k) α(k) + z(k) ] + A_r(k) θ̈(k)             (active components)
    """
    known = (1 - passive) * vdot
    alpha_plus = phi.mT @ alpha_parent + a + H.mT @ known
    found = passive * (nu - G.mT @ alpha_plus)
    alpha = alpha_plus + H.mT @ found
    theta_ddot = found + known
    return theta_ddot, passive * tau + (1 - passive) * (H @ (P @ alpha + z) + A_r @ theta_ddot), alpha


def factor_column(joint: JointKind, G: Spatial) -> tuple[Array, Spatial]:
    """Level 6 - the innovations factor at its diagonal, and the gain that climbs to fill the column (001 eq. 43).

    A(k,k) = I,    A(i,k) = H(i) φ(i,k) G(k)
    """
    return np.eye(joint.nv), G


def root_column(joint: JointKind, D: Pivot, G: Spatial) -> tuple[Array, Spatial]:
    """Level 6 - the mass matrix's root at its diagonal, and what climbs to fill the column (000 eq. 5.1).

    m(k,k) = D^½(k),    m(i,k) = H(i) φ(i,k) G(k) D^½(k)
    """
    root = D.root()
    return root, G @ root


def pivot_block(joint: JointKind, D: Pivot) -> tuple[Array]:
    """Level 6 - D(k) as a plain matrix (001 eq. 36).

    D(k) = H(k) P(k) H*(k) + A_r(k)
    """
    return (D.D,)


def pivot_numbers(joint: JointKind, D: Pivot) -> tuple[Array]:
    """Level 6 - Cholesky's pivots of D(k), whose product is its determinant.

    D(k) = L diag(d) L*
    """
    return (column(*D.d),)


def log_pivots(joint: JointKind, D: Pivot) -> tuple[Array]:
    """Level 6 - a joint's share of the logarithm of the mass matrix's determinant.

    ln det D(k)
    """
    return (matrix([[sum(log(d) for d in D.d)]]),)
