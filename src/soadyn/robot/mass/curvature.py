"""The mass matrix as a metric: its first and second derivatives, Christoffel symbols and curvature (000 section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError
from soadyn.model.coordinates import Coordinates
from soadyn.quantities import QUANTITIES
from soadyn.robot.calling.quantity_functions import evaluate
from soadyn.robot.calling.second_derivatives import first_derivatives, of_inverse


@final
@dataclass(frozen=True, slots=True)
class Metric:
    """The mass matrix M near a configuration: M_ij and ∂_k M_ij, axes i, j, k."""

    M: np.ndarray
    first: np.ndarray

    def christoffel(self) -> np.ndarray:
        """[ij,k] = ½ (∂_i M_jk + ∂_j M_ik - ∂_k M_ij), axes i, j, k."""
        d = self.first
        return 0.5 * (np.moveaxis(d, -1, -3) + np.einsum("...ikj->...ijk", d) - d)

    def connection(self) -> np.ndarray:
        """Γ^l_ij = Σ_k (M⁻¹)_lk [ij,k], axes l, i, j."""
        return np.asarray(np.einsum("...lk,...ijk->...lij", np.linalg.inv(self.M), self.christoffel()))

    def curvature(self, second: np.ndarray) -> np.ndarray:
        """Riemann's symbols R_hijk (000 eq. 2.5), `second` being ∂_k ∂_l M_ij.

        R_hijk = ½ (∂_i∂_j M_hk + ∂_h∂_k M_ij - ∂_i∂_k M_hj - ∂_h∂_j M_ik) + Σ_l (Γ^l_ij [hk,l] - Γ^l_ik [hj,l])
        """
        bent = np.einsum("...hkij->...hijk", second) + np.einsum("...ijhk->...hijk", second)
        bent = bent - np.einsum("...hjik->...hijk", second) - np.einsum("...ikhj->...hijk", second)
        first, gamma = self.christoffel(), self.connection()
        turned = np.einsum("...lij,...hkl->...hijk", gamma, first) - np.einsum("...lik,...hjl->...hijk", gamma, first)
        return np.asarray(0.5 * bent + turned)


def curvature(engine: Engine, q: np.ndarray) -> np.ndarray:
    """The Riemann symbols of the mass matrix at q, (..., nv, nv, nv, nv), from its derivatives.

    They are those of inverse dynamics at rest, which is linear in the accelerations: T = M a + gravity.
    """
    check_holonomic(engine.coordinates)
    nv = engine.coordinates.nv
    still, units = np.zeros(nv), np.vstack([np.eye(nv), np.zeros(nv)])
    at: tuple[Any, ...] = (q[..., None, :], still, units)
    by_qq, _, _, by_aq = of_inverse(first_derivatives(engine, "inverse", at), at)
    # Rows of the batch are columns of M; the last is gravity alone.
    second = np.moveaxis(by_qq[..., :-1, :, :, :] - by_qq[..., -1:, :, :, :], -4, -3)
    M = evaluate(engine, QUANTITIES["mass_matrix"], {"q": q})
    return Metric(M, by_aq[..., 0, :, :, :]).curvature(second)


def check_holonomic(space: Coordinates) -> None:
    """Joints whose rates are no derivatives of coordinates have no Riemann symbols in those rates."""
    odd = [joint.name for joint in space.model.joints if joint.behaviour.nq != joint.behaviour.nv]
    if odd:
        raise ArgumentError(
            f"the curvature of the mass matrix needs joints whose rates are the derivatives of their coordinates; "
            f"robot {space.model.name!r} has the spherical or free joints {', '.join(map(repr, odd))}"
        )
