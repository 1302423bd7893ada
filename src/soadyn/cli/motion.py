"""`soadyn simulate ROBOT`: a motion, its energy drift, a file of states and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from soadyn.cli.terminal import OUT, MimicOption, RobotName, RootOption, err, loaded, out, plain_table, print_notes
from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.simulation import SimulationError, Trajectory, simulate
from soadyn.simulation.drive.inputs import ControlLike
from soadyn.simulation.record.trajectory_file import states_file
from soadyn.simulation.simulating import AnyMethod
from soadyn.view.display.picture import picture_file
from soadyn.view.display.tables import number

INTERRUPTED = 130


def run_simulation(
    robot: RobotName,
    *,
    duration: Annotated[float, Parameter(help="Seconds.")] = 2.0,
    step: Annotated[float, Parameter(help="Longest step, seconds.")] = 0.005,
    method: Annotated[AnyMethod, Parameter(help="How steps are taken; docs/guides/methods.md compares them.")] = "auto",
    record_every: Annotated[
        float | None, Parameter(help="Seconds between recorded states; every step if omitted.")
    ] = None,
    start: Annotated[Literal["neutral", "random"], Parameter(help="The configuration at the start.")] = "random",
    speed: Annotated[
        float | None, Parameter(help="Spread of the random rates at the start; 0 with gravity, 0.3 without.")
    ] = None,
    control: Annotated[
        Literal["none", "hold"], Parameter(help="No joint forces, or those that carry the weight.")
    ] = "none",
    seed: Annotated[int, Parameter(help="Of the random start.")] = 0,
    out_file: Annotated[
        Path | None, Parameter(name=OUT, help="Where to write the states: .npz, .csv or .parquet.")
    ] = None,
    plot: Annotated[Path | None, Parameter(help="Where to draw the picture; beside the states if omitted.")] = None,
    joint_forces: Annotated[bool, Parameter(help="Let the model's springs, damping and friction act.")] = True,
    limits: Annotated[bool, Parameter(help="Let the model's position and effort limits act.")] = True,
    resume: Annotated[
        Path | None, Parameter(help="States written before (.npz): go on from their end, and keep both.")
    ] = None,
    root: RootOption = None,
    mimic: MimicOption = "independent",
) -> int:
    """Simulate a robot released from rest, or set in motion; Ctrl-C keeps what is done."""
    arm = loaded(robot, root, mimic)
    print_notes(arm)
    target = states_file(Path(f"{arm.name}.npz") if out_file is None else out_file)
    picture = picture_file(target.with_suffix(".png") if plot is None else plot)
    rng = np.random.default_rng(seed)
    q0 = arm.random_configuration(rng) if start == "random" else arm.neutral()
    spread = (0.0 if arm.gravity.any() else 0.3) if speed is None else speed
    v0 = spread * rng.standard_normal(arm.nv)
    before = None if resume is None else Trajectory.load(resume).of(arm)
    if before is not None:
        q0, v0 = before.q[-1], before.v[-1]
    try:
        trajectory = simulate(
            arm,
            q0,
            v0,
            control=_control(arm, control),
            duration=duration,
            step=step,
            method=method,
            record_every=record_every,
            joint_forces=joint_forces,
            stops=limits,
            effort_limit="robot" if limits else None,
            progress=True,
        )
    except SimulationError as error:
        if error.trajectory is not None:
            err.print(f"what was done until then is in {error.trajectory.save(target)}", style="yellow")
        raise
    whole = trajectory if before is None else before.joined(trajectory)
    finish(whole, target, picture, must_draw=plot is not None)
    return INTERRUPTED if trajectory.interrupted else 0


def finish(trajectory: Trajectory, target: Path, picture: Path, must_draw: bool = False) -> None:
    """Save, draw if possible, and say how much was lost."""
    out.print(drift_table(trajectory))
    if trajectory.interrupted:
        out.print(f"interrupted at t = {trajectory.t[-1]:.4g} s; what was done is kept", style="yellow")
    out.print(Text(f"states   {trajectory.save(target)}"), soft_wrap=True)
    try:
        out.print(Text(f"picture  {trajectory.plot(picture)}"), soft_wrap=True)
    except ArgumentError as error:
        if must_draw:
            raise
        out.print(Text(f"no picture: {error}", style="yellow"), soft_wrap=True)


def drift_table(trajectory: Trajectory) -> Table:
    """Energies at the start and at the end, and what the stepper lost."""
    title = f"{trajectory.robot_name}, {trajectory.t[-1]:.4g} s in {len(trajectory) - 1} records"
    table = plain_table(title, "start", "end", right=True)
    rows = (
        ("kinetic energy (J)", trajectory.kinetic),
        ("potential energy (J)", trajectory.potential),
        ("put in by forces (J)", trajectory.work),
        ("energy drift (J)", trajectory.energy_drift),
    )
    for name, x in rows:
        table.add_row(name, number(float(x[0])), number(float(x[-1])))
    largest = float(np.abs(trajectory.energy_drift).max())
    share = trajectory.relative_energy_drift
    table.add_row("largest energy drift (J)", "", f"{number(largest)}")
    table.add_row("   of the largest kinetic energy", "", f"{share:.1e}")
    if trajectory.momentum_drift is not None:
        lost = np.linalg.norm(trajectory.momentum_drift, axis=-1).max()
        table.add_row("largest momentum drift (SI)", "", number(float(lost)))
    for what, joints in trajectory.acted.items():
        table.add_row(Text(f"{what} limit acted" if what != "friction" else "friction held"), "", str(len(joints)))
    return table


def _control(robot: Robot, kind: str) -> ControlLike:
    quantities: Any = robot
    return (lambda t, q, v: quantities.gravity_force(q)) if kind == "hold" else None
