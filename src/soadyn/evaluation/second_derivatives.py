"""Second derivatives: the first ones, which have sweeps of their own, differentiated once more.

    X_qq[i, j, k] = ∂/∂q_k ∂X_i/∂q_j,    X_vq = ∂/∂q ∂X/∂v,    X_vv = ∂/∂v ∂X/∂v,    X_uq = ∂/∂q ∂X/∂u

u are the accelerations of inverse dynamics, or the forces of forward dynamics. Along rotations the order matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from soadyn.backends.engine import Engine
from soadyn.evaluation import differentiation
from soadyn.evaluation.evaluate import precision_of
from soadyn.evaluation.quantity_problem import problem_at
from soadyn.evaluation.run_program import outputs_of
from soadyn.sweep.program import Derivative, Program, with_derivative

# Joint components up to which all directions are differentiated along in one kernel; beyond, its code would be long.
MOST_AT_ONCE = 12

Second = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def second_derivatives(engine: Engine, first: str, at: tuple[Any, Any, Any], options: Mapping[str, Any]) -> Second:
    """X_qq, X_vq, X_vv and X_uq, each (..., nv, nv, nv); `first` is the quantity with the first derivatives."""
    problem = problem_at(engine, first, at, options, {})
    if engine.coordinates.nv > MOST_AT_ONCE:
        return _by_directions(problem)
    precision = precision_of(x for x in problem.inputs.values() if isinstance(x, np.ndarray))

    def found(program: Program) -> list[np.ndarray]:
        return list(outputs_of(engine, program, problem.inputs, precision)[0])

    *_, qq, vq, uq = found(_by_all(problem.program, "q"))
    *_, vv = found(_by_all(_second_output(problem.program), "v"))
    return qq, vq, vv, uq


@cache
def _by_all(program: Program, name: str) -> Program:
    return with_derivative(program, Derivative("jacobian", (name,)))


@cache
def _second_output(program: Program) -> Program:
    """The program of the derivatives by v alone."""
    alone: Callable[[Program], Program] = lambda same: replace(same, outputs=same.outputs[1:2])  # noqa: E731
    return replace(alone(program), alternatives=tuple(map(alone, program.alternatives)))


def _by_directions(problem: differentiation.Problem) -> Second:
    """The same with a row of the batch for each direction."""
    nv = problem.engine.coordinates.nv
    axes = problem.engine.core_axes(problem.program, problem.inputs)
    wide = {name: np.expand_dims(x, x.ndim - axes[name]) if name in axes else x for name, x in problem.inputs.items()}
    spread = replace(problem, inputs=wide)
    _, by_q = differentiation.jvp(spread, (np.eye(nv), None, None))
    _, by_v = differentiation.jvp(spread, (None, np.eye(nv), None))
    qq, vq, uq = (np.ascontiguousarray(np.moveaxis(x, -3, -1)) for x in by_q)
    return qq, vq, np.ascontiguousarray(np.moveaxis(by_v[1], -3, -1)), uq
