"""A gripper: one motor, two fingers of parallelograms, and a gear between them.

Each finger is a parallelogram: two bars and a fingertip that stays upright, closed by a hinge. A coupling makes the
second finger the mirror of the first, so that the gripper has five hinges in its tree, two loops, a gear, and a single
way to move. Springs of a grasped block push back; the motor's torque is found for a wanted grip, and held.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, label, panels, run, save
from soadyn.model.shapes import rod

BAR, TIP, ROOM = 0.06, 0.03, 0.02  # m: bars, fingertips, between the two bars of a finger
GRIP, STIFFNESS = 8.0, 4000.0  # N wanted at each fingertip; N/m of the block
HALF = 0.02  # m: half of the block's width


def gripper() -> sd.Robot:
    """Fingers in the xz plane: bars turn about y, both tips point along z."""
    b = sd.Builder("gripper", gravity=(0, 0, -9.81))
    for name, side in (("left", -1.0), ("right", 1.0)):
        at = side * 0.03
        bar = rod((0, 0, 0), (0, 0, BAR), mass=0.02)
        inner = b.link(f"{name}_inner", bar, origin=(at, 0, 0), axis=(0, 1, 0))
        outer = b.link(f"{name}_outer", bar, origin=(at + side * ROOM, 0, 0), axis=(0, 1, 0))
        body = rod((0, 0, 0), (0, 0, TIP), mass=0.03)
        tip = b.link(f"{name}_tip", body, inner, origin=(0, 0, BAR), axis=(0, 1, 0))
        b.frame(f"{name}_pad", tip, (0, 0, TIP))
        ends = {"origin": (0, 0, BAR), "other_origin": (side * ROOM, 0, 0), "axis": (0, 1, 0), "other_axis": (0, 1, 0)}
        b.loop(f"{name}_pin", outer, tip, "hinge", **ends)
    b.couple("mirror", {"left_inner_joint": 1.0, "right_inner_joint": 1.0})
    return b.robot(near=np.zeros(6))


def main(out: Path, duration: float = 1.0) -> dict[str, float]:
    """Close on a block with a constant torque of the motor at the left inner bar."""
    robot = gripper()
    motor = robot.joint_dofs("left_inner_joint")[0]
    start = robot.closed(robot.configuration({"left_inner_joint": -0.5}), hold=["left_inner_joint"])

    def block(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
        forces = {}
        for name, side in (("left", -1.0), ("right", 1.0)):
            x, rate = robot.pose(q, f"{name}_pad")[0, 3], robot.frame_velocity(q, v, f"{name}_pad")[3]
            deep = max(0.0, HALF - side * x)
            push = side * deep * STIFFNESS - 10.0 * rate * (deep > 0)
            forces[f"{name}_pad"] = np.array([0, 0, 0, push, 0, 0])
        return forces

    wanted = robot.closed(
        robot.configuration({"left_inner_joint": np.arcsin((0.03 - HALF + GRIP / STIFFNESS) / BAR)}),
        hold=["left_inner_joint"],
    )
    torque = held(robot, wanted, block(0.0, wanted, np.zeros(robot.nv)), motor)
    tau = np.zeros(robot.nv)
    tau[motor] = torque
    damped = [sd.Damper("left_inner_joint", 0.02)]
    motion = sd.simulate(robot, start, control=tau, external=block, duration=duration, step=0.0005, record_every=0.005,
                         joint_forces=damped)  # fmt: skip
    pads = np.stack([robot.pose(motion.q, f"{name}_pad") for name in ("left", "right")], axis=1)
    grip = STIFFNESS * np.maximum(0.0, HALF - np.abs(pads[:, :, 0, 3]))

    figure, (left, middle, right) = panels(3.2, 3.2, 3.4)
    for i, (name, colour) in enumerate((("left", BLUE), ("right", ORANGE))):
        left.plot(motion.t, 1000 * pads[:, i, 0, 3], color=colour, label=name)
        middle.plot(motion.t, grip[:, i], color=colour, label=name)
    label(left, "the pads", y="x (mm)")
    middle.axhline(GRIP, color=GREEN, linewidth=0.8)
    label(middle, "what they press with", y="N")
    tilt = np.degrees(np.abs(pads[:, :, 0, 2]).max(axis=-1))
    right.semilogy(motion.t, np.maximum(tilt, 1e-16), color=RED, label="tilt of the fingertips (degrees)")
    right.semilogy(motion.t, np.abs(motion.closure_error).max(axis=-1) + 1e-17, color=BLUE, label="closures (m)")
    label(right, "what the loops hold")
    save(figure, out, "gripper")
    return {
        "rates of the tree": robot.nv,
        "mobility": robot.mobility,
        "motor torque (N m)": torque,
        "grip at the end (N)": float(grip[-1].mean()),
        "difference of the fingers (N)": float(np.abs(np.diff(grip[-1]))[0]),
        "largest tilt of a fingertip (degrees)": float(tilt.max()),
        "closures (m)": float(np.abs(motion.closure_error).max()),
    }


def held(robot: sd.Robot, q: np.ndarray, wrenches: dict[str, np.ndarray], motor: int) -> float:
    """The motor's torque that holds the gripper still: all other forces' share of the one way in which it moves."""
    still = np.zeros(robot.nv)
    forces = robot.inverse_dynamics(q, still, still, external=wrenches)
    way = robot.consistent(q, np.eye(robot.nv)[motor])
    return float(way @ forces / way[motor])


if __name__ == "__main__":
    run(main)
