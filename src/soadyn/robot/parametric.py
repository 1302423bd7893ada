"""A robot some of whose constants are arguments: for identification, randomisation and design studies."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, final

from soadyn.engine.constants.parameters import shape_of
from soadyn.engine.engine import Backend, Engine
from soadyn.errors import ArgumentError, UnknownNameError, unknown_name
from soadyn.model.model import Model
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot.arguments.arguments import bound
from soadyn.robot.calling.quantity_functions import Functions
from soadyn.robot.differentiable import Differentiable
from soadyn.robot.methods import returned


class UnknownQuantityError(UnknownNameError, AttributeError):
    """A quantity that does not exist was asked for as an attribute."""


@final
class ParametricRobot(Differentiable):
    """Quantities with the robot's chosen constants as further arguments; made by `Robot.parametric`.

    After the arguments a quantity has anyway come the parameters' values, in the order of `names`; options such as
    `external` and `axes` are given by keyword. Values have batch axes like everything else, and a new value compiles
    nothing. All arguments can be given by keyword: a parameter's is its name with _ for the dot (`tool0_mass`).

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5").parametric("tool0.mass", "gravity")
    >>> arm.shapes
    {'tool0.mass': (), 'gravity': (3,)}
    >>> masses = np.linspace(0.0, 5.0, 11)
    >>> arm.gravity_force(np.zeros(6), masses, [0.0, 0.0, -9.81]).shape
    (11, 6)
    >>> arm.gravity_force(q=np.zeros(6), tool0_mass=2.0, gravity=[0.0, 0.0, -9.81]).shape
    (6,)
    """

    def __init__(self, model: Model, names: tuple[str, ...], backend: Backend = "auto") -> None:
        if not names:
            raise ArgumentError('parametric takes at least one parameter, such as "gravity" or "LINK.mass"')
        if not all(isinstance(name, str) for name in names):
            raise ArgumentError(f"parametric takes names as text, got {names!r}")
        if len(set(names)) != len(names):
            raise ArgumentError(f"parametric was given a name twice: {', '.join(names)}")
        self.names = names
        self.shapes = {name: shape_of(model, name) for name in names}
        self.engine = Engine(model, backend, self.shapes)
        self._functions = Functions(self.engine)
        self._keywords = {keyword(name): name for name in names}

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.engine.model.name

    def __repr__(self) -> str:
        return f"<ParametricRobot {self.name!r}: {', '.join(self.names)}>"

    def __reduce__(self) -> tuple[type[ParametricRobot], tuple[Model, tuple[str, ...], Backend]]:
        return ParametricRobot, (self.engine.model, self.names, self.engine.backend)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *QUANTITIES})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in QUANTITIES:
            raise UnknownQuantityError(str(unknown_name("quantity", name, QUANTITIES)))
        quantity = QUANTITIES[name]

        def method(*positional: Any, **named: Any) -> Any:
            return self._quantity(quantity, positional, named)

        method.__name__ = name
        method.__qualname__ = f"ParametricRobot.{name}"
        method.__doc__ = quantity.doc
        method.__signature__ = self._signature(quantity)  # type: ignore[attr-defined]
        return method

    def _signature(self, quantity: Quantity) -> inspect.Signature:
        """The quantity's arguments, the parameters, then the quantity's options by keyword only."""
        either, by_keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        required = [x for x in quantity.parameters if x.default is None]
        options = [x for x in quantity.parameters if x.default is not None]
        parameters = [
            *(inspect.Parameter(x.name, either, annotation=x.annotation) for x in required),
            *(inspect.Parameter(name, either, annotation="ArrayLike") for name in self._keywords),
            *(inspect.Parameter(x.name, by_keyword, default=x.usual, annotation=x.annotation) for x in options),
        ]
        return inspect.Signature(parameters, return_annotation=returned(quantity))

    def _quantity(self, quantity: Quantity, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
        expected = [*(x.name for x in quantity.parameters if x.default is None), *self.names]
        usual = {x.name: x.usual for x in quantity.parameters if x.default is not None}
        values = [(self._keywords.get(name, name), x) for name, x in named.items()]
        return self._functions.result(quantity, bound(quantity.name, expected, positional, values, usual))


def keyword(name: str) -> str:
    """A parameter's name as a keyword: _ for whatever cannot stand in one."""
    return re.sub(r"\W", "_", name)
