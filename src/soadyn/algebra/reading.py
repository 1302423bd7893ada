"""Formulas from text: what `str` writes, and the papers' letters.

    sum      = term { ("+" | "-") term }
    term     = signed { ("@" | "·" | "*" | "/") signed }      * and / are for numbers
    signed   = { "+" | "-" } raised
    raised   = atom { ".T" | "^*" | "^-1" | "⁻¹" }            adjoint, adjoint, inverse, inverse
    atom     = number | name | "inv" "(" sum ")" | "sqrt" "(" sum ")" | "(" sum ")"
             | lambda_of("joint") | lambda_of(("joint", component)) | lambda_of(d_theta), and so on for W_of, X_of, ...

Signs bind as in Python: -X @ Y is (-X) @ Y. A bare star is no adjoint, since it multiplies. 1/2 is the fraction. φ, ψ̃,
τ̄, θ̈, Ω, 𝓜, 𝓔_φ, P⁺ are read as phi, psi_tilde, tau_bar, theta_ddot, Omega, mass, E_phi, P_plus.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NoReturn, TypeVar, final

from soadyn.algebra.expressions import Expression, Symbol, inv, sqrt
from soadyn.algebra.misfits import shown
from soadyn.algebra.numbers import Number, finite
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, NAMES
from soadyn.algebra.velocity_operators import CALL, OF_JOINT, along, d_theta
from soadyn.errors import FormulaError, SpaceError, unknown_name

LONGEST = 4000  # characters
DEEPEST = 50  # brackets in brackets; each takes a few of Python's stack frames
SHOWN = 60  # characters either side of the caret

FUNCTIONS: dict[str, Callable[[Expression], Expression]] = {"inv": inv, "sqrt": sqrt}
INVERSES = ("^-1", "⁻¹")
STAR = "; the adjoint is written .T or ^*"
# The papers' letters and marks, each with its look-alikes.
PAPERS = "φϕ phi, ψ psi, τ tau, θ theta, α alpha, Ω\u2126 Omega, Υϒ Upsilon, 𝓜ℳ mass, 𝓔ℰ E"
MARKS = "\u0303 _tilde, \u0304\u0305 _bar, \u0307 _dot, \u0308 _ddot, ⁺ _plus"
LETTERS = {
    letter: word
    for letters, word in (pair.split(" ") for pair in f"{PAPERS}, {MARKS}".split(", "))
    for letter in letters
}
TOKEN = re.compile(
    r"(?P<space>\s+)"
    rf"|(?P<joint>{CALL.pattern})"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d][\w\u0300-\u036f⁺]*)"
    r"|(?P<sign>\.T(?!\w)|\^\*|\^-1(?!\w)|⁻¹|[-+@*/()·⋅−])"
)
SAME_SIGN = {"·": "@", "⋅": "@", "−": "-"}

Value = Number | Expression
V = TypeVar("V")


def formula(text: str, own: Iterable[Symbol] = ()) -> Expression:
    """The formula that a text writes, with the papers' symbols and one's own; formula(str(x)) is x unless x is zero.

    >>> formula("H @ phi @ M @ phi.T @ H.T")
    <H @ phi @ M @ phi.T @ H.T : joint motion -> joint force>
    >>> formula("(I_joint - H·ψ·K)^*·D⁻¹·(T - H·ψ·K·T)")
    <(I_joint - K.T @ psi.T @ H.T) @ inv(D) @ (T - H @ psi @ K @ T) : joint motion>
    >>> formula("H @ pih @ M")
    Traceback (most recent call last):
    soadyn.errors.FormulaError: unknown operator or vector 'pih'. Did you mean 'psi' or 'phi' or 'alpha'?
        H @ pih @ M
            ^
    """
    if not isinstance(text, str):
        raise FormulaError(f"formula takes a text, got {type(text).__name__}")
    if len(text) > LONGEST:
        raise FormulaError(f"a formula's text has at most {LONGEST} characters, this one has {len(text)}")
    if not text.strip():
        raise FormulaError("formula takes a text with a formula in it, got an empty one")
    names = {**NAMES, **{symbol.name: symbol for symbol in own}}
    tokens = _tokens(text)
    _check_brackets(text, tokens)
    return _Reader(text, names, tokens).whole()


@final
@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "number", "name", "joint", "sign" or "end"
    text: str
    at: int


def _tokens(text: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None and text[at] in "[]{}":
            _wrong(f"the brackets of a formula are round, this one is {text[at]!r}", text, at)
        if found is None:
            _wrong(f"{_named(text[at])} has no meaning in a formula", text, at)
        kind, said = str(found.lastgroup), found.group()
        if kind != "space":
            tokens.append(_Token(kind, SAME_SIGN.get(said, said), at))
        at = found.end()
    return [*tokens, _Token("end", "", len(text.rstrip()))]


def _check_brackets(text: str, tokens: list[_Token]) -> None:
    """Refuse brackets that do not pair or that separate a sign from its operand, before anything is evaluated."""
    opened: list[_Token] = []
    for before, token in pairwise([_Token("end", "", 0), *tokens]):
        if token.text == "(":
            opened.append(token)
        elif token.text == ")":
            if not opened:
                _wrong("this bracket was never opened", text, token.at)
            opened.pop()
            if before.text == "(":
                _wrong("between these brackets there is nothing", text, before.at)
            if before.text in SIGNS:
                needs = f"this bracket closes behind {before.text!r}, which needs something behind it"
                _wrong(needs + (STAR if before.text == "*" else ""), text, token.at)
        elif before.text == "(" and token.kind == "sign" and token.text not in ("+", "-"):
            _wrong(f"this bracket opens before {token.text!r}, which needs something before it", text, before.at)
    if opened:
        _wrong("this bracket is never closed", text, opened[-1].at)


@final
@dataclass(slots=True)
class _Reader:
    """Recursive descent over the tokens, a method for each line of the grammar."""

    text: str
    names: Mapping[str, Expression]
    tokens: list[_Token]
    at: int = 0
    inside: list[str] = field(default_factory=list)  # the functions, "" for none, of the brackets around this place

    def whole(self) -> Expression:
        value = self._sum()
        last = self._peek
        if last.kind != "end":
            _wrong(f"a sign is missing before {last.text!r}; products are written with @", self.text, last.at)
        if not isinstance(value, Expression):
            _wrong("a number alone is no formula; 2 * I_joint is", self.text, 0)
        return value

    @property
    def _peek(self) -> _Token:
        return self.tokens[self.at]

    def _next(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _sum(self) -> Value:
        value = self._term()
        while self._peek.text in ("+", "-"):
            sign = self._next()
            value = self._joined(value, sign, self._term())
        return value

    def _term(self) -> Value:
        value = self._signed()
        while self._peek.text in ("@", "*", "/"):
            sign = self._next()
            value = self._joined(value, sign, self._signed())
        return value

    def _signed(self) -> Value:
        negative = False
        while self._peek.text in ("+", "-"):
            negative ^= self._next().text == "-"
        value = self._raised()
        return -value if negative else value

    def _raised(self) -> Value:
        value = self._atom()
        while self._peek.text in (".T", "^*", *INVERSES):
            sign = self._next()
            if not isinstance(value, Expression):
                _wrong(f"{sign.text} stands behind operators, not behind numbers", self.text, sign.at)
            value = self._tried(partial(inv, value), sign) if sign.text in INVERSES else value.T
        return value

    def _atom(self) -> Value:
        token = self._next()
        if token.kind == "number":
            return self._number(token)
        if token.kind == "joint":
            return self._of_a_joint(token)
        if token.kind == "name" and self._peek.text == "(":
            return self._applied(token)
        if token.kind == "name":
            return self._symbol(token)
        if token.text == "(":
            return self._bracket(token)
        found = "the end" if token.kind == "end" else f"{token.text!r}"
        before = self.tokens[self.at - 2].text if self.at > 1 else ""
        hint = STAR if before == "*" else ""
        _wrong(f"a name, a number or a bracket is missing before {found}{hint}", self.text, token.at)

    def _number(self, token: _Token) -> Number:
        # Python refuses to read longer integers, and doubles do not reach that far.
        whole = token.text.isdigit() and len(token.text) < 400
        return self._tried(lambda: finite(int(token.text) if whole else float(token.text)), token)

    def _of_a_joint(self, token: _Token) -> Expression:
        found = CALL.fullmatch(token.text)
        assert found is not None
        function, alone, name, component = found.groups()
        if function not in OF_JOINT:
            _wrong(str(unknown_name("function of a joint", _cut(function), OF_JOINT)), self.text, token.at)
        joint = (name, int(component)) if name is not None else d_theta if alone is None else alone
        return self._tried(lambda: along(OF_JOINT[function], joint), token)

    def _symbol(self, token: _Token) -> Expression:
        name = "".join(LETTERS.get(letter, letter) for letter in token.text)
        if name in self.names:
            return self.names[name]
        if name in FUNCTIONS:
            _wrong(f"{name} takes a formula in brackets, {name}(...)", self.text, token.at)
        if name == "I":
            _wrong(f"of which space is I? There are {', '.join(IDENTITIES_OF_SPACES)}", self.text, token.at)
        _wrong(str(unknown_name("operator or vector", _cut(name), self.names)), self.text, token.at)

    def _applied(self, token: _Token) -> Expression:
        function = FUNCTIONS.get(token.text)
        if function is None:
            known = self._symbol(token)
            _wrong(
                f"a sign is missing between {known} and the bracket; products are written with @", self.text, token.at
            )
        value = self._bracket(self._next(), token.text)
        if not isinstance(value, Expression):
            _wrong(f"{token.text} takes a formula, not a number", self.text, token.at)
        return self._tried(lambda: function(value), token)

    def _bracket(self, opened: _Token, function: str = "") -> Value:
        self.inside.append(function)
        if len(self.inside) > DEEPEST:
            _wrong(f"brackets lie in brackets at most {DEEPEST} deep", self.text, opened.at)
        value = self._sum()
        closing = self._next()
        if closing.text != ")":
            _wrong(f"a sign or a closing bracket is missing before {closing.text!r}", self.text, closing.at)
        self.inside.pop()
        return value

    def _joined(self, left: Value, sign: _Token, right: Value) -> Value:
        join = SIGNS[sign.text]
        if isinstance(left, Expression) or isinstance(right, Expression):
            return self._tried(lambda: join(left, right), sign, lambda: self._if_closed_before(left, sign, right))
        if sign.text == "@":
            _wrong("@ stands between operators; numbers are multiplied with *", self.text, sign.at)
        if sign.text == "/" and right == 0:
            _wrong("a number is divided by zero", self.text, sign.at)
        return self._tried(lambda: finite(join(left, right)), sign)

    def _if_closed_before(self, left: Value, sign: _Token, right: Value) -> str:
        """A hint for inv(left @ right) that does not fit, if inv(left) @ right would."""
        if self.inside[-1:] != ["inv"] or sign.text != "@" or not isinstance(left, Expression):
            return ""
        try:
            fits = inv(left) @ right
        except SpaceError:
            return ""
        return f"\nis the bracket misplaced, and {shown(fits)} meant?"

    def _tried(self, join: Callable[[], V], token: _Token, hint: Callable[[], str] = str) -> V:
        try:
            return join()
        except SpaceError as error:
            raise SpaceError(f"{error}{hint()}\n{_marked(self.text, token.at)}") from None


def _divided(left: Any, right: Any) -> Any:
    return Fraction(left) / right if isinstance(left, int) else left / right


SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "@": operator.matmul,
    "*": operator.mul,
    "/": _divided,
}


def _wrong(message: str, text: str, at: int) -> NoReturn:
    raise FormulaError(f"{message}\n{_marked(text, at)}")


def _marked(text: str, at: int) -> str:
    """The line of the text around a place, and a caret under the place."""
    start = max(text.rfind("\n", 0, at) + 1, at - SHOWN)
    end = min(len(text) if (stop := text.find("\n", at)) < 0 else stop, at + SHOWN)
    line = "".join(letter if letter.isprintable() else " " for letter in text[start:end])
    width = sum(not unicodedata.combining(letter) for letter in line[: at - start])
    return f"    {line.rstrip()}\n    {' ' * width}^"


def _named(letter: str) -> str:
    return repr(letter) if letter.isprintable() else f"the character U+{ord(letter):04X}"


def _cut(name: str) -> str:
    return name if len(name) <= SHOWN else f"{name[:SHOWN]}..."
