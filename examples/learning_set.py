"""A data set of rollouts for learning: random states and torques of a two-link arm, and where they lead.

The study keeps every row; a regression on features of the state goes through its chunks one by one, as a data set that
does not fit into memory needs. `python examples/learning_set.py [FOLDER] [--rows N]`: the data are in
FOLDER/studies.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREY, ORANGE, label, panels, run, save
from soadyn.studies import Measure, Random, Simulation, Study

AHEAD = 0.02  # seconds that are to be predicted
KEPT_BACK = 1024  # rows for the test
AT_ONCE = 256  # rows that the regression reads together
HIGHEST = 8  # harmonic of the elbow's angle


def data_set(rows: int, folder: Path, seed: int = 1) -> Study:
    """Rows of states and torques, and the rates after a while."""
    arm = sd.load("planar_two_link")
    scenario = Simulation(
        arm,
        {"v": Measure("v")},
        duration=AHEAD,
        step=0.002,
        record_every=AHEAD,
        stops=False,
        effort_limit=None,
        joint_forces=False,
    )
    pair = np.ones(2)
    bounds = {"q0": (-np.pi * pair, np.pi * pair), "v0": (-2 * pair, 2 * pair)}
    return sd.run_study(scenario, Random({**bounds, "control": (-5 * pair, 5 * pair)}, rows=rows, seed=seed), folder)


def features(x: dict[str, np.ndarray]) -> np.ndarray:
    """Products of torques, rates and gravity with what the mass matrix's inverse is made of: cos and sin of k q2."""
    q, v, tau = x["q0"], x["v0"], x["control"]
    waves = [np.cos(k * q[:, 1]) for k in range(HIGHEST + 1)] + [np.sin(k * q[:, 1]) for k in range(1, HIGHEST + 1)]
    elbow = np.stack(waves, axis=-1)
    pushes = np.stack([tau[:, 0], tau[:, 1], v[:, 0] ** 2, v[:, 0] * v[:, 1], v[:, 1] ** 2], axis=-1)
    weights = [f(q[:, 0] + k * q[:, 1]) for f in (np.sin, np.cos) for k in (0, 1)]
    causes = np.concatenate([pushes, np.stack(weights, axis=-1), np.ones((len(q), 1))], axis=-1)
    return (causes[:, :, None] * elbow[:, None]).reshape(len(q), -1)


def batches(study: Study) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Features and changes of the rates, chunk by chunk."""
    for chunk in study.chunks():
        x = study.design.values(chunk.begin, chunk.end)
        yield features(x), chunk.kept["v"] - x["v0"]


def errors_while_learning(study: Study) -> tuple[list[int], list[float], float]:
    """Numbers of rows, the error that a regression on so many has on others, and the error of guessing the mean."""
    A, b = next(batches(data_set(KEPT_BACK, study.folder.with_name("learning_set_test"), seed=2)))
    gram, moments, seen = 0.0, 0.0, 0
    counts, errors = [], []
    for x, y in batches(study):
        for begin in range(0, len(x), AT_ONCE):
            some, its = x[begin : begin + AT_ONCE], y[begin : begin + AT_ONCE]
            gram, moments, seen = gram + some.T @ some, moments + some.T @ its, seen + len(some)
            if seen & (seen - 1) == 0:
                weights = np.linalg.solve(gram + 1e-9 * np.eye(x.shape[1]), moments)
                counts.append(seen)
                errors.append(float(np.sqrt(np.mean((A @ weights - b) ** 2))))
    return counts, errors, float(b.std())


def main(out: Path, rows: int = 16_384) -> dict[str, float]:
    """The data set, and what a regression makes of it."""
    study = data_set(rows, out / "studies" / f"learning_set_{rows}")
    counts, errors, spread = errors_while_learning(study)
    results = study.results

    figure, (left, right) = panels(4.2, 4.2)
    some = slice(0, 1500)
    change = results.values["v"][some] - results.parameters["v0"][some]
    left.scatter(results.parameters["control"][some, 1], change[:, 1], s=2, color=BLUE)
    label(left, f"second joint, {AHEAD * 1e3:.0f} ms later", x="torque (N m)", y="change of its rate (rad/s)")
    right.loglog(counts, errors, "-o", color=ORANGE, label="regression")
    right.axhline(spread, color=GREY, label="guessing the mean")
    label(right, "error on rows that were not learned from", x="rows", y="rad/s")
    save(figure, out, "learning_set")
    return {
        "rows": float(rows),
        "bytes on disk a row": sum(x.stat().st_size for x in study.folder.glob("chunks/*/*.npz")) / rows,
        "error of guessing (rad/s)": spread,
        "error after the first 256 rows (rad/s)": errors[0],
        "error after all rows (rad/s)": errors[-1],
        "rows that failed": float(len(results.failures)),
    }


if __name__ == "__main__":
    run(main, "rows")
