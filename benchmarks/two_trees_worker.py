"""The calls that `two_trees.py` compares, made by one of two checkouts: requests come as lines of JSON, so do answers.

Run by `two_trees.py` with the checkout's sources first on the path, so nothing here may be newer than the older one.
"""

from __future__ import annotations

import gc
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from corpus_files import corpus

import soadyn as sd

CHUNKS = 5  # a run is cut into so many pieces, and the quickest counts


@cache
def robot(name: str, form: str) -> sd.Robot:
    if form == "straight":
        return robot(name, "auto").specialize()
    return {
        "UR5": lambda: sd.load(corpus()["ur/ur5_robot"]),
        "Talos": lambda: sd.load(corpus()["talos_data/talos_reduced"], root="free"),
        "ETS-VII": lambda: sd.load("ets_vii"),
        "chain of 30": lambda: sd.chain(30),
    }[name]()


def argument(arm: sd.Robot, name: str, states: int) -> Any:
    """A value for a quantity's argument: the root is passive if there is one, otherwise every other component."""
    batch = (states,) if states > 1 else ()
    rng = np.random.default_rng(sum(map(ord, name)))
    passive = np.arange(arm.nv) < 6 if arm.joint_names[0] == "root" else np.arange(arm.nv) % 2 == 0
    sizes = {"x": int((~passive).sum()), "y": int(passive.sum()), "f": 6}
    match name:
        case "q":
            return arm.random_configuration(rng, states) if batch else arm.random_configuration(rng)
        case "v" | "a" | "tau" | "x" | "y" | "f":
            return rng.standard_normal((*batch, sizes.get(name, arm.nv)))
        case "frame" | "frames":
            return arm.link_names[-1]
        case "passive":
            return passive
    raise KeyError(name)


def call_of(name: str, form: str, quantity: str, states: int) -> Callable[[], Any]:
    """A quantity with all arguments but those that have a default of their own."""
    arm = robot(name, form)
    needed = ARGUMENTS[quantity]
    values = [argument(arm, each, states) for each in needed]
    method = getattr(arm, quantity)
    if quantity == "hybrid_dynamics":
        *values, passive = values
        return lambda: method(*values, passive=passive)
    if "tau" in needed and quantity.endswith("drift"):
        keywords = dict(zip(needed, values, strict=True))
        return lambda: method(**keywords)
    return lambda: method(*values)


# The positional arguments of each quantity.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "mass_matrix", "mass_matrix_inverse", "mass_matrix_factors", "gravity_force", "potential_energy",
            "center_of_mass", "center_of_mass_jacobian", "centroidal_momentum_matrix", "poses",
        ),
        ("q",),
    ),
    **dict.fromkeys(("bias_force", "kinetic_energy", "momentum"), ("q", "v")),
    **dict.fromkeys(("inverse_dynamics", "inertia_regressor"), ("q", "v", "a")),
    **dict.fromkeys(("inverse_dynamics_derivatives", "inverse_dynamics_second_derivatives"), ("q", "v", "a")),
    **dict.fromkeys(("forward_dynamics_derivatives", "forward_dynamics_second_derivatives"), ("q", "v", "tau")),
    **dict.fromkeys(("pose", "jacobian"), ("q", "frame")),
    **dict.fromkeys(("disturbance_jacobian", "actuation_matrices", "passive_mass_factors"), ("q", "passive")),
    "forward_dynamics": ("q", "v", "tau"),
    "hybrid_dynamics": ("q", "v", "a", "tau", "passive"),
    "frame_velocity": ("q", "v", "frame"),
    "frame_acceleration": ("q", "v", "a", "frame"),
    "operational_inertia_inverse": ("q", "frames"),
    "generalized_jacobian": ("q", "frame", "passive"),
    "generalized_jacobian_times": ("q", "x", "frame", "passive"),
    "generalized_jacobian_transposed_times": ("q", "f", "frame", "passive"),
    "generalized_drift": ("q", "v", "frame", "passive", "tau"),
    "disturbance_jacobian_times": ("q", "x", "passive"),
    "disturbance_jacobian_transposed_times": ("q", "y", "passive"),
    "disturbance_drift": ("q", "v", "passive", "tau"),
}  # fmt: skip


def quickest(call: Callable[[], Any], repeats: int) -> float:
    """Processor seconds of a call: the best mean of some chunks, after one call that warms up."""
    call()
    found = []
    for _ in range(CHUNKS):
        start = time.process_time()
        for _ in range(repeats):
            call()
        found.append((time.process_time() - start) / repeats)
    return min(found)


def answers(requests: Iterator[str]) -> Iterator[float | None]:
    """To a row: the seconds of one call, after which it is prepared; None if there is no such quantity.

    To a number: the seconds of one of so many calls.
    """
    call: Callable[[], Any] | None = None
    for line in requests:
        request = json.loads(line)
        if isinstance(request, list) and not hasattr(sd.Robot, request[2]):
            yield None
        elif isinstance(request, list):
            call = call_of(*request)
            call()  # compiles
            yield quickest(call, 1)
        else:
            assert call is not None, "no row was asked for"
            yield quickest(call, request)


def main() -> None:
    replies, sys.stdout = sys.stdout, sys.stderr  # nothing but answers
    warnings.simplefilter("ignore")
    sd.set_threads(1)
    gc.disable()
    for answer in answers(iter(sys.stdin.readline, "")):
        print(json.dumps(answer), file=replies, flush=True)


if __name__ == "__main__":
    main()
