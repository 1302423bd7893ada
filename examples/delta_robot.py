"""A delta robot picks and places: inverse kinematics with closures, and the motors' torques.

Three arms move a platform by six rods without mass, each a closure that keeps a distance. The tree has nine rates, the
robot three ways to move. A path of the platform becomes motor angles by `inverse_kinematics`, for which closures are
targets like others; the angles are those of the closed form. Motion and torques follow from the closed robot.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, label, panels, run, save

BASE, PLATFORM, ARM, ROD, APART = 0.2, 0.05, 0.25, 0.5, 0.04  # m
ANGLES = np.arange(3) * 2 * np.pi / 3
LIFT, SIDE, TIME = 0.1, 0.15, 0.5  # m, m, s


def around(angle: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    """A pose turned about z, then moved."""
    T = np.eye(4)
    T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    T[:3, 3] = T[:3, :3] @ [x, y, 0.0]
    return T


def delta() -> sd.Robot:
    """Arms, a platform that hangs free, and six rods between them."""
    b = sd.Builder("delta")
    beam = sd.Body(0.3, com=(0.5 * ARM, 0, 0), inertia=np.diag([1e-4, 2e-3, 2e-3]))
    arms = [b.link(f"arm_{i}", beam, origin=around(a, BASE), axis=(0, 1, 0)) for i, a in enumerate(ANGLES)]
    platform = b.link("platform", sd.Body(0.4, inertia=np.diag([1e-3, 1e-3, 2e-3])), joint="free")
    for i, a in enumerate(ANGLES):
        for side in (-APART, APART):
            ends = {"origin": (ARM, side, 0), "other_origin": around(a, PLATFORM, side)}
            b.loop(f"rod_{i}_{'left' if side < 0 else 'right'}", arms[i], platform, "distance", length=ROD, **ends)
    return b.robot()


def closed_form(points: np.ndarray) -> np.ndarray:
    """The arms' angles with the knees outward, (n, 3): where an arm's circle meets the sphere of its rod."""
    found = []
    for a in ANGLES:
        x, y, z = around(-a)[:3, :3] @ points.T
        x = x + PLATFORM - BASE
        reach = (x**2 + y**2 + z**2 + ARM**2 - ROD**2) / (2 * ARM)
        found.append(np.arctan2(-z, x) - np.arccos(reach / np.hypot(x, z)))
    return np.stack(found, axis=-1)


def main(out: Path, points: int = 101) -> dict[str, float]:
    """Up, aside and down in half a second."""
    robot = delta()
    t = np.linspace(0.0, 1.0, points)
    s = t**3 * (10 - 15 * t + 6 * t**2)
    path = np.stack([SIDE * (2 * s - 1), 0 * s, -0.55 + LIFT * 16 * s**2 * (1 - s) ** 2], axis=-1)
    poses = np.tile(np.eye(4), (points, 1, 1))
    poses[:, :3, 3] = path
    start = robot.configuration({"platform_joint": [1, 0, 0, 0, *path[0]]})
    for i, angle in enumerate(closed_form(path[:1])[0]):
        start[robot.joint_coordinates(f"arm_{i}_joint")[0]] = angle
    found = robot.inverse_kinematics({"platform": poses}, robot.closed(start), tolerance=1e-11)
    arms = [robot.joint_coordinates(f"arm_{i}_joint")[0] for i in range(3)]
    motors = [robot.joint_dofs(f"arm_{i}_joint")[0] for i in range(3)]
    off = np.abs(np.angle(np.exp(1j * (found.q[:, arms] - closed_form(path)))))

    h = TIME / (points - 1)
    v = np.gradient(np.array([robot.difference(found.q[0], q) for q in found.q]), h, axis=0)
    v = robot.consistent(found.q, v)
    a = np.gradient(v, h, axis=0)
    torque = robot.inverse_dynamics(found.q, v, a, motors=[f"arm_{i}_joint" for i in range(3)])
    moved = np.zeros_like(v)
    moved[:, motors] = torque[:, motors] if torque.shape == v.shape else torque
    reached = robot.forward_dynamics(found.q, v, moved)
    lam = robot.constrained_dynamics(found.q, v, moved)[1]

    figure, (left, middle, right) = panels(3.0, 3.4, 3.6)
    left.plot(path[:, 0], path[:, 2], color=BLUE)
    label(left, "the platform", "x (m)", "z (m)")
    for i, colour in enumerate((BLUE, ORANGE, GREEN)):
        middle.plot(TIME * t, moved[:, motors[i]], color=colour, label=f"arm {i}")
    label(middle, "motor torques", y="N m")
    right.plot(TIME * t, lam, color=RED, linewidth=0.8)
    label(right, "forces in the six rods (push is positive)", y="N")
    save(figure, out, "delta_robot")
    inside = slice(3, -3)  # differences are good there
    slip = reached - a
    platform = robot.joint_dofs("platform_joint")
    return {
        "mobility": robot.mobility,
        "poses that were met": int(found.success.sum()),
        "arms' angles beside the closed form (rad)": float(off.max()),
        "closures (m)": float(np.abs(robot.closure_error(found.q)).max()),
        "largest torque (N m)": float(np.abs(moved).max()),
        "largest acceleration of the platform (m/s^2)": float(np.abs(a[:, platform[3:]]).max()),
        "acceleration that these torques give, difference (m/s^2)": float(np.abs(slip[inside][:, platform[3:]]).max()),
    }


if __name__ == "__main__":
    run(main, "points")
