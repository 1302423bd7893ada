"""A robot at one state (or batch of states): quantities that are computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, FrozenError, check_name
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike
from soadyn.robot.arguments.inputs import VECTORS, joint_vector
from soadyn.robot.methods import attach_methods
from soadyn.robot.notebook import shown_state

if TYPE_CHECKING:
    from soadyn.robot.robot import Robot
    from soadyn.robot.typed import StateQuantities
else:
    StateQuantities = object  # the methods themselves come from `attach_methods`

Request = str | tuple[str, ...]

# The vectors of a state that are given later than q and v.
FURTHER = ("a", "tau", "external")
DOUBLE = np.dtype(np.float64)


@final
class State(StateQuantities):
    """A robot at (q, v), made by `Robot.at`. Immutable; each quantity is computed when first needed, and once.

    Quantities of q and v are properties (`s.mass_matrix`), the others methods (`s.pose("tool")`). Methods that take
    accelerations `a`, joint forces `tau` or `external` wrenches, (..., links, 6), use the state's unless they are given
    others; what a state does not hold is None.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> s = arm.at([0.0, 0.5], [1.0, 0.0])
    >>> s.mass_matrix.shape, s.pose("tool").shape
    ((2, 2), (4, 4))
    """

    __slots__ = ("_results", "a", "external", "q", "robot", "tau", "v")
    robot: Robot
    q: np.ndarray
    v: np.ndarray | None
    a: np.ndarray | None
    tau: np.ndarray | None
    external: np.ndarray | None
    _results: dict[tuple[str | None, ...], Any]

    def __init__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        external: ExternalLike | None = None,
        together: Sequence[Request] = (),
    ) -> None:
        given: dict[str, Any] = {"q": q, "v": v}
        if not (a is None and tau is None and external is None):
            given |= {"a": a, "tau": tau, "external": external}
        vectors = _copied(robot.engine, given)
        own = object.__setattr__
        own(self, "robot", robot)
        for name in ("q", "v", *FURTHER):
            own(self, name, vectors.get(name))
        own(self, "_results", {})
        if type(together) is not tuple or together:
            for quantity, options in _requested(together):
                self._quantity(quantity, options)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenError(f"a State cannot be changed (setting {name!r}); make another with robot.at(q, v)")

    def __delattr__(self, name: str) -> None:
        raise FrozenError(f"a State cannot be changed (deleting {name!r})")

    def __reduce__(self) -> tuple[type[State], tuple[Any, ...]]:
        return State, (self.robot, self.q, self.v, self.a, self.tau, self.external)

    def __repr__(self) -> str:
        return f"<State of {self.robot.name!r}, batch {self.q.shape[:-1]}>"

    def _repr_html_(self) -> str:
        return shown_state(self)

    def _quantity(self, quantity: Quantity, given: dict[str, Any]) -> Any:
        # None stands for what the state holds.
        if given and not all(x is None or isinstance(x, str) for x in given.values()):
            return self._computed(quantity, given)
        key = (quantity.name, *given.values())
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = self._computed(quantity, given)
        return found

    def _computed(self, quantity: Quantity, given: dict[str, Any]) -> Any:
        everything = {"q": self.q, "v": self.v, **given}
        for name in FURTHER:
            if name in given and given[name] is None:
                everything[name] = getattr(self, name)
        needed, names = _ARGUMENTS[quantity.name]
        for name in needed:
            if everything[name] is None:
                raise ArgumentError(_missing(quantity, name))
        result = getattr(self.robot, quantity.name)(*[everything[name] for name in names])
        _freeze(result)
        return result


# Of each quantity the arguments without a default, and all of them.
_ARGUMENTS = {
    quantity.name: (
        tuple(argument.name for argument in quantity.parameters if argument.default is None),
        tuple(argument.name for argument in quantity.parameters),
    )
    for quantity in QUANTITIES.values()
}


def _copied(engine: Engine, given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """A state's own copies of its vectors by name, checked; nobody can write to them.

    The arrays of the caller may change, the state may not.
    """
    own: dict[str, np.ndarray] = {}
    has_batch, space = False, engine.coordinates
    for name, x in given.items():
        if x is not None or name == "q":
            size = None if name == "external" else (space.nq if name == "q" else space.nv,)
            is_plain = type(x) is np.ndarray and x.dtype is DOUBLE and x.shape[-1:] == size
            own[name] = copy = x.copy() if is_plain else np.array(_checked(engine, name, x))
            copy.setflags(False)  # type: ignore[call-arg]  # `write`: by keyword it takes three times as long
            has_batch = has_batch or copy.ndim > 1
    if has_batch:
        arguments.batch_shape(own, {name: 2 if name == "external" else 1 for name in own})
    return own


def _checked(engine: Engine, name: str, x: Any) -> np.ndarray:
    if name == "external":
        return arguments.external(engine.constants, x)
    return joint_vector(engine.coordinates, name).read(x)


def _freeze(result: Any) -> None:
    """Make arrays, also in tuples, such that they cannot be written to."""
    if type(result) is np.ndarray:
        result.setflags(write=False)
    elif type(result) is tuple:
        for part in result:
            _freeze(part)


def _requested(together: Any) -> list[tuple[Quantity, dict[str, str | None]]]:
    """Quantities, each with what a state's method of its name is given, from names and (name, option, ...) tuples."""
    if isinstance(together, str) or not isinstance(together, Sequence):
        raise ArgumentError(f"together takes a list of quantities, got {together!r}; write [{together!r}]")
    for request in together:
        parts = (request,) if isinstance(request, str) else request
        if not (isinstance(parts, tuple) and parts and all(isinstance(part, str) for part in parts)):
            raise ArgumentError(f"together takes names and (name, option, ...) as text, got {request!r}")
    return [_request(*((request,) if isinstance(request, str) else request)) for request in together]


@lru_cache
def _request(name: str, *options: str) -> tuple[Quantity, dict[str, str | None]]:
    check_name("quantity", name, QUANTITIES)
    quantity = QUANTITIES[name]
    rows = [row for row in quantity.parameters if row.name not in ("q", "v")]
    further = [row for row in rows if row.name not in FURTHER]
    for row in further:
        if row.name == "passive" or row.kind in VECTORS:  # no state has them, and no text is
            raise ArgumentError(f"{name} takes {row.name}, so it cannot be computed together with others")
    for row in further[len(options) :]:
        if row.default is None:
            raise ArgumentError(f'{name} needs a {row.name}: write ("{name}", {row.name})')
    if len(options) > len(further):
        raise ArgumentError(f"expected a name or (name, option, ...) with options as text, got {(name, *options)!r}")
    given: dict[str, str | None] = dict.fromkeys(row.name for row in rows)
    for i, row in enumerate(further):
        given[row.name] = options[i] if i < len(options) else row.usual
    return quantity, given


def _missing(quantity: Quantity, name: str) -> str:
    if name == "v":
        return f"{quantity.name} needs velocities; make the state with robot.at(q, v)"
    if name in FURTHER:
        return (
            f"{quantity.name} needs {name}; give it, or make the state with robot.at(q, v, {name}={name}), "
            "which then holds it"
        )
    return f"{quantity.name} needs {name}; write {name}=..."


attach_methods(State, held=("q", "v"), offered=FURTHER)
