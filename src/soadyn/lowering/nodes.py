"""What a formula computes at each link, as a graph of shared nodes.

    leaf     a vector's share of this link             act      a block diagonal operator applied
    in       Σⱼ φ(k,j) x(j), the operator E_phi         out      φ*(p,k) x(p), its adjoint
    sweep    phi, psi, phi* or psi* applied             sum      Σ c x
    var      what a recursion defines                  dot      x* y, to be summed over the links
    named    a vector that a user's equation defines, kept apart from what follows

E_phi is the only operator that crosses from link to link; all others are block diagonal or recursions of it. Nodes that
are equal are one node. Sums collect terms under a common operator, A x + A y = A (x + y), whenever they are made: that
alone turns psi K T into the filter's z(k) = Σⱼ φ(k,j) [z(j) + G(j) ε(j)].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal, final

Kind = Literal["leaf", "act", "in", "out", "sweep", "sum", "var", "dot", "named"]
Place = Literal["joint", "link", "number"]
Number = int | float | Fraction
Terms = tuple[tuple[Number, "Node"], ...]

TO_JOINT = frozenset({"H", "H_p", "H_a", "G*", "D", "D^-1", "A_r", "D^1/2", "D^*/2", "D^-1/2", "D^-*/2"})
TO_LINK = frozenset({"H*", "H_p*", "H_a*", "G", "M", "R", "P", "P_plus", "Upsilon", "tau_bar", "tau_bar*"})
# Operators in a row that are one operator, the outermost first.
SHORT = {
    ("tau_bar", "P"): ("P_plus",),
    ("P", "tau_bar*"): ("P_plus",),
    ("D", "D^-1"): (),
    ("D^-1", "D"): (),
    ("D^-1", "H", "P"): ("G*",),
    ("P", "H*", "D^-1"): ("G",),
    ("D^-1", "H_p", "P"): ("G*",),
    ("P", "H_p*", "D^-1"): ("G",),
    ("D^1/2", "D^*/2"): ("D",),
    ("D^-*/2", "D^-1/2"): ("D^-1",),
}


@final
class Node:
    """A node; `operator` is an operator's, leaf's or vector's name, `number` its place among all nodes."""

    __slots__ = ("kind", "number", "operator", "place", "terms")

    def __init__(self, kind: Kind, operator: str, terms: Terms, place: Place, number: int) -> None:
        self.kind: Kind = kind
        self.operator = operator
        self.terms = terms
        self.place: Place = place
        self.number = number

    @property
    def x(self) -> Node:
        """The one node this is made of."""
        return self.terms[0][1]

    @property
    def below(self) -> tuple[Node, ...]:
        return tuple(node for _, node in self.terms)

    def __repr__(self) -> str:
        inner = " ".join(f"{number}*{node.number}" for number, node in self.terms)
        return f"{self.number}:{self.kind} {self.operator} [{inner}]"


@final
class Nodes:
    """All nodes of a formula; equal ones are made once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Node] = {}
        self.definitions: dict[Node, Node] = {}  # what a var is, once known

    def _node(self, kind: Kind, operator: str, terms: Terms, place: Place) -> Node:
        key = (kind, operator, tuple((number, node.number) for number, node in terms), place)
        if key not in self._known:
            self._known[key] = Node(kind, operator, terms, place, len(self._known))
        return self._known[key]

    def leaf(self, name: str, place: Place) -> Node:
        return self._node("leaf", name, (), place)

    def var(self, operator: str) -> Node:
        """A new unknown of a recursion."""
        return self._node("var", f"{operator} {len(self._known)}", (), "link")

    def named(self, name: str, x: Node) -> Node:
        return self._node("named", name, ((1, x),), x.place)

    def dot(self, x: Node, y: Node) -> Node:
        return self._node("dot", "", ((1, x), (1, y)), "number")

    def zero(self, place: Place) -> Node:
        return self._node("sum", "", (), place)

    def act(self, operator: str, x: Node) -> Node:
        """A block diagonal operator applied."""
        if operator == "tau_bar" and x.kind == "sum" and any(_is(y, "P") for y in x.below):
            return self.sum((c, self.act(operator, y)) for c, y in x.terms)
        for row, short in SHORT.items():
            if row[0] == operator and (inner := _beneath(x, row[1:])) is not None:
                for name in reversed(short):
                    inner = self.act(name, inner)
                return inner
        place: Place = "joint" if operator in TO_JOINT else "link" if operator in TO_LINK else x.place
        return self._linear("act", operator, x, place)

    def numbers(self, leaf: Node, x: Node, inverse: bool = False) -> Node:
        """A user's number for each component, applied."""
        operator = f"{'numbers^-1' if inverse else 'numbers'} {leaf.operator}"
        return self._linear("act", operator, x, "joint")

    def inward(self, x: Node) -> Node:
        return self._linear("in", "", x, "link")

    def outward(self, x: Node) -> Node:
        return self._linear("out", "", x, "link")

    def sweep(self, operator: str, x: Node) -> Node:
        return self._linear("sweep", operator, x, "link")

    def _linear(self, kind: Kind, operator: str, x: Node, place: Place) -> Node:
        """A linear operator applied; numbers and signs are taken out, so that equal things look equal."""
        if x.kind == "sum":
            if not x.terms:
                return self.zero(place)
            first = x.terms[0][0]
            if len(x.terms) == 1:
                return self.sum([(first, self._node(kind, operator, ((1, x.x),), place))])
            if first < 0:
                turned = self.sum((-c, y) for c, y in x.terms)
                return self.sum([(-1, self._node(kind, operator, ((1, turned),), place))])
        return self._node(kind, operator, ((1, x),), place)

    def sum(self, terms: Iterable[tuple[Number, Node]], place: Place | None = None) -> Node:
        """Σ c x, collected under common operators."""
        flat = dict(_flat(terms))
        if place is None:
            place = next(iter(flat)).place if flat else "joint"
        while True:
            live = {node: c for node, c in flat.items() if c != 0}
            groups: dict[tuple[str, str], list[Node]] = {}
            for node in live:
                if node.kind in ("act", "in", "out", "sweep"):
                    groups.setdefault((node.kind, node.operator), []).append(node)
            shared = next((nodes for nodes in groups.values() if len(nodes) > 1), None)
            if shared is None:
                break
            inner = self.sum((live[node], node.x) for node in shared)
            joined = self.again(shared[0], inner)
            flat = dict(_flat([*((c, n) for n, c in live.items() if n not in shared), (1, joined)]))
        if len(live) == 1 and next(iter(live.values())) == 1:
            return next(iter(live))
        ordered = sorted(live.items(), key=lambda item: item[0].number)
        return self._node("sum", "", tuple((c, node) for node, c in ordered), place)

    def again(self, like: Node, x: Node) -> Node:
        """The same operator applied to something else."""
        if like.kind == "act" and like.operator in TO_JOINT | TO_LINK:
            return self.act(like.operator, x)
        return self._linear(like.kind, like.operator, x, like.place)


def _flat(terms: Iterable[tuple[Number, Node]]) -> Iterator[tuple[Node, Number]]:
    found: dict[Node, Number] = {}
    for number, node in terms:
        inner = node.terms if node.kind == "sum" else ((1, node),)
        for c, x in inner:
            found[x] = found.get(x, 0) + number * c
    yield from found.items()


def _is(x: Node, operator: str) -> bool:
    return x.kind == "act" and x.operator == operator


def _beneath(x: Node, row: tuple[str, ...]) -> Node | None:
    for operator in row:
        if not _is(x, operator):
            return None
        x = x.x
    return x
