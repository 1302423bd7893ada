"""A robot some of whose constants are arguments: for identification, randomisation and design studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from soadyn.backends import numpy as reference
from soadyn.backends.checks import finite
from soadyn.backends.engine import Engine
from soadyn.backends.faults import Faults
from soadyn.backends.native import run as native
from soadyn.backends.native.fork_lock import ForkedLock
from soadyn.backends.native.kernel import Kernel, straight_kernel
from soadyn.backends.parameters import shape_of, with_parameters
from soadyn.backends.ports import Port
from soadyn.backends.traced import recorded, traced
from soadyn.errors import ArgumentError, UnknownNameError, report_bad_rows, unknown_name
from soadyn.evaluation import arguments, passive_sets
from soadyn.evaluation.evaluate import prepared, unpacked
from soadyn.quantities import ARGUMENTS, QUANTITIES, Quantity
from soadyn.sweep.program import CORE_AXES, FRAMES, Program
from soadyn.tracing import Graph

# Beyond this many operations a straight-line kernel takes too long to compile; the reference does it.
LONGEST_TRACE = 60_000


@final
class ParametricRobot:
    """Quantities with the robot's chosen constants as further arguments; made by `Robot.parametric`.

    After the arguments a quantity has anyway come the parameters' values, in the order of `names`; options such as
    `external` and `axes` are given by keyword. Values have batch axes like everything else, and a new value compiles
    nothing.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5").parametric("tool0.mass", "gravity")
    >>> arm.shapes
    {'tool0.mass': (), 'gravity': (3,)}
    >>> masses = np.linspace(0.0, 5.0, 11)
    >>> arm.gravity_force(np.zeros(6), masses, [0.0, 0.0, -9.81]).shape
    (11, 6)
    """

    def __init__(self, engine: Engine, names: tuple[str, ...]) -> None:
        if not names:
            raise ArgumentError('parametric takes at least one parameter, such as "gravity" or "LINK.mass"')
        if not all(isinstance(name, str) for name in names):
            raise ArgumentError(f"parametric takes names as text, got {names!r}")
        if len(set(names)) != len(names):
            raise ArgumentError(f"parametric was given a name twice: {', '.join(names)}")
        self.names = names
        self.shapes = {name: shape_of(engine.model, name) for name in names}
        self._engine = engine
        self._kernels: dict[Any, Kernel | None] = {}
        self._lock = ForkedLock()

    def __repr__(self) -> str:
        return f"<ParametricRobot {self._engine.model.name!r}: {', '.join(self.names)}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in QUANTITIES:
            raise UnknownQuantityError(str(unknown_name("quantity", name, QUANTITIES)))
        quantity = QUANTITIES[name]

        def method(*positional: Any, **options: Any) -> Any:
            return self._quantity(quantity, positional, options)

        method.__name__ = name
        method.__doc__ = quantity.doc
        return method

    def _quantity(self, quantity: Quantity, positional: tuple[Any, ...], options: dict[str, Any]) -> Any:
        required = [argument.name for argument in quantity.parameters if argument.default is None]
        expected = [*required, *self.names]
        if len(positional) != len(expected):
            raise ArgumentError(f"{quantity.name} takes {', '.join(expected)}; got {len(positional)} values")
        given: dict[str, Any] = dict(zip(expected, positional, strict=True))
        for argument in quantity.parameters:
            if argument.default is not None:
                name = argument.name.rstrip("?")
                given[name] = options.pop(name, DEFAULTS[argument.name])
        if options:
            raise ArgumentError(f"{quantity.name} has no option {next(iter(options))!r}")
        program, inputs = prepared(self._engine, quantity, given)
        values = {name: _value(name, shape, given[name]) for name, shape in self.shapes.items()}
        core = {**CORE_AXES, **{name: len(shape) for name, shape in self.shapes.items()}}
        arrays = {name: x for name, x in {**inputs, **values}.items() if name in core}
        batch = arguments.batch_shape(arrays, core)
        return self._results(quantity, program, inputs, values, batch)

    def _results(
        self,
        quantity: Quantity,
        program: Program,
        inputs: Mapping[str, Any],
        values: Mapping[str, np.ndarray],
        batch: tuple[int, ...],
    ) -> Any:
        real = all(x.dtype == np.float64 for x in (*values.values(), *inputs.values()) if isinstance(x, np.ndarray))
        kernel = self._kernel(program, inputs) if self._engine.kernels is not None and real else None
        faults = None
        if kernel is not None:
            before = kernel.counter.value
            everything = {**inputs, **values}
            arrays = [native.argument(port, everything[port.name], "float64") for port in kernel.inputs]
            outputs = native.called(kernel, arrays, batch)
        if kernel is None or kernel.counter.value != before:
            outputs, found = reference.run(program, with_parameters(self._engine.constants, values), inputs, batch)
            faults = self._with_parameters(values, found)
        if faults:
            report_bad_rows(faults.summary(quantity.name), faults.first(quantity.name), stacklevel=4)
        return unpacked(passive_sets.taken(quantity, inputs, outputs))

    def _with_parameters(self, values: Mapping[str, np.ndarray], found: Faults) -> Faults:
        """The bad rows with those whose parameters are not finite named as such."""
        faults = Faults(found.batch)
        for name, value in values.items():
            core = tuple(range(value.ndim - len(self.shapes[name]), value.ndim))
            faults.add(f"parameter {name!r} is not finite", ~finite(value).all(axis=core))
        for fault in found.found:
            faults.add(fault.reason, fault.rows)
        return faults

    def _kernel(self, program: Program, inputs: Mapping[str, Any]) -> Kernel | None:
        links = {name: inputs[name][0] for name in FRAMES if name in inputs}
        key = (program, *sorted(links.items()))
        with self._lock:
            if key not in self._kernels:
                graph = Graph()
                ports = {name: Port(name, shape) for name, shape in self.shapes.items()}
                unknown = {name: recorded(graph, port) for name, port in ports.items()}
                constants = with_parameters(self._engine.constants, unknown)
                further = {ports[name]: array for name, array in unknown.items()}
                trace = traced(program, constants, links, graph, further)
                small = sum(trace.counts().values()) <= LONGEST_TRACE
                self._kernels[key] = straight_kernel(program.name, trace, "float64", single=True) if small else None
            return self._kernels[key]


DEFAULTS: dict[str, Any] = {
    "a?": None,
    "tau?": None,
    "passive": (),
    "passive?": (),
    "external": None,
    "axes": "world",
    "about": "origin",
}
assert set(DEFAULTS) == {name for name, argument in ARGUMENTS.items() if argument.default is not None}


class UnknownQuantityError(UnknownNameError, AttributeError):
    """A quantity that does not exist was asked for as an attribute."""


def _value(name: str, shape: tuple[int, ...], x: Any) -> np.ndarray:
    value = arguments.numbers(name, x, *shape, meaning=f"the value of parameter {name!r}")
    if name.endswith(".mass") and value.dtype.kind == "f" and (value < 0).any():
        raise ArgumentError(f"parameter {name!r} holds {value.min()}; a mass must be zero or more (kg)")
    return value
