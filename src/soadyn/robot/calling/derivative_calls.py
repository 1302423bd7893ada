"""Derivatives asked for again: arrays in double precision straight to the kernel that served such arrays before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Call, Prepared
from soadyn.engine.tracing.second_order import Second
from soadyn.robot.calling import differentiation
from soadyn.robot.calling.differentiation import Keep, Problem
from soadyn.robot.calling.evaluate import unpacked

# Kinds of calls kept for a robot or a formula; when there are more, all are forgotten.
MOST_KEPT = 64

Key = tuple[Any, ...] | None


@final
class DerivativeCalls:
    """Derivatives of a robot's quantities, or of a formula's results, by kernels that are kept where there are such.

    `what` is differentiated: a name, together with all that the results depend on beside the arguments; None for what
    is not kept. `problem` makes the problem that `differentiation` solves where no kernel fits.
    """

    def __init__(self) -> None:
        self._prepared: dict[Hashable, Prepared] = {}

    def jvp(self, what: Hashable, at: Any, along: Any, problem: Callable[[], Problem]) -> tuple[Any, Any]:
        """The results, and their rates along a direction."""
        key = _key("jvp", what, at, along)
        found = self._outputs(key, at, (), along)
        if found is None:
            return differentiation.jvp(problem(), along, partial(self._keep, key))
        own = len(found) // 2
        return unpacked(found[:own]), unpacked(found[own:])

    def vjp(
        self, what: Hashable, at: Any, weights: Any, problem: Callable[[], Problem]
    ) -> tuple[Any, tuple[np.ndarray, ...]]:
        """The results, and the derivatives of their weighted sum by each argument."""
        key = _key("vjp", what, at, at)
        found = self._outputs(key, at, weights, ())
        if found is None:
            return differentiation.vjp(problem(), weights, partial(self._keep, key))
        own = len(found) - len(at)
        return unpacked(found[:own]), tuple(found[own:])

    def hvp(
        self, what: Hashable, at: Any, weights: Any, along: Any, problem: Callable[[], Problem]
    ) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """The derivatives of the weighted sum of the results by each argument, and their rates along a direction."""
        key = _key("hvp", what, at, along)
        found = self._outputs(key, at, weights, along)
        if found is None:
            return differentiation.hvp(problem(), weights, along, partial(self._keep, key))
        # The results, their derivatives by each argument, and the rates of all of them.
        count, half = len(at), len(found) // 2
        return tuple(found[half - count : half]), tuple(found[-count:])

    def second(self, what: Hashable, at: Any, compute: Callable[[Keep], Second]) -> Second:
        """All second derivatives, which `compute` finds, and tells what to keep, where no kernel fits."""
        key = _key("second", what, at, at)
        found = self._outputs(key, at, (), ())
        if found is None:
            return compute(partial(self._keep, key))
        qq, vq, vv, uq = found
        return qq, vq, vv, uq

    def _outputs(self, key: Key, at: Any, weights: Any, along: Any) -> Sequence[np.ndarray] | None:
        """The kernel's outputs; None if there is no kernel for such arrays, or a row has no answer."""
        prepared = self._prepared.get(key)
        if prepared is None:
            return None
        several = weights if type(weights) is tuple else (weights,)
        try:
            found = prepared.call(*at, *several, *(d for d in along if d is not None))
        except (AttributeError, IndexError, TypeError, ValueError):
            return None
        return found if found is None or type(found) is tuple else (found,)

    def _keep(self, key: Key, call: Call | None, names: Sequence[str]) -> None:
        """Keep the kernel of a call, whose arguments of these names callers give as rows of numbers."""
        if key is None or call is None or len(call.batch) > 1 or call.arrays[0].dtype != np.float64:
            return
        given = [port for port in call.kernel.inputs if port.name in names]
        if any(len(port.shape) != 1 for port in given) or call.arrays[0].shape[:-1] != call.batch:
            return
        if key not in self._prepared and len(self._prepared) >= MOST_KEPT:
            self._prepared.clear()
        self._prepared.setdefault(key, Prepared()).keep(call, names)


def _key(derivative: str, what: Hashable, at: Any, along: Any) -> Key:
    """By what the kernel of a call is kept: which arguments have a direction. None for calls that are not kept."""
    if what is None or type(at) is not tuple or type(along) is not tuple or len(at) != len(along):
        return None
    return (derivative, what, *(d is None for d in along))
