"""Motions that show a robot's inertial parameters: Fourier series whose regressor is well conditioned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import positive, real, whole
from soadyn.robot.checked import checked_robot

WITHOUT_LIMIT = 2.0  # rad/s, for joints without a speed limit
REACH = np.pi / 2  # rad, on both sides, for joints without a position limit
TOOK = 0.9  # of the limits


@final
@dataclass(frozen=True, eq=False)
class Excitation:
    """q(t) = center + Σ_l [a_l sin(l w t) - b_l cos(l w t)] / (l w), periodic (Swevers et al. 1997).

    a, b (nv, harmonics) in rad/s; w in rad/s; condition: of the regressor of base parameters, columns of length one.

    >>> import numpy as np
    >>> sway = Excitation(center=np.zeros(1), a=np.ones((1, 1)), b=np.zeros((1, 1)), w=2.0, condition=1.0)
    >>> q, v, a = sway(0.0)
    >>> q.item(), v.item(), a.item()
    (0.0, 1.0, 0.0)
    """

    center: np.ndarray
    a: np.ndarray
    b: np.ndarray
    w: float
    condition: float

    def __call__(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, velocities and accelerations at times (...), each (..., nv)."""
        lw = self.w * np.arange(1, self.a.shape[1] + 1)
        angle = real("t", t, meaning="times in seconds", of="an excitation")[..., None] * lw
        s, c = np.sin(angle)[..., None, :], np.cos(angle)[..., None, :]
        q = self.center + ((self.a * s - self.b * c) / lw).sum(-1)
        return q, (self.a * c + self.b * s).sum(-1), ((self.b * c - self.a * s) * lw).sum(-1)


def design_excitation(
    robot: Robot,
    duration: float = 10.0,
    harmonics: int = 5,
    rng: np.random.Generator | None = None,
    trials: int = 200,
    acceleration_limit: ArrayLike = np.inf,
) -> Excitation:
    """A motion within position, speed and acceleration limits whose regressor has a small condition number.

    The best of `trials` random series, half of them small changes of the best so far. Joints need plain coordinates.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> motion = sd.estimation.design_excitation(arm, duration=5.0, rng=np.random.default_rng(0), trials=30)
    >>> q, v, a = motion(np.linspace(0.0, 5.0, 100))
    >>> q.shape, motion.condition < 20
    ((100, 2), True)
    """
    checked_robot(robot, "design_excitation", moving=True)
    if robot.nq != robot.nv:
        raise ArgumentError(f"design_excitation takes joints without quaternions; robot {robot.name!r} has some")
    duration = positive("duration", duration, "design_excitation")
    harmonics = whole("design_excitation: harmonics", harmonics, 1, 1000)
    trials = whole("design_excitation: trials", trials, 1, 1e6)
    if rng is not None and not isinstance(rng, np.random.Generator):
        raise ArgumentError(f"design_excitation takes a numpy.random.Generator as rng, got {rng!r:.80}")
    rng = np.random.default_rng() if rng is None else rng
    acceleration = per_component(
        "acceleration_limit", acceleration_limit, robot.nv, "design_excitation", zero=False, most=np.inf
    )
    lower = np.where(np.isfinite(robot.lower), robot.lower, -REACH)
    upper = np.where(np.isfinite(robot.upper), robot.upper, REACH)
    speed = np.where(np.isfinite(robot.velocity_limit), robot.velocity_limit, WITHOUT_LIMIT)
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    columns, t = robot.base_parameters().columns, np.linspace(0.0, duration, 40 * harmonics, endpoint=False)
    best: Excitation | None = None
    for k in range(trials):
        a, b = rng.standard_normal((2, robot.nv, harmonics))
        center = middle + rng.uniform(-0.5, 0.5, robot.nv) * half
        if best is not None and k > trials // 2:
            a, b, center = best.a * (1 + 0.3 * a), best.b * (1 + 0.3 * b), best.center
        series = Excitation(center, a, b, 2 * np.pi / duration, np.inf)
        room = half - np.abs(center - middle), speed, acceleration
        found = _judged(robot, _fitted(series, room, t), columns, t)
        if best is None or found.condition < best.condition:
            best = found
    assert best is not None
    return best


def _fitted(motion: Excitation, room: Sequence[np.ndarray], t: np.ndarray) -> Excitation:
    """The series scaled, joint by joint, to most of the room that its way, speed and acceleration have."""
    q, v, a = motion(t)
    need = [np.abs(x).max(0) / most for x, most in zip((q - motion.center, v, a), room, strict=True)]
    scale = (TOOK / np.maximum.reduce(need))[:, None]
    return replace(motion, a=motion.a * scale, b=motion.b * scale)


def _judged(robot: Robot, motion: Excitation, columns: np.ndarray, t: np.ndarray) -> Excitation:
    Y = robot.inertia_regressor(*motion(t))[..., columns].reshape(-1, len(columns))
    length = np.linalg.norm(Y, axis=0)
    condition = np.inf if (length == 0).any() else float(np.linalg.cond(np.linalg.qr(Y / length, mode="r")))
    return replace(motion, condition=condition)
