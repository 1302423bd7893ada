"""How a parameter is distributed: between two bounds, or as anything that has quantiles, such as `scipy.stats.norm`.

A distribution makes numbers u between 0 and 1 into values: `ppf(u)`, as SciPy calls its quantiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import real

MOST_NUMBERS = 10_000  # of one parameter
FIRST, LAST = 2.0**-54, 1 - 2.0**-53  # quantiles of 0 and 1 may be infinite
KNOWN_BY = np.arange(1, 64) / 64  # quantiles that tell distributions apart


@final
@dataclass(frozen=True, eq=False)
class Distribution:
    """The values of one parameter of a study, each an array of `shape`: bounds (low, high), or what has `ppf`.

    >>> from scipy import stats
    >>> distribution_of("Random", "mass", (0.0, 10.0)).quantile(np.array([0.0, 0.25])).tolist()
    [0.0, 2.5]
    >>> distribution_of("Random", "mass", stats.norm(2.0, 0.1))
    norm(2.0, 0.1)
    """

    law: Any
    shape: tuple[int, ...]

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Values (..., *shape) that are larger than a share u (..., *shape) of all, 0 <= u < 1."""
        if isinstance(self.law, tuple):
            low, high = self.law
            return np.asarray(low + (high - low) * u)
        return np.asarray(self.law.ppf(np.clip(u, FIRST, LAST)), dtype=float)

    def content(self) -> tuple[Any, ...]:
        """All that the values depend on."""
        if isinstance(self.law, tuple):
            return ("Uniform", *self.law)
        return ("ppf", self.quantile(KNOWN_BY.reshape(-1, *(1,) * len(self.shape))))

    def __repr__(self) -> str:
        if isinstance(self.law, tuple):
            return f"uniform({', '.join(str(x.tolist()) for x in self.law)})"
        named = getattr(getattr(self.law, "dist", None), "name", None)  # a distribution of scipy.stats with its figures
        if named is None:
            return type(self.law).__name__
        given = [*map(_figure, self.law.args), *(f"{key}={_figure(x)}" for key, x in self.law.kwds.items())]
        return f"{named}({', '.join(given)})"


def _figure(x: Any) -> str:
    return str(np.asarray(x).tolist())


def distribution_of(own: str, name: str, given: Any) -> Distribution:
    """The distribution of a design's parameter, checked; `own` is the design."""
    if isinstance(given, tuple) and len(given) == 2:
        return _between(own, name, *given)
    if not callable(getattr(given, "ppf", None)):
        raise ArgumentError(
            f"{own}: parameter {name!r} takes bounds (low, high) or a distribution with ppf, such as "
            f"scipy.stats.norm(mean, std); got {given!r:.80}"
        )
    try:
        middle = np.asarray(given.ppf(0.5), dtype=float)
    except (TypeError, ValueError) as error:  # scipy.stats.norm is one; scipy.stats.gamma lacks its shape
        raise ArgumentError(f"{own}: parameter {name!r}: {type(given).__name__} has no quantiles: {error}") from None
    found = _of_size(own, name, given, middle.shape)
    if not np.isfinite(found.quantile(np.stack([np.full(middle.shape, x) for x in (FIRST, 0.5, LAST)]))).all():
        raise ArgumentError(f"{own}: parameter {name!r}: quantiles of {found!r} are not finite; are its figures right?")
    return found


def _between(own: str, name: str, low: Any, high: Any) -> Distribution:
    try:
        law = tuple(np.array(x) for x in np.broadcast_arrays(*(real("x", x, meaning="numbers") for x in (low, high))))
    except (ArgumentError, ValueError, TypeError):
        raise ArgumentError(
            f"{own}: parameter {name!r} takes bounds (low, high), two numbers or arrays of one shape; "
            f"got {low!r:.60}, {high!r:.60}"
        ) from None
    found = _of_size(own, name, law, law[0].shape)
    if not (np.isfinite(law).all() and (law[0] <= law[1]).all()):
        raise ArgumentError(
            f"{own}: parameter {name!r} takes finite bounds, the lower one first; got {low!r:.60}, {high!r:.60}"
        )
    return found


def _of_size(own: str, name: str, law: Any, shape: tuple[int, ...]) -> Distribution:
    if np.prod(shape) > MOST_NUMBERS:
        raise ArgumentError(f"{own}: parameter {name!r} has {np.prod(shape)} entries; expected at most {MOST_NUMBERS}")
    return Distribution(law, shape)
