"""The fast path: arrays straight to a kernel that served such arrays before, all in double or all in single precision.

A `Prepared` keeps, for one program and one choice of options, a kernel for each size of batch together with the arrays
that do not change from call to call (frames, masks), wherever these stand among the kernel's arguments. The first call
checks every argument and then keeps its kernel here; later calls only look at types, shapes and whether numbers
lie side by side. Whatever does not fit is answered with None, and the caller checks the arguments again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, final

import numpy as np
from numpy import ndarray

from soadyn.engine import policy
from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.kernels import size_of
from soadyn.engine.native.passes import Size
from soadyn.engine.native.run import Call
from soadyn.engine.native.single_state import nothing_prepared, single_state_call

DOUBLE, SINGLE = np.dtype(np.float64), np.dtype(np.float32)
# Arguments that a single state may give flat, one link's numbers behind another's.
FLAT = ("external",)


# Puts a state's arrays and the fixed ones behind them into the order of the kernel's arguments; None if they stand so.
Order = Callable[[tuple[np.ndarray, ...]], Sequence[np.ndarray]] | None


def _order(places: Sequence[int]) -> Order:
    """The order for arrays that go to these places."""
    if list(places) == sorted(places):
        return None
    return itemgetter(*(places.index(i) for i in range(len(places))))


@final
class Kept:
    """Kernels by size of batch, for arrays of both precisions; called through NumPy."""

    __slots__ = ("by_size", "core", "cores")

    def __init__(self) -> None:
        # By precision, double or not, and size: a kernel, its fixed arrays, and the order of all.
        self.by_size: dict[tuple[bool, Size], tuple[Kernel, list[np.ndarray], Order]] = {}
        self.cores: tuple[tuple[int, ...], ...] = ()  # the shapes of a single state's arrays
        self.core: tuple[int, ...] | None = None  # that of all of them, if they have one

    def call(self, *state: np.ndarray) -> Any:
        """The result for arrays of one precision, each with the first one's batch axes or without any; or None."""
        first = state[0]
        if len(state) != len(self.cores) or type(first) is not ndarray:
            return None
        dtype, batch = first.dtype, first.shape[:-1]
        kept = self.by_size.get((dtype is DOUBLE, size_of(batch)))
        if kept is None or (dtype is not DOUBLE and dtype is not SINGLE):
            return None
        if self.core is None:
            if not self._fit(state, dtype, batch):
                return None
        else:  # arrays of one shape are looked at in the shortest way
            core, whole = self.core, batch + self.core
            for x in state:
                if type(x) is not ndarray or x.dtype is not dtype or ((shape := x.shape) != whole and shape != core):
                    return None
                if not x.flags.c_contiguous:
                    return None
        kernel, fixed, order = kept
        arrays = order((*state, *fixed)) if order else (*state, *fixed)
        rows = batch[0] if len(batch) == 1 else math.prod(batch)
        if batch and rows * kernel.work > policy.WORK_PER_THREAD:  # threads and result memory
            outputs, bad = Call(kernel, arrays, batch).outputs()
            result = outputs[0] if len(outputs) == 1 else tuple(outputs)
        else:
            # As `Kernel.__call__` does it: a small batch would feel the detour.
            counter, before = kernel.counter, kernel.counter.value
            result = kernel.call(*arrays)
            bad = counter.value - before
        return None if bad else result

    def _fit(self, state: Sequence[Any], dtype: np.dtype[Any], batch: tuple[int, ...]) -> bool:
        """Are all arrays of this type and packed, each with these batch axes or without any?"""
        return all(
            type(x) is ndarray and x.dtype is dtype and x.shape in (batch + core, core) and x.flags.c_contiguous
            for x, core in zip(state, self.cores, strict=True)
        )


@final
class Prepared:
    """A program's kept kernels; `call` is a function of a state's arrays, the first of them a row of numbers such as q.

    It gives the result or the tuple of results, and None where the arguments have to be checked or a row has no answer.
    """

    __slots__ = ("_kept", "_single", "call")

    def __init__(self) -> None:
        self._kept = Kept()
        self._single = False  # is `call` machine code for a single state?
        self.call: Callable[..., Any] = nothing_prepared

    def keep(self, call: Call | None, names: Sequence[str]) -> None:
        """Keep a call's kernel: callers give its arguments of these names, in this order; the others stay the same."""
        if call is None:
            return
        kernel, ports = call.kernel, call.kernel.inputs
        is_double = call.arrays[0].dtype == DOUBLE
        by_size, key = self._kept.by_size, (is_double, size_of(call.batch))
        places = [i for name in names for i, port in enumerate(ports) if port.name == name]
        others = [i for i in range(len(ports)) if i not in places]
        alone = is_double and not (call.batch or self._single)
        if (key in by_size and not alone) or len(places) != len(names) or len(ports[places[0]].shape) != 1:
            return
        fixed = [np.ascontiguousarray(call.arrays[i]) for i in others]
        if any(x.shape != ports[i].shape for x, i in zip(fixed, others, strict=True)):
            return
        self._kept.cores = tuple(ports[i].shape for i in places)
        self._kept.core = self._kept.cores[0] if len(set(self._kept.cores)) == 1 else None
        by_size[key] = kernel, fixed, _order([*places, *others])
        if alone and all(len(ports[i].shape) == 1 or ports[i].name in FLAT for i in places):
            held = dict(zip(others, fixed, strict=True))
            self.call, self._single = single_state_call(kernel, places, held, otherwise=self._kept.call), True
        elif not self._single:
            self.call = self._kept.call
