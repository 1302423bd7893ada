"""What an evaluation needs of a robot: its constants, its coordinates and its kernels."""

from __future__ import annotations

from typing import Literal, final, get_args

from soadyn.backends.constants import Constants, constants_of
from soadyn.backends.native.kernel import available
from soadyn.backends.native.run import Kernels
from soadyn.errors import ArgumentError
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Model

Backend = Literal["auto", "numpy", "rolled", "straight"]


@final
class Engine:
    """One robot's numbers and the code that computes with them, each made when it is first needed.

    `backend` is "numpy" (the reference), "rolled" or "straight" (native code in one form), or "auto". The attributes
    are computed without a lock: two threads may both compute one, and a process forked meanwhile never waits.

    >>> from soadyn.loading import load_model
    >>> engine = Engine(load_model("planar_two_link"))
    >>> engine.coordinates.nv, engine.constants.model.name
    (2, 'planar_two_link')
    """

    __slots__ = ("_constants", "_coordinates", "_kernels", "backend", "model")

    def __init__(self, model: Model, backend: Backend = "auto") -> None:
        if backend not in get_args(Backend):
            raise ArgumentError(f"a backend is one of {', '.join(map(repr, get_args(Backend)))}, got {backend!r}")
        self.model = model
        self.backend = backend
        self._constants: Constants | None = None
        self._coordinates: Coordinates | None = None
        self._kernels: Kernels | None = None

    @property
    def constants(self) -> Constants:
        """The model's numbers as arrays, in the backends' private frames."""
        if self._constants is None:
            self._constants = constants_of(self.model)
        return self._constants

    @property
    def coordinates(self) -> Coordinates:
        """Where each joint's numbers stand in q and v."""
        if self._coordinates is None:
            self._coordinates = Coordinates(self.model)
        return self._coordinates

    @property
    def kernels(self) -> Kernels | None:
        """Native kernels; None where the reference computes: on request, without joints, without llvmlite."""
        if self._kernels is None and self.backend != "numpy" and self.coordinates.nv > 0 and available():
            self._kernels = Kernels(self.constants, self.backend)
        return self._kernels
