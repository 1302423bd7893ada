"""A scenario that is a Python function, of one row or of many."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import flag
from soadyn.studies.reductions import DEFAULT, Histogram
from soadyn.studies.scenario import Compute, Outputs, Reasons, Scenario, Values, by_halves, in_parts, told
from soadyn.studies.seeds import row_generator

RESULT = "result"  # the measure's name where a function returns numbers alone


@final
class Function(Scenario):
    """A Python function of a row's parameters; it runs in processes of its own.

    function: takes a dict of the row's parameters and, if it has a second argument, a `numpy.random.Generator` that
        depends on the study's seed and the row's number alone. It returns a number, an array, or a dict of them. An
        exception makes the row fail; the study goes on.
    batched: the function takes and returns arrays of many rows, (rows, ...) each; its second argument is an array of
        seeds, one for each row.

    The study's identity holds the function's name and code, not the code of what it calls.

    >>> from soadyn.studies import Function
    >>> import soadyn as sd
    >>> area = Function(lambda row: row["width"] * row["height"])
    >>> sizes = sd.studies.Grid({"width": [1.0, 2.0], "height": [3.0]})
    >>> study = sd.run_study(area, sizes, folder="area", processes=False)
    >>> study.results.values["result"]
    array([3., 6.])
    """

    in_processes = True
    seeded = True

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        batched: bool = False,
        keep: bool = True,
        reduce: Sequence[str] = DEFAULT,
        histograms: Mapping[str, Histogram] | None = None,
    ) -> None:
        super().__init__(keep, reduce, histograms)
        if not callable(function):
            raise ArgumentError(f"Function takes a Python function of a row's parameters, got {function!r:.80}")
        self.function = function
        self.batched = flag("batched", batched)
        self.leaf = 64 if batched else 1  # calls with few rows would be mostly overhead

    def bound(self, shapes: Mapping[str, tuple[int, ...]]) -> Compute:
        return self._together if self.batched else self._one_by_one

    @property
    def _name(self) -> str:
        """The function's name without its module, which has several names if it is a script."""
        return str(getattr(self.function, "__qualname__", type(self.function).__qualname__))

    def __repr__(self) -> str:
        return f"<Function {self._name}{' of many rows' if self.batched else ''}>"

    def content(self) -> tuple[Any, ...]:
        f = self.function
        return ("Function", self._name, _code_hash(getattr(f, "__code__", None)), self.batched, *self.kept())

    @property
    def _called(self) -> Callable[[dict[str, np.ndarray], Any], Outputs]:
        """The function of parameters and seeds, whether it takes seeds or not; its numbers by name."""
        try:
            taken = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):
            taken = {}.values()
        if sum(x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD) for x in taken) >= 2:
            return lambda rows, seeds: _named(self.function(rows, seeds))
        return lambda rows, _: _named(self.function(rows))

    def _together(self, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        called = self._called

        def compute(some: Values, their: np.ndarray) -> tuple[Outputs, Reasons]:
            found = called(dict(some), their)
            for name, x in found.items():
                if x.ndim < 1 or len(x) != len(their):
                    raise TypeError(f"{name!r} has shape {x.shape}; expected a row for each of {len(their)}")
            return found, {}

        return by_halves(compute, values, seeds, (Exception,))

    def _one_by_one(self, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        called, before = self._called, {}  # type: ignore[var-annotated]

        def compute(row: int, _: int) -> tuple[Outputs, Reasons]:
            try:
                found = called({name: x[row] for name, x in values.items()}, row_generator(seeds[row]))
                shapes = {name: x.shape for name, x in found.items()}
                if before and before != shapes:
                    raise TypeError("the function returned other names or shapes than for the row before")
            except Exception as error:
                return {}, {0: told(error)}
            before.update(shapes)
            return {name: x[None] for name, x in found.items()}, {}

        return in_parts(compute, 0, len(seeds), 1)


def _named(result: Any) -> Outputs:
    """What a function returned as arrays of numbers by name."""
    given = result if isinstance(result, Mapping) else {RESULT: result}
    found = {str(name): np.asarray(x) for name, x in given.items()}
    for name, x in found.items():
        if x.dtype.kind not in "fiub":
            raise TypeError(f"{name!r} is {type(given[name]).__name__}; expected numbers. Is a `return` missing?")
    return {name: x.astype(float) for name, x in found.items()}


def _code_hash(code: CodeType | None) -> str:
    """A hash of a function's code and of the functions inside it; empty if it has none."""
    if code is None:
        return ""
    parts = [code.co_code, repr((code.co_names, code.co_varnames)).encode()]
    parts += [
        _code_hash(x).encode() if isinstance(x, CodeType) else repr(x).encode()
        for x in code.co_consts
        if not isinstance(x, frozenset)  # whose order is another in each process
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
