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
)
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import L_Y, VECTORS, B, E_phi, Y, f_tip, phi, psi
from soadyn.algebra.spaces import NUMBER, WHITE_LINK, Space
from soadyn.algebra.velocity_operators import moving, unit_rate
from soadyn.errors import SpaceError
from soadyn.programs.lowering.blocks import Place, block_names, definitions
from soadyn.programs.lowering.nodes import Node, Nodes
from soadyn.programs.sweep.inputs import task_input
from soadyn.programs.sweep.vector_names import OF_SYMBOL

TRANSITIONS = {phi: "phi", phi.T: "phi*", psi: "psi", psi.T: "psi*"}
# Vectors that no sweep of the named algorithms computes, and their equations.
EQUATIONS = {IDENTITIES[name].left: IDENTITIES[name].right for name in ("link accelerations", "link forces")}


@final
class Inputs:
    """Symbols whose numbers come with a call and that no input of the named algorithms stands for.

    A program reads them as joint$0, joint$1, ..., link$0, ..., pose$0, ..., and task2$0, ... of two operational points.
    """

    def __init__(self) -> None:
        self._of: dict[str, list[Symbol]] = {}

    def name(self, symbol: Symbol, place: str) -> str:
        """The input under which a program reads a symbol."""
        known = self._of.setdefault(place, [])
        if symbol not in known:
            known.append(symbol)
        return f"{place}${known.index(symbol)}"

    def symbol(self, name: str) -> Symbol:
        """The symbol that a program reads under an input's name."""
        place, _, number = name.partition("$")
        return self._of[place][int(number)]

    def places(self) -> dict[str, Symbol]:
        """All symbols by the names of the inputs."""
        return {f"{place}${i}": x for place, symbols in self._of.items() for i, x in enumerate(symbols)}


@final
class NodeBuilder:
    """Makes the nodes of formulas.

    `passive` says that P, psi and what is made of them are the passive arm's; `given` names vectors that calls supply
    although they could be computed; `apart` computes a user's named vectors in walks of their own; `points` says how
    many operational points were named; if any, link forces include those of f_tip. `grounded` says that no moving link
    carries some of them.
    """

    def __init__(
        self,
        passive: bool = False,
        given: tuple[str, ...] = (),
        apart: bool = False,
        points: int = 0,
        grounded: bool = False,
    ) -> None:
        self.nodes = Nodes()
        self.inputs = Inputs()
        self.passive = passive
        self.given = given
        self.apart = apart
        self.points = points
        self.grounded = grounded

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
                node = self.vector(last)
                for factor in reversed(factors):
                    node = self.apply(factor, node)
                return node
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
        """x* Y z as the dot product of x and Y z, a sum of the links' shares; a product of numbers has none."""
        if factors[0].domain == NUMBER:
            raise NoRecursionError(Product(factors))
        left, right = factors[0].T, factors[1] if len(factors) == 2 else Product(factors[1:])
        x, y = self.vector(left), self.vector(right)
        if self.grounded and hands_on(x) and hands_on(y):
            raise NoRecursionError(Product(factors))
        return self.nodes.dot(self.shares(x), y)

    def shares(self, x: Node) -> Node:
        """What links add to a sum over all of them: of what belongs to points, that of those they carry.

        What a call gives at a point on the ground is in no link's share; see `hands_on`.
        """
        if x.place == "task":
            return self.nodes.at_points("at their links", self.points, x, "task")
        return self.nodes.act("pose at its link", x) if x.place == "pose" else x

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
        return self._argument(x)

    def _of_one_frame(self, x: Node) -> Node:
        """A node that belongs to the frame of a program, which has one."""
        if self.points != 1:
            raise NoRecursionError(Y)
        return x

    def _check_points(self, x: Expression) -> None:
        """Refuse what belongs to operational points where none are named."""
        if not self.points:
            raise NoRecursionError(x)

    def _argument(self, x: Symbol) -> Node:
        """A vector that comes with the call; those of links are given at the public link frames."""
        if x.codomain.place == "pose":
            return self._of_one_frame(self.nodes.leaf(self.inputs.name(x, "pose"), "pose"))
        if x.codomain.place == "task":
            if not self.points and x == f_tip:
                return self.nodes.zero("task")
            self._check_points(x)
            return self.nodes.leaf(self.inputs.name(x, task_input(self.points)), "task")
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
        if X == B:
            return self.nodes.at_points("B", self.points, x, "link")
        if X == B.T:
            self._check_points(X)
            return self.nodes.at_points("B*", self.points, x, "task")
        if X == L_Y.T:
            return self.nodes.act("L_Y*", x)
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


def hands_on(x: Node) -> bool:
    """Does a vector at points hold numbers that a call gives there, as they are or multiplied?"""
    if x.place != "task":
        return False
    return x.operator.startswith("task") if x.kind == "leaf" else any(map(hands_on, x.below))


class NoRecursionError(SpaceError):
    """A part of a formula for which no recursion over the links is known."""

    def __init__(self, X: Expression) -> None:
        super().__init__(f"no recursion over the links is known for {X}")
        self.formula = X


def _place(space: Space) -> Place:
    if space == NUMBER:
        return "number"
    if space.place in ("pose", "task"):
        return space.place
    return "joint" if "joint" in space.place else "link"
