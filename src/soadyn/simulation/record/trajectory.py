"""The record of a motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.robot import Robot, State
from soadyn.robot.labels import coordinate_names
from soadyn.simulation.record import joining, notebook, plotting, selecting, tables, trajectory_file
from soadyn.view import live, page
from soadyn.view.options import PORT, Options

if TYPE_CHECKING:
    from soadyn.simulation.derivatives.gradients import Derivatives


@final
@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """States of a robot in time, made by `simulate`. Time is the first axis, batch axes follow.

    t          seconds, (T,)
    q, v, tau  coordinates (T, ..., nq), rates and the actuators' forces (T, ..., nv): the torque that was asked for,
               and of joints whose acceleration was prescribed what that took
    kinetic    kinetic energy in J, (T, ...)
    potential  energy of gravity and, where joint forces act, of springs and stops in J, (T, ...)
    work       what torques, damping, friction and external wrenches have put in since the start, J, (T, ...)
    momentum   [angular; linear] about the world's origin, (T, ..., 6), and
    impulse    what gravity and other forces from outside have put in; both None unless the base is free
    robot      whose states they are; None if it was read from a file, or if the rows' robots differ, see `of`
    passive    which components were passive: not accelerated as prescribed, or without an actuator, booleans
               (T, ..., nv); None unless accelerations were prescribed or actuators failed
    acted      the joints at which an "effort" limit, a "position" limit or sticking "friction" acted in any step, by
               that word; empty if it was read from a file
    events     the (time, name) of `sd.Event`s that happened; empty if it was read from a file
    notes      what ran in Python, why, and what to do about it; empty if all of it ran in machine code

    >>> import soadyn as sd
    >>> from soadyn.simulation import simulate
    >>> simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01).t[-1].item()
    0.1
    """

    robot_name: str
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]
    method: str
    step: float
    interrupted: bool
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    work: np.ndarray
    momentum: np.ndarray | None = None
    impulse: np.ndarray | None = None
    robot: Robot | None = None
    passive: np.ndarray | None = None
    acted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    events: tuple[tuple[float, str], ...] = ()
    notes: tuple[str, ...] = ()
    derivatives: Derivatives | None = None  # of the simulation it came from

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy together, (T, ...)."""
        return np.asarray(self.kinetic + self.potential)

    @property
    def energy_drift(self) -> np.ndarray:
        """The change of energy that no force explains, (T, ...): what the stepper lost or gained."""
        return np.asarray(self.energy - self.energy[0] - self.work)

    @property
    def relative_energy_drift(self) -> float:
        """The largest drift as a share of the largest kinetic energy; zero if nothing moves."""
        largest = float(self.kinetic.max(initial=0.0))
        drift = float(np.abs(self.energy_drift).max(initial=0.0))
        return drift / largest if largest > 0 else 0.0

    @property
    def momentum_drift(self) -> np.ndarray | None:
        """The change of momentum that no force from outside explains, (T, ..., 6); None unless the base is free."""
        if self.momentum is None or self.impulse is None:
            return None
        return np.asarray(self.momentum - self.momentum[0] - self.impulse)

    @property
    def closure_error(self) -> np.ndarray:
        """How far the robot's closures are from being closed, (T, ..., rows), as `Robot.closure_error` counts it."""
        if self.robot is None:
            raise ArgumentError("closure_error: the trajectory does not know its robot; say which by `of`")
        return np.asarray(self.robot.closure_error(self.q))

    def jvp(self, **along: Any) -> tuple[np.ndarray, np.ndarray]:
        """How the last q and v change with what the simulation started from, (..., nv) each, along given directions.

        along: directions by name: `q0` and `v0` (..., nv), `control`, `external`, references of a feedback, and
            parameters by their names, each like the value itself (`sd.TimeSeries` along samples). The change of q is
            joint motion, one number for each joint rate.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> fall = sd.simulate(arm, [0.3, 0.0], duration=0.5, step=0.01, record_every=0.5)
        >>> dq, dv = fall.jvp(q0=[1.0, 0.0])
        >>> near = sd.simulate(arm, [0.3 + 1e-6, 0.0], duration=0.5, step=0.01, record_every=0.5)
        >>> bool(np.abs((near.q[-1] - fall.q[-1]) / 1e-6 - dq).max() < 1e-4)
        True
        """
        return self._differentiable("jvp").jvp(along)

    def vjp(self, q: ArrayLike = 0.0, v: ArrayLike = 0.0) -> dict[str, np.ndarray]:
        """The derivatives of a weighted sum of recorded states by all that the simulation started from.

        q, v: the weights of q, as joint motion, and of v: (..., nv) of the last record or (T, ..., nv) of all records.

        The result has an entry for `q0`, `v0` and, where they were given, `control`, `external`, references of a
        feedback and parameters, each with the batch axes of the simulation. That of `q0` is by joint motion, (..., nv);
        a reference, also a configuration to follow, is a vector of numbers and has the shape that was given. Long
        simulations are simulated once more, stretch by stretch, instead of keeping every step.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> fall = sd.simulate(arm, [0.3, 0.0], control=[0.0, 0.0], duration=0.5, step=0.01, record_every=0.5)
        >>> sorted(fall.vjp(q=[1.0, 0.0]))
        ['control', 'q0', 'v0']
        """
        return self._differentiable("vjp").vjp((q, v))

    def _differentiable(self, what: str) -> Derivatives:
        if self.derivatives is None:
            raise ArgumentError(f"{what}: derivatives are of a whole simulation, as `simulate` returned it")
        return self.derivatives

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        batch = self.q.shape[1:-1]
        many = f", batch {batch}" if batch else ""
        ended = ", interrupted" if self.interrupted else ""
        noted = f"; {self.notes[0]}" if self.notes else ""
        noted += f" (and {len(self.notes) - 1} more; see notes)" if len(self.notes) > 1 else ""
        span = f"{len(self)} records from {self.t[0]:.4g} to {self.t[-1]:.4g} s"
        return (
            f"<Trajectory of {self.robot_name!r}: {span}{many}, {self.method} with steps of {self.step:.4g} s, "
            f"energy drift {np.abs(self.energy_drift).max(initial=0.0):.2g} J{ended}{noted}>"
        )

    def save(self, path: str | PathLike[str]) -> Path:
        """Write a file, whole or not at all: .npz, which `Trajectory.load` reads back, or a table, .csv or .parquet.

        A csv file holds one motion, a parquet file also a batch; it needs pyarrow: pip install pandas pyarrow.

        >>> import tempfile, pathlib, soadyn as sd
        >>> from soadyn.simulation import Trajectory, simulate
        >>> fall = simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = fall.save(pathlib.Path(folder) / "fall.npz")
        ...     bool((Trajectory.load(path).q == fall.q).all())
        True
        """
        return trajectory_file.save(self.fields(), path)

    @staticmethod
    def load(path: str | PathLike[str]) -> Trajectory:
        """The trajectory in an npz file that `save` wrote; any other file is refused."""
        return Trajectory(**trajectory_file.load(path))

    def of(self, robot: Robot) -> Trajectory:
        """The same trajectory, of that robot: a file does not hold the robot itself.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> sd.simulate(arm, [0.3, 0.0], duration=0.1, step=0.01).of(arm.with_gravity([0, 0, 0])).robot.gravity
        array([0., 0., 0.])
        """
        if not isinstance(robot, Robot):
            raise ArgumentError(f"a trajectory is of a Robot, as sd.load makes them, got {type(robot).__name__}")
        if coordinate_names(robot) != self.q_names:
            raise ArgumentError(
                f"the trajectory of {self.robot_name!r} has the coordinates {_few(self.q_names)}, "
                f"robot {robot.name!r} has {_few(coordinate_names(robot))}"
            )
        return replace(self, robot=robot, derivatives=None)

    def row(self, row: int | tuple[int, ...] = 0) -> Trajectory:
        """One motion of a batch, by its number or its indices.

        >>> import soadyn as sd
        >>> falls = sd.simulate(sd.load("planar_two_link"), [[0.3, 0.0], [0.4, 0.0]], duration=0.1, step=0.01)
        >>> falls.q.shape, falls.row(1).q.shape
        ((11, 2, 2), (11, 2))
        """
        batch = self.q.shape[1:-1]
        if not batch and isinstance(row, int | tuple) and row in (0, ()):
            return self
        try:
            chosen = tuple(map(index, row if isinstance(row, tuple) else np.unravel_index(index(row), batch)))
            np.empty(batch)[chosen]
        except (IndexError, OverflowError, TypeError, ValueError):
            chosen = ()
        if len(chosen) != len(batch) or not batch:
            raise ArgumentError(f"row {row!r:.80} does not pick one of the batch {batch}")
        return selecting.picked(self, (slice(None), *chosen))

    def __getitem__(self, key: Any) -> Trajectory:
        """Some of the records, and of a batch some rows: trajectory[records, rows...], indexed as NumPy does.

        The records stay an axis, also where one is picked by its number.

        >>> import soadyn as sd
        >>> falls = sd.simulate(sd.load("planar_two_link"), [[0.3, 0.0], [0.4, 0.0]], duration=0.1, step=0.01)
        >>> falls[::5].t.tolist(), falls[-1].q.shape, falls[:4, 1].q.shape
        ([0.0, 0.05, 0.1], (1, 2, 2), (4, 2))
        """
        return selecting.picked(self, key)

    def at(self, t: ArrayLike) -> State:
        """The state at a time, or at several, (...,): `q`, `v` and `tau` between records, and every other quantity.

        Configurations lie on a cubic curve on the manifold that has the recorded rates at both ends (fourth order in
        the distance of the records), rates are its derivative, torques lie on straight lines.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> fall.at(0.055).q.shape, fall.at([0.0, 0.055]).pose("tool").shape
        ((2,), (2, 4, 4))
        """
        return selecting.state_at(self, t)

    @property
    def end(self) -> State:
        """The last state, from which `simulate(robot, end.q, end.v)` goes on; see `joined`."""
        return selecting.robot_of(self).at(self.q[-1], self.v[-1], tau=self.tau[-1])

    def between(self, start: float, end: float) -> Trajectory:
        """The part from `start` to `end` seconds, with records made there.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> fall.between(0.025, 0.04).t.round(6).tolist()
        [0.025, 0.03, 0.04]
        """
        return selecting.span(self, start, end)

    def resample(self, times: ArrayLike) -> Trajectory:
        """The motion at other times: ascending ones (n,), or one number, the seconds between records.

        States are those of `at`, energies and momentum are computed from them; springs' energy, work, impulse and
        torques lie on straight lines between records, and passive sets are those of the record before.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> len(fall.resample(0.001)), fall.resample([0.0, 0.055]).q.shape
        (101, (2, 2))
        """
        return selecting.resampled(self, times)

    def joined(self, then: Trajectory) -> Trajectory:
        """This motion and the one that goes on from its end, as one; the second's times follow the first's.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> first = sd.simulate(arm, [0.3, 0.0], duration=0.1, step=0.01)
        >>> whole = first.joined(sd.simulate(arm, first.end.q, first.end.v, duration=0.1, step=0.01))
        >>> len(whole), whole.t[-1].item(), bool(abs(whole.energy_drift).max() < 1e-6)
        (21, 0.2, True)
        """
        if not isinstance(then, Trajectory):
            raise ArgumentError(f"joined takes a Trajectory, got {type(then).__name__}")
        return joining.joined(self, then)

    def to_dataframe(self) -> Any:
        """A pandas DataFrame with the columns "t", "q.JOINT", "v.JOINT", ..., "kinetic", ...

        A batch comes row after row, its number in the column "row". Needs pandas: pip install pandas.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> list(fall.to_dataframe().columns)[:3]
        ['t', 'q.joint1', 'q.joint2']
        """
        return tables.dataframe(self.fields())

    def to_xarray(self) -> Any:
        """An xarray Dataset with the axes time, row, coordinate, rate and part, all of them named.

        Needs xarray: pip install xarray.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> fall.to_xarray().q.sel(coordinate="joint1", time=0.0).item()
        0.3
        """
        return tables.dataset(self.fields())

    def fields(self) -> dict[str, Any]:
        """What a file holds: numbers and names, and nothing that is None."""
        left_out = ("robot", "acted", "events", "derivatives", *(() if self.notes else ("notes",)))
        return {name: x for name, x in self.__dict__.items() if name not in left_out and x is not None}

    def plot(
        self,
        path: str | PathLike[str] | None = None,
        row: int | tuple[int, ...] | None = None,
        what: Sequence[str] | str | None = None,
    ) -> Any:
        """Draw the motion into a file (png, pdf, svg); without a path, a `Picture` that notebooks show.

        row: which motion of a batch; without it all rows, many of them as median and band of 5 to 95 %
        what: of "q", "v", "tau", "energy", "momentum", "energy_drift" and "momentum_drift"; by default the first three
            with joints in panels by unit and speed, torques if there are any, energies, and a free base's momentum

        Attitudes are rotation vectors from the start, in degrees, along the axes the body had then. Broken lines are
        limits, where the motion comes near to them; dotted upright ones are events. Needs matplotlib: pip install
        matplotlib.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> type(fall.plot(what=("q", "tau"))).__name__
        'Picture'
        """
        return plotting.plot(self if row is None else self.row(row), path, what)

    def _repr_html_(self) -> str:
        return notebook.shown_trajectory(self)

    def show(self, row: int | tuple[int, ...] = 0, *, port: int = PORT, **options: Unpack[Options]) -> live.View:
        """Play the motion in the browser, on this machine only; of a batch, one row. Options are those of `Robot.show`.

        >>> import soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> with fall.show(port=0) as view:
        ...     view.url.startswith("http://127.0.0.1:")
        True
        """
        return live.show([(self.robot_name, self.row(row))], port=port, **options)

    def save_view(
        self,
        path: str | PathLike[str],
        row: int | tuple[int, ...] = 0,
        *,
        fps: float = page.FPS,
        **options: Unpack[Options],
    ) -> Path:
        """Write a page that plays the motion: one file, no server, no network, at most 60 frames a second.

        Options are those of `Robot.show`. Several motions in one page: `sd.view.save_page`.

        >>> import tempfile, soadyn as sd
        >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     fall.save_view(f"{folder}/fall.html").name
        'fall.html'
        """
        return page.save_page(path, [(self.robot_name, self.row(row))], fps=fps, **options)


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
