"""An Acrobot is swung up by optimal control, with the elbow's torque alone, from 64 random starts at once.

`sd.optimal.ilqr` lowers the cost of all motions together: one batch of machine code differentiates all steps of all
motions, one follows them under corrections of several sizes. What comes out are torques and gains: as a feedback they
swing the robot up from its own state, and a linear-quadratic regulator holds it at the top.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from acrobot import UPRIGHT, acrobot
from pictures import BLUE, GREY, ORANGE, RED, draw_sticks, label, panels, points, run, save

STEP = 0.02
BOUND = 25.0  # of the elbow's torque, N m
HELD = 3.0  # seconds at the top


def swing_up(robot: sd.Robot, duration: float, starts: int, iterations: int) -> sd.optimal.ILQRResult:
    """Motions from hanging at rest to standing at rest."""
    cost = sd.optimal.Cost(
        robot,
        UPRIGHT,
        state_weight=0.05,
        effort_weight=0.05,
        final_weight=[3000.0, 3000.0, 500.0, 500.0],
        passive=["shoulder"],
    )
    return sd.optimal.ilqr(
        cost, np.zeros(2), duration=duration, step=STEP, starts=starts, amplitude=4.0, rng=1, effort_limit=BOUND,
        max_iterations=iterations,
    )  # fmt: skip


def carried_out(found: sd.optimal.ILQRResult, q0: np.ndarray) -> sd.Trajectory:
    """The motions as feedbacks, from another state than they were made for, then held at the top."""
    return sd.simulate(
        found.objective.robot, q0, control=found.feedback(hold=True), duration=float(found.t[-1]) + HELD, step=STEP,
        sampled=True,
    )  # fmt: skip


def upright(found: sd.optimal.ILQRResult, done: sd.Trajectory) -> np.ndarray:
    """Which motions end upright, at rest."""
    return np.abs(found.objective.deviation(done.q[-1], done.v[-1])).max(axis=-1) < 0.05


def picture(out: Path, found: sd.optimal.ILQRResult, best: sd.optimal.ILQRResult, done: sd.Trajectory) -> None:
    """The best motion, its torque among those of the other starts, and all costs on the way."""
    figure, (shapes, angles, torque, cost) = panels(2.8, 3.3, 3.0, 3.1)
    draw_sticks(shapes, points(best.objective.robot, best.q, "tip")[::8], (0, 2))
    label(shapes, "the best motion", "x (m)", "z (m)")
    for i, (name, colour) in enumerate((("shoulder (passive)", BLUE), ("elbow", ORANGE))):
        angles.plot(done.t, done.q[:, i], color=colour, label=name)
    angles.axvline(best.t[-1], color=GREY, linewidth=0.8)
    label(angles, "carried out, then held", y="rad")
    torque.plot(found.t[:-1], found.tau[:, ::8, 1], color=GREY, linewidth=0.5, alpha=0.6)
    torque.plot(best.t[:-1], best.tau[:, 1], color=RED, linewidth=1.2, label="best")
    label(torque, "torque of the elbow", y="N m")
    cost.semilogy(found.cost_history[:, ::3], color=BLUE, linewidth=0.5, alpha=0.5)
    label(cost, f"costs of every third of {found.cost.size} starts", "iteration")
    save(figure, out, "acrobot_ilqr")


def main(out: Path, duration: float = 4.0, starts: int = 64, iterations: int = 300) -> dict[str, float]:
    """From the bottom to the top within `duration`."""
    robot = acrobot()
    found = swing_up(robot, duration, starts, iterations)
    best = found.best
    exact = carried_out(best, np.zeros(2))
    pushed = carried_out(best, np.array([0.02, -0.01]))
    picture(out, found, best, pushed)
    pushed.save_view(out / "acrobot_ilqr.html")
    all_of_them = carried_out(found, np.zeros((starts, 2)))
    return {
        "starts that end upright and stay there (%)": 100 * float(upright(found, all_of_them).mean()),
        "starts within 2 % of the least cost (%)": 100 * float((found.cost < 1.02 * best.cost).mean()),
        "least cost at the beginning": float(found.cost_history[0].min()),
        "least cost": float(best.cost),
        "distance from upright at the end": float(np.abs(best.miss).max()),
        "the same, started 0.02 rad off, after 3 s more": float(
            np.abs(best.objective.deviation(pushed.q[-1], pushed.v[-1])).max()
        ),
        "largest torque (N m)": float(np.abs(best.tau).max()),
        "force in the passive joint": float(np.abs(exact.tau[:, 0]).max()),
        "difference from simulate (rad)": float(np.abs(exact.q[len(best.q) - 1] - best.q[-1]).max()),
        "relative energy drift": exact.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
