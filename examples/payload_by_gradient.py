"""What does the hand hold? Mass and mass centre of a payload from torques, by gradients in the robot's constants.

`arm.parametric("tool0.mass", "tool0.com")` is a UR5 whose payload is an argument. The torques along a motion have to
agree with inverse dynamics; Gauss-Newton steps lower the sum of squared residuals. The residuals' Jacobian by the four
numbers comes from `jvp`, all states at once; the gradient of the sum from one `vjp`, with the residuals as weights.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREY, ORANGE, RED, label, panels, run, save

PAYLOAD = np.array([2.0, 0.03, -0.02, 0.12])  # mass in kg, mass centre in the tool's axes in m
NOISE = 0.5  # N m, of the torque sensors
Vectors = tuple[np.ndarray, np.ndarray, np.ndarray]


def excitation(arm: sd.Robot, rng: np.random.Generator, samples: int) -> Vectors:
    """q, v, a along a motion of ten seconds in which each joint swings with two sines."""
    t = np.linspace(0.0, 10.0, samples)[:, None, None]
    amplitude, phase = rng.uniform(0.3, 0.8, (2, arm.nv)), rng.uniform(0, 2 * np.pi, (2, arm.nv))
    w = 2 * np.pi * np.array([[0.2], [0.5]])
    q = (amplitude * np.sin(w * t + phase)).sum(axis=1)
    v = (w * amplitude * np.cos(w * t + phase)).sum(axis=1)
    return q, v, -(w**2 * amplitude * np.sin(w * t + phase)).sum(axis=1)


def residuals(held: sd.robot.ParametricRobot, motion: Vectors, measured: np.ndarray, x: np.ndarray) -> np.ndarray:
    """What inverse dynamics with the payload x has more than was measured, (samples, nv)."""
    return np.asarray(held.inverse_dynamics(*motion, x[0], x[1:])) - measured


def jacobian(held: sd.robot.ParametricRobot, motion: Vectors, x: np.ndarray) -> np.ndarray:
    """How torques change with the payload's four numbers, (samples, nv, 4)."""
    at = (*(part[:, None] for part in motion), x[0], x[1:])
    mass, com = np.eye(4)[:, 0], np.eye(4)[:, 1:]
    _, columns = held.jvp("inverse_dynamics", at, (None, None, None, mass, com))
    return np.asarray(columns).swapaxes(-1, -2)


def gradient(held: sd.robot.ParametricRobot, motion: Vectors, r: np.ndarray, x: np.ndarray) -> np.ndarray:
    """That of half the sum of squares, (4,): the batch's gradients summed, because the payload is one for all."""
    _, (*_, by_mass, by_com) = held.vjp("inverse_dynamics", (*motion, x[0], x[1:]), r)
    return np.concatenate([[by_mass.sum()], by_com.sum(axis=0)])


def fitted(held: sd.robot.ParametricRobot, motion: Vectors, measured: np.ndarray, steps: int) -> list[np.ndarray]:
    """Gauss-Newton from a payload of one kilogram at the flange: all iterates."""
    iterates = [np.array([1.0, 0.0, 0.0, 0.0])]
    for _ in range(steps):
        x = iterates[-1]
        J, r = jacobian(held, motion, x), residuals(held, motion, measured, x)
        iterates.append(x - np.linalg.solve(np.einsum("tij,tik->jk", J, J), gradient(held, motion, r, x)))
    return iterates


def main(out: Path, samples: int = 1000, steps: int = 8) -> dict[str, float]:
    """Measure with noise, fit, compare with what was held."""
    arm, rng = sd.load("ur5"), np.random.default_rng(0)
    held = arm.parametric("tool0.mass", "tool0.com")
    motion = excitation(arm, rng, samples)
    # Measured on a robot made otherwise: with the payload as a body, not as arguments.
    loaded = arm.with_payload("tool0", PAYLOAD[0], PAYLOAD[1:])
    measured = loaded.inverse_dynamics(*motion) + NOISE * rng.normal(size=motion[0].shape)

    iterates = np.array(fitted(held, motion, measured, steps))
    final = residuals(held, motion, measured, iterates[-1])
    J = jacobian(held, motion, iterates[-1])
    deviation = NOISE * np.sqrt(np.diag(np.linalg.inv(np.einsum("tij,tik->jk", J, J))))
    sizes = [np.linalg.norm(gradient(held, motion, residuals(held, motion, measured, x), x)) for x in iterates]

    figure, (left, middle, right) = panels(3.4, 3.4, 3.6)
    for i, (name, colour) in enumerate((("mass (kg)", BLUE), ("x (dm)", ORANGE), ("y (dm)", GREY), ("z (dm)", RED))):
        scale = 1.0 if i == 0 else 10.0
        left.plot(scale * iterates[:, i], "-o", color=colour, label=name, markersize=3)
        left.axhline(scale * PAYLOAD[i], color=colour, linestyle=":", linewidth=1.0)
    left.margins(y=0.3)
    label(left, "the payload; dotted: what is held", "step")
    middle.semilogy(sizes, "-o", color=BLUE, markersize=3)
    label(middle, "size of the gradient", "step")
    times = np.linspace(0.0, 10.0, samples)
    first = residuals(held, motion, measured, iterates[0])
    right.plot(times, first[:, 1], color=ORANGE, linewidth=0.8, label="first guess")
    right.plot(times, final[:, 1], color=BLUE, linewidth=0.8, label="found")
    label(right, "torque unexplained, second joint", y="N m")
    save(figure, out, "payload_by_gradient")
    return {
        "error of the mass (kg)": float(abs(iterates[-1, 0] - PAYLOAD[0])),
        "error of the mass centre (mm)": float(1e3 * np.abs(iterates[-1, 1:] - PAYLOAD[1:]).max()),
        "largest error, in standard deviations": float((np.abs(iterates[-1] - PAYLOAD) / deviation).max()),
        "size of the gradient, last by first": float(sizes[-1] / sizes[0]),
        "unexplained torque at first (N m, rms)": float(np.sqrt((first**2).mean())),
        "unexplained torque at last (N m, rms)": float(np.sqrt((final**2).mean())),
    }


if __name__ == "__main__":
    run(main)
