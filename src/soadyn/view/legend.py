"""A page's title, and what its colours and axes mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from soadyn.robot.arguments.arguments import FrameLike
from soadyn.view.display.tables import text
from soadyn.view.drawing import ACTIVE, PASSIVE, Colour
from soadyn.view.options import Options
from soadyn.view.scene import TRAILS

AXES: tuple[Colour, ...] = ((204, 0, 0), (0, 153, 0), (0, 80, 230))


def legend(title: str, options: Options, moves: bool, drawn: Collection[Colour]) -> str:
    """HTML for the corner of a page on which there are these colours; empty if there is nothing to tell."""
    lines = [
        _line([TRAILS[n % len(TRAILS)]], f"way of {_name(frame)}")
        for n, frame in enumerate(options.get("trails", ()) if moves else ())
    ]
    frames = options.get("frames", ())
    if frames:
        names = list(frames) if isinstance(frames, Mapping) else [_name(frame) for frame in frames]
        lines.append(_line(AXES, f"axes x, y, z of {', '.join(names)}"))
    if PASSIVE in drawn:
        lines += [_line([ACTIVE], "joints with motors"), _line([PASSIVE], "passive joints")]
    head = f"<b>{text(title)}</b>" if title else ""
    return f'<div id="legend">{head}{"".join(lines)}</div>' if head or lines else ""


def _name(frame: FrameLike | Any) -> str:
    return frame if isinstance(frame, str) else f"a frame on {frame[0]}"


def _line(colours: Any, words: str) -> str:
    swatches = "".join(f'<i style="background:rgb({red},{green},{blue})"></i>' for red, green, blue in colours)
    return f"<span>{swatches} {text(words)}</span>"
