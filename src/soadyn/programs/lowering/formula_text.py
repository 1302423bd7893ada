"""A formula after it was rewritten and collected under common operators, as text that can be read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import final

from soadyn.algebra.velocity_operators import DISPLACED, VELOCITY_OPERATORS, of_a_joint
from soadyn.programs.lowering.build import Inputs
from soadyn.programs.lowering.letters import is_silent
from soadyn.programs.lowering.nodes import OF_POINTS, Node, in_order, too_deep
from soadyn.programs.lowering.rate_stages import ALONG, place_along
from soadyn.programs.sweep.vector_names import OF_VALUE


@final
class Collected:
    """The text of nodes; what is used more than once gets a name and a line of its own."""

    def __init__(self, outputs: Sequence[Node], inputs: Inputs, passive: bool) -> None:
        self.inputs = inputs
        self.subscript = "_p" if passive else ""
        self._names: dict[Node, str] = {}
        order = in_order(outputs)
        uses = Counter(x for node in order for x in node.below)
        shared = {x for x in order if uses[x] > 1 and x.kind in ("act", "sum", "sweep") and x.terms}
        shared |= set(too_deep(order, lambda node: node.below, shared))
        self.lines: list[str] = []
        for node in order:
            if node in shared:
                text = self.text(node)
                self._names[node] = f"x{len(self._names) + 1}"
                self.lines.append(f"{self._names[node]} = {text}")
        self.lines += [self.text(node) for node in outputs]

    def text(self, node: Node, inside: bool = False) -> str:
        """A node; `inside` asks for brackets around sums."""
        if node in self._names:
            return self._names[node]
        match node.kind:
            case "leaf":
                return self._leaf(node.operator)
            case "sum":
                return self._sum(node, inside)
            case "in" if self._is(node.x, "act", "G"):
                return f"K{self.subscript} @ {self.text(node.x.x, inside=True)}"
            case "act" if node.operator == "G*" and self._is(node.x, "out", ""):
                return f"K{self.subscript}.T @ {self.text(node.x.x, inside=True)}"
            case "in" | "out":
                return f"E_phi{'.T' if node.kind == 'out' else ''} @ {self.text(node.x, inside=True)}"
            case "dot":
                return f"{self.text(node.below[0], inside=True)}.T @ {self.text(node.below[1], inside=True)}"
            case "named":
                return node.operator
        if is_silent(node):
            return self.text(node.x, inside)
        return f"{self._operator(node.operator.partition(OF_POINTS)[0])} @ {self.text(node.x, inside=True)}"

    def _is(self, node: Node, kind: str, operator: str) -> bool:
        return (node.kind, node.operator) == (kind, operator) and node not in self._names

    def _operator(self, name: str) -> str:
        if ALONG in name:
            bare, star = name.partition(ALONG)[0].removesuffix("*"), ".T" if "*" in name else ""
            joint = self.inputs.symbol(place_along(name)).along or DISPLACED
            return f"{of_a_joint(VELOCITY_OPERATORS[bare], joint)}{star}"
        if "$" in name:
            operator, place = name.split(" ")
            symbol = self.inputs.symbol(place).name
            return f"inv({symbol})" if operator.endswith("-1") else symbol
        bare, star = name.removesuffix("*"), ".T" if name.endswith("*") and "/" not in name else ""
        own = self.subscript if bare in ("G", "D", "D^-1") else ""
        if bare.startswith("M^"):
            return "sqrt(M).T" if name == "M^*/2" else "sqrt(M)"
        if bare.startswith("D^"):
            root = f"sqrt(D{self.subscript})"
            return {
                "D^-1": f"inv(D{self.subscript})",
                "D^1/2": root,
                "D^*/2": f"{root}.T",
                "D^-1/2": f"inv({root})",
                "D^-*/2": f"inv({root}).T",
            }[name]
        return f"{bare}{own}{star}"

    def _leaf(self, name: str) -> str:
        return self.inputs.symbol(name).name if "$" in name else OF_VALUE[name].symbol

    def _sum(self, node: Node, inside: bool) -> str:
        said = ""
        for number, x in sorted(node.terms, key=lambda term: term[0] < 0):
            size = abs(number)
            body = self.text(x) if size == 1 else f"{size} * ({self.text(x)})"
            said += f"{' - ' if number < 0 else ' + '}{body}" if said else f"{'-' if number < 0 else ''}{body}"
        return f"({said})" if inside and len(node.terms) > 1 else said or "0"
