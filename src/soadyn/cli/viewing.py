"""`soadyn show ROBOT`: a robot to look at, in the browser or as a page in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from cyclopts import Parameter
from rich.text import Text

from soadyn.cli.terminal import OUT, MimicOption, RobotName, RootOption, loaded, out, print_notes
from soadyn.robot import Robot
from soadyn.simulation import simulate
from soadyn.view import save_page, show
from soadyn.view.motions import Showable
from soadyn.view.options import PORT, Options
from soadyn.view.page import page_file
from soadyn.view.posture import posture


def show_view(
    robot: RobotName,
    *,
    out_file: Annotated[Path | None, Parameter(name=OUT, help="Write a page (.html) instead of serving one.")] = None,
    duration: Annotated[
        float, Parameter(help="Seconds of motion from there, without joint forces; 0 stands still.")
    ] = 0.0,
    start: Annotated[
        Literal["posture", "neutral", "random"],
        Parameter(help="The configuration; posture is neutral with joints that would stand at a limit in mid-range."),
    ] = "posture",
    seed: Annotated[int, Parameter(help="Of the random configuration.")] = 0,
    frames: Annotated[list[str] | None, Parameter(help="Frames whose axes are drawn.", consume_multiple=True)] = None,
    passive: Annotated[list[str] | None, Parameter(help="Joints drawn as passive.", consume_multiple=True)] = None,
    masses: Annotated[bool, Parameter(negative=(), help="Show masses, in links that can be seen through.")] = False,
    shapes: Annotated[bool, Parameter(help="Use the shapes of the robot's file.")] = True,
    port: Annotated[int, Parameter(help="Where to serve the view, on this machine only.")] = PORT,
    root: RootOption = None,
    mimic: MimicOption = "independent",
) -> int:
    """Show a robot in the browser until Ctrl-C, or save a page that needs no server and no network."""
    arm = loaded(robot, root, mimic)
    print_notes(arm)
    target = None if out_file is None else page_file(out_file)
    q = _start(arm, start, seed)
    thing: Showable = arm.at(q)
    if duration:
        thing = simulate(arm, q, duration=duration, step=0.005, progress=True)
    shown = [(arm.name, thing)]
    options: Options = {"frames": frames or [], "passive": passive or [], "masses": masses, "shapes": shapes}
    if target is None:
        show(shown, port=port, **options).wait()
        return 0
    page = save_page(target, shown, **options)
    out.print(Text(f"page  {page} ({page.stat().st_size / 1e6:.1f} MB)"), soft_wrap=True)
    return 0


def _start(robot: Robot, start: str, seed: int) -> np.ndarray:
    match start:
        case "random":
            return robot.random_configuration(np.random.default_rng(seed))
        case "neutral":
            return robot.neutral()
        case _:
            return posture(robot)
