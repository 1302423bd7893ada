"""soadyn beside its peers: speed, accuracy, growth, memory and start, each with its target.

    python benchmarks/peers.py [--corpus] [--json FILE] [--markdown FILE] [--plots DIR] [--only SECTION ...] [--quick]

All calls of a comparison run in one process, in turn, on one thread; figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import growth
import ladder
import machine
import measures
import threads
import under_actuated
from corpus_files import corpus
from figures import SECTIONS, Report
from measures import Options
from plots import draw

import soadyn as sd
from soadyn.engine.native.kernel import available


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="soadyn beside its peers", prog="benchmarks/peers.py")
    parser.add_argument("--corpus", action="store_true", help="every robot of the corpus as well (minutes)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="write Markdown; with --only, renew a page",
    )
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write plots as PNG")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument("--rounds", type=int, default=7, help="rounds that medians are taken over (7)")
    parser.add_argument("--states", type=int, default=4096, help="states in a batch (4096)")
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    return parser.parse_args(arguments)


def measured(chosen: argparse.Namespace) -> Report:
    """All the figures asked for."""
    facts = machine.facts()
    report = Report(facts, targets=not chosen.quick)
    options = Options(chosen.states, chosen.rounds, ease=1.0 if facts["avx512"] else 0.5)
    if chosen.quick:
        options = Options(states=64, rounds=2, spend=0.0005, quick=True, ease=options.ease)
    wanted = set(chosen.only or [name for name in SECTIONS if name != "corpus"]) | (
        {"corpus"} if chosen.corpus else set()
    )
    sd.set_threads(1)
    found = measures.cases(report)
    if chosen.quick:
        found = found[:1]
    fma = machine.FmaLoop()
    for case in found:
        if wanted & {"ladder", "fma"}:
            ladder.measure(report, case, options, fma)
        if "single" in wanted:
            measures.singles(report, case, options)
    if "links" in wanted:
        growth.links(report, options)
    if "batches" in wanted:
        growth.batches(report, found[0], options)
    if "threads" in wanted:
        threads.measure(report, found[0], options)
    if "memory" in wanted:
        growth.memory(report, options)
    if "start" in wanted:
        growth.start(report, _starts(chosen.quick, chosen.corpus), options)
    if "under-actuated" in wanted:
        under_actuated.measure(report, options)
    if "corpus" in wanted:
        measures.whole_corpus(report, options)
    return report


def _starts(quick: bool, all_of_them: bool) -> dict[str, tuple[Path | str, str]]:
    """Robots to start with: the first and the largest are also specialised."""
    paths = corpus()
    if not paths:
        return {"UR5": ("ur5", "fixed")}
    starts: dict[str, tuple[Path | str, str]] = {"UR5": (paths[measures.UR5], "fixed")}
    if not quick:
        starts["Talos"] = (paths[measures.TALOS], "free")
        names = paths if all_of_them else ("pr2/pr2", "human/human", measures.LARGEST)
        starts |= {name: (paths[name], "fixed") for name in names if name in paths}
    return starts


def main(arguments: list[str] | None = None) -> int:
    chosen = parsed(arguments)
    if not available():
        print("llvmlite is not installed, so there is no native code to measure")
        return 1
    report = measured(chosen)
    report.print()
    if chosen.json:
        chosen.json.write_text(report.json())
    drawn = draw(report.figures, chosen.plots) if chosen.plots else []
    for path in drawn:
        print(f"wrote {path}")
    if chosen.markdown:
        command = " ".join(
            [".venv/bin/python benchmarks/peers.py", *(sys.argv[1:] if arguments is None else arguments)]
        )
        beside = [os.path.relpath(path, chosen.markdown.parent) for path in drawn]
        report.write(chosen.markdown, command, bool(chosen.only), beside)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
