"""The vectors of a state, checked and copied, and what is to be computed there at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.together import Request, Together, listed

# What a state may hold beside q and v.
FURTHER = ("a", "tau", "external")
# Requests that were seen before, by what is listed and whether wrenches act.
Seen = dict[Any, Together]
DOUBLE = np.dtype(np.float64)


def read(
    engine: Engine, seen: Seen, given: Mapping[str, Any], together: Sequence[Request]
) -> tuple[dict[str, np.ndarray], dict[Any, Any]]:
    """A state's own copies of its vectors by name, and the results that are asked for together.

    Nobody can write to them: the arrays of the caller may change, the state may not.
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
    if type(together) is tuple and not together:
        return own, {}
    if not (wanted := listed(together)):
        return own, {}
    key = wanted, "external" in own
    if key not in seen:
        seen[key] = Together(wanted, engine, "external" in own)
    results = seen[key].results(own)
    for result in results.values():
        freeze(result)
    return own, results


def _checked(engine: Engine, name: str, x: Any) -> np.ndarray:
    if name == "external":
        return arguments.external(engine.constants, x)
    space = engine.coordinates
    return arguments.coordinates(space, x) if name == "q" else arguments.joint_vector(space, x, name)


def freeze(result: Any) -> None:
    """Make arrays, also in tuples, such that they cannot be written to."""
    if type(result) is np.ndarray:
        result.setflags(write=False)
    elif type(result) is tuple:
        for part in result:
            freeze(part)
