"""Formulas multiplied out: what is equal so is equal whatever the operators are."""

from __future__ import annotations

from collections.abc import Iterable

from soadyn.algebra.expressions import Expression, Identity, Inverse, Product, Sum
from soadyn.algebra.rewriting.alphabet import Alphabet
from soadyn.algebra.rewriting.words import ONE, Polynomial, exact, letter_alone, times, total
from soadyn.algebra.rewriting.work import Work


def multiplied_out(x: Expression, alphabet: Alphabet, work: Work) -> Polynomial:
    """A formula as a polynomial, in which inverses and roots are letters of which nothing is known.

    >>> from soadyn.algebra import psi
    >>> len(multiplied_out(psi @ (psi - 2 * psi) + psi, Alphabet(), Work()))
    2
    """
    match x:
        case Identity():
            return ONE
        case Product():
            found = ONE
            for factor in without_cancelling(x.factors):
                y = multiplied_out(factor, alphabet, work)
                work.add(len(found) * len(y))
                found = times(found, y)
            return found
        case Sum():
            return total((w, c * exact(n)) for n, y in x.terms for w, c in multiplied_out(y, alphabet, work).items())
    return letter_alone(alphabet.letter(x))


def without_cancelling(factors: Iterable[Expression]) -> list[Expression]:
    """Factors without neighbours of which one is the inverse of the other, as it is written."""
    kept: list[Expression] = []
    longest = 0  # inverse of a product so far, in factors of that
    for factor in factors:
        kept.append(factor)
        if isinstance(factor, Inverse):
            longest = max(longest, len(_factors(factor.of)))
        for start in range(len(kept) - 2, max(len(kept) - 2 - longest, -1), -1):
            first, last = kept[start], kept[-1]
            if (isinstance(last, Inverse) and _factors(last.of) == kept[start:-1]) or (
                isinstance(first, Inverse) and _factors(first.of) == kept[start + 1 :]
            ):
                del kept[start:]
                break
    return kept


def _factors(x: Expression) -> list[Expression]:
    return list(x.factors) if isinstance(x, Product) else [x]
