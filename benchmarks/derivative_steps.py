"""The ladder of derivatives: full Jacobians of inverse and forward dynamics, one advantage at a time."""

from __future__ import annotations

import subprocess
from functools import partial
from typing import Any

import casadi_peer
import numpy as np
import pinocchio_loop
import shared_library
from c_in_parts import LONGEST, SIZE
from casadi_peer import DERIVATIVES, Column
from cpp_loop import CppLoop
from figures import Report
from generated_c import lanes_name
from ladder import add_rows
from ladder_steps import ROLLED, STRAIGHT, loop_in_cpp
from machine import instruction_set, llvm_version
from measures import Case, Options, ours
from peer_robots import States
from pinocchio_calls import pinocchio_rows, theirs
from rounds import Times, interleaved
from steps import Step, in_our_order

from soadyn.engine import policy
from soadyn.engine.native.llvm.processor import processor

# Operations of the cheaper of the analytic forms of the design's prototype, before inertias were regrouped.
BEFORE = {
    "inverse_dynamics_derivatives": {"UR5": 2_021, "Panda": 3_416, "Talos": 26_600, "chain of 30": 38_000},
    "forward_dynamics_derivatives": {"UR5": 3_469, "Panda": 6_058, "Talos": 94_600, "chain of 30": 104_000},
}
# How many times faster than CasADi's C in as many lanes, and than the C++ loop, on each of these robots.
TARGETS = {"inverse_dynamics_derivatives": 1.3, "forward_dynamics_derivatives": 2.0}
AIMED = ("UR5", "Panda", "Talos")
# How many times faster than the Python loop, inverse and forward, with AVX-512: batches, and one state.
LOOP_TARGETS = {
    "UR5": (45, 40),
    "Panda": (32, 30),
    "Talos": (12, 9),
    "chain of 30": (8, 7),
    "chain of 100": (2, 3),
}
SINGLE_TARGETS = {"UR5": (1.8, 2.0), "Talos": (2.8, 2.4)}
CALLS = {
    "inverse_dynamics_derivatives": "computeRNEADerivatives",
    "forward_dynamics_derivatives": "computeABADerivatives",
}
MOST_COUNTED = 50  # joint rates of the robots whose operations are counted: tracing grows with their cube


def measure(report: Report, case: Case, options: Options) -> None:
    """Both quantities of a robot: a batch, step by step, and one state."""
    s = States.random(case.robot, options.states)
    reason = pinocchio_loop.missing(compile_it=not options.quick)
    loop = loop_in_cpp(report, case, "Pinocchio", reason, pinocchio_loop.library)
    columns = _columns(report, case, s)
    _remarks(report, loop, columns)
    for quantity in DERIVATIVES:
        steps = _steps(case, s, quantity, loop, columns.get(quantity, []))
        times = interleaved({step.who: step.call for step in steps}, options.rounds, options.spend)
        expected = matrices(pinocchio_rows(case.pin, s, quantity)) if case.pin else None
        base = (f"Pinocchio loop of {CALLS[quantity]}", "speed / Python loop's")
        add_rows(report, ("jacobians", case.name, quantity), steps, times, len(s.q), expected, base)
        _targets(report, case, quantity, times, options.ease)
        _single(report, case, quantity, s, options)


def _steps(case: Case, s: States, quantity: str, loop: CppLoop | None, columns: list[Column]) -> list[Step]:
    """The steps from the slowest to ours."""
    found: list[Step] = []
    cpp = _cpp_name(quantity)
    if case.pin:
        found += [Step(who, call) for who, call in theirs(case.pin, s, quantity).items()]
        if loop:
            step = loop.step(cpp, s, quantity)
            found.append(Step(cpp, step.call, partial(lambda step: matrices(step.rows()), step), before=found[-1].who))
        for column in columns:
            rows = partial(lambda c: matrices(in_our_order(case.pin.peer, s, quantity, c.rows())), column)
            note = f"in parts of {SIZE} assignments" if column.operations > LONGEST else ""
            before = found[-1].who
            found.append(Step(column.form.who, column.call, rows, before, note, column.operations))
    return found + _own(case, s, quantity)


def _own(case: Case, s: States, quantity: str) -> list[Step]:
    """The kernel that takes any robot, and the one of this robot where batches run it."""
    count = operations(case, quantity)
    before = BEFORE[quantity].get(case.name)
    most = policy.LONGEST_TRACE
    note = f"prototype: {before:,} operations" if before else ""
    if not count or count > most:
        more = f"straight-line code of {count:,} operations" if count else "straight-line code"
        note = "; ".join(x for x in (f"batches do not run {more}, more than {most:,}", note) if x)
        return [_ours(case.robot, ROLLED, s, quantity, _cpp_name(quantity), note, 0)]
    lanes = lanes_name(processor().lanes(8))
    return [
        _ours(case.robot.specialize(False), ROLLED, s, quantity, _cpp_name(quantity), "", 0),
        _ours(case.robot, STRAIGHT, s, quantity, lanes, note, count),
    ]


def _ours(robot: Any, who: str, s: States, quantity: str, before: str, note: str, count: int) -> Step:
    """A call of the public method on the batch."""
    call = ours(robot, s, quantity)
    return Step(who, call, lambda: matrices(np.stack(call(), axis=1)), before, note, count)


def operations(case: Case, quantity: str) -> int:
    """Operations in straight-line code, or 0 where they are not counted."""
    if case.robot.nv > MOST_COUNTED:
        return 0
    return sum(sum(stage.values()) for stage in case.robot.operation_counts(quantity).values())


def _single(report: Report, case: Case, quantity: str, s: States, options: Options) -> None:
    """One state through the public method, beside Pinocchio's call of one state from Python."""
    one = States(*(x[:1] for x in (s.q, s.v, s.a, s.tau)))
    calls = {"soadyn": ours(case.robot, States(*(x[0].copy() for x in (s.q, s.v, s.a, s.tau))), quantity)}
    if case.pin:
        (loop,) = theirs(case.pin, one, quantity).values()
        calls[f"Pinocchio {CALLS[quantity]}"] = loop
    times = interleaved(calls, options.rounds, options.spend)
    for who in calls:
        further = {} if who == "soadyn" else {"soadyn's speed": f"{times.ratio(who, 'soadyn'):.3g} times"}
        report.add("jacobians-single", case.name, quantity, who, times.median(who) * 1e6, "us", further=further)
        if who != "soadyn" and case.name in SINGLE_TARGETS:
            target = (">=", SINGLE_TARGETS[case.name][_place(quantity)] * options.ease)
            ratio = times.ratio(who, "soadyn")
            report.add("jacobians-single", case.name, quantity, "soadyn", ratio, "times faster", target=target)


def _targets(report: Report, case: Case, quantity: str, times: Times, ease: float) -> None:
    """The ratios that are aimed at; narrower vector lanes ease those against Pinocchio's loops only."""
    mine = STRAIGHT if STRAIGHT in times.seconds else ROLLED
    aims = {f"Pinocchio loop of {CALLS[quantity]}": LOOP_TARGETS[case.name][_place(quantity)] * ease}
    if case.name in AIMED:
        aims |= {_cpp_name(quantity): TARGETS[quantity] * ease, lanes_name(processor().lanes(8)): TARGETS[quantity]}
    for who, least in aims.items():
        if who in times.seconds:
            ratio, note = times.ratio(who, mine), f"than {who}"
            report.add("jacobians", case.name, quantity, mine, ratio, "times faster", target=(">=", least), note=note)


def _place(quantity: str) -> int:
    """Where a quantity's target stands."""
    return list(TARGETS).index(quantity)


def _columns(report: Report, case: Case, s: States) -> dict[str, list[Column]]:
    """Columns of generated C for each quantity, where CasADi is and can read the robot."""
    if case.pin is None:
        return {}
    reason = casadi_peer.missing()
    if not reason and not case.path.is_file():
        reason = f"{case.name}: it is made in code, and the C is generated from a URDF"
    if not reason:
        if why := casadi_peer.lanes_missing():
            report.skip(f"CasADi's C in lanes: {why}")
        forms = [form for form in casadi_peer.forms() if form.number == "float64"]
        try:
            return casadi_peer.derivative_columns(case.pin, case.path, case.free, case.locked, s, forms)
        except subprocess.CalledProcessError as error:
            reason = f"{case.name}: {shared_library.complaint(error)}"
    report.skip(f"CasADi's generated derivatives: {reason}")
    return {}


def _remarks(report: Report, loop: CppLoop | None, columns: dict[str, list[Column]]) -> None:
    """Versions and flags."""
    if loop:
        report.remark("jacobians", f"Pinocchio C++ loop: {pinocchio_loop.note()}")
    for column in columns.get("forward_dynamics_derivatives", []):
        report.remark("jacobians", f"{column.form.who}: {column.note}")
    lanes = processor().lanes(8)
    report.remark("jacobians", f"soadyn: LLVM {llvm_version()}, {instruction_set()}, {lanes} states at a time")


def _cpp_name(quantity: str) -> str:
    return f"Pinocchio C++ loop of {CALLS[quantity]}"


def matrices(found: np.ndarray) -> np.ndarray:
    """Three matrices for each state as rows of their own: each is compared relative to its own largest number."""
    return found.reshape(-1, *found.shape[2:])
