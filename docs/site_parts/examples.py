"""Examples of public things whose docstring holds none: operators of formulas, and what functions return."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from soadyn.algebra import Expression


def example_of(name: str, thing: Any) -> str:
    """What the prompt shows of an operator; of a class, the example of the function that returns it."""
    module, _, short = name.rpartition(".")
    if isinstance(thing, Expression):
        return f">>> from soadyn.algebra import {short}\n>>> {short}\n{thing!r}"
    makers = [x for x in vars(sys.modules[module]).values() if inspect.isfunction(x) and _returns(x, short)]
    texts = [inspect.getdoc(maker) or "" for maker in makers]
    return next((text[text.index(">>> ") :] for text in texts if ">>> " in text), "")


def _returns(function: Any, name: str) -> bool:
    return function.__annotations__.get("return") == name
