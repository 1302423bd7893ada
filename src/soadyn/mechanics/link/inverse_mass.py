"""Level 6 - the inverse of the mass matrix from its innovations factors, Mass⁻¹ = W* D⁻¹ W with W = I - H ψ K."""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import Array, symmetric
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def innovations_row(
    joint: JointKind, phi: Transform, H: Rows, D: Pivot, G: Spatial, unit: Array, z_children: Spatial | int
) -> tuple[Array, Array, Spatial]:
    """Level 6 - the rows of W and D⁻¹ W at link k: the filter of unit joint forces (001 eqs. 45, 67-70).

    z(k) = Σⱼ φ(k,j) z⁺(j),    W(k) = I(k) - H(k) z(k),    ν(k) = D⁻¹(k) W(k),    z⁺(k) = z(k) + G(k) W(k)
    """
    z = Spatial.zero() + z_children
    W = unit - H @ z
    return W, D.solve(W), phi @ (z + G @ W)


def inverse_mass(W: Array, nu: Array) -> tuple[Array]:
    """Level 6 - the product of the factors (001 eq. 46).

    Mass⁻¹ = W* D⁻¹ W = W* ν
    """
    return (symmetric(W.mT @ nu),)
