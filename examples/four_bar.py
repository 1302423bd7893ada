"""A four-bar linkage: closed, driven, and let go for 10^5 steps.

Three rods and the ground make a loop. The spanning tree has three hinges; the fourth is a closure, a hinge between the
coupler and the rocker, of which three of five rows follow from others since the linkage is plane. The crank turns once
a second under a feedback while the others follow; then nothing drives it, and its energy and its closure are watched.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, draw_sticks, label, panels, run, save
from soadyn.model.shapes import rod

CRANK, COUPLER, ROCKER, BASE = 0.3, 0.9, 0.7, 0.8  # m
STEP = 0.001
START = (0.5, 0.3, 1.3)  # near here it is closed


def linkage() -> sd.Robot:
    """In the vertical plane: hinges along y."""
    b = sd.Builder("four-bar")
    y = {"axis": (0, 1, 0)}
    crank = b.link("crank", rod((0, 0, 0), (CRANK, 0, 0), mass=0.3), **y)
    coupler = b.link("coupler", rod((0, 0, 0), (COUPLER, 0, 0), mass=0.9), crank, origin=(CRANK, 0, 0), **y)
    rocker = b.link("rocker", rod((0, 0, 0), (ROCKER, 0, 0), mass=0.7), origin=(BASE, 0, 0), **y)
    b.loop("pin", coupler, rocker, "hinge", (COUPLER, 0, 0), (ROCKER, 0, 0), axis=(0, 1, 0), other_axis=(0, 1, 0))
    return b.robot()


def corners(robot: sd.Robot, q: np.ndarray) -> np.ndarray:
    """The four hinges, in the order of the loop, (..., 4, 3)."""
    crank, coupler, rocker = np.moveaxis(robot.poses(q)[..., :3, 3], -2, 0)
    pin = robot.pose(q, ("coupler", _moved(COUPLER)))[..., :3, 3]
    return np.stack([crank, coupler, pin, rocker], axis=-2)


def _moved(x: float) -> np.ndarray:
    T = np.eye(4)
    T[0, 3] = x
    return T


def main(out: Path, steps: int = 100_000) -> dict[str, float]:
    """One turn under a motor at the crank, then `steps` without a motor."""
    robot = linkage()
    q = robot.closed(np.negative(START))  # hinges along y turn x downwards
    motor = robot.joint_dofs("crank_joint")[0]
    v = robot.consistent(q, np.zeros(3))
    swing = sd.simulate(robot, q, v, control=lambda t, q, v: _turning(v, motor), duration=1.5, step=STEP,
                        record_every=0.05)  # fmt: skip
    free = sd.simulate(robot, q, robot.consistent(q, [2.0, 0.0, 0.0]), duration=STEP * steps, step=STEP,
                       record_every=max(STEP, STEP * steps / 1000))  # fmt: skip

    figure, (left, middle, right) = panels(3.4, 3.4, 3.6)
    draw_sticks(left, corners(robot, swing.q)[::3], (0, 2))
    label(left, "under a motor at the crank", "x (m)", "z (m)")
    for i, colour in enumerate((BLUE, ORANGE, GREEN)):
        middle.plot(swing.t, swing.v[:, i], color=colour, label=robot.joint_names[i].removesuffix("_joint"))
    label(middle, "rates of the joints", y="rad/s")
    largest = free.kinetic.max()
    right.semilogy(
        free.t[1:], np.abs(free.energy_drift[1:]) / largest + 1e-17, color=RED, label="energy drift, relative"
    )
    opened = np.abs(free.closure_error[1:]).max(axis=-1)
    right.semilogy(free.t[1:], opened + 1e-17, color=BLUE, label="closure error (m)")
    label(right, f"{steps} free steps of 1 ms")
    save(figure, out, "four_bar")
    return {
        "mobility": robot.mobility,
        "rows of the hinge that follow from others": len(robot.closures[0].superfluous),
        "rate of the crank at the end (rad/s)": float(swing.v[-1, motor]),
        "closure error, free (m)": float(opened.max()),
        "energy drift, free, relative to the largest kinetic energy": free.relative_energy_drift,
    }


def _turning(v: np.ndarray, motor: int) -> np.ndarray:
    """A motor that brings the crank to a turn a second."""
    tau = np.zeros(3)
    tau[motor] = 20.0 * (2 * np.pi - v[motor])
    return tau


if __name__ == "__main__":
    run(main, "steps")
