"""The robots whose derivatives are measured."""

from __future__ import annotations

from pathlib import Path

from corpus_files import corpus
from measures import TALOS, UR5, Case
from peer_robots import PinocchioRobot, loaded, pinocchio

import soadyn as sd

PANDA = "panda/panda"
# Chains are made in code: there is no file that CasADi's side could read.
ROBOTS = ("ur5", "panda", "talos", "chain30", "chain100")
BUILT_IN = ("ur5", "panda")


def case_of(name: str) -> Case:
    """A robot and Pinocchio's model of it; without example-robot-data, a robot of our own and no model."""
    paths = corpus()
    if name.startswith("chain"):
        robot = sd.chain(int(name.removeprefix("chain")))
        return Case(f"chain of {robot.nv}", Path(), False, robot, PinocchioRobot.from_robot(robot))
    if not paths:
        return Case(name, Path(), False, sd.load(name), None)
    match name:
        case "panda":
            return _panda(paths[PANDA])
        case "talos":
            path, free, shown = paths[TALOS], True, "Talos"
        case _:
            path, free, shown = paths[UR5], False, "UR5"
    robot = loaded(path, "free" if free else "fixed")
    return Case(shown, path, free, robot, PinocchioRobot.from_urdf(robot, path, free))


def _panda(path: Path) -> Case:
    """The arm, its fingers locked where they are closed."""
    whole = loaded(path)
    fingers = tuple(joint for joint in whole.joint_names if "finger" in joint)
    robot = whole.lock(fingers, whole.neutral())
    if pinocchio is None:
        return Case("Panda", path, False, robot, None, fingers)
    model = pinocchio.buildModelFromUrdf(str(path))
    numbers = [model.getJointId(joint) for joint in fingers]
    reduced = pinocchio.buildReducedModel(model, numbers, pinocchio.neutral(model))
    return Case("Panda", path, False, robot, PinocchioRobot(robot, reduced), fingers)


def cases(names: tuple[str, ...]) -> tuple[dict[str, Case], list[str]]:
    """The robots that are there, by name, and why others are not."""
    there = [name for name in names if corpus() or name.startswith("chain") or name in BUILT_IN]
    missing = [f"{name}: example-robot-data is not installed" for name in names if name not in there]
    return {name: case_of(name) for name in there}, missing
