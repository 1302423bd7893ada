"""A rolled kernel gives the same numbers however its arguments lie in memory, and counts rows it cannot write."""

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


def computed_again(robot: sd.Robot, name: str, state: dict[str, Any], rooms: list[np.ndarray]) -> int:
    """Bad passes of the kernel that computed a quantity, the last one made for it, with room for its results."""
    made = robot.engine.kernels._made.values()  # type: ignore[union-attr]
    *_, used = [found for found in made if found.name == QUANTITIES[name].program.name]
    given = [np.zeros((len(state["q"]), *port.shape), state["q"].dtype) for port in used.inputs]
    for place, x in zip(given, arguments(name, state), strict=False):
        place[...] = x
    before = used.counter.value
    used.call(*given, out=tuple(rooms))
    return int(used.counter.value - before)


FIRST = ("tree on a free base", "float64")
CASES = [(which, precision) for which in ROBOTS for precision in ("float64", "float32")]
WHICH = [FIRST, *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES if case != FIRST)]


@pytest.mark.parametrize(("which", "precision"), WHICH)
def test_rows_with_gaps_between_their_numbers(which: str, precision: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(ROBOTS[which]().model).with_backend("rolled")
    for states in (1, 13, 16):
        state = {key: x.astype(precision) for key, x in random_state(rng, robot, (states,)).items()}
        for name in NAMES:
            packed = computed(robot, name, state)
            apart = {key: np.stack([x, x], axis=-1)[..., 0] for key, x in state.items()}
            for found, expected in zip(computed(robot, name, apart), packed, strict=True):
                assert found.tobytes() == expected.tobytes(), name
            rooms = [np.zeros_like(x) for x in packed]
            assert computed_again(robot, name, state, rooms) == 0
            assert [room.tobytes() for room in rooms] == [x.tobytes() for x in packed]
