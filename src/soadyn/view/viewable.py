"""The methods by which a robot is looked at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from soadyn.view.options import PORT, Options

if TYPE_CHECKING:
    from soadyn.view.live import View
    from soadyn.view.motions import Posed


class Viewable(ABC):
    """A robot that can be shown."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The robot's name."""

    @abstractmethod
    def neutral(self) -> np.ndarray:
        """The configuration to show if none is given, but for joints that would stand at a limit."""

    @abstractmethod
    def at(self, q: Any) -> Posed:
        """The robot at a configuration, which is checked."""

    def show(self, q: Any = None, *, port: int = PORT, **options: Unpack[Options]) -> View:
        """A live view in the browser, on this machine only; q is neutral if omitted, joints at a limit in mid-range.

        port: where to serve it; a port that is taken gives way to the next one, and 0 is any
        passive: joints to colour as passive, as `hybrid_dynamics` takes them
        frames: frames whose axes are drawn; a dict {name: frame} names them in a page's legend
        masses: show masses as balls, in links that can be seen through
        shapes: use the shapes of the robot's file where it has any; True if omitted
        spacing: metres between robots along y; by default what keeps them clear of each other
        trails: frames whose ways through a motion are drawn
        ground: lines on the ground, and shadows; by default unless every robot floats
        sky: "light", or "dark" with stars
        look_from: the direction from the robot to the camera, (3,)

        `wait()` of the result keeps it until Ctrl-C, `move(q)` moves the robot, `stop()` ends it. Needs viser:
        pip install viser.

        >>> import soadyn as sd
        >>> arm = sd.load("ur5")
        >>> with arm.show(frames=["tool0"], port=0) as view:
        ...     view.move(arm.random_configuration())
        """
        from soadyn.view.live import show  # most programs never show a robot

        return show([(self.name, self._posed(q))], port=port, **options)

    def save_view(self, path: str | PathLike[str], q: Any = None, **options: Unpack[Options]) -> Path:
        """Write a page that shows the robot at q; one file, no server, no network. Options are those of `show`.

        >>> import tempfile, soadyn as sd
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sd.load("ur5").save_view(f"{folder}/ur5.html", masses=True).name
        'ur5.html'
        """
        from soadyn.view.page import save_page

        return save_page(path, [(self.name, self._posed(q))], **options)

    def _posed(self, q: Any) -> Posed:
        from soadyn.view.posture import posture

        shown: Any = self
        return self.at(posture(shown) if q is None else q)
