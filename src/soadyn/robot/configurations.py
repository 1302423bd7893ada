"""A robot's configurations: made, drawn, moved and compared."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.model import configuration
from soadyn.robot.calling.quantity_functions import Functions
from soadyn.robot.closed.assembling import random_closed


class Configurations(ABC):
    """What can be done to the coordinates q alone."""

    engine: Engine
    _functions: Functions
    _quick: dict[str, Any]

    def neutral(self) -> np.ndarray:
        """The configuration at which every joint's frames coincide, (nq,)."""
        return configuration.neutral(self.engine.coordinates)

    def configuration(self, joints: Mapping[str, ArrayLike]) -> np.ndarray:
        """The neutral configuration with the joints named in {joint: coordinates} placed there, (nq,).

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").configuration({"joint2": 0.3})
        array([0. , 0.3])
        """
        return configuration.from_joints(self.engine.coordinates, joints)

    def random_configuration(
        self, rng: np.random.Generator | None = None, size: int | tuple[int, ...] = ()
    ) -> np.ndarray:
        """Uniform within limits; where there are none, turns from (-pi, pi), slides from (-1, 1), any orientation.

        Of a robot with closures they are closed ones, each near such a draw.

        >>> import numpy as np, soadyn as sd
        >>> sd.load("ur5").random_configuration(np.random.default_rng(0), size=4).shape
        (4, 6)
        """
        if self.engine.model.closures:
            return random_closed(self.engine, rng, size)
        return configuration.random_configuration(self.engine.coordinates, rng, size)

    def integrate(self, q: ArrayLike, dv: ArrayLike) -> np.ndarray:
        """The configuration reached from q with the joint velocity dv in one unit of time (the exponential).

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").integrate([0.0, 0.0], [0.1, 0.2])
        array([0.1, 0.2])
        """
        return self._moved("integrate", q, dv)

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> np.ndarray:
        """The dv with integrate(q0, dv) = q1, turns being at most half a revolution."""
        return self._moved("difference", q0, q1)

    def normalize(self, q: ArrayLike) -> np.ndarray:
        """The same configuration with quaternions of unit length; all other coordinates stay.

        >>> import soadyn as sd
        >>> flyer = sd.load("free_flyer")
        >>> flyer.normalize(2 * flyer.neutral())[:4]
        array([1., 0., 0., 0.])
        """
        return self._moved("integrate", q, np.zeros(self.engine.coordinates.nv))

    def _moved(self, name: str, first: Any, second: Any) -> np.ndarray:
        """A motion by its kept kernel, as `methods` does for quantities."""
        result: np.ndarray | None = self._quick[name](first, second)
        return self._functions.moved(name, first, second) if result is None else result
