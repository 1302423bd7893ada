"""The equations of motion as the papers write them (001 sections III, VII), with armature, and their programs.

A program is made at its first call and kept.
"""

from __future__ import annotations

from functools import cache

from soadyn.algebra.expressions import inv
from soadyn.algebra.operators import A_r, H, M, T, V, a, b, f_x, mass, phi, theta_ddot, theta_dot
from soadyn.sweep.program import Program

# T = H f + A_r θ̈,  f = φ [M α + b - f_x],  α = φ* (H* θ̈ + a)
INVERSE_DYNAMICS = H @ phi @ (M @ phi.T @ (H.T @ theta_ddot + a) + b - f_x) + A_r @ theta_ddot
BIAS_FORCE = H @ phi @ (M @ phi.T @ a + b)
FORWARD_DYNAMICS = inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b - f_x))
KINETIC_ENERGY = (V.T @ M @ V + theta_dot.T @ A_r @ theta_dot) / 2


@cache
def inverse_dynamics() -> Program:
    """Newton and Euler's two sweeps.

    >>> inverse_dynamics().inputs
    ('q', 'v', 'vdot', 'external')
    """
    from soadyn.lowering.lower import written_program

    return written_program("inverse_dynamics", INVERSE_DYNAMICS)


@cache
def bias_force() -> Program:
    """The same at rest and without wrenches.

    >>> bias_force().inputs
    ('q', 'v')
    """
    from soadyn.lowering.lower import written_program

    return written_program("bias_force", BIAS_FORCE)


@cache
def forward_dynamics() -> Program:
    """Articulated bodies: found from the formula by the identities of the papers (001 Algorithm 4).

    >>> forward_dynamics().inputs
    ('q', 'v', 'tau', 'external')
    """
    from soadyn.lowering.lower import rewritten_program

    return rewritten_program("forward_dynamics", FORWARD_DYNAMICS)


@cache
def kinetic_energy() -> Program:
    """One sweep, and a sum over the links.

    >>> kinetic_energy().inputs
    ('q', 'v')
    """
    from soadyn.lowering.lower import written_program

    return written_program("kinetic_energy", KINETIC_ENERGY)
