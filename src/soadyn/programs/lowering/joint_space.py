"""Does a formula tell of the links only what joints feel of their inertias? A rule on its nodes.

Two things may be moved then. First a part Δ(k) of M(k) with H(k) Δ(k) = 0 that the joint's motion leaves as it is, to
the link inboard: M ← M - Δ + E Δ E* with E = E_phi, which changes

    M x    by  -Δ x + E Δ E* x                  P x, P⁺ x, R x    by  -Δ x
    b      by  -β + E β + E Δ a                 E x               by  E times the change of x

where β(k) is the gyroscopic force of Δ(k) itself. A change -w + E w of what φ or ψ sums up leaves -w, since H w = 0; H,
and so G* and all that follows, leave nothing. Then the point on a joint's axis where accelerations are taken:

    a  by  s - E* s         φ* a  by  s         b  by  -M s         a(0)  by  -B* s

Everything else knows of neither, or is not known to this rule: then the answer is no.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar

from soadyn.algebra.numbers import Number
from soadyn.programs.lowering.nodes import OF_POINTS, Node, in_order
from soadyn.programs.lowering.rate_stages import ALONG

# Motions that Δ takes, as a linear combination of nodes; a leaf is its name.
Motion = dict[Node | str, Number]
# The change of a node, as a linear combination of w and E w, with w = Δ x or β, and of what s gives.
Part = Literal["w", "E w", "s", "E* s", "M s", "B* s"]
Change = dict[tuple[Part, Node | str], Number]

Key = TypeVar("Key")
_BETA, _S = "beta", "s"
_NONE: Change = {}
_OF_LEAVES: dict[str, Change] = {
    # On the ground a also has gravity; E leads nowhere from there.
    "b": {("w", _BETA): -1, ("E w", _BETA): 1, ("E w", "a_g"): 1, ("M s", _S): -1},
    "a_g": {("s", _S): 1, ("E* s", _S): -1},
    "a_tip": {("B* s", _S): -1},
}
# What an operator makes of s.
_OF_S: dict[str, Change] = {"M": {("M s", _S): 1}, "B*": {("B* s", _S): 1}}

INERTIAS = ("M", "P", "P_plus", "R")
JOINT_MAPS = ("H", "H_a", "H_p")
JOINT_MOTIONS = ("H*", "H_a*", "H_p*")
# Other operators made of the joints and of what they feel, without the star of their adjoints. Not those that act on
# each half of a vector, W_omega and the like: what they do depends on where a link's frame stands.
FELT = {"G", "D", "D^-1", "D^1/2", "D^*/2", "D^-1/2", "D^-*/2", "A_r", "Upsilon", "lambda_dot", "Z", "eta_delta"}
FELT |= {"V_tilde", "tau_bar", "numbers", "numbers^-1"}
FELT |= {"B", "L_Y", "pose at its link", "at their links", "force in", "force out", "motion in", "motion out"}


class _NotKnownError(Exception):
    """The rule does not know how a node changes."""


def is_joint_space(results: Iterable[Node]) -> bool:
    """Do results stay the same, whatever joints do not feel of the inertias?

    >>> from soadyn.algebra import H, M, a, b, phi
    >>> from soadyn.programs.lowering.build import NodeBuilder
    >>> felt, force = H @ phi @ (M @ phi.T @ a + b), phi @ b
    >>> [is_joint_space([NodeBuilder().vector(x)]) for x in (felt, force)]
    [True, False]
    """
    wanted = list(results)
    changes: dict[Node, Change] = {}
    try:
        for node in in_order(wanted):
            changes[node] = _change(node, changes)
    except _NotKnownError:
        return False
    return not any(changes[node] for node in wanted)


def _change(node: Node, changes: Mapping[Node, Change]) -> Change:
    """How a node changes, from the changes of what it is made of."""
    match node.kind:
        case "leaf":
            return _OF_LEAVES.get(node.operator, _NONE)
        case "sum":
            return _sum((c, changes[x]) for c, x in node.terms)
        case "named":
            return changes[node.x]
        case "dot":
            x, y = node.below
            if changes[x] and changes[y]:
                raise _NotKnownError
            return _of_product(y, changes[x]) if changes[x] else _of_product(x, changes[y])
        case "in":
            return {("E w", w): c for w, c in _parts(changes[node.x], "w")["w"].items()}
        case "out":
            return _same(changes[node.x])
        case "sweep" if node.operator in ("phi", "psi"):
            return _summed(changes[node.x], "w", "E w")
        case "sweep":
            return _summed(changes[node.x], "s", "E* s") if node.operator == "phi*" else _same(changes[node.x])
    return _acted(node, changes[node.x])


def _acted(node: Node, change: Change) -> Change:
    """How A x changes, for a block diagonal operator A."""
    operator = node.operator.partition(OF_POINTS)[0].partition(ALONG)[0]
    operator = operator.split()[0] if "$" in operator else operator  # a user's numbers
    moved = _OF_S.get(operator)
    if moved and (s := _parts(change, "s")["s"]):
        change, moved = _NONE, _sum([(s[_S], moved)])
    else:
        moved = _NONE
    if operator in INERTIAS:
        _same(change)
        own = {("w", w): -c for w, c in _motion(node.x).items()}
        inboard = {("E w", w): c for w, c in _inboard(node.x).items()} if operator == "M" else {}
        return _sum([(1, own), (1, inboard), (1, moved)])  # type: ignore[list-item]
    if operator in JOINT_MAPS or operator == "tau_bar":
        _parts(change, "w")
        return change if operator == "tau_bar" else _NONE
    if operator.removesuffix("*") in FELT or operator in JOINT_MOTIONS:
        _same(change)
        return moved
    raise _NotKnownError


def _motion(x: Node) -> Motion:
    """x as a motion that Δ takes: what a joint's rate or acceleration adds, H* u, is nothing to it."""
    match x.kind:
        case "sum":
            return _sum((c, _motion(y)) for c, y in x.terms)
        case "named":
            return _motion(x.x)
        case "act" if x.operator in JOINT_MOTIONS:
            return {}
        case "act" if x.operator == "tau_bar*":
            return _motion(x.x)
        case "leaf":
            return {x.operator: 1}
    return {x: 1}


def _inboard(x: Node) -> Motion:
    """E* x as such a motion: y = φ* x or ψ* x is x + E* y, and V is H* θ̇ + E* V."""
    match x.kind:
        case "sum":
            return _sum((c, _inboard(y)) for c, y in x.terms)
        case "named":
            return _inboard(x.x)
        case "sweep" if x.operator in ("phi*", "psi*"):
            return _sum([(1, _motion(x)), (-1, _motion(x.x))])
        case "leaf" if x.operator == "V":
            return _motion(x)
    raise _NotKnownError


def _summed(change: Change, own: Part, carried: Part) -> Change:
    """How φ x or ψ x changes, by -w if x does by -w + E w; and φ* x, by s if x does by s - E* s."""
    parts = _parts(change, own, carried)
    if parts[carried] != {w: -c for w, c in parts[own].items()}:
        raise _NotKnownError
    return {(own, w): c for w, c in parts[own].items()}


def _of_product(x: Node, change: Change) -> Change:
    """How x* y changes, y alone changing: x* E w is (E* x)* w, and x* Δ y is y* Δ x."""
    found: dict[frozenset[Node | str], Number] = {}
    for part, w in change:
        motions = {"w": _motion, "E w": _inboard}.get(part)
        if motions is None:
            raise _NotKnownError
        for motion, n in motions(x).items():
            pair = frozenset({w, motion})
            found[pair] = found.get(pair, 0) + change[part, w] * n
    if any(found.values()):
        raise _NotKnownError
    return _NONE


def _parts(change: Change, *known: Part) -> dict[Part, dict[Node | str, Number]]:
    """A change's coefficients by part; it may have no others than those known."""
    found: dict[Part, dict[Node | str, Number]] = {part: {} for part in known}
    for (part, w), c in change.items():
        if part not in found:
            raise _NotKnownError
        found[part][w] = c
    return found


def _same(change: Change) -> Change:
    if change:
        raise _NotKnownError
    return _NONE


def _sum(terms: Iterable[tuple[Number, Mapping[Key, Number]]]) -> dict[Key, Number]:
    """A linear combination of linear combinations, without zeros."""
    found: dict[Key, Number] = {}
    for c, parts in terms:
        for key, n in parts.items():
            found[key] = found.get(key, 0) + c * n
    return {key: c for key, c in found.items() if c}
