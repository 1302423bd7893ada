"""Rollouts: a step in time compiled as a loop over steps, and called with the arrays it starts from and fills."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.engine import policy
from soadyn.engine.native.llvm.machine_code import Loaded
from soadyn.engine.native.single_state import Repeated, nothing_prepared, single_state_call
from soadyn.engine.native.threads import in_threads, split
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.step import StepPorts

_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


@final
class Rollout:
    """A compiled step: `advance` repeats it for every row of a batch, in several threads if there is enough work.

    `work` is how many operations a step of one row takes.
    """

    def __init__(self, ports: StepPorts, code: Loaded) -> None:
        self.ports = ports
        (self.work,) = code.kept
        self._code = code  # keeps the machine code alive
        self._function = _PROTOTYPE(code.address)
        self._data = ctypes.c_int64(0)

    def prepared(self, arrays: Sequence[np.ndarray]) -> Callable[[], None]:
        """One step on arrays that stay where they are, in this thread; a call takes a microsecond beside its work."""
        rows = _rows(arrays)
        if not rows:
            return lambda: None
        self._check(arrays, 1, 1)
        return self._repeating(rows, *_places(arrays), 1, 1, arrays)

    def advance(self, arrays: Sequence[np.ndarray], steps: int, every: int) -> None:
        """Take so many steps with a record after each `every` of them.

        `arrays` are those of `StepPorts.arrays`, with the rows as their first axis, of one row where all share it; the
        rest of each lies side by side. The last states and the records are written.
        """
        rows = _rows(arrays)
        if not rows:
            return
        self._check(arrays, steps, every)
        starts, strides = _places(arrays)

        def part(some: slice) -> None:
            self._repeating(some.stop - some.start, starts + some.start * strides, strides, steps, every)()

        in_threads(split(rows, rows * steps * self.work), part)

    def _repeating(
        self, rows: int, starts: np.ndarray, strides: np.ndarray, steps: int, every: int, kept: Any = ()
    ) -> Callable[[], None]:
        """A call of the machine code, which keeps its arrays alive."""
        counts = np.array([rows, steps, every])
        pointers = (*(x.ctypes.data for x in (starts, counts, strides)), ctypes.addressof(self._data))

        kept = (starts, counts, strides, kept)

        def call(function: Any = self._function, pointers: Any = pointers, kept: Any = kept) -> None:
            function(*pointers)

        return call

    def of_one_row(
        self, places: Sequence[int], held: Mapping[int, np.ndarray], steps: int
    ) -> Callable[..., tuple[np.ndarray, ...] | None]:
        """So many steps of one row, as a function of the arguments at these places; the others are held.

        It gives all results after the last step in new arrays; None for what does not fit, for a row without an answer,
        and for so many steps that other threads should not wait for them. Several threads may call it.
        """
        ports = self.ports
        inputs = (*ports.arguments, *ports.state)
        # The last state is written twice, there and as the record that is given back; a call holds the interpreter.
        unused = {place: np.empty(port.count) for place, port in enumerate(ports.state, start=len(ports.arguments))}
        work = self.work * steps
        loop = Repeated(inputs, ports.results, (steps, steps), self._code.address, self._data, work, self)
        return single_state_call(loop, places, {**held, **unused}, nothing_prepared, policy.MOST_HELD_BY_STEPS)

    def ran(self, arguments: Sequence[np.ndarray], steps: int, every: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The last state after so many steps, (rows, n) each, and all results' records, (rows, steps // every, n) each.

        `arguments` are those of `StepPorts.arguments`, as `advance` takes them.
        """
        rows, ports = _rows(arguments), self.ports
        after = [np.empty((rows, port.count)) for port in ports.state]
        records = [np.empty((rows, steps // every, port.count)) for port in ports.results]
        self.advance([*arguments, *after, *records], steps, every)
        return after, records

    def _check(self, arrays: Sequence[np.ndarray], steps: int, every: int) -> None:
        """Are all arrays there, each for so many steps and records?"""
        ports, rows = self.ports, _rows(arrays)
        once = len(ports.state) + len(ports.held)
        many = (
            [1] * once + [steps] * len(ports.streamed) + [1] * len(ports.state) + [steps // every] * len(ports.results)
        )
        for port, x, times in zip(ports.arrays, arrays, many, strict=True):
            _fitting(port, x, rows, times)


def _fitting(port: Port, x: np.ndarray, rows: int, times: int = 1) -> np.ndarray:
    """The array, if it is one for so many rows or for all: machine code reads and writes wherever it is told."""
    fits = x.dtype == np.float64 and len(x) in (1, rows) and x[0].size >= port.count * times
    if not fits or not x[0].flags.c_contiguous:
        raise ValueError(f"an array {x.shape} of {x.dtype} for {port.name!r} of {times} x {port.shape}")
    return x


def _places(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The arrays' addresses, and the bytes from row to row, none where all share one."""
    return np.array([x.ctypes.data for x in arrays]), np.array([x.strides[0] if len(x) > 1 else 0 for x in arrays])


def _rows(arrays: Sequence[np.ndarray]) -> int:
    """How many rows a batch has; none if one array has none, though others have a row that all would share."""
    counts = {len(x) for x in arrays}
    return 0 if 0 in counts else max(counts)
