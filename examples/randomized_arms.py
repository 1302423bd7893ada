"""Ten thousand UR5 that differ: how far do wrong masses, damping and friction take a controller from its path?

Every row of the batch has its own masses (5 % off, one standard deviation), its own damping and dry friction. All are
driven by `ComputedTorque` with the nominal model along one path, inside the machine code of the simulation.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREY, ORANGE, label, panels, run, save

DURATION, STEP = 2.0, 0.002
ERROR = 0.05  # of masses, one standard deviation
REST = np.array([0.0, -1.2, 1.4, -0.2, 0.5, 0.0])
SWING = np.array([0.8, 0.4, -0.5, 0.3, 0.6, 0.5])
# Damping in N m s/rad and friction in N m, at most.
LOSSES = {"shoulder_pan": 1.0, "shoulder_lift": 1.0, "elbow": 0.5, "wrist_1": 0.05, "wrist_2": 0.05, "wrist_3": 0.01}


def path(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v and a of a swing out and back that starts and ends at rest."""
    w = np.pi / DURATION
    s, ds, dds = np.sin(w * t) ** 2, w * np.sin(2 * w * t), 2 * w**2 * np.cos(2 * w * t)
    return REST + s[:, None] * SWING, ds[:, None] * SWING, dds[:, None] * SWING


def varied(
    arm: sd.Robot, rows: int, rng: np.random.Generator
) -> tuple[sd.robot.ParametricRobot, dict[str, np.ndarray]]:
    """The arm with its masses, damping and friction as parameters, and their values, a row for each arm."""
    masses = [f"{link.name}.mass" for link in arm.model.links]
    losses = [f"{name}.{kind}" for name in arm.joint_names for kind in ("damping", "friction")]
    values = {
        name: link.mass * (1 + ERROR * rng.standard_normal(rows))
        for name, link in zip(masses, arm.model.links, strict=True)
    }
    values |= {name: rng.uniform(0.0, LOSSES[name.partition("_joint")[0]], (rows, 1)) for name in losses}
    return arm.parametric(*masses, *losses), values


def main(out: Path, rows: int = 10_000) -> dict[str, float]:
    """Simulate all of them, and draw how far their tools are from the path."""
    arm, rng = sd.load("ur5"), np.random.default_rng(0)
    t = np.linspace(0.0, DURATION, 201)
    wanted = path(t)
    follow = sd.control.ComputedTorque(arm, *(sd.TimeSeries(t, x) for x in wanted), bandwidth=20.0)
    others, values = varied(arm, rows, rng)
    begin = time.perf_counter()
    runs = sd.simulate(
        others, wanted[0][0], control=follow, duration=DURATION, step=STEP, record_every=0.05, parameters=values
    )
    taken = time.perf_counter() - begin
    tools = arm.pose(runs.q, "tool0")[..., :3, 3]
    nominal = arm.pose(path(runs.t)[0], "tool0")[..., :3, 3]
    miss = 1e3 * np.linalg.norm(tools - nominal[:, None], axis=-1)

    figure, (left, right) = panels(4.6, 4.6)
    some = min(rows, 30)
    left.plot(runs.t, 1e3 * (tools[:, :some, 2] - nominal[:, None, 2]), color=BLUE, linewidth=0.3, alpha=0.4)
    label(left, f"tool above its path, {some} of {rows:,} arms", y="mm")
    shares = np.percentile(miss, [5, 25, 50, 75, 95], axis=1)
    right.fill_between(runs.t, shares[0], shares[4], color=GREY, alpha=0.4, label="5 to 95 %")
    right.fill_between(runs.t, shares[1], shares[3], color=BLUE, alpha=0.4, label="25 to 75 %")
    right.plot(runs.t, shares[2], color=ORANGE, label="median")
    label(right, "distance from the path", y="mm")
    save(figure, out, "randomized_arms")
    return {
        "median of the largest distance (mm)": float(np.median(miss.max(axis=0))),
        "95 % of the arms stay within (mm)": float(np.percentile(miss.max(axis=0), 95)),
        "steps": float(rows * round(DURATION / STEP)),
        "microseconds a step, compiling included": 1e6 * taken / (rows * round(DURATION / STEP)),
    }


if __name__ == "__main__":
    run(main)
