"""Abused arguments of simulation, laws, control, viewing and conversions, and damaged trajectory files.

A trial calls a public function with one argument replaced by something strange; the answer is a result or an error of
soadyn's.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd
from soadyn import control
from soadyn.errors import SoadynError
from soadyn.interop import Drake

Call = tuple[Callable[..., Any], dict[str, Any]]

STRANGE: tuple[Any, ...] = (
    *(1j, "x", "tool", "root", "", b"a", None, True, object(), Ellipsis, slice(3), lambda *given: None),
    *(np.nan, np.inf, -np.inf, -1, 0, 0.0, 1e-320, 1e300, -1e300, 10**30, 10**400, Fraction(1, 3), np.longdouble(1)),
    *((), (1,), [], {}, set(), {"a": 1}, ["root"], [("root", 9)], [("joint2", 0)], [[1], [1, 2]], range(3)),
    *(np.array("x"), np.array([]), np.zeros(2), np.zeros((3, 2)), np.zeros(6), np.zeros(16), np.zeros(17)),
    *(np.full(2, np.nan), np.full(17, np.inf), np.ones(2, dtype=complex), np.ones(17, dtype=bool)),
    *(np.eye(4), np.zeros((4, 4)), np.full((4, 4), np.nan), np.zeros((2, 6)), np.zeros(2, dtype="datetime64[s]")),
    *(np.ma.array(np.ones(2), mask=[0, 1]), np.ma.masked, np.zeros(17, dtype=object), np.ones(2, dtype=object)),
    *(np.zeros((0, 2)), np.zeros(2, dtype=np.float16), [None] * 2, ["a", "b"], np.zeros((1, 1, 1, 1, 2))),
)


@cache
def flyer() -> tuple[sd.Robot, np.ndarray, np.ndarray]:
    """A free-flyer, a bent configuration, and a target nearby."""
    robot = sd.load("free_flyer")
    q = robot.neutral()
    q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    target = robot.pose(q, "tool")
    target[0, 3] += 0.02
    return robot, q, target


@cache
def simulations() -> list[Call]:
    arm = sd.load("planar_two_link")
    run = sd.simulate(arm, [0, 0], duration=0.1, step=0.05)
    options = {"step": 0.01, "method": "rk4", "record_every": None, "external": None, "failures": (), "sampled": False}
    state = {"robot": arm, "q0": [0, 0], "v0": [0, 0], "duration": 0.01}
    others = {"control": None, "joint_forces": True, "duration": 0.1, "progress": None}
    return [
        (sd.simulate, {**state, **options, **others}),
        (sd.simulate, {**state, "prescribed": sd.Prescribed([0, 0], ["joint1"])}),
        (sd.simulate, {**state, "prescribed": sd.Prescribed([0, 0], {0.0: ["joint1"]}), "sampled": True}),
        (sd.JointForces, {"robot": arm, "laws": (), "own": False}),
        (sd.JointForces(arm, [sd.Spring("joint1", 1.0)]), {"t": 0.0, "q": [0, 0], "v": [0, 0]}),
        (_acting(sd.Spring), {"joint": "joint1", "stiffness": 1.0, "rest": 0.0}),
        (_acting(sd.Damper), {"joint": "joint1", "damping": 1.0}),
        (
            _acting(sd.Friction),
            {"joint": "joint1", "coulomb": 1.0, "viscous": 1.0, "static": 2.0, "smoothing_speed": 0.1},
        ),
        (_acting(sd.Backlash), {"joint": "joint1", "gap": 1.0, "stiffness": 1.0, "damping": 1.0, "center": 0.0}),
        (run.row, {"row": 0}),
        (run.of, {"robot": arm}),
        (run.save, {"path": "run.npz"}),
        (sd.Trajectory.load, {"path": "run.npz"}),
    ]


def _acting(law: Callable[..., Any]) -> Callable[..., Any]:
    arm = sd.load("planar_two_link")
    return lambda **figures: sd.JointForces(arm, [law(**figures)])(0.0, [0, 0], [0, 0])


@cache
def controls() -> list[Call]:
    robot, q, target = flyer()
    demands = control.Demands(robot, "tool", hold="attitude")
    plan = control.plan_reach(robot, q, "tool", target, 2.0, step=0.2)
    run = sd.simulate(robot, q, duration=0.02, step=0.01)
    reach = {"robot": robot, "q0": q, "frame": "tool", "target": target, "duration": 0.4, "step": 0.2}
    tuned = {"bandwidth": 2.0, "regularization": 0.0, "reactions": False, "weights": None, "tolerance": (1.0, 1.0)}
    held = {"passive": ("root",), "hold": "attitude"}
    solving = {"weights": None, "row_weights": None, "regularization": 0.0, "preferred": None}
    bounds = ("angle", "distance", "angular_stiffness", "linear_stiffness", "lead", "moment_limit", "force_limit")
    rest = np.zeros(16)
    at = {"demands": demands, "q": q}
    return [
        (control.Demands, {"robot": robot, "frame": "tool", "of_frame": "pose", **held}),
        (control.plan_reach, {**reach, **tuned, **held, "hold_weight": None, "settle": 0.0, "preferred": None}),
        (control.plan_least_disturbance, {**reach, **held, "harmonics": 1, "effort_weight": 0.01, "iterations": 1}),
        (control.execute, {"plan": plan, "base_control": None, "bandwidth": 1.0, "settle": 0.0, "step": 0.5}),
        (control.BaseControl, dict.fromkeys(bounds, 1.0)),
        (sd.paths.FrameMotion, {"start": np.eye(4), "end": np.eye(4), "duration": 1.0}),
        (control.solve_demands, {"J": [[1.0, 0.0]], "demand": [1.0], **solving}),
        (control.link_momenta, {"robot": robot, "q": q, "v": np.zeros(16)}),
        (control.relative_momentum_drift, {"robot": robot, "trajectory": run}),
        (control.zero_momentum_rates, {"robot": robot, "q": q, "v_active": np.zeros(10), "passive": ("root",)}),
        (control.measure_singularity, at),
        (control.workspace_map, {"demands": demands, "q0": q, "x": [0.0], "z": [0.0]}),
        (control.ResolvedRate(robot, {"tool": target}).rates, {"t": 0.1, "q": q, "v": rest}),
        (control.pose_error, {"pose": np.eye(4), "target": np.eye(4)}),
        (plan.at, {"t": 0.1}),
    ]


@cache
def conversions() -> list[Call]:
    robot, q, _ = flyer()
    drake = Drake(robot)
    v, M, J = np.zeros(16), np.eye(16), np.zeros((6, 16))
    return [
        (Drake, {"robot": robot, "plant": None, "names": None, "model_instance": None, "joint_order": None}),
        (drake.v_to, {"q": q, "v": v}),
        (drake.force_to, {"q": q, "tau": v}),
        (drake.q_to, {"q": q}),
        (drake.q_from, {"q_peer": q}),
        (drake.a_to, {"q": q, "v": v, "a": v}),
        (drake.matrix_to, {"q": q, "M": M}),
        (drake.jacobian_to, {"q": q, "J": J}),
        (drake.wrench_to, {"wrench": np.zeros(6)}),
    ]


def abused(calls: Callable[[], list[Call]]) -> Callable[[random.Random], None]:
    def trial(rng: random.Random) -> None:
        function, given = rng.choice(calls())
        name = rng.choice(sorted(given))
        strange = rng.choice(STRANGE)
        with np.errstate(all="ignore"), sd.errstate("ignore"):
            _tried(function, {**given, name: strange})

    return trial


def _tried(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    try:
        function(**given)
    except SoadynError:
        return
    except BaseException as error:
        raise AssertionError(f"{function} with {given!r:.2000}: {type(error).__name__}") from error


@cache
def whole_file() -> bytes:
    robot, q, _ = flyer()
    with tempfile.TemporaryDirectory() as folder:
        return sd.simulate(robot, q, duration=0.02, step=0.01).save(Path(folder) / "run.npz").read_bytes()


def damaged_trajectory(rng: random.Random) -> None:
    """Bytes of a trajectory's file overwritten, doubled or cut off."""
    data = bytearray(whole_file())
    for _ in range(rng.randint(1, 8)):
        place = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[place] = rng.randrange(256)
            case 1:
                data[place : place + rng.randint(1, 50)] = rng.randbytes(rng.randint(0, 50))
            case 2:
                data[place : place + 4] = (2**32 - 1 - rng.randrange(2)).to_bytes(4, "little")
            case 3 if rng.random() < 0.2:
                del data[place:]
                break
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.npz"
        path.write_bytes(data)
        _tried(sd.Trajectory.load, {"path": path})


CASES: dict[str, Callable[[random.Random], None]] = {
    "arguments of simulation": abused(simulations),
    "arguments of control": abused(controls),
    "arguments of conversions": abused(conversions),
    "damaged trajectory files": damaged_trajectory,
}
