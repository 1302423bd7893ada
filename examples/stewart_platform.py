"""A Stewart platform on six legs: lengths for a pose, and a circle driven in its legs.

Each leg is two hinges and a slide, held at the platform by a ball: a tree of 24 rates and six closures of three rows,
so that six ways to move are left. Given the platform's path, `inverse_kinematics` finds the legs, whose lengths are
known in closed form; `inverse_dynamics` with the slides as motors finds their forces.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, label, panels, run, save

HEIGHT, RADIUS, PERIOD, TILT = 0.6, 0.08, 1.0, 0.15  # m, m, s, rad


def ring(radius: float, spread: float) -> np.ndarray:
    """Six points in pairs on a circle, (6, 3)."""
    angles = np.array([2 * np.pi / 3 * (i // 2) + (spread if i % 2 else -spread) for i in range(6)])
    return radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=-1)


GROUND, PLATFORM = ring(0.5, 0.9), ring(0.3, 0.15)


def stewart() -> sd.Robot:
    """Legs that end in balls at the platform."""
    b = sd.Builder("Stewart platform")
    platform = b.link("platform", sd.Body(5.0, inertia=np.diag([0.1, 0.1, 0.2])), joint="free")
    slim = np.diag([1e-2, 1e-2, 1e-3])
    for i in range(6):
        cross = b.link(f"cross_{i}", sd.Body(0.2, inertia=slim), origin=tuple(GROUND[i]), axis=(1, 0, 0))
        case = b.link(f"case_{i}", sd.Body(0.5, com=(0, 0, 0.1), inertia=slim), cross, axis=(0, 1, 0))
        leg = b.link(f"leg_{i}", sd.Body(0.4, com=(0, 0, -0.1), inertia=slim), case, joint="prismatic", axis=(0, 0, 1))
        b.loop(f"ball_{i}", leg, platform, "ball", other_origin=tuple(PLATFORM[i]))
    return b.robot()


def main(out: Path, points: int = 101) -> dict[str, float]:
    """A circle while the platform leans towards its middle."""
    robot = stewart()
    turn = 2 * np.pi * np.linspace(0.0, 1.0, points)
    poses = np.tile(np.eye(4), (points, 1, 1))
    for i, angle in enumerate(turn):
        lean = [-TILT * np.sin(angle), TILT * np.cos(angle), 0.0]
        poses[i, :3, :3] = sd.spatial.rotation_from_vector(lean)
        poses[i, :3, 3] = RADIUS * np.cos(angle), RADIUS * np.sin(angle), HEIGHT
    start = robot.closed(robot.configuration({"platform_joint": [1, 0, 0, 0, 0, 0, HEIGHT]}))
    found = robot.inverse_kinematics({"platform": poses}, start, tolerance=1e-11)
    slides = [robot.joint_coordinates(f"leg_{i}_joint")[0] for i in range(6)]
    ends = poses[:, None, :3, 3] + PLATFORM @ poses[:, :3, :3].mT
    lengths = np.linalg.norm(ends - GROUND, axis=-1)

    h = PERIOD / (points - 1)
    step = np.array([robot.difference(q, after) for q, after in zip(found.q[:-2], found.q[2:], strict=True)])
    q = found.q[1:-1]
    v = robot.consistent(q, step / (2 * h))
    a = np.gradient(v, h, axis=0)
    motors = [f"leg_{i}_joint" for i in range(6)]
    force = robot.inverse_dynamics(q, v, a, motors=motors)
    power = (force * v)[:, [robot.joint_dofs(name)[0] for name in motors]].sum(axis=-1)

    inside = slice(2, -2)  # differences are good there

    figure, (left, middle, right) = panels(3.3, 3.4, 3.3)
    for i, colour in enumerate((BLUE, ORANGE, GREEN)):
        left.plot(turn / turn[-1] * PERIOD, found.q[:, slides[i]], color=colour, label=f"leg {i}")
        middle.plot(turn[1:-1] / turn[-1] * PERIOD, force[:, robot.joint_dofs(motors[i])[0]], color=colour)
    label(left, "lengths of three legs", y="m")
    label(middle, "their forces", y="N")
    right.plot((turn[1:-1] / turn[-1] * PERIOD)[inside], power[inside], color=RED)
    label(right, "power of all six", y="W")
    save(figure, out, "stewart_platform")
    given = robot.forward_dynamics(q, v, force) - a
    return {
        "rates of the tree": robot.nv,
        "mobility": robot.mobility,
        "poses that were met": int(found.success.sum()),
        "legs beside the closed form (m)": float(np.abs(found.q[:, slides] - lengths).max()),
        "mean force of a leg (N)": float(force[:, [robot.joint_dofs(name)[0] for name in motors]].mean()),
        "accelerations that these forces give, difference": float(np.abs(given[inside]).max()),
    }


if __name__ == "__main__":
    run(main, "points")
