"""Runs a program natively: the kernel and its arrays, the threads of a large batch, and why rows have no answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.native import result_memory
from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.kernels import Kernels, size_of
from soadyn.engine.native.llvm.state_loop import NO_MEMORY
from soadyn.engine.native.threads import in_threads, split
from soadyn.engine.precision import Precision
from soadyn.engine.reference.faults import Faults
from soadyn.engine.tracing.passive_set import PassiveSet
from soadyn.engine.tracing.ports import port_array
from soadyn.errors import bad_rows_are_told
from soadyn.mechanics.spatial.transform import Transform
from soadyn.programs.sweep.inputs import is_frame, marked_by
from soadyn.programs.sweep.program import Program

UNTURNED = np.eye(3)


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A kernel and the arrays it is called with, for a batch of states."""

    kernel: Kernel
    arrays: Sequence[np.ndarray]
    batch: tuple[int, ...]
    gives_parts: bool = False  # of the program's outputs, see `passive_set`

    def outputs(self) -> tuple[list[np.ndarray], int]:
        """The results and the count of passes in which a row had no answer; a large batch runs in several threads."""
        kernel, arrays, batch = self.kernel, self.arrays, self.batch
        outputs = result_memory.empty(batch, kernel.shapes, arrays[0].dtype)
        slices = split(batch[0], math.prod(batch) * kernel.work) if batch else []
        if len(slices) < 2:
            return outputs, kernel(*arrays, out=tuple(outputs), casting="no")[1]

        def rows_of(x: np.ndarray, core: int, rows: slice) -> np.ndarray:
            # Arrays that broadcast along the first batch axis are shared by all parts.
            whole = x.ndim - core == len(batch) and x.shape[0] == batch[0]
            return x[rows] if whole else x

        def part(rows: slice) -> int:
            given = [rows_of(x, len(port.shape), rows) for x, port in zip(arrays, kernel.inputs, strict=True)]
            return kernel(*given, out=tuple(output[rows] for output in outputs), casting="no")[1]

        return outputs, sum(in_threads(slices, part))


def call_for(
    program: Program,
    kernels: Kernels,
    inputs: Mapping[str, Any],
    batch: tuple[int, ...],
    precision: Precision,
    passive: PassiveSet | None = None,
) -> Call | None:
    """The kernel for a batch, and the program's inputs as its arrays; None if there is no kernel.

    If the kernel is made for the set `passive` alone, it gives the set's parts of the program's outputs.
    """
    frames = {name: None if _is_world(*inputs[name]) else inputs[name][0] for name in inputs if is_frame(name)}
    for name in inputs:  # a program may read which link carries a point, and not where on the link it is
        point = marked_by(name)
        if point is not None and point != "frame" and point not in frames:
            frames[point] = list(inputs[name]).index(1.0)
    kernel = kernels.choose(program, precision, frames, size_of(batch), passive)
    if kernel is None:
        return None
    arrays = [port_array(port, inputs[port.name], precision) for port in kernel.inputs]
    gives_parts = passive is not None and bool(passive.parts) and kernel.outputs == passive.ports
    return Call(kernel, arrays, batch, gives_parts)


# Runs a program on the rows of some inputs by the reference, which finds out why they have no answer.
Reference = Callable[[Mapping[str, Any], tuple[int, ...]], Faults]
# How many axes each input has after those of the batch.
CoreAxes = Callable[[Mapping[str, Any]], Mapping[str, int]]


def run(
    call: Call, inputs: Mapping[str, Any], core_axes: CoreAxes, by_reference: Reference
) -> tuple[Sequence[np.ndarray], Faults]:
    """The outputs of a call, and the rows that have no answer; `core_axes` says how many axes inputs have."""
    outputs, bad = call.outputs()
    if bad >= NO_MEMORY:
        raise MemoryError(f"{call.kernel.name}: no memory for the values of the robot's links")
    return outputs, _faults(outputs, inputs, core_axes(inputs), call.batch, by_reference) if bad else Faults(call.batch)


def _is_world(link: int, placement: Transform) -> bool:
    return link == 0 and bool((UNTURNED == placement.R).all()) and not placement.l.any()


def _faults(
    outputs: Sequence[np.ndarray],
    inputs: Mapping[str, Any],
    axes: Mapping[str, int],
    batch: tuple[int, ...],
    by_reference: Reference,
) -> Faults:
    """Why rows came out NaN: the reference computes those rows again, unless nobody is told."""
    faults = Faults(batch)
    rows = np.zeros(batch, dtype=bool)
    for output in outputs:
        rows |= ~np.isfinite(output).all(axis=tuple(range(len(batch), output.ndim)))
    if not rows.any():  # the counter grew by another thread's call, or an overflow did not reach the results
        return faults
    for output in outputs:
        output[rows] = np.nan
    if bad_rows_are_told():
        chosen = {
            name: np.broadcast_to(x, batch + x.shape[x.ndim - axes[name] :])[rows] if name in axes else x
            for name, x in inputs.items()
        }
        for fault in by_reference(chosen, (int(rows.sum()),)).found:
            spread = np.zeros(batch, dtype=bool)
            spread[rows] = fault.rows
            faults.add(fault.reason, spread)
    faults.add("there is no answer in this precision", rows)
    return faults
