"""The equations of motion as the papers write them (001 sections III, VII), with armature, and their programs.

A program is made at its first call and kept.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from soadyn.algebra.expressions import inv
from soadyn.algebra.factors import A_inverse
from soadyn.algebra.operators import A_r, D, G, H, K, M, P, T, V, a, b, f_x, mass, phi, psi, psi_tilde, theta_dot
from soadyn.programs.sweep.newton_euler import BY_FILTER, FORWARD_BY_FILTER, FORWARD_BY_MATRIX
from soadyn.programs.sweep.program import Program

FORWARD_DYNAMICS = inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b - f_x))
# The same by the factors of the inverse, P⁺ carrying a inward (001 Algorithm 4): what the identities make of it.
BY_ARTICULATED_BODIES = (
    A_inverse.T @ (inv(D) @ (A_inverse @ T - H @ (psi_tilde @ P @ a + psi @ (b - f_x))) - G.T @ a) - K.T @ psi.T @ a
)
KINETIC_ENERGY = (V.T @ M @ V + theta_dot.T @ A_r @ theta_dot) / 2


@cache
def forward_dynamics() -> Program:
    """The sweeps of `BY_ARTICULATED_BODIES`.

    >>> forward_dynamics().inputs
    ('q', 'v', 'tau', 'external')
    """
    from soadyn.programs.lowering.lower import written_program

    program = written_program("forward_dynamics", BY_ARTICULATED_BODIES)
    ways = FORWARD_BY_FILTER, FORWARD_BY_MATRIX
    return replace(program, joint_space=True, alternatives=ways, implicit=BY_FILTER)


@cache
def kinetic_energy() -> Program:
    """One sweep, and a sum over the links.

    >>> kinetic_energy().inputs
    ('q', 'v')
    """
    from soadyn.programs.lowering.lower import written_program

    return written_program("kinetic_energy", KINETIC_ENERGY)
