"""Formulas as text that can be read back, and as LaTeX in the papers' letters."""

from __future__ import annotations

from fractions import Fraction

from soadyn.algebra.expressions import Adjoint, Expression, Identity, Inverse, Number, Product, Root, Sum, Symbol


def text(x: Expression) -> str:
    """A formula as it is written in Python.

    >>> from soadyn.algebra import D, H, K, I_joint, inv, psi
    >>> print((I_joint - H @ psi @ K).T @ inv(D))
    (I_joint - K.T @ psi.T @ H.T) @ inv(D)
    """
    match x:
        case Symbol():
            return x.name
        case Identity():
            return f"I_{x.domain.place.replace(' joint', '')}"
        case Adjoint():
            return f"{text(x.of)}.T"
        case Inverse():
            return f"inv({text(x.of)})"
        case Root():
            return f"sqrt({text(x.of)})"
        case Product():
            return " @ ".join(f"({text(y)})" if isinstance(y, Sum) else text(y) for y in x.factors)
        case Sum():
            return _sum(x)
    raise TypeError(f"no formula: {type(x).__name__}")


def _sum(x: Sum) -> str:
    said = ""
    for number, term in x.terms:
        size = abs(number)
        body = text(term) if size == 1 else f"{size} * {_bracketed(term)}"
        said += f"{' - ' if number < 0 else ' + '}{body}" if said else f"{'-' if number < 0 else ''}{body}"
    return said or "0"


def _bracketed(x: Expression) -> str:
    return f"({text(x)})" if isinstance(x, (Product, Sum)) else text(x)


def latex(x: Expression) -> str:
    """A formula in the papers' letters; the adjoint is a star.

    >>> from soadyn.algebra import H, M, phi
    >>> print(latex(H @ phi @ M @ phi.T @ H.T))
    H \\phi M \\phi^* H^*
    """
    match x:
        case Symbol():
            return x.meaning.latex or rf"\mathrm{{{x.name}}}"
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
        body = latex(term) if size == 1 else rf"{_latex_number(size)}\thinspace {latex(term)}"
        said += f"{' - ' if number < 0 else ' + '}{body}" if said else f"{'-' if number < 0 else ''}{body}"
    return said or "0"


def _latex_number(number: Number) -> str:
    if isinstance(number, Fraction) and number.denominator != 1:
        return rf"\tfrac{{{number.numerator}}}{{{number.denominator}}}"
    return str(number)
