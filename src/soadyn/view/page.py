"""A page that plays from a file: viser's own client with the scene in it, no server and no network.

viser's `StateSerializer.as_html` puts a recording into the client's built page; the client reads it from there.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from soadyn.files import target_file, whole_file
from soadyn.view.charts import Chart, checked_charts, panel
from soadyn.view.layout import script, style
from soadyn.view.legend import legend
from soadyn.view.motions import Showable, ShownMotion, all_poses, frame_times
from soadyn.view.options import Options, checked_options
from soadyn.view.scene import Scene, motions_of, server, stop

FPS = 30.0
SUFFIXES = (".html", ".htm")
CHUNK = 512  # frames whose poses are computed at once


def page_file(path: str | PathLike[str]) -> Path:
    """The path of a page to write, checked."""
    return target_file(path, "a page", SUFFIXES)


def save_page(
    path: str | PathLike[str],
    shown: Sequence[tuple[str, Showable]],
    *,
    fps: float = FPS,
    charts: Sequence[Chart] = (),
    title: str = "",
    **options: Unpack[Options],
) -> Path:
    """Write an HTML page that shows robots, states or trajectories side by side, each under its label.

    The page is one file, needs no server and no network, and has a time slider, pause and speed. `fps` is how many
    frames a second it holds, at most 60. `charts` stand beside the robots, or below them in a narrow window; a line in
    them moves with the time slider. `title` stands above a legend of what is drawn. The camera is as near as
    everything is seen in the window in which the page is opened. Options are those of `Robot.show`.

    >>> import tempfile, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> fall = sd.simulate(arm, [0.3, 0.0], duration=0.2, step=0.01)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = save_page(f"{folder}/two.html", [("falling", fall), ("held", arm.at([0.3, 0.0]))])
    ...     0.5e6 < page.stat().st_size < 2e6
    True
    """
    target = page_file(path)
    text = page_text(motions_of(shown), checked_options(options), fps, checked_charts(charts), title)
    with whole_file(target) as file:
        file.write(text.encode("utf-8"))
    return target


def page_text(
    motions: Sequence[ShownMotion],
    options: Options,
    fps: float = FPS,
    charts: Sequence[Chart] = (),
    title: str = "",
) -> str:
    """The page as text."""
    times = frame_times(motions, fps)
    running = server()
    try:
        scene = Scene(running, motions, options)
        scene.show(0.0)
        recording = running.get_scene_serializer()
        for start in range(1, len(times), CHUNK):
            _record(scene, recording, motions, times, slice(start, start + CHUNK))
        text = str(recording.as_html(dark_mode=scene.dark))
    finally:
        stop(running)
    name = title or ", ".join(motion.label for motion in motions if motion.label) or motions[0].robot.name
    moves = len(times) > 1
    # Before its title a page knows its window's width, and viser's own script has not run.
    head = f"{script(scene.framing, bool(charts), moves)}<title>{html.escape(name)}</title>"
    text = text.replace("<title>Viser</title>", head, 1)
    body, end, rest = text.rpartition("</body>")
    told = legend(title, options, moves, scene.colours)
    return f"{body}{style(scene.dark)}{told}{panel(charts, scene.dark) if charts else ''}{end}{rest}"


def _record(scene: Scene, recording: Any, motions: Sequence[ShownMotion], times: np.ndarray, chunk: slice) -> None:
    waits = np.diff(times)[chunk.start - 1 : chunk.stop - 1]
    poses = [all_poses(motion.robot, motion.at(times[chunk])) for motion in motions]
    for i, wait in enumerate(waits.tolist()):
        recording.insert_sleep(wait)
        scene.move([T[i] for T in poses])
