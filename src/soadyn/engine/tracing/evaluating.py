"""A recorded graph computed on numbers: arrays, or recorded scalars again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from soadyn.engine.tracing.scalar import LEAVES, Graph, Scalar
from soadyn.mechanics.spatial.arithmetic import (
    cos,
    exp,
    guarded_norm,
    guarded_pivot,
    is_positive,
    log,
    maximum,
    sin,
    sqrt,
)

# What each operation does.
FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "negative": lambda a: -a,
        "reciprocal": lambda a: 1 / a,
        "sin": sin,
        "cos": cos,
        "sqrt": sqrt,
        "log": log,
        "exp": exp,
        "positive": is_positive,
        "max": maximum,
        "pivot": guarded_pivot,
        "norm": guarded_norm,
    }
)


def evaluated(graph: Graph, outputs: Iterable[Any], known: Mapping[int, Any]) -> list[Any]:
    """The outputs as numbers; `known` are those of the inputs. A number is forgotten after its last use."""
    outputs = list(outputs)
    nodes = graph.needed(x.node for x in outputs if isinstance(x, Scalar))
    uses = Counter(x.node for x in outputs if isinstance(x, Scalar))
    for node in nodes:
        uses.update(graph.operands(node))
    found: dict[int, Any] = {}
    for node in nodes:
        operation, a, _ = graph.nodes[node]
        if operation in LEAVES:
            found[node] = a if operation == "constant" else known[node]
            continue
        operands = graph.operands(node)
        found[node] = FUNCTIONS[operation](*(found[x] for x in operands))
        for x in operands:
            uses[x] -= 1
            if not uses[x]:
                found.pop(x, None)
    return [x.signed(found[x.node]) if isinstance(x, Scalar) else x for x in outputs]


def substituted(graph: Graph, outputs: Iterable[Any], new: Mapping[int, Any]) -> list[Any]:
    """The outputs with other scalars in place of some nodes; what depends on those is recorded anew."""
    outputs = list(outputs)
    found: dict[int, Any] = dict(new)
    for node in graph.needed(x.node for x in outputs if isinstance(x, Scalar)):
        operands = graph.operands(node)
        if node not in found and any(x in found for x in operands):
            old = (found[x] if x in found else Scalar(graph, x, False) for x in operands)
            found[node] = FUNCTIONS[graph.nodes[node][0]](*old)
    return [x.signed(found[x.node]) if isinstance(x, Scalar) and x.node in found else x for x in outputs]
