"""Makes docs/stills/NAME.webp, a look at the robot of each example, for the cards of the gallery.

Run it with `.venv/bin/python docs/make_stills.py [NAME ...]`; without names all are made. Needs Pillow,
and what the examples need.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "stills"
sys.path += [str(HERE), str(HERE.parent / "examples")]

from rendering import still  # noqa: E402

import soadyn as sd  # noqa: E402
from soadyn.view.options import checked_options  # noqa: E402

SIZE = (560, 420)
BENT = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)  # the free-flyer's arm
UR5 = (0.4, -1.1, 1.4, -0.9, -1.2, 0.3)
PANDA = (0.2, 0.3, -0.1, -1.7, 0.1, 2.0, 0.8)
Shown = tuple[list[Any], dict[str, Any]]


def ex(name: str) -> Any:
    """An example as a module."""
    return import_module(name)


def posed(robot: Any, *configurations: Any, **options: Any) -> Shown:
    """One robot in one or more configurations, one over the other."""
    return [robot.at(q) for q in configurations], {"spacing": 0.0, **options}


def arm(name: str, q: Any, **options: Any) -> Shown:
    return posed(sd.load(name), q, **options)


def flyer(name: str = "free_flyer", joints: Any = BENT, **options: Any) -> Shown:
    robot = sd.load(name)
    q = robot.neutral()
    q[7 : 7 + len(joints)] = joints
    return posed(robot, q, **options)


def beside(*shown: Shown, **options: Any) -> Shown:
    return [thing for things, _ in shown for thing in things], options


def swung(robot: Any, ends: Any, count: int, **options: Any) -> Shown:
    """A robot on its way between two configurations."""
    start, end = np.asarray(ends, dtype=float)
    return posed(robot, *(start + share * (end - start) for share in np.linspace(0, 1, count)), **options)


def snake() -> Shown:
    robot = sd.load("snake")
    q = robot.neutral()
    q[7:] = 0.75 * np.sin(np.arange(len(q) - 7) * 0.9 + 0.4)
    return posed(robot, q, look_from=(0.4, -0.2, 1.0))


def two_hands() -> Shown:
    robot = sd.load("dual_arm_flyer")
    return posed(robot, ex("two_hands").start(robot), frames=["left_tool", "right_tool"])


def caught() -> Shown:
    example = ex("caught_target")
    both = example.chaser().attach(example.target(), "ground", name_prefix="target_")
    return posed(both, example.start(both, 9.0)[0], frames=["tool", "target_handle"])


def shears() -> Shown:
    robot = ex("shears").arm_with_shears()
    q = robot.neutral()
    q[:6], q[6:] = UR5, 0.6
    return posed(robot, q, passive=[robot.joint_names[-1]])


def falling() -> Shown:
    robot = ex("stops").arm()
    fall = sd.simulate(robot, [0.0, 0.0, 0.0], duration=0.9, step=0.001)
    return posed(robot, *fall.q[:: len(fall.q) // 6])


def balanced(q: Any) -> Callable[[], Shown]:
    return lambda: posed(ex("acrobot").acrobot(), *np.atleast_2d(q), look_from=(0.4, -1.0, 0.1))


def closed(robot: sd.Robot) -> Shown:
    return posed(robot, robot.closed(robot.neutral()))


UP = np.array([np.pi, 0.0])
STILLS: dict[str, Callable[[], Shown]] = {
    "free_flyers": lambda: beside(flyer("dual_arm_flyer", BENT), flyer()),
    "snake": snake,
    "flexible_joint": lambda: swung(ex("flexible_joint").arm(2, True), [[0.0] * 4, [0.5, 0.03, 0.5, 0.03]], 3),
    "flexible_link": lambda: posed(ex("flexible_link").beam(8)[0], [0.6] + [0.11] * 8, [0.3] + [0.02] * 8),
    "fuel_slosh": lambda: posed(ex("fuel_slosh").spacecraft(), [1, 0, 0, 0, 0, 0, 0, 0.5, 0.2], masses=True),
    "shears": shears,
    "optimal_path": lambda: arm("panda", PANDA, frames=["panda_hand_tcp"]),
    "caught_target": caught,
    "failed_joint": lambda: arm("panda", PANDA, passive=["panda_joint5"]),
    "acrobot": balanced([[0.2, 0.3], [0.7, 0.9], [1.5, 1.5], [2.5, 1.1], UP]),
    "pendubot": lambda: posed(ex("pendubot").pendubot(), [1.4, 0.9], [2.3, 0.6], UP, look_from=(0.4, -1.0, 0.1)),
    "cart_pole": lambda: swung(ex("cart_pole").cart_pole(), [[-1.0, 2.2], [0.6, np.pi]], 4, look_from=(0.3, -1.0, 0.2)),
    "acrobot_lqr": balanced(np.add(UP, [[0.0, 0.0], [0.12, -0.25], [-0.12, 0.25]])),
    "acrobot_ilqr": balanced([[0.0, 0.0], [-0.6, 1.1], [1.0, -1.6], [2.0, -1.5], UP]),
    "payload_by_gradient": lambda: posed(sd.load("ur5").with_payload("tool0", mass=3.0), UR5, masses=True),
    "touched_arm": lambda: arm("panda", PANDA),
    "recorded_arm": lambda: swung(sd.load("ur5"), [UR5, (1.3, -0.7, 1.0, -0.5, -1.2, 0.3)], 4),
    "diagonalized": lambda: swung(sd.load("planar_two_link"), [[0.2, 0.4], [2.2, 1.4]], 5),
    "factors": lambda: flyer("dual_arm_flyer", BENT),
    "elimination": lambda: arm("puma560", (0.5, -0.6, 0.4, 0.0, 0.6, 0.0)),
    "sensitivities": lambda: arm("ur5", UR5, masses=True),
    "randomized_arms": lambda: beside(*(arm("ur5", np.array(UR5) + d) for d in (-0.25, 0.0, 0.25)), spacing=0.9),
    "stops": falling,
    "pushed_arm": lambda: arm("ur5", UR5, frames=["tool0"]),
    "two_hands": two_hands,
    "standing_talos": lambda: (lambda robot: posed(robot, ex("standing_talos").standing(robot)))(
        ex("standing_talos").talos()
    ),
    "robust_arm": lambda: posed(sd.load("ur5"), *(UR5 + np.outer((-1, 0, 1), (0, 0.12, -0.12, 0, 0, 0)))),
    "reachable_targets": lambda: posed(*ex("reachable_targets").flyer(), frames=["tool"]),
    "learning_set": lambda: swung(sd.load("planar_two_link"), [[-0.9, 0.2], [0.8, -1.8]], 7),
    "four_bar": lambda: closed(ex("four_bar").linkage()),
    "delta_robot": lambda: closed(ex("delta_robot").delta()),
    "stewart_platform": lambda: closed(ex("stewart_platform").stewart()),
    "gripper": lambda: closed(ex("gripper").gripper()),
}


def make(name: str) -> Path:
    """The still of an example."""
    things, options = STILLS[name]()
    path = FOLDER / f"{name}.webp"
    still([("", thing) for thing in things], *SIZE, checked_options(options)).save(path, quality=82, method=6)
    return path


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or STILLS:
        print(make(name), flush=True)
