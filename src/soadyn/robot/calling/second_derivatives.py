"""Second derivatives of inverse and forward dynamics, by one kernel or by a row of the batch for each direction.

    X_qq[i, j, k] = ∂/∂q_k ∂X_i/∂q_j,    X_vq = ∂/∂q ∂X/∂v,    X_vv = ∂/∂v ∂X/∂v,    X_uq = ∂/∂q ∂X/∂u

u are the accelerations of inverse dynamics, or the forces of forward dynamics. Along rotations the order matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.second_order import InverseChanges, Second
from soadyn.errors import errstate
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.second_derivatives import (
    FORWARD_DYNAMICS_SECOND_DERIVATIVES,
    INVERSE_DYNAMICS_SECOND_DERIVATIVES,
)
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.function import Function
from soadyn.robot.calling.quantity_functions import evaluate, function_at
from soadyn.robot.calling.run_program import precision_of

SECOND_OF = {
    "inverse_dynamics_derivatives": INVERSE_DYNAMICS_SECOND_DERIVATIVES,
    "forward_dynamics_derivatives": FORWARD_DYNAMICS_SECOND_DERIVATIVES,
}
# Joint components up to which forward dynamics is differentiated in one kernel, whose length grows with their fourth
# power; the reference takes as many at once.
MOST_AT_ONCE = 12
# Joint components up to which such a kernel is tried for inverse dynamics; beyond, recording it takes seconds.
MOST_TRIED = 50


def of_inverse(function: Function, at: Sequence[Any]) -> Second:
    """T_qq, T_vq, T_vv and T_aq at (q, v, a) and perhaps wrenches, each (..., nv, nv, nv).

    `function` is that of the first derivatives.
    """
    second = second_function(function)
    return second(*at) if _at_once(second, at) else _contiguous(_by_directions(function, at).second())


def of_forward(function: Function, at: Sequence[Any]) -> Second:
    """θ̈_qq, θ̈_vq, θ̈_vv and θ̈_τq at (q, v, τ) and perhaps wrenches, each (..., nv, nv, nv)."""
    engine = function.engine
    if engine.coordinates.nv <= MOST_AT_ONCE:
        second: Second = second_function(function)(*at)
        return second
    q, v, tau, *external = at
    state = {"q": q, "v": v, "tau": tau, "external": external[0] if external else None}
    solution = evaluate(engine, QUANTITIES["forward_dynamics"], state)
    with errstate("ignore"):  # rows without an answer are told of by now
        M_inverse = evaluate(engine, QUANTITIES["mass_matrix_inverse"], {"q": q})
        return _contiguous(_inverse_changes(engine, (q, v, solution, *external)).solved(M_inverse))


def first_derivatives(engine: Engine, which: str, at: tuple[Any, ...]) -> Function:
    """The derivatives of "inverse" or "forward" dynamics as a function of vectors (q, v, ...)."""
    found = function_at(engine, f"{which}_dynamics_derivatives", at, {})
    assert isinstance(found, Function)
    return found


def second_function(function: Function) -> Function:
    """The program of the second derivatives as a function, from that of the first ones."""
    program, is_loaded = SECOND_OF[function.name], "external" in function.program.inputs
    return function.alike(program if is_loaded else without_external(program))


def _inverse_changes(engine: Engine, at: tuple[Any, ...]) -> InverseChanges:
    """How the derivatives of inverse dynamics change with q."""
    function = first_derivatives(engine, "inverse", at)
    second = second_function(function)
    if not _at_once(second, at):
        return _by_directions(function, at)
    T_qq, T_vq, _, M_q = second(*at)
    return InverseChanges.of(engine.model, function(*at), (T_qq, T_vq, M_q))


def _at_once(second: Function, at: Sequence[Any]) -> bool:
    """Is there one kernel for all directions, or are there so few that the reference takes them at once?"""
    engine, nv = second.engine, second.engine.coordinates.nv
    if nv <= MOST_AT_ONCE or nv > MOST_TRIED:
        return nv <= MOST_AT_ONCE
    inputs = second.inputs(at)
    axes = engine.core_axes(second.program, inputs)
    batch = arguments.batch_shape({name: inputs[name] for name in axes}, axes)
    return engine.has_kernel(second.program, batch, precision_of(inputs[name] for name in axes))


def _by_directions(function: Function, at: Sequence[Any]) -> InverseChanges:
    """How the derivatives of inverse dynamics change with q, a row of the batch for each direction."""
    engine, (_, *others) = function.engine, function.vectors
    inputs = function.inputs(at)
    axes = engine.core_axes(function.program, inputs)
    wide = [np.expand_dims(x, x.ndim - axes[name]) for name, x in inputs.items()]
    own, rates = function.jvp(wide, (np.eye(engine.coordinates.nv), *(None for _ in others)))
    return InverseChanges.of(
        engine.model, [x[..., 0, :, :] for x in own], _contiguous([np.moveaxis(x, -3, -1) for x in rates])
    )


def _contiguous(tensors: Sequence[np.ndarray]) -> Any:
    return tuple(np.ascontiguousarray(x) for x in tensors)
