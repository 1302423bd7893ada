"""Exact arithmetic: matrices of residues modulo a prime.

Every operator is a rational function of an arm's numbers: positions, quaternions, inertias. With residues in place of
these numbers nothing is rounded, overflows or cancels. Formulas that are equal on all arms are equal modulo the prime;
formulas that differ modulo the prime differ on almost every arm. Formulas that differ may be equal modulo the prime by
chance; for one entry of a matrix the chance is about one in the prime.

The root of a residue is a number a or b i with i² = -1; as the prime is 3 modulo 4, either x or -x is a square. Which
of its two roots is taken is arbitrary, as residues are neither positive nor negative: `Modular.signs` takes others.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, final

import numpy as np

from soadyn.errors import SingularError
from soadyn.theory.oracle.arithmetic import Arithmetic

PRIME = 2**28 - 57
LONGEST = 2**63 // PRIME**2  # a sum of so many products fits into 64 bits

Integers = np.ndarray


@final
class Residues:
    """An array of numbers re + im i, entries from 0 to PRIME - 1; without im it is real."""

    __slots__ = ("im", "re")

    def __init__(self, re: Integers, im: Integers | None = None) -> None:
        self.re, self.im = re, im

    @property
    def shape(self) -> tuple[int, ...]:
        return self.re.shape

    @property
    def T(self) -> Residues:
        return Residues(self.re.T, None if self.im is None else self.im.T)

    def __len__(self) -> int:
        return len(self.re)

    def __bool__(self) -> bool:
        """Whether any entry differs from zero."""
        return bool(self.re.any()) or (self.im is not None and bool(self.im.any()))

    def __getitem__(self, at: Any) -> Residues:
        return Residues(self.re[at], None if self.im is None else self.im[at])

    def __setitem__(self, at: Any, x: Residues) -> None:
        self.re[at] = x.re
        if x.im is not None and self.im is None:
            self.im = np.zeros_like(self.re)
        if self.im is not None:
            self.im[at] = 0 if x.im is None else x.im

    def __add__(self, x: Residues) -> Residues:
        im = self.im if x.im is None else x.im if self.im is None else self.im + x.im
        return residues(self.re + x.re, im)

    def __neg__(self) -> Residues:
        return residues(-self.re, None if self.im is None else -self.im)

    def __sub__(self, x: Residues) -> Residues:
        return self + -x

    def __mul__(self, number: int) -> Residues:
        return residues(self.re * number, None if self.im is None else self.im * number)

    __rmul__ = __mul__

    def __matmul__(self, x: Residues) -> Residues:
        assert self.shape[-1] < LONGEST
        re = self.re @ x.re % PRIME
        if self.im is None:
            return Residues(re, None if x.im is None else self.re @ x.im % PRIME)
        im = self.im @ x.re % PRIME
        if x.im is None:
            return Residues(re, im)
        return residues(re - self.im @ x.im % PRIME, im + self.re @ x.im % PRIME)


def residues(re: Integers, im: Integers | None = None) -> Residues:
    """Any integers, reduced modulo PRIME."""
    return Residues(re % PRIME, None if im is None else im % PRIME)


@final
class Modular(Arithmetic):
    """Arithmetic of `Residues`; with other `signs` the roots of about half of all numbers are the negative ones."""

    def __init__(self, signs: int = 0) -> None:
        self.signs = signs

    def zeros(self, *shape: int) -> Residues:
        return Residues(np.zeros(shape, dtype=np.int64))

    def eye(self, n: int) -> Residues:
        return Residues(np.eye(n, dtype=np.int64))

    def number(self, x: float | Fraction) -> int:
        """The residue of a fraction; SingularError if PRIME divides its denominator."""
        exact = Fraction(x)
        if exact.denominator % PRIME == 0:
            raise SingularError(f"{PRIME} divides the denominator of {x}")
        return exact.numerator * pow(exact.denominator, -1, PRIME) % PRIME

    def solve(self, A: Residues, B: Residues) -> Residues:
        """A⁻¹ B; SingularError if A is singular."""
        im = np.zeros_like(B.re) if B.im is None else B.im
        if A.im is None:
            found = _solved(A.re, B.re if B.im is None else np.hstack([B.re, im]))
            width = B.shape[1]
            return Residues(found[:, :width], None if B.im is None else found[:, width:])
        found = _solved(np.block([[A.re, -A.im], [A.im, A.re]]), np.vstack([B.re, im]))
        return Residues(found[: len(A)], found[len(A) :])

    def root(self, X: Residues) -> Residues:
        """The Cholesky factor; SingularError if a pivot vanishes and its column does not."""
        L = self.zeros(*X.shape)
        for j in range(len(X)):
            rest = X[j:, j] - L[j:, :j] @ L[j, :j]
            assert rest.im is None or not rest.im.any(), "the squares of all columns are real"
            if rest.re[0]:
                pivot = int(rest.re[0])
                other = self.signs * pivot % PRIME > PRIME // 2
                L[j:, j] = -_over_root(rest.re, pivot) if other else _over_root(rest.re, pivot)
            elif rest:
                raise SingularError("an indefinite matrix has no root")
        return L

    def arranged(self, function: Callable[..., Any], *parts: Residues) -> Residues:
        return residues(function(*(part.re for part in parts)).astype(np.int64))


RESIDUES = Modular()


def _solved(A: Integers, B: Integers) -> Integers:
    """A⁻¹ B by Gauss and Jordan."""
    n, rows = len(A), np.hstack([A, B]) % PRIME
    for j in range(n):
        candidates = rows[j:, j].nonzero()[0]
        if not len(candidates):
            raise SingularError("the matrix is singular")
        i = j + int(candidates[0])
        rows[[i, j]] = rows[[j, i]]
        pivot = rows[j, j:] * pow(int(rows[j, j]), -1, PRIME) % PRIME
        rows[:, j:] = (rows[:, j:] - rows[:, j, None] * pivot) % PRIME
        rows[j, j:] = pivot
    return rows[:, n:]


def _over_root(x: Integers, of: int) -> Residues:
    """x divided by the root of a number that is not zero."""
    root = pow(of, (PRIME + 1) // 4, PRIME)
    if root * root % PRIME == of:
        return residues(x * pow(root, -1, PRIME))
    root = pow(-of, (PRIME + 1) // 4, PRIME)  # of = (root i)², 1 / (root i) = - i / root
    return residues(np.zeros_like(x), -x * pow(root, -1, PRIME))
