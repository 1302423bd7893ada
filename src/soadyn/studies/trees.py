"""Nodes that follow each other, combined in pairs, and those in pairs: in an order that does not depend on chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, final


def combined(nodes: Iterable[Any], merge: Callable[[Any, Any], Any]) -> Any:
    """Nodes that follow each other made into one, in pairs, and those in pairs; one without a partner goes up as it is.

    >>> combined("abcde", lambda a, b: f"({a}{b})")
    '(((ab)(cd))e)'
    """
    tree = Tree(merge)
    for node in nodes:
        tree.add(node)
    return tree.top()


@final
class Tree:
    """Combines nodes as they come, in order, holding no more than one of each height."""

    def __init__(self, merge: Callable[[Any, Any], Any]) -> None:
        self._merge = merge
        self._waiting: list[tuple[int, Any]] = []

    def add(self, node: Any) -> None:
        height = 0
        while self._waiting and self._waiting[-1][0] == height:
            node = self._merge(self._waiting.pop()[1], node)
            height += 1
        self._waiting.append((height, node))

    def top(self) -> Any:
        """The node of all that were added."""
        nodes = [node for _, node in self._waiting]
        while len(nodes) > 1:
            last = nodes.pop()
            nodes[-1] = self._merge(nodes[-1], last)
        return nodes[0] if nodes else None
