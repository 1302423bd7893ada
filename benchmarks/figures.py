"""Figures, each with its target: as tables on the terminal, as JSON, as Markdown and as plots."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

SECTIONS = {
    "ladder": "From Pinocchio to our kernels, a step at a time: batches of states on one thread",
    "fma": "Share of the limit of independent fused products and sums",
    "single": "One state, called from Python",
    "links": "Growth over links, one state",
    "batches": "Growth over the batch, UR5 forward dynamics",
    "threads": "A second processor",
    "memory": "Memory",
    "start": "From sd.load to the first forward dynamics, after import",
    "under-actuated": "Robots with passive joints",
    "corpus": "Forward dynamics of every robot of the corpus",
}


# What each plot shows.
SHOWN = {
    "links": "One state of a chain: the time that a link takes, which does not grow with the number of links.",
    "batches": "Forward dynamics of UR5 over the size of the batch: the time that a state takes.",
    "corpus": "Forward dynamics of every robot of the corpus, in batches: how many times faster than Pinocchio's.",
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
    further: dict[str, str] = field(default_factory=dict)  # columns that only some sections have

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        comparison, bound = self.target
        return self.value >= bound if comparison == ">=" else self.value <= bound

    def columns(self, further: Sequence[str] = ()) -> tuple[str, ...]:
        wanted = "" if self.target is None else f"{self.target[0]} {self.target[1]:g}"
        return (
            self.robot,
            self.what,
            self.who,
            f"{readable(self.value)} {self.unit}".strip(),
            *(self.further.get(name, "") for name in further),
            "" if self.error is None else f"{self.error:.1e}",
            wanted,
            {None: "", True: "met", False: "not met"}[self.met],
            self.note,
        )


HEADINGS = ("robot", "what", "who", "figure", "difference", "target", "", "note")
TEXT = Path(__file__).with_name("text")


def headings(figures: list[Figure]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of a section, and those among them that only some sections have."""
    further = tuple(dict.fromkeys(name for figure in figures for name in figure.further))
    return (*HEADINGS[:4], *further, *HEADINGS[4:]), further


def explanation(section: str) -> list[str]:
    """The prose that stands above a section's table in Markdown: `text/SECTION.md`, if there is one."""
    file = TEXT / f"{section}.md"
    return [file.read_text(encoding="utf-8").strip(), ""] if file.is_file() else []


def readable(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


@dataclass
class Report:
    """All figures of a run, and what they were measured on."""

    machine: dict[str, Any]
    figures: list[Figure] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    remarks: dict[str, list[str]] = field(default_factory=dict)  # by section

    targets: bool = True  # a quick run aims at nothing
    titles: dict[str, str] = field(default_factory=lambda: SECTIONS)
    heading: str = "Benchmarks"  # of the page

    def add(self, *args: Any, **options: Any) -> None:
        if not self.targets:
            options["target"] = None
        self.figures.append(Figure(*args, **options))

    def skip(self, reason: str) -> None:
        if reason not in self.skipped:
            self.skipped.append(reason)

    def remark(self, section: str, text: str) -> None:
        """What stands above a section's table: versions, flags."""
        lines = self.remarks.setdefault(section, [])
        if text not in lines:
            lines.append(text)

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
            names, further = headings(figures)
            for heading in names:
                table.add_column(heading, justify="right" if heading in ("figure", "difference", "target") else "left")
            for figure in figures:
                style = {None: "", True: "green", False: "bold red"}[figure.met]
                table.add_row(*figure.columns(further), style=style)
            console.print(table)
            for remark in self.remarks.get(name, []):
                console.print(remark, highlight=False)
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
            f"# {self.heading}",
            "",
            *([f"Written by `{command}`.", ""] if command else []),
            *(line for picture in pictures for line in captioned(picture)),
            *(f"- {line}" for line in self.facts()),
            *(f"- left out: {x}" for x in self.skipped),
        ]
        for name, figures in self.sections():
            lines += ["", f"## {self.titles[name]}", "", *self.section(name, figures, self.remarks.get(name, []))]
        return "\n".join([*lines, ""])

    def section(self, name: str, figures: list[Figure], remarks: Sequence[str]) -> list[str]:
        """What stands below a section's title: its prose, remarks, table."""
        names, further = headings(figures)
        lines = [*explanation(name), *(f"- {remark}" for remark in remarks), *([""] if remarks else [])]
        lines += ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
        return lines + ["| " + " | ".join(figure.columns(further)) + " |" for figure in figures]

    def renewed(self, page: str, command: str) -> str:
        """An earlier page with this run's sections in place of its own; they say what they were measured on."""
        head, *parts = re.split(r"^## ", page, flags=re.MULTILINE)
        kept = {title: body.strip() for title, _, body in (part.partition("\n") for part in parts)}
        measured = [f"written by `{command}`", *self.facts(), *(f"left out: {x}" for x in self.skipped)]
        for name, figures in self.sections():
            lines = self.section(name, figures, [*measured, *self.remarks.get(name, [])])
            kept[self.titles[name]] = "\n".join(lines)
        whole = [f"## {title}\n\n{kept[title]}" for title in self.titles.values() if title in kept]
        return "\n\n".join([head.strip(), *whole]) + "\n"

    def write(self, page: Path, command: str, some: bool, pictures: Sequence[str] = ()) -> None:
        """Write the page; a run of `some` sections renews those of a page that is there."""
        again = some and page.is_file()
        page.write_text(self.renewed(page.read_text(), command) if again else self.markdown(command, pictures))

    def json(self) -> str:
        figures = [{**asdict(figure), "met": figure.met} for figure in self.figures]
        whole = {"machine": self.machine, "left out": self.skipped, "remarks": self.remarks, "figures": figures}
        return json.dumps(whole, indent=1)


def captioned(picture: str) -> list[str]:
    """A picture and, below it, what it shows."""
    told = SHOWN[Path(picture).stem]
    return [f"![{told}]({picture})", "", f"*{told}*", ""]
