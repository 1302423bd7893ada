"""A satellite with two arms and no thrusters: both hands draw figures in space while the base drifts freely.

Operational space for two frames at once, the root passive: the hands' wanted accelerations become torques through the
generalized Jacobian, so what the base does in reaction is counted in. Momentum stays zero, and the hands stay on their
curves although the ground they stand on turns.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREY, ORANGE, label, panels, run, save

HANDS = ("left_tool", "right_tool")
DURATION, RADIUS = 12.0, 0.2
BENT = {"shoulder_pitch": -1.2, "elbow": 1.6, "wrist_pitch": -0.9, "shoulder_yaw": 0.2}


def start(flyer: sd.Robot) -> np.ndarray:
    """Both elbows bent."""
    return flyer.configuration({f"{side}_{joint}": x for side in ("left", "right") for joint, x in BENT.items()})


def curves(flyer: sd.Robot, q: np.ndarray) -> dict[str, sd.TimeSeries]:
    """Poses of the hands in time: circles in opposite directions that begin and end at rest, axes kept."""
    t = np.linspace(0.0, DURATION, 1201)
    s = t / DURATION
    angle = 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2)
    found = {}
    for hand, way in zip(HANDS, (1.0, -1.0), strict=True):
        poses = np.broadcast_to(flyer.pose(q, hand), (len(t), 4, 4)).copy()
        poses[:, 1, 3] += RADIUS * np.sin(way * angle)
        poses[:, 2, 3] += RADIUS * (np.cos(angle) - 1)
        found[hand] = sd.TimeSeries(t, poses)
    return found


def main(out: Path, duration: float = DURATION) -> dict[str, float]:
    """Draw with both hands."""
    flyer = sd.load("dual_arm_flyer")
    q = start(flyer)
    wanted = curves(flyer, q)
    control = sd.control.OperationalSpace(
        flyer, wanted, bandwidth=5.0, posture=q, posture_bandwidth=1.0,
        passive=["root"],
    )  # fmt: skip
    moved = sd.simulate(flyer, q, control=control, duration=duration, step=0.01, record_every=0.05)
    figure, (left, middle, right) = panels(3.6, 3.6, 3.6)
    miss = []
    for hand, colour in zip(HANDS, (BLUE, ORANGE), strict=True):
        at, poses = flyer.pose(moved.q, hand), wanted[hand](moved.t)
        miss.append(np.linalg.norm(at[:, :3, 3] - poses[:, :3, 3], axis=-1))
        away = 1e2 * (at[:, :3, 3] - at[0, :3, 3])
        left.plot(away[:, 1], away[:, 2], color=colour, label=hand.replace("_", " "))
        middle.plot(moved.t, 1e6 * miss[-1], color=colour)
    left.set_aspect("equal", adjustable="datalim")
    label(left, "hands in space, from where they began", x="y (cm)", y="z (cm)")
    label(middle, "from where they should be", y="micrometres")
    turned = flyer.difference(q, moved.q)[:, :6]
    right.plot(moved.t, np.degrees(np.linalg.norm(turned[:, :3], axis=-1)), color=BLUE, label="turned (degrees)")
    right.plot(moved.t, 1e2 * np.linalg.norm(moved.q[:, 4:7] - q[4:7], axis=-1), color=GREY, label="moved (cm)")
    label(right, "the base")
    save(figure, out, "two_hands")
    return {
        "largest distance of a hand from its curve (mm)": 1e3 * float(np.max(miss)),
        "base turned by (degrees)": float(np.degrees(np.linalg.norm(turned[:, :3], axis=-1)).max()),
        "largest force at the root (N)": float(np.abs(moved.tau[:, :6]).max()),
        "momentum at the end (N s)": float(np.abs(flyer.momentum(moved.q[-1], moved.v[-1])).max()),
        "largest damping of rows": float(control.damped(moved.q).max()),
    }


if __name__ == "__main__":
    run(main)
