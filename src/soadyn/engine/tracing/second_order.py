"""Second derivatives of inverse and forward dynamics, from how the first ones of inverse dynamics change with q.

Axes are the result, the first and the second direction: T_qq[i,j,k] = ∂_k ∂_j T_i, M_q[i,j,k] = ∂_k M_ij, where ∂_k is
along joint component k. Components of a spherical or free joint do not commute: ∂_j ∂_k - ∂_k ∂_j = Σ_l ad(j)_lk ∂_l,
ad(j) being the joint's bracket with component j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.model import Model

Second = tuple[Array, Array, Array, Array]
# Where a joint's components stand in v, and ad(j)_lk of them, axes j, l, k.
Bracket = tuple[slice, Array]


@final
@dataclass(frozen=True, slots=True, eq=False)
class InverseChanges:
    """T_q, T_v and the mass matrix M, each (..., nv, nv), and how they change with q, each (..., nv, nv, nv).

    Arrays hold numbers, with batch axes in front, or recorded scalars. Of T_qq only the half j <= k is read, and M is
    symmetric. `brackets` are the joints whose components do not commute; `A_r` is the armature, (nv, nv).
    """

    T_q: Array
    T_v: Array
    M: Array
    T_qq: Array
    T_vq: Array
    M_q: Array
    brackets: tuple[Bracket, ...]
    A_r: Array

    @staticmethod
    def of(model: Model, first: Sequence[Array], by_q: Sequence[Array]) -> InverseChanges:
        """From T_q, T_v and M, and from how each of them changes with q."""
        (T_q, T_v, M), (T_qq, T_vq, M_q) = first, by_q
        return InverseChanges(T_q, T_v, M, T_qq, T_vq, M_q, _brackets(model), _armature(model))

    def second(self) -> Second:
        """T_qq, T_vq, T_vv and T_aq = M_q."""
        return self._both_orders(self.T_qq, self.T_q), self.T_vq, self._by_rates(), self.M_q

    def solved(self, M_inverse: Array) -> Second:
        """θ̈_qq, θ̈_vq, θ̈_vv and θ̈_τq, by differentiating τ = T(q, v, θ̈) twice at its solution θ̈.

        θ̈_q = -M⁻¹ T_q,    θ̈_v = -M⁻¹ T_v
        θ̈_qq = -M⁻¹ { T_qq[:,j,k] + M_q[:,:,k] θ̈_q[:,j] + M_q[:,:,j] θ̈_q[:,k] }
        θ̈_vq = -M⁻¹ { T_vq[:,j,k] + M_q[:,:,k] θ̈_v[:,j] },    θ̈_vv = -M⁻¹ T_vv,    θ̈_τq = -M⁻¹ M_q[:,:,k] M⁻¹
        """
        a_q, a_v = -(M_inverse @ self.T_q), -(M_inverse @ self.T_v)
        moved = self._mass_changes(a_q)
        left = self.T_qq + moved
        left += moved.mT
        qq = _times(-M_inverse, left)
        vq = _times(-M_inverse, self.T_vq + self._mass_changes(a_v))
        vv = _times(-M_inverse, self._by_rates())
        uq = M_inverse[..., None, :, :] @ _times(-M_inverse, self.M_q)  # symmetric in i and j
        return self._both_orders(qq, a_q), vq, vv, _first_last(_mirrored(_last_first(uq)))

    def _mass_changes(self, a: Array) -> Array:
        """Σ_m a[m,j] M_q[m,i,k], axes i, j, k."""
        return np.swapaxes(_times(a.mT, self.M_q), -3, -2)

    def _by_rates(self) -> Array:
        """T_vv. The forces of the motion are quadratic in v, and Hamel's equations say how they follow from M:

        T_vv[i,j,k] = ∂_k M_ij + ∂_j M_ik - ∂_i M_jk + Σ_l { ad(i)_lj (M - A_r)_lk + ad(i)_lk (M - A_r)_lj }

        An armature resists accelerations only.
        """
        found = self.M_q + self.M_q.mT
        found -= _last_first(self.M_q)
        for at, ad in self.brackets:
            gyroscopic = ad.mT @ (self.M - self.A_r)[..., None, at, :]
            found[..., at, at, :] += gyroscopic
            found[..., at, :, at] += gyroscopic.mT
        return found

    def _both_orders(self, qq: Array, first: Array) -> Array:
        """∂_k ∂_j x for all j and k from those with j <= k, and from ∂x, which is `first`.

        ∂_k ∂_j x = ∂_j ∂_k x - Σ_l ad(j)_lk ∂_l x
        """
        found = _mirrored(qq)
        for at, ad in self.brackets:
            later = np.tril(np.ones(ad.shape[-2:]), -1)  # j > k
            found[..., at, at] -= later * np.moveaxis(first[..., None, :, at] @ ad, -3, -2)
        return found


def _brackets(model: Model) -> tuple[Bracket, ...]:
    kinds = [joint.behaviour for joint in model.joints]
    found = [(at, kind.bracket(np.eye(kind.nv))) for at, kind in zip(model.v_slices, kinds, strict=True)]
    return tuple((at, ad) for at, ad in found if ad is not None)


def _armature(model: Model) -> Array:
    """A_r of all joints, (nv, nv)."""
    return np.diag([x for joint in model.joints for x in joint.armature])


def _mirrored(tensor: Array) -> Array:
    """x[i,j,k] for j <= k, and x[i,k,j] where j > k."""
    return np.where(np.tri(tensor.shape[-1], dtype=bool).T, tensor, tensor.mT)


def _times(A: Array, tensor: Array) -> Array:
    """Σ_m A_im x[m,j,k]."""
    return (A @ tensor.reshape(*tensor.shape[:-2], tensor.shape[-1] ** 2)).reshape(tensor.shape)


def _last_first(tensor: Array) -> Array:
    return np.moveaxis(tensor, -1, -3)


def _first_last(tensor: Array) -> Array:
    return np.moveaxis(tensor, -3, -1)
