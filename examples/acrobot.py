"""Acrobot: two links in a vertical plane, the shoulder passive, the elbow active. Swung up, then balanced.

The figures are Spong's (M. W. Spong, The swing up control problem for the Acrobot, IEEE Control Systems Magazine 15(1),
1995), which are those of uniform rods: 1 m and 2 m long, 1 kg each. As there, the elbow's acceleration is the input
and follows the arctangent of the shoulder's speed, which pumps energy in; here it does so less and less as the energy
of the upright rest comes near. A linear-quadratic regulator takes over close to it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import balancing
import soadyn as sd
from pictures import points, run, save
from soadyn.model.shapes import rod

UPRIGHT = np.array([np.pi, 0.0])


def acrobot() -> sd.Robot:
    """Hanging straight down at q = 0."""
    b = sd.Builder("acrobot")
    b.link("upper", rod((0, 0, 0), (0, 0, -1), 1.0), axis=(0, -1, 0), joint_name="shoulder")
    b.link("lower", rod((0, 0, 0), (0, 0, -2), 1.0), "upper", axis=(0, -1, 0), origin=(0, 0, -1), joint_name="elbow")
    b.frame("tip", "lower", (0, 0, -2))
    return sd.build(b)


def main(out: Path, duration: float = 14.0) -> dict[str, float]:
    """From near the bottom to the top."""
    robot = acrobot()
    keep = balancing.balance(robot, "shoulder", UPRIGHT, np.diag([10.0, 10.0, 1.0, 1.0]), 1.0)
    top = balancing.energy(robot, UPRIGHT, np.zeros(2))

    def swing(t: float, q: np.ndarray, v: np.ndarray) -> float:
        missing = np.clip((top - balancing.energy(robot, q, v)) / 5.0, -1, 1)
        goal = 1.3 * 2 / np.pi * np.arctan(3 * v[0]) * missing
        return float(200 * (goal - q[1]) - 20 * v[1])

    trajectory, caught = balancing.swing_up_and_balance(
        robot, "shoulder", swing, keep, 60.0, np.array([0.5, 0.0]), duration=duration, step=0.005
    )
    shapes = points(robot, trajectory.q, "tip")
    figure = balancing.picture(trajectory, robot, shapes, ("shoulder (passive)", "elbow"), caught, "N m")
    save(figure, out, "acrobot")
    return balancing.figures(trajectory, robot, "shoulder", keep, caught)


if __name__ == "__main__":
    run(main)
