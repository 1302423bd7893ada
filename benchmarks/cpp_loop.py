"""A library's algorithms called in a loop in C++, on a model built there from the numbers of a Pinocchio model."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from casadi_peer import ALGORITHMS, DERIVATIVES
from peer_robots import PinocchioRobot, States
from pinocchio_calls import symmetric
from steps import CHECKED, Step, in_our_order, result_shape


class CppLoop:
    """A model behind the functions that pinocchio_loop.cpp, kdl_loop.cpp and simbody_loop.cpp define."""

    def __init__(self, pin: PinocchioRobot, library: ctypes.CDLL) -> None:
        if np.any(pin.model.armature):
            raise ValueError("it has no rotor inertias")
        self._pin, self._library = pin, library
        library.model_new.restype = ctypes.c_void_p
        library.model_add.restype = ctypes.c_long
        self._model = ctypes.c_void_p(library.model_new(_numbers(pin.model.gravity.linear)))
        weakref.finalize(self, library.model_delete, self._model)
        data = pin.model.createData()
        for k in range(1, pin.model.njoints):
            self._add(pin.model, k, np.asarray(data.joints[k].S))

    def _add(self, model: Any, k: int, S: np.ndarray) -> None:
        placement, body, joint = model.jointPlacements[k], model.inertias[k], model.joints[k]
        kind = joint.shortname()
        # The columns of S are [linear; angular]; only joints with one column have an axis.
        axis = S.reshape(2, 3).sum(axis=0) if S.size == 6 else np.zeros(3)
        # Pinocchio's continuous joints have a cosine and a sine for a coordinate; the loops take angles.
        known = joint.nq == 1 or kind == "JointModelFreeFlyer"
        number = known and self._library.model_add(
            self._model, ctypes.c_long(model.parents[k]), kind.encode(), _numbers(axis), _numbers(placement.rotation),
            _numbers(placement.translation), ctypes.c_double(body.mass), _numbers(body.lever), _numbers(body.inertia),
        )  # fmt: skip
        if number != k:
            raise ValueError(f"it does not take the {kind} {model.names[k]!r}")

    def step(self, who: str, s: States, quantity: str, before: str = "", note: str = "") -> Step:
        """The loop over a batch."""
        call, found = self._bound(s, quantity)

        def rows() -> np.ndarray:
            call()
            first = found[:CHECKED]
            first = first.swapaxes(-1, -2) if first.ndim > 2 else first  # Eigen stores matrices by columns
            first = symmetric(first) if quantity == "mass_matrix" else first  # Pinocchio fills the upper half
            return in_our_order(self._pin.peer, s, quantity, first)

        return Step(who, call, rows, before, note)

    def _bound(self, s: States, quantity: str) -> tuple[Callable[[], None], np.ndarray]:
        """The call, and the array that it fills, a row for each state."""
        short, names = (ALGORITHMS | DERIVATIVES)[quantity]
        given = self._pin.columns(s)
        columns = [given[name] for name in names]
        rows = np.empty((len(s.q), *result_shape(quantity, self._pin.model.nv)))
        pointers = (ctypes.c_void_p * len(columns))(*(x.ctypes.data for x in columns))
        function = getattr(self._library, f"{short}_each")
        function.restype = None
        arguments = (self._model, pointers, ctypes.c_void_p(rows.ctypes.data), ctypes.c_long(len(s.q)))

        def loop(kept: Sequence[np.ndarray] = (*columns, rows)) -> None:  # C knows only their addresses
            function(*arguments)

        return loop, rows


def _numbers(x: Any) -> Any:
    """A vector, or a matrix row by row, as C wants it."""
    flat = np.asarray(x, dtype=float).ravel()
    return (ctypes.c_double * flat.size)(*flat)
