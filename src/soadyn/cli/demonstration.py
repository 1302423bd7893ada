"""`soadyn demo`: is everything in order, and what does it look like when a free-flyer reaches in reaction mode?"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter
from rich.text import Text

from soadyn import view
from soadyn.cli.checking import report
from soadyn.cli.terminal import OUT, err, loaded, out, plain_table
from soadyn.control import BaseControl, Execution, Plan, execute, plan_reach
from soadyn.errors import ArgumentError
from soadyn.progress import shown_progress
from soadyn.robot import Robot
from soadyn.view.display.tables import number

ROBOT, FRAME = "free_flyer", "tool"
ARM = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)  # bent, so that the tool can go in every direction
AWAY = (0.3, 0.4, -0.2)  # from the start to the target, m
DURATION, PLANNED, STEP = 15.0, 0.15, 0.05  # s: of the reach, between a plan's nodes, of the simulation
THRUSTERS = BaseControl(angle=float(np.radians(1.0)), angular_stiffness=200.0, lead=3.0, moment_limit=5.0)

REACTION, NAIVE, DRIVEN = "reaction mode", "naive", "naive, with thrusters"
SHORT = {REACTION: "reaction", NAIVE: "naive", DRIVEN: "thrusters"}  # on the page


def run_demo(
    *,
    folder: Annotated[Path, Parameter(name=OUT, help="Where page and states go.")] = Path("soadyn-demo"),
) -> int:
    """Check a free-flyer, and let it reach without turning its base."""
    began = time.monotonic()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
    flyer = loaded(ROBOT)
    out.print(f"1. {ROBOT}: everything computed in two ways", style="bold")
    code = report(flyer, ROBOT, states=20, seed=0, brief=True)
    out.print("\n2. Reaching a pose while the base floats", style="bold")
    runs = reach_runs(flyer)
    _tell(runs)
    page = _write(runs, folder)
    out.print(f"\ndone in {time.monotonic() - began:.0f} s", style="dim")
    if page is not None:
        out.print(Text(f"open {page.resolve()} in a browser and press play", style="bold green"), soft_wrap=True)
    return code


def reach_runs(flyer: Robot) -> dict[str, Execution]:
    """The same target reached in reaction mode, by a plan that takes the base for fixed, and with thrusters."""
    q = flyer.neutral()
    q[7 : 7 + len(ARM)] = ARM
    target = flyer.pose(q, FRAME)
    target[:3, 3] += AWAY
    with err.status("planning"):
        held = plan_reach(flyer, q, FRAME, target, DURATION, hold="attitude", step=PLANNED)
        naive = plan_reach(flyer, q, FRAME, target, DURATION, step=PLANNED, reactions=False)
    return {
        REACTION: _executed(REACTION, held),
        NAIVE: _executed(NAIVE, naive),
        DRIVEN: _executed(DRIVEN, naive, THRUSTERS),
    }


def _executed(label: str, plan: Plan, thrusters: BaseControl | None = None) -> Execution:
    with shown_progress(True, f"simulating: {label}") as tell:
        return execute(plan, base_control=thrusters, step=STEP, progress=tell)


def _tell(runs: dict[str, Execution]) -> None:
    """What each of them did, in numbers."""
    first = runs[REACTION]
    out.print(
        Text(
            f"The tool goes {first.position_error[0]:.2f} m in {first.plan.duration:g} s, simulated under joint forces "
            f"in steps of {STEP} s. In reaction mode seven joints and three wheels meet nine demands, the tool's pose "
            "and the base's attitude; the naive plan takes the base for fixed."
        ),
        soft_wrap=True,
    )
    table = plain_table("", *runs, right=True)
    figures: tuple[tuple[str, Callable[[Execution], float]], ...] = (
        ("base turned, at most (deg)", lambda run: float(np.degrees(run.base_turn.max()))),
        ("base moved, at most (mm)", lambda run: 1e3 * float(run.base_shift.max())),
        ("tool off its target at the end (mm)", lambda run: 1e3 * float(run.position_error[-1])),
        ("tool turned from it at the end (deg)", lambda run: float(np.degrees(run.angle_error[-1]))),
        ("impulse of moments on the base (N m s)", lambda run: run.base_impulse[0]),
        ("angular momentum lost, relative", lambda run: run.momentum_drift[0]),
        ("linear momentum lost, relative", lambda run: run.momentum_drift[1]),
    )
    for name, figure in figures:
        table.add_row(name, *(number(figure(run)) for run in runs.values()))
    out.print(table)


def _write(runs: dict[str, Execution], folder: Path) -> Path | None:
    """States and page, which needs viser; the page's path."""
    for label, run in runs.items():
        name = label.replace(", ", "-").replace(" ", "-")
        out.print(Text(f"states   {run.trajectory.save(folder / f'{name}.npz')}"), soft_wrap=True)
    try:
        with err.status("making the page"):
            page = reach_page(folder / "reach.html", runs)
    except ArgumentError as error:
        out.print(Text(f"no page: {error}", style="yellow"), soft_wrap=True)
        return None
    out.print(Text(f"page     {page}"), soft_wrap=True)
    return page


def reach_page(path: Path, runs: dict[str, Execution]) -> Path:
    """All runs side by side under a dark sky, with the tool's trail and charts that follow the time bar."""
    shown = [(SHORT[label], run.trajectory) for label, run in runs.items()]
    target = next(iter(runs.values())).plan.target
    curves: tuple[tuple[str, Callable[[Execution], np.ndarray]], ...] = (
        ("base turned (deg)", lambda run: np.degrees(run.base_turn)),
        ("tool to target (mm)", lambda run: 1e3 * run.position_error),
        ("fastest wheel (rad/s)", lambda run: np.abs(run.trajectory.v[:, -3:]).max(axis=-1)),
    )
    charts = [
        view.Chart(title, [(SHORT[label], run.trajectory.t, value(run)) for label, run in runs.items()])
        for title, value in curves
    ]
    return view.save_page(
        path,
        shown,
        fps=20,
        charts=charts,
        title="A satellite's arm reaches for a target, three ways",
        frames={FRAME: FRAME, "target": ("ground", target)},
        trails=[FRAME],
        passive=["root"],
        sky="dark",
        look_from=(1.0, -0.25, 0.45),
    )
