"""Measures: what is kept of a row. Data, not code: which numbers, less what, of which records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError, check_name
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments.plain_values import flag, real
from soadyn.studies.descriptions import told

Over = Literal["last", "largest", "smallest", "mean", "all"]
OF_RECORDS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "last": lambda x: x[-1],
    "largest": lambda x: x.max(axis=0),
    "smallest": lambda x: x.min(axis=0),
    "mean": lambda x: x.mean(axis=0),
    "all": lambda x: np.moveaxis(x, 0, 1),
}
FIELDS = ("q", "v", "a", "tau", "kinetic", "potential", "work", "energy", "energy_drift")
POSITION = "position"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A number, or an array of them, for each row of a study.

    of      a field of the trajectory: "q", "v", "tau", "kinetic", "potential", "work", "energy", "energy_drift"; or
            "position", of a frame; or any quantity of the robot at the records
    frame   the frame of "position" and of quantities that need one
    minus   what is subtracted: an array like one record's, or with the records as its first axis
    norm    take the Euclidean length of the last axis
    entry   take one entry of the last axis
    over    of the records: the "last", the "largest", the "smallest", their "mean", or "all"

    >>> from soadyn.studies import Measure
    >>> Measure("position", frame="tool0", minus=[0.3, 0.0, 0.5], norm=True, over="largest").of
    'position'
    """

    of: str
    frame: str | None = None
    minus: ArrayLike | None = None
    norm: bool = False
    entry: int | None = None
    over: Over = "last"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_name("measure", self.of, (*FIELDS, POSITION, *QUANTITIES))
        check_name("way to take records together", self.over, OF_RECORDS)
        if self.frame is not None and not isinstance(self.frame, str):
            raise ArgumentError(f"a measure's frame is a name, got {self.frame!r:.80}")
        if self.of == POSITION and self.frame is None:
            raise ArgumentError('a measure of "position" needs a frame')
        whole = isinstance(self.entry, int) and not isinstance(self.entry, bool)
        if self.entry is not None and not whole:
            raise ArgumentError(f"a measure's entry is a whole number, got {self.entry!r:.80}")
        object.__setattr__(self, "norm", flag("a measure's norm", self.norm))
        if self.minus is not None:
            minus = real("minus", self.minus, meaning="what is subtracted from a measure", of="a measure")
            object.__setattr__(self, "minus", minus)

    def content(self) -> tuple[Any, ...]:
        """All that the measure depends on."""
        options = dict(sorted(self.options.items()))
        return (self.of, self.frame, self.minus, bool(self.norm), self.entry, self.over, options)

    def about(self) -> dict[str, Any]:
        """The measure in words, for those who read a study's folder."""
        said = {"of": self.of, "frame": self.frame, "minus": self.minus, "norm": self.norm, "entry": self.entry}
        return told({k: x for k, x in said.items() if x is not None and x is not False} | {"over": self.over})

    def taken(self, fields: Mapping[str, np.ndarray], quantities: Any) -> np.ndarray:
        """The measure of every row, (rows, ...), from fields (records, rows, ...)."""
        if self.over == "last":
            fields = {name: x[-1:] for name, x in fields.items()}
        x = self._less(self._of(fields, quantities))
        if self.norm and x.ndim > 2:
            x = np.sqrt(np.square(x).sum(axis=-1))
        if self.entry is not None:
            x = self._entry(x)
        return np.asarray(OF_RECORDS[self.over](x))

    def _of(self, fields: Mapping[str, np.ndarray], quantities: Any) -> np.ndarray:
        if self.of in fields:
            return fields[self.of]
        if self.of in FIELDS:
            raise ArgumentError(f"there is no {self.of!r} to measure; there are {', '.join(fields)}")
        name = "pose" if self.of == POSITION else self.of
        needed = [x.name for x in QUANTITIES[name].parameters if x.default is None and x.name != "frame"]
        missing = [x for x in needed if x not in fields]
        if missing:
            raise ArgumentError(f"a measure of {name!r} needs {', '.join(missing)}; there are {', '.join(fields)}")
        options = dict(self.options) | ({} if self.frame is None else {"frame": self.frame})
        found = getattr(quantities, name)(**{x: fields[x] for x in needed}, **options)
        if not isinstance(found, np.ndarray):
            raise ArgumentError(f"{name!r} has several results; a measure takes quantities with one")
        return found[..., :3, 3] if self.of == POSITION else found

    def _less(self, x: np.ndarray) -> np.ndarray:
        if self.minus is None:
            return x
        minus = np.asarray(self.minus)
        if minus.ndim == x.ndim - 1 and len(minus) == len(x):
            minus = minus[:, None]  # records first; the rows stand between
        elif minus.ndim == x.ndim - 1 and self.over == "last":
            minus = minus[-1:, None]
        if minus.shape[-1:] not in (x.shape[-1:], ()) or minus.ndim > x.ndim:
            raise ShapeError(f"minus has shape {np.shape(self.minus)}, which does not fit {self.of!r} of {x.shape[2:]}")
        return np.asarray(x - minus)

    def _entry(self, x: np.ndarray) -> np.ndarray:
        assert self.entry is not None
        if x.ndim < 3 or not -x.shape[-1] <= self.entry < x.shape[-1]:
            raise ArgumentError(f"{self.of!r} of shape {x.shape[2:]} has no entry {self.entry}")
        return x[..., self.entry]


def checked_measures(measures: Any) -> dict[str, Measure]:
    """Measures by name, at least one."""
    fine = isinstance(measures, Mapping) and measures
    if not fine or not all(isinstance(k, str) and k and isinstance(x, Measure) for k, x in measures.items()):
        raise ArgumentError(f"measures are a dict of Measure by name, at least one; got {measures!r:.80}")
    return dict(measures)
