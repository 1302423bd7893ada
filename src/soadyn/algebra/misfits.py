"""The words for a formula that does not fit: both operands, their spaces, and what may have been meant.

A hint is given only if it mends the spaces at that place.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from soadyn.algebra.expressions import Expression, Identity, Inverse, Product, Sum, Symbol, inv, is_scalar, is_square
from soadyn.algebra.numbers import Number
from soadyn.algebra.spaces import (
    ACTIVE_FORCE,
    ACTIVE_MOTION,
    JOINT_FORCE,
    JOINT_MOTION,
    LINK_FORCE,
    LINK_MOTION,
    PASSIVE_FORCE,
    PASSIVE_MOTION,
    TASK_FORCE,
    TASK_MOTION,
    Space,
)

# What passes from one place to another, by what it takes and gives.
BRIDGES: dict[tuple[Space, Space], str] = {
    (LINK_FORCE, JOINT_FORCE): "H",
    (JOINT_MOTION, LINK_MOTION): "H.T",
    (LINK_FORCE, ACTIVE_FORCE): "H_a",
    (ACTIVE_MOTION, LINK_MOTION): "H_a.T",
    (LINK_FORCE, PASSIVE_FORCE): "H_p",
    (PASSIVE_MOTION, LINK_MOTION): "H_p.T",
    (TASK_FORCE, LINK_FORCE): "B",
    (LINK_MOTION, TASK_MOTION): "B.T",
}
# Those whose inverse is worth a hint; Omega, Upsilon, P_plus and A_r are singular for most robots.
INVERTIBLE = frozenset({"M", "R", "P", "D", "D_p", "mass"})
LONGEST_SHOWN = 100


def shown(x: Expression) -> str:
    """A formula as text, its middle left out if it is long."""
    said = str(x)
    half = LONGEST_SHOWN // 2
    return said if len(said) <= LONGEST_SHOWN else f"{said[:half]} ... {said[-half:]}"


def bracketed(x: Expression) -> str:
    """A formula as an operand, in brackets if it is a sum."""
    return f"({shown(x)})" if isinstance(x, Sum) else shown(x)


def product_misfit(left: Expression, right: Expression) -> str:
    """Why left @ right is refused; the factors that meet are named.

    >>> from soadyn.algebra import H, psi
    >>> print(product_misfit(H, psi.T))
    H @ psi.T: H takes a link force, but psi.T gives a link motion (is psi meant?)
    """
    z, y = left if left.is_vector else _ends(left)[1], _ends(right)[0]
    if z.is_vector:
        takes = f"{shown(z)} is a vector ({z.codomain}), which stands at the right end of a product"
    else:
        takes = f"{bracketed(z)} takes {_a(z.domain)}"
    gives = f"{bracketed(y)} {'is' if y.is_vector else 'gives'} {_a(y.codomain)}"
    return f"{bracketed(left)} @ {bracketed(right)}: {takes}, but {gives}{_product_hint(left, right, z, y)}"


def _product_hint(left: Expression, right: Expression, z: Expression, y: Expression) -> str:
    meant = [
        said
        for said, x in _variants(z)
        if x.domain == y.codomain and (z is left or x.codomain == z.codomain)  # the factor before it still fits
    ]
    meant += [said for said, x in _variants(y) if x.codomain == z.domain and (y is right or x.domain == y.domain)]
    if meant:
        return f" (is {' or '.join(meant)} meant?)"
    if left.is_vector and right.domain == left.codomain:
        return f" (is {bracketed(right)} @ {bracketed(left)} meant?)"
    bridge = BRIDGES.get((y.codomain, z.domain)) if not is_scalar(z) and not is_scalar(y) else None
    return f" (is {bridge} missing between them?)" if bridge else ""


def sum_misfit(left: Expression, right: tuple[Number, Expression]) -> str:
    """Why left + right or left - right is refused; the right comes with the number before it.

    >>> from soadyn.algebra import phi, psi
    >>> print(sum_misfit(phi, (-1, psi.T)))
    phi - psi.T: phi maps link force to link force, but psi.T maps link motion to link motion (is phi.T or psi meant?)
    """
    number, y = right
    meant = [said for said, x in _variants(left) if _maps(x) == _maps(y)]
    meant += [said for said, x in _variants(y) if _maps(x) == _maps(left)]
    hint = f" (is {' or '.join(meant)} meant?)" if meant else ""
    return f"{shown(left)} {'-' if number < 0 else '+'} {bracketed(y)}: {_mapping(left)}, but {_mapping(y)}{hint}"


def sign_misfit(x: Expression, sign: str, other: object, *, before: bool) -> str:
    """Why a sign does not stand between a formula and something else; `before` if that stood before the sign.

    >>> from soadyn.algebra import phi
    >>> print(sign_misfit(phi, "+", 1, before=True))
    1 + phi: phi maps link force to link force, a number does not (is I_link meant?)
    """
    is_number = isinstance(other, (int, float, Fraction)) and not isinstance(other, bool)
    what = bracketed(other) if isinstance(other, Expression) else str(other) if is_number else type(other).__name__
    written = f"{what} {sign} {bracketed(x)}" if before else f"{bracketed(x)} {sign} {what}"
    match sign:
        case "**":
            return f"{written}: {_mapping(x)}; there are no powers, products are written with @ and inverses with inv"
        case "*" if isinstance(other, Expression):
            return f"{written}: {_mapping(x)}, {_mapping(other)}; operators are multiplied with @, * is for numbers"
        case "/" if before or isinstance(other, Expression):
            return f"{written}: {_mapping(x)}; only numbers divide, inverses are written inv(...) on their side of @"
        case "+" | "-" if is_number:
            identity = str(Identity(x.domain)).removesuffix(".T")
            meant = identity if other == 1 else f"{what} * {identity}"
            hint = f" (is {meant} meant?)" if x.domain == x.codomain else ""
            return f"{written}: {_mapping(x)}, a number does not{hint}"
        case "@" if is_number:
            return f"{written}: {_mapping(x)}; numbers are multiplied with *"
    hint = '; soadyn.algebra.formula("...") reads a text' if isinstance(other, str) else ""
    return (
        f"{written}: {_mapping(x)}, and {type(other).__name__} is neither a formula nor a plain number{hint}; "
        "a block diagonal operator is made from an array by sd.operator, a vector by sd.vector"
    )


def inverse_misfit(X: object) -> str:
    """Why inv(X) is refused.

    >>> from soadyn.algebra import D, theta_dot
    >>> print(inverse_misfit(D @ theta_dot))
    inv(D @ theta_dot): a vector (joint force) has no inverse (is inv(D) @ theta_dot meant?)
    """
    if not isinstance(X, Expression):
        return f"inv takes a formula, got {type(X).__name__}"
    if isinstance(X, Sum) and not X.terms:
        return "inv(0): zero has no inverse"
    if not X.is_vector:
        x = shown(X)
        return f"inv({x}): {x} maps {X.domain} to {X.codomain}; only what maps a place to itself is inverted"
    hint = ""
    if isinstance(X, Product):
        *operators, vector = X.factors
        if all(map(is_square, operators)):
            inner = shown(Product(tuple(operators)) if len(operators) > 1 else operators[0])
            hint = f" (is inv({inner}) @ {bracketed(vector)} meant?)"
    return f"inv({shown(X)}): a vector ({X.codomain}) has no inverse{hint}"


def root_misfit(X: object) -> str:
    """Why sqrt(X) is refused."""
    if not isinstance(X, Expression):
        return f"sqrt takes a formula, got {type(X).__name__}"
    if isinstance(X, Symbol) and X.domain.place not in ("joint", "link") and X.symmetric and X.local:
        return f"sqrt({X}): only operators of all joints or all links have a root here"
    return (
        f"sqrt({shown(X)}): only symmetric block diagonal operators from motions to forces, such as M, P, D and A_r, "
        f"have a root here; {shown(X)} maps {X.domain} to {X.codomain}"
    )


def _mapping(x: Expression) -> str:
    return f"{shown(x)} is {_a(x.codomain)}" if x.is_vector else f"{shown(x)} maps {x.domain} to {x.codomain}"


def _a(space: Space) -> str:
    return f"{'an' if space.place == 'active joint' else 'a'} {space}"


def _maps(x: Expression) -> tuple[Space, Space]:
    return x.domain, x.codomain


def _variants(x: Expression) -> Iterator[tuple[str, Expression]]:
    """The adjoint, what an inverse is of, and the inverse of an inertia, with their texts."""
    yield f"({shown(x)}).T" if isinstance(x, Sum) else shown(x.T), x.T
    if isinstance(x, Inverse):
        yield bracketed(x.of), x.of
    if str(x) in INVERTIBLE:
        yield f"inv({x})", inv(x)


def _ends(x: Expression) -> tuple[Expression, Expression]:
    return (x.factors[0], x.factors[-1]) if isinstance(x, Product) else (x, x)
