"""Derivatives asked for again: arrays in double precision straight to the kernel that served such arrays before."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, final

import numpy as np

from soadyn.backends.engine import Call, Prepared

# Kinds of calls kept for a robot; when there are more, all are forgotten.
MOST_KEPT = 64


@final
class DerivativeCalls:
    """A robot's prepared kernels of derivatives, by what was asked for."""

    def __init__(self) -> None:
        self._prepared: dict[Hashable, Prepared] = {}

    def outputs(self, key: Hashable, arrays: Sequence[Any]) -> Sequence[np.ndarray] | None:
        """The kernel's outputs; None if there is no kernel for such arrays, or a row has no answer."""
        prepared = self._prepared.get(key)
        if prepared is None:
            return None
        try:
            found = prepared.call(*arrays)
        except (AttributeError, IndexError, TypeError, ValueError):
            return None
        return found if found is None or type(found) is tuple else (found,)

    def keep(self, key: Hashable, call: Call | None, names: Sequence[str]) -> None:
        """Keep a call's kernel, if its arguments are those named and nothing else."""
        if call is None or len(call.batch) > 1 or [port.name for port in call.kernel.inputs] != list(names):
            return
        if any(len(port.shape) != 1 for port in call.kernel.inputs) or call.arrays[0].dtype != np.float64:
            return
        if call.arrays[0].shape[:-1] != call.batch:
            return
        if key not in self._prepared and len(self._prepared) >= MOST_KEPT:
            self._prepared.clear()
        self._prepared.setdefault(key, Prepared()).keep(call, len(call.arrays))
