"""The command line: `soadyn` or `python -m soadyn`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

from cyclopts import App, CycloptsError, Parameter

import soadyn
from soadyn.cli.checking import check_robot
from soadyn.cli.controller import write_c
from soadyn.cli.demonstration import run_demo
from soadyn.cli.doctor import run_doctor
from soadyn.cli.explanation import print_explanation
from soadyn.cli.information import show_robot
from soadyn.cli.listing import list_robots
from soadyn.cli.motion import run_simulation
from soadyn.cli.studying import app as study_app
from soadyn.cli.terminal import err, forgive_encodings, plain_warnings
from soadyn.cli.viewing import show_view
from soadyn.errors import SoadynError

app = App(
    name="soadyn", help="Robot dynamics as a spatial operator algebra.", version=soadyn.__version__, error_console=err
)
app.command(show_robot, name="info")
app.command(list_robots, name="robots")
app.command(check_robot, name="check")
app.command(print_explanation, name="explain")
app.command(write_c, name="export")
app.command(run_simulation, name="simulate")
app.command(show_view, name="show")
app.command(study_app)
app.command(run_demo, name="demo")
app.command(run_doctor, name="doctor")


@app.meta.default
def launch(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    debug: Annotated[bool, Parameter(negative=(), help="Show the traceback of an error.")] = False,
) -> int:
    """Run a command; an error becomes one line and exit code 2."""
    try:
        with plain_warnings():
            return int(app(tokens, exit_on_error=False, result_action="return_value") or 0)
    except SoadynError as error:
        if debug:
            err.print_exception()
        else:
            err.print("error:", str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        return 2
    except CycloptsError:
        return 2  # cyclopts has printed what is wrong with the command


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    >>> try:
    ...     main(["--version"])
    ... except SystemExit as ended:
    ...     print(ended.code)
    1.0.0
    0
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    forgive_encodings()
    try:
        code = app.meta(words, exit_on_error=False, result_action="return_value")
    except CycloptsError:
        code = 2
    except KeyboardInterrupt:
        err.print("stopped", style="yellow")
        code = 130
    sys.exit(int(code or 0))
