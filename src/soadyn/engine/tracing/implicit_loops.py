"""Derivatives of the accelerations of closed robots, without differentiating their solution (24.10).

At the solution (θ̈, λ) let δ_T be the change of M θ̈ + C - J_c* λ, and δ_u that of J_c θ̈ + J̇_c v, at fixed θ̈ and λ:

    δθ̈ = Y_c (δT - δ_T) - M⁻¹ J_c* Λ_Q δ_u

Y_c and -(M⁻¹ J_c* Λ_Q)* are what unit forces at the joints do to the robot at rest: its accelerations and its closures'
forces. Its articulated inertias are found already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from soadyn.engine.tracing.derivatives import jacobian
from soadyn.engine.tracing.evaluating import substituted
from soadyn.engine.tracing.implicit import Retrace
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.values import array_of
from soadyn.programs.sweep.inputs import multipliers
from soadyn.programs.sweep.program import Implicit

# The rates of the scalars of q and v along each of their directions, by their nodes.
Seeds = Callable[[], Mapping[int, Mapping[int, Any]]]


def closed_derivatives(
    trace: Traced, rule: Implicit, given: Mapping[str, Any], nv: int, retrace: Retrace, seeds: Seeds
) -> list[Any]:
    """θ̈_q, θ̈_v and θ̈_τ, entry by entry; `seeds` are numbered as the columns of the first two."""
    assert rule.loops is not None
    a, forces = (array_of(x, (len(x),)) for x in trace.outputs.values())
    known = {name: given[name] for name in rule.inverse.inputs if name != "vdot"}
    T_q, T_v, _ = _matrices(retrace(rule.inverse, {**known, "vdot": a}), nv)
    # Inputs stand for θ̈ and λ, so that nothing is differentiated through their solution.
    graph, rows = trace.graph, len(forces)
    stand_ins = [recorded(graph, Port(name, (len(x),))) for name, x in (("accelerations", a), ("forces", forces))]
    known = {name: given[name] for name in rule.loops.inputs if name in given}
    loops = retrace(rule.loops, {**known, "vdot": stand_ins[0], multipliers(rows): stand_ins[1][:, None]})
    changes = [[row.get(place, 0.0) for place in range(2 * nv)] for row in jacobian(graph, loops.results, seeds())]
    found = {
        x.node: value
        for ins, values in zip(stand_ins, (a, forces), strict=True)
        for x, value in zip(ins, values, strict=True)
    }
    numbers = substituted(graph, [x for row in changes for x in row], found)
    own, d_u = np.split(array_of(numbers, (nv + rows, 2 * nv)), [nv])
    d_T = np.concatenate([T_q, T_v], axis=1) - own
    at_rest = retrace(rule.at_rest, {name: given[name] for name in rule.at_rest.inputs})
    Y, felt = (array_of(x, (len(x),)) for x in at_rest.outputs.values())
    Y = Y.reshape(nv, nv)
    by_q, by_v = np.split(felt.reshape(rows, nv).T @ d_u - Y @ d_T, 2, axis=1)
    return [x for matrix in (by_q, by_v, Y) for x in matrix.flat]


def _matrices(trace: Traced, nv: int) -> list[Any]:
    return [array_of(x, (len(x),)).reshape(nv, nv) for x in trace.outputs.values()]
