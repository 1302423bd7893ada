"""The 3 x 3 problems of `touch`, for all points of a link and all moments at once, in axes of the link.

With F = L u, u of unit covariance, and B = φ(link, x) [0; L]:

    C = (I + B* Υ B)⁻¹,   û = C B* α,   ln p(r | x) - ln p(r | nothing) = (û* B* α - ln det (I + B* Υ B)) / 2

B does not depend on the robot's configuration, so B* Υ B is one product of two matrices: (moments, 36) by (36, points).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from soadyn.estimation.candidates import Candidates
from soadyn.mechanics.spatial.arithmetic import skew

PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@final
@dataclass(frozen=True, eq=False)
class LinkPoints:
    """A link's points: B (points, 6, 3), the prior's roots L (points, 3, 3), outward normals (points, 3)."""

    B: np.ndarray
    L: np.ndarray
    normals: np.ndarray | None

    @staticmethod
    def of(where: Candidates, mine: np.ndarray, s: float, slip: float) -> LinkPoints:
        """L = s I, or s along the normal and s slip across it."""
        normals = None if where.normals is None else where.normals[mine]
        L = np.broadcast_to(s * np.eye(3), (len(mine), 3, 3))
        if normals is not None:
            n = normals[:, :, None]
            L = s * (slip * np.eye(3) + (1 - slip) * n @ n.mT)
        return LinkPoints(np.concatenate([skew(where.places[mine][:, :, None]) @ L, L], axis=-2), L, normals)


class Solved(NamedTuple):
    """û (..., points, 3), C as its entries PAIRS (6 arrays (..., points)), and the gain in log-likelihood."""

    u: np.ndarray
    C: tuple[np.ndarray, ...]
    gain: np.ndarray


def solved_at(here: LinkPoints, Upsilon: np.ndarray, alpha: np.ndarray) -> Solved:
    """All points of a link, from Υ (..., 6, 6) and α (..., 6) there."""
    weights = np.stack([here.B[:, :, None, i] * here.B[:, None, :, j] for i, j in PAIRS])  # (6, points, 6, 6)
    flat = Upsilon.reshape(*Upsilon.shape[:-2], 36)
    a, b, c, d, e, f = (flat @ weights[k].reshape(-1, 36).T for k in range(6))
    a, d, f = a + 1, d + 1, f + 1
    pull = (alpha @ here.B.transpose(1, 0, 2).reshape(6, -1)).reshape(*alpha.shape[:-1], len(here.B), 3)
    adjugate = d * f - e * e, c * e - b * f, b * e - c * d, a * f - c * c, b * c - a * e, a * d - b * b
    determinant = a * adjugate[0] + b * adjugate[1] + c * adjugate[2]
    C = tuple(entry / determinant for entry in adjugate)
    x, y, z = pull[..., 0], pull[..., 1], pull[..., 2]
    u = np.stack(
        [C[0] * x + C[1] * y + C[2] * z, C[1] * x + C[3] * y + C[4] * z, C[2] * x + C[4] * y + C[5] * z], axis=-1
    )
    return Solved(u, C, ((pull * u).sum(-1) - np.log(determinant)) / 2)


def pushing(here: LinkPoints, found: Solved) -> np.ndarray:
    """ln 2 P(n·F < 0 | r): what remains of the likelihood when forces that pull are impossible. L n = s n."""
    from scipy import special

    assert here.normals is not None
    x, y, z = here.normals.T
    xx, xy, xz, yy, yz, zz = found.C
    spread = np.sqrt(xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z))
    mean = (found.u * here.normals).sum(-1)
    return np.asarray(np.log(2.0) + special.log_ndtr(-mean / spread))


def forces_of(here: LinkPoints, found: Solved) -> tuple[np.ndarray, np.ndarray]:
    """L û (..., points, 3) and L C L* (..., points, 3, 3), in axes of the link."""
    xx, xy, xz, yy, yz, zz = found.C
    rows = [np.stack(row, axis=-1) for row in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))]
    C = np.stack(rows, axis=-2)
    return (here.L @ found.u[..., None])[..., 0], here.L @ C @ here.L.mT
