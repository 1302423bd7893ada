"""Examples of public things whose docstring cannot hold one: the operators and vectors of formulas."""

from __future__ import annotations

from typing import Any

from soadyn.algebra import Expression


def example_of(name: str, thing: Any) -> str:
    """What the prompt shows of an operator; nothing for other things."""
    if not isinstance(thing, Expression):
        return ""
    symbol = name.rpartition(".")[2]
    return f">>> from soadyn.algebra import {symbol}\n>>> {symbol}\n{thing!r}"
