"""The vectors of a state, checked and copied, and what is to be computed there at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.together import DOUBLE, NOTHING, Found, Request, Together, listed

# What a state may hold beside q and v.
FURTHER = ("a", "tau", "external")
# Requests that were seen before, by what is listed and whether wrenches act.
Seen = dict[Any, Together]


def read(engine: Engine, seen: Seen, q: Any, v: Any, further: Mapping[str, Any], together: Sequence[Request]) -> Found:
    """A state's own copies of its vectors, and the results that are asked for together; nobody can write to them."""
    nothing = type(together) in (tuple, list) and not together  # an array has no truth value
    if not further and nothing and (found := _plain(engine, q, v)) is not None:
        return found
    found = _read(engine, seen, q, v, further, together)
    freeze((found[0], found[1], *found[2].values(), *found[3].values()))
    return found


def _read(engine: Engine, seen: Seen, q: Any, v: Any, further: Mapping[str, Any], together: Sequence[Request]) -> Found:
    loaded = "external" in further
    try:
        known = seen.get(_key(together, loaded)) if type(together) in (list, tuple) else None
        if known is not None:
            found = known.fast_with({"q": q, "v": v, **further}) if further else known.fast(q, v)
            if found is not None:
                return found
    except TypeError:  # entries that cannot be looked up: `listed` refuses them
        pass
    # Private copies: the arrays of the caller may change, the state may not.
    q = np.array(arguments.coordinates(engine.coordinates, q))
    if v is not None:
        v = np.array(arguments.joint_vector(engine.coordinates, v, "v"))
        arguments.batch_shape({"q": q, "v": v}, {"q": 1, "v": 1})
    own = _checked(engine, q, v, further) if further else NOTHING
    if not (wanted := listed(together)):
        return q, v, own, {}
    key = _key(wanted, loaded)
    if key not in seen:
        seen[key] = Together(wanted, engine, loaded)
    return q, v, own, seen[key].results({"q": q, "v": v, **dict.fromkeys(FURTHER), **own})


def _plain(engine: Engine, q: Any, v: Any) -> Found | None:
    """Copies of one state's q and v if both are plain arrays that need no checks; else None."""
    if type(q) is np.ndarray and type(v) is np.ndarray and q.dtype is DOUBLE and v.dtype is DOUBLE:
        space = engine.coordinates
        if q.shape == (space.nq,) and v.shape == (space.nv,):
            q, v = q.copy(), v.copy()
            q.setflags(write=False)
            v.setflags(write=False)
            return q, v, NOTHING, {}
    return None


def freeze(result: Any) -> None:
    """Make arrays, also in tuples, such that they cannot be written to."""
    if type(result) is np.ndarray:
        result.setflags(write=False)
    elif type(result) is tuple:
        for part in result:
            freeze(part)


def _key(together: Sequence[Request], loaded: bool) -> tuple[Request | None, ...]:
    """What is listed, with a mark where wrenches act."""
    return (*together, None) if loaded else tuple(together)


def _checked(engine: Engine, q: np.ndarray, v: np.ndarray | None, further: Mapping[str, Any]) -> dict[str, np.ndarray]:
    own = {
        name: np.array(
            arguments.external(engine.constants, x)
            if name == "external"
            else arguments.joint_vector(engine.coordinates, x, name)
        )
        for name, x in further.items()
    }
    arrays = {"q": q, **({} if v is None else {"v": v}), **own}
    arguments.batch_shape(arrays, {name: 2 if name == "external" else 1 for name in arrays})
    return own
