"""Shears in an arm's grip, opened by moving the arm (004, introduction, item 5: internal freedom of a task object).

A UR5 holds shears by one blade. The other blade hangs on the shears' own hinge, which has friction, stops and no motor:
a passive joint at the end of the arm. The disturbance Jacobian tells how the arm's accelerations move it,

    b_p = J_D b_a + drift

so the arm can open the shears without touching the other blade: b_a = (wanted - drift) / J_D for the last wrist joint,
while the others stand. Then the wrist brakes so gently that friction holds the blade where it is.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREY, ORANGE, RED, label, panels, run, save
from soadyn.model.shapes import rod

START = np.array([0.0, -1.2, 1.6, -1.97, -np.pi / 2, 0.0, 0.1])  # the tool looks down, the hinge's axis is upright
BLADE, MASS = 0.25, 0.4  # m, kg, of each half
HINGE = "hinge"
LAWS = [
    sd.Friction(HINGE, coulomb=0.005, viscous=0.002, smoothing_speed=0.02),
    sd.Backlash(HINGE, gap=1.2, center=0.6, stiffness=50.0, damping=50.0),  # closed at 0, widest at 1.2 rad
]
WRIST, BRAKE = 5, 1.0  # the joint that does it, and its braking in rad/s²
BEGIN, TIME, CLOSED, OPEN = 0.2, 0.4, 0.1, 0.8


def arm_with_shears() -> sd.Robot:
    """One half is a payload of the tool, the other a link on the hinge."""
    b = sd.Builder("shears")
    b.link("blade", rod((0, -0.1, 0.05), (0, BLADE - 0.1, 0.05), MASS), origin=(0, 0, 0), joint_name=HINGE)
    b.frame("point", "blade", (0, BLADE - 0.1, 0.05))
    return sd.load("ur5").with_payload("tool0", MASS, (0, 0.05, 0.05)).attach(sd.build(b), "tool0")


def plan(t: float) -> tuple[float, float, float]:
    """The hinge's angle, speed and acceleration: from CLOSED to OPEN within TIME, from rest to rest."""
    s = np.clip((t - BEGIN) / TIME, 0.0, 1.0)
    way = OPEN - CLOSED
    return (
        CLOSED + way * (10 * s**3 - 15 * s**4 + 6 * s**5),
        way / TIME * (30 * s**2 - 60 * s**3 + 30 * s**4),
        way / TIME**2 * (60 * s - 180 * s**2 + 120 * s**3),
    )


def main(out: Path, duration: float = 2.5) -> dict[str, float]:
    """Opens the shears and keeps them open."""
    robot = arm_with_shears()
    forces = sd.JointForces(robot, LAWS)

    def wanted(t: float, q: np.ndarray, v: np.ndarray, passive: np.ndarray) -> np.ndarray:
        a = np.r_[-100.0 * (q - START)[:5] - 20.0 * v[:5], 0.0, 0.0]
        if t < BEGIN + TIME:
            angle, speed, acceleration = plan(t)
            goal = acceleration + 20.0 * (speed - v[6]) + 100.0 * (angle - q[6])
            J = robot.disturbance_jacobian(q, passive)[0]
            drift = robot.disturbance_drift(q, v, passive, tau=forces(t, q, v))[0]
            a[WRIST] = (goal - drift - J[:WRIST] @ a[:WRIST]) / J[WRIST]
        else:  # so gently that the hinge's friction holds the blade
            a[WRIST] = np.clip(-5.0 * v[WRIST], -BRAKE, BRAKE)
        return a

    moved = sd.simulate(
        robot,
        START,
        duration=duration,
        step=0.004,
        prescribed=sd.Prescribed(wanted, passive=[HINGE]),
        joint_forces=forces,
    )
    angles = np.array([plan(t)[0] for t in moved.t])
    figure, (left, middle, right) = panels(3.4, 3.4, 3.4)
    left.plot(moved.t, np.degrees(angles), color=GREY, linewidth=4, alpha=0.5, label="wanted")
    left.plot(moved.t, np.degrees(moved.q[:, 6]), color=BLUE, label="hinge (passive)")
    label(left, "opening of the shears", y="degrees")
    middle.plot(moved.t, np.degrees(moved.q[:, WRIST] - START[WRIST]), color=ORANGE, label="last wrist joint")
    middle.plot(moved.t, np.degrees(moved.q[:, 6] - START[6]), color=BLUE, label="hinge")
    middle.plot(moved.t, np.degrees((moved.q[:, 5:] - START[5:]).sum(axis=1)), color=RED, label="both: the free blade")
    label(middle, "who turns", y="degrees")
    right.plot(moved.t, 1e3 * moved.tau[:, WRIST], color=ORANGE)
    label(right, "torque of the last wrist joint", y="mN m")
    save(figure, out, "shears")
    opening = moved.t <= BEGIN + TIME
    return {
        "largest error while opening (degrees)": float(np.degrees(np.abs(moved.q[:, 6] - angles)[opening].max())),
        "opening at the end (degrees)": float(np.degrees(moved.q[-1, 6])),
        "largest way of the other joints (degrees)": float(np.degrees(np.abs(moved.q[:, :5] - START[:5]).max())),
        "force in the hinge's missing motor (N m)": float(np.abs(moved.tau[:, 6]).max()),
        "largest torque, as a share of its limit": float((np.abs(moved.tau) / robot.effort_limit)[:, :6].max()),
        "relative energy drift": moved.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
