"""Numbers in formulas: whole, fractions or floating, within the range of doubles."""

from __future__ import annotations

import sys
from fractions import Fraction
from numbers import Integral, Rational, Real

from soadyn.errors import SpaceError

Number = int | float | Fraction
LARGEST = sys.float_info.max
EXACT = 2**sys.float_info.mant_dig


def number_from(x: object) -> Number | None:
    """A real number of any library; None if it is something else."""
    if isinstance(x, bool) or not isinstance(x, Real):
        return None
    if isinstance(x, Integral):
        return finite(int(x))
    return finite(Fraction(x) if isinstance(x, Rational) else float(x))


def finite(number: Number) -> Number:
    """The number, if doubles can hold it and its parts."""
    parts = (number,) if isinstance(number, float) else (number.numerator, number.denominator)
    if not all(abs(part) <= LARGEST for part in parts):  # not for NaN either
        raise SpaceError("a number in a formula is finite and within the range of doubles, this one is not")
    return number


def rounded(number: Number) -> Number:
    """The number as it is if doubles hold its parts exactly, else as a double."""
    if not isinstance(number, float) and max(abs(number.numerator), number.denominator) <= EXACT:
        return number
    try:
        return finite(float(number))
    except OverflowError:
        return finite(float("inf"))
