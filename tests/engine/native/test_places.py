"""Places that links use in turn: nothing is lost while somebody still reads it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.loops.joint_classes import classes_of
from soadyn.engine.loops.plan import planned
from soadyn.engine.native.rolled.robot_table import neighbour_places
from soadyn.engine.native.rolled.scratch_layout import ScratchSizes, layout_of, places_in_turn
from soadyn.programs.sweep.algorithms import without_external
from soadyn.quantities import QUANTITIES


def random_parents(rng: np.random.Generator, n: int) -> list[int]:
    """A tree in depth-first order."""
    parents: list[int] = []
    for k in range(1, n + 1):
        path = [k - 1]
        while path[-1]:
            path.append(parents[path[-1] - 1])
        parents.append(int(rng.choice(path)))
    return parents


CHAIN, STAR = list(range(12)), [0] * 12


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_a_walk_outward_finds_what_the_parent_shared(n: int, rng: np.random.Generator) -> None:
    for parents in (random_parents(rng, n) for _ in range(20)):
        places = places_in_turn(parents)
        memory = {places[0]: 0}
        for k, parent in enumerate(parents, start=1):
            assert places[k] != places[parent]
            memory[places[k]] = k
            assert memory[places[parent]] == parent
        assert memory[places[0]] == 0
        assert max(places) <= n


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("stays", [False, True])
def test_a_walk_inward_adds_up_all_descendants(n: int, stays: bool, rng: np.random.Generator) -> None:
    sizes = ScratchSizes(1, 1, 0, 0, share_stays=stays, sums_stay=stays, substitutes=False, visible_only=False, own=())
    for parents in (random_parents(rng, n) for _ in range(20)):
        found = neighbour_places(sizes, parents, 0, reserving(1))
        sums, so_far = found["sums"], found["so_far"]
        memory: dict[int, frozenset[int]] = dict.fromkeys((0, *sums) if stays else (0,), frozenset())
        below = {}
        for k, parent in reversed(list(enumerate(parents, start=1))):
            below[k] = memory[sums[k]] | {k}
            assert sums[parent] not in (0, sums[k])
            memory[sums[parent]] = memory[so_far[k]] | below[k]
        assert memory[0] == frozenset()
        assert n == 0 or memory[sums[0]] == set(range(1, n + 1))
        for k, parent in enumerate(parents, start=1):
            assert below[k] <= below.get(parent, set(range(1, n + 1)))
        assert set(sums).isdisjoint(found["share"])


def reserving(end: int) -> Callable[[int], int]:
    """Places one after the other, from that one on."""
    ends = [end]

    def reserved(vectors: int) -> int:
        ends.append(ends[-1] + vectors)
        return ends[-2]

    return reserved


def test_a_chain_needs_few_places_and_a_star_no_more() -> None:
    assert [max(places_in_turn(tree)) + 1 for tree in (CHAIN, STAR)] == [3, 2]


def test_what_a_frame_or_a_later_walk_reads_stays() -> None:
    classes = classes_of(sd.load("ur5").engine.constants)
    sizes = layout_of(planned(without_external(QUANTITIES["forward_dynamics"].program), classes)).sizes
    assert not sizes.share_stays
    assert not sizes.sums_stay
    assert layout_of(planned(QUANTITIES["pose"].program, classes)).sizes.share_stays
