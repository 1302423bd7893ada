"""Replace inverses by products that have recursions, and a user's abbreviations by their formulas.

The identity table has the inverses of phi, psi, the innovations factor and the mass matrix, and other ways to write
them. Beyond the table, (X Y)⁻¹ = Y⁻¹ X⁻¹ and (c X)⁻¹ = X⁻¹ / c are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import final

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
    is_square,
    product,
    total,
)
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.rewriting.modes import Mode
from soadyn.algebra.rewriting.rules import Reason


@final
@dataclass(frozen=True, slots=True)
class KnownInverse:
    """How an operator may be written, its inverse, and the row that says so."""

    forms: tuple[Expression, ...]
    inverse: Expression
    reason: Reason


@cache
def known_inverses(passive: bool) -> tuple[KnownInverse, ...]:
    """Operators whose inverse the table has; `passive` asks for those of the passive arm."""
    mode = Mode(passive=passive)
    found = []
    for name in mode.inverses:
        left, Y = mode.sides(name)
        assert isinstance(left, Inverse)
        reason = Reason(name, IDENTITIES[name].reference)
        for x, y in ((left.of, Y), (Y, left.of)):
            forms = forms_of(x, passive)
            found += [KnownInverse(forms, y, reason), KnownInverse(tuple(form.T for form in forms), y.T, reason)]
    return tuple(found)


@cache
def forms_of(x: Expression, passive: bool = False) -> tuple[Expression, ...]:
    """An operator, and every formula that a row of the table equates with it on all arms."""
    return (x, *(z for left, right in _general_rows(passive) for y, z in ((left, right), (right, left)) if y == x))


@cache
def _general_rows(passive: bool) -> list[tuple[Expression, Expression]]:
    """Both sides of the rows that hold on all arms."""
    mode = Mode(passive=passive)
    return [mode.sides(name) for name, row in IDENTITIES.items() if passive in row.arms and not row.needs]


def resolved(x: Expression, passive: bool = False, used: list[Reason] | None = None) -> Expression:
    """The formula with every known inverse and all abbreviations replaced; `used` collects the rows.

    >>> from soadyn.algebra import inv, mass
    >>> print(resolved(inv(mass)))
    (I_joint - K.T @ psi.T @ H.T) @ inv(D) @ (I_joint - H @ psi @ K)
    """
    return _Resolving(passive, [] if used is None else used).of(x)


@final
@dataclass(frozen=True, slots=True)
class _Resolving:
    passive: bool
    used: list[Reason]

    def of(self, x: Expression) -> Expression:
        match x:
            case Product():
                result = self.of(x.factors[0])
                for factor in x.factors[1:]:
                    result = product(result, self.of(factor))
                return result
            case Sum() if x.terms:
                return total(tuple((c, self.of(term)) for c, term in x.terms))
            case Inverse():
                return self.inverse(x.of)
            case Symbol() if x.formula is not None:
                return self.of(x.formula)
            case Adjoint(of=Symbol(formula=formula)) if formula is not None:
                return self.of(formula.T)
        return x

    def inverse(self, x: Expression) -> Expression:
        """inv(x)."""
        for known in known_inverses(self.passive):
            if any(same(x, form) for form in known.forms):
                if known.reason not in self.used:
                    self.used.append(known.reason)
                return known.inverse
        match x:
            case Symbol(formula=formula) if formula is not None:
                return self.inverse(formula)
            case Adjoint(of=Symbol(formula=formula)) if formula is not None:
                return self.inverse(formula.T)
            case Product() if all(map(is_square, x.factors)):
                result = self.inverse(x.factors[-1])
                for factor in reversed(x.factors[:-1]):
                    result = product(result, self.inverse(factor))
                return result
            case Sum(terms=((number, term),)):
                return self.inverse(term) / number
            case Symbol() | Root() | Adjoint() | Identity():
                return inv(x)
            case Inverse():
                return self.of(x.of)
        return inv(self.of(x))


def same(x: Expression, y: Expression) -> bool:
    """Equal up to the order of terms."""
    if isinstance(x, Sum) and isinstance(y, Sum):
        return (x.domain, x.codomain) == (y.domain, y.codomain) and set(x.terms) == set(y.terms)
    return x == y
