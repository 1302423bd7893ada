"""Short cuts: from arrays in double precision straight to the kernels that served such arrays before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.run import called, limits
from soadyn.backends.native.single_state import DOUBLE, lone_call

# Operations of a batch from which on memory and threads matter more than a few look-ups.
LONG = 1_000_000


@final
class ShortCut:
    """A quantity's kernels for one choice of options: one for lone states, one for small batches, one for large."""

    __slots__ = ("_ready",)

    def __init__(self) -> None:
        self._ready: dict[bool | None, tuple[Kernel, tuple[np.ndarray, ...]]] = {}

    @staticmethod
    def size(q: np.ndarray) -> bool | None:
        """What decides on the kernel: None for a lone state, or whether a batch is large."""
        return None if q.ndim == 1 else len(q) >= limits.large

    def __contains__(self, size: bool | None) -> bool:
        return size in self._ready

    def add(self, size: bool | None, kernel: Kernel, further: Sequence[np.ndarray]) -> None:
        """Takes a kernel; `further` are its arguments after the state's."""
        self._ready[size] = kernel, tuple(further)

    def call(self) -> Callable[..., Any]:
        """A function of a state's arrays; where the long way has to be taken, it answers None or raises."""
        return lone_call(*self._ready[None], otherwise=self._by_size) if None in self._ready else self._by_size

    def _by_size(self, *state: np.ndarray) -> Any:
        q = state[0]
        if q.ndim == 1 and None in self._ready:
            return self._lone(state)
        for x in state:
            if x.dtype is not DOUBLE:
                return None
        size = self.size(q)
        if q.ndim > 2 or size not in self._ready:
            return None
        kernel, further = self._ready[size]
        before = kernel.counter.value
        # The form of code follows from the whole batch: one that comes from another argument than q is not for here.
        if size is not None and len(q) * kernel.work > LONG:
            found = called(kernel, [*state, *further], q.shape[:-1])
            result = found[0] if len(found) == 1 else tuple(found)
        else:
            result = kernel.call(*state, *further)
            if np.shape(result if len(kernel.outputs) == 1 else result[0]) != q.shape[:-1] + kernel.outputs[0].shape:
                return None
        return result if kernel.counter.value == before else None

    def _lone(self, state: tuple[np.ndarray, ...]) -> Any:
        """A single state, for which looking at a result's shape would take as long as many a joint's arithmetic."""
        for x in state:
            if x.dtype is not DOUBLE or x.ndim != 1:
                return None
        kernel, further = self._ready[None]
        before = kernel.counter.value
        result = kernel.call(*state, *further)
        return result if kernel.counter.value == before else None
