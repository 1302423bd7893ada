"""A formula as nodes: each operator as what it does at the links."""

from __future__ import annotations

from typing import final

from soadyn.algebra.expressions import (
    Adjoint,
    Expression,
    Identity,
    Inverse,
    Product,
    Sum,
    Symbol,
    product,
    total,
    zero,
)
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.numbers import Number
from soadyn.algebra.operators import L_Y, VECTORS, B, E_phi, Y, a_tip, f_tip, phi, psi
from soadyn.algebra.spaces import LINK_MOTION, NUMBER, WHITE_LINK, Space
from soadyn.algebra.velocity_operators import moving, unit_rate
from soadyn.errors import SpaceError
from soadyn.lowering.blocks import Place, block_names, definitions
from soadyn.lowering.nodes import Node, Nodes
from soadyn.sweep.vector_names import OF_SYMBOL

TRANSITIONS = {phi: "phi", phi.T: "phi*", psi: "psi", psi.T: "psi*"}
# Vectors that no sweep of the named algorithms computes, and their equations.
EQUATIONS = {IDENTITIES[name].left: IDENTITIES[name].right for name in ("link accelerations", "link forces")}


@final
class Inputs:
    """Symbols whose numbers come with a call and that no input of the named algorithms stands for.

    A program reads them as joint$0, joint$1, ... and link$0, .... A force at operational points is a link input: B is
    applied to it before the program runs. What belongs to the pose of a frame is pose$0, ....
    """

    def __init__(self) -> None:
        self.joint: list[Symbol] = []
        self.link: list[Symbol] = []
        self.pose: list[Symbol] = []

    def _known(self, place: str) -> list[Symbol]:
        return {"joint": self.joint, "link": self.link, "pose": self.pose}[place]

    def name(self, symbol: Symbol, place: str) -> str:
        """The input under which a program reads a symbol."""
        known = self._known(place)
        if symbol not in known:
            known.append(symbol)
        return f"{place}${known.index(symbol)}"

    def symbol(self, name: str) -> Symbol:
        """The symbol that a program reads under an input's name."""
        place, _, number = name.partition("$")
        return self._known(place)[int(number)]

    def places(self) -> dict[str, Symbol]:
        """All symbols by the names of the inputs."""
        all_places = ("joint", "link", "pose")
        return {f"{place}${i}": x for place in all_places for i, x in enumerate(self._known(place))}


@final
class Builder:
    """Makes the nodes of formulas.

    `passive` says that P, psi and what is made of them are the passive arm's; `given` names vectors that calls supply
    although they could be computed; `apart` computes a user's named vectors in walks of their own; `points` says how
    many operational points were named; if any, link forces include those of f_tip.
    """

    def __init__(
        self, passive: bool = False, given: tuple[str, ...] = (), apart: bool = False, points: int = 0
    ) -> None:
        self.nodes = Nodes()
        self.inputs = Inputs()
        self.passive = passive
        self.given = given
        self.apart = apart
        self.points = points

    # Vectors

    def vector(self, x: Expression) -> Node:
        """The node of a formula that is a vector or a number."""
        if x.codomain == NUMBER:
            return self._number(x)
        match x:
            case Symbol():
                return self._symbol(x)
            case Sum():
                return self.nodes.sum(((c, self.vector(term)) for c, term in x.terms), place=_place(x.codomain))
            case Product():
                *factors, last = x.factors
                node = self._at_links(last) if factors[-1] == B else self.vector(last)
                for factor in reversed(factors[:-1] if factors[-1] == B else factors):
                    node = self.apply(factor, node)
                return node
        raise NoRecursionError(x)

    def _at_links(self, x: Expression) -> Node:
        """B x, x being forces at the operational points."""
        match x:
            case Symbol(formula=None) if x == f_tip and not self.points:
                return self.nodes.zero("link")
            case Symbol(formula=None):
                return self._argument(x)
            case Symbol(formula=formula) if formula is not None:
                return self._at_links(formula)
            case Sum():
                return self.nodes.sum(((c, self._at_links(term)) for c, term in x.terms), place="link")
        raise NoRecursionError(x)

    def _number(self, x: Expression) -> Node:
        match x:
            case Sum():
                return self.nodes.sum(((c, self._number(term)) for c, term in x.terms), place="number")
            case Symbol(formula=formula) if formula is not None:
                return self._number(formula)
            case Product():
                return self._dot(x.factors)
        raise NoRecursionError(x)

    def _dot(self, factors: tuple[Expression, ...]) -> Node:
        """x* Y z as the dot product of x and Y z; of forces at operational points, x* B* Y z as that of B x and Y z."""
        at = 1
        while at < len(factors) and factors[at].codomain.place == "task":
            at += 1
        if at == len(factors):
            raise NoRecursionError(factors[0] if at == 1 else Product(factors))
        left, right = (part[0] if len(part) == 1 else Product(part) for part in (factors[:at], factors[at:]))
        one, other = self.vector(left.T), self.vector(right)
        return self.nodes.dot(self.nodes.act("at frame", one) if one.place == "pose" else one, other)

    def _symbol(self, x: Symbol) -> Node:
        if x.formula is not None:
            node = self.vector(x.formula)
            return self.nodes.named(x.name, node) if self.apart else node
        if x.name not in self.given and x in VECTORS.values():
            if x in EQUATIONS:
                return self.vector(EQUATIONS[x])
            if value := OF_SYMBOL[x.name].value:
                leaf = self.nodes.leaf(value, _place(x.codomain))
                return self._of_one_frame(leaf) if x == Y else leaf
        if x.codomain.place == "task":
            raise NoRecursionError(x)
        return self._argument(x)

    def _of_one_frame(self, x: Node) -> Node:
        """A node that belongs to the frame of a program, which has one."""
        if self.points != 1:
            raise NoRecursionError(Y)
        return x

    def _argument(self, x: Symbol) -> Node:
        """A vector that comes with the call; those of links are given at the public link frames."""
        if x.codomain.place == "pose":
            return self._of_one_frame(self.nodes.leaf(self.inputs.name(x, "pose"), "pose"))
        if _place(x.codomain) == "joint":
            return self.nodes.leaf(self.inputs.name(x, "joint"), "joint")
        leaf = self.nodes.leaf(self.inputs.name(x, "link"), "link")
        return leaf if x.codomain == WHITE_LINK else self.nodes.act(f"{x.codomain.side} in", leaf)

    # Operators

    def apply(self, X: Expression, x: Node) -> Node:
        """X applied to a node."""
        match X:
            case Identity():
                return x
            case Sum():
                return self.nodes.sum(((c, self.apply(term, x)) for c, term in X.terms), place=_place(X.codomain))
            case Product():
                for factor in reversed(X.factors):
                    x = self.apply(factor, x)
                return x
            case Symbol(formula=formula) if formula is not None:
                return self.apply(formula, x)
            case Adjoint(of=Symbol(formula=formula)) if formula is not None:
                return self.apply(formula.T, x)
            case Symbol(blocks=blocks) | Adjoint(of=Symbol(blocks=blocks)) if blocks is not None:
                return self._numbers(X if isinstance(X, Symbol) else X.of, x, X)  # type: ignore[arg-type]
            case Inverse(of=Symbol(blocks=blocks) as of) if blocks is not None:
                return self._numbers(of, x, X)
            case Symbol(along=joint) | Adjoint(of=Symbol(along=joint)) if joint is not None:
                return self._along(X if isinstance(X, Symbol) else X.of, x, X)  # type: ignore[arg-type]
        if X in (names := block_names(self.passive)):
            return self.nodes.act(names[X], x)
        if X == L_Y.T or (X == B and x.place == "task"):
            return self.nodes.act("B" if X == B else "L_Y*", x)
        if X in TRANSITIONS:
            return self.nodes.sweep(TRANSITIONS[X], x)
        if X in (E_phi, E_phi.T):
            return self.nodes.outward(x) if isinstance(X, Adjoint) else self.nodes.inward(x)
        if X in (meanings := definitions(self.passive)):
            return self.apply(meanings[X], x)
        raise NoRecursionError(X)

    def _along(self, of: Symbol, x: Node, X: Expression) -> Node:
        """An operator that is linear in the joint rates, those being one at a joint component and zero elsewhere."""
        name = block_names(self.passive)[moving(of) if of == X else moving(of).T]
        return self.nodes.act(f"{name} along {self.inputs.name(unit_rate(of), 'joint')}", x)

    def _numbers(self, of: Symbol, x: Node, X: Expression) -> Node:
        """A user's number for each joint component, or its inverse, applied."""
        if of.blocks.array.ndim != 1:
            raise NoRecursionError(X)
        place = _place(of.domain)
        leaf = self.nodes.leaf(self.inputs.name(of, place), place)
        return self.nodes.numbers(leaf, x, inverse=isinstance(X, Inverse))


class NoRecursionError(SpaceError):
    """A part of a formula for which no recursion over the links is known."""

    def __init__(self, X: Expression) -> None:
        super().__init__(f"no recursion over the links is known for {X}")
        self.formula = X


def without_points(x: Expression) -> Expression | None:
    """Y if the formula is B* Y + c a(0), motions of operational points, in any notation; else None."""
    match x:
        case Symbol() if x == a_tip:
            return zero(x.domain, LINK_MOTION)
        case Symbol(formula=formula) if formula is not None:
            return without_points(formula)
        case Adjoint(of=Symbol(formula=formula)) if formula is not None:
            return without_points(formula.T)
        case Product(factors=(first, *rest)):
            if first == B.T:
                return rest[0] if len(rest) == 1 else Product(tuple(rest))
            if (head := without_points(first)) is not None:
                for factor in rest:
                    head = product(head, factor)
            return head
        case Sum():
            terms = [(c, y) for c, term in x.terms if (y := without_points(term)) is not None]
            if len(terms) == len(x.terms):
                return total(tuple(terms)) if terms else zero(x.domain, LINK_MOTION)
    return None


def tip_share(x: Expression) -> Number:
    """c of a formula B* Y + c a(0)."""
    match x:
        case Symbol() if x == a_tip:
            return 1
        case Symbol(formula=formula) if formula is not None:
            return tip_share(formula)
        case Sum():
            return sum(c * tip_share(term) for c, term in x.terms)
    return 0


def _place(space: Space) -> Place:
    if space == NUMBER:
        return "number"
    if space.place == "pose":
        return "pose"
    return "joint" if "joint" in space.place else "link"
