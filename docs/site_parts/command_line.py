"""The page of the command line: what `soadyn COMMAND --help` prints."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from soadyn.cli import app

OPENING = """# Command line

`soadyn COMMAND`, or `python -m soadyn COMMAND`. ROBOT is a URDF, SDF or MJCF file, or the name
of a built-in robot (`soadyn robots`).

```
soadyn info ur5                                  # links, joints, limits, masses
soadyn check my_robot.urdf                       # everything in two ways, differences in plain words
soadyn explain forward_dynamics ur5              # the recursion as the papers print it
soadyn explain "inv(mass) @ T" puma560           # of a formula, too
soadyn simulate ur5 --duration 2
soadyn export ur5 forward_dynamics --out ur5_fd  # C for a controller
```
"""


def write_commands(path: Path) -> None:
    """One section for each command."""
    parts = [OPENING]
    for command in sorted(name for name in app if not name.startswith("-")):
        parts.append(f"## soadyn {command}\n\n```text\n{_help(command)}\n```\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _help(command: str) -> str:
    printed = io.StringIO()
    app.help_print([command], console=Console(file=printed, width=100, no_color=True))
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines())
