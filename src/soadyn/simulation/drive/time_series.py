"""Vectors given at times: torques, accelerations or references of a controller that are known beforehand."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.model.knots import interval_of
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import flag

ROUNDING = 1e-12  # relative, of times


@final
class TimeSeries:
    """Values at times: straight lines between them, or each held until the next with `hold=True`.

    times: seconds, (S,), increasing. values: (S, ..., n), time first as in a `Trajectory`; batch axes may follow.
    Before the first and after the last time the values stay what they are there. A simulation asks for values that are
    held at the beginning of each step, and keeps them through it.

    >>> import soadyn as sd
    >>> ramp = sd.TimeSeries([0.0, 1.0], [[0.0, 0.0], [2.0, -4.0]])
    >>> ramp(0.25)
    array([ 0.5, -1. ])
    >>> arm = sd.load("planar_two_link").with_gravity([0, 0, 0])
    >>> sd.simulate(arm, [0.0, 0.0], control=ramp, duration=0.1, step=0.01).tau[-1]
    array([ 0.2, -0.4])
    """

    def __init__(self, times: ArrayLike, values: ArrayLike, *, hold: bool = False) -> None:
        self.times = _floats("times", times)
        self.values = _floats("values", values)
        self.hold = flag("TimeSeries: hold", hold)
        if self.times.ndim != 1 or not len(self.times) or not (np.diff(self.times) > 0).all():
            raise ArgumentError(f"TimeSeries: times must be increasing numbers, at least one, got {times!r:.80}")
        if self.values.ndim < 2 or len(self.values) != len(self.times):
            raise ShapeError(
                f"TimeSeries: values have shape {self.values.shape}; expected a row for each of the {len(self.times)} "
                "times: (S, ..., n)"
            )

    @staticmethod
    def of(motion: Any, name: str = "q", times: ArrayLike | None = None) -> TimeSeries:
        """The "q", "v", "a" or "tau" of a `Trajectory`, a `paths.Motion` or an optimal motion, at its times or others.

        What a motion has for each of its steps, as optimal torques, is held until the next.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> motion = sd.paths.quintic(sd.paths.line(arm, [0.0, 0.0], [1.0, 2.0]), duration=2.0)
        >>> sd.TimeSeries.of(motion, "q", [0.0, 1.0, 2.0])(1.0)
        array([0.5, 1. ])
        """
        own = getattr(motion, "t", None)
        values = getattr(motion, name, None) if times is None else None
        if values is None and callable(getattr(motion, "at", None)):
            values = getattr(motion.at(own if times is None else times), name, None)
        if own is None or values is None:
            raise ArgumentError(f"TimeSeries.of: a {type(motion).__name__} has no {name!r} over times `t`")
        t = _floats("times", own if times is None else times)
        hold = len(values) == len(t) - 1
        return TimeSeries(t[:-1] if hold else t, values, hold=hold)

    def __call__(self, t: ArrayLike, *_: Any) -> np.ndarray:
        """The values at a time, (..., n), or at several, (T, ..., n); the state that a torque is told is not read."""
        try:
            times = np.asarray(t, dtype=float)
        except (TypeError, ValueError):
            raise ArgumentError(f"Samples are asked for values at a time in seconds, got {t!r:.80}") from None
        first, *second = ((self.values[i], x) for i, x in self.shares(times))
        if not second:
            return first[0]
        (before, left), (after, share) = first, *second
        axes = share.shape + (1,) * (self.values.ndim - 1)
        return np.asarray(left.reshape(axes) * before + share.reshape(axes) * after)

    def shares(self, t: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """The values at times as weighted sums of samples: pairs of indices and weights, of the times' shape."""
        if self.hold or len(self.times) == 1:
            # A time that equals a sample's but for rounding is that sample's.
            before = np.searchsorted(self.times, t + ROUNDING * np.abs(t), side="right") - 1
            return [(np.maximum(before, 0), np.ones_like(t))]
        before = interval_of(self.times, t)
        start, end = self.times[before], self.times[before + 1]
        share = np.clip((t - start) / (end - start), 0.0, 1.0)
        return [(before, 1 - share), (before + 1, share)]

    def __repr__(self) -> str:
        return (
            f"<TimeSeries of {self.values.shape[1:]} numbers at {len(self.times)} times{', held' if self.hold else ''}>"
        )


def along_time(values: np.ndarray, ndim: int) -> np.ndarray:
    """Values (T, ..., n) with axes after the first, so that they stand beside states of `ndim` axes (T, ..., nv)."""
    return values.reshape((len(values), *(1,) * (ndim - values.ndim), *values.shape[1:]))


def _floats(name: str, x: Any) -> np.ndarray:
    array = arguments.numbers(name, x, meaning="numbers")
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ArgumentError(f"TimeSeries: {name} must be finite real numbers, got {x!r:.80}")
    return array.astype(float)
