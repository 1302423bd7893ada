"""Names of the block diagonal operators in nodes, and definitions of all other operators, from the identity table.

Nodes also have D^-1, D^1/2, D^*/2, D^-1/2, D^-*/2, M^1/2 and M^*/2. A program computes the articulated bodies of one
arm, either the whole or the passive one; G_p and D_p are therefore named G and D.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from soadyn.algebra.expressions import Expression, Identity, Product, inv, product, sqrt
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import (
    WHOLE_ARM_NAMES,
    A_r,
    A_ra,
    A_rp,
    D,
    D_p,
    G,
    G_p,
    H,
    H_a,
    H_p,
    M,
    P,
    P_plus,
    R,
    Upsilon,
    tau_bar,
)
from soadyn.algebra.rewriting.modes import Mode
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS

Place = Literal["joint", "link", "task", "pose", "number"]

_OF_ALL_JOINTS = tuple(x for name, x in VELOCITY_OPERATORS.items() if name in WHOLE_ARM_NAMES)
_OF_EITHER_ARM = (
    *(H, H_a, H_p, M, R, P, P_plus, Upsilon, A_r, A_ra, A_rp, tau_bar),
    *(x for x in VELOCITY_OPERATORS.values() if x not in _OF_ALL_JOINTS),
)
_OF_THE_ARM = {False: (G, D, *_OF_ALL_JOINTS), True: (G_p, D_p)}
_RENAMED = {"G_p": "G", "D_p": "D", "A_ra": "A_r", "A_rp": "A_r"}
_ROOT = sqrt(D)
_ROOTS: dict[Expression, str] = {
    _ROOT: "D^1/2",
    _ROOT.T: "D^*/2",
    inv(_ROOT): "D^-1/2",
    inv(_ROOT).T: "D^-*/2",
}
# The root of the links' inertias (001 section X.A), of either arm.
_LINK_ROOT = sqrt(M)
_LINK_ROOTS: dict[Expression, str] = {_LINK_ROOT: "M^1/2", _LINK_ROOT.T: "M^*/2"}

# Rows whose right side is a product of block diagonal operators; nodes replace it by the left side.
_SHORTER = ("inertia across the joint, from the left", "gain", "passive gain")
# Rows that define an operator by products of others.
_DEFINING = (
    "shifted gain",
    "yielding part",
    "free transition step",
    "Newton-Euler factorization",
    "operational inertias",
)
# phi~ = phi E_phi but phi~* = phi* E_phi*: the transition comes last, so that sums collect under it.
_STRICT = {
    "locked transition, strict": ("locked transition from the right", "locked transition from the left"),
    "free transition, strict": ("free transition from the right", "free transition from the left"),
}


@cache
def block_names(passive: bool) -> Mapping[Expression, str]:
    """The names of the block diagonal operators of the whole or of the passive arm, and of their adjoints."""
    symbols = (*_OF_EITHER_ARM, *_OF_THE_ARM[passive])
    names: dict[Expression, str] = {X: _RENAMED.get(X.name, X.name) for X in symbols}
    names |= {X.T: f"{names[X]}*" for X in symbols if not X.symmetric}
    names |= _LINK_ROOTS
    return names | ({inv(D_p): "D^-1"} if passive else {inv(D): "D^-1", **_ROOTS})


@cache
def definitions(passive: bool) -> Mapping[Expression, Expression]:
    """Operators that are neither block diagonal nor transitions, and what they and their adjoints are made of."""
    mode = Mode(passive=passive)
    found: dict[Expression, Expression] = {}
    for name in _DEFINING:
        left, right = mode.sides(name)
        found |= {left: right, left.T: right.T}
    for name, (right_row, left_row) in _STRICT.items():
        strict = mode.sides(name)[0]
        found |= {strict: mode.sides(right_row)[0], strict.T: mode.sides(left_row)[0].T}
    return found


def _places() -> dict[str, Place]:
    names = {**block_names(False), **block_names(True)}
    found: dict[str, Place] = {name: "joint" if "joint" in X.codomain.place else "link" for X, name in names.items()}
    return found | {"L_Y*": "task", "pose at its link": "pose"}


def _shorter() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Products of block diagonal operators, the outermost first, that equal one operator or the identity."""
    equations = [(IDENTITIES[name].left, IDENTITIES[name].right) for name in _SHORTER]
    equations += [(left.T, right.T) for left, right in equations]
    equations += [(Identity(D.codomain), product(D, inv(D))), (Identity(D.domain), product(inv(D), D))]
    equations += [(D, product(_ROOT, _ROOT.T)), (inv(D), product(inv(_ROOT).T, inv(_ROOT)))]
    equations += [(M, product(_LINK_ROOT, _LINK_ROOT.T))]
    names = {**block_names(False), **block_names(True)}
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for left, right in equations:
        assert isinstance(right, Product)
        found[tuple(names[X] for X in right.factors)] = () if isinstance(left, Identity) else (names[left],)
    return found


# Whether an operator gives a joint or a link vector.
PLACES = _places()
SHORTER = _shorter()
