"""`soadyn info ROBOT`: what a robot is."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from soadyn.cli.terminal import (
    JsonOption,
    MimicOption,
    RobotName,
    RootOption,
    StrictOption,
    counted,
    loaded,
    out,
    print_json,
    print_notes,
)
from soadyn.model.model import Joint, Model
from soadyn.model.validity import impossible_inertia
from soadyn.robot import Robot
from soadyn.view.display.tables import number, numbers

UNITS = {
    "armature": ("kg m²", "kg"),
    "damping": ("N m s/rad", "N s/m"),
    "friction": ("N m", "N"),
    "stiffness": ("N m/rad", "N/m"),
}


def show_robot(
    robot: RobotName,
    *,
    root: RootOption = None,
    mimic: MimicOption = "independent",
    strict: StrictOption = False,
    json: JsonOption = False,
) -> int:
    """Show a robot's links, joints, limits, masses, frames and topology, and what is odd about it."""
    arm = loaded(robot, root, mimic, strict)
    if json:
        print_json(facts(arm))
        return 0
    out.print(Text(arm.name, style="bold cyan"), end=": ")
    out.print(f"{counted(len(arm.link_names), 'moving link')}, {counted(len(arm.joint_names), 'joint')},", end=" ")
    gravity = numbers(arm.gravity, 6)
    out.print(f"nq = {arm.nq}, nv = {arm.nv}, {number(arm.total_mass)} kg, gravity [{gravity}] m/s²\n", soft_wrap=True)
    out.print(tree(arm.model))
    out.print()
    if arm.joint_names:
        out.print(joint_table(arm))
    out.print()
    out.print(link_table(arm.model))
    if arm.closures:
        out.print()
        out.print(closure_table(arm))
        out.print(f"mobility {arm.mobility}")
    frames = [name for name in arm.frame_names if name not in arm.link_names]
    out.print(Text("\nframes: " + ", ".join(frames)), soft_wrap=True)
    if arm.notes:
        out.print("\nworth a look:", style="yellow")
        print_notes(arm, most=100)
    return 0


def facts(robot: Robot) -> dict[str, Any]:
    """What `--json` prints of a robot; places count from 0, SI units, null is no limit."""
    model = robot.model
    names = ["ground", *(link.name for link in model.links)]
    links = [
        {
            "name": link.name,
            "parent": names[parent],
            "joint": joint.name,
            "mass": link.mass,
            "com": link.com,
            "inertia": link.inertia,
            "hidden": link.hidden,
            "impossible_inertia": bool(impossible_inertia(link.inertia)),
        }
        for link, joint, parent in zip(model.links, model.joints, model.parents, strict=True)
    ]
    return {
        "name": robot.name,
        "nq": robot.nq,
        "nv": robot.nv,
        "mass": robot.total_mass,
        "gravity": robot.gravity,
        "links": links,
        "joints": [_joint_facts(robot, name) for name in model.joint_indices],
        "closures": [
            {
                "name": closure.name,
                "kind": closure.kind,
                "between": closure.between,
                "rows": len(closure.rows),
                "superfluous": len(closure.superfluous),
            }
            for closure in robot.closures
        ],
        "mobility": robot.mobility,
        "frames": [name for name in robot.frame_names if name not in robot.link_names],
        "notes": robot.notes,
    }


def _joint_facts(robot: Robot, name: str) -> dict[str, Any]:
    model = robot.model
    parts = [model.joints[k - 1] for k in model.joint_indices[name]]
    tied = [tie for tie in model.ties if model.joints[tie.joint - 1].name == name]
    figures = ("lower", "upper", "velocity", "effort", "armature", "damping", "friction", "stiffness")
    return {
        "name": name,
        "kinds": [part.kind for part in parts],
        "axes": [part.axis if part.behaviour.has_axis else None for part in parts],
        "q": [] if tied else list(robot.joint_coordinates(name)),
        "v": [] if tied else list(robot.joint_dofs(name)),
        **{figure: [x for part in parts for x in getattr(part, figure)] for figure in figures},
        "follows": [
            {"joint": model.joints[tie.leader - 1].name, "multiplier": tie.multiplier, "offset": tie.offset}
            for tie in tied
        ],
    }


def tree(model: Model) -> Tree:
    """The topology: every link under the one that carries it."""
    top = Tree(Text("ground", style="dim"))
    branches = {0: top}
    for k, (link, joint, parent) in enumerate(zip(model.links, model.joints, model.parents, strict=True), start=1):
        name = Text(link.name, style="dim" if link.hidden else "cyan")
        name.append(f"  {joint.name} ({joint.kind})", style="default")
        name.append("  hidden" if link.hidden else f"  {number(link.mass)} kg", style="dim")
        branches[k] = branches[parent].add(name)
    return top


def joint_table(robot: Robot) -> Table:
    """Each joint's kind, place and figures."""
    model = robot.model
    followers = {model.joints[tie.joint - 1].name: tie for tie in model.ties}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("joint", "kind", "v", "axis", "position limits", "speed", "effort", "joint forces"):
        table.add_column(heading, no_wrap=heading == "joint", style="cyan" if heading == "joint" else None)
    for name, indices in model.joint_indices.items():
        first = model.joints[indices[0] - 1]
        kind = first.kind if len(indices) == 1 else "+".join(model.joints[k - 1].kind for k in indices)
        if name in followers:
            tie = followers[name]
            leader = model.joints[tie.leader - 1].name
            place = f"= {number(tie.multiplier, 6)} {leader} + {number(tie.offset, 6)}"
        else:
            dofs = robot.joint_dofs(name)
            place = f"{dofs.start}" if len(dofs) == 1 else f"{dofs.start}-{dofs.stop - 1}"
        axis = numbers(first.axis) if first.behaviour.has_axis else ""
        table.add_row(Text(name), kind, Text(place), axis, *_limits(first), _forces(first))
    return table


def _limits(joint: Joint) -> tuple[str, str, str]:
    """Position limits, speed and effort, with the units of an angle or a length."""
    turns = joint.behaviour.components[:1] == ("angular",)
    units = ("rad", "rad/s", "N m") if turns else ("m", "m/s", "N")
    if len(joint.lower) == 1 and (np.isfinite(joint.lower[0]) or np.isfinite(joint.upper[0])):
        position = f"{number(joint.lower[0])} to {number(joint.upper[0])} {units[0]}"
    else:
        position = "none" if len(joint.lower) == 1 else ""
    speed, effort = (
        f"{number(values[0])} {unit}" if values and np.isfinite(values[0]) else ""
        for values, unit in ((joint.velocity, units[1]), (joint.effort, units[2]))
    )
    return position, speed, effort


def _forces(joint: Joint) -> str:
    """What the joint has of armature, damping, friction and springs, with the units of an angle or a length."""
    turns = joint.behaviour.components[:1] == ("angular",)
    said = []
    for figure, units in UNITS.items():
        values = getattr(joint, figure)
        if any(values):
            said.append(f"{figure} {number(max(values))} {units[0 if turns else 1]}")
    return ", ".join(said)


def closure_table(robot: Robot) -> Table:
    """What closes the robot's loops, a row each."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("closure", "kind", "between", "rows", "follow from others"):
        table.add_column(heading)
    for each in robot.closures:
        follow = str(len(each.superfluous)) if each.superfluous else ""
        table.add_row(*map(Text, (each.name, each.kind, ", ".join(each.between), str(len(each.rows)), follow)))
    return table


def link_table(model: Model) -> Table:
    """Each link's mass, mass centre and principal moments."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("link", "mass kg", "mass centre m", "principal moments kg m²", ""):
        table.add_column(heading, no_wrap=heading == "link", style="cyan" if heading == "link" else None)
    for k in model.visible:
        link = model.links[k - 1]
        moments = np.linalg.eigvalsh(np.array(link.inertia))
        centre = numbers(link.com)
        fault = "impossible inertia" if impossible_inertia(link.inertia) else ""
        fault = fault or ("massless" if link.mass == 0 else "")
        figures = numbers(moments)
        table.add_row(Text(link.name), number(link.mass), centre, figures, Text(fault, style="yellow"))
    return table
