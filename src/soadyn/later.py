"""Names of a package that are imported when they are first asked for, so that starting stays quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def imported_later(
    package: dict[str, Any], sources: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, given its globals and the module that each late name comes from.

    A source "module:name" gives something of a module; "module" alone gives the module itself.
    """

    def get(name: str) -> object:
        if name not in sources:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
        module, _, attribute = sources[name].partition(":")
        found = import_module(module)
        package[name] = getattr(found, attribute) if attribute else found
        return package[name]

    return get, lambda: sorted({*package, *sources})
