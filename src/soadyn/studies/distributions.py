"""How a parameter is distributed: a number, or an array of independent ones, from numbers between 0 and 1."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot.arguments.plain_values import real

MOST_NUMBERS = 10_000  # of one parameter


class Distribution(ABC):
    """The values of one parameter of a study, each an array of `shape`."""

    shape: tuple[int, ...]

    @abstractmethod
    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Values (..., *shape) that are larger than a share u (..., *shape) of all, 0 <= u < 1."""

    @abstractmethod
    def content(self) -> tuple[Any, ...]:
        """All that the values depend on."""


class _OfTwo(Distribution):
    """A distribution with two figures for each entry."""

    def __init__(self, first: ArrayLike, second: ArrayLike) -> None:
        own = type(self).__name__
        try:
            pair = [real("x", x, meaning="numbers") for x in (first, second)]
            self.first, self.second = (np.array(x) for x in np.broadcast_arrays(*pair))
        except (ShapeError, ValueError, TypeError):
            raise ArgumentError(
                f"{own} takes two numbers, or arrays of one shape; got {first!r:.60}, {second!r:.60}"
            ) from None
        self.shape = self.first.shape
        if self.first.size > MOST_NUMBERS:
            raise ArgumentError(f"{own} has {self.first.size} entries; expected at most {MOST_NUMBERS}")
        if not (np.isfinite(self.first).all() and np.isfinite(self.second).all() and self.makes_sense()):
            raise ArgumentError(f"{own} takes {self.takes}; got {first!r:.60}, {second!r:.60}")

    takes: str

    @abstractmethod
    def makes_sense(self) -> bool:
        """Do the figures describe a distribution?"""

    def content(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.first, self.second)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.first.tolist()}, {self.second.tolist()})"


@final
class Uniform(_OfTwo):
    """Equally likely between two bounds, numbers or arrays.

    >>> from soadyn.studies import Uniform
    >>> Uniform(0.0, 10.0).quantile(np.array([0.0, 0.25])).tolist()
    [0.0, 2.5]
    """

    takes = "finite bounds, the lower one first"

    def makes_sense(self) -> bool:
        return bool((self.first <= self.second).all())

    def quantile(self, u: np.ndarray) -> np.ndarray:
        return np.asarray(self.first + (self.second - self.first) * u)


@final
class LogUniform(_OfTwo):
    """Equally likely in each decade between two positive bounds.

    >>> from soadyn.studies import LogUniform
    >>> LogUniform(1.0, 100.0).quantile(np.array([0.5])).round(9).tolist()
    [10.0]
    """

    takes = "finite positive bounds, the lower one first"

    def makes_sense(self) -> bool:
        return bool((self.first > 0).all() and (self.first <= self.second).all())

    def quantile(self, u: np.ndarray) -> np.ndarray:
        low, high = np.log(self.first), np.log(self.second)
        return np.asarray(np.exp(low + (high - low) * u))


@final
class Normal(_OfTwo):
    """A normal distribution with a mean and a standard deviation.

    >>> from soadyn.studies import Normal
    >>> Normal(2.0, 0.1).quantile(np.array([0.5])).tolist()
    [2.0]
    """

    takes = "a finite mean and a standard deviation of zero or more"

    def makes_sense(self) -> bool:
        return bool((self.second >= 0).all())

    def quantile(self, u: np.ndarray) -> np.ndarray:
        from scipy import special

        inside = np.clip(u, 2.0**-54, 1 - 2.0**-53)  # 0 would be minus infinity
        return np.asarray(self.first + self.second * special.ndtri(inside))
