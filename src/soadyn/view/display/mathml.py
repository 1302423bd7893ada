"""Formulas as MathML, which browsers typeset by themselves: no script, no network.

What is read is the part of LaTeX that soadyn writes: letters, Greek, accents, calligraphic letters, sub- and
superscripts, fractions, brackets, words in \\text. Anything else is shown as it stands; nothing is refused.
"""

from __future__ import annotations

import re
from html import escape
from typing import final

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "kappa": "κ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Lambda": "Λ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "Upsilon": "Υ", "Sigma": "Σ", "Theta": "Θ",
}  # fmt: skip
SIGNS = {"sum": "∑", "times": "×", "cdot": "·", "leftarrow": "←", "neq": "≠", "to": "→"}
ACCENTS = {"dot": "˙", "ddot": "¨", "bar": "¯", "tilde": "~", "hat": "^"}
SPACES = {"quad": "1em", "qquad": "2em", ",": "0.2em", ";": "0.3em"}
WORDS = ("text", "textbf", "mathrm", "operatorname")
TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}^_&]|\d+(?:\.\d+)?|[A-Za-z]+|\s+|.", re.DOTALL)
BRACKETS = "()[]{}|"
CALLIGRAPHIC = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ"}
RAISED = {"*": "∗", "-": "−", "'": "′"}


def mathml(latex: str, block: bool = False) -> str:
    r"""A formula as a <math> element, in the line or on its own.

    >>> mathml(r"\phi^*")
    '<math><msup><mi>φ</mi><mo>∗</mo></msup></math>'
    """
    kind = ' display="block"' if block else ""
    return f"<math{kind}>{_MathReader(latex).row()}</math>"


@final
class _MathReader:
    """Reads tokens from left to right; each method returns MathML."""

    def __init__(self, latex: str) -> None:
        self.tokens: list[str] = TOKEN.findall(latex)
        self.place = 0

    def next(self) -> str:
        """The token that comes, after spaces; empty at the end."""
        while self.place < len(self.tokens) and (self.tokens[self.place].isspace() or self.tokens[self.place] == "&"):
            self.place += 1
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def row(self, until: str = "") -> str:
        found: list[str] = []
        while (token := self.next()) and token != until:
            found.append(self.scripted())
        self.place += 1
        return "".join(found)

    def scripted(self) -> str:
        """An atom with what stands below and above it."""
        base, scripts = self.atom(), {"_": "", "^": ""}
        while (sign := self.next()) in scripts:
            self.place += 1
            scripts[sign] += self.argument()
        low, high = scripts.values()
        if low and "∑" in base:
            return f"<munder>{base}{low}</munder>"
        if low and high:
            return f"<msubsup>{base}{low}{high}</msubsup>"
        if low or high:
            tag = "msub" if low else "msup"
            return f"<{tag}>{base}{low or high}</{tag}>"
        return base

    def atom(self) -> str:
        token = self.next()
        self.place += 1
        if not token or token == "{":
            return f"<mrow>{self.row('}') if token else ''}</mrow>"
        if token.startswith("\\") and len(token) > 1:
            return self.command(token[1:].rstrip("*"))
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{escape(token)}</mi>"
        still = ' stretchy="false"' if token in BRACKETS else ""
        return f"<mo{still}>{escape(RAISED.get(token, token))}</mo>"

    def command(self, name: str) -> str:
        if name in GREEK:
            return f"<mi>{GREEK[name]}</mi>"
        if name in SIGNS:
            return f"<mo>{SIGNS[name]}</mo>"
        if name in ACCENTS:
            return f'<mover accent="true">{self.argument()}<mo>{ACCENTS[name]}</mo></mover>'
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"></mspace>'
        if name in ("frac", "tfrac"):
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name == "mathcal":
            letter = self.words()
            return f"<mi>{escape(CALLIGRAPHIC.get(letter, letter))}</mi>"
        return f"<mtext>{escape(self.words() if name in WORDS else name)}</mtext>"

    def argument(self) -> str:
        """What an accent, a fraction or a script is of; without braces the first letter or digit."""
        token = self.next()
        if token.isdigit() or (token.isalpha() and token.isascii()):
            self.tokens[self.place : self.place + 1] = list(token)
        return self.atom()

    def words(self) -> str:
        """The text in braces, as it stands."""
        if self.next() != "{":
            return ""
        start, depth = self.place + 1, 1
        self.place = start
        while self.place < len(self.tokens) and depth:
            depth += {"{": 1, "}": -1}.get(self.tokens[self.place], 0)
            self.place += 1
        said = self.tokens[start : self.place - 1 if not depth else self.place]
        return "".join(token[1:] if token.startswith("\\") and len(token) == 2 else token for token in said)
