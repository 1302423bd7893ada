"""Text of formulas in tokens: names, numbers, signs, powers, each with its place; and errors that mark a place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NoReturn, final

from soadyn.algebra.paper_letters import FORMULAS, ascii_name, neighbours
from soadyn.algebra.velocity_operators import CALL
from soadyn.errors import FormulaError

SHOWN = 60  # characters either side of the caret
SIGNS = "+-@*/"
STAR = "; the adjoint is written .T or ^*"
TOKEN = re.compile(
    r"(?P<space>\s+)"
    rf"|(?P<joint>{CALL.pattern})"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<power>\.T(?!\w)|⁻¹|ᵀ|\^(?:\*|-\*|-1(?![\w/])|[T⊤](?!\w)|\{\s*(?:-?\*|T|-1|-?1/2|\*/2)\s*\}))"
    r"|(?P<name>[^\W\d](?:(?!ᵀ)[\w\u0300-\u036f⁺])*)"
    r"|(?P<sign>[-+@*/()·⋅∙•−∗⋆])"
)
SAME_SIGN = {**dict.fromkeys("·⋅∙•", "@"), "−": "-", **dict.fromkeys("∗⋆", "*")}
BEHIND_A_STAR = re.compile(r"[\w.(]|\s*[-+−]*[0-9.]")  # what a star that multiplies has right behind it


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A part of a text, and where it begins."""

    kind: str  # "number", "name", "joint", "power", "sign", "end", or "star" of one that may be an adjoint
    text: str
    at: int

    @property
    def ends_an_operand(self) -> bool:
        return self.kind in ("name", "joint", "power", "star") or self.text == ")"

    @property
    def starts_an_operand(self) -> bool:
        return self.kind in ("name", "joint", "number") or self.text == "("


def tokens(text: str, names: Container[str]) -> list[Token]:
    """The tokens of a text; a name is taken as a whole where it is known."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None and text[at] in "[]{}":
            wrong(f"the brackets of a formula are round, this one is {text[at]!r}", text, at)
        if match is None:
            wrong(f"{_named(text[at])} has no meaning in a formula", text, at)
        kind, said = str(match.lastgroup), match.group()
        if kind == "name":
            found += _names(said, at, names)
        elif kind != "space":
            said = SAME_SIGN.get(said, said)
            behind = bool(found) and not text[at - 1].isspace() and found[-1].ends_an_operand
            star = said == "*" and behind and not BEHIND_A_STAR.match(text, match.end())
            found.append(Token("star" if star else kind, said, at))
        at = match.end()
    return [*found, Token("end", "", len(text.rstrip()))]


def _names(said: str, at: int, names: Container[str]) -> list[Token]:
    """A name, or the letters of a product without spaces."""
    known = ascii_name(said) in names or said in FORMULAS
    parts = [] if known else neighbours(said, names)
    starts = accumulate(map(len, parts[:-1]), initial=at)
    return [Token("name", part, start) for part, start in zip(parts or [said], starts, strict=True)]


def check_brackets(text: str, found: list[Token]) -> None:
    """Refuse brackets that do not pair or that separate a sign from its operand, before anything is evaluated."""
    opened: list[Token] = []
    for before, token in pairwise([Token("end", "", 0), *found]):
        if token.text == "(":
            opened.append(token)
        elif token.text == ")":
            if not opened:
                wrong("this bracket was never opened", text, token.at)
            opened.pop()
            if before.text == "(":
                wrong("between these brackets there is nothing", text, before.at)
            if before.kind == "sign" and before.text in SIGNS:
                needs = f"this bracket closes behind {before.text!r}, which needs something behind it"
                wrong(needs + (STAR if before.text == "*" else ""), text, token.at)
        elif before.text == "(" and token.kind in ("sign", "power") and token.text not in ("+", "-"):
            wrong(f"this bracket opens before {token.text!r}, which needs something before it", text, before.at)
    if opened:
        wrong("this bracket is never closed", text, opened[-1].at)


def wrong(message: str, text: str, at: int) -> NoReturn:
    """Refuse a text at a place."""
    raise FormulaError(f"{message}\n{marked(text, at)}")


def marked(text: str, at: int) -> str:
    """The line of the text around a place, and a caret under the place."""
    start = max(text.rfind("\n", 0, at) + 1, at - SHOWN)
    end = min(len(text) if (stop := text.find("\n", at)) < 0 else stop, at + SHOWN)
    line = "".join(letter if letter.isprintable() else " " for letter in text[start:end])
    width = sum(not unicodedata.combining(letter) for letter in line[: at - start])
    return f"    {line.rstrip()}\n    {' ' * width}^"


def _named(letter: str) -> str:
    return repr(letter) if letter.isprintable() else f"the character U+{ord(letter):04X}"
