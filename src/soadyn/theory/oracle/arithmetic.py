"""What the oracle does with matrices beyond sums and products: in doubles here, exactly in `residues`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.theory.oracle.dense_geometry import Matrix


class Arithmetic(ABC):
    """Matrices and vectors of one kind of numbers."""

    @abstractmethod
    def zeros(self, *shape: int) -> Matrix:
        """A matrix or vector of zeros."""

    @abstractmethod
    def eye(self, n: int) -> Matrix:
        """The identity matrix."""

    @abstractmethod
    def number(self, x: float | Fraction) -> Any:
        """A number of a formula, as a factor of matrices."""

    @abstractmethod
    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        """A⁻¹ B."""

    @abstractmethod
    def root(self, X: Matrix) -> Matrix:
        """The lower Cholesky factor of a symmetric X; a vanishing pivot leaves its column empty."""

    @abstractmethod
    def arranged(self, function: Callable[..., Matrix], *parts: Matrix) -> Matrix:
        """function(*parts), a matrix whose entries are entries of the parts, their negatives, 0 or 1: skew, rigid."""

    def inverse(self, X: Matrix) -> Matrix:
        return self.solve(X, self.eye(len(X)))

    def block_diagonal(self, blocks: list[Matrix], shape: tuple[int, int]) -> Matrix:
        """Blocks along the diagonal; some may have no rows or no columns."""
        matrix, i, j = self.zeros(*shape), 0, 0
        for block in blocks:
            rows, columns = block.shape
            matrix[i : i + rows, j : j + columns] = block
            i, j = i + rows, j + columns
        return matrix


@final
class Doubles(Arithmetic):
    """float64 arrays and `numpy.linalg`; or complex128 ones, for derivatives by complex steps."""

    def __init__(self, dtype: type = float) -> None:
        self.dtype = dtype

    def array(self, x: ArrayLike) -> Matrix:
        """Numbers of this kind."""
        return np.asarray(x, dtype=self.dtype)

    def zeros(self, *shape: int) -> Matrix:
        return np.zeros(shape, dtype=self.dtype)

    def eye(self, n: int) -> Matrix:
        return np.eye(n)

    def number(self, x: float | Fraction) -> float:
        return float(x)

    def solve(self, A: Matrix, B: Matrix) -> Matrix:
        return np.linalg.solve(A, B)

    def root(self, X: Matrix) -> Matrix:
        L, smallest = np.zeros_like(X), 64 * np.finfo(float).eps * abs(np.diagonal(X)).max(initial=0.0)
        for j in range(len(X)):
            rest = X[j:, j] - L[j:, :j] @ L[j, :j]
            if rest[0].real > smallest:
                L[j:, j] = rest / np.sqrt(rest[0])
        return L

    def arranged(self, function: Callable[..., Matrix], *parts: Matrix) -> Matrix:
        return function(*parts)


DOUBLES, COMPLEX = Doubles(), Doubles(complex)
