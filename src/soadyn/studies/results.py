"""What came of a study: rows, reductions, failures."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.files import target_file, whole_file
from soadyn.later import optional
from soadyn.robot.arguments.plain_values import real
from soadyn.studies.designs import Design, Grid
from soadyn.studies.failures import Failures
from soadyn.studies.jobs import Nodes
from soadyn.studies.labels import Entries, columns
from soadyn.studies.reductions import Histogram, bucket_middle


@final
class Summary:
    """The reductions of one measure; arrays have the measure's shape. None where a reduction was not asked for.

    count, mean, variance, std   of the rows that did not fail; the variance is that of a sample, with count - 1
    smallest, largest            and the rows that have them, smallest_row and largest_row
    histogram                    counts in bins (..., bins), `edges` their bounds, `outside` what lies below and above
    """

    def __init__(
        self, nodes: Nodes, shape: tuple[int, ...], histogram: Histogram | None, rows: np.ndarray | None
    ) -> None:
        self._nodes, self._shape, self._rows = nodes, shape, rows
        moments, extremes = nodes.get("moments"), nodes.get("extremes")
        n = None if moments is None else moments["n"].reshape(())
        self.count = None if n is None else n.astype(np.int64)
        self.mean = None if moments is None else self._shaped(moments["mean"])
        self.variance = None if moments is None else self._shaped(moments["S"] / np.maximum(moments["n"] - 1, 1))
        self.std = None if self.variance is None else np.sqrt(self.variance)
        found = {} if extremes is None else {name: self._shaped(x) for name, x in extremes.items()}
        self.smallest, self.smallest_row = found.get("smallest"), found.get("smallest_row")
        self.largest, self.largest_row = found.get("largest"), found.get("largest_row")
        self.edges = None if histogram is None else histogram.edges
        counts = nodes["histogram"]["counts"] if "histogram" in nodes else None
        self.histogram = None if counts is None else self._shaped(counts[:, 1:-1])
        self.outside = None if counts is None else self._shaped(counts[:, [0, -1]])

    def _shaped(self, x: np.ndarray) -> np.ndarray:
        return x.reshape((*self._shape, *x.shape[1:]))

    def quantile(self, share: ArrayLike) -> np.ndarray:
        """The number that a share of all rows does not exceed, (*share, ...).

        Exact where rows are kept; otherwise from the sketch, within 0.05 % of its value.
        """
        shares = real("share", share, meaning="shares of all rows", of="quantile")
        if not ((shares >= 0) & (shares <= 1)).all():
            raise ArgumentError(f"quantile takes shares from 0 to 1, got {share!r:.80}")
        if self._rows is not None:
            return np.asarray(np.quantile(self._rows, shares, axis=0, method="inverted_cdf"))
        if "quantiles" not in self._nodes:
            raise ArgumentError('there are no quantiles: rows were not kept, and reduce has no "quantiles"')
        node = self._nodes["quantiles"]
        size = int(np.prod(self._shape))
        columns = [self._from_sketch(node, k, shares) for k in range(size)]
        return np.stack(columns, axis=-1).reshape((*shares.shape, *self._shape))

    def _from_sketch(self, node: Mapping[str, np.ndarray], component: int, shares: np.ndarray) -> np.ndarray:
        mine = node["component"] == component
        total = np.cumsum(node["count"][mine])
        if not len(total):
            return np.full(shares.shape, np.nan)
        rank = np.maximum(np.ceil(shares * total[-1]), 1)
        found = bucket_middle(node["bucket"][mine])[np.searchsorted(total, rank)]
        if self.smallest is not None and self.largest is not None:
            found = np.clip(found, self.smallest.reshape(-1)[component], self.largest.reshape(-1)[component])
        return np.asarray(found)

    def __repr__(self) -> str:
        known = [name for name in ("count", "mean", "std", "smallest", "largest") if getattr(self, name) is not None]
        return f"<Summary: {', '.join(f'{name} {getattr(self, name)}' for name in known)}>"


@final
class StudyResults:
    """What came of a study.

    values      the measures of every row, (rows, ...), by name; empty if rows were not kept. Rows that failed or are
                not done are NaN
    reduced     the reductions of every measure by name
    failures    rows without an answer, and why
    complete    is every row done?
    labels      names and units of the entries of measures and parameters, where they are known

    >>> import tempfile, soadyn as sd
    >>> weight = sd.studies.Quantities(sd.load("planar_two_link"), {"torque": sd.studies.Measure("gravity_force")})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = sd.run_study(weight, sd.studies.Grid({"q.joint1": [0.0, 1.0]}), folder).results
    >>> found.complete, found.values["torque"].shape
    (True, (2, 2))
    """

    def __init__(
        self,
        design: Design,
        values: Mapping[str, np.ndarray],
        reduced: Mapping[str, Summary],
        failures: Failures,
        complete: bool,
        labels: Mapping[str, Entries] | None = None,
    ) -> None:
        self.design, self.labels = design, dict(labels or {})
        self.values, self.summary = dict(values), dict(reduced)
        self.failures, self.complete = failures, complete

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """The parameters of every row, (rows, ...), by name."""
        return self.design.values(0, self.design.rows)

    def to_dataframe(self) -> Any:
        """A pandas DataFrame: a row for each row, columns for parameters and measures, "q_end.elbow" for entries."""
        pandas = optional("pandas", "to_dataframe")
        kept, parameters = self._kept(), self.parameters
        arrays = parameters | {name: x for name, x in kept.items() if name not in parameters}
        return pandas.DataFrame(columns(arrays, self.labels))

    def to_xarray(self) -> Any:
        """An xarray Dataset: over the axes of a grid, otherwise over the rows, with parameters as coordinates.

        The axis "q_end_0" of a measure "q_end" has the joints' names: `found.q_end.sel(q_end_0="elbow")`.
        """
        xarray = optional("xarray", "to_xarray")
        kept = self._kept()
        if isinstance(self.design, Grid) and all(x.ndim == 1 for x in self.design.axes.values()):
            names, sizes = self.design.names, self.design.sizes
            shaped = {name: x.reshape(*sizes, *x.shape[1:]) for name, x in kept.items()}
            coordinates = self.design.axes | self._entries(shaped, len(names))
            return xarray.Dataset({n: (_axes(n, names, x), x) for n, x in shaped.items()}, coords=coordinates)
        coordinates = {name: (_axes(name, ("row",), x), x) for name, x in self.parameters.items()}
        coordinates |= self._entries({**self.parameters, **kept}, 1)
        return xarray.Dataset({n: (_axes(n, ("row",), x), x) for n, x in kept.items()}, coords=coordinates)

    def _entries(self, arrays: Mapping[str, np.ndarray], first: int) -> dict[str, Any]:
        """The names along last axes, such as joints', by what `_axes` calls the axis."""
        found = {}
        for name, x in arrays.items():
            names = self.labels.get(name, Entries()).names
            if names and x.ndim > first and x.shape[-1] == len(names):
                found[_axes(name, ("",) * first, x)[-1]] = list(names)
        return found

    def save(self, path: str | PathLike[str]) -> Path:
        """Write parameters and measures of all rows to an npz file."""
        target = target_file(path, "results of a study", (".npz",))
        arrays = {f"parameter {name}": x for name, x in self.parameters.items()}
        arrays |= {f"measure {name}": x for name, x in self._kept().items()}
        with whole_file(target) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        return target

    def _kept(self) -> dict[str, np.ndarray]:
        if not self.values:
            raise ArgumentError("the study kept no rows (keep=False); its results are in .summary")
        return self.values

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not complete"
        failed = f", {len(self.failures):,} rows failed" if len(self.failures) else ""
        return f"<StudyResults of {self.design.rows:,} rows, {state}{failed}: {', '.join(self.summary or self.values)}>"


def _axes(name: str, first: tuple[str, ...], x: np.ndarray) -> tuple[str, ...]:
    return (*first, *(f"{name}_{k}" for k in range(x.ndim - len(first))))
