"""In which order a trace is computed: its operations, its sines; and which products fuse with sums.

A trace is recorded sweep by sweep: what the first sweep computes at a link is used by a later one, long after it has
left the registers. Written depth first from the results, values are used soon after they are made. LLVM mostly keeps
the order of its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from soadyn.engine.tracing.scalar import Graph, Scalar


def depth_first(graph: Graph, nodes: Sequence[int], fused: Mapping[int, int], results: Iterable[int]) -> list[int]:
    """The nodes, operands first, each as late as its first use allows; `fused` are products taken into sums.

    Of a node's operands the one that needs more registers comes first: no other operand occupies one meanwhile
    (Sethi and Ullman, 1970).
    """
    inside = set(nodes)
    operands = {node: [x for x in operands_of(graph, node, fused) if x in inside] for node in nodes}
    registers: dict[int, int] = {}
    for node in nodes:
        needs = sorted((registers[x] for x in operands[node]), reverse=True)
        registers[node] = max((need + waiting for waiting, need in enumerate(needs)), default=1)
    found: dict[int, None] = {}
    entered: set[int] = set()
    for result in results:
        stack = [result] if result in inside else []
        while stack:
            node = stack[-1]
            if node in entered:
                found.setdefault(stack.pop())
            else:
                entered.add(node)
                stack += sorted((x for x in operands[node] if x not in entered), key=registers.__getitem__)
    return list(found)


def operands_of(graph: Graph, node: int, fused: Mapping[int, int]) -> list[int]:
    """What a node's instruction reads, each once."""
    operands = [*graph.operands(node)]
    if node in fused:
        operands.remove(fused[node])
        operands += graph.operands(fused[node])
    return list(dict.fromkeys(operands))


def rounds_of_angles(graph: Graph, live: Iterable[int]) -> list[list[int]]:
    """The arguments of sines and cosines: first those that need none themselves, then those that need these."""
    depth: dict[int, int] = {}
    rounds: list[list[int]] = []
    for node in live:
        depth[node] = max((depth[x] for x in graph.operands(node)), default=0)
        if graph.nodes[node][0] in ("sin", "cos"):
            (angle,), round_ = graph.operands(node), depth[node]
            rounds += [[] for _ in range(round_ + 1 - len(rounds))]
            if angle not in rounds[round_]:
                rounds[round_].append(angle)
            depth[node] += 1
    return rounds


def fused_products(graph: Graph, live: Iterable[int], outputs: Iterable[Any]) -> dict[int, int]:
    """By sum or difference the product it is fused with: one that nothing else uses, the later if there are two."""
    live = list(live)
    uses = Counter(x.node for x in (*outputs, *graph.guards) if isinstance(x, Scalar))
    for node in live:
        for x in graph.operands(node):
            uses[x] += 1
    fused: dict[int, int] = {}
    for node in live:
        if graph.nodes[node][0] in ("add", "sub"):
            products = [x for x in graph.operands(node) if graph.nodes[x][0] == "mul" and uses[x] == 1]
            fused.update((node, x) for x in products)
    return fused
