"""A step of the ladder: somebody's call over a batch, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from peer_robots import States, peer_columns

CHECKED = 64  # states whose results are compared


@dataclass(frozen=True)
class Step:
    """A call over all states of a batch."""

    who: str
    call: Callable[[], Any]
    rows: Callable[[], np.ndarray] | None = None  # what it finds for the first states at least, in our order
    before: str = ""  # the step that it is compared with
    note: str = ""
    operations: int = 0  # of a state, where they are known


def looped(who: str, one: Callable[..., np.ndarray], peer: Any, s: States, quantity: str, note: str) -> Step:
    """A loop in Python over a library's function of one state (q, v, a, tau); `peer` converts states and results."""
    columns = peer_columns(peer, s)
    states = list(zip(*(columns[name] for name in ("q", "v", "a", "tau")), strict=True))

    def loop() -> None:
        for state in states:
            one(*state)

    def found() -> np.ndarray:
        first = np.array([one(*state).copy() for state in states[:CHECKED]])
        return in_our_order(peer, s, quantity, first)

    return Step(who, loop, found, note=note)


def result_shape(quantity: str, nv: int) -> tuple[int, ...]:
    """The shape of a quantity of one state; of derivatives, three matrices."""
    if quantity.endswith("_derivatives"):
        return (3, nv, nv)
    return (nv, nv) if quantity == "mass_matrix" else (nv,)


def in_our_order(peer: Any, s: States, quantity: str, found: np.ndarray) -> np.ndarray:
    """A library's results for the first of the states."""
    q, v = s.q[: len(found)], s.v[: len(found)]
    match quantity:
        case "mass_matrix":
            return peer.matrix_from(q, found)
        case "forward_dynamics":
            return peer.a_from(q, v, found)
        case "forward_dynamics_derivatives" | "inverse_dynamics_derivatives":
            return np.stack([peer.matrix_from(q, found[:, k]) for k in range(3)], axis=1)
        case _:
            return peer.force_from(q, found)
