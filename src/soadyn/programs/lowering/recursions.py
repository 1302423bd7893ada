"""Sweeps written out as recursions over the links.

y = phi x :   y = x + E y                       y = phi* x :   y = x + E* y
y = psi x :   y = x + E (y - G H y)             y = psi* x :   y = x + (u - H* G* u),   u = E* y
"""

from __future__ import annotations

from typing import final

from soadyn.programs.lowering.nodes import Node, Nodes, in_order


@final
class Expansion:
    """Nodes without sweeps, tau_bar and tau_bar*; `H` names the joint map of the gain, "H" or "H_p"."""

    def __init__(self, nodes: Nodes, H: str) -> None:
        self.nodes = nodes
        self.H = H
        self._done: dict[Node, Node] = {}

    def of(self, root: Node) -> Node:
        """The node without sweeps."""
        for node in in_order([root]):
            if node not in self._done:
                self._done[node] = self._expanded(node)
        return self._done[root]

    def _expanded(self, node: Node) -> Node:
        """A node whose parts are done."""
        n, done = self.nodes, self._done
        match node.kind:
            case "sum":
                return n.sum(((c, done[x]) for c, x in node.terms), place=node.place)
            case "named":
                return n.named(node.operator, done[node.x])
            case "dot":
                left, right = node.below
                return n.dot(done[left], done[right])
            case "act" if node.operator == "tau_bar":
                return self._crossed(done[node.x])
            case "act" if node.operator == "tau_bar*":
                return self._crossed_adjoint(done[node.x])
            case "act" | "in" | "out":
                return n.again(node, done[node.x])
            case "sweep":
                return self._recursion(node)
        return node

    def _recursion(self, node: Node) -> Node:
        n, x = self.nodes, self._done[node.x]
        y = n.var(node.operator)
        match node.operator:
            case "phi":
                onward = n.inward(y)
            case "psi":
                onward = n.inward(self._crossed(y))
            case "phi*":
                onward = n.outward(y)
            case _:
                onward = self._crossed_adjoint(n.outward(y))
        n.definitions[y] = n.sum([(1, x), (1, onward)])
        return y

    def _crossed(self, x: Node) -> Node:
        n = self.nodes
        return n.sum([(1, x), (-1, n.act("G", n.act(self.H, x)))])

    def _crossed_adjoint(self, x: Node) -> Node:
        n = self.nodes
        return n.sum([(1, x), (-1, n.act(f"{self.H}*", n.act("G*", x)))])
