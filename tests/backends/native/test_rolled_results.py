"""A rolled kernel stores the same numbers however its results lie in memory, and however large they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_robot, random_state, robot_named
from soadyn.backends.native import kernel, result_memory
from soadyn.backends.native.rolled import results
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


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Results of any size are stored past the cache, and start where that is possible."""
    kernel._rolled_code.cache_clear()
    monkeypatch.setattr(kernel, "fingerprint", lambda *_: None)  # code is found by its text, which this changes
    monkeypatch.setattr(results, "PAST_THE_CACHE", 1)
    monkeypatch.setattr(result_memory, "ALIGNED", 1)
    yield
    kernel._rolled_code.cache_clear()


@pytest.mark.filterwarnings("ignore:.*came out NaN:RuntimeWarning")
@pytest.mark.parametrize(("which", "precision"), WHICH)
def test_results_stored_past_the_cache(
    which: str, precision: str, rng: np.random.Generator, request: pytest.FixtureRequest
) -> None:
    model = ROBOTS[which]().model
    state = {key: x.astype(precision) for key, x in random_state(rng, sd.Robot(model), (21,)).items()}
    state["q"][5, 0] = np.nan
    before = [computed(sd.Robot(model).with_backend("rolled"), name, state) for name in NAMES[:3]]
    request.getfixturevalue("everything_is_large")
    after = [computed(sd.Robot(model).with_backend("rolled"), name, state) for name in NAMES[:3]]
    assert after[0][0].ctypes.data % 64 == 0
    for name, first, second in zip(NAMES, before, after, strict=False):
        assert [x.tobytes() for x in first] == [x.tobytes() for x in second], name


def test_rows_that_start_at_a_line_of_the_cache_or_in_the_middle_of_one(
    rng: np.random.Generator, request: pytest.FixtureRequest
) -> None:
    """Mass matrices of 4, 8 and 12 joints fill whole lines, those of 2, 6 and 10 every second one."""
    robots = [sd.chain(n).specialize(False) for n in (2, 4, 6, 7, 8, 10, 12)]
    states = [{"q": robot.random_configuration(rng, size=21)} for robot in robots]
    before = [computed(robot, "mass_matrix", state) for robot, state in zip(robots, states, strict=True)]
    request.getfixturevalue("everything_is_large")
    for robot, state, (expected,) in zip(robots, states, before, strict=True):
        (found,) = computed(sd.Robot(robot.model).specialize(False), "mass_matrix", state)
        assert found.tobytes() == expected.tobytes(), robot.nv
