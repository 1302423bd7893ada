"""Designs: the values of a study's parameters, row by row.

The values of a row depend on the design and the row's number alone, not on the rows that are asked for together.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.fork_safe import cached_property
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import whole
from soadyn.studies.descriptions import MOST, short, told
from soadyn.studies.distributions import distribution_of
from soadyn.studies.seeds import checked_seed, uniform_rows
from soadyn.view.display.tables import number

MOST_ROWS = 10**15
MOST_KEPT = 2 * 10**7  # numbers of a design that is made as a whole


class Design(ABC):
    """Rows of named parameters."""

    rows: int
    shapes: Mapping[str, tuple[int, ...]]
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self.shapes)

    @abstractmethod
    def values(self, begin: int, end: int) -> dict[str, np.ndarray]:
        """The parameters of rows, (end - begin, *shape) each."""

    @abstractmethod
    def content(self) -> tuple[Any, ...]:
        """All that the values depend on."""

    def told(self) -> dict[str, str]:
        """What each parameter's values are, in short texts."""
        return dict.fromkeys(self.names, "")

    def about(self) -> dict[str, Any]:
        """What a reader wants to know of the design, as texts."""
        return {"design": type(self).__name__, "rows": self.rows, "seed": self.seed, "values": told(self.told())}

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {short(x)}".rstrip() for name, x in list(self.told().items())[:MOST])
        more = f", and {len(self.names) - MOST} more" if len(self.names) > MOST else ""
        return f"<{type(self).__name__} of {self.rows:,} rows: {said}{more}; seed {self.seed}>"


class _Given(Design):
    """Given values of parameters, in one list for each."""

    def __init__(self, values: Mapping[str, ArrayLike], seed: int = 0) -> None:
        own = type(self).__name__
        self._lists = {name: _column(own, name, x) for name, x in _named(own, values).items()}
        self.rows = whole(f"{own}: rows", self.count(), 1, MOST_ROWS)
        self.shapes = {name: x.shape[1:] for name, x in self._lists.items()}
        self.seed = checked_seed(seed)

    @abstractmethod
    def count(self) -> int:
        """How many rows there are."""

    def told(self) -> dict[str, str]:
        return {
            name: f"from {number(x.min())} to {number(x.max())}, {len(x):,} values" for name, x in self._lists.items()
        }

    def content(self) -> tuple[Any, ...]:
        return (type(self).__name__, self._lists, self.seed)


@final
class Grid(_Given):
    """Every combination of given values; the last parameter changes fastest.

    >>> from soadyn.studies import Grid
    >>> grid = Grid({"mass": [1.0, 2.0], "length": [0.1, 0.2, 0.3]})
    >>> grid.rows, grid.values(2, 4)["mass"].tolist(), grid.values(2, 4)["length"].tolist()
    (6, [1.0, 2.0], [0.3, 0.1])
    """

    @property
    def axes(self) -> dict[str, np.ndarray]:
        """The values of each parameter."""
        return dict(self._lists)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each parameter has."""
        return tuple(map(len, self._lists.values()))

    def count(self) -> int:
        return math.prod(self.sizes)

    def values(self, begin: int, end: int) -> dict[str, np.ndarray]:
        places = np.unravel_index(np.arange(begin, end), self.sizes)
        return {name: x[place] for (name, x), place in zip(self._lists.items(), places, strict=True)}


@final
class Table(_Given):
    """Given rows: a column for each parameter.

    >>> from soadyn.studies import Table
    >>> Table({"mass": [1.0, 2.0, 5.0]}).values(1, 3)
    {'mass': array([2., 5.])}
    """

    def count(self) -> int:
        lengths = {name: len(x) for name, x in self._lists.items()}
        if len(set(lengths.values())) != 1:
            found = ", ".join(f"{name!r} has {count}" for name, count in lengths.items())
            raise ShapeError(f"Table: columns must have equally many rows; {found}")
        return next(iter(lengths.values()))

    def values(self, begin: int, end: int) -> dict[str, np.ndarray]:
        return {name: x[begin:end] for name, x in self._lists.items()}


class _Distributed(Design):
    """Rows of numbers between 0 and 1, made into values by the parameters' distributions.

    parameters: by name, bounds (low, high) or what has `ppf`, such as `scipy.stats.norm(mean, std)`; figures may be
        arrays.
    """

    def __init__(self, parameters: Mapping[str, Any], rows: int, seed: int = 0) -> None:
        own = type(self).__name__
        self._distributions = {name: distribution_of(own, name, x) for name, x in _named(own, parameters).items()}
        self.rows = whole(f"{own}: rows", rows, 1, MOST_ROWS)
        self.seed = checked_seed(seed)
        self.shapes = {name: x.shape for name, x in self._distributions.items()}
        self._width = sum(int(np.prod(shape)) for shape in self.shapes.values())
        self.check_size(own)

    def check_size(self, own: str) -> None:
        """Refuse what cannot be made."""

    @abstractmethod
    def units(self, begin: int, end: int) -> np.ndarray:
        """Numbers from 0 to 1, (end - begin, width)."""

    def values(self, begin: int, end: int) -> dict[str, np.ndarray]:
        u, found, at = self.units(begin, end), {}, 0
        for name, distribution in self._distributions.items():
            count = int(np.prod(distribution.shape))
            found[name] = distribution.quantile(u[:, at : at + count].reshape(-1, *distribution.shape))
            at += count
        return found

    def told(self) -> dict[str, str]:
        return {name: repr(x) for name, x in self._distributions.items()}

    def content(self) -> tuple[Any, ...]:
        known = {name: x.content() for name, x in self._distributions.items()}
        return (type(self).__name__, known, self.rows, self.seed)


@final
class Random(_Distributed):
    """Independent random rows, as many as one likes: a row's numbers come from a counter, nothing is kept.

    >>> from scipy.stats import norm
    >>> from soadyn.studies import Random
    >>> design = Random({"mass": norm(2.0, 0.1), "q0": (-1.0, 1.0)}, rows=10**12, seed=1)
    >>> sorted(design.values(10**11, 10**11 + 2))
    ['mass', 'q0']
    """

    def units(self, begin: int, end: int) -> np.ndarray:
        return uniform_rows(self.seed, begin, end, self._width)


class _Whole(_Distributed):
    """A design whose rows depend on each other: it is made as a whole when first needed."""

    def check_size(self, own: str) -> None:
        if self.rows * self._width > MOST_KEPT:
            raise ArgumentError(
                f"{own}: {self.rows:,} rows of {self._width} numbers are made as a whole; expected at most "
                f"{MOST_KEPT:,} numbers. Random has no such bound"
            )

    def units(self, begin: int, end: int) -> np.ndarray:
        return self._all[begin:end]

    @cached_property
    def _all(self) -> np.ndarray:
        return np.ascontiguousarray(self.made())

    @abstractmethod
    def made(self) -> np.ndarray:
        """All numbers, (rows, width)."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: x for name, x in self.__dict__.items() if name != "_all"}


@final
class LatinHypercube(_Whole):
    """Random rows that fill each parameter's range evenly: of n rows one lies in each n-th (scipy.stats.qmc).

    >>> from soadyn.studies import LatinHypercube
    >>> np.sort(np.floor(LatinHypercube({"x": (0.0, 4.0)}, rows=4).values(0, 4)["x"])).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """

    def made(self) -> np.ndarray:
        from scipy.stats import qmc

        return np.asarray(qmc.LatinHypercube(self._width, rng=np.random.default_rng(self.seed)).random(self.rows))


@final
class Sobol(_Whole):
    """The scrambled Sobol sequence (scipy.stats.qmc): fills the space of all parameters; best with 2^n rows.

    >>> from soadyn.studies import Sobol
    >>> np.histogram(Sobol({"x": (0.0, 1.0)}, rows=64).values(0, 64)["x"], 8, (0, 1))[0].tolist()
    [8, 8, 8, 8, 8, 8, 8, 8]
    """

    def made(self) -> np.ndarray:
        from scipy.stats import qmc

        sequence = qmc.Sobol(self._width, rng=np.random.default_rng(self.seed))
        power = max(self.rows - 1, 1).bit_length()
        return np.asarray(sequence.random_base2(power)[: self.rows])


def _named(own: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not given or not all(isinstance(name, str) and name for name in given):
        raise ArgumentError(f"{own} takes a dict of parameters by name, at least one; got {given!r:.80}")
    return dict(given)


def _column(own: str, name: str, x: Any) -> np.ndarray:
    column = arguments.numbers(name, x, meaning="values of a parameter")
    if column.dtype.kind != "f" or column.ndim < 1 or not len(column):
        raise ShapeError(f"{own}: parameter {name!r} needs a list of real numbers, at least one; got {x!r:.80}")
    return column.astype(float)
