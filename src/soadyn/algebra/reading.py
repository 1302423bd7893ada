"""Formulas from text: what `str` writes, and the papers' letters.

    sum      = term { ("+" | "-") term }
    term     = signed { [ "@" | "·" | "*" | "/" ] signed }    * and / are for numbers; no sign means a product
    signed   = { "+" | "-" } raised
    raised   = atom { ".T" | "^*" | "*" | "^-1" | "⁻¹" | "ᵀ" | "^" power | "^{" power "}" }
    power    = "*" | "T" | "-1" | "-*" | "1/2" | "-1/2" | "*/2"
    atom     = number | name | "inv" "(" sum ")" | "sqrt" "(" sum ")" | "(" sum ")"
             | lambda_of("joint") | lambda_of(("joint", component)) | lambda_of(d_theta), and so on for W_of, X_of, ...

Signs bind as in Python: -X @ Y is (-X) @ Y. A bare star is the adjoint where it stands right behind an operator and
nothing to be multiplied right behind the star: φ* H* and (φ*), but 2*H and H * 2. 1/2 is the fraction. φ, ψ̃, τ̄, θ̈, Ω,
𝓜, 𝓔_φ, P⁺, Φ are read as phi, psi_tilde, tau_bar, theta_ddot, Omega, mass, E_phi, P_plus, phi_tilde, and Ψ as
psi @ E_phi. I is the identity of the space beside which it stands.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn, TypeVar, final

from soadyn.algebra.expressions import Expression, Identity, Symbol, inv, sqrt
from soadyn.algebra.misfits import shown
from soadyn.algebra.numbers import Number, finite
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, NAMES
from soadyn.algebra.paper_letters import FORMULAS, ascii_name, hint
from soadyn.algebra.spaces import NUMBER, Space
from soadyn.algebra.tokens import SHOWN, STAR, Token, check_brackets, marked, tokens, wrong
from soadyn.algebra.velocity_operators import CALL, OF_JOINT, along, d_theta
from soadyn.errors import FormulaError, SpaceError, unknown_name

LONGEST = 4000  # characters
SPACED = "; an adjoint before a factor is written .T or ^*, or with a space behind its star"
DEEPEST = 50  # brackets in brackets; each takes a few of Python's stack frames

FUNCTIONS: dict[str, Callable[[Expression], Expression]] = {"inv": inv, "sqrt": sqrt}
POWERS: dict[str, Callable[[Expression], Expression]] = {
    "*": lambda x: x.T,
    "T": lambda x: x.T,
    "-1": inv,
    "-*": lambda x: inv(x).T,
    "1/2": sqrt,
    "-1/2": lambda x: inv(sqrt(x)),
    "*/2": lambda x: sqrt(x).T,
}
SAME_POWER = {".T": "T", "ᵀ": "T", "^⊤": "T", "⁻¹": "-1"}
V = TypeVar("V")


@final
@dataclass(frozen=True, slots=True)
class _Multiple:
    """A multiple of I while it is not known of which space I is."""

    number: Number

    def __neg__(self) -> _Multiple:
        return _Multiple(-self.number)


Value = Number | Expression | _Multiple


def formula(text: str, own: Iterable[Symbol] = ()) -> Expression:
    """The formula that a text writes, with the papers' symbols and one's own; formula(str(x)) is x unless x is zero.

    >>> formula("H @ phi @ M @ phi.T @ H.T")
    <H @ phi @ M @ phi.T @ H.T : joint motion -> joint force>
    >>> formula("(I_joint - H·ψ·K)^*·D⁻¹·(T - H·ψ·K·T)")
    <(I_joint - K.T @ psi.T @ H.T) @ inv(D) @ (T - H @ psi @ K @ T) : joint motion>
    >>> formula("H @ pih @ M")
    Traceback (most recent call last):
    soadyn.errors.FormulaError: unknown operator or vector 'pih'. Did you mean 'psi' or 'phi' or 'P'?
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
    parts = tokens(text, names)
    check_brackets(text, parts)
    return _Reader(text, names, parts).whole()


@final
@dataclass(slots=True)
class _Reader:
    """Recursive descent over the tokens, a method for each line of the grammar."""

    text: str
    names: Mapping[str, Expression]
    tokens: list[Token]
    at: int = 0
    inside: list[str] = field(default_factory=list)  # the functions, "" for none, of the brackets around this place

    def whole(self) -> Expression:
        value = self._sum()
        last = self._peek
        if last.kind != "end":
            wrong(f"a sign is missing before {last.text!r}", self.text, last.at)
        if isinstance(value, _Multiple):
            self._of_no_space(self.tokens[0])
        if not isinstance(value, Expression):
            wrong("a number alone is no formula; 2 * I_joint is", self.text, 0)
        return value

    @property
    def _peek(self) -> Token:
        return self.tokens[self.at]

    def _next(self) -> Token:
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
        while self._peek.text in ("@", "*", "/") or self._peek.starts_an_operand:
            if self._peek.kind == "number":
                wrong(f"a sign is missing before {self._peek.text!r}", self.text, self._peek.at)
            written = not self._peek.starts_an_operand
            sign = self._next() if written else Token("sign", _unwritten(value), self._peek.at)
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
        while self._peek.kind == "power" or (self._peek.kind == "star" and isinstance(value, Expression | _Multiple)):
            sign = self._next()
            power = SAME_POWER.get(sign.text, sign.text.strip("^{} "))
            if isinstance(value, Expression):
                value = self._tried(partial(POWERS[power], value), sign)
            elif not isinstance(value, _Multiple):
                wrong(f"{sign.text} stands behind operators, not behind numbers", self.text, sign.at)
            elif power not in ("*", "T") and value.number != 1:
                self._of_no_space(sign)
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
        wrong(f"a name, a number or a bracket is missing before {found}{hint}", self.text, token.at)

    def _number(self, token: Token) -> Number:
        # Python refuses to read longer integers, and doubles do not reach that far.
        whole = token.text.isdigit() and len(token.text) < 400
        return self._tried(lambda: finite(int(token.text) if whole else float(token.text)), token)

    def _of_a_joint(self, token: Token) -> Expression:
        found = CALL.fullmatch(token.text)
        assert found is not None
        function, alone, name, component = found.groups()
        if function not in OF_JOINT:
            wrong(str(unknown_name("function of a joint", _cut(function), OF_JOINT)), self.text, token.at)
        joint = (name, int(component)) if name is not None else d_theta if alone is None else alone
        return self._tried(lambda: along(OF_JOINT[function], joint), token)

    def _symbol(self, token: Token) -> Value:
        name = ascii_name(token.text)
        if name in self.names:
            return self.names[name]
        if name in FUNCTIONS:
            wrong(f"{name} takes a formula in brackets, {name}(...)", self.text, token.at)
        if name == "I":
            return _Multiple(1)
        if name in FORMULAS:
            return formula(FORMULAS[name])
        unknown = str(unknown_name("operator or vector", _cut(name), self.names))
        wrong(unknown + hint(token.text, self.names), self.text, token.at)

    def _applied(self, token: Token) -> Value:
        function = FUNCTIONS.get(token.text)
        if function is None:  # a product with what is in the bracket
            return self._symbol(token)
        value = self._bracket(self._next(), token.text)
        if isinstance(value, _Multiple):
            self._of_no_space(token)
        if not isinstance(value, Expression):
            wrong(f"{token.text} takes a formula, not a number", self.text, token.at)
        return self._tried(lambda: function(value), token)

    def _of_no_space(self, token: Token) -> NoReturn:
        wrong(f"of which space is I? There are {', '.join(IDENTITIES_OF_SPACES)}", self.text, token.at)

    def _bracket(self, opened: Token, function: str = "") -> Value:
        self.inside.append(function)
        if len(self.inside) > DEEPEST:
            wrong(f"brackets lie in brackets at most {DEEPEST} deep", self.text, opened.at)
        value = self._sum()
        closing = self._next()
        if closing.text != ")":
            wrong(f"a sign or a closing bracket is missing before {closing.text!r}", self.text, closing.at)
        self.inside.pop()
        return value

    def _joined(self, left: Value, sign: Token, right: Value) -> Value:
        if isinstance(left, _Multiple) and isinstance(right, Expression):
            left = self._placed(left, right.codomain, right, sign)
        if isinstance(right, _Multiple) and isinstance(left, Expression):
            right = self._placed(right, left.domain, left, sign)
        if isinstance(left, _Multiple) or isinstance(right, _Multiple):
            return self._multiple(left, sign, right)
        join = SIGNS[sign.text]
        if isinstance(left, Expression) or isinstance(right, Expression):
            return self._tried(lambda: join(left, right), sign, lambda: self._hint(left, sign, right))
        if sign.text == "@":
            wrong("@ stands between operators; numbers are multiplied with *", self.text, sign.at)
        if sign.text == "/" and right == 0:
            wrong("a number is divided by zero", self.text, sign.at)
        return self._tried(lambda: finite(join(left, right)), sign)

    def _placed(self, value: _Multiple, space: Space, beside: Expression, sign: Token) -> Expression:
        """A multiple of I as an operator of the space of what stands beside it."""
        square = beside.domain.place == beside.codomain.place
        if space == NUMBER or (sign.text in "+-" and not square):
            self._of_no_space(sign)
        return Identity(space) if value.number == 1 else value.number * Identity(space)

    def _multiple(self, left: Value, sign: Token, right: Value) -> _Multiple:
        """Multiples of I joined with each other, or with numbers."""
        both = isinstance(left, _Multiple) and isinstance(right, _Multiple)
        if sign.text not in ("+-@" if both else "*/") or (sign.text == "/" and not isinstance(left, _Multiple)):
            wrong(f"{sign.text} does not stand between {'I and I' if both else 'I and a number'}", self.text, sign.at)
        one, other = (x.number if isinstance(x, _Multiple) else x for x in (left, right))
        if sign.text == "/" and other == 0:
            wrong("a number is divided by zero", self.text, sign.at)
        join = operator.mul if sign.text == "@" else SIGNS[sign.text]
        return _Multiple(self._tried(lambda: finite(join(one, other)), sign))

    def _hint(self, left: Value, sign: Token, right: Value) -> str:
        """A hint for inv(left @ right) that does not fit, if inv(left) @ right would; or for an adjoint's star."""
        if sign.text == "*" and isinstance(left, Expression) and isinstance(right, Expression):
            return SPACED
        if self.inside[-1:] != ["inv"] or sign.text != "@" or not isinstance(left, Expression):
            return ""
        try:
            fits = inv(left) @ right
        except SpaceError:
            return ""
        return f"\nis the bracket misplaced, and {shown(fits)} meant?"

    def _tried(self, join: Callable[[], V], token: Token, hint: Callable[[], str] = str) -> V:
        try:
            return join()
        except SpaceError as error:
            raise SpaceError(f"{error}{hint()}\n{marked(self.text, token.at)}") from None


def _unwritten(left: Value) -> str:
    """The sign that is meant between neighbours."""
    return "@" if isinstance(left, Expression | _Multiple) else "*"


def _divided(left: Any, right: Any) -> Any:
    return Fraction(left) / right if isinstance(left, int) else left / right


SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "@": operator.matmul,
    "*": operator.mul,
    "/": _divided,
}


def _cut(name: str) -> str:
    return name if len(name) <= SHOWN else f"{name[:SHOWN]}..."
