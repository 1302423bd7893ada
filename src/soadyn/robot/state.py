"""A robot at one state (or batch of states): quantities that share their sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.backends.numpy import Memory
from soadyn.errors import ArgumentError, FrozenError
from soadyn.evaluation.together import Request
from soadyn.quantities import Quantity
from soadyn.robot.methods import attach_methods

if TYPE_CHECKING:
    from soadyn.robot.robot import Robot
    from soadyn.robot.typed import StateQuantities
else:
    StateQuantities = object  # the methods themselves come from `attach_methods`


@final
class State(StateQuantities):
    """A robot at (q, v), made by `Robot.at`. Immutable; each sweep runs when first needed, and once.

    Quantities that need nothing else are properties (`s.mass_matrix`), the others methods (`s.pose("tool")`).

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> s = arm.at([0.0, 0.5], [1.0, 0.0])
    >>> s.mass_matrix.shape, s.pose("tool").shape
    ((2, 2), (4, 4))
    """

    __slots__ = ("_memory", "_results", "q", "robot", "v")
    robot: Robot
    q: np.ndarray
    v: np.ndarray | None
    _memory: Memory
    _results: dict[tuple[str, ...], Any]

    def __init__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike | None = None, together: Sequence[Request] = ()
    ) -> None:
        found = robot._at_once(q, v, together)
        own = object.__setattr__
        own(self, "robot", robot)
        own(self, "q", found[0])
        own(self, "v", found[1])
        own(self, "_memory", {})
        own(self, "_results", found[2])
        _freeze(found[:2])
        for result in found[2].values():
            _freeze(result)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenError(f"a State cannot be changed (setting {name!r}); make another with robot.at(q, v)")

    def __delattr__(self, name: str) -> None:
        raise FrozenError(f"a State cannot be changed (deleting {name!r})")

    def __reduce__(self) -> tuple[type[State], tuple[Robot, np.ndarray, np.ndarray | None]]:
        return State, (self.robot, self.q, self.v)

    def __repr__(self) -> str:
        return f"<State of {self.robot.name!r}, batch {self.q.shape[:-1]}>"

    def _quantity(self, quantity: Quantity, given: dict[str, Any]) -> Any:
        if "v" in quantity.arguments and self.v is None:
            raise ArgumentError(f"{quantity.name} needs velocities; make the state with robot.at(q, v)")
        key = (quantity.name, *given.values())
        if all(isinstance(option, str) for option in given.values()):
            if key not in self._results:
                self._results[key] = self._computed(quantity, given)
            return self._results[key]
        return self._computed(quantity, given)

    def _computed(self, quantity: Quantity, given: dict[str, Any]) -> Any:
        result = self.robot._quantity(quantity, {"q": self.q, "v": self.v, **given}, self._memory)
        _freeze(result)
        return result


def _freeze(result: Any) -> None:
    if isinstance(result, np.ndarray):
        result.setflags(write=False)
    elif isinstance(result, tuple):
        for part in result:
            _freeze(part)


attach_methods(State, held=("q", "v"))
