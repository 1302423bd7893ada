"""A viser scene of robots: what is drawn once, and how it is moved."""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.later import optional
from soadyn.mechanics.spatial.rotation import quaternion_of
from soadyn.view.drawing import Colour, Drawing, figure
from soadyn.view.framing import FIELD, Framing
from soadyn.view.motions import Showable, ShownMotion, all_poses, extent, motion_of, offsets
from soadyn.view.options import Options

HOST = "127.0.0.1"  # never seen from other machines
SHELLS: tuple[Colour, ...] = ((222, 226, 232), (150, 196, 232), (243, 205, 140), (178, 216, 170), (214, 186, 226))
TOWARDS_CAMERA = np.array([0.837, -0.352, 0.419])  # a unit vector, to three digits
LABEL_ROOM = 0.1  # above the robots, as a share of their size
TRAIL_POINTS = 120  # at least, between few records
MOST_TRAIL_POINTS = 2000
TRAILS: tuple[Colour, ...] = ((255, 196, 64), (120, 220, 160), (240, 130, 190))
# Poses are rounded to whole multiples of these (of the scene's size, and for quaternions): numbers with few digits in
# the binary system shrink a film to a third.
POSITION_BITS, QUATERNION_BITS = 16, 15


@final
@dataclass(slots=True)
class Actor:
    """A robot in the scene: the nodes of its links (the ground's first), and where they were put last."""

    motion: ShownMotion
    nodes: list[Any]
    last: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = field(default_factory=dict)


def server(port: int = 0) -> Any:
    """A viser server that only this machine can reach; port 0 is any that is free."""
    viser = optional("viser", "viewing")
    with _silence():
        made: Any = viser.ViserServer(host=HOST, port=port, label="soadyn", verbose=False)
    # Its panel offers to publish the scene through a server elsewhere.
    made.request_share_url = _no_share
    made.gui.configure_theme(show_logo=False, show_share_button=False)
    return made


def _no_share(verbose: bool = True) -> None:
    """A robot stays on this machine."""


def stop(running: Any) -> None:
    """Stop a server; its messages are not printed."""
    with _silence():
        running.stop()


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Without viser's announcements, which it prints with rich: in a notebook they do not pass through stdout."""
    console = importlib.import_module("rich").get_console()
    was, console.quiet = console.quiet, True
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        console.quiet = was


def motions_of(shown: Sequence[tuple[str, Showable]]) -> list[ShownMotion]:
    """Checked pairs of a label and a robot, state or trajectory."""
    pairs: Any = shown  # whatever a caller may have passed
    if not isinstance(pairs, list | tuple) or not pairs:
        raise ArgumentError(f"expected a list of (label, trajectory) pairs, got {pairs!r:.80}")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            raise ArgumentError(f"expected pairs (label, trajectory), got {pair!r:.80}")
    return [motion_of(label, thing) for label, thing in shown]


@final
class Scene:
    """The robots of some motions, drawn on a server."""

    def __init__(self, running: Any, motions: Sequence[ShownMotion], options: Options) -> None:
        shells = (SHELLS[i % len(SHELLS)] for i in range(len(motions)))
        figures = [figure(motion.robot.model, shell, options) for motion, shell in zip(motions, shells, strict=True)]
        self.colours = {part.colour for drawn in figures for part in drawn.parts}
        extents = [extent(motion, drawn) for motion, drawn in zip(motions, figures, strict=True)]
        places = offsets(extents, options.get("spacing"))
        boxes = [(low + at, high + at) for (low, high), at in zip(extents, places, strict=True)]
        self.low = np.min([low for low, _ in boxes], axis=0)
        self.high = np.max([high for _, high in boxes], axis=0)
        self.size = float(np.linalg.norm(self.high - self.low)) or 1.0
        towards = np.asarray(options.get("look_from", TOWARDS_CAMERA), dtype=float)
        top = self.high + np.array([0, 0, LABEL_ROOM * self.size])
        tops = [at + np.array([0, 0, high[2]]) for at, (_, high) in zip(places, extents, strict=True)]
        labels = [(at, motion.label) for at, motion in zip(tops, motions, strict=True) if motion.label]
        self.framing = Framing(self.low, top, towards / np.linalg.norm(towards), labels)
        self.dark = options.get("sky") == "dark"
        self.api = running.scene
        running.scene.set_up_direction("+z")
        running.scene.world_axes.visible = False
        running.scene.configure_default_lights(enabled=True, cast_shadow=True)
        if self.dark:
            running.gui.configure_theme(dark_mode=True, show_logo=False, show_share_button=False)
            running.scene.set_background_image(stars(), format="png")
        self._look(running)
        standing = any(k.kind != "free" for motion in motions for k in _standing(motion))
        if options.get("ground", standing):
            self._grid()
        self.actors = [
            self._actor(i, motion, drawn, at, float(high[2]), options)
            for i, (motion, drawn, at, (_, high)) in enumerate(zip(motions, figures, places, extents, strict=True))
        ]

    def move(self, poses: Sequence[np.ndarray]) -> None:
        """Put every link where `poses` (1 + links, 4, 4) of each robot says; what did not move is left alone."""
        for actor, T in zip(self.actors, poses, strict=True):
            self.put(actor, T)

    def put(self, actor: Actor, T: np.ndarray) -> None:
        """Put the links of one robot where T (1 + links, 4, 4) says."""
        step = 2.0 ** np.ceil(np.log2(self.size)) / 2**POSITION_BITS
        position = np.round(T[:, :3, 3] / step) * step
        wxyz = np.round(quaternion_of(T[:, :3, :3]) * 2**QUATERNION_BITS) / 2**QUATERNION_BITS
        for k in range(1, len(actor.nodes)):
            now = tuple(position[k].tolist()), tuple(wxyz[k].tolist())
            was = actor.last.get(k, ((), ()))
            if now[0] != was[0]:
                actor.nodes[k].position = now[0]
            if now[1] != was[1]:
                actor.nodes[k].wxyz = now[1]
            actor.last[k] = now

    def show(self, time: float) -> None:
        """Put every robot where it is at that time."""
        moment = np.array([time])
        self.move([all_poses(actor.motion.robot, actor.motion.at(moment))[0] for actor in self.actors])

    def _look(self, running: Any) -> None:
        """From the side of the robots' row and a little from above, as near as everything stays in sight."""
        framing, camera = self.framing, running.initial_camera
        camera.position = framing.middle + framing.distance() * framing.axes[2]
        camera.look_at = framing.middle
        camera.fov = FIELD
        camera.near, camera.far = 1e-3 * self.size, 1e3 * self.size

    def _grid(self) -> None:
        """Lines that mean round lengths: sections of 1, 2 or 5 times a power of ten, in five or four cells."""
        power = float(10.0 ** np.floor(np.log10(self.size / 2)))
        lead = max(step for step in (1, 2, 5) if step * power <= self.size / 2)
        across = 5 * self.size
        self.api.add_grid(
            "/ground",
            width=across,
            height=across,
            cell_size=lead * power / (4 if lead == 2 else 5),
            section_size=lead * power,
            cell_color=(176, 181, 188),
            section_color=(128, 134, 142),
            position=(0.0, 0.0, min(0.0, float(self.low[2]))),
            fade_distance=across,
            fade_from="origin",
            shadow_opacity=0.2,
        )

    def _actor(
        self, i: int, motion: ShownMotion, drawn: Drawing, at: np.ndarray, top: float, options: Options
    ) -> Actor:
        root = f"/{i + 1} {_plain(motion.label)}"
        model = motion.robot.model
        self.api.add_frame(root, show_axes=False, position=at)
        names = [f"{root}/ground", *(f"{root}/{_plain(name)}" for name in model.link_names)]
        nodes = [self.api.add_frame(name, show_axes=False) for name in names]
        row = {0: 0, **{k: n for n, k in enumerate(model.visible, start=1)}}
        for n, part in enumerate(drawn.parts):
            self.api.add_mesh_simple(
                f"{names[row[part.link]]}/part {n}",
                part.solid.vertices,
                part.solid.faces,
                color=part.colour,
                opacity=None if part.opacity >= 1 else part.opacity,
                side="front" if part.opacity >= 1 else "double",
            )
        for triad in drawn.triads:
            T = triad.placement
            self.api.add_frame(
                f"{names[row[triad.link]]}/{_plain(triad.name)} axes",
                axes_length=triad.length,
                axes_radius=0.05 * triad.length,
                position=T.position,
                wxyz=quaternion_of(np.array(T.rotation)),
            )
        self._trails(root, motion, options)
        if motion.label:
            self.api.add_label(
                f"{root}/label",
                motion.label,
                position=(0.0, 0.0, top + 0.5 * LABEL_ROOM * self.size),
                font_screen_scale=1.4,
                anchor="bottom-center",
            )
        return Actor(motion, nodes)

    def _trails(self, root: str, motion: ShownMotion, options: Options) -> None:
        """The ways of frames through the motion, as lines."""
        for n, frame in enumerate(options.get("trails", ()) if motion.duration else ()):
            way = motion.robot.pose(motion.at(_trail_times(motion)), frame)[:, :3, 3]
            self.api.add_line_segments(
                f"{root}/trail {n + 1}",
                points=np.stack([way[:-1], way[1:]], axis=1).astype(np.float32),
                colors=np.array(TRAILS[n % len(TRAILS)], dtype=np.uint8),
                thickness=3.0,
                thickness_units="screen",
            )


def _trail_times(motion: ShownMotion) -> np.ndarray:
    """All records, or of very many evenly chosen ones, and times between where records are few."""
    count = min(len(motion.t), MOST_TRAIL_POINTS)
    records = motion.t[np.linspace(0, len(motion.t) - 1, count).round().astype(int)] - motion.t[0]
    return records if count >= TRAIL_POINTS else np.union1d(records, np.linspace(0.0, motion.duration, TRAIL_POINTS))


def stars() -> np.ndarray:
    """A dark sky: deep blue below, black above, with stars; always the same."""
    rng = np.random.default_rng(0)
    height, width = 540, 960
    fade = np.linspace(0.0, 1.0, height)[:, None, None] * np.array([14, 20, 44])
    sky = np.broadcast_to(4 + fade, (height, width, 3)).astype(np.uint8).copy()
    rows, columns = rng.integers(height, size=260), rng.integers(width, size=260)
    sky[rows, columns] = (60 + 190 * rng.random(260) ** 3)[:, None].astype(np.uint8)
    return sky


def _standing(motion: ShownMotion) -> list[Any]:
    model = motion.robot.model
    return [model.joints[k - 1] for k in model.children[0]]


def _plain(name: str) -> str:
    """A name as part of a path in the scene."""
    return name.replace("/", "_") or "robot"
