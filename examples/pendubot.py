"""Pendubot: two links in a vertical plane, the shoulder active, the elbow passive. Swung up, then balanced.

M. W. Spong and D. J. Block (The Pendubot, CDC 1995) swing it up by partial feedback linearization: the shoulder's
acceleration is the input. It turns the first link upright, then rocks it so that the second link gains the energy of
standing upright itself; a linear-quadratic regulator catches it. Own round figures: uniform rods.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import balancing
import soadyn as sd
from pictures import points, run, save
from soadyn.model.shapes import rod

UPPER, LOWER = 0.3, 0.5  # m; 0.5 kg and 0.2 kg
UPRIGHT = np.array([np.pi, 0.0])


def pendubot() -> sd.Robot:
    """Hanging straight down at q = 0."""
    b = sd.Builder("pendubot")
    b.link("upper", rod((0, 0, 0), (0, 0, -UPPER), 0.5), axis=(0, -1, 0), joint_name="shoulder")
    lower = rod((0, 0, 0), (0, 0, -LOWER), 0.2)
    b.link("lower", lower, "upper", axis=(0, -1, 0), origin=(0, 0, -UPPER), joint_name="elbow")
    b.frame("tip", "lower", (0, 0, -LOWER))
    return sd.build(b)


def main(out: Path, duration: float = 10.0) -> dict[str, float]:
    """From the bottom to the top."""
    robot = pendubot()
    keep = balancing.balance(robot, "elbow", UPRIGHT, np.diag([10.0, 10.0, 1.0, 1.0]), 0.5)

    def swing(t: float, q: np.ndarray, v: np.ndarray) -> float:
        # The second link as a pendulum by itself, its angle from hanging down and its speed.
        angle, speed = q[0] + q[1], v[0] + v[1]
        missing = 1 + np.cos(angle) - speed**2 * LOWER / (3 * 9.81)
        pump = np.clip(10.0 * missing * np.cos(angle) * speed, -40, 40)
        return float(40.0 * (np.pi - q[0]) - 9.0 * v[0] + pump)

    trajectory, caught = balancing.swing_up_and_balance(
        robot, "elbow", swing, keep, 8.0, np.array([0.0, 0.0]), duration=duration, step=0.005
    )
    shapes = points(robot, trajectory.q, "tip")
    figure = balancing.picture(trajectory, robot, shapes, ("shoulder", "elbow (passive)"), caught, "N m")
    save(figure, out, "pendubot")
    return balancing.figures(trajectory, robot, "elbow", keep, caught)


if __name__ == "__main__":
    run(main)
