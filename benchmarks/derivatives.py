"""Derivatives of inverse and forward dynamics beside Pinocchio's and CasADi's: operations and times, with targets.

    python benchmarks/derivatives.py [ROBOT ...] [--only SECTION ...] [--quick] [--json FILE] [--markdown FILE]
                                     [--guide FILE]

Sections: `jacobians`, all three matrices of a batch, and one state of it; `gradients`, products with Jacobians and
Hessians beside the quantity itself; `hessians`; `cold`, first calls with an empty cache (only if asked for: minutes).
All calls of a comparison run in one process, in turn, on one thread, and count processor time; figures are medians over
the rounds. Robots: ur5, panda (fingers locked), talos (free), chain30, chain100. `--markdown` writes a page with all
figures, `--guide` renews the short table of another page.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import derivative_products
import derivative_steps
import derivative_summary
import machine
from casadi_peer import DERIVATIVES
from derivative_robots import ROBOTS, cases
from figures import Report
from measures import Case, Options

import soadyn as sd
from soadyn.engine.native.kernel import available

SECTIONS = {
    "jacobians": "Full Jacobians, a step at a time: batches of states on one thread",
    "jacobians-single": "Full Jacobians of one state, called from Python",
    "gradients": "Products with Jacobians and Hessians: batches of states on one thread",
    "hessians": "Second derivatives",
    "cold": "First calls with an empty cache",
}
CHOICES = ("jacobians", "gradients", "hessians", "cold")
BATCH = 1024


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=ROBOTS, metavar="ROBOT", help=f"some of {', '.join(ROBOTS)}")
    parser.add_argument("--only", nargs="+", choices=CHOICES, default=CHOICES[:-1], metavar="SECTION")
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write all figures as Markdown")
    parser.add_argument("--guide", type=Path, metavar="FILE", help="renew the short table of a page")
    chosen = parser.parse_args(arguments)
    if unknown := sorted(set(chosen.robots) - set(ROBOTS)):
        parser.error(f"no robot {unknown[0]!r}; there are {', '.join(ROBOTS)}")
    if chosen.guide and not derivative_summary.PLACE.search(chosen.guide.read_text()):
        parser.error(
            f"{chosen.guide} has no place for the table: {derivative_summary.BEGIN} ... {derivative_summary.END}"
        )
    return chosen


def measured(chosen: argparse.Namespace) -> Report:
    """All the figures asked for."""
    facts = machine.facts()
    report = Report(facts, targets=not chosen.quick, titles=SECTIONS, heading="Derivatives")
    options = Options(BATCH, rounds=9, ease=1.0 if facts["avx512"] else 0.5)
    if chosen.quick:
        options = Options(states=256, rounds=2, spend=0.0005, quick=True, ease=options.ease)
    sd.set_threads(1)
    found, missing = cases(tuple(chosen.robots))
    for reason in missing:
        report.skip(reason)
    for case in found.values():
        print(f"{case.name} ...", file=sys.stderr, flush=True)
        if "jacobians" in chosen.only:
            derivative_steps.measure(report, case, options)
        if "gradients" in chosen.only:
            derivative_products.gradients(report, case, options)
        if "hessians" in chosen.only:
            derivative_products.hessians(report, case, options)
    if "cold" in chosen.only:
        for name, case in found.items():
            cold(report, name, case)
    return report


def cold(report: Report, name: str, case: Case) -> None:
    """Seconds of first calls in new processes with an empty cache: tracing, compiling, running."""
    small = case.robot.nv <= derivative_products.MOST_SECOND
    second = [f"{quantity}_second_derivatives" for quantity in derivative_products.VECTORS] if small else []
    for quantity in (*DERIVATIVES, *second):
        for size in (BATCH, 1):
            script = (
                f"import sys, time; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"
                "from derivative_robots import case_of\nfrom peer_robots import States\n"
                f"robot = case_of({name!r}).robot\ns = States.random(robot, {size})\n"
                f"q, v, x = (y if {size} > 1 else y[0] for y in (s.q, s.v, s.tau))\n"
                f"start = time.process_time()\nrobot.{quantity}(q, v, x)\nprint(time.process_time() - start)"
            )
            environment = {**os.environ, "SOADYN_CACHE": "off"}
            command = [sys.executable, "-c", script]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            who = f"{size} states" if size > 1 else "one state"
            report.add("cold", case.name, quantity, who, float(done.stdout.split()[-1]), "s")


def main(arguments: list[str] | None = None) -> int:
    chosen = parsed(arguments)
    if not available():
        print("llvmlite is not installed, so there is no native code to measure")
        return 1
    report = measured(chosen)
    report.print()
    command = " ".join(
        [".venv/bin/python benchmarks/derivatives.py", *(sys.argv[1:] if arguments is None else arguments)]
    )
    if chosen.json:
        chosen.json.write_text(report.json())
    if chosen.markdown:
        report.write(chosen.markdown, command, "--only" in command)
    if chosen.guide:
        chosen.guide.write_text(derivative_summary.renewed(chosen.guide.read_text(), report, command))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
