"""How robust is UR5's controller to masses that are 5 % off? A map over two of them, and all of them at once.

`ComputedTorque` knows the nominal arm and follows a swing out and back; the arms that it drives have other masses.
`python examples/robust_arm.py [FOLDER] [--cells N] [--arms N]`: the studies are in FOLDER/studies, and go on there if
they were stopped.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.stats import norm

import soadyn as sd
from pictures import BLUE, GREY, label, panels, run, save
from randomized_arms import DURATION, STEP, path
from soadyn.studies import Grid, LatinHypercube, Measure, Simulation

ERROR = 0.05
WIDEST = 3 * ERROR  # of the map
RECORD = 0.05


def following(arm: sd.Robot) -> Simulation:
    """Every row is an arm with its own masses; what is kept is the tool's largest distance from its path, in m."""
    t = np.linspace(0.0, DURATION, 201)
    wanted = path(t)
    follow = sd.control.ComputedTorque(arm, *(sd.TimeSeries(t, x) for x in wanted), bandwidth=20.0)
    records = np.linspace(0.0, DURATION, round(DURATION / RECORD) + 1)
    places = arm.pose(path(records)[0], "tool0")[..., :3, 3]
    return Simulation(
        arm,
        {"miss": Measure("position", frame="tool0", minus=places, norm=True, over="largest")},
        q0=wanted[0][0],
        control=follow,
        duration=DURATION,
        step=STEP,
        record_every=RECORD,
    )


def main(out: Path, cells: int = 21, arms: int = 2048) -> dict[str, float]:
    """Both studies, and their picture."""
    arm = sd.load("ur5")
    scenario = following(arm)
    mass = {f"{link.name}.mass": link.mass for link in arm.model.links}
    first, second = "upper_arm_link.mass", "forearm_link.mass"
    shares = np.linspace(-WIDEST, WIDEST, cells)
    grid = Grid({name: mass[name] * (1 + shares) for name in (first, second)})
    mapped = sd.run_study(scenario, grid, out / "studies" / "robust_arm_map").results
    design = LatinHypercube({name: norm(m, ERROR * m) for name, m in mass.items() if m > 0}, rows=arms, seed=1)
    varied = sd.run_study(scenario, design, out / "studies" / "robust_arm_all").results
    miss = 1e3 * mapped.values["miss"].reshape(cells, cells)

    figure, (left, right) = panels(5.0, 4.2)
    drawn = left.pcolormesh(100 * shares, 100 * shares, miss.T, shading="nearest")
    figure.colorbar(drawn, ax=left, label="largest distance from the path (mm)")
    label(left, "two masses that the controller does not know", x="upper arm's error (%)", y="forearm's error (%)")
    right.hist(1e3 * varied.values["miss"], bins=50, color=BLUE)
    within = 1e3 * varied.summary["miss"].quantile(0.95)
    right.axvline(within, color=GREY)
    label(right, f"all masses, 5 % each, {arms:,} arms", x="largest distance from the path (mm)", y="arms")
    save(figure, out, "robust_arm")
    return {
        "largest distance with the right masses (mm)": float(miss[cells // 2, cells // 2]),
        "largest distance on the map (mm)": float(miss.max()),
        "95 % of the arms stay within (mm)": float(within),
        "rows that failed": float(len(mapped.failures) + len(varied.failures)),
    }


if __name__ == "__main__":
    run(main, "cells", "arms")
