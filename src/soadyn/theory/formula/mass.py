"""The mass matrix, its inverse and its root as the papers write them (001 section VI; 000 section 5), applied to x.

A program is made at its first call and kept; x and y are the inputs joint$0 and joint$1.
"""

from __future__ import annotations

from functools import cache

from soadyn.algebra.expressions import Expression, Symbol, inv, sqrt
from soadyn.algebra.factors import A, A_inverse
from soadyn.algebra.operators import A_r, D, H, M, phi
from soadyn.algebra.spaces import JOINT_FORCE, JOINT_MOTION, NUMBER, WHITE_JOINT
from soadyn.programs.sweep.program import Program

# What programs call x and y.
X, Y = "joint$0", "joint$1"

_motion = Symbol("x", NUMBER, JOINT_MOTION)
_force, _other_force = Symbol("x", NUMBER, JOINT_FORCE), Symbol("y", NUMBER, JOINT_FORCE)
_white = Symbol("x", NUMBER, WHITE_JOINT)

FORMULAS: dict[str, Expression] = {
    "Mass x": (H @ phi @ M @ phi.T @ H.T + A_r) @ _motion,
    "Mass^-1 x": A_inverse.T @ inv(D) @ A_inverse @ _force,
    "m x": A @ sqrt(D) @ _white,
    "m* x": sqrt(D).T @ A.T @ _motion,
    "m^-1 x": inv(sqrt(D)) @ A_inverse @ _force,
    "m^-* x": A_inverse.T @ inv(sqrt(D)).T @ _white,
    "x* Mass^-1 y": (A_inverse @ _force).T @ inv(D) @ A_inverse @ _other_force,
}


@cache
def applied(name: str) -> Program:
    """The program of one of `FORMULAS`.

    >>> applied("Mass^-1 x").inputs
    ('q', 'joint$0')
    """
    from soadyn.programs.lowering.lower import written_program

    return written_program(name, FORMULAS[name])
