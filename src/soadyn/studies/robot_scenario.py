"""What scenarios of a robot share: the robot, its measures, vectors of all rows, and what a parameter is.

A parameter is a constant of the robot, a vector such as q0, or one joint's entries in it.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection, Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.errors import ShapeError, UnknownNameError
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.checked import checked_robot
from soadyn.robot.parametric import ParametricRobot
from soadyn.studies.descriptions import told
from soadyn.studies.labels import Entries, of_measure, of_vector
from soadyn.studies.measures import Measure, checked_measures
from soadyn.studies.reductions import Histogram
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


def fixed_form(robot: Robot) -> Robot:
    """The robot with one form of kernels for batches of any size, so that a row's bits do not depend on its chunk."""
    return robot.specialize() if robot.backend == "auto" else robot


def vector(robot: Robot, name: str, x: Any) -> np.ndarray:
    """A vector of coordinates or of rates as floats; its name tells which."""
    space = robot.engine.coordinates
    read = arguments.coordinates(space, x, name) if name.startswith("q") else arguments.joint_vector(space, x, name)
    return np.asarray(read, dtype=float)


@final
class Binding:
    """Values of rows as vectors and as constants of a parametric robot.

    `vectors` are those that a scenario has, each (n,) or None where there is none yet; `shapes` are the parameters'.
    """

    def __init__(
        self, robot: Robot, vectors: Mapping[str, np.ndarray | None], shapes: Mapping[str, tuple[int, ...]]
    ) -> None:
        self.robot = robot
        self.vectors = dict(vectors)
        self.parts: dict[str, tuple[str, range]] = {}
        constants = []
        for name in sorted(shapes, key=lambda name: name not in vectors):  # whole vectors before joints' parts of them
            of, _, joint = name.partition(".")
            if name in vectors:
                self.parts[name] = (name, range(len(self._zero(name))))
            elif of in vectors and joint:
                self.parts[name] = (
                    of,
                    robot.joint_coordinates(joint) if of.startswith("q") else robot.joint_dofs(joint),
                )
            else:
                constants.append(name)
        self.parametric = self._parametric(constants)
        known = {} if self.parametric is None else self.parametric.shapes
        for name, shape in shapes.items():
            wanted = len(self.parts[name][1]) if name in self.parts else int(np.prod(known[name]))
            if int(np.prod(shape)) != wanted:
                raise ShapeError(f"parameter {name!r} has shape {shape} in each row; expected {wanted} numbers")

    def _parametric(self, names: list[str]) -> ParametricRobot | None:
        try:
            return self.robot.parametric(*names) if names else None
        except UnknownNameError as error:
            others = ", ".join(f"{name!r}, '{name}.JOINT'" for name in self.vectors)
            raise UnknownNameError(f"{error} Parameters of a study are also {others}.") from None

    def _zero(self, vector: str) -> np.ndarray:
        """A vector where nothing is said of it."""
        return self.robot.neutral() if vector.startswith("q") else np.zeros(self.robot.nv)

    def rows(self, values: Mapping[str, np.ndarray], count: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """The vectors (count, n) and the constants (count, *shape) of rows; vectors that are the same for all (n,)."""
        vectors = {name: x for name, x in self.vectors.items() if x is not None}
        for name, (of, places) in self.parts.items():
            before = vectors.get(of, self._zero(of))
            vectors[of] = before if before.ndim == 2 else np.broadcast_to(before, (count, len(before))).copy()
            vectors[of][:, places] = values[name].reshape(count, -1)
        shapes = {} if self.parametric is None else self.parametric.shapes
        return vectors, {name: values[name].reshape(count, *shape) for name, shape in shapes.items()}
