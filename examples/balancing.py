"""What Acrobot, Pendubot and cart-pole share: linear-quadratic balance with the active joint's acceleration as input.

By hybrid dynamics the active joint does what it is told, b_a = u, and the passive one follows,
b_p = -M_pp⁻¹ (M_pa u + C_p): partial feedback linearization (M. W. Spong, ICRA 1994) without writing out a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.linalg import solve_continuous_are

import soadyn as sd
from pictures import BLUE, GREY, ORANGE, RED, draw_sticks, label, panels

Plan = Callable[[float, np.ndarray, np.ndarray], float]


@dataclass(frozen=True)
class Balance:
    """u = -K x about an upright rest, and the cost x* S x that remains from a state."""

    upright: np.ndarray
    turns: np.ndarray  # which coordinates are angles
    K: np.ndarray
    S: np.ndarray

    def state(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """x: slides and angles from upright, the latter by less than half a turn, then rates."""
        away = q - self.upright
        return np.concatenate([np.where(self.turns, (away + np.pi) % (2 * np.pi) - np.pi, away), v], axis=-1)

    def cost(self, q: np.ndarray, v: np.ndarray) -> float:
        x = self.state(q, v)
        return float(x @ self.S @ x)

    def acceleration(self, q: np.ndarray, v: np.ndarray) -> float:
        return float(-self.K @ self.state(q, v))


def linearised(robot: sd.Robot, passive: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x' = A x + B u at rest in q, u being the active joint's acceleration.

    The motor's force is what makes it so: u = A_a x + B_a dT, with the row of the active joint.
    """
    still = np.zeros(robot.nv)
    A, B = robot.linearize(q, still, robot.gravity_force(q), passive=[passive])
    active = robot.nv + next(i for i, name in enumerate(robot.joint_names) if name != passive)
    per_force = B / B[active]
    return A - per_force @ A[active : active + 1], per_force


def balance(robot: sd.Robot, passive: str, upright: np.ndarray, Q: np.ndarray, R: float) -> Balance:
    """The linear-quadratic regulator."""
    A, B = linearised(robot, passive, upright)
    S = solve_continuous_are(A, B, Q, np.array([[R]]))
    turns = np.array([joint.kind != "prismatic" for joint in robot.model.joints])
    return Balance(upright, turns, (B.T @ S / R)[0], S)


def swing_up_and_balance(
    robot: sd.Robot, passive: str, swing: Plan, keep: Balance, basin: float, q0: np.ndarray, **options: Any
) -> tuple[sd.Trajectory, float]:
    """The motion under `swing` until the balance's cost is below `basin`, and when that was."""
    active = np.array([0.0 if name == passive else 1.0 for name in robot.joint_names])
    caught: list[float] = []

    def wanted(t: float, q: np.ndarray, v: np.ndarray, passive: np.ndarray) -> np.ndarray:
        if not caught and keep.cost(q, v) < basin:
            caught.append(t)
        return active * (keep.acceleration(q, v) if caught else swing(t, q, v))

    trajectory = sd.simulate(robot, q0, prescribed=sd.Prescribed(wanted, passive=[passive]), sampled=True, **options)
    return trajectory, caught[0] if caught else float("nan")


def energy(robot: sd.Robot, q: np.ndarray, v: np.ndarray) -> float:
    """Kinetic and potential energy, J."""
    return float(robot.kinetic_energy(q, v) + robot.potential_energy(q))


def figures(trajectory: sd.Trajectory, robot: sd.Robot, passive: str, keep: Balance, caught: float) -> dict[str, float]:
    """What an example tells: caught when, how still at the end, what it took, what the stepper lost."""
    idle = robot.joint_dofs(passive)[0]
    return {
        "caught at (s)": caught,
        "distance from upright at the end": float(np.abs(keep.state(trajectory.q[-1], trajectory.v[-1])).max()),
        "largest actuator force": float(np.abs(trajectory.tau).max()),
        "force in the passive joint": float(np.abs(trajectory.tau[:, idle]).max()),
        "relative energy drift": trajectory.relative_energy_drift,
    }


def picture(
    trajectory: sd.Trajectory, robot: sd.Robot, shapes: np.ndarray, names: tuple[str, str], caught: float, unit: str
) -> Figure:
    """Shapes up to the catch, coordinates, and the actuator's force."""
    figure, (left, middle, right) = panels(3.0, 3.7, 3.5)
    rising = (trajectory.t <= caught + 0.5) & (trajectory.t >= caught - 2.0)
    draw_sticks(left, shapes[rising][::8], (0, 2))
    label(left, "the last swing and the catch", "x (m)", "z (m)")
    for i, (name, colour) in enumerate(zip(names, (BLUE, ORANGE), strict=True)):
        middle.plot(trajectory.t, trajectory.q[:, i], color=colour, label=name)
    middle.margins(y=0.2)
    label(middle, "coordinates", y="rad, m")
    active = int(np.abs(trajectory.tau).max(axis=0).argmax())
    right.plot(trajectory.t, trajectory.tau[:, active], color=RED, linewidth=0.9)
    label(right, "what the actuator gives", y=unit)
    for ax in (middle, right):
        ax.axvline(caught, color=GREY, linestyle=":")
    return figure
