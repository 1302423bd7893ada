"""Places that links use in turn: nothing is lost while somebody still reads it."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.loops.joint_classes import classes_of
from soadyn.engine.loops.plan import planned
from soadyn.engine.native.rolled.places import before_adding, for_shares, for_sums, one_for_each
from soadyn.engine.native.rolled.slots import slots_of
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
        places = for_shares(parents)
        memory = {places.at[0]: 0}
        for k, parent in enumerate(parents, start=1):
            assert places.at[k] != places.at[parent]
            memory[places.at[k]] = k
            assert memory[places.at[parent]] == parent
        assert memory[places.at[0]] == 0
        assert max(places.at) < places.count <= n + 1


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_a_walk_inward_adds_up_all_descendants(n: int, rng: np.random.Generator) -> None:
    for parents in (random_parents(rng, n) for _ in range(20)):
        places = for_sums(parents)
        so_far = before_adding(parents, places)
        memory: dict[int, frozenset[int]] = {0: frozenset()}
        found = {}
        for k, parent in reversed(list(enumerate(parents, start=1))):
            found[k] = memory[places.at[k]] | {k}
            assert places.at[parent] not in (0, places.at[k])
            memory[places.at[parent]] = memory[so_far[k]] | found[k]
        assert memory[0] == frozenset()
        assert memory[places.at[0]] == set(range(1, n + 1))
        for k, parent in enumerate(parents, start=1):
            assert found[k] <= found.get(parent, set(range(1, n + 1)))
        assert max(places.at) < places.count <= n + 1


def test_a_chain_needs_few_places_and_a_star_no_more() -> None:
    assert [for_shares(tree).count for tree in (CHAIN, STAR)] == [3, 2]
    assert [for_sums(tree).count for tree in (CHAIN, STAR)] == [3, 2]
    assert one_for_each(CHAIN).at == list(range(13))


def test_what_a_frame_or_a_later_walk_reads_stays() -> None:
    classes = classes_of(sd.load("ur5").engine.constants)
    slots = {
        name: slots_of(planned(without_external(QUANTITIES[name].program), classes)) for name in ("forward_dynamics",)
    }
    assert not slots["forward_dynamics"].share_stays
    assert not slots["forward_dynamics"].sums_stay
    assert slots_of(planned(QUANTITIES["pose"].program, classes)).share_stays
