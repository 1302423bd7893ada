"""A scenario that is data: quantities at the state of every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.errors import SingularError, errstate
from soadyn.robot import Robot
from soadyn.simulation.drive.subject import BoundRobot
from soadyn.studies.measures import Measure
from soadyn.studies.reductions import DEFAULT, Histogram
from soadyn.studies.robot_scenario import Binding, RobotScenario
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
        return partial(self._explained, Binding(self.robot, self.vectors, shapes))

    def content(self) -> tuple[Any, ...]:
        return ("Quantities", self.robot.model, self.robot.backend, self.vectors, self.measured(), *self.kept())

    def _explained(self, binding: Binding, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        """The measures of rows, and why some have none."""
        with np.errstate(all="ignore"), errstate("ignore"):
            outputs, reasons = by_halves(partial(self._evaluated, binding), values, seeds)
        unexplained = [row for row in with_infinite_rows(outputs, {}) if row not in reasons]
        for row in unexplained[:EXPLAINED]:
            alone = {name: x[row : row + 1] for name, x in values.items()}
            try:
                with np.errstate(all="ignore"), errstate("raise"):
                    self._evaluated(binding, alone, seeds[row : row + 1])
            except SingularError as error:
                reasons[row] = str(error)
        return outputs, reasons

    def _evaluated(self, binding: Binding, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        vectors, constants = binding.rows(values, len(seeds))
        vectors.setdefault("q", self.robot.neutral())
        fields = {name: np.broadcast_to(x, (1, len(seeds), x.shape[-1])) for name, x in vectors.items()}
        subject = binding.parametric
        quantities: Any = self.robot if subject is None else BoundRobot(subject, constants)
        return {name: x.taken(fields, quantities) for name, x in self.measures.items()}, {}
