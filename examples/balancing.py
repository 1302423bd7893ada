"""What Acrobot, Pendubot and cart-pole share: linear-quadratic balance with the active joint's acceleration as input.

By hybrid dynamics the active joint does what it is told, b_a = u, and the passive one follows,
b_p = -M_pp⁻¹ (M_pa u + C_p): partial feedback linearization (M. W. Spong, ICRA 1994) without writing out a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_continuous_are

import soadyn as sd

Plan = Callable[[float, np.ndarray, np.ndarray], float]


@dataclass(frozen=True)
class Balance:
    """u = -K x about an upright rest, and the cost x* S x that remains from a state."""

    upright: np.ndarray
    K: np.ndarray
    S: np.ndarray

    def state(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """x: angles and slides from upright, angles by less than half a turn, then rates."""
        away = q - self.upright
        turns = np.isfinite(self.upright) & self.wraps
        return np.concatenate([np.where(turns, (away + np.pi) % (2 * np.pi) - np.pi, away), v], axis=-1)

    wraps: Any = True

    def cost(self, q: np.ndarray, v: np.ndarray) -> float:
        x = self.state(q, v)
        return float(x @ self.S @ x)

    def acceleration(self, q: np.ndarray, v: np.ndarray) -> float:
        return float(-self.K @ self.state(q, v))


def linearised(robot: sd.Robot, passive: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x' = A x + B u at rest in q, exact to rounding: complex steps through the NumPy reference."""
    exact: Any = robot.with_backend("numpy")
    n, h = robot.nv, 1e-30
    active = np.array([0.0 if name == passive else 1.0 for name in robot.joint_names])

    def acceleration(dq: np.ndarray, dv: np.ndarray, u: complex) -> np.ndarray:
        a, _ = exact.hybrid_dynamics(q + dq, dv + 0j, a=active * u, tau=np.zeros(n, dtype=complex), passive=[passive])
        return a.imag / h

    still, steps = np.zeros(n, dtype=complex), 1j * h * np.eye(n)
    by_q = np.stack([acceleration(step, still, 0j) for step in steps], axis=1)
    by_v = np.stack([acceleration(still, step, 0j) for step in steps], axis=1)
    by_u = acceleration(still, still, 1j * h)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [by_q, by_v]])
    return A, np.concatenate([np.zeros(n), by_u])[:, None]


def balance(robot: sd.Robot, passive: str, upright: np.ndarray, Q: np.ndarray, R: float) -> Balance:
    """The linear-quadratic regulator."""
    A, B = linearised(robot, passive, upright)
    S = solve_continuous_are(A, B, Q, np.array([[R]]))
    wraps = np.array([robot.model.joints[k].kind != "prismatic" for k in range(robot.nv)])
    return Balance(upright, (B.T @ S / R)[0], S, wraps)


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

    trajectory = sd.simulate(robot, q0, acceleration=wanted, passive=[passive], **options)
    return trajectory, caught[0] if caught else float("nan")


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
