"""Straight-line code stores many results in place or by calls, and known numbers without transposing: the same bits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_state, robot_named
from soadyn.backends.native import kernels
from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.llvm.code_cache import compiled
from soadyn.backends.native.llvm.machine_code import Loaded
from soadyn.backends.native.llvm.module import Function, module_text
from soadyn.backends.native.llvm.processor import processor
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.rolled.table import Table
from soadyn.backends.native.straight import storing
from soadyn.backends.native.straight.function import straight_function
from soadyn.backends.native.straight.long_function import long_function
from soadyn.backends.traced import traced
from soadyn.quantities import QUANTITIES
from soadyn.tracing import Scalar
from soadyn.tracing.precision import Precision

pytestmark = pytest.mark.usefixtures("llvm")

STATES = 13


def functions_of(trace: Any, precision: Precision, by_calls: bool, long: bool) -> list[Function]:
    """The code for several lanes and for one."""
    target = processor()
    vectors = Vectors(target.lanes(np.dtype(precision).itemsize), precision, target.fused)
    write: Any = long_function if long else straight_function
    return [
        write(trace.graph, trace.inputs, trace.outputs, replace(vectors, lanes=n), by_calls) for n in (vectors.lanes, 1)
    ]


def run(trace: Any, functions: list[Function], precision: Precision, *arrays: np.ndarray) -> list[np.ndarray]:
    """The results of a batch, and of its first state alone, in rows that are not packed."""
    target = processor()
    code = Loaded(compiled(module_text(functions, target.x86), target, optimise=False), "loop", target)
    kernel = Kernel("stored", (tuple(trace.inputs), tuple(trace.outputs)), code, Table([0], {}), precision, work=1)
    found = []
    for given, batch in ((arrays, (STATES,)), ([x[0] for x in arrays], ())):
        rooms = [np.zeros((*batch, *shape, 2), precision) for shape in kernel.shapes]
        kernel.call(*given, out=tuple(room[..., 0] for room in rooms))
        assert not any(room[..., 1].any() for room in rooms)
        found += [*kernel.call(*given), *(room[..., 0] for room in rooms)]
    return found


@pytest.mark.parametrize("long", [False, True], ids=["one function", "several functions"])
@pytest.mark.parametrize("precision", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
def test_many_results_have_the_same_bits_however_they_are_stored(
    precision: Precision, long: bool, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = robot_named("tree on a free base")
    trace = traced(QUANTITIES["mass_matrix_factors"].program, robot.engine.constants, {})
    pieces = storing.pieces_of(trace.graph, trace.outputs, Vectors(8))
    assert any(not any(isinstance(x, Scalar) for x in piece.scalars) for piece in pieces)  # known numbers alone
    q = random_state(rng, robot, (STATES,))["q"].astype(precision)
    results = []
    for many, by_calls in ((10**9, False), (1, False), (1, True)):
        monkeypatch.setattr(storing, "MANY", many)
        functions = functions_of(trace, precision, by_calls, long)
        text = "\n".join(line for f in functions for line in (*f.lines, *f.declarations))
        assert (storing.BARRIER in text) == (many == 1)
        assert ("call void @store.1(" in text) == by_calls
        results.append(run(trace, functions, precision, q))
    few, in_place, called = ([x.tobytes() for x in found] for found in results)
    assert few == in_place == called


def test_derivatives_of_programs_are_stored_by_calls(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    asked: list[bool] = []
    original = kernels.straight_kernel

    def noted(*arguments: Any) -> Kernel:
        asked.append(arguments[-1])
        return original(*arguments)

    monkeypatch.setattr(kernels, "straight_kernel", noted)
    robot = sd.load("planar_two_link")
    q, v = rng.normal(size=(2, 300, 2))
    robot.mass_matrix(q)
    robot.inverse_dynamics_second_derivatives(q, v, v)
    assert (asked[0], asked[-1]) == (False, True)
