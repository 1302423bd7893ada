"""A flexible link as a chain of stiff segments with passive spring joints between them (004, introduction, item 3).

A beam of length L, bending stiffness EI and mass per length rho A is cut into n segments of length h = L/n; a spring of
stiffness EI/h sits in the middle of each, which keeps half a segment stiff at either end. Euler and Bernoulli's clamped
beam swings with

    f_i = (b_i L)² / (2 pi L²) sqrt(EI / rho A),        b_1 L = 1.8751, b_2 L = 4.6941

and the chain's frequencies come close as 1/n². The hub that the beam is clamped in is the one active joint.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.linalg import eigh

import soadyn as sd
from pictures import BLACK, BLUE, GREY, ORANGE, RED, draw_sticks, label, panels, points, run, save
from soadyn.model.shapes import rod

# An aluminium strip of 1 m by 40 mm by 3 mm: E = 69 GPa, 2700 kg/m³.
L, EI, RHO_A = 1.0, 69e9 * 0.040 * 0.003**3 / 12, 2700 * 0.040 * 0.003
CLAMPED_FREE = np.array([1.875104068711961, 4.694091132974175])
Plan = Callable[[float], float]
TURN, TURN_TIME = 1.0, 1.2  # rad, s


def beam(n: int) -> tuple[sd.Robot, list[sd.Spring]]:
    """A hub turning about z, with a beam of n segments along x clamped to it; the springs that bend it."""
    h = L / n
    b = sd.Builder(f"beam_{n}", gravity=(0, 0, 0))
    b.link("hub", rod((0, 0, 0), (h / 2, 0, 0), RHO_A * h / 2), joint_name="motor")
    parent, springs = "hub", []
    for k in range(1, n + 1):
        length = h if k < n else h / 2
        body = rod((0, 0, 0), (length, 0, 0), RHO_A * length)
        place = (h / 2 if k == 1 else h, 0, 0)
        parent = b.link(f"segment_{k}", body, parent, origin=place, joint_name=f"bend_{k}")
        springs.append(sd.Spring(f"bend_{k}", EI / h))
    b.frame("tip", parent, (h / 2, 0, 0))
    return sd.build(b), springs


def frequencies(n: int) -> np.ndarray:
    """The two lowest frequencies (Hz) with the hub held: those of M_pp and the springs."""
    robot, _ = beam(n)
    M = robot.mass_matrix(robot.neutral())[1:, 1:]
    w2 = eigh(np.eye(n) * EI * n / L, M, eigvals_only=True)
    return np.sqrt(w2[:2]) / (2 * np.pi)


def smooth(t: float) -> float:
    """Acceleration of the hub for a turn from rest to rest: a fifth-order polynomial."""
    s = t / TURN_TIME
    return TURN / TURN_TIME**2 * (60 * s - 180 * s**2 + 120 * s**3) if 0 <= s <= 1 else 0.0


def abrupt(t: float) -> float:
    """The same turn with the least acceleration: full ahead, then full back."""
    return 4 * TURN / TURN_TIME**2 * (1 if t < TURN_TIME / 2 else -1) if t < TURN_TIME else 0.0


def turned(robot: sd.Robot, laws: list[sd.Spring | sd.Damper], plan: Plan, duration: float) -> sd.Trajectory:
    """The beam's motion when the hub turns as planned."""

    def wanted(t: float, q: np.ndarray, v: np.ndarray, passive: np.ndarray) -> np.ndarray:
        return np.r_[plan(t), np.zeros(robot.nv - 1)]

    return sd.simulate(
        robot,
        robot.neutral(),
        duration=duration,
        step=1e-3,
        record_every=2e-3,
        prescribed=sd.Prescribed(wanted, passive=robot.joint_names[1:]),
        joint_forces=laws,
    )


def main(out: Path, duration: float = 2.0, segments: int = 8) -> dict[str, float]:
    """Turns the beam twice, abruptly and smoothly, and measures how it swings on."""
    exact = CLAMPED_FREE**2 / (2 * np.pi * L**2) * np.sqrt(EI / RHO_A)
    counts = [2, 4, 8, 16, 32]
    errors = np.array([frequencies(n) / exact - 1 for n in counts])
    robot, springs = beam(segments)
    laws: list[sd.Spring | sd.Damper] = [*springs, *(sd.Damper(s.joint, 0.02) for s in springs)]
    runs = {plan.__name__: turned(robot, laws, plan, duration) for plan in (abrupt, smooth)}
    figure, (left, middle, right) = panels(3.2, 3.4, 3.6)
    left.loglog(counts, np.abs(errors[:, 0]), "-o", color=BLUE, label="first bending mode")
    left.loglog(counts, np.abs(errors[:, 1]), "-o", color=RED, label="second")
    left.loglog(counts, 0.5 / np.array(counts) ** 2, ":", color=GREY, label="1/n²")
    left.set_xticks(counts, [str(n) for n in counts])
    left.minorticks_off()
    label(left, "frequency against Euler-Bernoulli", "segments n", "relative error")
    shapes = points(robot, runs["abrupt"].q[runs["abrupt"].t <= TURN_TIME][::60], "tip")
    draw_sticks(middle, shapes, (0, 1))
    label(middle, "an abrupt turn by 1 rad", "x (m)", "y (m)")
    swings = {}
    for (name, trajectory), colour in zip(runs.items(), (ORANGE, BLACK), strict=True):
        tip, angle = points(robot, trajectory.q, "tip")[:, -1], trajectory.q[:, 0]
        away = 1e3 * (np.cos(angle) * tip[:, 1] - np.sin(angle) * tip[:, 0])
        right.plot(trajectory.t, away, color=colour, label=f"{name} turn")
        after = away[trajectory.t > TURN_TIME]
        swings[name] = float(np.ptp(after)) / 2 if len(after) else float("nan")
    label(right, "tip beside the hub's direction", y="mm")
    save(figure, out, "flexible_link")
    return {
        "first frequency of the beam (Hz)": float(exact[0]),
        "error of the first frequency, 8 segments": float(errors[2, 0]),
        "error of the first frequency, 32 segments": float(errors[4, 0]),
        "order of convergence": float(np.log2(errors[3, 0] / errors[4, 0])),
        "swing after an abrupt turn (mm)": swings["abrupt"],
        "swing after a smooth turn (mm)": swings["smooth"],
        "hub's angle after the turn (rad)": float(runs["smooth"].q[-1, 0]),
        "relative energy drift": max(r.relative_energy_drift for r in runs.values()),
    }


if __name__ == "__main__":
    run(main)
