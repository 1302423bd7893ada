"""`soadyn check ROBOT`: everything that can be computed in two ways, on the user's own robot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np
from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from soadyn.cli import closed_checks, cross_checks, dense_checks, peer_checks
from soadyn.cli.case import Case
from soadyn.cli.terminal import (
    JsonOption,
    MimicOption,
    RobotName,
    RootOption,
    StrictOption,
    counted,
    loaded,
    out,
    print_json,
    print_notes,
)
from soadyn.errors import ArgumentError, SoadynError, errstate
from soadyn.robot import Robot

IDENTITIES_ALLOWED = 1e-8  # explicit inverses lose digits where masses differ a lot
PEER_ALLOWED = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """A checked fact: holds if the error is at most what is allowed. `reason` says why it has no error at all."""

    fact: str
    error: float
    allowed: float
    reason: str = ""

    @property
    def holds(self) -> bool:
        return not self.reason and self.error <= self.allowed


@final
@dataclass(frozen=True, slots=True)
class Section:
    """Findings that were made in the same way; without any, `why_not` says why."""

    title: str
    findings: tuple[Finding, ...]
    why_not: str = ""


def check_robot(
    robot: RobotName,
    *,
    states: Annotated[int, Parameter(help="How many random states.")] = 20,
    seed: Annotated[int, Parameter(help="Of the random states.")] = 0,
    root: RootOption = None,
    mimic: MimicOption = "independent",
    strict: StrictOption = False,
    json: JsonOption = False,
) -> int:
    """Check a robot: compute everything in two ways at random states and compare; exit code 1 if something differs."""
    if states < 1:
        raise ArgumentError(f"check needs at least one state, got --states {states}")
    arm = loaded(robot, root, mimic, strict)
    return _report_json(arm, robot, states, seed) if json else report(arm, robot, states, seed)


def report(arm: Robot, source: str, states: int, seed: int, brief: bool = False) -> int:
    """Print the findings, or only how many there are if `brief` and all hold; 0 if all facts hold, otherwise 1."""
    print_notes(arm)
    if not arm.nv:
        out.print(f"{arm.name!r} has no moving joint: there is nothing to check")
        return 0
    shown = []
    for section in _sections(arm, source, states, seed):
        shown.append(section)
        if not brief:
            _print(section)
    findings = [finding for section in shown for finding in section.findings]
    failed = [finding for finding in findings if not finding.holds]
    if failed:
        for section in shown if brief else ():
            _print(section)
        out.print(f"\n{len(failed)} of {counted(len(findings), 'check')} failed on {arm.name!r}", style="bold red")
        return 1
    largest = max(finding.error for finding in findings)
    held = f"{'' if brief else chr(10)}all {len(findings)} checks hold on {arm.name!r}; largest error {largest:.1e}"
    out.print(held, style="bold green")
    if missing := len(arm.model.left_out):
        told = f"checked without {counted(missing, 'thing')} that its file says and soadyn leaves out (see above)"
        out.print(told, style="bold yellow")
    return 0


def _report_json(arm: Robot, source: str, states: int, seed: int) -> int:
    sections = list(_sections(arm, source, states, seed)) if arm.nv else []
    holds = all(finding.holds for section in sections for finding in section.findings)
    checks = [
        {
            "section": section.title,
            "fact": finding.fact,
            "holds": finding.holds,
            "error": finding.error,
            "allowed": finding.allowed,
            "reason": finding.reason,
        }
        for section in sections
        for finding in section.findings
    ]
    left_out = {section.title: section.why_not for section in sections if section.why_not}
    print_json(
        {
            "robot": arm.name,
            "states": states,
            "seed": seed,
            "holds": holds,
            "checks": checks,
            "left_out": left_out,
            "notes": arm.notes,
            "not_modelled": arm.model.left_out,
        }
    )
    return 0 if holds else 1


def _sections(arm: Robot, source: str, states: int, seed: int) -> Iterator[Section]:
    """Each group of findings as soon as it is there."""
    case = Case(arm.open(), states, seed) if arm.closures else Case(arm, states, seed)
    opened = ", its closures open" if arm.closures else ""
    yield Section(
        f"{arm.name!r} at {counted(states, 'random state')}{opened}", tuple(_facts(case, cross_checks.CHECKS))
    )
    if arm.closures:
        title = f"with {counted(len(arm.closures), 'closure')}, where it is closed"
        yield Section(title, tuple(_closed(arm, states, seed)))
    if arm.model.n <= dense_checks.MOST_LINKS:
        yield Section("against explicit operators, and the papers' identities", tuple(_dense(case)))
    found, why_not = peer_checks.pinocchio_errors(case, source)
    agreeing = (Finding(f"{fact} agrees with Pinocchio", error, PEER_ALLOWED) for fact, error in found)
    yield Section("against Pinocchio", tuple(agreeing), why_not)


def _closed(arm: Robot, states: int, seed: int) -> Iterator[Finding]:
    try:
        with errstate("raise"), np.errstate(all="ignore"):
            case = closed_checks.closed_case(arm, states, seed)
    except SoadynError as error:
        yield Finding("the robot can be closed", np.nan, 0.0, str(error))
    else:
        yield from _facts(case, closed_checks.CHECKS)


def _facts(case: Case, checks: Iterable[cross_checks.Check]) -> Iterator[Finding]:
    for check in checks:
        try:
            with errstate("raise"), np.errstate(all="ignore"):
                error = float(np.max(check.error(case)))
            yield Finding(check.fact, error, check.allowed)
        except (SoadynError, np.linalg.LinAlgError) as error:
            # "forward_dynamics: row 3 D is singular at ..." for every quantity alike
            reason = re.sub(r"^\w+: (row \S+ )?", "", str(error)).replace("D is", "the mass matrix is")
            yield Finding(check.fact, np.nan, check.allowed, reason)


def _dense(case: Case) -> Iterator[Finding]:
    try:
        with np.errstate(all="ignore"):
            for fact, error in dense_checks.dense_errors(case):
                yield Finding(fact, error, IDENTITIES_ALLOWED)
    except np.linalg.LinAlgError:
        reason = "the mass matrix is singular: it has no inverse to compare"
        yield Finding("identities of the operators", np.nan, IDENTITIES_ALLOWED, reason)


def _print(section: Section) -> None:
    if section.why_not:
        out.print(f"\nnot compared with Pinocchio: {section.why_not}", style="dim", markup=False)
        return
    table = Table(box=None, pad_edge=False, header_style="dim", title_justify="left", show_header=True)
    table.add_column("")
    table.add_column(Text(section.title, style="bold"))
    table.add_column("worst error", justify="right")
    table.add_column("allowed", justify="right", style="dim")
    for finding in section.findings:
        mark = Text("✓", style="green") if finding.holds else Text("✗", style="bold red")
        words = Text(finding.fact)
        if finding.reason:
            words.append("  cannot be computed", style="red")
        error = "" if finding.reason else f"{finding.error:.1e}"
        table.add_row(mark, words, error, f"{finding.allowed:.0e}")
    out.print()
    out.print(table)
    for reason in dict.fromkeys(finding.reason for finding in section.findings if finding.reason):
        out.print(Text(f"   why: {reason}", style="red"), soft_wrap=True)
