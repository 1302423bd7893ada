"""How fast to follow a path: quintic, trapezoidal and jerk-limited scalings, each written piece by piece.

Every piece has a constant derivative of the acceleration (or none), so `Motion` holds them exactly; a quintic is cut
into many such pieces.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.paths.bounds import Bounds
from soadyn.paths.joint_paths import Path
from soadyn.paths.motion import Motion
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import positive

PIECES = 400  # of a quintic
Limit = ArrayLike | Literal["robot"] | None
LONGEST = 1e100  # seconds
LOOKS = 401  # places of a path at which limits are looked at


def smooth(x: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """10 x³ - 15 x⁴ + 6 x⁵ from 0 to 1, and its first two derivatives, which vanish at the ends; it stays there.

    >>> [float(y) for y in smooth(0.5)]
    [0.5, 1.875, 0.0]
    """
    x = np.clip(x, 0.0, 1.0)
    rest = 1.0 - x
    return x**3 * (10 - 15 * x + 6 * x * x), 30 * x * x * rest * rest, 60 * x * rest * (1 - 2 * x)


def quintic(path: Path, duration: float) -> Motion:
    """s = 10 τ³ - 15 τ⁴ + 6 τ⁵, τ = t / duration: at rest and without acceleration at both ends.

    >>> import soadyn as sd
    >>> path = sd.paths.line(sd.load("planar_two_link"), [0.0, 0.0], [1.0, 2.0])
    >>> round(float(abs(sd.paths.quintic(path, 2.0).v[:, 1]).max()), 6)
    1.875
    """
    _checked_path(path, "quintic")
    T = positive("duration", duration, "quintic")
    if not 1 / LONGEST < T < LONGEST:  # its cube must be a number
        raise ArgumentError(f"quintic: duration must be seconds below {LONGEST:g}, got {duration!r:.60}")
    x = np.linspace(0.0, 1.0, PIECES + 1)
    s, speed = smooth(x)[0], smooth(x)[1] / T
    # Each piece is the cubic in time that has both ends' places and speeds.
    h = T / PIECES
    rise, mean = np.diff(s) / h, (speed[:-1] + speed[1:]) / 2
    jolt = 12 * (mean - rise) / h**2
    push = (speed[1:] - speed[:-1]) / h - jolt * h / 2
    return Motion(path, T * x, s, speed, push, jolt)


def trapezoidal(path: Path, acceleration_limit: ArrayLike, velocity_limit: Limit = "robot") -> Motion:
    """Constant acceleration of s, constant speed, constant deceleration, within joint speed and acceleration limits.

    acceleration_limit, velocity_limit: the largest joint accelerations and rates, a number or (nv,); None: none

    >>> import soadyn as sd
    >>> path = sd.paths.line(sd.load("planar_two_link"), [0.0, 0.0], [1.0, 2.0])
    >>> motion = sd.paths.trapezoidal(path, acceleration_limit=2.0, velocity_limit=1.0)
    >>> round(motion.duration, 9), round(float(abs(motion.v).max()), 9)
    (2.5, 1.0)
    """
    _checked_path(path, "trapezoidal")
    fastest, hardest = _along(path, velocity_limit, acceleration_limit, "trapezoidal")
    fastest = min(fastest, np.sqrt(hardest))  # a path that is too short for the full speed
    ramp, cruise = fastest / hardest, 1 / fastest - fastest / hardest
    return _pieces(path, [(ramp, hardest, 0.0), (cruise, 0.0, 0.0), (ramp, -hardest, 0.0)])


def jerk_limited(
    path: Path,
    acceleration_limit: ArrayLike,
    jerk_limit: ArrayLike,
    velocity_limit: Limit = "robot",
) -> Motion:
    """The seven phases of a joint motion with limited jerk, along a line: all joints begin and end together.

    acceleration_limit, jerk_limit, velocity_limit: the largest joint accelerations, their derivatives, and joint rates,
        a number or (nv,); velocity_limit None: none

    >>> import soadyn as sd
    >>> path = sd.paths.line(sd.load("planar_two_link"), [0.0, 0.0], [1.0, 2.0])
    >>> motion = sd.paths.jerk_limited(path, acceleration_limit=2.0, jerk_limit=10.0, velocity_limit=1.0)
    >>> round(motion.duration, 9), round(float(abs(motion.a).max()), 9)
    (2.7, 2.0)
    """
    _checked_path(path, "jerk_limited")
    if path.bends:
        raise ArgumentError("jerk_limited takes a line; other paths have jerk of their own where they bend")
    V, A = _along(path, velocity_limit, acceleration_limit, "jerk_limited")
    jerks = per_component("jerk_limit", jerk_limit, path.robot.nv, "jerk_limited", zero=False, most=np.inf)
    J = _least(jerks, np.abs(path.at(0.0)[1]))
    A = min(A, np.cbrt(J * J / 2), np.sqrt(V * J))  # whole swings of the acceleration must fit
    jerky = A / J
    # The speed reached with these, if the way ends before V is reached: V² / A + V A / J = 1
    V = min(V, (-jerky + np.sqrt(jerky**2 + 4 / A)) / 2 * A)
    level, cruise = max(V / A - jerky, 0.0), max(1 / V - V / A - jerky, 0.0)
    up = [(jerky, 0.0, J), (level, A, 0.0), (jerky, A, -J)]
    down = [(jerky, 0.0, -J), (level, -A, 0.0), (jerky, -A, J)]
    return _pieces(path, [*up, (cruise, 0.0, 0.0), *down])


def _along(path: Path, velocity: Any, acceleration: Any, of: str) -> tuple[float, float]:
    """The largest speed and acceleration of s at which joints stay within limits everywhere.

    Where the path bends, half of the acceleration is for the bend and half for the rest.
    """
    limits = Bounds.of(path.robot, None, velocity, acceleration, of)
    if not np.isfinite(limits.acceleration).any():
        raise ArgumentError(f"{of} needs an acceleration_limit, the largest of each joint")
    _, first, second = path.at(np.linspace(0.0, 1.0, LOOKS))
    share = 0.5 if path.bends else 1.0
    fastest = _least(limits.velocity, np.abs(first))
    if share < 1.0:
        fastest = min(fastest, np.sqrt(_least(share * limits.acceleration, np.abs(second))))
    hardest = _least(share * limits.acceleration, np.abs(first))
    if not np.isfinite(hardest):
        raise ArgumentError(f"{of}: the path does not move, or no joint that moves has an acceleration limit")
    return float(fastest), float(hardest)


def _least(limit: np.ndarray, per: np.ndarray) -> float:
    """The largest factor with which no entry is above its limit."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(per > 0, limit / per, np.inf)
    return float(shares.min(initial=np.inf))


def _pieces(path: Path, pieces: list[tuple[float, float, float]]) -> Motion:
    """A motion of pieces (duration, acceleration at its start, its derivative); none that is empty."""
    kept = [piece for piece in pieces if piece[0] > 0]
    t, s, speed = [0.0], [0.0], [0.0]
    for h, u, j in kept:
        t.append(t[-1] + h)
        s.append(s[-1] + h * (speed[-1] + h * (u / 2 + h * j / 6)))
        speed.append(speed[-1] + h * (u + h * j / 2))
    # Without rounding errors the motion ends on the path's end, and at rest.
    s[-1], speed[-1] = 1.0, 0.0
    return Motion(path, *map(np.array, (t, s, speed, [u for _, u, _ in kept], [j for *_, j in kept])))


def _checked_path(path: Any, of: str) -> None:
    if not isinstance(path, Path):
        raise ArgumentError(f"{of} takes a Path, as sd.paths.line makes them, got {type(path).__name__}")
