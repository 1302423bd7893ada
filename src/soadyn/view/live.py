"""A live view: a server on this machine whose page shows robots, and plays their motions."""

from __future__ import annotations

import atexit
import html
import threading
import time
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Any, Unpack, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.view.figures import Figures
from soadyn.view.motions import MOST_FRAMES_A_SECOND, Showable, ShownMotion, all_poses
from soadyn.view.options import PORT, Options, checked_options, framed
from soadyn.view.page import page_text
from soadyn.view.scene import HOST, Scene, motions_of, server, stop
from soadyn.view.sliders import Sliders

HEIGHT = 480  # of a view in a notebook, in pixels
LAST_FRAME = 5.0  # seconds that a view waits for its last frame when it ends
SPEEDS = ("0.1x", "0.25x", "0.5x", "1x", "2x", "4x")


@final
class View:
    """A running view, made by `show`: its address, and the means to move, keep and end it.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> with arm.show(port=0) as view:
    ...     view.move([0.3, 0.1])
    ...     view.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, motions: Sequence[ShownMotion], port: int, options: Options) -> None:
        self._ended = threading.Event()
        self._motions, self._options = motions, options
        self._player: _Player | None = None
        self._server = server(port)
        atexit.register(self.stop)  # before viser's own stop, so that no frame comes after it
        try:
            self._scene = Scene(self._server, motions, options)
            self._scene.show(0.0)
            duration = max(motion.duration for motion in motions)
            gui = self._server.gui
            self._player = _Player(gui, self._scene, duration, self._ended) if duration > 0 else None
            standing = [] if duration > 0 else motions
            self._sliders = [
                Sliders(gui, motion, self._scene.size, partial(self._put, i)) for i, motion in enumerate(standing)
            ]
            frame = next((x for x in framed(options) if isinstance(x, str)), None)
            self._figures = [Figures(gui, motion, frame) for motion in standing]
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """Where to look: an address on this machine only."""
        return f"http://{HOST}:{self._server.get_port()}"

    def __repr__(self) -> str:
        return f"<View at {self.url}{', ended' if self._ended.is_set() else ''}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the view as a page of its own, which stays when the live view has ended."""
        page = html.escape(page_text(self._motions, self._options))
        address = f'<p class="soadyn-live">live while the notebook runs: <code>{self.url}</code></p>'
        live = "" if self._ended.is_set() else address
        return f'<iframe srcdoc="{page}" style="width:100%;height:{HEIGHT}px;border:0"></iframe>{live}'

    def move(self, *q: Any) -> None:
        """Put the robots at other configurations, one for each in the order they were given; motions stop playing."""
        actors = self._scene.actors
        if len(q) != len(actors):
            raise ArgumentError(f"move takes one configuration for each of the {len(actors)} robots, got {len(q)}")
        if self._player is not None:
            self._player.pause()
        rows = [_one(actor.motion, row) for actor, row in zip(actors, q, strict=True)]
        for i, row in enumerate(rows):
            self._put(i, row[0])
        for sliders, row in zip(self._sliders, rows, strict=False):
            sliders.put(row[0])

    def _put(self, i: int, q: np.ndarray) -> None:
        """Put the i-th robot at a checked configuration."""
        actor = self._scene.actors[i]
        self._scene.put(actor, all_poses(actor.motion.robot, q[None])[0])
        if self._figures:
            self._figures[i].put(q)

    def wait(self) -> None:
        """Say where the view is, and keep it until Ctrl-C."""
        print(f"look at {self.url}; Ctrl-C ends the view", flush=True)
        try:
            while not self._ended.wait(timeout=1.0):
                pass
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """End the view."""
        if not self._ended.is_set():
            self._ended.set()
            atexit.unregister(self.stop)
            if self._player is not None:
                self._player.join()
            stop(self._server)

    def __enter__(self) -> View:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _one(motion: ShownMotion, q: Any) -> np.ndarray:
    """One configuration, checked by the robot itself, as a batch of one."""
    robot = motion.robot
    checked = robot.integrate(q, np.zeros(len(robot.difference(robot.neutral(), robot.neutral()))))
    if checked.ndim != 1 or not np.isfinite(checked).all():
        raise ArgumentError(f"{motion.label!r}: expected one finite configuration ({robot.nq},), got {q!r:.80}")
    return checked[None]


@final
class _Player:
    """Play, pause, time and speed in the page's panel, and the thread that plays accordingly."""

    def __init__(self, gui: Any, scene: Scene, duration: float, ended: threading.Event) -> None:
        self._scene, self._duration, self._ended = scene, duration, ended
        self._lock = threading.Lock()
        self._play = gui.add_checkbox("play", initial_value=True)
        self._time = gui.add_slider("time (s)", min=0.0, max=duration, step=duration / 2000, initial_value=0.0)
        self._speed = gui.add_dropdown("speed", SPEEDS, initial_value="1x")
        self._thread = threading.Thread(target=self._run, name="soadyn view", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait for the frame that is on its way: a server that is gone cannot take it."""
        self._thread.join(timeout=LAST_FRAME)

    def pause(self) -> None:
        """Stop playing; when this returns, no frame is on its way."""
        with self._lock:
            self._play.value = False

    def _run(self) -> None:
        shown, slider, last = 0.0, self._time.value, time.monotonic()
        while not self._ended.wait(timeout=1 / MOST_FRAMES_A_SECOND):
            now = time.monotonic()
            passed, last = now - last, now
            with self._lock:
                asked = self._time.value
                if asked != slider:  # somebody moved it
                    shown = asked
                elif self._play.value:
                    shown = (shown + passed * float(self._speed.value.removesuffix("x"))) % self._duration
                else:
                    continue
                self._scene.show(shown)
                self._time.value = shown
                slider = self._time.value


def show(shown: Sequence[tuple[str, Showable]], *, port: int = PORT, **options: Unpack[Options]) -> View:
    """A live view of robots, states or trajectories side by side, each under its label.

    It can be seen in a browser on this machine only. A port that is taken gives way to the next one; 0 is any.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> with show([("left", arm), ("right", arm.at([0.5, 0.2]))], port=0) as view:
    ...     view.move([0.1, 0.0], [0.5, 0.3])
    """
    if not isinstance(port, int) or isinstance(port, bool) or not 0 <= port <= 65535:
        raise ArgumentError(f"port must be a whole number from 0 to 65535, got {port!r}")
    return View(motions_of(shown), port, checked_options(options))
