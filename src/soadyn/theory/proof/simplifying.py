"""Level 3: a shorter formula for the same operator."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import reduce

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
from soadyn.algebra.rewriting.rules import around
from soadyn.algebra.rewriting.system import System, system_for
from soadyn.algebra.rewriting.words import Polynomial, Word, plus, ratio, scaled, within
from soadyn.algebra.rewriting.work import GivenUpError
from soadyn.errors import SpaceError
from soadyn.theory.proof.arguments import Formula, assumptions, is_too_large, read, speaks_of_the_passive_arm
from soadyn.theory.proof.comparing import undefined_parts

MOST_TERMS = 40  # longer sums are not searched for parts that have a name
LONGEST_PRODUCT = 12  # of longer products only the whole is rewritten, not every part


def simplify(x: Formula, assume: Sequence[str] = ()) -> Expression:
    """An equal formula with fewer symbols, if the identities of the papers give one; otherwise the formula itself.

    `assume` is as for `prove`.

    >>> import soadyn as sd
    >>> from soadyn.algebra import D, H, I_joint, K, inv, phi, psi
    >>> print(sd.simplify((I_joint - H @ psi @ K) @ H @ phi))
    H @ psi
    >>> print(sd.simplify(inv(I_joint + H @ phi @ K)))
    I_joint - H @ psi @ K
    >>> print(sd.simplify((I_joint + H @ phi @ K) @ D @ (I_joint + H @ phi @ K).T))
    mass
    """
    assumed = assumptions(assume)
    x = read(x)
    if not isinstance(x, Expression):
        raise SpaceError(f"simplify takes a formula, got {type(x).__name__}")
    if is_too_large(x):
        return x
    passive = speaks_of_the_passive_arm([x])
    if missing := undefined_parts(x, passive, assumed):
        raise SpaceError(f"{x}: no random arm has {' and '.join(map(str, missing))}")
    return _simplified(system_for([x], passive, assumed), x)


def cost(x: Expression) -> tuple[int, int]:
    """How long a formula is: its symbols, then its terms."""
    match x:
        case Symbol():
            return 1, 0
        case Identity():
            return 1, 0
        case Adjoint() | Root() | Inverse():
            symbols, terms = cost(x.of)
            return symbols + isinstance(x, Inverse), terms
        case Product():
            inner = [cost(factor) for factor in x.factors]
        case Sum():
            inner = [cost(term) for _, term in x.terms]
            return sum(symbols for symbols, _ in inner), sum(terms for _, terms in inner) + len(inner)
        case _:
            raise TypeError(f"no formula: {type(x).__name__}")
    return sum(symbols for symbols, _ in inner), sum(terms for _, terms in inner)


def _simplified(system: System, x: Expression) -> Expression:
    return min([x, *_by_parts(system, x), *_rewritten(system, x)], key=cost)


def _by_parts(system: System, x: Expression) -> Iterator[Expression]:
    match x:
        case Inverse():
            yield inv(_simplified(system, x.of))
        case Sum() if x.terms:
            yield total(tuple((c, _simplified(system, term)) for c, term in x.terms))
        case Product() if len(x.factors) <= LONGEST_PRODUCT:
            yield _bracketed(system, x.factors)


def _bracketed(system: System, factors: tuple[Expression, ...]) -> Expression:
    """The product of the shortest formulas of its parts, over all ways to part it."""
    n = len(factors)
    best: dict[tuple[int, int], Expression] = {}
    for length in range(1, n + 1):
        for i in range(n - length + 1):
            found = [product(best[i, k], best[k, i + length]) for k in range(i + 1, i + length)]
            whole = factors[i] if length == 1 else reduce(product, factors[i : i + length])
            direct = _by_parts(system, whole) if length == 1 else iter(())
            # the whole product itself is rewritten by the caller
            rewritten = _rewritten(system, whole) if length < n else iter(())
            best[i, i + length] = min([whole, *found, *direct, *rewritten], key=cost)
    return best[0, n]


def _rewritten(system: System, x: Expression) -> Iterator[Expression]:
    """The shortest of all forms on the way to the normal form, and the normal form with names given back."""
    with contextlib.suppress(GivenUpError):
        yield from _forms(system, x)


def _forms(system: System, x: Expression) -> Iterator[Expression]:
    start = system.polynomial(x)
    forms = [start, *(form for stage in range(system.stages + 1) for form, _ in system.chain(start, stage))]
    yield system.alphabet.expression(min(forms, key=_length), x.domain, x.codomain)
    normal = system.normal(start)
    if len(normal) <= MOST_TERMS:
        named = _named(system, normal)
        yield system.alphabet.expression(named, x.domain, x.codomain)
        yield _factored(system, named, x)


def _named(system: System, form: Polynomial) -> Polynomial:
    """The polynomial with operators' names put in place of their definitions, as long as that makes it shorter."""
    while True:
        options = [option for name, meaning in system.names() for option in _with_name(system, form, name, meaning)]
        best = min(options, key=_length, default=form)
        if _length(best) >= _length(form):
            return form
        form = best


def _with_name(system: System, form: Polynomial, name: str, meaning: Polynomial) -> Iterator[Polynomial]:
    leading = system.alphabet.leading(meaning)
    for word, number in form.items():
        at = within(word, leading)
        if at is not None:
            before, after = word[:at], word[at + len(leading) :]
            share = ratio(number, meaning[leading])
            without = plus(form, scaled(around(before, meaning, after), share), -1)
            yield plus(without, {(*before, name, *after): 1}, share)


def _length(form: Polynomial) -> tuple[int, int]:
    return sum(max(len(word), 1) for word in form), len(form)


def _factored(system: System, form: Polynomial, like: Expression) -> Expression:
    """What all words begin or end with, taken out of the sum."""
    words = list(form)
    first, last = _common(words), _common([word[::-1] for word in words])[::-1]
    if len(words) < 2 or not (first or last):
        return system.alphabet.expression(form, like.domain, like.codomain)
    if first and last and min(map(len, words)) < len(first) + len(last):
        last = ()
    inside = {word[len(first) : len(word) - len(last)]: c for word, c in form.items()}
    left = [system.alphabet.atoms[letter] for letter in first]
    right = [system.alphabet.atoms[letter] for letter in last]
    domain = right[0].codomain if right else like.domain
    codomain = left[-1].domain if left else like.codomain
    middle = system.alphabet.expression(inside, domain, codomain)
    return reduce(product, (*left, middle, *right))


def _common(words: list[Word]) -> Word:
    shortest = min(words, key=len, default=())
    for n in range(len(shortest), 0, -1):
        if all(word[:n] == shortest[:n] for word in words):
            return shortest[:n]
    return ()
