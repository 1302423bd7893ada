"""Second derivatives of inverse and forward dynamics, by one kernel or by a row of the batch for each direction.

    X_qq[i, j, k] = ∂/∂q_k ∂X_i/∂q_j,    X_vq = ∂/∂q ∂X/∂v,    X_vv = ∂/∂v ∂X/∂v,    X_uq = ∂/∂q ∂X/∂u

u are the accelerations of inverse dynamics, or the forces of forward dynamics. Along rotations the order matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from soadyn.backends.engine import Engine
from soadyn.backends.second_order import InverseChanges, Second
from soadyn.errors import errstate
from soadyn.evaluation import differentiation
from soadyn.evaluation.differentiation import Keep, nothing_kept
from soadyn.evaluation.evaluate import evaluate, precision_of
from soadyn.evaluation.quantity_problem import problem_at
from soadyn.evaluation.run_program import outputs_of
from soadyn.quantities import QUANTITIES
from soadyn.sweep.algorithms import without_external
from soadyn.sweep.program import Program
from soadyn.sweep.second_derivatives import FORWARD_DYNAMICS_SECOND_DERIVATIVES, INVERSE_DYNAMICS_SECOND_DERIVATIVES

# Joint components up to which all directions are differentiated along in one kernel; beyond, its code would be long.
MOST_AT_ONCE = 12


def of_inverse(engine: Engine, at: tuple[Any, Any, Any], external: Any, keep: Keep = nothing_kept) -> Second:
    """T_qq, T_vq, T_vv and T_aq at (q, v, a), each (..., nv, nv, nv)."""
    problem = problem_at(engine, "inverse_dynamics_derivatives", at, {"external": external}, {})
    if engine.coordinates.nv > MOST_AT_ONCE:
        return _contiguous(_by_directions(problem).second())
    return _by_one_kernel(problem, INVERSE_DYNAMICS_SECOND_DERIVATIVES, keep)


def of_forward(engine: Engine, at: tuple[Any, Any, Any], external: Any, keep: Keep = nothing_kept) -> Second:
    """θ̈_qq, θ̈_vq, θ̈_vv and θ̈_τq at (q, v, τ), each (..., nv, nv, nv)."""
    problem = problem_at(engine, "forward_dynamics_derivatives", at, {"external": external}, {})
    if engine.coordinates.nv <= MOST_AT_ONCE:
        return _by_one_kernel(problem, FORWARD_DYNAMICS_SECOND_DERIVATIVES, keep)
    q, v, tau = at
    state = {"q": q, "v": v, "tau": tau, "external": external}
    solution = evaluate(engine, QUANTITIES["forward_dynamics"], state)
    with errstate("ignore"):  # rows without an answer are told of by now
        M_inverse = evaluate(engine, QUANTITIES["mass_matrix_inverse"], {"q": q})
        there = problem_at(engine, "inverse_dynamics_derivatives", (q, v, solution), {"external": external}, {})
        return _contiguous(_by_directions(there).solved(M_inverse))


def _by_one_kernel(problem: differentiation.Problem, program: Program, keep: Keep) -> Second:
    if "external" not in problem.inputs:
        program = without_external(program)
    precision = precision_of(x for x in problem.inputs.values() if isinstance(x, np.ndarray))
    (qq, vq, vv, uq), call = outputs_of(problem.engine, program, problem.inputs, precision)
    keep(call, [vector.input for vector in problem.vectors])
    return qq, vq, vv, uq


def _by_directions(problem: differentiation.Problem) -> InverseChanges:
    """How the derivatives of inverse dynamics change with q, a row of the batch for each direction."""
    engine, nv = problem.engine, problem.engine.coordinates.nv
    axes = engine.core_axes(problem.program, problem.inputs)
    wide = {name: np.expand_dims(x, x.ndim - axes[name]) if name in axes else x for name, x in problem.inputs.items()}
    own, rates = differentiation.jvp(replace(problem, inputs=wide), (np.eye(nv), None, None))
    return InverseChanges.of(
        engine.model, [x[..., 0, :, :] for x in own], _contiguous([np.moveaxis(x, -3, -1) for x in rates])
    )


def _contiguous(tensors: Sequence[np.ndarray]) -> Any:
    return tuple(np.ascontiguousarray(x) for x in tensors)
