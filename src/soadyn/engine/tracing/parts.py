"""A long trace cut into parts, which hand values on in memory.

A compiler takes far more than twice as long for a function of twice the length, so a long trace becomes several
functions. What one part computes and a later one reads lies in a slot meanwhile; a slot is used again when the part
that read it last is over. Products that fuse with a sum stay with it, so that the parts round as the whole would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, final

from soadyn.engine.tracing.scalar import LEAVES, Graph, Scalar
from soadyn.engine.tracing.schedule import depth_first, fused_products, operands_of

# A slot for one value, or a piece of the results, by its number.
Goes = tuple[Literal["slot", "piece"], int]


def slots_for(
    turns: Sequence[Iterable[int]], last: Mapping[int, int], taken: int = 0, given: Mapping[int, int] | None = None
) -> tuple[dict[int, int], int]:
    """A slot for each value that a later turn reads, and how many slots there are.

    `turns` are the values computed in each, `last` says in which a value is read last: when that is over, its slot is
    free. The first `taken` slots are so too as soon as the `given` values in them are not read any more.
    """
    slots, count = dict(given or {}), taken
    free = [slot for x, slot in slots.items() if x not in last]
    ends: list[list[int]] = [[] for _ in turns]
    for x, slot in slots.items():
        if x in last:
            ends[last[x]].append(slot)
    for p, turn in enumerate(turns):
        for x in turn:
            if last.get(x, p) > p:
                if not free:
                    free.append(count)
                    count += 1
                slots[x] = free.pop()
                ends[last[x]].append(slots[x])
        free += ends[p]
    return slots, count


@final
@dataclass(frozen=True, slots=True)
class TracePart:
    """A graph whose inputs are named by their slots; blocks of its values in order, and where each goes."""

    graph: Graph
    blocks: list[Sequence[Any]]
    goes: list[Goes]


@final
class Cut:
    """A trace in `parts` of `size` operations; `slots` is how many slots they use.

    The first slots hold the inputs, in their order, before the first part runs; with `keep` they still do after the
    last. `pieces` are the results in the order of storing them; `fused` says whether products fuse with sums.
    """

    def __init__(
        self,
        graph: Graph,
        inputs: Sequence[Scalar],
        pieces: Sequence[Sequence[Any]],
        fused: bool,
        size: int,
        keep: bool = False,
    ) -> None:
        self._graph, self._pieces = graph, pieces
        results = [x for piece in pieces for x in piece]
        live = graph.live(results)
        self._fused = fused_products(graph, live, results) if fused else {}
        taken = set(self._fused.values())
        nodes = [x for x in live if graph.nodes[x][0] not in LEAVES and x not in taken]
        wanted = [x.node for x in (*results, *graph.guards) if isinstance(x, Scalar)]
        order = depth_first(graph, nodes, self._fused, wanted)
        turns = [order[start : start + size] for start in range(0, len(order), size)] or [[]]
        self._complete = self._completions(order)
        self._last = self._last_readers(turns)
        first = {x.node: i for i, x in enumerate(inputs)}
        slots, self.slots = slots_for(turns, self._last, len(inputs), {} if keep else first)
        self._slots = {**first, **slots}
        self.parts = [self._part(turn, p) for p, turn in enumerate(turns)]

    def _completions(self, order: Sequence[int]) -> dict[int, list[int]]:
        """The pieces that are complete after an operation; by -1 those that wait for none."""
        place = {node: i for i, node in enumerate(order)}
        found: dict[int, list[int]] = {}
        for number, piece in enumerate(self._pieces):
            end = max((place.get(x.node, -1) for x in piece if isinstance(x, Scalar)), default=-1)
            found.setdefault(order[end] if end >= 0 else -1, []).append(number)
        return found

    def _last_readers(self, turns: Sequence[Sequence[int]]) -> dict[int, int]:
        """The last part that reads a value."""
        last: dict[int, int] = {}
        for p, turn in enumerate(turns):
            for node in turn if p else (-1, *turn):
                if node >= 0:
                    last.update((x, p) for x in operands_of(self._graph, node, self._fused))
                for number in self._complete.get(node, ()):
                    last.update((x.node, p) for x in self._pieces[number] if isinstance(x, Scalar))
        return last

    def _part(self, turn: Sequence[int], p: int) -> TracePart:
        whole, graph = self._graph, Graph()
        here = {*turn, *(self._fused[node] for node in turn if node in self._fused)}
        found: dict[int, int] = {}

        def number(node: int) -> int:
            """A node of the whole in the part's graph; what other parts compute lies in slots."""
            if node not in found:
                operation, value, _ = whole.nodes[node]
                if node in here:
                    found[node] = graph.node(operation, *map(number, whole.operands(node)))
                else:
                    leaf = (operation, value) if operation == "constant" else ("input", self._slots[node])
                    found[node] = graph.node(*leaf)
            return found[node]

        def scalar(x: Any) -> Any:
            return Scalar(graph, number(x.node), x.negative) if isinstance(x, Scalar) else x

        blocks: list[Sequence[Any]] = []
        goes: list[Goes] = []
        guards = {guard.node for guard in whole.guards}
        for node in turn if p else (-1, *turn):
            if node >= 0:
                value = Scalar(graph, number(node), False)
                if node in guards:
                    graph.guards.append(value)
                if self._last.get(node, p) > p:
                    blocks.append([value])
                    goes.append(("slot", self._slots[node]))
            for piece in self._complete.get(node, ()):
                blocks.append([scalar(x) for x in self._pieces[piece]])
                goes.append(("piece", piece))
        return TracePart(graph, blocks, goes)
