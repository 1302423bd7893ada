"""Motions of a robot that changes: one trajectory after another, each of the robot as it was then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Unpack, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot import Robot, State
from soadyn.simulation.record import plotting, trajectory_file
from soadyn.simulation.record.joining import in_coordinates_of, shifted
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.view import live, page
from soadyn.view.options import PORT, Options


@final
@dataclass(frozen=True, eq=False, repr=False)
class Phases:
    """Trajectories of a robot that changes, such as one that catches a body; each begins when the last one ends.

    parts: the trajectories, their times following each other

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> swing = sd.simulate(arm, [0.3, 0.0], duration=0.1, step=0.01)
    >>> stiff = arm.lock(["joint2"], swing.end.q)
    >>> both = sd.Phases([swing, sd.simulate(stiff, swing.end.q[:1], duration=0.1, step=0.01)])
    >>> both
    <Phases: 'planar_two_link' from 0 to 0.1 s, 'planar_two_link' from 0.1 to 0.2 s>
    >>> both.at(0.15).robot.nv, both.as_first().q.shape
    (1, (21, 2))
    """

    parts: tuple[Trajectory, ...]

    def __init__(self, parts: Sequence[Trajectory]) -> None:
        found = tuple(parts) if isinstance(parts, Sequence) else ()
        if not found or not all(isinstance(part, Trajectory) for part in found):
            raise ArgumentError(f"Phases takes trajectories, one after another, got {parts!r:.80}")
        placed = [found[0]]
        for part in found[1:]:
            if part.q.shape[1:-1] != placed[0].q.shape[1:-1]:
                raise ArgumentError(
                    f"Phases: the motion of {part.robot_name!r} is a batch {part.q.shape[1:-1]}, the first one a batch "
                    f"{placed[0].q.shape[1:-1]}"
                )
            placed.append(shifted(part, float(placed[-1].t[-1])))
        object.__setattr__(self, "parts", tuple(placed))

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        spans = (f"{part.robot_name!r} from {part.t[0]:.4g} to {part.t[-1]:.4g} s" for part in self.parts)
        return f"<Phases: {', '.join(spans)}>"

    @property
    def end(self) -> State:
        """The last state, of the robot as it then is."""
        return self.parts[-1].end

    def joined(self, then: Trajectory) -> Phases:
        """One phase more."""
        return Phases([*self.parts, then])

    def at(self, t: float) -> State:
        """The state at one time, of the robot as it then is; where two phases meet, the later one's."""
        if not isinstance(t, int | float | np.floating | np.integer):
            raise ArgumentError(f"Phases.at takes one time in seconds, got {t!r:.80}")
        later = [part for part in self.parts if part.t[0] <= t]
        return (later or self.parts)[-1 if later else 0].at(t)

    def of(self, *robots: Robot) -> Phases:
        """The same phases, of these robots: a file does not hold them."""
        if len(robots) != len(self):
            raise ArgumentError(f"{len(self)} phases are of {len(self)} robots, got {len(robots)}")
        return Phases([part.of(robot) for part, robot in zip(self.parts, robots, strict=True)])

    def as_first(self) -> Trajectory:
        """All of the motion as one trajectory of the first robot, for tables and pictures.

        Joints that are gone later stay where they were; a free body that is then held has the pose of its holder.
        """
        whole = self.parts[0]
        for part in self.parts[1:]:
            whole = whole.joined(in_coordinates_of(whole, part))
        return whole

    def save(self, path: str | PathLike[str]) -> Path:
        """Write an npz file, whole or not at all, which `Phases.load` reads back.

        >>> import tempfile, soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> phases = sd.Phases([sd.simulate(arm, [0.3, 0.0], duration=0.1, step=0.01)])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sd.Phases.load(phases.save(f"{folder}/phases.npz"))
        <Phases: 'planar_two_link' from 0 to 0.1 s>
        """
        return trajectory_file.save_phases([part.fields() for part in self.parts], path)

    @staticmethod
    def load(path: str | PathLike[str]) -> Phases:
        """The phases in an npz file that `save` wrote; any other file is refused."""
        return Phases([Trajectory(**fields) for fields in trajectory_file.load_phases(path)])

    def plot(
        self,
        path: str | PathLike[str] | None = None,
        row: int | tuple[int, ...] | None = None,
        what: Sequence[str] | str | None = None,
    ) -> Any:
        """Draw the whole motion as `Trajectory.plot` does, in the first robot's coordinates, phases marked.

        Drifts are the largest of the phases' own: what a capture loses between them is seen, but not counted.
        """
        parts = self.parts if row is None else [part.row(row) for part in self.parts]
        whole = self.as_first()
        return plotting.plot(whole if row is None else whole.row(row), path, what, parts)

    def show(self, row: int | tuple[int, ...] = 0, *, port: int = PORT, **options: Unpack[Options]) -> live.View:
        """Play the whole motion in the browser; options are those of `Robot.show`."""
        return self.as_first().show(row, port=port, **options)

    def save_view(
        self,
        path: str | PathLike[str],
        row: int | tuple[int, ...] = 0,
        *,
        fps: float = page.FPS,
        **options: Unpack[Options],
    ) -> Path:
        """Write a page that plays the whole motion; options are those of `Trajectory.save_view`."""
        return self.as_first().save_view(path, row, fps=fps, **options)
