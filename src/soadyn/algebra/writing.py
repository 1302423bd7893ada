"""Formulas as text that can be read back, as LaTeX in the papers' letters, and symbols in words."""

from __future__ import annotations

from fractions import Fraction

from soadyn.algebra.expressions import (
    Adjoint,
    Expression,
    Identity,
    Inverse,
    Product,
    Root,
    Sum,
    Symbol,
    is_scalar,
)
from soadyn.algebra.meanings import Meaning
from soadyn.algebra.numbers import Number


def text(x: Expression) -> str:
    """A formula as it is written in Python, and as `formula` reads it.

    >>> from soadyn.algebra import D, H, K, I_joint, inv, psi
    >>> print((I_joint - H @ psi @ K).T @ inv(D))
    (I_joint - K.T @ psi.T @ H.T) @ inv(D)
    """
    # An identity among other operators fits itself to them; alone it must say that it is one of motions.
    return _text(x, ".T" if x.domain.side == "motion" and is_scalar(x) else "")


def _text(x: Expression, side: str) -> str:
    match x:
        case Symbol():
            return x.name
        case Identity():
            return f"{identity_name(x)}{side}"
        case Adjoint():
            return f"{_text(x.of, side)}.T"
        case Inverse():
            return f"inv({_text(x.of, side)})"
        case Root():
            return f"sqrt({_text(x.of, side)})"
        case Product():
            return " @ ".join(f"({_text(y, side)})" if isinstance(y, Sum) else _text(y, side) for y in x.factors)
        case Sum():
            return _sum(x, side)
    raise TypeError(f"no formula: {type(x).__name__}")


def identity_name(x: Identity) -> str:
    """I_joint, I_link, I_active, ...; I_white_joint and I_white_link."""
    place = x.domain.place
    return f"I_{place.replace(' ', '_') if place.startswith('white') else place.removesuffix(' joint')}"


def _sum(x: Sum, side: str) -> str:
    said = ""
    for number, term in x.terms:
        body = _text(term, side)
        # A sign binds closer than @: -(X @ Y) needs its brackets where nothing stands before it.
        if isinstance(term, Product) and (abs(number) != 1 or (number < 0 and not said)):
            body = f"({body})"
        said += _signed(number, body if abs(number) == 1 else f"{abs(number)} * {body}", said)
    return said or "0"


def _signed(number: Number, body: str, before: str) -> str:
    if before:
        return f" - {body}" if number < 0 else f" + {body}"
    return f"-{body}" if number < 0 else body


def latex(x: Expression) -> str:
    """A formula in the papers' letters; the adjoint is a star.

    >>> from soadyn.algebra import H, M, phi
    >>> print(latex(H @ phi @ M @ phi.T @ H.T))
    H \\phi M \\phi^* H^*
    """
    match x:
        case Symbol():
            return x.meaning.latex or _own_letter(x.name)
        case Identity():
            return "I"
        case Adjoint():
            return _raised(x.of, "*")
        case Inverse():
            return _raised(x.of, "-1")
        case Root():
            return _raised(x.of, "1/2")
        case Product():
            return " ".join(f"({latex(y)})" if isinstance(y, Sum) else latex(y) for y in x.factors)
        case Sum():
            return _latex_sum(x)
    raise TypeError(f"no formula: {type(x).__name__}")


def _own_letter(name: str) -> str:
    return rf"\mathrm{{{name}}}".replace("_", r"\_")


def _raised(x: Expression, power: str) -> str:
    if isinstance(x, Adjoint) and power == "-1":
        return _raised(x.of, "-*")
    if isinstance(x, Root) and power == "*":
        return _raised(x.of, "*/2")
    if isinstance(x, Root) and power == "-1":
        return _raised(x.of, "-1/2")
    body = latex(x)
    if isinstance(x, (Product, Sum, Root, Inverse, Adjoint)) or "^" in body:
        body = f"({body})"
    return f"{body}^{{{power}}}" if len(power) > 1 else f"{body}^{power}"


def _latex_sum(x: Sum) -> str:
    said = ""
    for number, term in x.terms:
        size = -number if number < 0 else number
        body = latex(term) if size == 1 else f"{_latex_number(size)} {latex(term)}"
        said += _signed(number, body, said)
    return said or "0"


def _latex_number(number: Number) -> str:
    if isinstance(number, Fraction) and number.denominator != 1:
        return rf"\frac{{{number.numerator}}}{{{number.denominator}}}"
    digits, _, power = str(number).partition("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits


def description(x: Expression) -> str:
    """A symbol in words: spaces, physics, definition and where the papers have it.

    >>> from soadyn.algebra import K
    >>> print(description(K))
    K : joint force -> link force
    <BLANKLINE>
    The gain, carried to the next link.
    <BLANKLINE>
        K = E_phi @ G
    <BLANKLINE>
    Equation: 000 (4.10); 003 section 8.
    """
    parts = [f"{x} : {x.codomain if x.is_vector else f'{x.domain} -> {x.codomain}'}"]
    meaning = x.meaning if isinstance(x, Symbol) else Meaning(physics="the identity, of motions as well as of forces")
    if meaning.physics:
        parts.append(f"{meaning.physics[0].upper()}{meaning.physics[1:]}.")
    if meaning.definition:
        parts.append(f"    {meaning.definition}")
    if meaning.reference:
        parts.append(f"Equation: {meaning.reference}.")
    return "\n\n".join(parts)
