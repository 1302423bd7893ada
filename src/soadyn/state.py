"""A robot at one state (or batch of states): quantities that share their sweeps."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn import arguments
from soadyn.backends.numpy import Memory
from soadyn.errors import ArgumentError, FrozenError, unknown_name
from soadyn.methods import attach_methods
from soadyn.quantities import QUANTITIES, Quantity

if TYPE_CHECKING:
    from soadyn.robot import Robot
    from soadyn.typed import StateQuantities
else:
    StateQuantities = object  # the methods themselves come from `attach_methods`

Request = str | tuple[str, ...]


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
        # Private copies: the arrays of the caller may change, this state may not.
        checked_q = np.array(arguments.coordinates(robot._coordinates, q))
        checked_v = None if v is None else np.array(arguments.joint_vector(robot._coordinates, v, "v"))
        if checked_v is not None:
            arguments.batch_shape({"q": checked_q, "v": checked_v}, {"q": 1, "v": 1})
        for name, value in (("robot", robot), ("q", checked_q), ("v", checked_v), ("_memory", {}), ("_results", {})):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)
        if together:
            requests = requested(_listed(together))
            if checked_v is None and any("v" in quantity.arguments for quantity, _ in requests):
                raise ArgumentError("together names quantities that need velocities; make the state with at(q, v, ...)")
            self._results.update(robot._together(requests, {"q": checked_q, "v": checked_v}))
            for result in self._results.values():
                _freeze(result)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenError(f"a State cannot be changed (setting {name!r}); make another with robot.at(q, v)")

    def __delattr__(self, name: str) -> None:
        raise FrozenError(f"a State cannot be changed (deleting {name!r})")

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
    for array in result if isinstance(result, tuple) else (result,):
        if isinstance(array, np.ndarray):
            array.flags.writeable = False


def _listed(together: Any) -> tuple[Request, ...]:
    """What is to be computed together, as names and tuples of text."""
    if isinstance(together, str) or not isinstance(together, Sequence):
        raise ArgumentError(f"together takes a list of quantities, got {together!r}; write [{together!r}]")
    for request in together:
        parts = (request,) if isinstance(request, str) else request
        if not (isinstance(parts, tuple) and parts and all(isinstance(part, str) for part in parts)):
            raise ArgumentError(f"together takes names and (name, option, ...) as text, got {request!r}")
    return tuple(together)


@cache
def requested(together: tuple[Request, ...]) -> list[tuple[Quantity, dict[str, str]]]:
    """Quantities and their options, from names and (name, option, ...) tuples."""
    found = []
    for request in together:
        name, *options = (request,) if isinstance(request, str) else request
        if name not in QUANTITIES:
            raise unknown_name("quantity", name, QUANTITIES)
        quantity = QUANTITIES[name]
        further = [argument for argument in quantity.parameters if argument.name not in ("q", "v")]
        if any(argument.name in ("a", "tau", "external", "passive", "a?", "tau?") for argument in further):
            raise ArgumentError(f"{name} needs more than a state, so it cannot be computed together with others")
        given = dict(zip((argument.name for argument in further), options, strict=False))
        for argument in further[len(options) :]:
            if argument.default is None:
                raise ArgumentError(f'{name} needs a {argument.name}: write ("{name}", {argument.name})')
            given[argument.name] = ast.literal_eval(argument.default)
        if len(options) > len(further) or not all(isinstance(option, str) for option in given.values()):
            raise ArgumentError(f"expected a name or (name, option, ...) with options as text, got {request!r}")
        found.append((quantity, given))
    return found


attach_methods(State, held=("q", "v"))
