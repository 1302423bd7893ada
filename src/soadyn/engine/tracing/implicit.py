"""Derivatives of what solves the equations of motion, without differentiating the solution.

    T = inverse(q, v, θ̈)    holds at the solution, so    dT = inverse' + Mass dθ̈

inverse' is its change at fixed θ̈. Known are T of passive and θ̈ of active components, so that

    dθ̈_p = Mass_pp⁻¹ (dT_p - inverse'_p),    dT_a = inverse'_a + Mass_ap dθ̈_p    (dθ̈_a counted in inverse')

which is the motion of the same robot at rest; its articulated inertias are found already. The adjoint goes the other
way: from the weights of θ̈_p and T_a the robot at rest makes the weights of `inverse`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.derivatives import gradient, tangent
from soadyn.engine.tracing.differentiated import (
    Vector,
    along_joints,
    directions,
    extended,
    flat,
    further_inputs,
    node_of,
    seeds_along,
)
from soadyn.engine.tracing.evaluating import substituted
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Derivative, Implicit, Program

# Traces a program in the same graph; its inputs are known.
Retrace = Callable[[Program, Mapping[str, Any]], Traced]


def with_implicit_derivatives(
    trace: Traced, derivative: Derivative, model: Model, rule: Implicit, given: Mapping[str, Any], retrace: Retrace
) -> Traced:
    """The trace with a derivative behind it; `given` are the values of its inputs as the reference takes them."""
    further = further_inputs(trace, derivative, model)
    values = [x for scalars in further.values() for x in scalars]
    equations = _AtSolution(trace, model, rule, given, retrace)
    if derivative.mode == "tangent":
        found = equations.rates(directions(trace, model, derivative.by, values))
    else:
        found = equations.cotangents(derivative.by, values)
    return extended(trace, derivative, model, further, found)


@final
class _AtSolution:
    """The equations of motion at the accelerations that a trace found."""

    def __init__(self, trace: Traced, model: Model, rule: Implicit, given: Mapping[str, Any], retrace: Retrace) -> None:
        self._trace, self._model, self._rule, self._given, self._retrace = trace, model, rule, given, retrace
        self._passive: Vector = given.get("passive", np.ones(model.nv))
        # Inputs stand for the accelerations, so that nothing is differentiated through their solution.
        self._accelerations = list(recorded(trace.graph, Port("accelerations", (model.nv,))).flat)
        known = {name: given[name] for name in rule.inverse.inputs if name != "vdot"}
        self._inverse = retrace(rule.inverse, {**known, "vdot": flat(self._accelerations)}).results

    def rates(self, along: dict[str, Vector]) -> list[Any]:
        """How θ̈, and T if there are active components, change along the directions."""
        none = flat([0.0] * self._model.nv)
        d_tau, d_vdot = (along.get(name, none) for name in ("tau", "vdot"))
        d_vdot = (1 - self._passive) * d_vdot
        moving = {name: direction for name, direction in along.items() if name not in ("tau", "vdot")}
        seeds = seeds_along(self._trace, self._model, moving)
        seeds.update((x.node, rate) for x, rate in zip(self._accelerations, d_vdot, strict=True))
        change = self._at_solution(tangent(self._trace.graph, self._inverse, seeds))
        theta_ddot, *T = self._at_rest(d_tau - change, none)
        changes = [theta_ddot + d_vdot, *(self._passive * d_tau + (1 - self._passive) * (change + x) for x in T)]
        return [x for vector in changes for x in vector]

    def cotangents(self, by: tuple[str, ...], weights: list[Any]) -> list[Any]:
        """The derivatives of the weighted sum of θ̈, and T if there are active components."""
        nv = self._model.nv
        w_a, w_T = flat(weights[:nv]), flat(weights[nv:] or [0.0] * nv)
        (solved, *_) = self._at_rest(w_a, -w_T)
        nodes = {name: [node_of(x) for x in self._scalars(name)] for name in by if name != "tau"}
        wanted = [node for own in nodes.values() for node in own]
        found = iter(self._at_solution(gradient(self._trace.graph, self._inverse, list(-solved), wanted)))
        by_entry: list[Any] = []
        for name in by:
            own = flat([next(found) for _ in nodes.get(name, ())])
            if name == "tau":
                own = self._passive * (solved + w_T)
            elif name == "vdot":
                own = (1 - self._passive) * (own + w_a)
            by_entry += list(own)
        return along_joints(self._trace, self._model, by, by_entry)

    def _scalars(self, name: str) -> Any:
        return self._accelerations if name == "vdot" else self._trace.argument(name)

    def _at_solution(self, values: list[Any]) -> Vector:
        """Values that depend on the accelerations, at those that were found."""
        solution = next(iter(self._trace.outputs.values()))
        new = {x.node: found for x, found in zip(self._accelerations, solution, strict=True)}
        return flat(substituted(self._trace.graph, values, new))

    def _at_rest(self, tau: Vector, vdot: Vector) -> list[Vector]:
        """What forces and accelerations do to the robot at rest, without gravity."""
        known = {**self._given, "tau": tau, "vdot": vdot}
        solved = self._retrace(self._rule.at_rest, {name: known[name] for name in self._rule.at_rest.inputs})
        return [flat(x) for x in solved.outputs.values()]
