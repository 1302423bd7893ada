"""Inverses and abbreviations replaced by what the papers say they are, so that only recursions are left.

mass⁻¹          = (I - H psi K)* D⁻¹ (I - H psi K)      001 Identity 6
(I + H phi K)⁻¹ = I - H psi K                           001 Identity 5
phi⁻¹ = I - E_phi,   psi⁻¹ = I - E_psi,   (X Y)⁻¹ = Y⁻¹ X⁻¹
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from soadyn.algebra.expressions import (
    Adjoint,
    Expression,
    Identity,
    Inverse,
    Product,
    Root,
    Sum,
    Symbol,
    inv,
    product,
    total,
)
from soadyn.algebra.operators import (
    A_r,
    A_rp,
    D,
    D_p,
    E_phi,
    E_psi,
    G,
    G_p,
    H,
    H_p,
    I_joint,
    I_link,
    I_passive,
    K,
    K_p,
    M,
    mass,
    phi,
    phi_tilde,
    psi,
)
from soadyn.algebra.writing import latex


@final
@dataclass(frozen=True, slots=True)
class Known:
    """An operator the papers invert: how it may be written, its inverse, and where that is said."""

    name: str
    forms: tuple[Expression, ...]
    inverse: Expression
    reference: str

    @property
    def said(self) -> str:
        """The identity in words and symbols."""
        return f"{self.name}: inv({self.forms[0]}) = {self.inverse}"

    @property
    def latex(self) -> str:
        return f"{latex(inv(self.forms[0]))} = {latex(self.inverse)}"


_FILTER = I_joint - H @ psi @ K
_FILTER_P = I_passive - H_p @ psi @ K_p
_FACTOR = I_joint + H @ phi @ K
_FACTOR_P = I_passive + H_p @ phi @ K_p

KNOWN = (
    Known("phi", (phi,), I_link - E_phi, "000 (4.6)"),
    Known("psi", (psi,), I_link - E_psi, "000 (4.10)"),
    Known("I - E_phi", (I_link - E_phi,), phi, "000 (4.6)"),
    Known("I - E_psi", (I_link - E_psi,), psi, "000 (4.10)"),
    Known(
        "innovations factor",
        (_FACTOR, I_joint + H @ phi_tilde @ G, I_joint + H @ phi @ E_phi @ G, I_joint + H @ E_phi @ phi @ G),
        _FILTER,
        "001 Identity 5",
    ),
    Known("inverse innovations factor", (_FILTER, I_joint - H @ psi @ E_phi @ G), _FACTOR, "001 Identity 5"),
    Known(
        "mass matrix",
        (mass, H @ phi @ M @ phi.T @ H.T + A_r, _FACTOR @ D @ _FACTOR.T),
        _FILTER.T @ inv(D) @ _FILTER,
        "001 Identity 6",
    ),
    Known(
        "passive innovations factor", (_FACTOR_P, I_passive + H_p @ phi_tilde @ G_p), _FILTER_P, "004 Lemma 4.2"
    ),
    Known("inverse passive innovations factor", (_FILTER_P,), _FACTOR_P, "004 Lemma 4.2"),
    Known(
        "passive mass matrix",
        (H_p @ phi @ M @ phi.T @ H_p.T + A_rp, _FACTOR_P @ D_p @ _FACTOR_P.T),
        _FILTER_P.T @ inv(D_p) @ _FILTER_P,
        "004 Lemma 4.3",
    ),
)  # fmt: skip


def resolved(x: Expression, used: list[Any] | None = None) -> Expression:
    """The formula with every inverse that the papers know replaced; `used` collects what was.

    >>> from soadyn.algebra import inv, mass
    >>> print(resolved(inv(mass)))
    (I_joint - K.T @ psi.T @ H.T) @ inv(D) @ (I_joint - H @ psi @ K)
    """
    match x:
        case Product():
            parts = [resolved(factor, used) for factor in x.factors]
            result = parts[0]
            for part in parts[1:]:
                result = product(result, part)
            return result
        case Sum() if x.terms:
            return total(tuple((c, resolved(term, used)) for c, term in x.terms))
        case Inverse():
            return _inverse(x.of, used)
        case Symbol() if x.formula is not None:
            return resolved(x.formula, used)
        case Adjoint(of=Symbol(formula=formula)) if formula is not None:
            return resolved(formula.T, used)
        case _:
            return x


def _inverse(x: Expression, used: list[Any] | None) -> Expression:
    if isinstance(x, Symbol) and x.formula is not None:
        return _inverse(x.formula, used)
    for known in KNOWN:
        for form in known.forms:
            for adjoint in (False, True):
                if same(x, form.T if adjoint else form):
                    if used is not None and known not in used:
                        used.append(known)
                    return known.inverse.T if adjoint else known.inverse
    if isinstance(x, Product) and all(f.domain.place == f.codomain.place for f in x.factors):
        result = _inverse(x.factors[-1], used)
        for factor in reversed(x.factors[:-1]):
            result = product(result, _inverse(factor, used))
        return result
    if isinstance(x, Sum) and len(x.terms) == 1:
        number, term = x.terms[0]
        return _inverse(term, used) / number
    if isinstance(x, (Symbol, Root, Adjoint, Identity)):
        return inv(x)
    return inv(resolved(x, used))


def same(x: Expression, y: Expression) -> bool:
    """Equal up to the order of terms."""
    if isinstance(x, Sum) and isinstance(y, Sum):
        return (x.domain, x.codomain) == (y.domain, y.codomain) and _terms(x) == _terms(y)
    return x == y


def _terms(x: Sum) -> set[tuple[object, Expression]]:
    return set(x.terms)
