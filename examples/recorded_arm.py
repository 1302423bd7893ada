"""A real arm from its recordings: bodies, friction, drive gains, the mass of a load, and who pushed it.

    python examples/recorded_arm.py --identify FILE --validate FILE [--loaded FILE --load-mass KG] [--push FILE]

Recordings are text files without a header, one sample a row; `--columns` says in which columns time, the first
position, the first velocity and the first motor current stand. The kinematics are a Denavit-Hartenberg table, that of
a UR10e unless `--dh` names a file with rows of a, alpha, d, theta (m, degrees).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import signal

import soadyn as sd
from pictures import BLUE, GREY, PLOTS, RED, label, panels, save
from soadyn.estimation import PayloadEstimator, identify, identify_drive_gains, locate_contact
from soadyn.estimation.physical import possible

# The maker's published table of the UR10e: a, alpha (degrees), d, theta.
UR10E = (
    (0, 90, 0.1807, 0),
    (-0.6127, 0, 0, 0),
    (-0.57155, 0, 0, 0),
    (0, 90, 0.17415, 0),
    (0, -90, 0.11985, 0),
    (0, 0, 0.11655, 0),
)
# Mamedov and Mikhel 2020, from the same recordings.
GAINS = (10.0, 10.7, 8.46, 9.00, 9.48, 10.1)
COLUMNS = (0, 1, 7, 13)
TERMS = ("coulomb", "viscous", "offset", "armature")
STEP, CUTOFF = 0.01, 6.0  # s, Hz
SLOW = 0.7  # s: how soon what a joint holds counts as usual
HELD = 0.2  # of its Coulomb friction: what a joint at rest may hold without showing it


class Recording(NamedTuple):
    """A motion, evenly sampled and filtered without delay; `raw` are the currents before filtering."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    current: np.ndarray
    raw: np.ndarray


def read(
    path: str | Path, nv: int, columns: Sequence[int] = COLUMNS, rows: tuple[int | None, int | None] = (None, None)
) -> Recording:
    """A recording from a file; accelerations are differences of filtered velocities."""
    table = np.loadtxt(path, delimiter=",")[slice(*rows)]
    t = np.arange(table[0, columns[0]], table[-1, columns[0]], STEP)
    parts = []
    for first in columns[1:]:
        parts.append(np.stack([np.interp(t, table[:, columns[0]], table[:, first + k]) for k in range(nv)], axis=-1))
    smooth = signal.butter(4, CUTOFF, fs=1 / STEP, output="sos")
    q, v, current = (signal.sosfiltfilt(smooth, x, axis=0) for x in parts)
    a = signal.sosfiltfilt(smooth, np.gradient(v, STEP, axis=0), axis=0)
    return Recording(t - t[0], q, v, a, current, parts[2])


def arm_of(table: Sequence[Sequence[float]]) -> sd.Robot:
    """The kinematics, with bodies that stand for nothing but a start."""
    body = sd.Body(5.0, (0, 0, 0.02), 0.05 * np.eye(3))
    return sd.from_dh(table, bodies=[body] * len(table), degrees=True, name="recorded arm")


def relative(seen: np.ndarray, said: np.ndarray) -> np.ndarray:
    """|seen - said| / |seen| by joint."""
    return np.linalg.norm(seen - said, axis=0) / np.linalg.norm(seen, axis=0)


def pushes(
    arm: sd.Robot, run: Recording, gains: np.ndarray, coulomb: np.ndarray, quiet: float = 1.5
) -> tuple[list[tuple[float, float, str]], np.ndarray]:
    """Begin, end and link of every push on an arm at rest, and the evidence over time.

    What the motors hold is compared with what they held before: the mean of the first `quiet` seconds, then a slow lag,
    for dry friction keeps part of each push.
    """
    tau = run.current * gains
    before = tau[run.t < quiet].mean(0)
    r = np.empty_like(tau)
    for k, now in enumerate(tau):
        before = before + (STEP / SLOW) * (now - before)
        r[k] = before - now
    std = np.hypot(HELD * coulomb, r[run.t < quiet].std(0))
    points = [(name, [0.0, 0.0, 0.0]) for name in arm.link_names[1:]]
    found = locate_contact(arm, run.q, r, points, 40.0, std)
    link, events = found.link, []
    for k in np.flatnonzero(found.touched):
        if events and run.t[k] - events[-1][1] < 0.8:
            events[-1] = (events[-1][0], run.t[k], events[-1][2])
        else:
            events.append((run.t[k], run.t[k], link[k]))
    return [event for event in events if event[1] - event[0] > 0.1], found.evidence


def weighed(
    arm: sd.Robot, found: sd.estimation.IdentificationResult, run: Recording, gains: np.ndarray
) -> PayloadEstimator:
    """The load of a run, at the last link's frame."""
    load = PayloadEstimator(found.robot, arm.link_names[-1], found.torque_std)
    own = found.torques(run.q, run.v, run.a) - found.robot.inverse_dynamics(run.q, run.v, run.a)
    load.update(run.q, run.v, run.a, run.current * gains - own)
    return load


def main(
    out: Path,
    identify_on: str | Path,
    validate_on: str | Path,
    loaded: str | Path | None = None,
    push: str | Path | None = None,
    table: Sequence[Sequence[float]] = UR10E,
    gains: Sequence[float] = GAINS,
    load_mass: float | None = None,
    columns: Sequence[int] = COLUMNS,
    rows: dict[str, tuple[int | None, int | None]] | None = None,
) -> dict[str, float]:
    """Identifies, validates, weighs, looks for pushes; writes a picture and returns the figures."""
    arm, K, rows = arm_of(table), np.array(gains), rows or {}
    nv = arm.nv
    first = read(identify_on, nv, columns, rows.get("identify", (None, None)))
    other = read(validate_on, nv, columns, rows.get("validate", (None, None)))
    found = identify(arm, first.q, first.v, first.a, first.current * K, TERMS)
    said = found.torques(other.q, other.v, other.a) / K
    figures = {f"relative residual, joint {j + 1}": x for j, x in enumerate(relative(other.raw, said))}
    figures["bodies that are possible"] = float(possible(found.robot.inertial_parameters().reshape(-1, 10)).sum())
    figures["base parameters and joints' terms"] = len(found.base_names)
    figures["condition number"] = found.condition
    for term in TERMS:
        figures |= {f"{term}, joint {j + 1}": x for j, x in enumerate(found.joints[term])}
    if loaded is not None:
        with_load = read(loaded, nv, columns, rows.get("loaded", (None, None)))
        load, none = (weighed(arm, found, run, K) for run in (with_load, other))
        figures |= {"load, by these gains (kg)": load.mass, "load where there is none (kg)": none.mass}
        if load_mass is not None:
            runs = [(x.q[::2], x.v[::2], x.a[::2], x.current[::2]) for x in (other, with_load)]
            fitted = identify_drive_gains(arm, *runs, load_mass, arm.link_names[-1], TERMS).gains
            figures |= {f"drive gain from the load (N m/A), joint {j + 1}": x for j, x in enumerate(fitted)}
    events, evidence, still = [], np.zeros(0), None
    if push is not None:
        still = read(push, nv, columns, rows.get("push", (None, None)))
        events, evidence = pushes(found.robot, still, K, found.joints["coulomb"])
        figures["pushes found"] = len(events)
        for k, (begin, end, link) in enumerate(events):
            figures |= {f"push {k + 1} on {link} begins (s)": begin, f"push {k + 1} on {link} ends (s)": end}
    draw(out, other, said, still, evidence, events)
    return figures


def draw(
    out: Path, other: Recording, said: np.ndarray, still: Recording | None, evidence: np.ndarray, events: list
) -> None:
    """Currents of the other motion, measured and predicted, and the evidence of pushes."""
    figure, axes = panels(3.6, 3.6, 3.6)
    shown = (other.t > 10) & (other.t < 25)
    for ax, j in zip(axes[:2], (1, 4), strict=True):
        ax.plot(other.t[shown], other.raw[shown, j], color=GREY, linewidth=0.8, label="measured")
        ax.plot(other.t[shown], said[shown, j], color=RED, linewidth=1.0, label="predicted")
        label(ax, f"another motion, joint {j + 1}", y="A")
    if still is not None:
        axes[2].plot(still.t, np.clip(evidence, -5, 60), color=BLUE)
        for begin, end, _ in events:
            axes[2].axvspan(begin, end, color=RED, alpha=0.15)
        axes[2].axhline(np.log(100), color=GREY, linewidth=0.8)
        label(axes[2], "pushed at rest: evidence, pushes found", y="log of likelihood ratio")
    save(figure, out, "recorded_arm")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--identify", required=True)
    parser.add_argument("--validate", required=True)
    parser.add_argument("--loaded")
    parser.add_argument("--push")
    parser.add_argument("--dh", help="a text file with rows a, alpha, d, theta")
    parser.add_argument("--gains", type=float, nargs="+", default=GAINS, help="N m/A")
    parser.add_argument("--load-mass", type=float)
    parser.add_argument("--columns", type=int, nargs=4, default=COLUMNS, metavar=("TIME", "Q", "V", "CURRENT"))
    for name in ("identify", "validate", "loaded", "push"):
        parser.add_argument(f"--{name}-rows", type=int, nargs=2, default=(None, None), metavar=("FIRST", "LAST"))
    parser.add_argument("--out", type=Path, default=PLOTS)
    return parser.parse_args()


if __name__ == "__main__":
    options = parsed()
    names = ("identify", "validate", "loaded", "push")
    figures = main(
        options.out,
        options.identify,
        options.validate,
        options.loaded,
        options.push,
        UR10E if options.dh is None else np.loadtxt(options.dh).tolist(),
        options.gains,
        options.load_mass,
        options.columns,
        {name: tuple(getattr(options, f"{name}_rows")) for name in names},
    )
    for name, value in figures.items():
        print(f"{name:<48} {value:.6g}")
