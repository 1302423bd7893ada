"""Runs a program natively: which form, how many threads, and what to make of bad lanes."""

from __future__ import annotations

import itertools
import math
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from soadyn.backends import numpy as reference
from soadyn.backends.constants import Constants
from soadyn.backends.faults import Faults
from soadyn.backends.native import result_memory
from soadyn.backends.native.fork_lock import ForkedLock
from soadyn.backends.native.kernel import Kernel, rolled_kernel, straight_kernel
from soadyn.backends.native.rolled.entry_exit import NO_MEMORY
from soadyn.backends.ports import Port, ports_of
from soadyn.backends.traced import WORLD, traced
from soadyn.errors import ArgumentError
from soadyn.spatial.transform import Transform
from soadyn.sweep.program import COLUMNS, FRAMES, NUMBERS, Program, core_axes
from soadyn.tracing.precision import Precision

Form = Literal["auto", "rolled", "straight"]

# A straight-line kernel pays if its trace is no longer than this; LLVM's time grows faster than the trace.
LONGEST_TRACE = 15_000
# A program with a mask of passive joints is forward and inverse dynamics in one, about a fifth longer than either: with
# room for that, a robot's dynamics take one form or the other together.
LONGEST_MASKED_TRACE = LONGEST_TRACE * 5 // 4
# Results of so many bytes are worth writing past the caches, which could not hold them.
STREAMED = 16 * 2**20
# Operations below which a second thread costs more than it brings.
WORK_PER_THREAD = 4_000_000


@dataclass(slots=True)
class Limits:
    """From how many rows on a batch is large, worth a straight-line kernel, and how much work is shared by threads."""

    threads: int = os.cpu_count() or 1
    large: int = 256

    @property
    def shared(self) -> int:
        return 2 * WORK_PER_THREAD if self.threads > 1 else sys.maxsize


limits = Limits()
_pool: ThreadPoolExecutor | None = None
_pool_lock = ForkedLock()


def set_threads(n: int) -> None:
    """Bound the threads that one call's batch is split over; the default is the number of processors.

    >>> import soadyn as sd
    >>> sd.set_threads(1)
    """
    global _pool
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ArgumentError(f"set_threads takes a whole number, one or more, got {n!r}")
    with _pool_lock:
        if n != limits.threads:
            _pool = None  # calls under way keep the old one until they are done
        limits.threads = n


def _workers() -> ThreadPoolExecutor:
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max_workers=limits.threads, thread_name_prefix="soadyn")
        return _pool


def _after_fork() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@final
class Kernels:
    """A robot's kernels, each made when first needed."""

    def __init__(self, constants: Constants, form: Form) -> None:
        self.constants = constants
        self.form = form
        self._made: dict[Any, Kernel | None] = {}
        self._lock = ForkedLock()

    def rolled(self, program: Program, precision: Precision) -> Kernel:
        key = ("rolled", program, precision)
        if key not in self._made:
            with self._lock:
                if key not in self._made:
                    self._made[key] = rolled_kernel(program, self.constants, precision)
        kernel = self._made[key]
        assert kernel is not None
        return kernel

    def straight(
        self, program: Program, precision: Precision, frames: Mapping[str, int | None], always: bool, streamed: bool
    ) -> Kernel | None:
        """The straight-line kernel, or None if its trace is too long for it to be worth it."""
        which = (program, precision, *sorted(frames.items(), key=repr))
        key = ("streamed" if streamed else "straight", *which)
        if self._made.get(("straight", *which), key) is None:
            return None
        if key not in self._made:
            with self._lock:
                if key not in self._made:
                    self._made[key] = self._new_straight(program, precision, frames, always, streamed)
        return self._made[key]

    def _new_straight(
        self, program: Program, precision: Precision, frames: Mapping[str, int | None], always: bool, streamed: bool
    ) -> Kernel | None:
        links = {name: link or 0 for name, link in frames.items()}
        world = {name: WORLD for name, link in frames.items() if link is None}
        trace = traced(program, self.constants, links, known=world)
        longest = LONGEST_MASKED_TRACE if "passive" in program.inputs else LONGEST_TRACE
        if not always and sum(trace.counts().values()) > longest:
            return None
        return straight_kernel(program.name, trace, precision, single=always and not streamed, streamed=streamed)

    def choose(
        self,
        program: Program,
        precision: Precision,
        frames: Mapping[str, int | None],
        rows: int,
        streamed: bool = False,
    ) -> Kernel:
        """The kernel for a batch of that many rows; `frames` are the links that carry them, None for the world."""
        if self.form == "straight" or (self.form == "auto" and rows >= limits.large):
            kernel = self.straight(program, precision, frames, self.form == "straight", streamed)
            if kernel is not None:
                return kernel
        return self.rolled(program, precision)


def run(
    program: Program, kernels: Kernels, inputs: Mapping[str, Any], batch: tuple[int, ...], precision: Precision
) -> tuple[list[np.ndarray], Faults]:
    """The program's outputs, and the rows that have no answer."""
    kernel = kernel_for(program, kernels, inputs, precision, math.prod(batch))
    before = kernel.counter.value
    outputs = called(kernel, [argument(port, inputs[port.name], precision) for port in kernel.inputs], batch)
    bad = kernel.counter.value - before
    if bad >= NO_MEMORY:
        raise MemoryError(f"{program.name}: no memory for a robot of {kernels.constants.model.n} links")
    return outputs, _faults(program, kernels.constants, inputs, outputs, batch) if bad else Faults(batch)


def kernel_for(
    program: Program,
    kernels: Kernels,
    inputs: Mapping[str, Any],
    precision: Precision,
    rows: int,
    streamed: bool = False,
) -> Kernel:
    """The kernel for a batch of that many rows; one that is `streamed`, if it is straight-line."""
    frames = {name: None if _is_world(*inputs[name]) else inputs[name][0] for name in FRAMES if name in inputs}
    return kernels.choose(program, precision, frames, rows, streamed)


def _is_world(link: int, placement: Transform) -> bool:
    """Is the frame the world's own? Along its axes nothing need be turned."""
    return link == 0 and bool((np.eye(3) == placement.R).all()) and not placement.l.any()


def argument(port: Port, value: Any, precision: Precision) -> np.ndarray:
    """An input as the kernel's array."""
    match port.name:
        case name if name in FRAMES:
            link, placement = value
            assert isinstance(placement, Transform)
            return np.concatenate([[link], placement.R.ravel(), placement.l.ravel()]).astype(precision)
        case name if name in COLUMNS:
            return value[..., 0].astype(precision, copy=False)
        case name if name in NUMBERS:
            return np.array([value], dtype=precision)
        case _:
            return np.asarray(value, dtype=precision)


def streamed_from(program: Program, kernels: Kernels) -> int:
    """From how many rows on the results of a program should be streamed; never if lines of their own were wasteful."""
    _, outputs = ports_of(program, kernels.constants.model)
    size = sum(port.count for port in outputs) * 8
    lines = sum(-(-port.count * 8 // result_memory.ALIGNMENT) for port in outputs) * result_memory.ALIGNMENT
    return -(-STREAMED // size) if lines <= 1.25 * size else sys.maxsize


def called(kernel: Kernel, arrays: list[np.ndarray], batch: tuple[int, ...]) -> list[np.ndarray]:
    """The kernel's results for a batch, in several threads if it is large."""
    outputs = (result_memory.in_lines if kernel.streamed else result_memory.empty)(
        batch, kernel.shapes, arrays[0].dtype
    )
    parts = min(limits.threads, batch[0], math.prod(batch) * kernel.work // WORK_PER_THREAD) if batch else 1
    if parts <= 1:
        kernel.call(*arrays, out=tuple(outputs), casting="no")
        return outputs

    def split(x: np.ndarray, core: int, rows: slice) -> np.ndarray:
        # Arrays that broadcast along the first batch axis are shared by all parts.
        whole = x.ndim - core == len(batch) and x.shape[0] == batch[0]
        return x[rows] if whole else x

    def part(rows: slice) -> None:
        given = [split(x, len(port.shape), rows) for x, port in zip(arrays, kernel.inputs, strict=True)]
        kernel.call(*given, out=tuple(output[rows] for output in outputs), casting="no")

    edges = np.linspace(0, batch[0], parts + 1).astype(int)
    list(_workers().map(part, [slice(a, b) for a, b in itertools.pairwise(edges)]))
    return outputs


def _faults(
    program: Program, constants: Constants, inputs: Mapping[str, Any], outputs: list[np.ndarray], batch: tuple[int, ...]
) -> Faults:
    """Why rows came out NaN: the reference looks at those rows again."""
    faults = Faults(batch)
    rows = np.zeros(batch, dtype=bool)
    for output in outputs:
        rows |= ~np.isfinite(output).all(axis=tuple(range(len(batch), output.ndim)))
    if not rows.any():  # another thread's call had them, or what overflowed did not matter
        return faults
    for output in outputs:
        output[rows] = np.nan
    chosen = {name: _rows(name, value, rows, batch) for name, value in inputs.items()}
    _, found = reference.run(program, constants, chosen, (int(rows.sum()),))
    for fault in found.found:
        spread = np.zeros(batch, dtype=bool)
        spread[rows] = fault.rows
        faults.add(fault.reason, spread)
    faults.add("there is no answer in this precision", rows)
    return faults


def _rows(name: str, value: Any, rows: np.ndarray, batch: tuple[int, ...]) -> Any:
    core = core_axes(name)
    if core is None:
        return value
    return np.broadcast_to(value, batch + value.shape[value.ndim - core :])[rows]
