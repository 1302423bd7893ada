"""Robots with closures: abused arguments, and random closed robots that move.

A random tree gets cuts of every kind and couplings, closed at a configuration that is known. Its accelerations are
those of dense matrices, and the equations hold; what is done to the robot (locked, cut out, attached, saved and
simulated) gives a sound robot or an error of soadyn's.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from fuzz_motion import Call, abused

import soadyn as sd
from closed_robots import consistent, four_bar, random_closed
from soadyn.errors import SoadynError
from soadyn.theory.oracle.dense_closures import DenseClosures

SOLVABLE = 1e8  # the condition of a closed posture beyond which digits are not compared


@cache
def calls() -> list[Call]:
    bar = four_bar()
    q = bar.closed([0.3, 0.4, 1.0])
    still = np.zeros(3)
    arm = sd.load("planar_two_link")
    loop = {"name": "pin", "link": "upper", "other": None, "kind": "ball", "origin": (0, 0, 0), "axis": (0, 0, 1)}
    figures = {"free": None, "length": None, "pitch": None, "radius": None, "keep": False}
    return [
        (_drafted("loop"), {**loop, **figures, "other_origin": None, "other_axis": None}),
        (_drafted("couple"), {"name": "gear", "terms": {"upper_joint": 1.0, "lower_joint": [0.0, 2.0]}, "keep": False}),
        (arm.close, {"frames": ("tool", "ground"), "free": ("y", "z", "rx", "ry", "rz"), "name": "w", "near": [1, 1]}),
        (arm.close, {"frames": ("tool", "ground"), "kind": "distance", "length": 0.5}),
        (bar.closed, {"q": q, "hold": ["crank_joint"]}),
        (bar.consistent, {"q": q, "v": still}),
        (bar.closure_wrench, {"q": q, "lam": np.zeros(5), "closure": "pin"}),
        (bar.constrained_dynamics, {"q": q, "v": still, "tau": still, "external": None}),  # type: ignore[attr-defined]
        (bar.inverse_kinematics, {"targets": {"rocker": np.eye(4)}, "q0": q, "restarts": 1, "tolerance": 1e-8}),
        (sd.simulate, {"robot": bar, "q0": q, "v0": still, "duration": 0.01, "step": 0.005, "method": "rk4"}),
    ]


def _drafted(what: str) -> Callable[..., Any]:
    def drafted(**given: Any) -> sd.Robot:
        b = sd.Builder("fuzzed")
        b.link("upper", sd.Body(1.0, com=(0.5, 0, 0)))
        b.link("lower", sd.Body(1.0, com=(0.5, 0, 0)), "upper", origin=(1, 0, 0))
        getattr(b, what)(**given)
        return b.robot()

    return drafted


def moved(rng: random.Random) -> None:
    """A closed robot's accelerations beside dense matrices, in one of the backends, and a few steps."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    model, q = random_closed(
        numbers, rng.randint(3, 9), rng.randint(0, 3), rng.randint(0, 2), mobile=True,
        root=rng.choice(["fixed", "free"]), armature=rng.random() < 0.5,
    )  # fmt: skip
    try:
        robot = sd.Robot(replace(model, superfluous=None, homes=None), rng.choice(["numpy", "rolled", "straight"]))
    except SoadynError:
        return  # random starts led to none
    if not robot.closures:
        return
    dense = DenseClosures(robot.model, q)
    v, tau = consistent(dense.jacobian, numbers.standard_normal(robot.nv)), numbers.standard_normal(robot.nv)
    with np.errstate(all="ignore"), sd.errstate("ignore"):
        a, lam = robot.constrained_dynamics(q, v, tau)  # type: ignore[attr-defined]
        if np.isfinite(a).all():
            _check_motion(robot, q, v, tau, a, lam)
        _try(lambda: sd.simulate(robot, q, v, duration=0.02, step=0.005, stops=False, joint_forces=False))
        _try(lambda: robot.random_configuration(numbers, 2))


def _check_motion(
    robot: sd.Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray, a: np.ndarray, lam: np.ndarray
) -> None:
    dense = DenseClosures(robot.model, q, v)
    M, J = dense.dense.mass_matrix, dense.jacobian
    W = np.linalg.solve(np.linalg.cholesky(M), J.T)
    kept = [i for i in range(len(J)) if i not in (robot.model.superfluous or ())]
    condition = np.linalg.cond(M) * np.linalg.cond(W[:, kept]) ** 2 if kept else np.linalg.cond(M)
    if not condition < SOLVABLE:
        return
    size = np.abs(M) @ np.abs(a) + np.abs(J.T) @ np.abs(lam) + np.abs(tau) + 1
    left = M @ a + dense.dense.bias_force() - tau - J.T @ lam
    assert (np.abs(left) < 1e-9 * size.max()).all(), f"M a + C - T - J_c* lambda = {left}"
    opened = J @ a + dense.drift
    assert np.abs(opened).max() < 1e-13 * condition * max(1.0, np.abs(a).max()), f"closures open with {opened}"


def _try(function: Callable[[], Any]) -> None:
    try:
        found = function()
    except SoadynError:
        return
    if isinstance(found, sd.Trajectory):
        assert np.abs(found.closure_error[1:]).max() < 1e-6, "a step ended off the closures"


def cut_up(rng: random.Random) -> None:
    """Surgery on a closed robot: what is left is sound, or it is refused by name."""
    bar = four_bar(rng.choice(["hinge", "point on line", "ball"]))
    names = bar.joint_names
    ways: list[Callable[[], Any]] = [
        lambda: bar.lock(name := rng.choice(names), {name: rng.uniform(-3, 3)}),
        lambda: bar.subtree(rng.choice(bar.link_names)),
        lambda: bar.attach(sd.load("planar_two_link"), rng.choice(bar.link_names), name_prefix="arm_"),
        lambda: bar.close((rng.choice(bar.link_names), rng.choice(bar.link_names)), rng.choice(["ball", "weld"])),
        lambda: sd.load("planar_two_link").attach(bar, "tool", name_prefix="bar_"),
        lambda: bar.with_payload(rng.choice(bar.link_names), sd.Body(1.0)),
    ]
    with sd.errstate("ignore"):
        try:
            found = rng.choice(ways)()
        except SoadynError:
            return
        assert 0 <= found.mobility <= found.nv
        assert sum(len(each.rows) for each in found.closures) == sum(each.rows for each in found.model.closures)
        q = found.random_configuration(np.random.default_rng(rng.randrange(2**32)))
        assert not found.closures or np.abs(found.closure_error(q)).max() < 1e-9


CASES = {"closures: abused arguments": abused(calls), "closures: moved": moved, "closures: surgery": cut_up}
