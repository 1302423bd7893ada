"""Tasks: frames, the mass centre or joint components that shall be somewhere, each some rows of a Jacobian.

    e            how far each row is from where it is wanted
    J            ė = V_wanted - J θ̇
    R            of robots with passive joints R = J_a + J_p J_D, zero for the passive ones: what motors do (004 (6.9))

Everything runs on numbers and on recorded scalars.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from soadyn.control.feedback.task_references import NAMES
from soadyn.kinematics.compiled_step import FRAME, MASS_CENTRE
from soadyn.kinematics.errors_of_frames import ERRORS
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.programs.sweep.algorithms import FRAME_ACCELERATION, POSES
from soadyn.programs.sweep.links import LINK_ACCELERATIONS
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITIES
from soadyn.programs.sweep.under_actuated import DISTURBANCE_JACOBIAN_TRANSPOSED_TIMES
from soadyn.robot import Robot
from soadyn.robot.arguments.inputs import frame_inputs
from soadyn.simulation.drive.dynamics import Dynamics

AXES = "xyz"
HELD = "held"  # the reference of joint components: a configuration


@final
@dataclass(frozen=True)
class Components:
    """Joint components as the key of a target; the target is the configuration that they shall take."""

    places: tuple[int, ...]


@final
@dataclass(frozen=True, eq=False)
class Task:
    """One task: its kind, the number of its frame, what messages call it, and components of v if it is about joints."""

    kind: str
    frame: int
    label: str
    places: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What its references are called: where, how fast, and how that changes."""
        return (HELD,) if self.kind == "joints" else tuple(f"{self.label} {word}" for word in NAMES[self.kind])

    @property
    def count(self) -> int:
        return len(self.places) or 3

    @property
    def rows(self) -> tuple[str, ...]:
        """What each of its rows is called."""
        if self.kind == "joints":
            return tuple(f"{self.label} {i}" for i in self.places)
        return tuple(f"{self.names[0]} {axis}" for axis in AXES)


@final
class Tasks:
    """The tasks of a feedback, stacked."""

    def __init__(self, robot: Robot, frames: Sequence[Any], tasks: Sequence[Task], passive: np.ndarray) -> None:
        self.robot, self.list, self.passive = robot, tuple(tasks), passive
        self.places = tuple(frame_inputs(robot.engine.constants, frame, "world") for frame in frames)
        ends = np.cumsum([0, *(task.count for task in tasks)])
        self.groups = tuple(range(a, b) for a, b in pairwise(ends.tolist()))

    @property
    def rows(self) -> tuple[str, ...]:
        """What each row is called."""
        return tuple(row for task in self.list for row in task.rows)

    def content(self) -> tuple[Any, ...]:
        return (self.places, tuple((task.kind, task.frame, task.places) for task in self.list), self.passive)

    def where(self, dynamics: Dynamics, q: Array, references: Mapping[str, Array]) -> tuple[Array, Array]:
        """The errors e (..., m), and the rows J (..., m, nv)."""
        frames = [dynamics.run(FRAME, {"q": q, **place}) for place in self.places]
        centre = dynamics.run(MASS_CENTRE, {"q": q}) if any(task.kind == "com" for task in self.list) else ()
        errors, rows = [], []
        for task in self.list:
            goal = references[task.names[0]]
            if task.kind == "joints":
                errors.append(dynamics.difference(q, goal)[..., list(task.places)])
                rows.append(np.eye(self.robot.nv)[list(task.places)])
                continue
            at, J = centre if task.kind == "com" else frames[task.frame]
            e, J_e = ERRORS[task.kind](goal, at, J)
            errors.append(e[..., 0])
            rows.append(J_e)
        return joined(errors, 1), joined(rows, 2, axis=-2)

    def motion(self, references: Mapping[str, Array]) -> tuple[Array, Array]:
        """How fast the rows shall change, and how that shall change, (..., m) each; zero where nothing was said."""
        given: list[list[Array]] = [[], []]
        for task in self.list:
            for k, name in enumerate((*task.names[1:], "", "")[:2]):
                given[k].append(references.get(name, np.zeros(task.count)))
        return joined(given[0], 1), joined(given[1], 1)

    def accelerations(self, dynamics: Dynamics, q: Array, v: Array, a: Array) -> Array:
        """The accelerations (..., m) of the rows while the joints accelerate with a."""
        state = {"q": q, "v": v, "vdot": a}
        found = []
        frames = [dynamics.run(FRAME_ACCELERATION, {**state, **place})[0] for place in self.places]
        for task in self.list:
            match task.kind:
                case "joints":
                    found.append(a[..., list(task.places)])
                case "com":
                    found.append(self._centre_acceleration(dynamics, q, v, a))
                case "position":
                    found.append(frames[task.frame][..., 3:])
                case _:
                    found.append(frames[task.frame][..., :3])
        return joined(found, 1)

    def actuated(self, dynamics: Dynamics, q: Array, J: Array) -> Array:
        """R = J_a + J_p J_D, row by row, zero for passive components."""
        if not self.passive.any():
            return J
        mask = self.passive.astype(float)
        rows = []
        for i in range(J.shape[-2]):
            row = J[..., i, :]
            inputs = {"q": q, "y": row * mask, "passive": mask}
            felt = dynamics.run(DISTURBANCE_JACOBIAN_TRANSPOSED_TIMES, inputs)[0]
            rows.append((row - felt) * (1 - mask))
        return np.stack(np.broadcast_arrays(*rows), axis=-2)

    def _centre_acceleration(self, dynamics: Dynamics, q: Array, v: Array, a: Array) -> Array:
        """Σ m(k) R(k) {a(k) + α(k) × c + ω(k) × [ω(k) × c]} / Σ m(k)."""
        model = self.robot.model
        links = [model.links[k - 1] for k in model.visible]
        share = np.array([link.mass for link in links])[:, None, None] / self.robot.total_mass
        c = np.array([link.com for link in links])[..., None]
        poses = dynamics.run(POSES, {"q": q})[0]
        velocities = dynamics.run(LINK_VELOCITIES, {"q": q, "v": v})[0]
        A = dynamics.run(LINK_ACCELERATIONS, {"q": q, "v": v, "vdot": a})[0][..., None]
        omega, alpha = velocities[..., :3, None], A[..., :3, :]
        own = A[..., 3:, :] + cross(alpha, c) + cross(omega, cross(omega, c))
        return (share * (poses[..., :3, :3] @ own)).sum(axis=-3)[..., 0]


def joined(parts: Sequence[Array], core: int, axis: int = -1) -> Array:
    """Arrays with `core` axes of their own put together along one of these; batch axes broadcast."""
    batch = np.broadcast_shapes(*(x.shape[: x.ndim - core] for x in parts))
    return np.concatenate([np.broadcast_to(x, (*batch, *x.shape[x.ndim - core :])) for x in parts], axis=axis)
