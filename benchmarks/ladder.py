"""From Pinocchio called in Python to our kernels, one advantage at a time, on the same states in one run."""

from __future__ import annotations

import numpy as np
from casadi_peer import ALGORITHMS
from figures import Report
from generated_c import lanes_name
from ladder_steps import BASE, STRAIGHT, Contestants
from machine import FmaLoop, instruction_set, llvm_version
from measures import Case, Options, difference, operations
from peer_robots import States
from pinocchio_calls import pinocchio_rows
from rounds import Times, interleaved
from steps import Step

# Ratios to reach against Pinocchio's batch call (of mass matrices, its loop) on a machine with AVX-512.
BATCH_TARGETS = {
    ("UR5", "forward_dynamics"): 35.0,
    ("UR5", "inverse_dynamics"): 40.0,
    ("UR5", "mass_matrix"): 15.0,
    ("Talos", "forward_dynamics"): 20.0,
}
# And against CasADi's C in as many lanes as ours, whatever the processor.
LANES_TARGETS = {
    ("UR5", "forward_dynamics"): 1.7,
    ("UR5", "inverse_dynamics"): 1.7,
    ("Talos", "forward_dynamics"): 1.4,
}


def measure(report: Report, case: Case, options: Options, fma: FmaLoop) -> None:
    """The three main quantities of a robot, step by step."""
    s = States.random(case.robot, options.states)
    contestants = Contestants(report, case, s, compile_loop=not options.quick)
    for remark in contestants.remarks():
        report.remark("ladder", remark)
    report.remark("ladder", f"soadyn: LLVM {llvm_version()}, {instruction_set()}, {fma.lanes} states at a time")
    for quantity in ALGORITHMS:
        steps = contestants.steps(quantity, fma.lanes)
        calls = {step.who: step.call for step in steps}
        times = interleaved(calls | {"fma loop": fma}, options.rounds, options.spend)
        expected = pinocchio_rows(case.pin, s, quantity) if case.pin else None
        place = ("ladder", case.name, quantity)
        add_rows(report, place, steps, times, len(s.q), expected, (BASE[quantity], "speed / batch call's"))
        _targets(report, case, quantity, times, {BASE[quantity]: options.ease, lanes_name(fma.lanes): 1.0})
        limit = max(fma.operations / float(times.seconds["fma loop"].min()), fma.best_rate())
        _share(report, case, quantity, times.median(STRAIGHT) / len(s.q), limit)


def add_rows(
    report: Report,
    place: tuple[str, str, str],
    steps: list[Step],
    times: Times,
    states: int,
    expected: np.ndarray | None,
    base: tuple[str, str],
) -> None:
    """A row for each step: time, what it gains, and how far its results are from Pinocchio's.

    `place` is the section, the robot and the quantity; `base` whom all are compared with, and the heading for that.
    """
    present = {step.who for step in steps}
    for step in steps:
        error = None
        if expected is not None and step.rows is not None:
            error = difference(step.rows()[: len(expected)], expected)
        further = {}
        if step.operations:
            further["operations"] = f"{step.operations:,}"
        if base[0] in present:
            further[base[1]] = f"{times.ratio(base[0], step.who):.3g}"
        if step.before in present:
            further["speed / step before's"] = f"{times.ratio(step.before, step.who):.3g} ({step.before})"
        ns = times.median(step.who) / states * 1e9
        report.add(*place, step.who, ns, "ns/state", error=error, further=further, note=step.note)


def _targets(report: Report, case: Case, quantity: str, times: Times, eased: dict[str, float]) -> None:
    """The ratios that are aimed at."""
    for (who, ease), targets in zip(eased.items(), (BATCH_TARGETS, LANES_TARGETS), strict=True):
        target = targets.get((case.name, quantity))
        if target and who in times.seconds:
            ratio, wanted = times.ratio(who, STRAIGHT), (">=", target * ease)
            report.add(
                "ladder", case.name, quantity, STRAIGHT, ratio, "times faster", target=wanted, note=f"than {who}"
            )


def _share(report: Report, case: Case, quantity: str, seconds: float, limit: float) -> None:
    """How much of the processor's arithmetic the kernel uses."""
    count = operations(case.robot, quantity)
    target = (">=", 30.0) if (case.name, quantity) == ("UR5", "forward_dynamics") else None
    note = f"{count:,} operations; limit {limit / 1e9:.1f} G/s, {instruction_set()}"
    report.add("fma", case.name, quantity, STRAIGHT, 100 * count / seconds / limit, "%", target=target, note=note)
