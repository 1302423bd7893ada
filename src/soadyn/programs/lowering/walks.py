"""Which walk over the links computes what.

Walks alternate in direction and are counted from 1; walk 0 needs no order. What crosses inward is read in an inward
walk, what crosses outward in an outward one, all of a recursion in one walk, everything else as soon as what it reads
is there. So sweeps in one direction that follow each other become one walk. A named vector ends its walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

from soadyn.programs.lowering.nodes import Node
from soadyn.programs.sweep.program import Direction

INWARD, OUTWARD = Direction.TIP_TO_BASE, Direction.BASE_TO_TIP


@final
@dataclass(frozen=True, slots=True)
class Walks:
    """The walk of every node and of every base value, and the direction of the first walk."""

    first: Direction
    of: Mapping[Node, int]
    base: Mapping[str, int]

    def direction(self, walk: int) -> Direction:
        return _direction(self.first, walk)

    @property
    def used(self) -> list[int]:
        return sorted({*self.of.values(), *self.base.values()} - {0})


@final
@dataclass(frozen=True, slots=True)
class Base:
    """A base value: the sweep's direction that computes it (None: any), and the base values it is made from."""

    direction: Direction | None
    needs: tuple[str, ...] = ()


def walks_of(
    outputs: Iterable[Node],
    definitions: Mapping[Node, Node],
    needed: Mapping[Node, tuple[str, ...]],
    base: Mapping[str, Base],
) -> Walks:
    """The fewest walks; `needed` names the base values each node reads."""
    wanted = list(outputs)
    plans = [_walks(first, wanted, definitions, needed, base) for first in (INWARD, OUTWARD)]
    return min(plans, key=lambda plan: (len(plan.used), sum(plan.of.values())))


def groups_of(outputs: Iterable[Node], definitions: Mapping[Node, Node]) -> list[list[Node]]:
    """Nodes in the order of what they read, those of one recursion together (Tarjan's algorithm)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    groups: list[list[Node]] = []
    on_stack: set[Node] = set()

    for root in outputs:
        if root in index:
            continue
        work = [(root, iter(below(root, definitions)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    groups.append(stack[at:])
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(below(following, definitions))))
            elif following in on_stack:
                low[node] = min(low[node], index[following])
    return groups


def _direction(first: Direction, walk: int) -> Direction:
    other = OUTWARD if first is INWARD else INWARD
    return first if walk % 2 else other


def _walks(
    first: Direction,
    outputs: list[Node],
    definitions: Mapping[Node, Node],
    needed: Mapping[Node, tuple[str, ...]],
    base: Mapping[str, Base],
) -> Walks:
    def earliest(walk: int, direction: Direction | None) -> int:
        if direction is None:
            return walk
        walk = max(walk, 1)
        return walk if _direction(first, walk) is direction else walk + 1

    base_walk: dict[str, int] = {}

    def walk_of_base(name: str) -> int:
        if name not in base_walk:
            made = base[name]
            base_walk[name] = earliest(max(map(walk_of_base, made.needs), default=0), made.direction)
        return base_walk[name]

    walk: dict[Node, int] = {}
    readable_from: dict[Node, int] = {}  # the first walk in which others may read it
    groups = groups_of(outputs, definitions)
    for group in groups:
        inside = set(group)
        read = [x for node in group for x in below(node, definitions) if x not in inside]
        at_least = max((readable_from[x] for x in read), default=0)
        at_least = max([at_least, *(walk_of_base(name) for node in group for name in needed.get(node, ()))])
        found = earliest(at_least, _crossing(group))
        for node in group:
            walk[node] = found
            readable_from[node] = found + 1 if node.kind == "named" else found
    _later(groups, outputs, walk, readable_from, definitions)
    return Walks(first, walk, base_walk)


def below(node: Node, definitions: Mapping[Node, Node]) -> tuple[Node, ...]:
    """What a node is made from; of a recursion's unknown, what defines it."""
    return (definitions[node],) if node.kind == "var" else node.below


def _crossing(group: list[Node]) -> Direction | None:
    kinds = {node.kind for node in group}
    return INWARD if "in" in kinds else OUTWARD if "out" in kinds else None


def _later(
    groups: list[list[Node]],
    outputs: list[Node],
    walk: dict[Node, int],
    readable_from: dict[Node, int],
    definitions: Mapping[Node, Node],
) -> None:
    """Delay link vectors that cross no joint to the walk that reads them; their inputs take less memory."""
    readers: dict[Node, list[Node]] = {}
    for group in groups:
        for node in group:
            for x in below(node, definitions):
                readers.setdefault(x, []).append(node)
    for group in reversed(groups):
        node = group[0]
        free = len(group) == 1 and node.kind in ("act", "sum") and node not in outputs
        if free and (node.place == "link" or walk[node] == 0) and node in readers:
            walk[node] = readable_from[node] = min(walk[reader] for reader in readers[node])
