"""What all commands share: the consoles, how warnings look, how robots are asked for."""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
import warnings
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from soadyn.errors import visible
from soadyn.robot import Robot
from soadyn.robot.sources import load

# What is not a terminal has no width; tables should not be squeezed into 80 columns there.
# Names of robots and files may hold what rich reads as markup; here brackets are brackets.
out = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 140)
err = Console(stderr=True, highlight=False, markup=False)


class _Visible:
    """Something to print, its letters that nobody sees spelled out; what rich itself tells the terminal stays."""

    def __init__(self, shown: ConsoleRenderable) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._shown, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class _Everything(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Visible(shown) for shown in renderables]


# Names come from files that others wrote. Once printed, a whole table or tree passes here: nothing is cut off.
out.push_render_hook(_Everything())
err.push_render_hook(_Everything())

RobotName = Annotated[str, Parameter(help="A URDF, SDF or MJCF file, or the name of a built-in robot.")]
RootOption = Annotated[
    Literal["fixed", "free"] | None,
    Parameter(help="How the root link hangs: part of the ground, or on a free joint; built-in robots know."),
]
MimicOption = Annotated[
    Literal["independent", "tie"], Parameter(help="Mimic joints: independent, or tied to the joint they follow.")
]
StrictOption = Annotated[
    bool, Parameter(negative=(), help="Refuse impossible inertias, and files that say more than is modelled.")
]
JsonOption = Annotated[bool, Parameter(negative=(), help="Print JSON, for programs.")]
OUT = ("--out", "--save", "-o")  # what every command calls the file or folder that it writes


def loaded(robot: str, root: Any = None, mimic: Any = "independent", strict: bool = False) -> Robot:
    """The robot; what loading warns of is left to the commands, which print the robot's notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load(robot, root, mimic, strict)


def print_notes(robot: Robot, most: int = 8) -> None:
    """The robot's notes: what loading found odd."""
    for note in robot.notes[:most]:
        out.print(Text("! ", style="yellow") + Text(note), soft_wrap=True)
    if len(robot.notes) > most:
        out.print(f"  ... and {counted(len(robot.notes) - most, 'more note')}", style="yellow")


def print_json(x: dict[str, Any]) -> None:
    """A command's result for programs; numbers that JSON has no word for, infinite or NaN, are null."""
    out.print(Text(json.dumps(_plain(x), indent=2, ensure_ascii=False)), soft_wrap=True)


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {str(name): _plain(value) for name, value in x.items()}
    if isinstance(x, list | tuple | np.ndarray):
        return [_plain(value) for value in x]
    if isinstance(x, np.generic):
        x = x.item()
    return None if isinstance(x, float) and not math.isfinite(x) else x


def counted(count: int, noun: str) -> str:
    """ "1 link", "3 links"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def forgive_encodings() -> None:
    """Where the output cannot show φ or ✓, show a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")


@contextlib.contextmanager
def plain_warnings() -> Iterator[None]:
    """Warnings as one yellow line each."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        err.print("warning:", str(message), style="yellow", markup=False, soft_wrap=True)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
