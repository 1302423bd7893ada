"""The options that all ways of showing a robot share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np

from soadyn.errors import ArgumentError, unknown_name
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.plain_values import flag, single, word

PORT = 8080  # where a live view is served if nothing else is asked for


class Options(TypedDict, total=False):
    """How robots are drawn; `Robot.show` says what each option is."""

    passive: PassiveLike
    frames: Sequence[FrameLike] | Mapping[str, FrameLike]
    masses: bool
    shapes: bool
    spacing: float | None
    trails: Sequence[FrameLike]
    ground: bool
    sky: Literal["light", "dark"]
    look_from: Sequence[float]


def checked_options(options: Options) -> Options:
    """The options, none of which may be unknown.

    >>> checked_options({"mass": True})
    Traceback (most recent call last):
    soadyn.errors.UnknownNameError: unknown option 'mass' of viewing. Did you mean 'masses' or 'passive'?
    """
    for name in options:
        if name not in Options.__annotations__:
            raise unknown_name("option", name, Options.__annotations__, of="viewing")
    spacing, sky = options.get("spacing"), options.get("sky", "light")
    for name in ("frames", "trails"):
        frames: Any = options.get(name, ())
        if isinstance(frames, str):
            raise ArgumentError(f"{name} takes a list of frames, got the text {frames!r}; write [{frames!r}]")
        if not isinstance(frames, Sequence) and not (name == "frames" and isinstance(frames, Mapping)):
            raise ArgumentError(f"{name} takes a list of frames, got {frames!r:.80}")
    word("sky", sky, ("light", "dark"))
    _direction(options)
    if spacing is not None and not np.isfinite(single(spacing)):
        raise ArgumentError(f"spacing must be a finite number of metres, got {spacing!r:.80}")
    for name in ("masses", "shapes", "ground"):
        flag(name, options.get(name, True))
    return options


def framed(options: Options) -> list[FrameLike]:
    """The frames whose axes are drawn."""
    frames = options.get("frames", ())
    return list(frames.values() if isinstance(frames, Mapping) else frames)


def _direction(options: Options) -> None:
    given: Any = options.get("look_from", (1.0, 0.0, 0.0))
    try:
        direction = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        direction = np.zeros(0)
    if direction.shape != (3,) or not np.isfinite(direction).all() or not direction[:2].any():
        raise ArgumentError(f"look_from must be three finite numbers that do not point straight up, got {given!r:.80}")
