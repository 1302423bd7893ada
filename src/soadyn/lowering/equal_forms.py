"""Equal forms of formulas, by the rules of the identity table.

A formula is multiplied out and rewritten to a sum of products; `nodes` collects these under common operators, which
gives another way to compute the formula. Three are tried: the first keeps the links' inertias M; the second replaces M
by articulated inertias (the Riccati equation); the third also splits psi P x = psi~ P x + P x, so that P⁺ carries the
bias inward as in 001 Algorithm 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from soadyn.algebra.expressions import Expression, Identity, Product, Symbol, walk, zero
from soadyn.algebra.expressions import total as summed
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.numbers import Number
from soadyn.algebra.operators import P, psi, psi_tilde
from soadyn.algebra.replacing import replaced
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.rewriting.system import System, system_for
from soadyn.algebra.rewriting.words import Polynomial, Word
from soadyn.algebra.rewriting.work import Work

HIDDEN = "vector "  # prefix of vectors while rewriting; it keeps their equations of motion from being substituted
CANCELLED = ("an inverse cancels", "multiplied out")
SPLIT = Reason("free transition, strict", IDENTITIES["free transition, strict"].reference)

MOST_STEPS = 1_000_000  # of rewriting, about a second

Form = tuple[tuple[Expression, ...], tuple[Reason, ...]]


def equal_forms(formulas: tuple[Expression, ...], passive: bool) -> Iterator[Form]:
    """Formulas that are vectors, written otherwise, and the identities used; GivenUpError if that takes too long."""
    hidden = [replaced(formula, _hide) for formula in formulas]
    system = system_for(hidden, passive, work=Work(MOST_STEPS))
    polynomials = [system.polynomial(formula) for formula in hidden]
    for stage in (system.stages - 1, system.stages):
        chains = [system.chain(x, stage) for x in polynomials]
        ends = [chain[-1][0] if chain else x for chain, x in zip(chains, polynomials, strict=True)]
        reasons = tuple(
            dict.fromkeys(reason for chain in chains for _, reason in chain if reason.name not in CANCELLED)
        )
        yield _shown(system, ends, formulas), reasons
    parts = [_split(system, x) for x in ends]
    if parts != ends:
        yield _shown(system, parts, formulas), (*reasons, SPLIT)


def _hide(x: Symbol | Identity) -> Expression:
    if isinstance(x, Identity) or not x.is_vector:
        return x
    if x.formula is not None:  # a user's abbreviation
        return replaced(x.formula, _hide)
    return Symbol(HIDDEN + x.name, x.domain, x.codomain)


def _split(system: System, x: Polynomial) -> Polynomial:
    """psi P x = psi~ P x + P x at the end of a word."""
    letters = tuple(system.alphabet.letter(atom) for atom in (psi, P))
    strict = system.alphabet.letter(psi_tilde)
    found: Polynomial = {}
    for word, number in x.items():
        if word[-3:-1] == letters:
            head, tail = word[:-3], word[-2:]
            found[(*head, strict, *tail)] = found.get((*head, strict, *tail), Fraction(0)) + number
            found[(*head, *tail)] = found.get((*head, *tail), Fraction(0)) + number
        else:
            found[word] = found.get(word, Fraction(0)) + number
    return {word: number for word, number in found.items() if number}


def _shown(system: System, ends: list[Polynomial], like: tuple[Expression, ...]) -> tuple[Expression, ...]:
    vectors = {HIDDEN + x.name: x for formula in like for x in _symbols(formula) if x.is_vector}

    def unhide(x: Symbol | Identity) -> Expression:
        return x if isinstance(x, Identity) else vectors.get(x.name, x)

    found = []
    for end, formula in zip(ends, like, strict=True):
        terms = tuple((_number(c), replaced(_product(system, word), unhide)) for word, c in end.items())
        found.append(summed(terms) if terms else zero(formula.domain, formula.codomain))
    return tuple(found)


def _symbols(formula: Expression) -> Iterator[Symbol]:
    return (x for x in walk(formula) if isinstance(x, Symbol))


def _product(system: System, word: Word) -> Expression:
    factors = tuple(system.alphabet.atoms[letter] for letter in word)
    return factors[0] if len(factors) == 1 else Product(factors)


def _number(c: int | Fraction) -> Number:
    if c.denominator == 1:
        return int(c)
    return c if c.denominator < 1_000 else float(c)
