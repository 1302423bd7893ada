"""Second derivatives of inverse and forward dynamics, by one kernel or by a row of the batch for each direction.

    X_qq[i, j, k] = ∂/∂q_k ∂X_i/∂q_j,    X_vq = ∂/∂q ∂X/∂v,    X_vv = ∂/∂v ∂X/∂v,    X_uq = ∂/∂q ∂X/∂u

u are the accelerations of inverse dynamics, or the forces of forward dynamics. Along rotations the order matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine, Precision
from soadyn.engine.tracing.second_order import InverseChanges, Second
from soadyn.errors import errstate
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.second_derivatives import (
    FORWARD_DYNAMICS_SECOND_DERIVATIVES,
    INVERSE_DYNAMICS_SECOND_DERIVATIVES,
)
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments import arguments
from soadyn.robot.calling import differentiation
from soadyn.robot.calling.differentiation import Keep, nothing_kept
from soadyn.robot.calling.evaluate import evaluate
from soadyn.robot.calling.quantity_functions import problem_at
from soadyn.robot.calling.run_program import outputs_of, precision_of

# Joint components up to which forward dynamics is differentiated in one kernel, whose length grows with their fourth
# power; the reference takes as many at once.
MOST_AT_ONCE = 12
# Joint components up to which such a kernel is tried for inverse dynamics; beyond, recording it takes seconds.
MOST_TRIED = 50


def of_inverse(engine: Engine, at: tuple[Any, Any, Any], external: Any, keep: Keep = nothing_kept) -> Second:
    """T_qq, T_vq, T_vv and T_aq at (q, v, a), each (..., nv, nv, nv)."""
    problem = problem_at(engine, "inverse_dynamics_derivatives", at, {"external": external}, {})
    program = _program(problem, INVERSE_DYNAMICS_SECOND_DERIVATIVES)
    if _at_once(problem, program):
        return _by_one_kernel(problem, program, keep)
    return _contiguous(_by_directions(problem).second())


def of_forward(engine: Engine, at: tuple[Any, Any, Any], external: Any, keep: Keep = nothing_kept) -> Second:
    """θ̈_qq, θ̈_vq, θ̈_vv and θ̈_τq at (q, v, τ), each (..., nv, nv, nv)."""
    problem = problem_at(engine, "forward_dynamics_derivatives", at, {"external": external}, {})
    if engine.coordinates.nv <= MOST_AT_ONCE:
        return _by_one_kernel(problem, _program(problem, FORWARD_DYNAMICS_SECOND_DERIVATIVES), keep)
    q, v, tau = at
    state = {"q": q, "v": v, "tau": tau, "external": external}
    solution = evaluate(engine, QUANTITIES["forward_dynamics"], state)
    with errstate("ignore"):  # rows without an answer are told of by now
        M_inverse = evaluate(engine, QUANTITIES["mass_matrix_inverse"], {"q": q})
        return _contiguous(_inverse_changes(engine, (q, v, solution), external).solved(M_inverse))


def _inverse_changes(engine: Engine, at: tuple[Any, Any, Any], external: Any) -> InverseChanges:
    """How the derivatives of inverse dynamics change with q."""
    problem = problem_at(engine, "inverse_dynamics_derivatives", at, {"external": external}, {})
    program = _program(problem, INVERSE_DYNAMICS_SECOND_DERIVATIVES)
    if not _at_once(problem, program):
        return _by_directions(problem)
    first, _ = outputs_of(engine, problem.program, problem.inputs, _precision(problem))
    T_qq, T_vq, _, M_q = _by_one_kernel(problem, program, nothing_kept)
    return InverseChanges.of(engine.model, first, (T_qq, T_vq, M_q))


def _program(problem: differentiation.Differentiated, program: Program) -> Program:
    """The program for the wrenches that act."""
    return program if "external" in problem.inputs else without_external(program)


def _precision(problem: differentiation.Differentiated) -> Precision | None:
    return precision_of(x for x in problem.inputs.values() if isinstance(x, np.ndarray))


def _at_once(problem: differentiation.Differentiated, program: Program) -> bool:
    """Is there one kernel for all directions, or are there so few that the reference takes them at once?"""
    engine, inputs = problem.engine, problem.inputs
    if engine.coordinates.nv <= MOST_AT_ONCE:
        return True
    axes = engine.core_axes(program, inputs)
    batch = arguments.batch_shape({name: inputs[name] for name in axes}, axes)
    return engine.coordinates.nv <= MOST_TRIED and engine.has_kernel(program, batch, _precision(problem))


def _by_one_kernel(problem: differentiation.Differentiated, program: Program, keep: Keep) -> Second:
    (qq, vq, vv, uq), call = outputs_of(problem.engine, program, problem.inputs, _precision(problem))
    keep(call, [vector.input for vector in problem.vectors])
    return qq, vq, vv, uq


def _by_directions(problem: differentiation.Differentiated) -> InverseChanges:
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
