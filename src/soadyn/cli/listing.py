"""`soadyn robots`: the built-in robots."""

from __future__ import annotations

from rich.text import Text

from soadyn.cli.terminal import out, plain_table
from soadyn.robot.sources import robots


def list_robots() -> int:
    """List the built-in robots and where their figures come from."""
    table = plain_table("name", "root", "what it is", "source", style="cyan")
    for robot in robots().values():
        table.add_row(robot.name, robot.root, Text(robot.description), Text(robot.source, style="dim"))
    out.print(table)
    return 0
