"""What a reduction is: many rows made into a node, two nodes into one."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

Node = dict[str, np.ndarray]


class Reduction(ABC):
    """Many rows made into a node, and two nodes into one."""

    @abstractmethod
    def of(self, x: np.ndarray, good: np.ndarray, begin: int, leaf: int) -> Node:
        """The node of rows (n, m) from number `begin` on; those count that are `good`."""

    @abstractmethod
    def merged(self, a: Node, b: Node) -> Node:
        """The node of both, a's rows before b's."""
