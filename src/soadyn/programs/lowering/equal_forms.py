"""Equal forms of formulas, by the rules of the identity table.

A formula is multiplied out and rewritten to a sum of products; `nodes` collects these under common operators, which
gives another way to compute the formula. Four are tried: the first keeps the links' inertias M; the second replaces M
by articulated inertias (the Riccati equation); the third goes back from psi P x to M, for formulas that had no M; the
fourth splits psi P x = psi~ P x + P x, so that P⁺ carries the bias inward as in 001 Algorithm 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from soadyn.algebra.expressions import Expression, Identity, Product, Symbol, walk, zero
from soadyn.algebra.expressions import total as summed
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.numbers import Number
from soadyn.algebra.operators import M, P, phi, psi, psi_tilde
from soadyn.algebra.replacing import replaced
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.rewriting.system import System, system_for
from soadyn.algebra.rewriting.words import Polynomial, Word, total
from soadyn.algebra.rewriting.work import Work

HIDDEN = "vector "  # prefix of vectors while rewriting; it keeps their equations of motion from being substituted
CANCELLED = ("an inverse cancels", "multiplied out")
SPLIT, BACK = (
    Reason(name, IDENTITIES[name].reference) for name in ("free transition, strict", "free and locked bodies")
)
MOST_STEPS = 1_000_000  # of rewriting, about a second

Form = tuple[tuple[Expression, ...], tuple[Reason, ...]]


def equal_forms(formulas: tuple[Expression, ...], passive: bool) -> Iterator[Form]:
    """Formulas that are vectors, written otherwise, and the identities used; GivenUpError if that takes too long."""
    hidden = [replaced(formula, _hide) for formula in formulas]
    system = system_for(hidden, passive, work=Work(MOST_STEPS))
    polynomials = [system.polynomial(formula) for formula in hidden]
    for stage in (system.stages - 1, system.stages):
        ends, reasons = _rewritten(system, polynomials, stage)
        yield _shown(system, ends, formulas), reasons
    if any(word[-3:-1] == _letters(system, psi, P) for x in ends for word in x):
        # psi P x = psi M phi* x - P phi* x + P x
        with_M = [_ending(system, x, ((1, (psi, M, phi.T)), (-1, (P, phi.T)), (1, (P,)))) for x in ends]
        found, more = _rewritten(system, with_M, system.stages - 1)
        yield _shown(system, found, formulas), tuple(dict.fromkeys((*reasons, BACK, *more)))
        split = [_ending(system, x, ((1, (psi_tilde, P)), (1, (P,)))) for x in ends]
        yield _shown(system, split, formulas), (*reasons, SPLIT)


def _rewritten(system: System, x: list[Polynomial], stage: int) -> tuple[list[Polynomial], tuple[Reason, ...]]:
    """Polynomials rewritten with the definitions of the first stages, and the identities used."""
    chains = [system.chain(polynomial, stage) for polynomial in x]
    ends = [chain[-1][0] if chain else polynomial for chain, polynomial in zip(chains, x, strict=True)]
    reasons = dict.fromkeys(reason for chain in chains for _, reason in chain if reason.name not in CANCELLED)
    return ends, tuple(reasons)


def _hide(x: Symbol | Identity) -> Expression:
    if isinstance(x, Identity) or not x.is_vector:
        return x
    if x.formula is not None:  # a user's abbreviation
        return replaced(x.formula, _hide)
    return Symbol(HIDDEN + x.name, x.domain, x.codomain)


def _letters(system: System, *atoms: Expression) -> Word:
    return tuple(system.alphabet.letter(atom) for atom in atoms)


def _ending(system: System, x: Polynomial, ends: Iterable[tuple[int, tuple[Expression, ...]]]) -> Polynomial:
    """Words that end in psi P before a vector, with other operators instead of these two."""
    replaced_by = [(sign, _letters(system, *atoms)) for sign, atoms in ends]
    terms: list[tuple[Word, int | Fraction]] = []
    for word, number in x.items():
        if word[-3:-1] == _letters(system, psi, P):
            terms += [((*word[:-3], *end, word[-1]), sign * number) for sign, end in replaced_by]
        else:
            terms.append((word, number))
    return total(terms)


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
