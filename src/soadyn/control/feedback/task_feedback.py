"""What feedbacks with tasks share: the tasks and their rows, the posture that uses up the freedom they leave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.damped_solution import Damped, damped
from soadyn.control.feedback.free_root import passive_set
from soadyn.control.feedback.joint_feedbacks import checked_for_feedback
from soadyn.control.feedback.references import joint_reference
from soadyn.control.feedback.task_references import Wanted, centre_of, wanted_of
from soadyn.control.feedback.tasks import HELD, Components, Task, Tasks
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation.drive.dynamics import Dynamics, RobotDynamics
from soadyn.simulation.drive.feedback import Feedback, Reference
from soadyn.simulation.drive.time_series import TimeSeries

POSTURE = "posture"
SINGULAR = 1e-4  # the usual share of a row's size below which it is damped


class TaskFeedback(Feedback):
    """Brings frames, the mass centre or joints where they are wanted; the freedom that is left goes to a posture.

    Rows that the joints can hardly move, near singularities, are damped; `damped` tells by how much.
    """

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        *,
        com: Any,
        posture: ArrayLike | TimeSeries | None,
        passive: PassiveLike | None,
        singular: float,
    ) -> None:
        own = type(self).__name__
        checked_for_feedback(robot, own)
        mask = passive_set(robot, passive, own)
        frames, tasks, references = _tasks_of(robot, targets, com, own)
        if not tasks:
            raise ArgumentError(f"{own} needs at least one target: {{frame: pose}}, or com=")
        if posture is not None:
            references[POSTURE] = joint_reference(robot, posture, "q", own)
        super().__init__(robot, references)
        self.tasks = Tasks(robot, frames, tasks, mask)
        self.singular = positive("singular", singular, own)

    @property
    def rows(self) -> tuple[str, ...]:
        """What is demanded, row by row; gains may have a number for each."""
        return self.tasks.rows

    @property
    def motors(self) -> np.ndarray:
        """1 for each component that has a motor, 0 for passive ones."""
        return 1.0 - self.tasks.passive

    def content(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.tasks.content(), self.singular, tuple(self.references))

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        """The rows R (..., m, nv) in the coordinates in which the smallest motion is sought."""
        raise NotImplementedError

    def solver(self, dynamics: Dynamics, q: Array, R: Array) -> Damped:
        """These rows, made orthogonal and damped."""
        return damped(self.measured(dynamics, q, R), self.tasks.groups, self.singular)

    def damped(self, q: ArrayLike) -> np.ndarray:
        """How much rows are damped at configurations, (...): 0 where all is exact, up to 1 at a singularity."""
        dynamics, at, _, values = self._given(None, q, np.zeros(self.robot.nv))
        J = self.tasks.where(dynamics, at, values)[1]
        return np.asarray(self.solver(dynamics, at, self.tasks.actuated(dynamics, at, J)).worst)

    def _given(
        self, t: float | None, q: ArrayLike, v: ArrayLike
    ) -> tuple[Dynamics, np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """What `torque` takes, of numbers; t None: the first time."""
        space, known = self.robot.engine.coordinates, self.references.items()
        values = {name: x(x.times[0] if t is None else t) if isinstance(x, TimeSeries) else x for name, x in known}
        state = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
        return RobotDynamics(self.robot), *state, values


def checked_targets(targets: Any, own: str) -> Mapping[Any, Any]:
    """The targets, if they are a dictionary; `own` is who asks."""
    if not isinstance(targets, Mapping):
        raise ArgumentError(f"{own} takes {{frame: target}}, got {targets!r:.80}")
    return targets


def _tasks_of(robot: Robot, targets: Any, com: Any, own: str) -> tuple[list[Any], list[Task], dict[str, Reference]]:
    """Frames, tasks, and the tasks' references by name."""
    frames: list[Any] = []
    tasks: list[Task] = []
    references: dict[str, Reference] = {}

    def add(label: str, number: int, wanted: Wanted) -> None:
        kind, values = wanted
        tasks.append(Task(kind, number, label))
        references.update(zip(tasks[-1].names, values, strict=False))

    for number, (frame, target) in enumerate(checked_targets(targets, own).items()):
        if isinstance(frame, Components):
            tasks.append(Task("joints", -1, "joint component", frame.places))
            references[HELD] = joint_reference(robot, target, "q", own)
            continue
        frames.append(frame)
        name = str(frame[0] if isinstance(frame, tuple) and frame else frame)
        label = name if all(name != task.label for task in tasks) else f"{name} {number}"
        for wanted in wanted_of(frame, target, own):
            add(label, number, wanted)
    if com is not None:
        add("mass centre", -1, centre_of(com, own))
    return frames, tasks, references
