"""Which targets does a free-flyer's tool reach, and how far does its base turn? `sd.run_study` over a plane of targets.

Wheels are locked and nothing drives the base: the arm moves the tool straight towards each target by the generalized
Jacobian, momentum stays zero. `python examples/reachable_targets.py [FOLDER] [--side N]`: N x N targets, a million with
--side 1000; the study is in FOLDER/studies.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd
from free_flyers import ARM, WHEELS, started
from pictures import label, panels, run, save
from soadyn.studies import Function, Grid

STEPS, STRIDE, DAMPING = 60, 0.08, 0.02  # a stride in m; of the least squares
REACHED = 0.01  # m
WIDE = 2.5  # half the plane's side, m


@cache
def flyer() -> tuple[sd.Robot, np.ndarray]:
    """The free-flyer without its wheels, and where it starts; each process makes it once."""
    whole = sd.load("free_flyer")
    q = started(whole, ARM)
    return whole.lock(list(WHEELS), q), q[: 7 + len(ARM)]


def reached(targets: dict[str, np.ndarray]) -> dict[str, Any]:
    """How far from its target the tool ends, in m, and how far the base has turned, in degrees, for many targets."""
    robot, start = flyer()
    q = np.tile(start, (len(targets["x"]), 1))
    goal = np.stack([targets["x"], np.full_like(targets["x"], robot.pose(start, "tool")[1, 3]), targets["z"]], axis=-1)
    for _ in range(STEPS):
        missing = goal - robot.pose(q, "tool")[:, :3, 3]
        far = np.linalg.norm(missing, axis=-1, keepdims=True)
        stride = missing * np.minimum(1.0, STRIDE / np.maximum(far, 1e-12))
        J = robot.generalized_jacobian(q, "tool", passive=["root"])[:, 3:]
        damped = J @ J.mT + DAMPING**2 * np.eye(3)
        joints = (J.mT @ np.linalg.solve(damped, stride[..., None]))[..., 0]
        base = (robot.disturbance_jacobian(q, passive=["root"]) @ joints[..., None])[..., 0]
        v = np.concatenate([base, joints], axis=-1)
        before, q = q, robot.integrate(q, v)
    left = np.linalg.norm(goal - robot.pose(q, "tool")[:, :3, 3], axis=-1)
    turn = 2 * np.arccos(np.clip(np.abs(q[:, :4] @ start[:4]), 0.0, 1.0))
    momentum = np.abs(robot.momentum(before, v, about="com")).max(axis=-1)
    return {"left": left, "turn": np.degrees(turn), "momentum": momentum}


def main(out: Path, side: int = 40) -> dict[str, float]:
    """The study, and its map."""
    robot, start = flyer()
    middle = robot.center_of_mass(start)
    places = {axis: middle[k] + np.linspace(-WIDE, WIDE, side) for axis, k in (("x", 0), ("z", 2))}
    study = sd.run_study(Function(reached, batched=True), Grid(places), out / "studies" / f"reachable_targets_{side}")
    found = {name: x.reshape(side, side) for name, x in study.results.values.items()}
    there = found["left"] < REACHED

    figure, (first, second) = panels(4.6, 4.6)
    for ax, x, words in (
        (first, found["left"], "distance left (m)"),
        (second, np.where(there, found["turn"], np.nan), "turn of the base (degrees)"),
    ):
        drawn = ax.pcolormesh(places["x"], places["z"], x.T, shading="nearest", rasterized=True)
        figure.colorbar(drawn, ax=ax, label=words)
        ax.set_aspect("equal")
        ax.plot(*robot.pose(start, "tool")[[0, 2], 3], "w+")
    label(first, f"{side * side:,} targets in a plane, + the tool's start", x="x (m)", y="z (m)")
    label(second, "targets that are reached", x="x (m)", y="z (m)")
    save(figure, out, "reachable_targets")
    return {
        "targets": float(side * side),
        "share that is reached": float(there.mean()),
        "largest turn of the base there (degrees)": float(found["turn"][there].max()),
        "largest momentum of a step (SI)": float(study.results.summary["momentum"].largest or 0.0),
        "rows that failed": float(len(study.results.failures)),
    }


if __name__ == "__main__":
    run(main, "side")
