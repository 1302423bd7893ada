"""What a formula computes at each link, as a graph of shared nodes.

    leaf     a vector's share of this link             act      a block diagonal operator applied
    in       Σⱼ φ(k,j) x(j), the operator E_phi         out      φ*(p,k) x(p), its adjoint
    sweep    phi, psi, phi* or psi* applied             sum      Σ c x
    var      what a recursion defines                  dot      x* y, to be summed over the links
    named    a vector that a user named; with as_written, what reads it waits for a later walk

E_phi is the only operator that crosses from link to link; all others are block diagonal or recursions of it. Nodes that
are equal are one node. Sums collect terms under a common operator, A x + A y = A (x + y), whenever they are made: that
alone turns psi K T into the filter's z(k) = Σⱼ φ(k,j) [z(j) + G(j) ε(j)].
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Literal, final

from soadyn.algebra.numbers import Number, rounded
from soadyn.programs.lowering.blocks import PLACES, SHORTER, Place

Kind = Literal["leaf", "act", "in", "out", "sweep", "sum", "var", "dot", "named"]
CROSSINGS = ("in", "out")
DEEPEST_TEXT = 40
OF_POINTS = " of points "  # in the name of an operator, before their number: "B of points 2"
Terms = tuple[tuple[Number, "Node"], ...]
_Key = tuple[tuple[tuple[int, Number], ...], Place]  # of a sum: its nodes by number, in order, and where it belongs


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
        self._sums: dict[_Key, Node] = {}  # what was collected; long formulas ask for the same sums again and again
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
        for row, short in SHORTER.items():
            if row[0] == operator and (inner := _beneath(x, row[1:])) is not None:
                for name in reversed(short):
                    inner = self.act(name, inner)
                return inner
        return self._linear("act", operator, x, PLACES.get(operator, x.place))

    def at_points(self, operator: str, points: int, x: Node, place: Place) -> Node:
        """An operator of `block_operators.POINT_OPERATORS`, for so many operational points, applied."""
        return self._linear("act", f"{operator}{OF_POINTS}{points}", x, place)

    def numbers(self, leaf: Node, x: Node, inverse: bool = False) -> Node:
        """A user's number for each component, applied."""
        operator = f"{'numbers^-1' if inverse else 'numbers'} {leaf.operator}"
        return self._linear("act", operator, x, x.place)

    def inward(self, x: Node) -> Node:
        return self._linear("in", "", x, "link")

    def outward(self, x: Node) -> Node:
        return self._linear("out", "", x, "link")

    def sweep(self, operator: str, x: Node) -> Node:
        return self._linear("sweep", operator, x, "link")

    def _linear(self, kind: Kind, operator: str, x: Node, place: Place) -> Node:
        """A linear operator applied; coefficients and signs move outward, so that equal nodes are recognised."""
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
        # A loop with a stack, not recursion; terms may have hundreds of operators in common.
        outer: list[tuple[dict[Node, Number], list[Node], Place, list[_Key]]] = []
        keys: list[_Key] = []  # of the sums on the way to the one that is being made, all equal to it
        while True:
            flat = _flat(terms)
            place = place or (next(iter(flat)).place if flat else "joint")
            live = {node: c for node, c in flat.items() if c != 0}
            keys.append((tuple((node.number, c) for node, c in live.items()), place))
            found = self._sums.get(keys[-1])
            if found is None:
                shared = _under_one_operator(live)
                if shared is not None:
                    outer.append((live, shared, place, keys))
                    terms, place, keys = [(live[node], node.x) for node in shared], None, []
                    continue
                found = self._collected(live, place)
            self._sums.update(dict.fromkeys(keys, found))
            if not outer:
                return found
            live, shared, place, keys = outer.pop()
            joined = self.again(shared[0], found)
            terms = [*((c, node) for node, c in live.items() if node not in shared), (1, joined)]

    def _collected(self, live: dict[Node, Number], place: Place) -> Node:
        if len(live) == 1 and next(iter(live.values())) == 1:
            return next(iter(live))
        ordered = sorted(live.items(), key=lambda item: item[0].number)
        return self._node("sum", "", tuple((c, node) for node, c in ordered), place)

    def again(self, like: Node, x: Node) -> Node:
        """The same operator applied to something else."""
        if like.kind == "act" and like.operator in PLACES:
            return self.act(like.operator, x)
        return self._linear(like.kind, like.operator, x, like.place)


def in_order(roots: Iterable[Node], parts: Callable[[Node], Sequence[Node]] = lambda node: node.below) -> list[Node]:
    """All nodes below the roots, each once and after its parts; a cycle is entered where it is first met."""
    order: list[Node] = []
    entered: set[Node] = set()
    for root in roots:
        work = [(root, False)]
        while work:
            node, done = work.pop()
            if done:
                order.append(node)
            elif node not in entered:
                entered.add(node)
                work.append((node, True))
                work += [(x, False) for x in reversed(parts(node))]
    return order


def too_deep(order: Iterable[Node], parts: Callable[[Node], Sequence[Node]], named: Container[Node]) -> list[Node]:
    """Further nodes to name, so that the text of a node nests at most DEEPEST_TEXT deep."""
    depth: dict[Node, int] = {}
    found: list[Node] = []
    for node in order:
        deep = 1 + max((depth.get(x, 0) for x in parts(node)), default=-1)
        if deep > DEEPEST_TEXT and node not in named:
            found.append(node)
        depth[node] = 0 if node in named or deep > DEEPEST_TEXT else deep
    return found


def _flat(terms: Iterable[tuple[Number, Node]]) -> dict[Node, Number]:
    """The coefficient of each node; sums among the terms are replaced by their own terms."""
    found: dict[Node, Number] = {}
    for number, node in terms:
        inner = node.terms if node.kind == "sum" else ((1, node),)
        for c, x in inner:
            found[x] = rounded(found.get(x, 0) + number * c)
    return found


def _under_one_operator(nodes: Iterable[Node]) -> list[Node] | None:
    """The first two or more nodes to which one operator was applied; None if there are no such."""
    groups: dict[tuple[str, str], list[Node]] = {}
    for node in nodes:
        if node.kind in ("act", "in", "out", "sweep"):
            groups.setdefault((node.kind, node.operator), []).append(node)
    return next((found for found in groups.values() if len(found) > 1), None)


def _is(x: Node, operator: str) -> bool:
    return x.kind == "act" and x.operator == operator


def _beneath(x: Node, row: tuple[str, ...]) -> Node | None:
    for operator in row:
        if not _is(x, operator):
            return None
        x = x.x
    return x
