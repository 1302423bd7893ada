"""The options that all ways of showing a robot share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from soadyn.errors import unknown_name
from soadyn.evaluation.arguments import FrameLike, PassiveLike


class Options(TypedDict, total=False):
    """How robots are drawn.

    passive: joints to colour as passive, as `hybrid_dynamics` takes them
    frames: frames whose axes are drawn
    masses: show masses as balls, in links that can be seen through
    shapes: use the shapes of the robot's file where it has any (the default)
    spacing: metres between robots along y; by default what keeps them clear of each other
    """

    passive: PassiveLike
    frames: Sequence[FrameLike]
    masses: bool
    shapes: bool
    spacing: float | None


def checked_options(options: Options) -> Options:
    """The options, none of which may be unknown.

    >>> checked_options({"mass": True})
    Traceback (most recent call last):
    soadyn.errors.UnknownNameError: unknown option 'mass' of viewing. Did you mean 'masses' or 'passive'?
    """
    for name in options:
        if name not in Options.__annotations__:
            raise unknown_name("option", name, Options.__annotations__, of="viewing")
    return options
