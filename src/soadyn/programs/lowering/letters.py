"""A formula's recursions in the papers' letters, each line with its equation number where the papers print it.

z = ψ x, ε = T - H z, ν = D⁻¹ ε        the filter, tip to base         001 (49)-(51), with bias (69)-(71)
λ = ψ* x, λ⁺(k) = φ*(p,k) λ(p)          the smoother, base to tip       001 (52)-(54), with bias (72)-(73)
f = φ x, α = φ* x, V = φ* H* θ̇          Newton and Euler                001 (6)-(12)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import final

from soadyn.fork_safe import cached_property
from soadyn.programs.lowering.build import Inputs
from soadyn.programs.lowering.nodes import OF_POINTS, Node, in_order, too_deep
from soadyn.programs.lowering.rate_stages import ALONG, place_along
from soadyn.programs.lowering.stages import Lowered
from soadyn.programs.lowering.walks import below
from soadyn.programs.sweep.vector_names import OF_SYMBOL, OF_VALUE

OPERATORS = {
    "P_plus": "P⁺",
    "D^-1": "D⁻¹",
    "D^1/2": "D^½",
    "D^*/2": "D^½*",
    "D^-1/2": "D^-½",
    "D^-*/2": "D^-½*",
    "M^1/2": "M^½",
    "M^*/2": "M^½*",
    "V_tilde": "Ṽ",
    "W_omega": "Ω̃",
    "W_s": "Ω̃_s",
    "W_delta": "Ω̃_δ",
    "N_delta": "N_δ",
    "X_delta": "X_δ",
    "Y_delta": "Y_δ",
    "eta_delta": "η",
    "lambda_dot": "λ̇",
}
# The same along one joint component, before the joint's name.
ALONG_JOINT = {"W_omega": "𝓗", "W_s": "𝓗_s", "W_delta": "𝓗_δ", "N_delta": "N", "X_delta": "X", "Y_delta": "Y"}
ALONG_JOINT |= {"eta_delta": "η", "lambda_dot": "λ", "Z": "Z"}
# The papers' letters for results, by space.
RESULTS = {"joint motion": "θ̈", "joint force": "T", "link motion": "α", "link force": "f", "number": "E"}
# Vectors at frames are the same for all links.
WITHOUT_INDEX = ("task", "pose")
VARS = {"phi": "f", "psi": "z", "phi*": "α", "psi*": "λ"}
MARKS = ("", "′", "″", "‴")
NEWTON_EULER = {"V": "001 (7)", "α": "001 (8)", "f": "001 (11)"}
_SMOOTHER = {"λ": "001 (52)-(53)", "λ⁺": "001 (53)", "θ̈": "001 (54)"}
FILTERING: Mapping[int, Mapping[str, str]] = {
    0: {**dict.fromkeys(("z", "ε", "ν"), "004 (5.4a)"), **dict.fromkeys(("λ", "λ⁺", "θ̈"), "004 (5.4b)")},
    1: {"z": "001 (49)-(50)", "ε": "001 (51)", "ν": "001 (51)", **_SMOOTHER},
    3: {"z": "001 (63)-(64)", "ε": "001 (65)", "ν": "001 (65)", **_SMOOTHER},
    4: {"z": "001 (69)-(70)", "ε": "001 (71)", "ν": "001 (71)", "λ": "001 (72)", "λ⁺": "001 (72)", "θ̈": "001 (73)"},
}
# Frame changes at the boundary are not part of the papers' recursions, nor is which link carries a point.
SILENT = ("force in", "force out", "motion in", "motion out", "pose at its link", "at their links")


@final
class Letters:
    """Names for the nodes of a lowered formula, and the equations of each walk."""

    def __init__(self, program: Lowered, inputs: Inputs, passive: bool, results: tuple[str, ...]) -> None:
        self.definitions = program.nodes.definitions
        self.inputs = inputs
        self.H = "H_p" if passive else "H"
        self.program = program
        order = [node for walk in sorted(program.steps) for node in program.steps[walk].nodes]
        self._uses = Counter(x for node in order for x in self._below(node))
        kept = {node for step in program.steps.values() for node in step.results.values()}
        self._letters: dict[Node, str] = {}
        self._results = dict(zip(program.outputs, results, strict=True))
        self._taken = Counter({self._leaf(node) for node in self._uses if node.kind == "leaf"})
        self._defining = set(self.definitions.values())
        named = dict.fromkeys(node for node in order if self._is_named(node, kept))
        deep = too_deep(in_order(program.outputs, self._below), self._below, named)
        for node in sorted([*named, *deep], key=lambda node: node not in program.outputs):
            self._letters[node] = self._fresh(self._letter(node))

    def _below(self, node: Node) -> tuple[Node, ...]:
        return below(node, self.definitions)

    def _is_named(self, node: Node, kept: set[Node]) -> bool:
        if node.kind in ("leaf", "in") or node in self._defining:
            return node in self.program.outputs
        if node.kind == "act" and is_silent(node):
            return node in self.program.outputs
        if node.kind == "out":
            return self._uses[node] > 1
        return node.kind in ("var", "named") or node in kept or self._uses[node] > 1

    def _fresh(self, letter: str) -> str:
        number = self._taken[letter]
        self._taken[letter] += 1
        return f"{letter}{MARKS[number]}" if number < len(MARKS) else f"{letter}_{number + 1}"

    def _letter(self, node: Node) -> str:
        match node.kind:
            case "var":
                operator = node.operator.split()[0]
                return "V" if operator == "phi*" and self._only_rates(node) else VARS[operator]
            case "out":
                inner = self._letters.get(node.x) or self._letter(node.x)
                return inner + "⁺"
            case "named":
                return node.operator
            case "act" if node.operator == "D^-1":
                return "ν"
            case "sum" if self._is_innovation(node):
                return "ε"
        return self._results.get(node, "y")

    def _only_rates(self, node: Node) -> bool:
        leaves = {x.operator for x in in_order([node], self._below) if x.kind == "leaf"}
        return leaves == {OF_SYMBOL["theta_dot"].value}

    def _is_innovation(self, node: Node) -> bool:
        return any(x.kind == "act" and x.operator == self.H and x.x.kind == "var" and c == -1 for c, x in node.terms)

    # Text

    def written(self, node: Node, index: str = "k", inside: bool = False) -> str:
        """A node at a link; `inside` asks for brackets around sums."""
        if node in self._letters:
            return f"{self._letters[node]}({index})"
        return self._body(node, index, inside)

    def _body(self, node: Node, index: str, inside: bool) -> str:
        match node.kind:
            case "leaf":
                return self._leaf(node) if node.place in WITHOUT_INDEX else f"{self._leaf(node)}({index})"
            case "var":
                return self._body(self.definitions[node], index, inside)
            case "named":
                return self.written(node.x, index, inside)
            case "in":
                return f"Σⱼ φ({index},j) {self._bracketed(node.x, 'j')}"
            case "out":
                return f"φ*(p,{index}) {self.written(node.x, 'p', inside=True)}"
            case "dot":
                left, right = node.below
                return f"{self.written(left, index, inside=True)}* {self.written(right, index, inside=True)}"
            case "act" if is_silent(node):
                return self.written(node.x, index, inside)
            case "act":
                return self._act(node, index)
            case _:
                return self._sum(node, index, inside)

    def _act(self, node: Node, index: str) -> str:
        operand = self.written(node.x, index, inside=True)
        if ALONG in node.operator:
            return f"{self._along(node.operator)}({index}) {operand}"
        if "$" in node.operator:
            operator, place = node.operator.split(" ")
            name = self.inputs.symbol(place).name
            return f"{name}{'⁻¹' if operator.endswith('-1') else ''}({index}) {operand}"
        bare, star = _bare(node.operator.partition(OF_POINTS)[0])
        return f"{OPERATORS.get(node.operator) or OPERATORS.get(bare, bare) + star}({index}) {operand}"

    def _along(self, operator: str) -> str:
        """An operator along a joint component: λ_elbow, X*_root.2."""
        bare, star = _bare(operator.partition(ALONG)[0])
        name, component = self.inputs.symbol(place_along(operator)).along or ("dθ", None)
        return f"{ALONG_JOINT[bare]}{star}_{name}{'' if component is None else f'.{component}'}"

    def _sum(self, node: Node, index: str, inside: bool) -> str:
        said = ""
        # Positive terms first.
        for number, x in sorted(node.terms, key=lambda term: term[0] < 0):
            size = abs(number)
            body = self.written(x, index) if size == 1 else f"{size} {self.written(x, index, inside=True)}"
            said += f"{' - ' if number < 0 else ' + '}{body}" if said else f"{'-' if number < 0 else ''}{body}"
        said = said or "0"
        return f"[{said}]" if inside and len(node.terms) > 1 else said

    def _bracketed(self, node: Node, index: str) -> str:
        said = self.written(node, index)
        return f"[{said}]" if " " in said else said

    def _leaf(self, node: Node) -> str:
        if "$" in node.operator:
            return self.inputs.symbol(node.operator).name
        return OF_VALUE[node.operator].letter

    # Lines

    def letters_of(self, walk: int) -> dict[str, str]:
        """The letters of what crosses or is kept in a walk, by its name in the program."""
        step = self.program.steps[walk]
        found = {name: self._letters.get(node.x, "y") for node, name in step.carried.items()}
        return found | {name: self._letters.get(node, name) for name, node in step.results.items()}

    def lines(self, walk: int) -> list[tuple[str, str]]:
        """The equations of a walk with their numbers in the papers."""
        lines = []
        for node in self.program.steps[walk].nodes:
            letter = self._letters.get(node)
            if letter is not None:
                lines.append((f"{letter}(k) = {self._body(node, 'k', False)}", self._reference(node)))
        return lines

    def _algorithm(self) -> int:
        """Which forward dynamics of 001 section VII the filter is: 1 without bias, 3 with M α, 4 with P⁺ a, else 0."""
        # What recursions read at their own links, without what is below other recursions.
        filters = [self.definitions[y] for y in self.definitions if y.operator.startswith("psi ")]
        beneath = in_order(filters, lambda x: () if x.kind == "var" else self._below(x))
        acts = {x.operator for x in beneath if x.kind == "act"}
        if not any(x.kind == "leaf" and x.place == "link" for x in beneath) and "M" not in acts:
            return 1
        return 3 if "M" in acts else 4 if "P_plus" in acts else 0

    @cached_property
    def _filtering(self) -> Mapping[str, str]:
        """The papers' numbers of a filter's lines: found once, since all nodes are walked for them."""
        return FILTERING[0 if self.H == "H_p" else self._algorithm()]

    @cached_property
    def _recursions(self) -> frozenset[str]:
        return frozenset(y.operator.split()[0] for y in self.definitions)

    def _reference(self, node: Node) -> str:
        letter = self._letters[node].rstrip("".join(MARKS))
        if node in self.program.outputs and node.place == "joint":
            return (
                self._filtering["θ̈"] if "psi*" in self._recursions else "001 (12)" if "phi" in self._recursions else ""
            )
        return self._filtering.get(letter) or NEWTON_EULER.get(letter, "")


def is_silent(node: Node) -> bool:
    """Is a node one of those that are not printed?"""
    return node.operator.partition(OF_POINTS)[0] in SILENT


def _bare(operator: str) -> tuple[str, str]:
    """An operator's name without the star of its adjoint, and the star."""
    return operator.removesuffix("*"), "*" if operator.endswith("*") else ""
