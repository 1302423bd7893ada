"""Active joints that lead a frame's origin along a path whatever the passive joints do (004, section 6.2).

    b_a = J_G⁺ [x'' + K_d (x' - v) + K_p (x - p) - drift] + (I - J_G⁺ J_G) rest

J_G is the generalized Jacobian of the set that is passive at the time, the drift is the frame's acceleration while the
active joints have none; so a planner of this kind is re-planned on the spot when a joint fails. It keeps the frame on
its path; what the passive joints do meanwhile is theirs, and need not be stable: a tip behind a springy passive joint
runs away as that of a flexible arm would.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import soadyn as sd

Path3 = Callable[[float], tuple[np.ndarray, np.ndarray, np.ndarray]]  # position, velocity, acceleration
Planner = Callable[[float, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def following(
    robot: sd.Robot,
    frame: str,
    path: Path3,
    rows: list[int],
    posture: np.ndarray,
    forces: sd.JointForces,
    stiffness: float = 100.0,
    damping: float = 1e-3,
) -> Planner:
    """A planner for `simulate`. `rows` are those of the frame's linear motion that matter, 3 to 5.

    What is left of the active joints' freedom draws them to `posture`. `damping` bounds J_G⁺ near singular places.
    """
    places = [row - 3 for row in rows]

    def wanted(t: float, q: np.ndarray, v: np.ndarray, passive: np.ndarray) -> np.ndarray:
        active = ~passive
        x, speed, acceleration = (part[places] for part in path(t))
        p, velocity = robot.pose(q, frame)[:3, 3][places], robot.frame_velocity(q, v, frame)[rows]
        J = robot.generalized_jacobian(q, frame, passive)[rows]
        drift = robot.generalized_drift(q, v, frame, passive, tau=forces(t, q, v))[rows]
        task = acceleration + 2 * np.sqrt(stiffness) * (speed - velocity) + stiffness * (x - p) - drift
        inverse = J.T @ np.linalg.inv(J @ J.T + damping**2 * np.eye(len(rows)))
        rest = 4.0 * (posture - q)[active] - 4.0 * v[active]
        a = np.zeros(robot.nv)
        a[active] = inverse @ task + rest - inverse @ (J @ rest)
        return a

    return wanted


def circle(center: np.ndarray, across: np.ndarray, up: np.ndarray, period: float, ease: float = 1.0) -> Path3:
    """A circle through center + across, run once a period; speed comes up within `ease` seconds."""
    w = 2 * np.pi / period

    def path(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if t < ease:  # the phase's rate rises as a smooth step
            s = t / ease
            phase = w * ease * (s**3 - s**4 / 2)
            rate, rate2 = w * (3 * s**2 - 2 * s**3), w / ease * (6 * s - 6 * s**2)
        else:
            phase, rate, rate2 = w * (t - ease / 2), w, 0.0
        c, s = np.cos(phase), np.sin(phase)
        along, inward = -s * across + c * up, c * across + s * up
        return center + inward, rate * along, rate2 * along - rate**2 * inward

    return path
