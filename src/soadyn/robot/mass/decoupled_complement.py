"""Saha's decoupled natural orthogonal complement (002): twists of the links at their mass centres, along world axes.

Links are counted from the base, as in storage. Of a link behind hidden ones (universal joints) p has a column for each
component of the joints that lead to it from the next visible link.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np

from soadyn.errors import unknown_name
from soadyn.mechanics.spatial.arithmetic import skew
from soadyn.model.model import Model
from soadyn.robot.mass.at_configuration import AtConfiguration


@final
class DecoupledComplement:
    """t = T_l T_d v: twists t of the links at their mass centres, (..., 6 links); made by `Robot.decoupled_complement`.

        t_i = B_ij t_j + p_i v_i,    B_ij = [1, 0; c̃_j - c̃_i, 1],    Mass = T_d* T_l* M T_l T_d + A_r

    T_l is block lower triangular with the blocks B_ij, T_d block diagonal with the p_i. It unpacks as T_l, T_d.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q = [0.1, -1.0, 1.2, 0.3, 0.8, 0.2]
    >>> T_l, T_d = complement = arm.decoupled_complement(q)
    >>> T_l.shape, T_d.shape, complement.B("wrist_1_link", "forearm_link").shape
    ((36, 36), (36, 6), (6, 6))
    >>> bool(np.allclose(T_d.T @ T_l.T @ complement.M @ T_l @ T_d, arm.mass_matrix(q)))
    True
    """

    def __init__(self, at: AtConfiguration) -> None:
        self._model: Model = at.engine.model
        self._poses = at.quantity("poses")
        com = np.array([self._model.links[k - 1].com for k in self._model.visible]).reshape(-1, 3)
        self._R = self._poses[..., :3, :3]
        self._offsets = (self._R @ com[..., None])[..., 0]
        self.centres = self._poses[..., :3, 3] + self._offsets
        self.T_l = self._transforms()
        self.T_d = self._joint_maps(at)

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter((self.T_l, self.T_d))

    def B(self, link: str, other: str) -> np.ndarray:
        """B_ij: the twist of link i from that of link j as if they were one body (002 eq. 4), (..., 6, 6)."""
        i, j = self._row(link), self._row(other)
        return _moved(self.centres[..., j, :] - self.centres[..., i, :])

    def p(self, link: str) -> np.ndarray:
        """p_i: what the joint of a link adds to its twist (002 eq. 4), (..., 6, components)."""
        i = self._row(link)
        return np.ascontiguousarray(self.T_d[..., 6 * i : 6 * i + 6, self._components(i)])

    @property
    def M(self) -> np.ndarray:
        """The links' masses, block diagonal: [I_i, 0; 0, m_i 1] about the mass centres (002 eqs. 11-12)."""
        blocks = np.zeros((*self._R.shape[:-2], 6, 6))
        for i, k in enumerate(self._model.visible):
            body = self._model.links[k - 1]
            blocks[..., i, :3, :3] = self._R[..., i, :, :] @ np.array(body.inertia) @ self._R[..., i, :, :].mT
            blocks[..., i, 3:, 3:] = body.mass * np.eye(3)
        return _block_diagonal(blocks)

    def twists(self, v: Any) -> np.ndarray:
        """The links' twists [angular; linear] at their mass centres (002 eq. 8), (..., links, 6)."""
        t = (self.T_l @ (self.T_d @ np.asarray(v)[..., None]))[..., 0]
        return t.reshape(*t.shape[:-1], -1, 6)

    def at_mass_centres(self, inertias: np.ndarray) -> np.ndarray:
        """Inertias of links at their frames, (..., links, 6, 6), at their mass centres and along world axes.

        Of `composite_inertias(q)` they are Saha's composite masses M̃_i, of `articulated_inertias(q)` his
        articulated ones, M̂_i,i+1.
        """
        turned = np.zeros((*self._R.shape[:-2], 6, 6))
        turned[..., :3, :3] = turned[..., 3:, 3:] = self._R
        # Forces go from the frame's origin to the mass centre: φ = [1, -p̃; 0, 1]
        X = _moved(self._offsets).mT @ turned
        return np.asarray(X @ inertias @ X.mT)

    def _row(self, link: str) -> int:
        if link not in self._model.link_names:
            raise unknown_name("link", link, self._model.link_names, of=f"robot {self._model.name!r}")
        return self._model.link_names.index(link)

    def _transforms(self) -> np.ndarray:
        """T_l: B_ij where link j carries link i, 002 (9a)."""
        model, rows, n = self._model, self._model.rows, len(self._model.visible)
        T_l = np.zeros((*self.centres.shape[:-2], 6 * n, 6 * n))
        for k, i in rows.items():
            for j in (rows[above] for above in model.ancestors(k) if above in rows):
                B = _moved(self.centres[..., j, :] - self.centres[..., i, :])
                T_l[..., 6 * i : 6 * i + 6, 6 * j : 6 * j + 6] = B
        return T_l

    def _joint_maps(self, at: AtConfiguration) -> np.ndarray:
        """T_d: p_i on its diagonal, 002 (9b), from the Jacobians of the mass centres."""
        n = len(self._model.visible)
        T_d = np.zeros((*self.centres.shape[:-2], 6 * n, at.nv))
        for i, k in enumerate(self._model.visible):
            offset = np.eye(4)
            offset[:3, 3] = self._model.links[k - 1].com
            J = at.of_frame("jacobian", (self._model.links[k - 1].name, offset))
            components = self._components(i)
            T_d[..., 6 * i : 6 * i + 6, components] = J[..., components]
        return T_d

    def _components(self, row: int) -> list[int]:
        """The components of the joints between a visible link and the next visible one inboard."""
        model, k = self._model, self._model.visible[row]
        components = list(range(*model.v_slices[k - 1].indices(model.nv)))
        while (k := model.parents[k - 1]) and k not in model.visible:
            components = [*range(*model.v_slices[k - 1].indices(model.nv)), *components]
        return components


def _moved(l: np.ndarray) -> np.ndarray:
    """[1, 0; l̃, 1] for ways l (..., 3)."""
    B = np.zeros((*l.shape[:-1], 6, 6))
    B[...] = np.eye(6)
    B[..., 3:, :3] = skew(l[..., None])
    return B


def _block_diagonal(blocks: np.ndarray) -> np.ndarray:
    *batch, n, r, _ = blocks.shape
    whole = np.zeros((*batch, n * r, n * r))
    for i in range(n):
        whole[..., r * i : r * i + r, r * i : r * i + r] = blocks[..., i, :, :]
    return whole
