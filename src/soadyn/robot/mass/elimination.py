"""Reverse Gaussian elimination of the mass matrix, joint by joint from the last one (002 sections 4, 5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from soadyn.robot.mass.at_configuration import AtConfiguration


class Elimination(NamedTuple):
    """One step: L_k = E_k L_k+1, by which the columns of a joint lose what stands above its diagonal block.

    `E` is the elementary upper triangular matrix 1 - α_k λ_k* (002 eqs. 26-29), `L` the mass matrix after the
    elimination of this joint and of all behind it (002 eq. 30). In the rows and columns of the joints before it, L is
    the mass matrix that they feel while those eliminated are free: `actuation_matrices(q, passive)[0]`.
    """

    E: np.ndarray
    L: np.ndarray


def elimination(at: AtConfiguration, joint: str) -> Elimination:
    """The step that eliminates a joint, after all joints behind it in the order of v."""
    U, _ = at.factors()
    L = at.quantity("mass_matrix").copy()
    last = at.dofs(joint).start
    for name in reversed(at.engine.coordinates.joint_names):
        dofs = at.dofs(name)
        alpha = _multipliers(U, dofs)
        L[..., : dofs.start, :] -= alpha @ L[..., dofs.start : dofs.stop, :]
        if dofs.start == last:
            break
    E = np.zeros_like(U)
    E[...] = np.eye(at.nv)
    E[..., : dofs.start, dofs.start : dofs.stop] = -alpha
    return Elimination(E, L)


def _multipliers(U: np.ndarray, dofs: range) -> np.ndarray:
    """α_k: what the joint's rows are multiplied by for the rows above them (002 eq. 31).

    They are the joint's columns of U. Of a joint that is two hinges, U has an entry between those as well.
    """
    own = U[..., dofs.start : dofs.stop, dofs.start : dofs.stop]
    above = U[..., : dofs.start, dofs.start : dofs.stop]
    return np.asarray(np.linalg.solve(own.mT, above.mT).mT)
