"""What is imported when it is first asked for: names of a package, so that starting stays quick; optional packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from soadyn.errors import ArgumentError


def imported_later(
    package: dict[str, Any], sources: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, given its globals and the module that each late name comes from.

    A source "module:name" gives something of a module; "module" alone gives the module itself. `dir` shows what is in
    the package's `__all__`, which is what completion should offer; everything else can be asked for as before.
    """

    def get(name: str) -> object:
        if name not in sources:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
        module, _, attribute = sources[name].partition(":")
        found = import_module(module)
        package[name] = getattr(found, attribute) if attribute else found
        return package[name]

    return get, lambda: sorted({*package["__all__"], *(x for x in package if x.startswith("__"))})


NAMES_FOR_PIP = {"collada": "pycollada", "mujoco": "mujoco-core", "pinocchio": "pin"}  # where they are not the module's


def install(module: str) -> str:
    """The command that installs a module's package, however soadyn itself came here.

    >>> install("pandas"), install("pinocchio")
    ('pip install pandas', 'pip install pin')
    """
    package = module.partition(".")[0]
    return f"pip install {NAMES_FOR_PIP.get(package, package)}"


def optional(module: str, of: str) -> Any:
    """A module of a package that only some functions need; without it an error that tells how to get it and who asks.

    >>> optional("nowhere.special", of="to_dataframe")
    Traceback (most recent call last):
    soadyn.errors.ArgumentError: to_dataframe needs nowhere; install it with: pip install nowhere
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == package:
            raise ArgumentError(f"{of} needs {package}; install it with: {install(module)}") from None
        raise ArgumentError(f"{of} needs {package}, which is here but cannot be imported: {error}") from error
