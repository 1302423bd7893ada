"""Quantities that are asked for when a state is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from soadyn.errors import ArgumentError, check_name
from soadyn.programs.sweep.vector_names import DIAGONALIZED
from soadyn.quantities import QUANTITIES, Quantity

Request = str | tuple[str, ...]

# The vectors of a state that are given later than q and v.
FURTHER = ("a", "tau", "external")
# Arguments that no state has, and no text is.
NOT_OF_THE_STATE = ("passive", *DIAGONALIZED)


def requested(together: Any) -> list[tuple[Quantity, dict[str, str | None]]]:
    """Quantities, each with what a state's method of its name is given, from names and (name, option, ...) tuples."""
    if isinstance(together, str) or not isinstance(together, Sequence):
        raise ArgumentError(f"together takes a list of quantities, got {together!r}; write [{together!r}]")
    for request in together:
        parts = (request,) if isinstance(request, str) else request
        if not (isinstance(parts, tuple) and parts and all(isinstance(part, str) for part in parts)):
            raise ArgumentError(f"together takes names and (name, option, ...) as text, got {request!r}")
    return [_one(*((request,) if isinstance(request, str) else request)) for request in together]


@lru_cache
def _one(name: str, *options: str) -> tuple[Quantity, dict[str, str | None]]:
    check_name("quantity", name, QUANTITIES)
    quantity = QUANTITIES[name]
    rows = [row for row in quantity.parameters if row.name not in ("q", "v")]
    further = [row for row in rows if row.name not in FURTHER]
    for row in further:
        if row.name in NOT_OF_THE_STATE:
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
