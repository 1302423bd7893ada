"""Polynomials of words: what is left of formulas when they are multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

Word = tuple[str, ...]
Polynomial = dict[Word, Fraction]

ONE: Polynomial = {(): Fraction(1)}


def total(terms: Iterable[tuple[Word, Fraction]]) -> Polynomial:
    """The sum of terms, like ones collected and those that cancel dropped."""
    found: Polynomial = {}
    for word, number in terms:
        found[word] = found.get(word, Fraction(0)) + number
    return {word: number for word, number in found.items() if number}


def plus(x: Polynomial, y: Polynomial, number: Fraction | int = 1) -> Polynomial:
    """x + number y."""
    return total([*x.items(), *((word, number * c) for word, c in y.items())])


def times(x: Polynomial, y: Polynomial) -> Polynomial:
    """x y."""
    return total((left + right, a * b) for left, a in x.items() for right, b in y.items())


def scaled(x: Polynomial, number: Fraction) -> Polynomial:
    return {word: c * number for word, c in x.items()}


def mirrored(x: Polynomial, mirror: Callable[[Word], Word]) -> Polynomial:
    """The adjoint: each word backwards, with the adjoints of its letters."""
    return total((mirror(word), c) for word, c in x.items())


def within(word: Word, part: Word) -> int | None:
    """Where a word first contains another, if it does."""
    n = len(part)
    return next((i for i in range(len(word) - n + 1) if word[i : i + n] == part), None)
