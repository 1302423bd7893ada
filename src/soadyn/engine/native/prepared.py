"""The fast path: arrays straight to a kernel that served such arrays before, all in double or all in single precision.

A `Prepared` keeps, for one program and one choice of options, a kernel for each size of batch together with the arrays
that do not change from call to call (frames, masks, wrenches), wherever these stand among the kernel's arguments. The
first call checks every argument and then keeps its kernel here; later calls only look at types and shapes. Whatever
does not fit is answered with None, or raises, and the caller checks the arguments again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, final

import numpy as np
from numpy import ndarray

from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.kernels import size_of
from soadyn.engine.native.passes import Size
from soadyn.engine.native.run import Call
from soadyn.engine.native.single_state import single_state_call

DOUBLE, SINGLE = np.dtype(np.float64), np.dtype(np.float32)
# Operations of a batch from which on result memory and threads matter more than the call's own cost.
LONG = 1_000_000


def nothing_prepared(*state: Any) -> None:
    """The call before any kernel is kept."""


# Puts a state's arrays and the fixed ones behind them into the order of the kernel's arguments; None if they stand so.
Order = Callable[[tuple[np.ndarray, ...]], Sequence[np.ndarray]] | None


def _order(places: Sequence[int]) -> Order:
    """The order for arrays that go to these places."""
    if list(places) == sorted(places):
        return None
    return itemgetter(*(places.index(i) for i in range(len(places))))


@final
class Kept:
    """Kernels by size of batch, each with its fixed arrays and `_order`; called through NumPy.

    They take arrays of one precision; `otherwise` is called with what does not fit.
    """

    __slots__ = ("_dtype", "_otherwise", "by_size")

    def __init__(self, dtype: np.dtype[Any], otherwise: Callable[..., Any]) -> None:
        self._dtype, self._otherwise = dtype, otherwise
        self.by_size: dict[Size, tuple[Kernel, list[np.ndarray], Order]] = {}

    def outputs(self, state: Sequence[np.ndarray], batch: tuple[int, ...]) -> Sequence[np.ndarray] | None:
        """The results for arrays whose types and shapes fit; None if no kernel is kept or a row has no answer."""
        kept = self.by_size.get(size_of(batch))
        if kept is None:
            return None
        kernel, fixed, order = kept
        arrays = (*state, *fixed)
        outputs, bad = Call(kernel, order(arrays) if order else arrays, batch).outputs()
        return None if bad else outputs

    def call(self, *state: np.ndarray) -> Any:
        """The result for arrays with one batch axis at most; None if a row has no answer.

        None, too, if the batch is another argument's; what does not fit otherwise gets what `otherwise` gives.
        """
        # q's own batch chooses the kernel; a batch that comes from another argument does not fit.
        batch = state[0].shape[:-1]
        kept = self.by_size.get(size_of(batch))
        if kept is None or len(batch) > 1:
            return self._otherwise(*state)
        dtype = self._dtype
        for x in state:
            if type(x) is not ndarray or x.dtype is not dtype or (not batch and x.ndim != 1):
                return self._otherwise(*state)
        kernel, fixed, order = kept
        arrays = order((*state, *fixed)) if order else (*state, *fixed)
        if batch and batch[0] * kernel.work > LONG:
            outputs, bad = Call(kernel, arrays, batch).outputs()
            result = outputs[0] if len(outputs) == 1 else tuple(outputs)
        else:
            # As `Kernel.__call__` does it: a small batch would feel the detour.
            counter, before = kernel.counter, kernel.counter.value
            result = kernel.call(*arrays)
            bad = counter.value - before
            if bad and not kernel.fits(arrays):
                result, bad = kernel(*arrays)
            first = result[0] if type(result) is tuple else result
            if batch and first.shape != batch + kernel.shapes[0]:
                return None
        return None if bad else result


@final
class Prepared:
    """A program's kept kernels; `call` is a function of a state's arrays, the first of them q."""

    __slots__ = ("_in_single_precision", "_kept", "_single", "call")

    def __init__(self) -> None:
        self._in_single_precision = Kept(SINGLE, nothing_prepared)
        self._kept = Kept(DOUBLE, self._in_single_precision.call)
        self._single: Callable[..., Any] = nothing_prepared
        self.call: Callable[..., Any] = nothing_prepared

    def keep(self, call: Call, states: Sequence[str]) -> None:
        """Keep a call's kernel: callers give its arguments of these names, in this order; the others stay the same."""
        size = size_of(call.batch)
        kept = self._kept if call.arrays[0].dtype == DOUBLE else self._in_single_precision
        names = [port.name for port in call.kernel.inputs]
        alone = not call.batch and kept is self._kept and self._single is nothing_prepared
        if (size in kept.by_size and not alone) or not set(states) <= set(names):
            return
        places = [names.index(name) for name in states]
        others = [place for place in range(len(names)) if place not in places]
        kernel = call.kernel
        fixed = [call.arrays[place] for place in others]
        kept.by_size[size] = kernel, fixed, _order([*places, *others])
        if alone:
            # Two functions: if the state does not fit, the first returns None and the second calls through NumPy.
            held = dict(zip(others, fixed, strict=True))
            self._single = single_state_call(kernel, places, held, otherwise=nothing_prepared)
            self.call = single_state_call(kernel, places, held, otherwise=kept.call)
        elif self._single is nothing_prepared:
            self.call = self._kept.call

    def outputs(self, state: Sequence[np.ndarray], batch: tuple[int, ...]) -> Sequence[np.ndarray] | None:
        """All results of a state in double precision; None if no kernel is kept or a row has no answer."""
        if not batch and (found := self._single(*state)) is not None:
            return found if type(found) is tuple else (found,)
        return self._kept.outputs(state, batch)
