"""Methods made from the table of quantities, as `dataclasses` makes `__init__`: written as source, then executed.

`make stubs` writes `typed.pyi`, which tells type checkers what they look like.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from soadyn.quantities import QUANTITIES, Quantity


def attach_methods(cls: type, held: Collection[str] = (), short_cut: Mapping[str, Any] | None = None) -> None:
    """Give a class a method for each quantity that takes all of `held`; those arguments come from the object.

    The class has `_quantity(quantity, given)`. A quantity left without arguments becomes a property. With
    `short_cut` the class has `_ready` as well: functions of states by quantity and options; `short_cut` holds `key`,
    what a passive set is looked up by.
    """
    for quantity in QUANTITIES.values():
        function = _method(quantity, held, short_cut)
        function.__qualname__ = f"{cls.__name__}.{quantity.name}"
        takes_more = len(quantity.arguments) > sum(name in held for name in quantity.arguments)
        setattr(cls, quantity.name, function if takes_more or not held else property(function))


def signature(quantity: Quantity, held: Collection[str] = ()) -> str:
    """The parameters as source text, without self."""
    parts = []
    for argument in quantity.parameters:
        name = argument.name.rstrip("?")
        if name not in held:
            parts.append(f"{name}: {argument.annotation}" + (f" = {argument.default}" if argument.default else ""))
    return ", ".join(parts)


def docstring(quantity: Quantity) -> str:
    """Purpose, equation, arguments, result and an example."""
    listed = "\n".join(f"    {argument.name.rstrip('?')}: {argument.meaning}" for argument in quantity.parameters)
    results = " and ".join(f"(..., {shape.strip('()')})".replace(", )", ")") for shape in quantity.results)
    return (
        f"{quantity.doc}\n\n    {quantity.equation}\n\nArguments:\n{listed}\n\n"
        f"Returns {results} in {quantity.unit}.\n\n{quantity.example}\n"
    )


def typed_module() -> str:
    """The text of `typed.pyi`."""
    text = [
        '"""What the methods made from the table of quantities look like; written by `make stubs`."""',
        "",
        "import numpy as np",
        "from numpy.typing import ArrayLike",
        "",
        "from soadyn.evaluation.arguments import ExternalLike, FrameLike, PassiveLike",
    ]
    for name, held in (("RobotQuantities", ()), ("StateQuantities", ("q", "v"))):
        text += ["", "", f"class {name}:", f'    """The quantities of a {name.removesuffix("Quantities")}."""']
        for quantity in QUANTITIES.values():
            parameters = signature(quantity, held)
            one = "np.ndarray"
            result = one if len(quantity.results) == 1 else f"tuple[{', '.join([one] * len(quantity.results))}]"
            if held and not parameters:
                text += ["", "    @property"]
            else:
                text.append("")
            text.append(f"    def {quantity.name}(self{', ' if parameters else ''}{parameters}) -> {result}: ...")
    return "\n".join(text) + "\n"


STATE = ("q", "v", "a", "tau")


def has_short_cut(quantity: Quantity) -> bool:
    """Do kernels take the arguments as they come? Not where a vector of one half must be spread first."""
    return "passive?" not in quantity.arguments or not {"x", "y", "f", "v"} & set(quantity.arguments)


def _method(quantity: Quantity, held: Collection[str], short_cut: Mapping[str, Any] | None) -> Callable[..., Any]:
    names = [argument.name.rstrip("?") for argument in quantity.parameters]
    given = ", ".join(f"{name!r}: {name}" for name in names if name not in held)
    parameters = signature(quantity, held)
    source = (
        "from __future__ import annotations\n"
        f"def {quantity.name}(self{', ' if parameters else ''}{parameters}):\n"
        f"{'' if short_cut is None or not has_short_cut(quantity) else _short_cut(quantity, names)}"
        f"    return self._quantity(quantity, {{{given}}})\n"
    )
    namespace: dict[str, Any] = {"quantity": quantity, **(short_cut or {})}
    exec(compile(source, f"<soadyn method {quantity.name}>", "exec"), namespace)
    function: Callable[..., Any] = namespace[quantity.name]
    function.__doc__ = docstring(quantity)
    function.__module__ = "soadyn.robot.robot"
    return function


def _short_cut(quantity: Quantity, names: list[str]) -> str:
    """States go straight to the kernels that are ready for them; all else, and all that is wrong, the long way.

    A single state takes about a microsecond, so every look-up counts. The kernel checks the numbers itself.
    """
    states = ", ".join(name for name in names if name in STATE)
    # A passive set may be a list or an array: what stands for it is a key.
    options = "".join(f", key({name})" if name == "passive" else f", {name}" for name in names if name not in STATE)
    return (
        "    try:\n"
        f"        result = self._ready[{quantity.name!r}{options}]({states})\n"
        "        if result is not None:\n"
        "            return result\n"
        "    except (AttributeError, KeyError, TypeError, ValueError):\n"
        "        pass\n"
    )
