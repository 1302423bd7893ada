"""A step in time as a motion along constant inboard rates, and the momenta at both its ends.

Joints turn by the exponential and slide along inboard axes (`JointKind.inboard`). All functions take every kind of
number and decide nothing, so that a step of them can be recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.coordinates import Coordinates


@final
class Discrete:
    """The joints of a robot without tied joints, each with its places in q and v.

    >>> from soadyn.model.builder import assemble, chain
    >>> Discrete(Coordinates(assemble(chain(2)))).shifted(np.zeros(2), np.array([0.5, 1.0]))
    array([0.5, 1. ])
    """

    def __init__(self, space: Coordinates) -> None:
        model = space.model
        kinds = [joint.behaviour for joint in model.joints]
        self._joints: Sequence[tuple[JointKind, slice, slice]] = tuple(
            zip(kinds, model.q_slices, model.v_slices, strict=True)
        )
        # Where all rates add like vectors, all joints are as one joint of many components.
        if kinds and all(kind.bracket(np.zeros(kind.nv)) is None for kind in kinds):
            self._joints = ((kinds[0], slice(None), slice(None)),)

    def inboard(self, q: Array, v: Array) -> Array:
        """Rates, or forces, with slides along inboard axes."""
        return self._each(lambda kind, x, y: kind.inboard(x, y), (q, v))

    def outboard(self, q: Array, x: Array) -> Array:
        """The inverse of `inboard`."""
        return self._each(lambda kind, place, y: kind.outboard(place, y), (q, x))

    def shifted(self, q: Array, d: Array) -> Array:
        """q moved with the inboard rates d for one unit of time."""
        return self._each(lambda kind, x, y: kind.shifted(x, y), (q, d))

    def ends(self, at: tuple[Array, Array, Array], v: Array, p: Array, f: Array, h: Any) -> tuple[Array, Array]:
        """The momenta p = ∂L/∂v at the beginning and at the end of a step through the configurations `at`.

        v, p and f are the rates, ∂L/∂v and ∂L/∂q in the middle one; the step takes h seconds.
        """
        begin, middle, end = at
        x, p_x = self.inboard(middle, v), self.inboard(middle, p)
        f_x = self._each(lambda kind, *parts: kind.inboard_force(*parts), (middle, v, p, f))
        f_x = self.inboard(middle, f_x)
        before, after = (
            self._each(lambda kind, *parts, i=i: kind.ends(*parts, h)[i], (h * x, p_x, f_x), at_v=True) for i in (0, 1)
        )
        return self.outboard(begin, before), self.outboard(end, after)

    def _each(self, operation: Any, vectors: Sequence[Array], at_v: bool = False) -> Array:
        """An operation on every joint's shares; the first vector is of coordinates unless `at_v`."""
        parts = []
        for kind, in_q, in_v in self._joints:
            first = vectors[0][..., in_v if at_v else in_q]
            parts.append(operation(kind, first, *(x[..., in_v] for x in vectors[1:])))
        if len(parts) == 1:
            return parts[0]
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in vectors))
        return np.concatenate([np.broadcast_to(part, batch + part.shape[-1:]) for part in parts], axis=-1)
