"""What a loop does at one link, as recorded operations.

A key (where, name, i) says where a scalar comes from:

    constant   the link's table                    input    the link's share of an argument
    own        what an earlier loop kept for it    parent   the parent's value
    sum        the sum over the children           ground   the sum over the links on the ground
    once       what a Once wrote                   whole    an argument that is the same for all links
    frame, axes, point$0, axes$0, ...                       the value of that frame's link

or where one goes:

    own, once  kept for later loops                share    for the children, and for frames on the link
    add        to the parent's sum                 out      a result; its name is the number of the output
    below      a result of Pairs, the block (k,i)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from soadyn.engine.tracing import Graph, Scalar

Key = tuple[str, str, int]


@final
@dataclass(slots=True)
class LoopStep:
    """The operations of a loop at a link of one joint class, or of a Once; only `wanted` results are computed."""

    graph: Graph = field(default_factory=Graph)
    inputs: dict[Key, Scalar] = field(default_factory=dict)
    results: dict[Key, Any] = field(default_factory=dict)
    wanted: set[Key] = field(default_factory=set)

    def read(self, key: Key) -> Scalar:
        """The scalar of a key, recorded as an input when it is first read."""
        if key not in self.inputs:
            self.inputs[key] = self.graph.input(key)
        return self.inputs[key]

    def read_all(self, where: str, name: str, count: int) -> list[Scalar]:
        """The first scalars of a value."""
        return [self.read((where, name, i)) for i in range(count)]

    def live_results(self) -> dict[Key, Any]:
        return {key: value for key, value in self.results.items() if key in self.wanted}

    def live_inputs(self) -> dict[Key, Scalar]:
        live = set(self.graph.live(self.live_results().values()))
        return {key: scalar for key, scalar in self.inputs.items() if scalar.node in live}

    def operations(self) -> int:
        """How many operations the wanted results take."""
        return sum(self.graph.counts(self.live_results().values()).values())
