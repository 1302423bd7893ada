"""An arm with flexible joints: each a motor's inertia, then a spring as a passive joint (004, introduction, item 3).

The motor's joint is active and has the rotor's inertia as armature, the spring's is passive: twice the joints, half of
them without an actuator. One link on a motor, both free to turn, swings with

    w² = k (1/J_m + 1/J_l)

and with w² = k/J_l when the motor is held. The picture shows two links in a vertical plane that are turned by
prescribed motions of the motors, and what that takes beside the same motion of a stiff arm.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd
from pictures import GREEN, ORANGE, RED, draw_sticks, label, panels, points, run, save
from soadyn.model.shapes import rod

LENGTH, MASS = 0.5, 4.0  # of each link, m and kg
J_M = 0.6  # motor inertia behind the gear, kg m²
STIFFNESS, DAMPING = (3000.0, 1500.0), 4.0  # N m/rad and N m s/rad, in the range of harmonic drives
TURN_TIME = 0.8


def arm(links: int, flexible: bool, gravity: float = 9.81) -> sd.Robot:
    """Links in the x-z plane; a flexible joint is `motor_k` and then `spring_k`, a stiff one `motor_k` alone."""
    b = sd.Builder("flexible arm" if flexible else "stiff arm", gravity=(0, 0, -gravity))
    body, parent = rod((0, 0, 0), (LENGTH, 0, 0), MASS), None
    for k in range(1, links + 1):
        place = (0, 0, 0) if k == 1 else (LENGTH, 0, 0)
        motor: dict[str, Any] = {"axis": (0, -1, 0), "origin": place, "joint_name": f"motor_{k}", "armature": J_M}
        if flexible:
            shaft = b.link(f"shaft_{k}", None, parent, **motor)  # without mass: what turns is the rotor
            parent = b.link(f"link_{k}", body, shaft, axis=(0, -1, 0), joint_name=f"spring_{k}")
        else:
            parent = b.link(f"link_{k}", body, parent, **motor)
    b.frame("tip", parent, (LENGTH, 0, 0))
    return sd.build(b)


def laws(links: int, damping: float = DAMPING) -> list[sd.Spring | sd.Damper]:
    """The springs of the flexible joints, with a little damping."""
    springs = [sd.Spring(f"spring_{k}", STIFFNESS[k - 1]) for k in range(1, links + 1)]
    return [*springs, *(sd.Damper(spring.joint, damping) for spring in springs if damping)]


def swing(held: bool) -> tuple[float, float]:
    """A single link plucked and let go: the frequency found (rad/s), and the formula's."""
    robot = arm(1, flexible=True, gravity=0.0)
    options: dict[str, Any] = {"prescribed": sd.Prescribed([0.0, 0.0], passive=["spring_1"])} if held else {}
    J_l = MASS * LENGTH**2 / 3
    exact = np.sqrt(STIFFNESS[0] * (1 / J_l if held else 1 / J_M + 1 / J_l))
    trajectory = sd.simulate(
        robot, [0.0, 1e-2], duration=20 * np.pi / exact, step=0.02 / exact * np.pi, joint_forces=laws(1, 0.0), **options
    )
    x, t = trajectory.q[:, 1], trajectory.t
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    crossings = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    return float(2 * np.pi / np.diff(crossings).mean()), float(exact)


def motors(t: float) -> np.ndarray:
    """Accelerations of both motors: from rest to rest in TURN_TIME, by 1.2 and -0.9 rad."""
    s = t / TURN_TIME
    shape = (60 * s - 180 * s**2 + 120 * s**3) / TURN_TIME**2 if 0 <= s <= 1 else 0.0
    return np.array([1.2, -0.9]) * shape


def main(out: Path, duration: float = 1.6) -> dict[str, float]:
    """Plucks one link, then turns two, stiff and flexible."""
    held, free = swing(held=True), swing(held=False)
    stiff, flexible = arm(2, flexible=False), arm(2, flexible=True)
    q0 = np.array([-0.6, 0.0])
    rigid = sd.simulate(
        stiff, q0, duration=duration, step=2e-3, prescribed=sd.Prescribed(lambda t, q, v, passive: motors(t))
    )
    law = sd.JointForces(flexible, laws(2))
    # at rest the springs carry the weight
    sag = np.zeros(4)
    sag[::2] = q0
    for _ in range(20):
        sag[1::2] = -flexible.gravity_force(sag)[1::2] / STIFFNESS
    bent = sd.simulate(
        flexible,
        sag,
        duration=duration,
        step=1e-3,
        record_every=2e-3,
        prescribed=sd.Prescribed(
            lambda t, q, v, passive: np.array([motors(t)[0], 0.0, motors(t)[1], 0.0]), passive=["spring_1", "spring_2"]
        ),
        joint_forces=law,
    )
    figure, (left, middle, right) = panels(3.0, 3.6, 3.6)
    draw_sticks(left, points(flexible, bent.q[bent.t <= TURN_TIME][::40], "tip"), (0, 2))
    label(left, "the turn", "x (m)", "z (m)")
    for k, colour in ((0, ORANGE), (1, RED)):
        middle.plot(bent.t, 1e3 * bent.q[:, 2 * k + 1], color=colour, label=f"spring {k + 1}")
    label(middle, "the passive joints", y="mrad")
    for k, colour in ((0, GREEN), (1, RED)):
        right.plot(bent.t, bent.tau[:, 2 * k], color=colour, label=f"motor {k + 1}, flexible")
        right.plot(rigid.t, rigid.tau[:, k], "--", color=colour, label=f"motor {k + 1}, stiff")
    label(right, "torque that the motion takes", y="N m")
    save(figure, out, "flexible_joint")
    tips = [points(robot, moved.q, "tip")[:, -1] for robot, moved in ((stiff, rigid), (flexible, bent))]
    return {
        "frequency with the motor held, error": held[0] / held[1] - 1,
        "frequency with the motor free, error": free[0] / free[1] - 1,
        "largest bend (mrad)": 1e3 * float(np.abs(bent.q[:, 1::2]).max()),
        "motors' way in both arms, difference (rad)": float(np.abs(bent.q[-1, ::2] - rigid.q[-1]).max()),
        "force of the passive joints' actuators (N m)": float(np.abs(bent.tau[:, 1::2]).max()),
        "largest distance between the tips (mm)": 1e3 * float(np.abs(tips[0] - tips[1]).max()),
        "relative energy drift": max(bent.relative_energy_drift, rigid.relative_energy_drift),
    }


if __name__ == "__main__":
    run(main)
