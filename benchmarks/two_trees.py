"""Is this checkout slower than another one? Every quantity, the two called in turn.

    git worktree add ../before 4294ccf
    .venv/bin/python benchmarks/two_trees.py ../before

A process for each checkout makes the same calls; they take turns every few milliseconds, so that what disturbs the
machine disturbs both. A row counts as slower if its best and its median time are both more than 10 % above the other
checkout's. Where addresses fall makes some processes faster than others, so such rows are measured again in
fresh pairs of processes, and the median over the pairs decides. Exits with 1 if rows are slower.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from two_trees_worker import ARGUMENTS, CHUNKS

HERE = Path(__file__).resolve()
ROBOTS = ("UR5", "Talos", "ETS-VII", "chain of 30")
FORMS = {"auto": (1, 64, 4096), "straight": (1, 64)}  # large batches are straight-line code anyway
SPEND = 0.004  # seconds of a turn
Row = tuple[str, str, str, int]


@dataclass(frozen=True)
class Ratio:
    """How long this checkout takes, in terms of the other; and how long that is, in seconds."""

    best: float
    median: float
    seconds: float

    @property
    def certain(self) -> float:
        return min(self.best, self.median)


class Checkout:
    """A process that makes calls with a checkout's sources; its compiled code is kept apart."""

    def __init__(self, tree: Path, cache: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "SOADYN_CACHE": str(cache)}
        command = [sys.executable, str(HERE.with_name("two_trees_worker.py"))]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, request: object) -> float | None:
        """What `two_trees_worker.answers` says to a row or a number."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"the process failed at {request}; its message stands above")
        found: float | None = json.loads(answer)
        return found

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def rows_like(pattern: str) -> list[Row]:
    """The rows whose text has the pattern in it."""
    every = product(ROBOTS, FORMS.items(), ARGUMENTS)
    rows = [(robot, form, quantity, n) for robot, (form, sizes), quantity in every for n in sizes]
    return [row for row in rows if re.search(pattern, text(row))]


def text(row: Row) -> str:
    return " | ".join(map(str, row))


def measured(rows: Iterable[Row], trees: Sequence[Path], caches: Sequence[Path], rounds: int) -> dict[Row, Ratio]:
    """The rows in one pair of processes, but those that one of them does not have."""
    ours, theirs = pair = [Checkout(tree, cache) for tree, cache in zip(trees, caches, strict=True)]
    found = {}
    for row in rows:
        once = theirs.ask(row)
        if once is None or (again := ours.ask(row)) is None:
            continue
        repeats = max(1, int(SPEND / CHUNKS / min(once, again)))
        times = np.array([[process.ask(repeats) for process in (ours, theirs)] for _ in range(rounds)])
        best, median = times.min(axis=0), np.median(times, axis=0)
        found[row] = Ratio(float(best[0] / best[1]), float(median[0] / median[1]), float(best[1]))
    for process in pair:
        process.close()
    return found


def compared(rows: Sequence[Row], chosen: argparse.Namespace) -> dict[Row, list[Ratio]]:
    """All rows in a pair of processes for each robot and form; those that look slower again, in further pairs."""
    trees = (HERE.parents[1], chosen.other.resolve())
    caches = (chosen.cache / "here", chosen.cache / "there")
    found: dict[Row, list[Ratio]] = {}
    groups = [[row for row in rows if row[:2] == key] for key in dict.fromkeys(row[:2] for row in rows)]
    for group in track(groups, "all rows"):
        for row, ratio in measured(group, trees, caches, chosen.rounds).items():
            found[row] = [ratio]
    suspects = [row for row, ratios in found.items() if ratios[0].certain > chosen.worse]
    for _ in track(range(chosen.pairs if suspects else 0), f"{len(suspects)} rows again"):
        for row, ratio in measured(suspects, trees, caches, chosen.rounds).items():
            found[row].append(ratio)
    return found


def middle(ratios: Sequence[Ratio]) -> Ratio:
    """The median over pairs of processes."""
    return Ratio(*(float(np.median([getattr(r, name) for r in ratios])) for name in ("best", "median", "seconds")))


def table_of(slower: dict[Row, Ratio], title: str) -> Table:
    table = Table(title=title)
    for heading in ("robot", "form", "quantity", "states", "there, us", "best", "median"):
        table.add_column(heading, no_wrap=True)
    for row, r in sorted(slower.items(), key=lambda item: -item[1].certain):
        table.add_row(*map(str, row), f"{r.seconds * 1e6:.3g}", f"{r.best:.3f}", f"{r.median:.3f}")
    return table


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], prog="benchmarks/two_trees.py")
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("--rows", default="", metavar="REGEX", help="only rows 'robot | form | quantity | states' so")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of processes for rows that look slower")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each process in a pair")
    parser.add_argument("--worse", type=float, default=1.10, help="the ratio from which on a row counts as slower")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios of all rows")
    folder = HERE.parents[1] / "build" / "two_trees"
    parser.add_argument("--cache", type=Path, default=folder, metavar="FOLDER", help="where compiled code is kept")
    chosen = parser.parse_args(arguments)
    if not (chosen.other / "src" / "soadyn").is_dir():
        parser.error(f"{chosen.other} is no checkout of soadyn: it has no src/soadyn")
    result = {row: middle(ratios) for row, ratios in compared(rows_like(chosen.rows), chosen).items()}
    slower = {row: ratio for row, ratio in result.items() if ratio.certain > chosen.worse}
    title = f"{len(slower)} of {len(result)} rows slower than {chosen.other} by more than {chosen.worse:g}"
    Console().print(table_of(slower, title))
    if chosen.json:
        chosen.json.write_text(json.dumps({text(row): [r.best, r.median, r.seconds] for row, r in result.items()}))
    return 1 if slower else 0


if __name__ == "__main__":
    raise SystemExit(main())
