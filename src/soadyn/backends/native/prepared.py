"""The fast path: arrays in double precision straight to a kernel that served such arrays before.

A `Prepared` keeps, for one program and one choice of options, a kernel for each size of batch together with the arrays
that do not change from call to call (frames, masks, wrenches). The first call checks every argument and then keeps its
kernel here; later calls only look at types and shapes. Whatever does not fit is answered with None, or raises, and the
caller checks the arguments again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.kernels import Size, size_of
from soadyn.backends.native.run import Call
from soadyn.backends.native.single_state import single_state_call

DOUBLE = np.dtype(np.float64)
# Operations of a batch from which on result memory and threads matter more than the call's own cost.
LONG = 1_000_000


def nothing_prepared(*state: Any) -> None:
    """The call before any kernel is kept."""


@final
class Prepared:
    """A program's kernels by size of batch; `call` is a function of a state's arrays, the first of them q."""

    __slots__ = ("_kept", "_single", "call")

    def __init__(self) -> None:
        self._kept: dict[Size, tuple[Kernel, list[np.ndarray]]] = {}
        self._single: Callable[..., Any] = nothing_prepared
        self.call: Callable[..., Any] = nothing_prepared

    def keep(self, call: Call, states: int) -> None:
        """Keep a call's kernel; the first `states` of its arrays are a state's, the others stay the same."""
        size = size_of(call.batch)
        if size in self._kept:
            return
        kernel, fixed = call.kernel, call.arrays[states:]
        self._kept[size] = kernel, fixed
        if size == "one":
            self._single = single_state_call(kernel, fixed, otherwise=nothing_prepared)
            self.call = single_state_call(kernel, fixed, otherwise=self._any_state)
        elif "one" not in self._kept:
            self.call = self._any_state

    def outputs(self, state: Sequence[np.ndarray], batch: tuple[int, ...]) -> Sequence[np.ndarray] | None:
        """The kernel's results for a state whose types and shapes fit; None if no kernel is kept or a row is bad."""
        if not batch and (found := self._single(*state)) is not None:
            return found if type(found) is tuple else (found,)
        kept = self._kept.get(size_of(batch))
        if kept is None:
            return None
        outputs, bad = Call(kept[0], [*state, *kept[1]], batch).outputs()
        return None if bad else outputs

    def _any_state(self, *state: np.ndarray) -> Any:
        q = state[0]
        # Only q's own batch chooses the form of code: a batch that comes from another argument is not for here.
        batch = q.shape[:-1]
        kept = self._kept.get(size_of(batch))
        if kept is None or len(batch) > 1:
            return None
        for x in state:
            if x.dtype is not DOUBLE or (not batch and x.ndim != 1):
                return None
        kernel, fixed = kept
        if batch and len(q) * kernel.work > LONG:
            outputs, bad = Call(kernel, [*state, *fixed], batch).outputs()
            result = outputs[0] if len(outputs) == 1 else tuple(outputs)
        else:
            result, bad = kernel(*state, *fixed)
            first = result if len(kernel.outputs) == 1 else result[0]
            if batch and np.shape(first) != batch + kernel.outputs[0].shape:
                return None
        return None if bad else result
