"""A scenario that is data: every row is simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, check_name, errstate
from soadyn.robot import Robot
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation import simulate
from soadyn.simulation.drive.feedback import Feedback
from soadyn.simulation.drive.subject import BoundRobot
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.run.automatic import method_of
from soadyn.studies.descriptions import told
from soadyn.studies.measures import FIELDS, Measure
from soadyn.studies.reductions import DEFAULT, Histogram
from soadyn.studies.robot_scenario import Binding, RobotScenario, vector
from soadyn.studies.scenario import Compute, Outputs, Reasons, Values, by_halves

OPTIONS: dict[str, Any] = {
    "duration": 5.0,
    "step": 0.002,
    "method": "auto",
    "record_every": None,
    "external": None,
    "joint_forces": True,
    "stops": True,
    "effort_limit": "robot",
    "sampled": False,
    "delay": 0,
}
MEMORY = 50e6  # bytes of recorded states of one call


@final
class Simulation(RobotScenario):
    """Every row is simulated; its measures are kept or reduced.

    Parameters of the study are constants of the robot as `robot.parametric` takes them ("forearm_link.mass",
    "elbow_joint.friction", "gravity"), the vectors "q0", "v0" and "control", or a joint's part of one,
    "q0.elbow_joint".

    q0, v0, control: as of `sd.simulate`, for all rows; a control may be `sd.TimeSeries` or a feedback of `sd.control`.
    options: those of `sd.simulate`: duration, step, method, record_every, external, joint_forces, stops,
        effort_limit, sampled, delay. Method "auto" is decided once, for the robot as it is given here.
    keep: keep the measures of every row; without it the reductions alone are kept.
    reduce: "moments" (mean and variance), "extremes", "quantiles".
    histograms: of measures by name, `Histogram(low, high, bins)`.

    >>> import soadyn as sd
    >>> from soadyn.studies import Measure, Simulation
    >>> swing = Simulation(sd.load("planar_two_link"), {"end": Measure("q")}, q0=[0.3, 0.0], duration=0.1)
    >>> study = sd.run_study(swing, sd.studies.Grid({"link2.mass": [0.5, 1.0, 2.0]}), folder="swing")
    >>> study.results.values["end"].shape
    (3, 2)
    """

    def __init__(
        self,
        robot: Robot,
        measures: Mapping[str, Measure],
        *,
        q0: Any = None,
        v0: Any = None,
        control: Any = None,
        keep: bool = True,
        reduce: Sequence[str] = DEFAULT,
        histograms: Mapping[str, Histogram] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(robot, measures, {"q0": q0, "v0": v0}, keep, reduce, histograms)
        if callable(control) and not isinstance(control, TimeSeries | Feedback):
            raise ArgumentError(
                "Simulation: a control is numbers, sd.TimeSeries or a feedback of sd.control; a study of a Python "
                "function is sd.studies.Function"
            )
        constant = control is not None and not callable(control)
        self.control = vector(robot, "control", control) if constant else control
        self.options = OPTIONS | _known(options)
        for name in ("duration", "step", "record_every"):
            if self.options[name] is not None:
                self.options[name] = positive(name, self.options[name], "Simulation")
        # Once, of the robot as it is given: no row's method depends on the rows it shares a call with.
        self.options["method"] = method_of(self.robot, self.options)

    @property
    def at_once(self) -> int:  # type: ignore[override]
        """As many rows as have records of 50 MB, or a few."""
        every = self.options["record_every"] or self.options["step"]
        numbers = (self.options["duration"] / every + 1) * (3 * self.robot.nq + 20)
        return int(np.clip(MEMORY / (8 * numbers), 8, 1 << 16))

    def bound(self, shapes: Mapping[str, tuple[int, ...]]) -> Compute:
        control = self.control if isinstance(self.control, np.ndarray) else None
        binding = Binding(self.robot, {**self.vectors, "control": control}, shapes)
        return partial(by_halves, partial(self._simulated, binding))

    def about(self) -> dict[str, Any]:
        options = {name: x for name, x in self.options.items() if x is not None}
        return super().about() | told({"control": self.control, **options})

    def content(self) -> tuple[Any, ...]:
        control = self.control
        if isinstance(control, Feedback):
            references = {name: _plain(x) for name, x in control.references.items()}
            control = (control.content(), references, control.robot.model)
        own = (self.robot.model, self.robot.backend, self.vectors, _plain(control), self.options)
        return ("Simulation", *own, self.measured(), *self.kept())

    def _simulated(self, binding: Binding, values: Values, seeds: np.ndarray) -> tuple[Outputs, Reasons]:
        robot, count = self.robot, len(seeds)
        vectors, constants = binding.rows(values, count)
        q0 = np.broadcast_to(vectors.get("q0", robot.neutral()), (count, robot.nq))
        subject: Any = robot if binding.parametric is None else binding.parametric
        control = vectors.get("control", self.control)
        with np.errstate(all="ignore"), errstate("ignore"):
            run = simulate(
                subject,
                q0,
                vectors.get("v0"),
                control=control,
                parameters=constants,
                bad_rows="nan",
                **self.options,
            )
            if run.interrupted:
                raise KeyboardInterrupt
            quantities = BoundRobot(subject, constants) if constants else robot
            fields = {name: x for name in FIELDS if (x := getattr(run, name, None)) is not None}
            outputs = {name: x.taken(fields, quantities) for name, x in self.measures.items()}
        finite = np.isfinite(run.q).all(axis=-1) & np.isfinite(run.v).all(axis=-1)
        bad = np.flatnonzero(~finite.all(axis=0))
        times = run.t[np.argmin(finite[:, bad], axis=0)]
        reasons = (f"simulate: the motion is not finite by t = {t:.6g} s" for t in times)
        return outputs, dict(zip(bad.tolist(), reasons, strict=True))


def _known(options: dict[str, Any]) -> dict[str, Any]:
    for name, x in options.items():
        check_name("option of Simulation", name, tuple(OPTIONS))
        if callable(x) and not isinstance(x, TimeSeries):
            raise ArgumentError(f"Simulation: option {name!r} is a function; scenarios of this kind are data")
    return options


def _plain(x: Any) -> Any:
    """Samples as arrays, which have a content."""
    return ("TimeSeries", x.times, x.values, x.hold) if isinstance(x, TimeSeries) else x
