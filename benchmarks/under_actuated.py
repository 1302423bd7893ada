"""Robots with passive joints: hybrid dynamics beside forward dynamics, Jacobians beside dense matrices, growth.

    python benchmarks/under_actuated.py [--json FILE] [--markdown FILE] [--quick]

All calls of a comparison run in one process, in turn, on one thread; figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import machine
import numpy as np
from figures import Report
from measures import Options
from peer_robots import States
from rounds import interleaved

import soadyn as sd
from soadyn.engine.native.kernel import available
from soadyn.engine.native.llvm import machine_code as compiling

SECTION = "under-actuated"
COMPONENTS = {"universal": 2, "cylindrical": 2, "planar": 3, "spherical": 3}
MIXED = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical", "continuous")


def tree(dofs: int, kinds: tuple[str, ...] = ("revolute",)) -> sd.Robot:
    """A tree of joints of these kinds in turn, each link on one of the six before it, with about so many components."""
    rng = np.random.default_rng(4)
    builder = sd.Builder(f"tree of {dofs} components")
    names: list[str] = []
    count = 0
    while count < dofs:
        kind = kinds[len(names) % len(kinds)]
        body = sd.Body(float(rng.uniform(0.5, 2.0)), rng.uniform(-0.2, 0.2, 3), np.diag(rng.uniform(0.01, 0.02, 3)))
        parent = None if not names else names[int(rng.integers(max(0, len(names) - 6), len(names)))]
        origin, axis = rng.uniform(-0.4, 0.4, 3), rng.standard_normal(3)
        names.append(builder.link(f"link_{len(names)}", body, parent, kind, axis=axis, origin=origin))
        count += COMPONENTS.get(kind, 1)
    return sd.build(builder)


def hybrid(report: Report, name: str, robot: sd.Robot, options: Options) -> None:
    """Hybrid dynamics with every other component passive, in a batch and for one state; by code for the set as well."""
    s = States.random(robot, options.states)
    mask = np.arange(robot.nv) % 2 == 0
    fixed = robot.specialize(passive=mask)
    one = [np.ascontiguousarray(x[0]) for x in (s.q, s.v, s.a, s.tau)]
    calls: dict[str, dict[str, Any]] = {
        f"{options.states} states": {
            "forward": lambda: robot.forward_dynamics(s.q, s.v, s.tau),
            "hybrid": lambda: robot.hybrid_dynamics(s.q, s.v, s.a, s.tau, mask),
            "one set's hybrid": lambda: fixed.hybrid_dynamics(s.q, s.v, s.a, s.tau, mask),
        },
        "one state": {
            "forward": lambda: robot.forward_dynamics(one[0], one[1], one[3]),
            "hybrid": lambda: robot.hybrid_dynamics(*one, mask),
            "one set's hybrid": lambda: fixed.hybrid_dynamics(*one, mask),
        },
    }
    for what, pair in calls.items():
        times = interleaved(pair, options.rounds, options.spend)
        states = options.states if what != "one state" else 1
        for who in pair:
            report.add(SECTION, name, f"{who} dynamics, {what}", "soadyn", times.median(who) / states * 1e9, "ns/state")
        ratio = times.ratio("hybrid", "forward")
        report.add(
            SECTION, name, f"hybrid dynamics, {what}", "soadyn", ratio, "times forward dynamics", target=("<=", 1.6)
        )


def jacobian(report: Report, options: Options) -> None:
    """J_G of ETS-VII in a batch, beside NumPy's dense algebra state by state."""
    robot = sd.load("ets_vii")  # a large batch gets code for the passive set
    q = robot.random_configuration(np.random.default_rng(0), options.states)
    few = q[: min(512, options.states)]

    def dense() -> np.ndarray:
        found = []
        for state in few:
            M, J = robot.mass_matrix(state), robot.jacobian(state, "link_ee")
            found.append(J[:, 6:] - J[:, :6] @ np.linalg.solve(M[:6, :6], M[:6, 6:]))
        return np.array(found)

    def sweeps() -> np.ndarray:
        return robot.generalized_jacobian(q, "link_ee", passive=["root"])

    times = interleaved({"soadyn": sweeps, "NumPy": dense}, options.rounds, options.spend)
    error = float(abs(sweeps()[: len(few)] - dense()).max())
    ours, theirs = times.median("soadyn") / len(q), times.median("NumPy") / len(few)
    report.add(SECTION, "ETS-VII", "generalized_jacobian", "soadyn", ours * 1e9, "ns/state", error=error)
    report.add(SECTION, "ETS-VII", "generalized_jacobian", "NumPy, state by state", theirs * 1e9, "ns/state")
    report.add(
        SECTION, "ETS-VII", "generalized_jacobian", "soadyn", theirs / ours, "times faster",
        target=(">=", 50.0 * options.ease), note="against NumPy's dense algebra, state by state",
    )  # fmt: skip


def growth(report: Report, options: Options) -> None:
    """Chains with every other joint passive, one state: time per link should not grow."""
    sizes = (10, 30) if options.quick else (100, 300, 1000, 3000, 10_000)
    per_link: dict[str, list[float]] = {}
    for n in sizes:
        robot = sd.chain(n)
        s = States.random(robot, 1)
        q, v, a, tau = s.q[0], s.v[0], s.a[0], s.tau[0]
        mask = np.arange(n) % 2 == 0
        x, last = np.ones(int((~mask).sum())), robot.link_names[-1]
        calls: dict[str, Any] = {
            "hybrid_dynamics": lambda r=robot, y=(q, v, a, tau, mask): r.hybrid_dynamics(*y),
            "generalized_jacobian_times": lambda r=robot, y=(q, x, last, mask): r.generalized_jacobian_times(*y),
            "disturbance_jacobian_times": lambda r=robot, y=(q, x, mask): r.disturbance_jacobian_times(*y),
        }
        times = interleaved(calls, options.rounds, options.spend)
        for quantity in calls:
            ns = times.median(quantity) / n * 1e9
            per_link.setdefault(quantity, []).append(ns)
            report.add(SECTION, f"chain of {n}", quantity, "soadyn", ns, "ns/link")
    for quantity, figures in per_link.items():
        grown = figures[-1] / figures[0]
        report.add(
            SECTION, "chains", quantity, "soadyn", grown, "times per link, longest by shortest", target=("<=", 2.0)
        )


def switching(report: Report, options: Options) -> None:
    """A thousand passive sets, one after the other: what is compiled on the way."""
    robot = tree(40)
    s = States.random(robot, 1)
    state = [x[0] for x in (s.q, s.v, s.a, s.tau)]
    rng = np.random.default_rng(1)
    robot.hybrid_dynamics(*state, rng.random(robot.nv) < 0.5)
    made: list[Any] = []
    original = compiling.compiled

    def counted(*arguments: Any, **keywords: Any) -> bytes:
        made.append(arguments)
        return original(*arguments, **keywords)

    compiling.compiled = counted
    try:
        masks = rng.random((20 if options.quick else 1000, robot.nv)) < 0.5
        one = {f"{len(masks)} sets": lambda: [robot.hybrid_dynamics(*state, mask) for mask in masks]}
        times = interleaved(one, 2, 0.0)
    finally:
        compiling.compiled = original
    each = times.median(f"{len(masks)} sets") / len(masks) * 1e6
    report.add(SECTION, "tree of 40", "hybrid dynamics, a new passive set each time", "soadyn", each, "us/call")
    report.add(
        SECTION, "tree of 40", f"compilations while switching among {len(masks)} sets", "soadyn", float(len(made)), "",
        target=("<=", 0.0),
    )  # fmt: skip


def measure(report: Report, options: Options) -> None:
    """All figures of this page."""
    size = 12 if options.quick else 40
    hybrid(report, f"tree of {size}, revolute", tree(size), options)
    hybrid(report, f"tree of {size}, eight kinds", tree(size, MIXED), options)
    jacobian(report, options)
    growth(report, options)
    switching(report, options)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="robots with passive joints", prog="benchmarks/under_actuated.py")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write all figures as Markdown")
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    chosen = parser.parse_args(arguments)
    if not available():
        print("llvmlite is not installed, so there is no native code to measure")
        return 1
    facts = machine.facts()
    report = Report(facts, targets=not chosen.quick)
    options = Options(ease=1.0 if facts["avx512"] else 0.5)
    if chosen.quick:
        options = Options(states=64, rounds=2, spend=0.0005, quick=True)
    sd.set_threads(1)
    measure(report, options)
    report.print()
    for path, text in ((chosen.json, report.json), (chosen.markdown, report.markdown)):
        if path:
            path.write_text(text())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
