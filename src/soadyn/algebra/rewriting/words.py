"""Polynomials of words: what is left of formulas when they are multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

Word = tuple[str, ...]
Number = int | Fraction  # integers where possible; they are several times faster than fractions
Polynomial = dict[Word, Number]

ONE: Polynomial = {(): 1}


def exact(number: float | Fraction) -> Number:
    """A number as it stands in a formula."""
    fraction = Fraction(number)
    return fraction.numerator if fraction.denominator == 1 else fraction


def ratio(x: Number, y: Number) -> Number:
    """x / y."""
    return exact(Fraction(x) / y)


def letter_alone(letter: str) -> Polynomial:
    return {(letter,): 1}


def total(terms: Iterable[tuple[Word, Number]]) -> Polynomial:
    """The sum of terms, like ones collected and those that cancel dropped."""
    found: Polynomial = {}
    for word, number in terms:
        found[word] = found.get(word, 0) + number
    return {word: number for word, number in found.items() if number}


def plus(x: Polynomial, y: Polynomial, number: Number = 1) -> Polynomial:
    """x + number y."""
    return total([*x.items(), *((word, number * c) for word, c in y.items())])


def times(x: Polynomial, y: Polynomial) -> Polynomial:
    """x y."""
    return total((left + right, a * b) for left, a in x.items() for right, b in y.items())


def scaled(x: Polynomial, number: Number) -> Polynomial:
    return {word: c * number for word, c in x.items()}


def mirrored(x: Polynomial, mirror: Callable[[Word], Word]) -> Polynomial:
    """The adjoint: each word backwards, with the adjoints of its letters."""
    return total((mirror(word), c) for word, c in x.items())


def within(word: Word, part: Word) -> int | None:
    """Where a word first contains another, if it does."""
    n = len(part)
    return next((i for i in range(len(word) - n + 1) if word[i : i + n] == part), None)
