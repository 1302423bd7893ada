"""A joint of a Panda fails while the arm works (004, introduction, item 4): gravity on, the joint free with friction.

The tip runs along a circle. At two seconds the motor of joint 5 gives nothing any more. A planner that is told of it
goes on with the generalized Jacobian of the six joints that are left and keeps the tip on the circle, while joint 5
swings as gravity and its friction let it. A planner that is not told goes on as if all seven worked.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from following import circle, following
from pictures import BLACK, BLUE, GREY, RED, label, panels, run, save

FAILED, WHEN = "panda_joint5", 2.0
TIP = "panda_hand_tcp"
START = np.array([0.0, -0.4, 0.0, -2.0, 0.0, 1.9, 0.7])
FRICTION = sd.Friction(
    FAILED, coulomb=0.1, viscous=0.4, smoothing_speed=0.2
)  # own round figures; no published friction is used


def main(out: Path, duration: float = 8.0) -> dict[str, float]:
    """The circle with a planner that is told, and with one that is not."""
    arm = sd.load("panda")
    forces = sd.JointForces(arm, [FRICTION])
    across, up = np.array([0.0, 0.1, 0.0]), np.array([0.0, 0.0, 0.1])
    path = circle(arm.pose(START, TIP)[:3, 3] - across, across, up, period=4.0)
    planner = following(arm, TIP, path, [3, 4, 5], START, forces)
    nothing_passive = np.zeros(arm.nv, dtype=bool)
    runs = {}
    for name, plan in (
        ("re-planned", planner),
        ("not re-planned", lambda t, q, v, passive: planner(t, q, v, nothing_passive)),
    ):
        runs[name] = sd.simulate(
            arm,
            START,
            duration=duration,
            step=0.004,
            record_every=0.02,
            prescribed=sd.Prescribed(plan),
            failures=[(WHEN, FAILED)],
            joint_forces=forces,
        )
    wanted = np.array([path(t)[0] for t in runs["re-planned"].t])
    tips = {name: arm.pose(moved.q, TIP)[:, :3, 3] for name, moved in runs.items()}
    errors = {name: np.linalg.norm(tip - wanted, axis=1) for name, tip in tips.items()}

    figure, (left, middle, right) = panels(3.1, 3.5, 3.6)
    left.plot(wanted[:, 1], wanted[:, 2], color=GREY, linewidth=4, alpha=0.5, label="wanted")
    place = arm.joint_dofs(FAILED)[0]
    for (name, tip), colour in zip(tips.items(), (BLUE, RED), strict=True):
        moved = runs[name]
        left.plot(tip[:, 1], tip[:, 2], color=colour, linewidth=1.1, label=name)
        middle.plot(moved.t, moved.q[:, place], color=colour, label=name)
        right.semilogy(moved.t, np.maximum(1e3 * errors[name], 1e-7), color=colour, label=name)
    left.set_aspect("equal", adjustable="datalim")
    left.margins(y=0.25)
    label(left, "path of the tip", "y (m)", "z (m)")
    label(middle, "joint 5, passive from 2 s on", y="rad")
    label(right, "tip beside the path", y="mm")
    for ax in (middle, right):
        ax.axvline(WHEN, color=BLACK, linestyle=":")
    save(figure, out, "failed_joint")

    told = runs["re-planned"]
    failed = told.t >= WHEN
    lower, upper = arm.lower, arm.upper
    return {
        "largest error of the tip, re-planned (mm)": 1e3 * float(errors["re-planned"].max()),
        "largest error of the tip, not re-planned (mm)": 1e3 * float(errors["not re-planned"].max()),
        "joint 5 moved by (rad)": float(np.ptp(told.q[:, place])),
        "force of the failed motor (N m)": float(np.abs(told.tau[failed, place]).max()),
        "largest torque, as a share of its limit": float((np.abs(told.tau) / arm.effort_limit).max()),
        "joints beyond their limits": float(((told.q < lower) | (told.q > upper)).any(axis=0).sum()),
        "relative energy drift": told.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
