"""A rolled kernel stores the same numbers however its results lie in memory, and however large they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_robot, random_state, robot_named
from soadyn.quantities import QUANTITIES

pytestmark = pytest.mark.usefixtures("llvm")

# Matrices with gaps, a substitution, blocks of links, a vector, a number.
NAMES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives", "poses", "bias_force", "kinetic_energy")
ROBOTS = {
    "tree on a free base": lambda: robot_named("tree on a free base"),
    "a long chain": lambda: random_robot(21, 19, kinds=["revolute", "spherical"], shape="serial"),
}


def arguments(name: str, state: dict[str, Any]) -> list[np.ndarray]:
    return [state[argument] for argument in QUANTITIES[name].arguments if argument in ("q", "v", "a", "tau")]


def computed(robot: sd.Robot, name: str, state: dict[str, Any]) -> list[np.ndarray]:
    found = getattr(robot, name)(*arguments(name, state))
    return list(found) if isinstance(found, tuple) else [found]


def computed_again(robot: sd.Robot, name: str, state: dict[str, Any], rooms: list[np.ndarray]) -> None:
    """Calls the kernel that computed a quantity, the last one made for it, with room for its results."""
    made = robot.engine.kernels._made.values()  # type: ignore[union-attr]
    *_, used = [found for found in made if found.name == QUANTITIES[name].program.name]
    given = [np.zeros((len(state["q"]), *port.shape), state["q"].dtype) for port in used.inputs]
    for place, x in zip(given, arguments(name, state), strict=False):
        place[...] = x
    used.call(*given, out=tuple(rooms))


FIRST = ("tree on a free base", "float64")
CASES = [(which, precision) for which in ROBOTS for precision in ("float64", "float32")]
WHICH = [FIRST, *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES if case != FIRST)]


@pytest.mark.parametrize(("which", "precision"), WHICH)
def test_results_with_gaps_between_their_numbers(which: str, precision: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(ROBOTS[which]().model).with_backend("rolled")
    for states in (1, 13, 16):
        state = {key: x.astype(precision) for key, x in random_state(rng, robot, (states,)).items()}
        for name in NAMES:
            packed = computed(robot, name, state)
            rooms = [np.zeros((*x.shape, 2), x.dtype) for x in packed]
            computed_again(robot, name, state, [room[..., 0] for room in rooms])
            for room, expected in zip(rooms, packed, strict=True):
                assert room[..., 0].tobytes() == expected.tobytes(), name
                assert not room[..., 1].any(), name
