"""A UR5 under impedance: somebody pushes its tool, it yields like a mass on springs, and comes back.

The push rises to 30 N, stays, and ends. The tool has 5 kg and a damping that stops it without a swing, whatever the arm
weighs; three springs differ. Each yields by 30 N over its stiffness. The joints' motors do all of it, within limits.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, GREY, ORANGE, draw_sticks, label, panels, points, run, save

PUSH = 30.0  # N
MASS, INERTIA, TURNING = 5.0, 0.1, 40.0  # kg, kg m² and N m/rad of the tool
STIFFNESSES = (300.0, 600.0, 1200.0)  # N/m
REST = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
TIMES = np.array([0.0, 0.5, 0.7, 2.5, 2.7, 5.0])
STRENGTH = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0])
ALONG = np.array([0.0, 0.6, -0.8])  # in the world


def push(arm: sd.Robot, frame: str) -> tuple[sd.TimeSeries, sd.TimeSeries]:
    """The wrench on the frame along world axes, as a sensor measures it, and the wrenches on the links."""
    force = STRENGTH[:, None] * PUSH * ALONG
    measured = np.concatenate([np.zeros_like(force), force], axis=-1)
    links = np.zeros((len(TIMES), len(arm.link_names), 6))
    links[:, arm.link_names.index(frame), 3:] = force @ arm.pose(REST, frame)[:3, :3]  # along the link's axes
    return sd.TimeSeries(TIMES, measured), sd.TimeSeries(TIMES, links)


def soft(arm: sd.Robot, frame: str, stiffness: float, wrench: sd.TimeSeries) -> sd.control.Impedance:
    """A critically damped tool."""
    K, M = np.repeat([TURNING, stiffness], 3), np.repeat([INERTIA, MASS], 3)
    return sd.control.Impedance(
        arm, frame, arm.pose(REST, frame), stiffness=K, damping=2 * np.sqrt(K * M), inertia=M, wrench=wrench
    )


def main(out: Path, duration: float = 5.0) -> dict[str, float]:
    """Push the arm on three springs."""
    arm = sd.load("ur5")
    frame = arm.link_names[-1]
    wrench, links = push(arm, frame)
    figure, (left, middle, right) = panels(3.4, 3.6, 3.6)
    figures: dict[str, float] = {}
    there = arm.pose(REST, frame)[:3, 3]
    for stiffness, colour in zip(STIFFNESSES, (BLUE, ORANGE, GREEN), strict=True):
        control = soft(arm, frame, stiffness, wrench)
        moved = sd.simulate(
            arm, REST, control=control, external=links, duration=duration, step=0.001, record_every=0.01
        )
        yielded = 1e3 * (arm.pose(moved.q, frame)[:, :3, 3] - there) @ ALONG
        middle.plot(moved.t, yielded, color=colour, label=f"{stiffness:.0f} N/m")
        right.plot(moved.t, moved.tau[:, 1] - arm.gravity_force(moved.q)[:, 1], color=colour)
        held = np.argmin(np.abs(moved.t - 2.4))
        figures[f"yields on {stiffness:.0f} N/m (mm)"] = float(yielded[held])
        figures[f"comes back on {stiffness:.0f} N/m (mm)"] = float(yielded[-1])
        if stiffness == STIFFNESSES[0]:
            draw_sticks(left, points(arm, moved.q[:: max(1, held // 8)][:10], frame), (1, 2))
            figures["largest damping of rows"] = float(control.damped(moved.q).max())
    label(left, "the arm on the softest spring", x="y (m)", y="z (m)")
    middle.plot(TIMES, 100 * STRENGTH, color=GREY, linestyle=":", label="push, % of 30 N")
    label(middle, "the tool, along the push", y="mm")
    label(right, "shoulder, without weight", y="N m")
    save(figure, out, "pushed_arm")
    return figures


if __name__ == "__main__":
    run(main)
