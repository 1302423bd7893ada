"""Drive gains (N m/A) from one motion recorded twice, without and with a load of known mass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.estimation.identifiability import Told
from soadyn.estimation.payloads import carried
from soadyn.estimation.regression import Columns, independent_columns, samples
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.plain_values import positive
from soadyn.robot.checked import checked_robot
from soadyn.robot.identification.base_parameters import LETTERS
from soadyn.robot.labels import rate_names

Run = tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]
USUAL = 10.0  # N m/A, where the search begins if nothing is known
HINT = "record longer or richer motions (sd.estimation.design_excitation makes one), or ask for fewer terms"


class DriveGainsResult(NamedTuple):
    """Gains (nv,) in N m/A, and the load's mass centre (3,) in its frame, NaN along what the runs do not tell.

    >>> import numpy as np
    >>> found = DriveGainsResult(gains=np.array([8.0, 12.0]), com=np.zeros(3))
    >>> found.gains * [1.0, 0.5]  # currents to torques
    array([8., 6.])
    """

    gains: np.ndarray
    com: np.ndarray


def identify_drive_gains(
    robot: Robot,
    without: Run,
    loaded: Run,
    mass: float,
    frame: FrameLike,
    terms: Sequence[str] = ("coulomb", "viscous", "offset"),
) -> DriveGainsResult:
    """Motor gains K with K i = Y π + friction (+ Y_load π_load), from runs (q, v, a, currents) without and with a load.

    Without anything known all of K, π and π_load could be scaled alike: the load's mass settles the scale. Currents are
    what is measured with noise, so the misfit of i - (Y π + ...)/K counts; the rest is linear for each K.

    >>> import numpy as np, soadyn as sd
    >>> arm, rng = sd.load("planar_two_link"), np.random.default_rng(0)
    >>> q, v, a = rng.standard_normal((3, 300, 2))
    >>> K, heavy = np.array([8.0, 12.0]), arm.with_payload("tool", 2.0)
    >>> runs = [(q, v, a, robot.inverse_dynamics(q, v, a) / K) for robot in (arm, heavy)]
    >>> sd.estimation.identify_drive_gains(arm, *runs, 2.0, "tool", terms=()).gains.round(3)
    array([ 8., 12.])
    """
    from scipy import optimize

    checked_robot(robot, "identify_drive_gains", moving=True)
    mass = positive("mass", mass, "identify_drive_gains")
    whole, names = _columns(robot, without, loaded, mass, frame, terms)
    start, com_told = _start(robot, whole, names)
    compressed = np.stack([np.linalg.qr(whole[:, j], mode="r") for j in range(robot.nv)])
    spread = np.ones(robot.nv)

    def solved(log_gains: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is linear, and the currents' misfit (nv, rows), for given gains."""
        w = 1 / (np.exp(log_gains) * spread)
        A = compressed[:, :, 2:] * w[:, None, None]
        b = compressed[:, :, 0] / spread[:, None] - compressed[:, :, 1] * w[:, None]
        x = np.linalg.lstsq(A.reshape(-1, A.shape[-1]), b.reshape(-1), rcond=1e-12)[0]
        return x, b - A @ x

    found = np.log(start)
    for _ in range(3):
        found = optimize.least_squares(lambda k: solved(k)[1].reshape(-1), found, x_scale=0.1, max_nfev=60).x
        left = solved(found)[1] * spread[:, None]
        spread = np.maximum(np.sqrt((left**2).sum(-1) / len(whole)), 1e-9 * np.abs(compressed[:, :, 0]).max())
    return DriveGainsResult(np.exp(found), np.where(com_told, solved(found)[0][-9:-6] / mass, np.nan))


def _start(robot: Robot, whole: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Gains to begin with, and which coordinates of the load's centre the runs tell; a gain they do not is refused.

    K i - Y π = known is linear in K and π. Its least squares take the noise of currents for one of torques, which is
    good enough to begin with, and its rank is that of the problem.
    """
    nv = robot.nv
    A = np.concatenate([whole[:, :, :1] * np.eye(nv), -whole[:, :, 2:]], axis=-1).reshape(-1, nv + len(names))
    gains = tuple(f"{name}.gain" for name in rate_names(robot))
    told = Told.of(A, (*gains, *names))
    if set(gains) & set(told.open):
        raise ArgumentError(f"identify_drive_gains: the runs do not tell all gains: {told}; {HINT}")
    length = np.linalg.norm(A, axis=0)
    length[length == 0] = 1.0
    K = (np.linalg.lstsq(A / length, whole[:, :, 1].reshape(-1), rcond=1e-12)[0] / length)[:nv]
    return np.where(K > 0, K, USUAL), np.array([name not in told.open for name in names[-9:-6]])


def _columns(
    robot: Robot, without: Run, loaded: Run, mass: float, frame: FrameLike, terms: Sequence[str]
) -> tuple[np.ndarray, tuple[str, ...]]:
    """[currents, known, base columns, load columns] of all samples and joints, and names of the last two."""
    where, own = arguments.frame(robot.model, frame), Columns.of(robot, terms)
    chosen, names = independent_columns(robot, own)
    if where.link == 0:
        raise ArgumentError(
            f"identify_drive_gains: a load on {where.name!r}, which is fixed to the ground, is felt by no joint"
        )
    row = robot.model.visible.index(where.link)
    moved = carried(np.array(where.placement.rotation), np.array(where.placement.position))
    parts = []
    for run, held in ((without, 0.0), (loaded, 1.0)):
        q, v, a, current = _checked_run(robot, run)
        Y = robot.inertia_regressor(q, v, a)
        load = held * Y[..., 10 * row : 10 * row + 10] @ moved
        columns = np.concatenate([Y, own.matrix(v, a)], axis=-1)[..., chosen]
        parts.append(np.concatenate([current[..., None], mass * load[..., :1], columns, load[..., 1:]], axis=-1))
    load = tuple(f"{letter}(load)" for letter in LETTERS[1:])
    return np.concatenate(parts), (*names, *load)


def _checked_run(robot: Robot, run: Any) -> list[np.ndarray]:
    """q, v, a and currents of a run, (samples, ...) each."""
    sizes = {"q": robot.nq, "v": robot.nv, "a": robot.nv, "currents": robot.nv}
    if not isinstance(run, Sequence) or len(run) != len(sizes):
        raise ArgumentError(f"identify_drive_gains: a run is (q, v, a, currents), got {run!r:.80}")
    return samples("identify_drive_gains", sizes, run)
