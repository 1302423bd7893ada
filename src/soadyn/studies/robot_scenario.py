"""What scenarios of a robot share: the robot, its measures, and vectors that are the same for all rows."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from soadyn.robot import Robot
from soadyn.robot.checked import checked_robot
from soadyn.studies.binding import fixed_form, vector
from soadyn.studies.descriptions import told
from soadyn.studies.labels import Entries, of_measure, of_vector
from soadyn.studies.measures import Measure, checked_measures
from soadyn.studies.reduction_kinds import Histogram
from soadyn.studies.scenario import Scenario


class RobotScenario(Scenario, ABC):
    """A scenario of one robot; `vectors` are those of all rows, None where only the study's parameters have them."""

    def __init__(
        self,
        robot: Robot,
        measures: Mapping[str, Measure],
        vectors: Mapping[str, Any],
        keep: bool,
        reduce: Sequence[str],
        histograms: Mapping[str, Histogram] | None,
    ) -> None:
        super().__init__(keep, reduce, histograms)
        self.robot = fixed_form(checked_robot(robot, type(self).__name__, closed=True))
        self.measures = checked_measures(measures)
        self.vectors = {name: None if x is None else vector(robot, name, x) for name, x in vectors.items()}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.robot.name!r}: measures {', '.join(self.measures)}>"

    def labels(self, parameters: Collection[str]) -> dict[str, Entries]:
        found = {name: of_vector(self.robot, name) for name in parameters}
        return found | {name: of_measure(self.robot, x) for name, x in self.measures.items()}

    def about(self) -> dict[str, Any]:
        vectors = {name: x for name, x in self.vectors.items() if x is not None}
        own = {"kind": type(self).__name__, "robot": self.robot.name, **told(vectors)}
        return own | {"measures": {name: x.about() for name, x in self.measures.items()}}

    def measured(self) -> dict[str, Any]:
        """The measures' part of the content."""
        return {name: x.content() for name, x in self.measures.items()}
