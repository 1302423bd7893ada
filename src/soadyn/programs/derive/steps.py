"""Steps of derivative programs: a link's share of a sweep, differentiated.

A step is run once more on inputs of a graph of its own; what the derivative of that graph does is then done to the
caller's scalars. The transform across a hinge is not differentiated entry by entry. One rule of geometry does it: moved
by a small motion x of the link, φ becomes φ (I + x-moved), so x itself, six numbers, stands for the change of φ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, final

import numpy as np

from soadyn.engine.tracing import Graph, Scalar, tracing_into
from soadyn.engine.tracing.derivatives import gradient, tangent
from soadyn.engine.tracing.evaluating import evaluated
from soadyn.engine.tracing.values import array_of, leaves, rebuild
from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import skew
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial

Step = Callable[..., Any]


@final
class _Recorded:
    """A step recorded on inputs that stand for the caller's scalars; `known` says what each stands for.

    For a transform six further inputs, zero themselves, move its link.
    """

    def __init__(self, step: Step, joint: JointKind, values: Sequence[Any], active: Sequence[bool]) -> None:
        self.graph = Graph()
        self.known: dict[int, Any] = {}
        self.inputs: list[list[Any]] = []  # for each active value its entries that can change, None for known numbers
        given = [self._stand_in(value, on) for value, on in zip(values, active, strict=True)]
        token = tracing_into.set(self.graph)
        try:
            self.results = step(joint, *given)
        finally:
            tracing_into.reset(token)

    def input(self, value: Any) -> Scalar:
        """An input that stands for a number."""
        found = self.graph.input(len(self.known))
        self.known[found.node] = value
        return found

    def _stand_in(self, value: Any, active: bool) -> Any:
        own = [self.input(x) if isinstance(x, Scalar) else x for x in leaves(value)]
        again = rebuild(value, own)
        if active and isinstance(value, Transform):
            own = [self.input(0.0) for _ in range(6)]
            again = _moved(again, own)
        if active:
            self.inputs.append([x if isinstance(x, Scalar) else None for x in own])
        return again

    def computed(self, values: Sequence[Any]) -> list[Any]:
        """What depends on the inputs, for the numbers that they stand for."""
        return evaluated(self.graph, values, self.known)


def _moved(phi: Transform, x: Sequence[Any]) -> Transform:
    """φ after a small motion x = [turn; slide] of the outer link along its own axes."""
    turn, slide = array_of(x[:3], (3, 1)), array_of(x[3:], (3, 1))
    screws = phi.screws
    if screws is not None:
        turns = [Screw(i, 1.0, x[i], 0.0) for i in range(3)]
        slides = [Screw.slide(i, x[3 + i]) for i in range(3)]
        screws = (*turns, *slides, *screws)
    return Transform(phi.R + phi.R @ skew(turn), phi.l + phi.R @ slide, screws)


@lru_cache(maxsize=1024)
def tangent_step(step: Step, active: tuple[bool, ...]) -> Step:
    """The step with, behind the values it reads, the changes of the active ones; its results, then their changes."""

    def stepped(joint: JointKind, *values: Any) -> tuple[Any, ...]:
        own, changes = values[: len(active)], values[len(active) :]
        recorded = _Recorded(step, joint, own, active)
        seeds: dict[int, Any] = {}
        for inputs, change in zip(recorded.inputs, changes, strict=True):
            for x, rate in zip(inputs, leaves(change) or [0.0] * len(inputs), strict=True):
                if x is not None and (isinstance(rate, Scalar) or rate != 0.0):
                    seeds[x.node] = recorded.input(rate) if isinstance(rate, Scalar) else rate
        numbers = [x for result in recorded.results for x in leaves(result)]
        rates = iter(recorded.computed(tangent(recorded.graph, numbers, seeds)))
        found = iter(recorded.computed(numbers))
        primal = [rebuild(result, found) for result in recorded.results]
        return (*primal, *(rebuild(result, rates) for result in recorded.results))

    stepped.__name__ = f"{step.__name__}_tangent"
    stepped.__doc__ = f"Level 6 - how the results of {step.__name__} change.\n\nẏ = Σ ∂y/∂x ẋ"
    return stepped


@lru_cache(maxsize=1024)
def gradient_step(step: Step, active: tuple[bool, ...], weights: tuple[int, ...]) -> Step:
    """From the values a step reads, and so many weights for each of its results, the weights of the active values."""

    def stepped(joint: JointKind, *values: Any) -> tuple[Any, ...]:
        own, given = values[: len(active)], list(values[len(active) :])
        recorded = _Recorded(step, joint, own, active)
        outputs: list[Any] = []
        weighted: list[Any] = []
        for result, count in zip(recorded.results, weights, strict=True):
            mine, given = given[:count], given[count:]
            numbers = leaves(result)
            outputs += numbers
            weighted += [recorded.input(w) if isinstance(w, Scalar) else w for w in _summed(mine, len(numbers))]
        nodes = [x.node for inputs in recorded.inputs for x in inputs if x is not None]
        found = iter(recorded.computed(gradient(recorded.graph, outputs, weighted, nodes)))
        back = ([0.0 if x is None else next(found) for x in inputs] for inputs in recorded.inputs)
        return tuple(
            _weight_of(value, numbers)
            for value, numbers in zip((x for x, on in zip(own, active, strict=True) if on), back, strict=True)
        )

    stepped.__name__ = f"{step.__name__}_gradient"
    stepped.__doc__ = f"Level 6 - the weights of what {step.__name__} reads.\n\nx̄ = Σ ∂y/∂x ȳ"
    return stepped


def _summed(values: Sequence[Any], count: int) -> list[Any]:
    """The entries of several values added up; the integer 0, an empty sum, has none."""
    total: list[Any] = [0.0] * count
    for value in values:
        total = [x + y for x, y in zip(total, leaves(value) or [0.0] * count, strict=True)]
    return total


def added(joint: JointKind, *values: Any) -> tuple[Any]:
    """Level 6 - weights of one value from several places, added up.

    x̄(k) = Σ x̄(k)
    """
    return (rebuild(values[0], _summed(values, len(leaves(values[0])))),)


def _weight_of(value: Any, numbers: list[Any]) -> Any:
    """Weights in the form of the value they belong to; a transform's are those of the motion that changes it."""
    if isinstance(value, Transform):
        return Spatial(array_of(numbers[:3], (3, 1)), array_of(numbers[3:], (3, 1)))
    return rebuild(value, numbers)


def hinge_change(joint: JointKind, H: Rows, pitch: Any, q: Any, dq: Any) -> tuple[Spatial, Rows]:
    """Level 7 - how a hinge changes φ, as the motion of its link, and H, where H turns with the joint.

    x(k) = H*(k) δ(k),    Ḣ(k)
    """
    _, change = tangent_step(_map, (True, False))(joint, q, pitch, joint.rates(q, dq[:, 0]))
    return H.mT @ dq, change


def hinge_weights(joint: JointKind, H: Rows, pitch: Any, q: Any, x: Spatial, H_weights: Rows) -> tuple[Any]:
    """Level 7 - the weights of a hinge's directions: those of the motion of its link, and of H where that turns.

    q̄(k) = H(k) x̄(k) + ∂H*/∂q H̄
    """
    (by_q,) = gradient_step(_map, (True, False), (1,))(joint, q, pitch, H_weights)
    along = [sum(r * g for r, g in zip(joint.rates(q, unit), by_q, strict=True)) for unit in np.eye(joint.nv)]
    return (H @ x + array_of(along, (joint.nv, 1)),)


def _map(joint: JointKind, q: Any, pitch: Any) -> tuple[Rows]:
    return (joint.H(q, pitch),)
