"""Methods made from the table of quantities, as `dataclasses` makes `__init__`: written as source, then executed.

`make stubs` writes `typed.pyi` (docs/make_stubs.py), which tells type checkers what they look like.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot.arguments import arguments, selection
from soadyn.robot.arguments.inputs import VECTORS
from soadyn.robot.calling.quantity_functions import LOADED, NAMED, NOTHING


def attach_methods(
    cls: type,
    held: Collection[str] = (),
    offered: Collection[str] = (),
    fast: bool = False,
    table: Mapping[str, Quantity] = QUANTITIES,
) -> None:
    """Give a class a method for each quantity that takes all of `held`; those arguments come from the object.

    Arguments in `offered` come from the object unless they are given; the class has `_quantity(quantity, given)`. A
    quantity left without arguments becomes a property. With `fast` the class also has `_quick`, functions of arrays by
    quantity and options (`Functions.quick`), which are tried first.
    """
    for quantity in table.values():
        first = _driven(quantity) + _fast_path(quantity) if fast else ""
        function = _method(quantity, held, offered, first)
        function.__qualname__ = f"{cls.__name__}.{quantity.name}"
        takes_more = len(quantity.arguments) > sum(name in held for name in quantity.arguments)
        setattr(cls, quantity.name, function if takes_more or not held else property(function))


def signature(quantity: Quantity, held: Collection[str] = (), offered: Collection[str] = ()) -> str:
    """The parameters as source text, without self; what is offered, and all that follows it, may be left out."""
    parts, optional = [], False
    for argument in quantity.parameters:
        if argument.name in held:
            continue
        default, annotation = argument.default, argument.annotation
        optional = optional or argument.name in offered
        if default is None and optional:
            default, annotation = "None", f"{annotation} | None"
        parts.append(f"{argument.name}: {annotation}" + (f" = {default}" if default else ""))
    if quantity.with_motors and not held:
        parts += ["*", "motors: PassiveLike | None = None", "weights: ArrayLike | None = None"]
    return ", ".join(parts)


def returned(quantity: Quantity) -> str:
    """The type of the result as source text."""
    one, count = "np.ndarray", len(quantity.results)
    if quantity.by:
        one, count = f"tuple[{', '.join([one] * len(quantity.by))}]", count // len(quantity.by)
    return one if count == 1 else f"tuple[{', '.join([one] * count)}]"


_MOTORS = """
    motors: joints whose forces alone, with those of the closures, are to produce the accelerations; the others' are 0
    weights: of the motors' squared forces, whose sum is the least where several do; a number for each of them"""


def docstring(quantity: Quantity) -> str:
    """Purpose, equation, arguments, result and an example."""
    listed = "\n".join(f"    {argument.name}: {argument.meaning}" for argument in quantity.parameters)
    if quantity.with_motors:
        listed += _MOTORS
    shapes = [f"(..., {shape.strip('()')})".replace(", )", ")") for shape in quantity.results]
    if quantity.by:
        shapes = [f"a tuple of {each}" for each in shapes[:: len(quantity.by)]]
    results = " and ".join(shapes)
    return (
        f"{quantity.doc}\n\n    {quantity.equation}\n\nArguments:\n{listed}\n\n"
        f"Returns {results} in {quantity.unit}.\n\n{quantity.example}\n"
    )


def _method(quantity: Quantity, held: Collection[str], offered: Collection[str], first: str) -> Callable[..., Any]:
    """A method whose first lines, if there are any, find the result of most calls."""
    names = [argument.name for argument in quantity.parameters]
    given = ", ".join(f"{name!r}: {name}" for name in names if name not in held)
    parameters = signature(quantity, held, offered)
    source = (
        "from __future__ import annotations\n"
        f"def {quantity.name}(self{', ' if parameters else ''}{parameters}) -> {returned(quantity)}:\n"
        f"{first}"
        f"    return self._quantity(quantity, {{{given}}})\n"
    )
    # The annotations are text; what they name can be looked up here.
    namespace: dict[str, Any] = {
        "quantity": quantity,
        "key": selection.key,
        "nothing": NOTHING,
        "np": np,
        "ArrayLike": ArrayLike,
        **{name: getattr(arguments, name) for name in ("ExternalLike", "FrameLike", "PassiveLike")},
    }
    exec(compile(source, f"<soadyn method {quantity.name}>", "exec"), namespace)
    function: Callable[..., Any] = namespace[quantity.name]
    function.__doc__ = docstring(quantity)
    function.__module__ = "soadyn.robot"
    return function


def _fast_path(quantity: Quantity) -> str:
    """Lines that call a kept kernel; whatever does not fit it goes on to `_quantity`, which checks the arguments.

    A single state takes about a microsecond, so every look-up counts. The kernel itself finds numbers that are not
    finite.
    """
    names = [argument.name for argument in quantity.parameters]
    vectors = [row.name for row in quantity.parameters if row.kind in VECTORS and row.name != "external"]
    texts = [name for name in names if name in NAMED]
    # A passive set may be a list or an array, which cannot be looked up; its key can.
    options = ["key(passive)" if name == "passive" else name for name in names if name in (*NAMED, "passive")]
    found = _found(quantity.name, options, vectors)
    if "external" in names:
        found += f" if external is None else {_found(quantity.name + LOADED, options, [*vectors, 'external'])}"
    lines = [f"result = {found}", "if result is not None:", "    return result"]
    if texts:
        lines = [
            f"if {' and '.join(f'{name}.__class__ is str' for name in texts)}:",
            *(f"    {line}" for line in lines),
        ]
    return "".join(f"    {line}\n" for line in lines)


def _driven(quantity: Quantity) -> str:
    """Lines that leave calls for robots of which some joints have motors to `_motor_forces`."""
    if not quantity.with_motors:
        return ""
    names = ", ".join(argument.name for argument in quantity.parameters)
    return f"    if motors is not None:\n        return self._motor_forces({names}, motors, weights)\n"


def _found(name: str, options: Sequence[str], vectors: Sequence[str]) -> str:
    """The call of what a robot keeps for a quantity and its options."""
    return f"self._quick[{name!r}]{''.join(f'.get({x}, nothing)' for x in options)}({', '.join(vectors)})"
