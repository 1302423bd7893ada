"""Four free-flyers reach for a target, and their bases are not driven: python examples/free_flyers.py

Each motion is planned with the generalized and disturbance Jacobians, then carried out by joint forces alone in a
simulation; the figures are those of the simulated motion. Nothing acts on the base in any of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, PURPLE, label, panels, run, save
from soadyn import control

STEP = 0.05  # of the simulations, s
ARM = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)
TWO_ARMS = (1.2, -0.2, 1.4, -0.5, -1.4, -0.4, -0.1, -0.6, -1.5, 1.8, -1.1, 0.0, 0.3, 0.0)
ETS_VII = (0.7, -1.2, -0.3, 1.5, 0.0, 0.6)
WHEELS = ("wheel_x", "wheel_y", "wheel_z")


@dataclass(frozen=True)
class Reach:
    """What was done: the motion, and the one of a planner that takes the base for fixed."""

    title: str
    held: control.Execution
    naive: control.Execution

    @property
    def distance(self) -> float:
        """From the start to the target, m."""
        return float(self.held.position_error[0])


def started(robot: sd.Robot, joints: tuple[float, ...]) -> np.ndarray:
    """The base at the world's origin, the joints where they are told to be, wheels at zero."""
    q = robot.neutral()
    q[7 : 7 + len(joints)] = joints
    return q


def with_wheels(duration: float = 15.0) -> Reach:
    """Seven joints and three wheels meet nine demands: the tool's pose and the base's attitude."""
    flyer = sd.load("free_flyer")
    q = started(flyer, ARM)
    target = flyer.pose(q, "tool")
    target[0, 3] += 0.3
    held = control.plan_reach(flyer, q, "tool", target, duration, hold="attitude", step=duration / 150)
    naive = control.plan_reach(flyer, q, "tool", target, duration, step=duration / 150, reactions=False)
    return Reach("arm and wheels: pose, attitude held", *carried_out(held, naive))


def wheels_locked(duration: float = 15.0) -> Reach:
    """Seven joints meet six demands: the tool's position and the base's attitude."""
    flyer = sd.load("free_flyer")
    q = started(flyer, ARM)
    flyer, q = flyer.lock(WHEELS, q), q[:14]
    target = flyer.pose(q, "tool")[:3, 3] + [0.3, 0.0, 0.0]
    held = control.plan_reach(flyer, q, "tool", target, duration, hold="attitude", step=duration / 150)
    naive = control.plan_reach(flyer, q, "tool", target, duration, step=duration / 150, reactions=False)
    return Reach("arm alone: position, attitude held", *carried_out(held, naive))


def two_arms(duration: float = 20.0) -> Reach:
    """Fourteen joints meet twelve demands: one tool's pose, the base's attitude and position."""
    flyer = sd.load("dual_arm_flyer")
    q = started(flyer, TWO_ARMS)
    target = flyer.pose(q, "left_tool")
    target[1, 3] -= 0.3
    held = control.plan_reach(flyer, q, "left_tool", target, duration, hold="pose", step=duration / 200)
    naive = control.plan_reach(flyer, q, "left_tool", target, duration, step=duration / 200, reactions=False)
    return Reach("two arms: pose, base held", *carried_out(held, naive))


def least_disturbance(duration: float = 40.0) -> Reach:
    """Six joints cannot meet nine demands; the way to the pose is shaped so that the base turns least."""
    arm = sd.load("ets_vii")
    q = started(arm, ETS_VII)
    target = arm.pose(q, "link_ee")
    target[0, 3] += 0.5
    held = control.plan_least_disturbance(arm, q, "link_ee", target, duration, step=duration / 200)
    naive = control.plan_reach(arm, q, "link_ee", target, duration, step=duration / 200, reactions=False)
    return Reach("ETS-VII: pose, least disturbance", *carried_out(held, naive))


def carried_out(*plans: control.Plan) -> list[control.Execution]:
    """All plans simulated."""
    return [control.execute(plan, step=STEP) for plan in plans]


CASES = (with_wheels, wheels_locked, two_arms, least_disturbance)


def main(out: Path) -> dict[str, float]:
    """Carry out all four, print a line on each motion and draw how far bases turn and tools are from their targets."""
    reaches = [case() for case in CASES]
    print(f"simulated with rk4, steps of {STEP} s; base: largest on the way; tool: at the end\n")
    print(f"{'':37}{'target':>8}{'time':>6}{'base turned':>14}{'base moved':>13}{'tool off':>12}{'and turned':>14}")
    for reach in reaches:
        for name, done in ((reach.title, reach.held), ("  naive: base taken for fixed", reach.naive)):
            turned = f"{np.degrees(done.angle_error[-1]):.1e} deg" if done.plan.demands.of_frame == "pose" else "free"
            print(
                f"{name:37}{reach.distance:6.2f} m{done.trajectory.t[-1]:4.0f} s"
                f"{np.degrees(done.base_turn.max()):10.1e} deg{1e3 * done.base_shift.max():10.1e} mm"
                f"{1e3 * done.position_error[-1]:9.1e} mm{turned:>14}"
            )
    figure, (turns, errors) = panels(5.0, 5.0)
    for reach, colour in zip(reaches, (BLUE, GREEN, PURPLE, ORANGE), strict=True):
        for done, style, title in ((reach.held, "-", reach.title), (reach.naive, ":", None)):
            turns.semilogy(done.trajectory.t[1:], np.degrees(done.base_turn[1:]), style, color=colour, label=title)
            errors.semilogy(done.trajectory.t, 1e3 * done.position_error, style, color=colour)
    label(turns, "base turned (deg); dotted: base taken for fixed")
    label(errors, "tool to target (mm)")
    save(figure, out, "free_flyers")
    return {f"base turned, {reach.title} (deg)": float(np.degrees(reach.held.base_turn.max())) for reach in reaches}


if __name__ == "__main__":
    run(main)
