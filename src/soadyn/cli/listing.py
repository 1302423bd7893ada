"""`soadyn robots`: the built-in robots."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from soadyn.cli.terminal import out
from soadyn.robot.sources import robots


def list_robots() -> int:
    """List the built-in robots and where their figures come from."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("name", style="cyan", no_wrap=True)
    table.add_column("root")
    table.add_column("what it is")
    table.add_column("source", style="dim")
    for robot in robots().values():
        table.add_row(robot.name, robot.root, Text(robot.description), Text(robot.source))
    out.print(table)
    return 0
