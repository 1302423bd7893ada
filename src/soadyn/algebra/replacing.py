"""Formulas with their symbols and identities exchanged for others."""

from __future__ import annotations

from collections.abc import Callable

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
    sqrt,
    total,
)


def replaced(x: Expression, change: Callable[[Symbol | Identity], Expression]) -> Expression:
    """The formula with `change` applied to every symbol and identity; spaces are checked again.

    >>> from soadyn.algebra import E_phi, I_link, phi
    >>> print(replaced(I_link - E_phi.T, lambda x: phi if x == E_phi else x))
    I_link - phi.T
    """
    match x:
        case Symbol() | Identity():
            return change(x)
        case Adjoint():
            return replaced(x.of, change).T
        case Product():
            result = replaced(x.factors[0], change)
            for factor in x.factors[1:]:
                result = product(result, replaced(factor, change))
            return result
        case Sum() if x.terms:
            return total(tuple((c, replaced(term, change)) for c, term in x.terms))
        case Inverse():
            return inv(replaced(x.of, change))
        case Root():
            return sqrt(replaced(x.of, change))
    return x
