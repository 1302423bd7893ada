"""A scenario that is data: quantities at the state of every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.errors import SingularError, errstate
from soadyn.robot import Robot
from soadyn.simulation.drive.subject import BoundRobot
from soadyn.studies.binding import Binding
from soadyn.studies.measures import Measure
from soadyn.studies.reduction_kinds import DEFAULT, Histogram
from soadyn.studies.robot_scenario import RobotScenario
from soadyn.studies.scenario import Compute, Outputs, Reasons, Values, by_halves, with_infinite_rows

EXPLAINED = 20  # rows of one call that are computed once more to learn why they have no answer


@final
class Quantities(RobotScenario):
    """Quantities of the robot at every row's state.

    Parameters of the study are the robot's constants, the vectors "q", "v", "a", "tau", or a joint's part of one
    ("q.elbow_joint"); q, v, a, tau given here are those of all rows. Everything else is as of `Simulation`.

    >>> import soadyn as sd
    >>> from soadyn.studies import Measure, Quantities, Random
    >>> weight = Quantities(sd.load("ur5"), {"hold": Measure("gravity_force", norm=True)}, keep=False)
    >>> study = sd.run_study(weight, Random({"q": ([-3.0] * 6, [3.0] * 6)}, rows=5000), folder="weight")
    >>> study.results.summary["hold"].count.item()
    5000
    """

    def __init__(
        self,
        robot: Robot,
        measures: Mapping[str, Measure],
        *,
        q: Any = None,
        v: Any = None,
        a: Any = None,
        tau: Any = None,
        keep: bool = True,
        reduce: Sequence[str] = DEFAULT,
        histograms: Mapping[str, Histogram] | None = None,
    ) -> None:
        super().__init__(robot, measures, {"q": q, "v": v, "a": a, "tau": tau}, keep, reduce, histograms)

    def bound(self, shapes: Mapping[str, tuple[int, ...]]) -> Compute:
        return _Evaluated(self, Binding(self.robot, self.vectors, shapes))

    def content(self) -> tuple[Any, ...]:
        return ("Quantities", self.robot.model, self.robot.backend, self.vectors, self.measured(), *self.kept())


@final
class _Evaluated:
    """Rows of parameters to measures, by quantities."""

    def __init__(self, scenario: Quantities, binding: Binding) -> None:
        self.scenario, self.binding = scenario, binding

    def __call__(self, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        with np.errstate(all="ignore"), errstate("ignore"):
            outputs, reasons = by_halves(self._evaluated, values, seeds)
        unexplained = [row for row in with_infinite_rows(outputs, {}) if row not in reasons]
        for row in unexplained[:EXPLAINED]:
            alone = {name: x[row : row + 1] for name, x in values.items()}
            try:
                with np.errstate(all="ignore"), errstate("raise"):
                    self._evaluated(alone, seeds[row : row + 1])
            except SingularError as error:
                reasons[row] = str(error)
        return outputs, reasons

    def _evaluated(self, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        scenario, count = self.scenario, len(seeds)
        vectors, constants = self.binding.rows(values, count)
        vectors.setdefault("q", scenario.robot.neutral())
        fields = {name: np.broadcast_to(x, (1, count, x.shape[-1])) for name, x in vectors.items()}
        subject = self.binding.parametric
        quantities: Any = scenario.robot if subject is None else BoundRobot(subject, constants)
        return {name: x.taken(fields, quantities) for name, x in scenario.measures.items()}, {}
