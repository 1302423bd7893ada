"""Rates of what solves the equations of motion, without differentiating the solution.

    T = inverse(q, v, θ̈)    holds at the solution, so    dT = inverse' + Mass dθ̈

inverse' is its change at fixed θ̈. Known are T of passive and θ̈ of active components, so that

    dθ̈_p = Mass_pp⁻¹ (dT_p - inverse'_p),    dT_a = inverse'_a + Mass_ap dθ̈_p    (dθ̈_a counted in inverse')

which is the motion of the same robot at rest; its articulated inertias are found already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.derivatives import tangent
from soadyn.engine.tracing.evaluating import substituted
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.values import array_of
from soadyn.programs.sweep.program import Implicit, Program

Vector = Any  # an array of scalars, flat; 0.0 for one that vanishes
# Traces a program in the same graph; its inputs are known.
Retrace = Callable[[Program, Mapping[str, Any]], Traced]


@final
class ImplicitSolution:
    """What a trace found, as the solution of `equations` of motion; `given` are the values of the trace's inputs."""

    def __init__(self, trace: Traced, rule: Implicit, given: Mapping[str, Any], nv: int, retrace: Retrace) -> None:
        self._trace, self._rule, self._given, self._nv, self._retrace = trace, rule, given, nv, retrace
        # Inputs stand for the accelerations, so that nothing is differentiated through their solution.
        self._accelerations = recorded(trace.graph, Port("accelerations", (nv,)))
        known = {name: given[name] for name in rule.inverse.inputs if name != "vdot"}
        self.equations = retrace(rule.inverse, {**known, "vdot": self._accelerations})

    def known(self, values: list[Any]) -> list[Any]:
        """Values that depend on the accelerations, at those that were found."""
        found = zip(self._accelerations, next(iter(self._trace.outputs.values())), strict=True)
        return substituted(self._trace.graph, values, {x.node: value for x, value in found})

    def rates(self, seeds: Mapping[int, Any], d_tau: Vector, d_vdot: Vector) -> list[Any]:
        """How θ̈, and T if there are active components, change; `seeds` are the rates of other arguments' nodes."""
        none = np.zeros(self._nv)
        passive = self._given.get("passive", none + 1.0)
        d_tau, d_vdot = passive * d_tau, (1 - passive) * d_vdot
        seeds = {**seeds, **{x.node: rate for x, rate in zip(self._accelerations, d_vdot, strict=True)}}
        rates = self.known(tangent(self._trace.graph, self.equations.results, seeds))
        change = array_of(rates, (self._nv,))
        theta_ddot, *T = self.at_rest(tau=d_tau - change, vdot=none)
        changes = [theta_ddot + d_vdot, *(d_tau + (1 - passive) * (change + x) for x in T)]
        return [x for vector in changes for x in vector]

    def at_rest(self, **known: Vector) -> list[Vector]:
        """What forces and accelerations do to the robot at rest, without gravity."""
        given = {**self._given, **known}
        solved = self._retrace(self._rule.at_rest, {name: given[name] for name in self._rule.at_rest.inputs})
        return [array_of(x, (len(x),)) for x in solved.outputs.values()]
