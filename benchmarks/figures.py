"""Figures, each with its target: as tables on the terminal, as JSON, as Markdown and as plots."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

SECTIONS = {
    "batch": "Batches of states on one thread",
    "fma": "Share of the limit of independent fused products and sums",
    "single": "One state, called from Python",
    "together": "Mass matrix, bias force, a Jacobian and a pose from one kernel, against the four alone",
    "links": "Growth over links, one state",
    "batches": "Growth over the batch, UR5 forward dynamics",
    "memory": "Memory",
    "start": "From sd.load to the first forward dynamics, after import",
    "under-actuated": "Robots with passive joints",
    "corpus": "Forward dynamics of every robot of the corpus",
}


# What each plot shows.
SHOWN = {
    "links": "growth with the links",
    "batches": "growth with the batch",
    "corpus": "forward dynamics of the corpus",
}


@dataclass(frozen=True)
class Figure:
    """One measured number; `target` is (comparison, bound) as the issue sets it."""

    section: str
    robot: str
    what: str
    who: str
    value: float
    unit: str
    error: float | None = None
    target: tuple[str, float] | None = None
    note: str = ""
    x: float | None = None  # where it stands in a plot

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        comparison, bound = self.target
        return self.value >= bound if comparison == ">=" else self.value <= bound

    def columns(self) -> tuple[str, ...]:
        wanted = "" if self.target is None else f"{self.target[0]} {self.target[1]:g}"
        return (
            self.robot,
            self.what,
            self.who,
            f"{readable(self.value)} {self.unit}".strip(),
            "" if self.error is None else f"{self.error:.1e}",
            wanted,
            {None: "", True: "met", False: "not met"}[self.met],
            self.note,
        )


HEADINGS = ("robot", "what", "who", "figure", "difference", "target", "", "note")


def readable(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


@dataclass
class Report:
    """All figures of a run, and what they were measured on."""

    machine: dict[str, Any]
    figures: list[Figure] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    targets: bool = True  # a quick run aims at nothing
    titles: dict[str, str] = field(default_factory=lambda: SECTIONS)

    def add(self, *args: Any, **options: Any) -> None:
        if not self.targets:
            options["target"] = None
        self.figures.append(Figure(*args, **options))

    def skip(self, reason: str) -> None:
        if reason not in self.skipped:
            self.skipped.append(reason)

    def sections(self) -> Iterable[tuple[str, list[Figure]]]:
        for name in self.titles:
            figures = [figure for figure in self.figures if figure.section == name]
            if figures:
                yield name, figures

    def facts(self) -> list[str]:
        m = self.machine
        versions = ", ".join(f"{name} {version}" for name, version in m["versions"].items())
        return [
            f"{m['processor']}, {m['processors']} processors, compiled for {m['compiled for']} "
            f"({', '.join(m['features'])})",
            f"AVX-512: {'yes' if m['avx512'] else 'no, so half of the ratios suffice'}; "
            f"threads: {m['threads']}; load {m['load']}; Python {m['python']}; {m['system']}",
            f"{versions}; commit {m['commit']}",
        ]

    def print(self) -> None:
        console = Console()
        if not console.is_terminal:
            console = Console(width=160)
        for line in self.facts():
            console.print(line, highlight=False)
        for name, figures in self.sections():
            table = Table(title=self.titles[name], title_justify="left")
            for heading in HEADINGS:
                table.add_column(heading, justify="right" if heading in ("figure", "difference", "target") else "left")
            for figure in figures:
                style = {None: "", True: "green", False: "bold red"}[figure.met]
                table.add_row(*figure.columns(), style=style)
            console.print(table)
        for reason in self.skipped:
            console.print(f"left out: {reason}", highlight=False)
        if not self.targets:
            console.print("A quick run: its figures mean nothing.")
            return
        aimed = [figure for figure in self.figures if figure.target]
        console.print(f"{sum(bool(figure.met) for figure in aimed)} of {len(aimed)} targets met", highlight=False)

    def markdown(self, command: str = "", pictures: Sequence[str] = ()) -> str:
        """All figures; `command` is how they were made, `pictures` stand above them."""
        lines = [
            "# Benchmarks",
            "",
            *([f"Written by `{command}`.", ""] if command else []),
            *(f"![{SHOWN[Path(picture).stem]}]({picture})" for picture in pictures),
            *([""] if pictures else []),
            *(f"- {line}" for line in self.facts()),
            *(f"- left out: {x}" for x in self.skipped),
        ]
        for name, figures in self.sections():
            lines += [
                "",
                f"## {self.titles[name]}",
                "",
                "| " + " | ".join(HEADINGS) + " |",
                "|" + "---|" * len(HEADINGS),
            ]
            lines += ["| " + " | ".join(figure.columns()) + " |" for figure in figures]
        return "\n".join([*lines, ""])

    def json(self) -> str:
        figures = [{**asdict(figure), "met": figure.met} for figure in self.figures]
        return json.dumps({"machine": self.machine, "left out": self.skipped, "figures": figures}, indent=1)

    def plots(self, folder: Path) -> list[Path]:
        """Growth over links and batch, and the corpus, as PNG files."""
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt

        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for section, axis, label in (("links", "links", "per link"), ("batches", "states", "per state")):
            figures = [figure for figure in self.figures if figure.section == section and figure.x is not None]
            if not figures:
                continue
            picture, axes = plt.subplots(figsize=(7, 4.5))
            lines: dict[str, list[tuple[float, float]]] = {}
            for figure in figures:  # over the batch, what is measured is the number of states itself
                line = figure.who if section == "batches" else f"{figure.what}: {figure.who}"
                lines.setdefault(line, []).append((figure.x, figure.value))
            for line, points in lines.items():
                axes.loglog(*zip(*sorted(points), strict=True), marker="o", label=line)
            axes.set(xlabel=axis, ylabel=f"ns {label}", title=SECTIONS[section])
            axes.legend()
            axes.grid(alpha=0.3)
            written.append(folder / f"{section}.png")
            picture.savefig(written[-1], dpi=150, bbox_inches="tight")
            plt.close(picture)
        robots = sorted((f.value, f.robot) for f in self.figures if f.section == "corpus" and f.who == "one of them")
        if robots:
            picture, axes = plt.subplots(figsize=(7, 0.2 * len(robots) + 1))
            axes.barh([name for _, name in robots], [ratio for ratio, _ in robots])
            axes.set(xlabel="times faster than abaInParallel, one thread", title=SECTIONS["corpus"])
            written.append(folder / "corpus.png")
            picture.savefig(written[-1], dpi=150, bbox_inches="tight")
            plt.close(picture)
        return written
