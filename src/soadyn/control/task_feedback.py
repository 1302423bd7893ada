"""What feedbacks with tasks share: the tasks and their rows, the posture that uses up the freedom they leave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.damped_solution import Damped, damped
from soadyn.control.joint_feedbacks import checked_for_feedback, gains_of, joint_reference
from soadyn.control.task_references import Wanted, centre_of, wanted_of
from soadyn.control.tasks import HELD, Task, Tasks
from soadyn.errors import ArgumentError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import PassiveLike
from soadyn.robot import Robot
from soadyn.simulation.dynamics import Dynamics, RobotDynamics
from soadyn.simulation.feedback import Feedback, Reference
from soadyn.simulation.inputs import positive, real
from soadyn.simulation.samples import Samples
from soadyn.spatial.arithmetic import Array

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
        com: Any = None,
        held: tuple[tuple[int, ...], ArrayLike | Samples] | None = None,
        passive: PassiveLike = (),
        posture: ArrayLike | Samples | None = None,
        posture_gains: tuple[ArrayLike, ArrayLike],
        singular: float = SINGULAR,
    ) -> None:
        own = type(self).__name__
        checked_for_feedback(robot, own)
        mask = arguments.one_passive_set(robot.engine.coordinates, passive, own)
        if mask.all():
            raise ArgumentError(f"{own}: every joint of robot {robot.name!r} is passive: none is left to move")
        frames, tasks, references = _tasks_of(targets, com, own)
        if held is not None:
            tasks.append(Task("joints", -1, "joint component", held[0]))
            references[HELD] = joint_reference(robot, held[1], "q", own)
        if not tasks:
            raise ArgumentError(f"{own} needs at least one target: {{frame: pose}}, or com=")
        if posture is not None:
            references[POSTURE] = joint_reference(robot, posture, "q", own)
        super().__init__(robot, references)
        self.tasks = Tasks(robot, frames, tasks, mask)
        stiffness, damping = posture_gains
        self.posture_stiffness = gains_of(robot, stiffness, "posture_stiffness", own)
        self.posture_damping = gains_of(robot, damping, "posture_damping", own)
        self.singular = positive("singular", singular, own)

    @property
    def rows(self) -> tuple[str, ...]:
        """What is demanded, row by row; gains may have a number for each."""
        return self.tasks.rows

    @property
    def motors(self) -> np.ndarray:
        """1 for each component that has a motor, 0 for passive ones."""
        return 1.0 - self.tasks.passive

    def row_gains(self, x: ArrayLike, name: str) -> np.ndarray:
        """Numbers that are zero or more: one for all rows, or one for each."""
        own, count = type(self).__name__, len(self.rows)
        gains = real(name, x, meaning="gains", of=own)
        if gains.shape not in ((), (count,)) or not np.isfinite(gains).all() or (gains < 0).any():
            raise ArgumentError(
                f"{own}: {name} must be a number, or one for each of {count} rows, zero or more, got {x!r:.60}"
            )
        return np.broadcast_to(gains, (count,)).astype(float)

    def content(self) -> tuple[Any, ...]:
        gains = (self.posture_stiffness, self.posture_damping, self.singular)
        return (type(self).__name__, self.tasks.content(), gains, tuple(self.references))

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        """The rows R (..., m, nv) in the coordinates in which the smallest motion is sought."""
        raise NotImplementedError

    def solver(self, dynamics: Dynamics, q: Array, R: Array) -> Damped:
        """These rows, made orthogonal and damped."""
        return damped(self.measured(dynamics, q, R), self.tasks.groups, self.singular)

    def damped(self, q: ArrayLike) -> np.ndarray:
        """How much rows are damped at configurations, (...): 0 where all is exact, up to 1 at a singularity."""
        dynamics, at = RobotDynamics(self.robot), arguments.coordinates(self.robot.engine.coordinates, q)
        values = {name: x(x.times[0]) if isinstance(x, Samples) else x for name, x in self.references.items()}
        J = self.tasks.where(dynamics, at, values)[1]
        return np.asarray(self.solver(dynamics, at, self.tasks.actuated(dynamics, at, J)).worst)

    def leaning(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """The accelerations (..., nv) that a posture asks for, with motors: K (q_p - q) - B v."""
        wanted = -self.posture_damping * v
        if POSTURE in references:
            wanted = wanted + self.posture_stiffness * dynamics.difference(q, references[POSTURE])
        return wanted * self.motors

    def forces(
        self, dynamics: Dynamics, q: Array, v: Array, a: Array, load: Array | float = 0.0
    ) -> tuple[Array, Array]:
        """The accelerations of all joints and the motors' forces where those with motors accelerate with a.

        `load` are joint forces (..., nv) from elsewhere, which spare the motors their share.
        """
        if not self.tasks.passive.any():
            return a, dynamics.quantity("inverse_dynamics", q=q, v=v, a=a) - load
        mask = self.tasks.passive.astype(float)
        a, T = dynamics.hybrid(q, v, a, mask * (0 * v + load), mask, None)
        return a, self.motors * (T - load)


def _tasks_of(targets: Any, com: Any, own: str) -> tuple[list[Any], list[Task], dict[str, Reference]]:
    """Frames, tasks, and the tasks' references by name."""
    if not isinstance(targets, Mapping):
        raise ArgumentError(f"{own} takes {{frame: target}}, got {targets!r:.80}")
    frames: list[Any] = []
    tasks: list[Task] = []
    references: dict[str, Reference] = {}

    def add(label: str, number: int, wanted: Wanted) -> None:
        kind, values = wanted
        tasks.append(Task(kind, number, label))
        references.update(zip(tasks[-1].names, values, strict=False))

    for number, (frame, target) in enumerate(targets.items()):
        frames.append(frame)
        name = str(frame[0] if isinstance(frame, tuple) and frame else frame)
        label = name if all(name != task.label for task in tasks) else f"{name} {number}"
        for wanted in wanted_of(frame, target, own):
            add(label, number, wanted)
    if com is not None:
        add("mass centre", -1, centre_of(com, own))
    return frames, tasks, references
