"""Compiled formulas: how soon they answer, and how fast they are beside the same sweeps written by hand.

    python benchmarks/formulas.py [--markdown FILE] [--json FILE] [--only SECTION ...] [--quick]

Start: from `sd.compile` to the first result on a humanoid with a free base, each formula in a process of its own,
first with an empty cache on disk (cold), then in a new process with what the first left there (warm). Sweeps: calls in
turn, in one process, on one thread; "its sweeps" are the formula's program, which like those written by hand is called
without any Python around; "formula" and "method" are called as users do. Derivatives: `f.jvp` and `f.vjp` beside
`arm.jvp` and `arm.vjp` of a quantity with the same sweeps; "arguments checked" is the way of the first call, and of
lists. Figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import machine
import numpy as np
from corpus_files import corpus
from figures import Report
from measures import TALOS
from peer_robots import loaded
from rounds import Call, Times, interleaved

import soadyn as sd
from soadyn.algebra import B, V
from soadyn.engine.engine import Prepared
from soadyn.engine.native.kernel import available
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from hand_written import ALGORITHM_3, FORWARD, INVERSE, INVERSE_MASS_TIMES, REPLACED, long_tree
from paper_formulas import PAPER_FORMULAS, PaperFormula

SECTIONS = {
    "start": "From sd.compile to the first result, each formula in a new process",
    "sweeps": "Compiled formulas beside the same sweeps written by hand",
    "derivatives": "Derivatives of compiled formulas, called again",
}
HOW_MANY = 30
COLD, WARM = 2.0, 0.3  # seconds
MOST = 1.15  # times the hand-written sweeps


def chosen_formulas(n: int) -> list[PaperFormula]:
    """Some formulas, spread evenly over the papers."""
    return [PAPER_FORMULAS[i * len(PAPER_FORMULAS) // n] for i in range(n)]


# Start


def humanoid() -> sd.Robot:
    paths = corpus()
    return loaded(paths[TALOS], "free") if paths else sd.load("dual_arm_flyer")


def first_result(name: str) -> dict[str, float]:
    """Seconds from `sd.compile` to the first result, in this process, and the processor's share of them."""
    x = next(x for x in PAPER_FORMULAS if x.name == name)
    arm = humanoid()
    rng = np.random.default_rng(0)
    q = arm.random_configuration(rng)
    options = {"frames": [arm.link_names[-1]] if x.points else (), "passive": ["root"] if x.passive else ()}
    start, own_start = time.perf_counter(), time.process_time()
    f = sd.compile(x.formula, arm, **options)
    given = [q if y.space is None else rng.normal(size=f.setting.shape(y.space)) for y in f.arguments]
    result = f(*given)
    found = {"seconds": time.perf_counter() - start, "processor": time.process_time() - own_start}
    assert np.isfinite(result).all()
    return found


def starts(report: Report, n: int) -> None:
    """Cold and warm times of some formulas."""
    robot = "Talos" if corpus() else "dual_arm_flyer"
    if not corpus():
        report.skip("example-robot-data is not installed; the built-in dual_arm_flyer stands in for Talos")
    times: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    for x in chosen_formulas(n):
        with tempfile.TemporaryDirectory() as cache:
            for found in times.values():
                found.append(_in_a_new_process(x.name, cache))
        for who, target in (("cold", COLD), ("warm", WARM)):
            measured = times[who][-1]
            note = f"{x.reference}; {measured['processor']:.2f} s of the processor"
            report.add("start", robot, x.name, who, measured["seconds"], "s", target=("<=", target), note=note)
    for who, found in times.items():
        for key, note in (("seconds", "by the clock"), ("processor", "of the processor")):
            figures = [x[key] for x in found]
            report.add("start", robot, "median", who, float(np.median(figures)), "s", note=note)
            report.add("start", robot, "worst", who, max(figures), "s", note=note)


def _in_a_new_process(name: str, cache: str) -> dict[str, float]:
    command = [sys.executable, str(Path(__file__).resolve()), "--first", name]
    done = subprocess.run(
        command, env={**os.environ, "SOADYN_CACHE": cache}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


# Sweeps


def sweeps(report: Report, states: int, rounds: int) -> None:
    """Formulas and programs of the same sweeps, for batches and for one state."""
    forward = without_external(REPLACED["forward_dynamics"])
    cases = (("inv(mass) @ T", INVERSE, (INVERSE_MASS_TIMES,)), ("forward dynamics", FORWARD, (ALGORITHM_3, forward)))
    for name, arm in (("UR5", sd.load("ur5")), ("60-link tree", sd.Robot(long_tree()))):
        for n in (states, None):
            rng = np.random.default_rng(1)
            q = arm.random_configuration(rng, () if n is None else n)
            v, tau = rng.standard_normal((2, *q.shape[:-1], arm.nv))
            state = {"q": q, "v": v, "tau": tau}
            for what, formula, programs in cases:
                f = sd.compile(formula, arm)
                given = [state[{"T": "tau"}.get(x.name, x.name)] for x in f.arguments]
                calls: dict[str, Call] = {
                    "formula": lambda f=f, given=given: f(*given),
                    "its sweeps": _alone(arm, f.program, state),
                }
                calls |= {program.name: _alone(arm, program, state) for program in programs}
                if formula is FORWARD:
                    calls["method"] = lambda arm=arm, q=q, v=v, tau=tau: arm.forward_dynamics(q, v, tau)
                label = f"{what}, one state" if n is None else f"{what}, {n:,} states"
                # A single state takes a microsecond: many short rounds are disturbed less than a few long ones.
                times = interleaved(calls, rounds if n else 10 * rounds, spend=0.001)
                _told(report, name, label, n, times, calls)


def _told(report: Report, robot: str, label: str, n: int | None, times: Times, calls: dict[str, Call]) -> None:
    unit, scale = ("us", 1e6) if n is None else ("ns per state", 1e9 / n)
    report.add("sweeps", robot, label, "formula", scale * times.median("formula"), unit, note="called as users do")
    for other in list(calls)[2:]:
        own = "formula" if other == "method" else "its sweeps"
        report.add(
            *("sweeps", robot, label, f"{own} over {other}", times.ratio(own, other), "times"),
            error=_apart(calls[own](), calls[other]()),
            target=("<=", MOST),
            note=f"{scale * times.median(own):.3g} over {scale * times.median(other):.3g} {unit}",
        )


# Derivatives


def derivatives(report: Report, states: int, rounds: int) -> None:
    """`jvp` and `vjp` of formulas on the UR5, one of them at a frame, for one state and for a batch."""
    arm, frame = sd.load("ur5"), "tool0"
    cases = (
        ("forward dynamics", FORWARD, "forward_dynamics", {}),
        ("velocity of a frame", B.T @ V, "frame_velocity", {"frame": frame}),
    )
    for n in (None, states):
        rng = np.random.default_rng(2)
        shape = (6,) if n is None else (n, 6)
        for what, formula, quantity, options in cases:
            f = sd.compile(formula, arm, frames=[frame])
            at = tuple(rng.standard_normal((len(f.arguments), *shape)))
            along, weights = tuple(rng.standard_normal((len(at), *shape))), rng.standard_normal(shape)
            for name, given in (("jvp", along), ("vjp", weights)):
                own, method = getattr(f, name), getattr(arm, name)
                calls: dict[str, Call] = {
                    "formula": lambda own=own, at=at, given=given: own(at, given),
                    "arguments checked": lambda own=own, at=list(at), given=given: own(at, given),
                    "method": lambda method=method, q=quantity, at=at, given=given, o=options: method(
                        q, at, given, **o
                    ),
                }
                times = interleaved(calls, rounds if n else 10 * rounds, spend=0.001)
                label = f"{name} of {what}, {'one state' if n is None else f'{n:,} states'}"
                for who in calls:
                    report.add("derivatives", "UR5", label, who, 1e6 * times.median(who), "us")


def _alone(arm: sd.Robot, program: Program, state: dict[str, np.ndarray]) -> Call:
    """A program's sweeps and nothing else: arrays go straight to its kernel."""
    given = {name: state[name] for name in program.inputs}
    _, _, native = arm.engine.run(program, given, state["q"].shape[:-1], "float64")
    assert native is not None
    prepared = Prepared()
    prepared.keep(native, list(given))
    call, arrays = prepared.call, list(given.values())
    return lambda: call(*arrays)


def _apart(x: Any, y: Any) -> float:
    return float(abs(x - y).max() / abs(y).max())


# Command line


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="compiled formulas", prog="benchmarks/formulas.py")
    parser.add_argument("--first", metavar="FORMULA", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write all figures as Markdown")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    chosen = parsed(arguments)
    if not available():
        print("llvmlite is not installed, so there is no native code to measure")
        return 1
    if chosen.first:
        print(json.dumps(first_result(chosen.first)))
        return 0
    sd.set_threads(1)
    report = Report(machine.facts(), targets=not chosen.quick, titles=SECTIONS)
    wanted = chosen.only or SECTIONS
    if "start" in wanted:
        starts(report, 1 if chosen.quick else HOW_MANY)
    if "sweeps" in wanted:
        sweeps(report, *((64, 2) if chosen.quick else (4096, 41)))
    if "derivatives" in wanted:
        derivatives(report, *((64, 2) if chosen.quick else (1000, 41)))
    report.print()
    if chosen.json:
        chosen.json.write_text(report.json())
    if chosen.markdown:
        chosen.markdown.write_text(report.markdown())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
