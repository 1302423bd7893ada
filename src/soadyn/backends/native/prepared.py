"""The fast path: arrays in double precision straight to a kernel that served such arrays before.

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

from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.kernels import Size, size_of
from soadyn.backends.native.picked import picked_kernel
from soadyn.backends.native.run import Call
from soadyn.backends.native.single_state import single_state_call
from soadyn.backends.passive_set import Part

DOUBLE = np.dtype(np.float64)
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
    """Kernels by size of batch, each with its fixed arrays and `_order`; called through NumPy."""

    __slots__ = ("by_size",)

    def __init__(self) -> None:
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
        """The result for any arrays with one batch axis at most; None if no kernel fits or a row has no answer."""
        # q's own batch chooses the kernel; a batch that comes from another argument does not fit.
        batch = state[0].shape[:-1]
        kept = self.by_size.get(size_of(batch))
        if kept is None or len(batch) > 1:
            return None
        for x in state:
            if type(x) is not ndarray or x.dtype is not DOUBLE or (not batch and x.ndim != 1):
                return None
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
            first = result[0] if type(result) is tuple else result
            if batch and first.shape != batch + kernel.shapes[0]:
                return None
        return None if bad else result


@final
class Prepared:
    """A program's kept kernels; `call` is a function of a state's arrays, the first of them q."""

    __slots__ = ("_kept", "_single", "call")

    def __init__(self) -> None:
        self._kept = Kept()
        self._single: Callable[..., Any] = nothing_prepared
        self.call: Callable[..., Any] = nothing_prepared

    def keep(self, call: Call, states: Sequence[str], parts: Sequence[Part] = ()) -> None:
        """Keep a call's kernel: callers give its arguments of these names, in this order; the others stay the same.

        With `parts`, later calls give these parts of the kernel's results.
        """
        size, kept = size_of(call.batch), self._kept
        names = [port.name for port in call.kernel.inputs]
        if size in kept.by_size or not set(states) <= set(names):
            return
        places = [names.index(name) for name in states]
        others = [place for place in range(len(names)) if place not in places]
        kernel = picked_kernel(call.kernel, parts) if parts else call.kernel
        fixed = [call.arrays[place] for place in others]
        kept.by_size[size] = kernel, fixed, _order([*places, *others])
        if size == "one":
            # Two functions: if the state does not fit, the first returns None and the second calls through NumPy.
            held = dict(zip(others, fixed, strict=True))
            self._single = single_state_call(kernel, places, held, otherwise=nothing_prepared)
            self.call = single_state_call(kernel, places, held, otherwise=kept.call)
        elif "one" not in kept.by_size:
            self.call = kept.call

    def outputs(self, state: Sequence[np.ndarray], batch: tuple[int, ...]) -> Sequence[np.ndarray] | None:
        """All results of a state whose types and shapes fit; None if no kernel is kept or a row has no answer."""
        if not batch and (found := self._single(*state)) is not None:
            return found if type(found) is tuple else (found,)
        return self._kept.outputs(state, batch)
