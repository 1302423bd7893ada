"""A Panda goes round as fast as its motors allow: the fastest motion along a path (001 section IX, trajectory design).

With 2 kg in its hand the arm moves its tool once round a circle, through configurations found by inverse kinematics; a
spline in joint space leads through them. Along it torque, rate and acceleration limits are linear in s̈ and ṡ², and
reachability analysis (Pham and Pham 2018) finds the largest speed at every place. A controller (computed torque)
then carries the motion out in a simulation in which the effort limits act.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import soadyn as sd
from pictures import BLUE, GREEN, GREY, ORANGE, RED, label, panels, run, save

TOOL = "panda_link8"
START = (0.0, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8)
ACCELERATION = 50.0  # rad/s²
RADIUS = 0.2  # m


def circle(arm: sd.Robot) -> sd.paths.Path:
    """Once round a circle in a vertical plane, the tool's axes as they are."""
    center = arm.pose(START, TOOL)[:3, 3] - [0.0, RADIUS, 0.0]
    return sd.paths.arc(arm, START, TOOL, center, [1.0, 0.0, 0.0], 2 * np.pi)


def main(out: Path, step: float = 0.0005) -> dict[str, float]:
    """Plan, compare with a quintic that keeps the same limits, and carry out."""
    arm = sd.load("panda").with_payload(TOOL, 2.0, com=(0.0, 0.0, 0.1))
    path = circle(arm)
    motion = sd.paths.time_optimal(path, acceleration_limit=ACCELERATION, grid=300)
    slower = within_limits(path)
    follow = sd.control.ComputedTorque(arm, motion, bandwidth=30.0)
    duration = 0.001 * np.floor(1000 * motion.duration)
    done = sd.simulate(arm, motion.q[0], control=follow, duration=duration, step=step, record_every=0.005)
    error = arm.pose(done.q, TOOL)[:, :3, 3] - arm.pose(motion.at(done.t).q, TOOL)[:, :3, 3]
    save(drawn(arm, motion, slower), out, "optimal_path")
    done.save_view(out / "optimal_path.html", frames=[TOOL])
    shares = np.abs(motion.tau[:-1]) / arm.effort_limit
    points = arm.pose(motion.at(np.arange(0.0, motion.duration, 0.001)).q, TOOL)[:, :3, 3]
    center = np.array(arm.pose(START, TOOL)[:3, 3]) - [0.0, RADIUS, 0.0]
    return {
        "duration (s)": motion.duration,
        "of a quintic within the same limits (s)": slower.duration,
        "largest share of a torque limit": float(shares.max()),
        "largest share of a rate limit": float((np.abs(motion.v) / arm.velocity_limit).max()),
        "largest share of the acceleration limit": float(np.abs(motion.a[:-1]).max() / ACCELERATION),
        "farthest from the circle (mm)": float(1e3 * np.abs(np.linalg.norm(points - center, axis=-1) - RADIUS).max()),
        "tracking error of the tool (mm)": float(1e3 * np.linalg.norm(error, axis=-1).max()),
    }


def within_limits(path: sd.paths.Path) -> sd.paths.Motion:
    """The fastest quintic that keeps the limits, by halving."""
    arm = path.robot

    def kept(duration: float) -> bool:
        motion = sd.paths.quintic(path, duration)
        return bool(
            (np.abs(motion.tau) <= arm.effort_limit).all()
            and (np.abs(motion.v) <= arm.velocity_limit).all()
            and (np.abs(motion.a) <= ACCELERATION).all()
        )

    low, high = 0.1, 20.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return sd.paths.quintic(path, high)


def drawn(arm: sd.Robot, motion: sd.paths.Motion, slower: sd.paths.Motion) -> Figure:
    """Speed over the path; shares of all limits in time."""
    figure, (left, middle, right) = panels(3.3, 3.6, 3.4)
    left.plot(slower.s, slower.speed, color=GREY, label="quintic")
    left.plot(motion.s, motion.speed, color=BLUE, label="fastest")
    label(left, "speed along the path", x="s", y="1/s")
    for values, limit, colour, name in (
        (motion.tau, arm.effort_limit, RED, "torque"),
        (motion.v, arm.velocity_limit, GREEN, "rate"),
        (motion.a, np.full(arm.nv, ACCELERATION), ORANGE, "acceleration"),
    ):
        middle.plot(motion.t[:-1], (np.abs(values) / limit).max(axis=-1)[:-1], color=colour, label=name)
    label(middle, "largest share of a limit")
    for i in range(arm.nv):
        right.plot(motion.t, motion.v[:, i], linewidth=1.1, label=f"joint {i + 1}")
    label(right, "joint rates", y="rad/s", legend=False)
    return figure


if __name__ == "__main__":
    run(main)
