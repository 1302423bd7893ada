"""An arm against its stops: position limits, effort limits and friction that sticks, and what the record says of them.

A chain of three joints falls from rest. Its joints have limits, motors that are too weak to hold it, and dry
friction: joints run into their stops, come back with about a third of their speed, and stick at last.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, GREY, ORANGE, RED, label, panels, run, save

LIMIT, EFFORT, FRICTION = 1.2, 8.0, 1.5  # rad, N m, N m
STEP = 0.001


def arm() -> sd.Robot:
    """Three links of half a metre, hanging joints about y."""
    b = sd.Builder("falling_arm")
    parent = None
    for k, mass in enumerate((3.0, 2.0, 1.0), start=1):
        body = sd.Body(mass, com=(0.25, 0.0, 0.0), inertia=np.diag([0.002, 0.02, 0.02]) * mass)
        origin = (0.0, 0.0, 0.0) if parent is None else (0.5, 0.0, 0.0)
        parent = b.link(
            f"link{k}", body, parent, axis=(0, 1, 0), origin=origin, joint_name=f"joint{k}", lower=-LIMIT, upper=LIMIT,
            effort=EFFORT, friction=FRICTION,
        )  # fmt: skip
    return sd.build(b)


def main(out: Path, duration: float = 6.0) -> dict[str, float]:
    """Let it fall while its motors try to hold it."""
    robot = arm()
    start = np.array([-0.5, 0.3, 0.2])
    hold = sd.control.JointFeedback(robot, start, stiffness=100.0, damping=2.0)
    fall = sd.simulate(robot, start, control=hold, duration=duration, step=STEP, record_every=0.01)
    free = sd.simulate(
        robot, start, control=hold, duration=duration, step=STEP, record_every=0.01, stops=False, effort_limit=None
    )

    figure, (left, middle, right) = panels(3.6, 3.6, 3.2)
    for k, colour in enumerate((BLUE, ORANGE, GREEN)):
        left.plot(fall.t, fall.q[:, k], color=colour, label=f"joint {k + 1}")
        middle.plot(fall.t, fall.tau[:, k], color=colour)
    left.axhline(LIMIT, color=RED, linestyle=":", linewidth=1.0)
    label(left, "joints; dotted: the limit", y="rad")
    middle.axhline(EFFORT, color=RED, linestyle=":", linewidth=1.0)
    middle.axhline(-EFFORT, color=RED, linestyle=":", linewidth=1.0)
    label(middle, "torques; dotted: the limit", y="N m")
    right.plot(fall.t, fall.energy, color=BLUE, label="kinetic and potential")
    right.plot(fall.t, fall.energy[0] + fall.work, color=GREY, linestyle="--", label="what forces explain")
    label(right, "energy", y="J")
    save(figure, out, "stops")
    return {
        "largest angle (rad)": float(np.abs(fall.q).max()),
        "largest angle without limits (rad)": float(np.abs(free.q).max()),
        "largest torque (N m)": float(np.abs(fall.tau).max()),
        "largest speed at the end (rad/s)": float(np.abs(fall.v[-1]).max()),
        "kinds of limits that acted": float(len(fall.acted)),
        "energy drift, relative": fall.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
