"""The methods of `simulate`: measured order, energy over many steps, cost of a step.

Run it with `.venv/bin/python benchmarks/integrators.py [--steps 1000000] [--plot energy.png]`; it prints Markdown.

The robot is a Panda, seven joints, that falls and swings without damping and limits from a pose in which it holds about
93 J. Orders come from the last states of 0.25 s with three step lengths, compared with "rk4" at a 32nd of the shortest.
Energies are those of 10^6 steps of 1 ms (and of the two-link arm, of 5 ms): the largest error in the first and in the
last tenth of the records. Costs are processor time of a step, the best of several runs.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from typing import Any

import numpy as np

import soadyn as sd
from soadyn.simulation.run.integrators import INTEGRATORS

FREELY: dict[str, Any] = {"stops": False, "effort_limit": None, "joint_forces": False}
POSE = np.array([0.3, -0.5, 0.2, -1.5, 0.1, 1.5, 0.3])
TIME = 0.25


def moved(arm: sd.Robot, method: str, step: float, **given: Any) -> np.ndarray:
    """The last state."""
    run = sd.simulate(arm, POSE, duration=TIME, step=step, record_every=TIME, method=method, **{**FREELY, **given})
    return np.concatenate([run.q[-1], run.v[-1]])


def order(arm: sd.Robot, method: str) -> str:
    """The order of the error in the step, or in the tolerance."""
    if method == "adaptive":
        rtols = (1e-6, 1e-8, 1e-10)
        true = moved(arm, "rk4", 1e-4 / 8)
        off = [np.abs(moved(arm, method, 1e-3, rtol=r, atol=r / 100) - true).max() for r in rtols]
        return "error " + ", ".join(f"{x:.0e}" for x in off) + " at rtol " + ", ".join(f"{r:.0e}" for r in rtols)
    laws = {"joint_forces": [sd.Spring("panda_joint2", 300.0), sd.Damper("panda_joint4", 3.0)]}
    given = laws if method in ("implicit", "rosenbrock") else {}
    steps = (0.002, 0.001, 0.0005) if method in ("rk4", "diagonalized") else (0.001, 0.0005, 0.00025)
    true = moved(arm, "rk4", steps[-1] / 32, **given)
    off = [np.abs(moved(arm, method, h, **given) - true).max() for h in steps]
    return ", ".join(f"{np.log2(a / b):.2f}" for a, b in pairwise(off))


def energies(robot: sd.Robot, q: Any, method: str, step: float, steps: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Times and energy errors of about a thousand records; None if the motion ran away."""
    duration = step * steps
    way = sd.Adaptive(rtol=1e-8, atol=1e-10) if method == "adaptive" else method
    try:
        run = sd.simulate(robot, q, duration=duration, step=step, record_every=duration / 1000, method=way, **FREELY)
    except sd.SimulationError:
        return None
    return run.t, run.energy_drift


def told(found: tuple[np.ndarray, np.ndarray] | None) -> str:
    if found is None:
        return "runs away"
    off = np.abs(found[1])
    tenth = len(off) // 10
    return f"{off[:tenth].max():.1e}, {off[-tenth:].max():.1e} J"


def cost(arm: sd.Robot, method: str, torque: Any = None) -> float:
    """Microseconds of processor time of a step."""
    steps, found = 2000 if torque is None else 300, []
    for _ in range(6):
        start = time.process_time()
        sd.simulate(
            arm, POSE, control=torque, duration=0.001 * steps, step=0.001, record_every=0.1, method=method, **FREELY
        )
        found.append((time.process_time() - start) / steps)
    return 1e6 * min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--methods", nargs="+", choices=INTEGRATORS, default=INTEGRATORS)
    parser.add_argument("--plot")
    chosen = parser.parse_args()
    arm, two = sd.load("panda"), sd.load("planar_two_link")
    curves = {}
    print("| method | order | energy, Panda, 1 ms | energy, two links, 5 ms | machine code, µs a step | function |")
    print("|---|---|---|---|---|---|")
    for method in chosen.methods:
        # Step by step in Python: the duration of a hundredth of the steps.
        steps = chosen.steps // 100 if method in ("adaptive", "two-sweep") else chosen.steps
        long = energies(arm, POSE, method, 0.001, steps)
        other = energies(two, [1.5, 0.5], method, 0.005, steps)
        if other is not None and steps == chosen.steps:
            curves[method] = other
        costs = [cost(arm, method), cost(arm, method, lambda t, q, v: np.zeros(7))]
        figures = [told(long), told(other), *(f"{x:.2g}" for x in costs)]
        print(f'| "{method}" | {order(arm, method)} | {" | ".join(figures)} |', flush=True)
    if chosen.plot:
        plotted(curves, chosen.plot)


def plotted(curves: dict[str, tuple[np.ndarray, np.ndarray]], path: str) -> None:
    """Energy errors over time."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for method, (t, off) in curves.items():
        if method in ("semi-implicit", "symplectic", "rk4"):  # others make the motion of one of these
            ax.plot(t[1:], np.abs(off[1:]), label=method, linewidth=0.8)
    ax.set(
        yscale="log",
        ylim=(1e-6, 1e2),
        xlabel="time, s",
        ylabel="energy error, J",
        title="Two links, steps of 5 ms, energy 38 J",
    )
    ax.legend(loc="lower right")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
