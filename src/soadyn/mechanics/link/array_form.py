"""Level 6 - the Riccati recursion in array form: roots of the articulated inertias instead of the inertias.

001 section X.B points to the numerical experience with such forms of Kalman's filter. Nothing is squared on the way, so
P(k) = S(k) S*(k) stays positive whatever the rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.block_operators import link_inertia_root
from soadyn.mechanics.link.crossing import Pivot, pivot_sizes
from soadyn.mechanics.spatial.arithmetic import (
    PIVOT_ROUNDINGS,
    ROUNDING,
    Array,
    beside,
    orthogonalized,
    real,
    sqrt,
    stacked,
)
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.root import InertiaRoot
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def array_crossing(
    joint: JointKind,
    phi: Transform,
    link_frame: Transform,
    H: Rows,
    M: Inertia,
    A_r: Array,
    load: Array,
    S_children: InertiaRoot | int,
) -> tuple[Pivot, Array, Spatial, InertiaRoot]:
    """Level 6 - one hinge of the array form, Q and Q' orthogonal (001 eqs. 34-40, section X.B).

    [M^½(k), φ(k,j) S⁺(j), ...] Q = [S(k), 0]
    [A_r^½, H S; 0, S] Q' = [D^½, 0; G D^½, S⁺]        at k
    """
    own = InertiaRoot(link_frame @ Spatial.of(link_inertia_root(link_frame, M)))
    S = (own + S_children).S
    nothing = np.zeros((6, joint.nv))
    before = _above(beside([sqrt(A_r), H @ S]), beside([nothing, S.dense()]))
    sizes = _sizes(joint, S, A_r, load)
    L, left = orthogonalized(before, joint.nv, sizes)
    root, gained, S_plus = L[..., : joint.nv, :], Spatial.of(L[..., joint.nv :, :]), Spatial.of(stacked(left))
    return _pivot(root, sizes), root, gained, InertiaRoot(phi @ S_plus)


def array_root_column(joint: JointKind, L: Array, GL: Spatial) -> tuple[Array, Spatial]:
    """Level 6 - the mass matrix's root at its diagonal, and what climbs to fill the column (000 eq. 5.1).

    m(k,k) = D^½(k),    m(i,k) = H(i) φ(i,k) G(k) D^½(k)
    """
    return L, GL


def _sizes(joint: JointKind, S: Spatial, A_r: Array, load: Array) -> list[Any]:
    """Beside what the squares of lengths are zero: lengths are rounded, so their squares by a rounding squared."""
    sizes = pivot_sizes(joint, S.angular @ S.angular.mT, S.linear @ S.linear.mT, A_r, load)
    return [PIVOT_ROUNDINGS * ROUNDING * size for size in sizes]


def _above(top: Array, bottom: Array) -> Array:
    return beside([top.mT, bottom.mT]).mT


def _pivot(L: Array, sizes: list[Any]) -> Pivot:
    """D(k) = L L*, with the sizes beside which its pivots are zero, as elimination finds them."""
    n = L.shape[-1]
    unit: list[list[Any]] = [[L[..., i, j] / L[..., j, j] if j < i else None for j in range(n)] for i in range(n)]
    scale = list(sizes)
    for j in range(n):
        for k in range(j):
            scale[j] = scale[j] + real(unit[j][k] * unit[j][k]) * scale[k]
    return Pivot(L @ L.mT, unit, [L[..., j, j] * L[..., j, j] for j in range(n)], scale)
