"""Operations of forward and inverse dynamics beside published counts, on a chain with nothing special about it.

    python benchmarks/counts.py [--markdown FILE]

Products and quotients count as products, sums and differences as sums; signs, comparisons, sines and cosines are not
counted. What is counted is the straight-line code that large batches run, so what the numbers of a robot make constant
is free. The chain has revolute joints, Denavit-Hartenberg parameters none of which is special, and full inertias.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import soadyn as sd
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep import algorithms, newton_euler
from soadyn.programs.sweep.program import Program
from soadyn.theory.formula.dynamics import forward_dynamics

PRODUCTS, SUMS = ("mul", "div", "reciprocal"), ("add", "sub")
SIZES = (4, 6, 8, 9, 10, 12, 16, 20)
FITTED = (12, 20)  # a straight line through these


@dataclass(frozen=True)
class Count:
    """Products and sums."""

    products: int
    sums: int

    @property
    def total(self) -> int:
        return self.products + self.sums


@dataclass(frozen=True)
class Published:
    """A count somebody printed, as functions of the number of joints."""

    what: str
    source: str
    products: Callable[[int], int]
    sums: Callable[[int], int]
    text: str

    def at(self, n: int) -> Count:
        return Count(self.products(n), self.sums(n))


PUBLISHED = (
    Published(
        "forward dynamics",
        "Saha (paper 002), section 6: recursions from the U D U* factors of the mass matrix",
        lambda n: 201 * n - 335,
        lambda n: 193 * n - 361,
        "201 n - 335, 193 n - 361",
    ),
    Published(
        "inverse dynamics",
        "Khalil and Kleinfinger 1987, customised Newton-Euler with base parameters",
        lambda n: 92 * n - 127,
        lambda n: 81 * n - 117,
        "92 n - 127, 81 n - 117",
    ),
)
OURS: dict[str, tuple[str, Callable[[], Program]]] = {
    "articulated bodies": ("forward dynamics", forward_dynamics),
    "bias force, then the filter": ("forward dynamics", lambda: newton_euler.FORWARD_BY_FILTER),
    "bias force, composite bodies, U D U*": ("forward dynamics", lambda: newton_euler.FORWARD_BY_MATRIX),
    "acceleration fields": ("inverse dynamics", lambda: newton_euler.INVERSE_DYNAMICS),
    "composite bodies": ("mass matrix", lambda: algorithms.MASS_MATRIX),
}


def generic_chain(n: int) -> sd.Robot:
    """A chain of revolute joints without any special number."""
    rng = np.random.default_rng(0)
    rows = [(*rng.uniform((0.1, 0.3, 0.1), (1.0, 1.2, 1.0)), 0.0) for _ in range(n)]
    bodies = []
    for _ in range(n):
        A = rng.normal(size=(3, 3))
        S = A @ A.T  # second moments, which any body can have
        bodies.append(sd.Body(rng.uniform(1, 3), 0.1 * rng.normal(size=3), 0.01 * (np.trace(S) * np.eye(3) - S)))
    return sd.from_dh(rows, bodies=bodies)


def counted(program: Program, robot: sd.Robot) -> Count:
    """The operations of a program without wrenches on a robot."""
    if "external" in program.inputs:
        program = algorithms.without_external(program)
    counts = traced(program, robot.engine.constants, {}).counts()
    return Count(*(sum(counts.get(name, 0) for name in names) for names in (PRODUCTS, SUMS)))


def table(sizes: tuple[int, ...] = SIZES) -> dict[str, dict[int, Count]]:
    """Our counts by algorithm and number of joints."""
    chains = {n: generic_chain(n) for n in sizes}
    return {name: {n: counted(program(), robot) for n, robot in chains.items()} for name, (_, program) in OURS.items()}


def fitted(counts: dict[int, Count]) -> str:
    """The straight line through two sizes, as text."""
    a, b = FITTED
    parts = []
    for first, last in ((counts[a].products, counts[b].products), (counts[a].sums, counts[b].sums)):
        slope = (last - first) // (b - a)
        parts.append(f"{slope} n - {slope * a - first}")
    return ", ".join(parts)


def page() -> str:
    """The counts as Markdown."""
    found = table()
    head = "| | " + " | ".join(f"n = {n}" for n in SIZES) + " | fitted: products, sums |"
    lines = [head, "|---" * (len(SIZES) + 2) + "|"]
    for what in ("forward dynamics", "inverse dynamics", "mass matrix"):
        for name, (kind, _) in OURS.items():
            if kind == what:
                grows = name in ("bias force, composite bodies, U D U*", "composite bodies")
                cells = [f"{c.products:,} + {c.sums:,}" for c in found[name].values()]
                lines.append(f"| {what}: {name} | {' | '.join(cells)} | {'' if grows else fitted(found[name])} |")
        for row in PUBLISHED:
            if row.what == what:
                cells = [f"{c.products:,} + {c.sums:,}" for c in map(row.at, SIZES)]
                lines.append(f"| {what}: *{row.source}* | {' | '.join(cells)} | {row.text} |")
    recursive, matrix = found["articulated bodies"], found["bias force, composite bodies, U D U*"]
    first = next((n for n in SIZES if recursive[n].total < matrix[n].total), None)
    lines += ["", f"Of these sizes, articulated bodies are first cheaper than the factored mass matrix at n = {first}."]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", type=Path, help="write the page there")
    chosen = parser.parse_args()
    text = page()
    print(text)
    if chosen.markdown:
        about = (Path(__file__).parent / "text" / "counts.md").read_text(encoding="utf-8")
        chosen.markdown.write_text(f"{about.rstrip()}\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
