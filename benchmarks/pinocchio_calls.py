"""Pinocchio's own calls from Python: its batch call, a loop, and what they find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from peer_robots import PinocchioRobot, States, pinocchio
from steps import CHECKED, in_our_order


def theirs(pin: PinocchioRobot, s: States, quantity: str) -> dict[str, Callable[[], Any]]:
    """Pinocchio's batch call with one thread, and a loop in Python."""
    c, model, data, pool = pin.columns(s), pin.model, pin.data, pin.pool
    rows = {name: [np.array(column) for column in x.T] for name, x in c.items()}
    out = np.zeros((model.nv, len(s.q)), order="F")

    def loop(function: Any, *names: str) -> Callable[[], Any]:
        columns = list(zip(*(rows[name] for name in names), strict=True))

        def call() -> None:
            for column in columns:
                function(model, data, *column)

        return call

    match quantity:
        case "forward_dynamics":
            return {
                "Pinocchio abaInParallel": lambda: pinocchio.abaInParallel(1, pool, c["q"], c["v"], c["tau"], out),
                "Pinocchio loop of aba": loop(pinocchio.aba, "q", "v", "tau"),
            }
        case "inverse_dynamics":
            return {
                "Pinocchio rneaInParallel": lambda: pinocchio.rneaInParallel(1, pool, c["q"], c["v"], c["a"], out),
                "Pinocchio loop of rnea": loop(pinocchio.rnea, "q", "v", "a"),
            }
        case "inverse_dynamics_derivatives":
            return {"Pinocchio loop of computeRNEADerivatives": loop(pinocchio.computeRNEADerivatives, "q", "v", "a")}
        case "forward_dynamics_derivatives":
            return {"Pinocchio loop of computeABADerivatives": loop(pinocchio.computeABADerivatives, "q", "v", "tau")}
        case _:
            return {"Pinocchio loop of crba": loop(pinocchio.crba, "q")}


def pinocchio_rows(pin: PinocchioRobot, s: States, quantity: str) -> np.ndarray:
    """What Pinocchio finds for the first of the states, in our order."""
    c, model, data = pin.columns(s), pin.model, pin.data
    expected = []
    for i in range(min(len(s.q), CHECKED)):
        q, v, a, tau = (c[name][:, i] for name in ("q", "v", "a", "tau"))
        match quantity:
            case "mass_matrix":
                found = symmetric(pinocchio.crba(model, data, q))
            case "forward_dynamics":
                found = pinocchio.aba(model, data, q, v, tau)
            case "inverse_dynamics":
                found = pinocchio.rnea(model, data, q, v, a)
            case "forward_dynamics_derivatives":
                by_q, by_v, by_tau = pinocchio.computeABADerivatives(model, data, q, v, tau)
                found = [by_q, by_v, symmetric(by_tau)]
            case _:
                by_q, by_v, by_a = pinocchio.computeRNEADerivatives(model, data, q, v, a)
                found = [by_q, by_v, symmetric(by_a)]
        expected.append(np.array(found))
    return in_our_order(pin.peer, s, quantity, np.array(expected))


def symmetric(upper: np.ndarray) -> np.ndarray:
    """Matrices of which Pinocchio filled the upper half."""
    half = np.triu(upper)
    return half + np.triu(upper, 1).swapaxes(-1, -2)
