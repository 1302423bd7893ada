"""Products with Jacobians and Hessians: operations and times beside those of the quantity itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from figures import Report
from measures import Case, Options
from peer_robots import States
from rounds import interleaved

from soadyn.engine.tracing.trace import Traced, cheapest_trace
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep import second_derivatives
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Derivative, Program, with_derivative
from soadyn.quantities import QUANTITIES
from soadyn.robot.calling.second_derivatives import MOST_AT_ONCE

VECTORS = {"inverse_dynamics": ("q", "v", "vdot"), "forward_dynamics": ("q", "v", "tau")}
SECOND_DERIVATIVES = {
    "inverse_dynamics": second_derivatives.INVERSE_DYNAMICS_SECOND_DERIVATIVES,
    "forward_dynamics": second_derivatives.FORWARD_DYNAMICS_SECOND_DERIVATIVES,
}
# How many times the quantity's own operations or time a gradient may take, the value included.
COUNT_TARGET, TIME_TARGET = 2.8, 3.5
MOST_TRACED = 50  # joint rates of the robots whose straight-line code is counted
SECOND = 256  # states of small robots whose second derivatives are computed at once
MOST_SECOND = 12  # joint rates of small robots
FEW = 32  # states whose Hessians are computed at once
SECOND_TARGET = {("UR5", "forward_dynamics"): 1.0}  # microseconds of a state's second derivatives in a batch
# All second derivatives of a humanoid, as Singh, Russell and Wensing print them.
PUBLISHED = {"inverse_dynamics": 200.0, "forward_dynamics": 2100.0}


def gradients(report: Report, case: Case, options: Options) -> None:
    """What jvp, vjp and hvp take: operations of vjp, and times of all in a batch."""
    s = States.random(case.robot, options.states)
    for quantity in VECTORS:
        if case.robot.nv <= MOST_TRACED:
            _counts(report, case, quantity)
        calls = _products(case, s, quantity)
        times = interleaved(calls, options.rounds, options.spend)
        for who in calls:
            ratio = {} if who == "value" else {"times the value's": f"{times.ratio(who, 'value'):.3g}"}
            us = times.median(who) / len(s.q) * 1e6
            report.add("gradients", case.name, quantity, who, us, "us/state", further=ratio)
        ratio, target = times.ratio("vjp", "value"), ("<=", TIME_TARGET)
        report.add("gradients", case.name, quantity, "vjp", ratio, "times the value's time", target=target)


def _counts(report: Report, case: Case, quantity: str) -> None:
    """Operations of a gradient's trace beside those of the quantity's."""
    program = without_external(QUANTITIES[quantity].program)
    whole = _operations(case, with_derivative(program, Derivative("gradient", VECTORS[quantity])))
    value = _operations(case, program)
    note, unit = f"{whole:,} of {value:,}", "times the value's operations"
    report.add("gradients", case.name, quantity, "vjp", whole / value, unit, target=("<=", COUNT_TARGET), note=note)


def _operations(case: Case, program: Program) -> int:
    """Operations of the trace that straight-line code is made of."""
    engine = case.robot.engine

    def trace(same: Program) -> Traced:
        return traced(same, engine.constants, {})

    return cheapest_trace(program, engine.model, trace).operations


def _products(case: Case, s: States, quantity: str) -> dict[str, Callable[[], Any]]:
    """The quantity and its products on a batch."""
    robot = case.robot
    at = (s.q, s.v, s.a if quantity == "inverse_dynamics" else s.tau)
    along, weights = tuple(np.roll(x, 1, axis=0) for x in (s.v, s.a, s.tau)), np.ones_like(s.v)
    return {
        "value": lambda: getattr(robot, quantity)(*at),
        "jvp": lambda: robot.jvp(quantity, at, along),
        "vjp": lambda: robot.vjp(quantity, at, weights),
        "hvp": lambda: robot.hvp(quantity, at, weights, along),
    }


def hessians(report: Report, case: Case, options: Options) -> None:
    """The Hessian of w . f by all arguments, a product for each; of small robots, all second derivatives."""
    s = States.random(case.robot, SECOND)
    for quantity in VECTORS:
        at = (s.q, s.v, s.a if quantity == "inverse_dynamics" else s.tau)
        calls = {
            "Hessian of w . f, one state": (_hessians(case, quantity, at, 1), 1),
            f"Hessian of w . f, {FEW} states": (_hessians(case, quantity, at, FEW), FEW),
        }
        second = getattr(case.robot, f"{quantity}_second_derivatives")
        if case.robot.nv <= MOST_SECOND:
            calls[f"all second derivatives, {SECOND} states"] = (partial(second, *at), SECOND)
        if case.name == "Talos":
            calls["all second derivatives, one state"] = (partial(second, *(x[0] for x in at)), 1)
            calls["all second derivatives, 4 states"] = (partial(second, *(x[:4] for x in at)), 4)
        times = interleaved({who: call for who, (call, _) in calls.items()}, options.rounds, options.spend)
        for who, (_, states) in calls.items():
            note = f"{3 * case.robot.nv} products" if "Hessian" in who else _second_count(case, quantity)
            most = SECOND_TARGET.get((case.name, quantity)) if states == SECOND else None
            target = None if most is None else ("<=", most / options.ease)
            us = times.median(who) / states * 1e6
            report.add("hessians", case.name, quantity, who, us, "us/state", target=target, note=note)
        if case.name == "Talos":
            note = "arXiv 2302.06001: a humanoid with 36 joints, its authors' processor"
            who = "all second derivatives, one state: published"
            report.add("hessians", "ATLAS", quantity, who, PUBLISHED[quantity], "us/state", note=note)


def _second_count(case: Case, quantity: str) -> str:
    """The operations of all second derivatives, where one kernel finds them."""
    if quantity == "forward_dynamics" and case.robot.nv > MOST_AT_ONCE:
        return "the last products by NumPy"
    program = without_external(SECOND_DERIVATIVES[quantity])
    return f"{traced(program, case.robot.engine.constants, {}).operations:,} operations"


def _hessians(case: Case, quantity: str, at: tuple[np.ndarray, ...], states: int) -> Callable[[], Any]:
    """All products at the first states, in one call: each state stands there once for each direction."""
    size = 3 * case.robot.nv
    repeated = tuple(np.repeat(x[:states], size, axis=0) for x in at)
    along = tuple(np.tile(np.eye(size), (states, 1)).reshape(-1, 3, case.robot.nv).swapaxes(0, 1).copy())
    return partial(case.robot.hvp, quantity, repeated, np.ones(case.robot.nv), along)
