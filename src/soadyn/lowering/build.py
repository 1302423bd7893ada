"""A formula as nodes: each operator as what it does at the links.

phi~ = phi E_phi,   psi~ = psi E_psi,   E_psi = E_phi tau_bar,   K = E_phi G,   tau = G H
mass = H phi M phi* H* + A_r,   Omega = psi* H* D^-1 H psi
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, final

from soadyn.algebra.expressions import Adjoint, Expression, Identity, Inverse, Product, Root, Sum, Symbol
from soadyn.algebra.operators import VECTORS, B, D, D_p, H, a, alpha, b, f, f_tip, phi, theta_ddot
from soadyn.algebra.spaces import LINK_FORCE, NUMBER, Space
from soadyn.errors import SpaceError
from soadyn.lowering.nodes import Node, Nodes, Place

# Vectors that a call supplies or that base sweeps compute, and what programs call them.
LEAVES = {"theta_dot": "v", "theta_ddot": "vdot", "T": "tau", "V": "V", "a": "a_g", "b": "b", "f_x": "f_external"}
LOCAL = frozenset(
    {"H", "H_p", "H_a", "M", "R", "P", "P_plus", "Upsilon", "G", "G_p", "D", "D_p", "A_r", "A_ra", "A_rp"}
)
SAME_BLOCKS = {"G_p": "G", "D_p": "D", "A_ra": "A_r", "A_rp": "A_r"}


@final
class Inputs:
    """Vectors and numbers that come with a call, beyond the papers' own: a user's symbols and where they are read."""

    def __init__(self) -> None:
        self.joint: list[Symbol] = []
        self.link: list[Symbol] = []

    def name(self, symbol: Symbol, place: str) -> str:
        """joint$0, joint$1, ... or link$0, ..."""
        known = self.joint if place == "joint" else self.link
        if symbol not in known:
            known.append(symbol)
        return f"{place}${known.index(symbol)}"

    def symbol(self, name: str) -> Symbol:
        """The symbol that is read under a name."""
        place, _, number = name.partition("$")
        return (self.joint if place == "joint" else self.link)[int(number)]


@final
class Builder:
    """Makes the nodes of formulas; `passive` says that gain and pivot are the passive arm's.

    `given` are vectors that the call supplies although they could be computed; `apart` keeps a user's equations apart;
    `forces_at_frames` says that operational points were named, so that link forces include f_tip's.
    """

    def __init__(
        self, passive: bool = False, given: tuple[str, ...] = (), apart: bool = False, forces_at_frames: bool = False
    ) -> None:
        self.nodes = Nodes()
        self.inputs = Inputs()
        self.given = given
        self.apart = apart
        self.forces_at_frames = forces_at_frames
        self.H = "H_p" if passive else "H"

    # Vectors

    def vector(self, x: Expression) -> Node:
        """The node of a formula that is a vector or a number."""
        if x.codomain == NUMBER:
            return self._number(x)
        match x:
            case Symbol():
                return self._leaf(x)
            case Sum():
                return self.nodes.sum(((c, self.vector(term)) for c, term in x.terms), place=_place(x.codomain))
            case Product():
                *factors, last = x.factors
                if last.codomain.place == "task" and factors[-1] == B:
                    node = self._at_frames(last)
                    factors.pop()
                else:
                    node = self.vector(last)
                for factor in reversed(factors):
                    node = self.apply(factor, node)
                return node
        raise NoRecursionError(x)

    def _at_frames(self, x: Expression) -> Node:
        """B x: forces at the operational points, which come with the call as link forces."""
        match x:
            case Symbol(formula=None):
                return self._argument(at_frames(x))
            case Sum():
                return self.nodes.sum(((c, self._at_frames(term)) for c, term in x.terms), place="link")
        raise NoRecursionError(x)

    def _number(self, x: Expression) -> Node:
        match x:
            case Sum():
                return self.nodes.sum(((c, self._number(term)) for c, term in x.terms), place="number")
            case Product():
                rest = x.factors[1:]
                right = self.vector(rest[0] if len(rest) == 1 else Product(rest))
                return self.nodes.dot(self.vector(x.factors[0].T), right)
        raise NoRecursionError(x)

    def _leaf(self, x: Symbol) -> Node:
        if x.formula is not None:
            node = self.vector(x.formula)
            return self.nodes.named(x.name, node) if self.apart else node
        if x.name not in self.given:
            if x == alpha:
                return self.vector(phi.T @ (H.T @ theta_ddot + a))
            if x == f:
                tip = [(1, self._at_frames(f_tip))] if self.forces_at_frames else []
                moved = self.nodes.act("M", self._leaf(alpha))
                return self.nodes.sweep("phi", self.nodes.sum([(1, moved), (1, self._leaf(b)), *tip]))
            if x.name in LEAVES and x in VECTORS.values():
                return self.nodes.leaf(LEAVES[x.name], _place(x.codomain))
        if x.codomain.place == "task":
            raise NoRecursionError(x)
        return self._argument(x)

    def _argument(self, x: Symbol) -> Node:
        """A vector that comes with the call; those of links are given at the public link frames."""
        if x.codomain.place == "link":
            leaf = self.nodes.leaf(self.inputs.name(x, "link"), "link")
            return self.nodes.act(f"{x.codomain.side} in", leaf)
        return self.nodes.leaf(self.inputs.name(x, "joint"), "joint")

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
            case Symbol():
                return self._applied(X, x, adjoint=False)
            case Adjoint(of=Symbol() as of):
                return self._applied(of, x, adjoint=True)
            case Root(of=of) if of in (D, D_p):
                return self.nodes.act("D^1/2", x)
            case Adjoint(of=Root(of=of)) if of in (D, D_p):
                return self.nodes.act("D^*/2", x)
            case Inverse(of=of) if of in (D, D_p):
                return self.nodes.act("D^-1", x)
            case Inverse(of=Root(of=of)) if of in (D, D_p):
                return self.nodes.act("D^-1/2", x)
            case Inverse(of=Adjoint(of=Root(of=of))) if of in (D, D_p):
                return self.nodes.act("D^-*/2", x)
            case Inverse(of=Symbol(blocks=blocks) as of) if blocks is not None and blocks.array.ndim == 1:
                return self.nodes.numbers(self.nodes.leaf(self.inputs.name(of, "joint"), "joint"), x, inverse=True)
        raise NoRecursionError(X)

    def _applied(self, X: Symbol, x: Node, adjoint: bool) -> Node:
        if X.formula is not None:
            return self.apply(X.formula.T if adjoint else X.formula, x)
        if X.blocks is not None:
            if X.blocks.array.ndim != 1:
                raise NoRecursionError(X)
            return self.nodes.numbers(self.nodes.leaf(self.inputs.name(X, "joint"), "joint"), x)
        if X.name in LOCAL:
            name = SAME_BLOCKS.get(X.name, X.name)
            return self.nodes.act(name if X.symmetric or not adjoint else f"{name}*", x)
        return self._GLOBAL[f"{X.name}*" if adjoint and not X.symmetric else X.name](self, x)

    def _tau_bar(self, x: Node) -> Node:
        return self.nodes.act("tau_bar", x)

    def _tau_bar_adjoint(self, x: Node) -> Node:
        return self.nodes.act("tau_bar*", x)

    def _mass(self, x: Node) -> Node:
        n = self.nodes
        moved = n.act("M", n.sweep("phi*", n.act("H*", x)))
        return n.sum([(1, n.act("H", n.sweep("phi", moved))), (1, n.act("A_r", x))])

    def _omega(self, x: Node) -> Node:
        n = self.nodes
        weighed = n.act("D^-1", n.act(self.H, n.sweep("psi", x)))
        return n.sweep("psi*", n.act(f"{self.H}*", weighed))

    _GLOBAL: ClassVar[dict[str, Callable[[Builder, Node], Node]]] = {
        "phi": lambda s, x: s.nodes.sweep("phi", x),
        "phi*": lambda s, x: s.nodes.sweep("phi*", x),
        "psi": lambda s, x: s.nodes.sweep("psi", x),
        "psi*": lambda s, x: s.nodes.sweep("psi*", x),
        "E_phi": lambda s, x: s.nodes.inward(x),
        "E_phi*": lambda s, x: s.nodes.outward(x),
        "E_psi": lambda s, x: s.nodes.inward(s._tau_bar(x)),
        "E_psi*": lambda s, x: s._tau_bar_adjoint(s.nodes.outward(x)),
        "phi_tilde": lambda s, x: s.nodes.sweep("phi", s.nodes.inward(x)),
        "phi_tilde*": lambda s, x: s.nodes.sweep("phi*", s.nodes.outward(x)),
        "psi_tilde": lambda s, x: s.nodes.sweep("psi", s.nodes.inward(s._tau_bar(x))),
        "psi_tilde*": lambda s, x: s.nodes.sweep("psi*", s._tau_bar_adjoint(s.nodes.outward(x))),
        "K": lambda s, x: s.nodes.inward(s.nodes.act("G", x)),
        "K*": lambda s, x: s.nodes.act("G*", s.nodes.outward(x)),
        "K_p": lambda s, x: s.nodes.inward(s.nodes.act("G", x)),
        "K_p*": lambda s, x: s.nodes.act("G*", s.nodes.outward(x)),
        "tau": lambda s, x: s.nodes.act("G", s.nodes.act(s.H, x)),
        "tau*": lambda s, x: s.nodes.act(f"{s.H}*", s.nodes.act("G*", x)),
        "tau_bar": lambda s, x: s._tau_bar(x),
        "tau_bar*": lambda s, x: s._tau_bar_adjoint(x),
        "mass": lambda s, x: s._mass(x),
        "Omega": lambda s, x: s._omega(x),
    }  # fmt: skip


class NoRecursionError(SpaceError):
    """A sub-formula for which no recursion over the links is known."""

    def __init__(self, X: Expression) -> None:
        super().__init__(str(X))
        self.formula = X


def at_frames(x: Symbol) -> Symbol:
    """The link forces B x of a force at operational points."""
    return Symbol(f"B_{x.name}", NUMBER, LINK_FORCE)


def _place(space: Space) -> Place:
    if space == NUMBER:
        return "number"
    return "link" if "link" in space.place else "joint"
