"""`soadyn demo`: is everything in order, and what does it look like?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from soadyn.cli.checking import report
from soadyn.cli.motion import finish, with_progress
from soadyn.cli.terminal import loaded, out
from soadyn.errors import ArgumentError

ROBOT = "ur5"
RELEASED_AT = (0.0, 1.5, 0.9, -0.6, -0.7, 0.0)  # hanging, bent aside


def run_demo(
    *,
    folder: Annotated[Path, Parameter(name=["--out", "-o"], help="Where to write the picture and the states.")] = Path(
        "soadyn-demo"
    ),
) -> int:
    """Check the built-in UR5, then let it swing: a few seconds that show whether soadyn works here."""
    began = time.monotonic()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
    arm = loaded(ROBOT)
    out.print(f"1. {ROBOT}: everything computed in two ways", style="bold")
    code = report(arm, ROBOT, states=20, seed=0)
    out.print(f"\n2. {ROBOT} let go: no joint forces, nothing but gravity", style="bold")
    trajectory = with_progress(arm, RELEASED_AT, None, None, 2.0, step=0.005)
    finish(trajectory, folder / "ur5-swings.npz", folder / "ur5-swings.png")
    out.print(
        Text("The energy of an arm that swings freely does not change; the drift is what the stepper makes of it."),
        soft_wrap=True,
    )
    out.print(f"\ndone in {time.monotonic() - began:.0f} s", style="dim")
    return code
