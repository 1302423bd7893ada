"""An Acrobot is swung up by iterative linear-quadratic regulation: optimal control, with the elbow's torque alone.

The method is Li and Todorov's (Iterative linear quadratic regulator design for nonlinear biological movement systems,
ICINCO 2004). Around a motion the steps are linear, x' = A x + B u, and the cost is quadratic; a Riccati recursion from
the end to the beginning gives corrections k and feedback gains K; the new motion follows them, and all repeats. One
call of `linearize(step=h)` linearizes all steps, as a batch. The line search follows twelve motions at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import soadyn as sd
from acrobot import UPRIGHT, acrobot
from pictures import BLUE, GREEN, ORANGE, RED, draw_sticks, label, panels, points, run, save

STEP = 0.02
EFFORT = 0.05  # the cost of torque, per (N m)^2 s
RUNNING = np.diag([0.05, 0.05, 0.05, 0.05])
FINAL = np.diag([3000.0, 3000.0, 500.0, 500.0])
SCALES = 0.6 ** np.arange(12)  # of the correction, tried at once


@dataclass(frozen=True)
class Motion:
    """States (..., steps + 1, 2) each of q and v, torques of the elbow (..., steps), and the cost."""

    q: np.ndarray
    v: np.ndarray
    u: np.ndarray
    cost: np.ndarray

    @property
    def x(self) -> np.ndarray:
        """Away from upright at rest: the angles are counted, not wrapped, so it swings up one way round."""
        return np.concatenate([self.q - UPRIGHT, self.v], axis=-1)


def stepped(robot: sd.Robot, q: np.ndarray, v: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One step of RK4 with the torque u held, as `linearize(step=STEP)` differentiates it."""
    tau = np.stack([np.zeros_like(u), u], axis=-1)

    def after(h: float, dq: np.ndarray, dv: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return v + h * dv, robot.forward_dynamics(q + h * dq, v + h * dv, tau)

    slopes = [after(0.0, v, v)]
    for h in (STEP / 2, STEP / 2, STEP):
        slopes.append(after(h, *slopes[-1]))
    dq, dv = (sum(w * slope[i] for w, slope in zip((1, 2, 2, 1), slopes, strict=True)) / 6 for i in (0, 1))
    return q + STEP * dq, v + STEP * dv


def followed(robot: sd.Robot, old: Motion, k: np.ndarray, K: np.ndarray, scales: np.ndarray) -> Motion:
    """The motions under u + scale k + K (x - x_old), one for each scale."""
    q, v = (np.repeat(x[None, 0], len(scales), axis=0) for x in (old.q, old.v))
    states, torques, cost = [(q, v)], [], np.zeros(len(scales))
    for t, u_old in enumerate(old.u):
        x = np.concatenate([q - UPRIGHT, v], axis=-1)
        u = u_old + scales * k[t] + (x - old.x[t]) @ K[t]
        cost += STEP * (np.einsum("si,ij,sj->s", x, RUNNING, x) + EFFORT * u**2) / 2
        q, v = stepped(robot, q, v, u)
        states.append((q, v))
        torques.append(u)
    x = np.concatenate([q - UPRIGHT, v], axis=-1)
    cost += np.einsum("si,ij,sj->s", x, FINAL, x) / 2
    found = [np.stack([state[i] for state in states], axis=1) for i in (0, 1)]
    return Motion(found[0], found[1], np.stack(torques, axis=1), np.where(np.isfinite(cost), cost, np.inf))


def corrections(robot: sd.Robot, motion: Motion, damping: float) -> tuple[np.ndarray, np.ndarray]:
    """k (steps,) and K (steps, 4), by the Riccati recursion from the end to the beginning."""
    tau = np.stack([np.zeros_like(motion.u), motion.u], axis=-1)
    A, B = robot.linearize(motion.q[:-1], motion.v[:-1], tau, passive=["shoulder"], step=STEP)
    S, s = FINAL, FINAL @ motion.x[-1]
    k, K = np.zeros(len(motion.u)), np.zeros((len(motion.u), 4))
    for t in range(len(motion.u) - 1, -1, -1):
        by_x = STEP * RUNNING @ motion.x[t] + A[t].T @ s
        by_u = STEP * EFFORT * motion.u[t] + B[t, :, 0] @ s
        xx, ux = STEP * RUNNING + A[t].T @ S @ A[t], B[t, :, 0] @ S @ A[t]
        uu = STEP * EFFORT + B[t, :, 0] @ S @ B[t, :, 0] + damping
        k[t], K[t] = -by_u / uu, -ux / uu
        s, S = by_x + ux * k[t], xx + np.outer(ux, K[t])
        S = (S + S.T) / 2
    return k, K


def improved(robot: sd.Robot, motion: Motion, iterations: int) -> tuple[Motion, list[float]]:
    """The motion found, and the costs on the way; damping grows where no scale helps."""
    damping, costs = 1.0, [float(motion.cost)]
    for _ in range(iterations):
        k, K = corrections(robot, motion, damping)
        with sd.errstate("ignore"):  # a correction that is too long may lead nowhere
            tried = followed(robot, motion, k, K, SCALES)
        best = int(np.argmin(tried.cost))
        if tried.cost[best] >= motion.cost:
            damping *= 5
            continue
        motion = Motion(tried.q[best], tried.v[best], tried.u[best], tried.cost[best])
        damping = max(damping / 3, 1e-8)
        costs.append(float(motion.cost))
        if costs[-2] - costs[-1] < 3e-4 * costs[-1]:
            break
    return motion, costs


def hanging(robot: sd.Robot, steps: int) -> Motion:
    """What a small torque does to the robot at the bottom: something to begin with."""
    still = np.zeros((steps + 1, 2))
    nothing = Motion(still, still, 2.0 * np.sin(3.0 * STEP * np.arange(steps)), np.zeros(()))
    started = followed(robot, nothing, np.zeros(steps), np.zeros((steps, 4)), np.ones(1))
    return Motion(started.q[0], started.v[0], started.u[0], started.cost[0])


def main(out: Path, duration: float = 5.0, iterations: int = 300) -> dict[str, float]:
    """From the bottom to the top within `duration`, and the same torques in `simulate`."""
    robot = acrobot()
    begin = hanging(robot, round(duration / STEP))
    motion, costs = improved(robot, begin, iterations)

    times = STEP * np.arange(len(motion.q))
    figure, (shapes, angles, torque, cost) = panels(2.9, 3.4, 3.0, 3.0)
    draw_sticks(shapes, points(robot, motion.q, "tip")[::8], (0, 2))
    label(shapes, "the motion found", "x (m)", "z (m)")
    for i, (name, colour) in enumerate((("shoulder (passive)", BLUE), ("elbow", ORANGE))):
        angles.plot(times, motion.q[:, i], color=colour, label=name)
    label(angles, "coordinates", y="rad")
    torque.plot(times[:-1], begin.u, color=GREEN, linewidth=0.9, label="first guess")
    torque.plot(times[:-1], motion.u, color=RED, linewidth=1.2, label="found")
    label(torque, "torque of the elbow", y="N m")
    cost.semilogy(costs, color=BLUE)
    label(cost, "cost", "iteration")
    save(figure, out, "acrobot_ilqr")

    check = sd.simulate(
        robot, np.zeros(2), torque=lambda t, q, v: [0.0, motion.u[min(round(t / STEP), len(motion.u) - 1)]],
        duration=duration, step=STEP, sampled=True,
    )  # fmt: skip
    return {
        "iterations that lowered the cost": len(costs) - 1,
        "cost at the beginning": costs[0],
        "cost at the end": costs[-1],
        "distance from upright at the end": float(np.abs(motion.x[-1]).max()),
        "largest torque (N m)": float(np.abs(motion.u).max()),
        "difference from simulate (rad)": float(np.abs(check.q[-1] - motion.q[-1]).max()),
        "relative energy drift": check.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
