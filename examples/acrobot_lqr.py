"""An Acrobot is balanced by a linear-quadratic regulator of its elbow's torque; from where does it come back?

`sd.optimal.lqr(cost, step=h)` takes the model of one step of the simulation, so the regulator is that of the digital
controller which the simulation runs. The linear model says that every state comes back. The robot itself says which
do: a grid of initial angles is simulated at once, as a batch.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from acrobot import UPRIGHT, acrobot
from pictures import BLACK, BLUE, ORANGE, RED, label, panels, run, save

STEP = 0.01
LIMIT = 25.0  # of the elbow's torque, N m
Q, R = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[0.1]])


def regulator(robot: sd.Robot) -> sd.optimal.Regulator:
    """K of dT = -K x, and the linear model of a step, A and B."""
    return sd.optimal.lqr(
        sd.optimal.Cost(robot, UPRIGHT, state_weight=Q, effort_weight=R, passive=["shoulder"]), step=STEP
    )


def balanced(robot: sd.Robot, K: np.ndarray, q0: np.ndarray, duration: float) -> sd.Trajectory:
    """The motion from rest in q0, (..., 2), under the regulator."""

    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        x = np.concatenate([q - UPRIGHT, v], axis=-1)
        return np.concatenate([np.zeros_like(q[..., :1]), np.clip(-x @ K.T, -LIMIT, LIMIT)], axis=-1)

    return sd.simulate(robot, q0, control=torque, duration=duration, step=STEP, sampled=True)


def came_back(motion: sd.Trajectory) -> np.ndarray:
    """Is a state of the batch at rest upright at the end, without having tumbled in between?"""
    x = np.concatenate([motion.q - UPRIGHT, motion.v], axis=-1)
    return (np.abs(x[-1]).max(axis=-1) < 0.05) & (np.abs(x[..., 0]).max(axis=0) < np.pi / 2)


def main(out: Path, cells: int = 41, duration: float = 6.0) -> dict[str, float]:
    """One motion beside its linear model, and the states that come back."""
    robot = acrobot()
    found = regulator(robot)
    K, A, B = found.K, found.A, found.B
    away = np.array([0.08, -0.05])
    motion = balanced(robot, K, UPRIGHT + away, duration)
    linear = [np.concatenate([away, np.zeros(2)])]
    for _ in motion.t[1:]:
        linear.append((A - B @ K) @ linear[-1])
    predicted = np.array(linear)

    span = np.linspace(-0.6, 0.6, cells)
    shoulder, elbow = np.meshgrid(span, span, indexing="ij")
    starts = UPRIGHT + np.stack([shoulder, elbow], axis=-1)
    back = came_back(balanced(robot, K, starts, duration))

    figure, (left, right) = panels(5.2, 4.0)
    for i, (name, colour) in enumerate((("shoulder (passive)", BLUE), ("elbow", ORANGE))):
        left.plot(motion.t, motion.q[:, i] - UPRIGHT[i], color=colour, label=name)
        left.plot(motion.t, predicted[:, i], color=BLACK, linestyle=":", linewidth=1.0)
    left.set_xlim(0, 4)
    label(left, "one motion; dotted: as the linear model has it", y="from upright (rad)")
    right.contourf(span, span, back.T.astype(float), levels=[0.5, 1.5], colors=[BLUE], alpha=0.35)
    right.plot(*away, "o", color=RED, markersize=4)
    label(right, "rests from which it comes back", "shoulder (rad)", "elbow (rad)", legend=False)
    save(figure, out, "acrobot_lqr")
    small = balanced(robot, K, UPRIGHT + 1e-4 * away, 1.0)
    expected = np.linalg.matrix_power(A - B @ K, len(small.t) - 1) @ np.concatenate([away, np.zeros(2)])
    return {
        "largest eigenvalue of a step without control": float(np.abs(np.linalg.eigvals(A)).max()),
        "largest eigenvalue of a step with control": float(np.abs(np.linalg.eigvals(A - B @ K)).max()),
        "error of the linear model, 1e-4 of the way": float(
            np.abs((small.q[-1] - UPRIGHT) * 1e4 - expected[:2]).max() / np.abs(expected[:2]).max()
        ),
        "distance from upright at the end": float(np.abs(motion.q[-1] - UPRIGHT).max()),
        "share of the rests that come back": float(back.mean()),
        "force in the passive joint": float(np.abs(motion.tau[:, 0]).max()),
        "relative energy drift": motion.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
