"""Cart and pole: a cart that is driven along a rail, a pole that hangs from it on a passive hinge. Swung up, balanced.

The cart's acceleration is the input. It pumps the pole's energy towards that of standing still upright (K. J. Åström,
K. Furuta, Swinging up a pendulum by energy control, Automatica 36(2), 2000) while it is drawn to the middle of the
rail; close to upright a linear-quadratic regulator takes over. Own round figures.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import balancing
import soadyn as sd
from pictures import points, run, save
from soadyn.model.shapes import rod

CART, POLE, LENGTH = 1.0, 0.3, 1.0  # kg, kg, m
UPRIGHT = np.array([0.0, np.pi])


def cart_pole() -> sd.Robot:
    """The pole hangs at q = 0."""
    b = sd.Builder("cart_pole")
    b.link("cart", sd.Body(CART), joint="prismatic", axis=(1, 0, 0), joint_name="rail")
    b.link("pole", rod((0, 0, 0), (0, 0, -LENGTH), POLE), "cart", axis=(0, -1, 0), joint_name="hinge")
    b.frame("tip", "pole", (0, 0, -LENGTH))
    return sd.build(b)


def main(out: Path, duration: float = 10.0) -> dict[str, float]:
    """From near the bottom to the top."""
    robot = cart_pole()
    keep = balancing.balance(robot, "hinge", UPRIGHT, np.diag([1.0, 10.0, 1.0, 1.0]), 0.5)
    inertia, weight = POLE * LENGTH**2 / 3, POLE * 9.81 * LENGTH / 2

    def swing(t: float, q: np.ndarray, v: np.ndarray) -> float:
        # With the hinge at rest the pole's energy changes by its mass moment times -a cos(angle) speed.
        missing = weight - (0.5 * inertia * v[1] ** 2 - weight * np.cos(q[1]))
        pump = -8.0 * missing * np.cos(q[1]) * v[1]
        return float(np.clip(pump, -8, 8) - 2.0 * q[0] - 1.5 * v[0])

    trajectory, caught = balancing.swing_up_and_balance(
        robot, "hinge", swing, keep, 8.0, np.array([0.0, 0.05]), duration=duration, step=0.01
    )
    shapes = points(robot, trajectory.q, "tip")
    figure = balancing.picture(trajectory, robot, shapes, ("cart", "hinge (passive)"), caught, "N")
    save(figure, out, "cart_pole")
    told = balancing.figures(trajectory, robot, "hinge", keep, caught)
    return {**told, "farthest along the rail (m)": float(np.abs(trajectory.q[:, 0]).max())}


if __name__ == "__main__":
    run(main)
