"""Operator formulas: a small closed set of frozen nodes. A vector is an operator whose domain is the numbers.

    Symbol      a named operator or vector         X.T        its adjoint
    Product     X @ Y                              Sum        X + Y - Z, 2 * X
    Inverse     inv(X)                             Root       sqrt(X), X = sqrt(X) @ sqrt(X).T
    Identity    of joints or links

Spaces are checked while a formula is written. Adjoints are moved inward to the symbols at once, products and sums are
flattened; nothing else is rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from soadyn.algebra.spaces import NUMBER, Space
from soadyn.errors import SpaceError

Number = int | float | Fraction


class Expression:
    """An operator formula. Written with `@`, `+`, `-`, `*` by numbers, `/` by numbers, `.T`, `inv` and `sqrt`."""

    __slots__ = ()
    __array_ufunc__ = None  # NumPy arrays leave the operators to us

    domain: Space
    codomain: Space

    @property
    def T(self) -> Expression:
        """The adjoint: maps the dual of the codomain to the dual of the domain."""
        raise NotImplementedError

    @property
    def is_vector(self) -> bool:
        return self.domain == NUMBER

    def __matmul__(self, other: object) -> Expression:
        return product(self, other) if isinstance(other, Expression) else _stranger(self, "@", other)

    def __rmatmul__(self, other: object) -> Expression:
        return _stranger(self, "@", other)

    def __add__(self, other: object) -> Expression:
        return total(((1, self), (1, other))) if isinstance(other, Expression) else _stranger(self, "+", other)

    def __radd__(self, other: object) -> Expression:
        return _stranger(self, "+", other)

    def __sub__(self, other: object) -> Expression:
        return total(((1, self), (-1, other))) if isinstance(other, Expression) else _stranger(self, "-", other)

    def __rsub__(self, other: object) -> Expression:
        return _stranger(self, "-", other)

    def __neg__(self) -> Expression:
        return total(((-1, self),))

    def __mul__(self, other: object) -> Expression:
        if isinstance(other, Expression):
            raise SpaceError(f"{self} * {other}: operators are multiplied with @, * is for numbers")
        return total(((_number(self, "*", other), self),))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Expression:
        if isinstance(other, Expression):
            raise SpaceError(f"{self} / {other}: write inv({other}) @ ... or ... @ inv({other}), the order matters")
        number = _number(self, "/", other)
        if number == 0:
            raise SpaceError(f"{self} / 0: a formula is divided by a number other than zero")
        return total(((1 / Fraction(number) if isinstance(number, int) else 1 / number, self),))

    def __bool__(self) -> bool:
        raise SpaceError(f"{self} is a formula, neither true nor false; sd.prove compares two formulas")

    def __str__(self) -> str:
        from soadyn.algebra.writing import text

        return text(self)

    def __repr__(self) -> str:
        return f"<{self} : {self.codomain}>" if self.is_vector else f"<{self} : {self.domain} -> {self.codomain}>"

    def _repr_latex_(self) -> str:
        from soadyn.algebra.writing import latex

        return f"${latex(self)}$"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Meaning:
    """What a symbol stands for: how the papers write it, its definition, where it is defined, what it is in physics."""

    latex: str = ""
    definition: str = ""
    reference: str = ""
    physics: str = ""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Symbol(Expression):
    """A named operator or vector. `local` operators are block diagonal; `formula` is what a user's abbreviation means;
    `blocks` are a user's numbers, compared by identity."""

    name: str
    domain: Space
    codomain: Space
    symmetric: bool = False
    local: bool = False
    formula: Expression | None = None
    blocks: Any = field(default=None, hash=False)
    meaning: Meaning = field(default=Meaning(), compare=False)

    @property
    def T(self) -> Expression:
        return self if self.symmetric else Adjoint(self)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        said = self.meaning
        maps = f"a {self.codomain}" if self.is_vector else f"{self.domain} -> {self.codomain}"
        parts = [f"{self.name} : {maps}", said.physics, said.definition, said.reference and f"[{said.reference}]"]
        return "\n\n".join(part for part in parts if part)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Identity(Expression):
    """The identity of a space; in a sum or product that of the dual space where that is what fits."""

    domain: Space

    @property
    def codomain(self) -> Space:  # type: ignore[override]
        return self.domain

    @property
    def T(self) -> Expression:
        return Identity(self.domain.dual)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Adjoint(Expression):
    """The adjoint of a symbol, inverse or root."""

    of: Symbol | Root

    @property
    def domain(self) -> Space:  # type: ignore[override]
        return self.of.codomain.dual

    @property
    def codomain(self) -> Space:  # type: ignore[override]
        return self.of.domain.dual

    @property
    def T(self) -> Expression:
        return self.of


@final
@dataclass(frozen=True, slots=True, repr=False)
class Product(Expression):
    """Factors, applied from right to left; none of them a product."""

    factors: tuple[Expression, ...]

    @property
    def domain(self) -> Space:  # type: ignore[override]
        return self.factors[-1].domain

    @property
    def codomain(self) -> Space:  # type: ignore[override]
        return self.factors[0].codomain

    @property
    def T(self) -> Expression:
        return Product(tuple(factor.T for factor in reversed(self.factors)))


@final
@dataclass(frozen=True, slots=True, repr=False)
class Sum(Expression):
    """Terms with numbers in front; none of them a sum. Without terms it is zero."""

    terms: tuple[tuple[Number, Expression], ...]
    domain: Space
    codomain: Space

    @property
    def T(self) -> Expression:
        return Sum(tuple((c, term.T) for c, term in self.terms), self.codomain.dual, self.domain.dual)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Inverse(Expression):
    """inv(X)."""

    of: Expression

    @property
    def domain(self) -> Space:  # type: ignore[override]
        return self.of.codomain

    @property
    def codomain(self) -> Space:  # type: ignore[override]
        return self.of.domain

    @property
    def T(self) -> Expression:
        return Inverse(self.of.T)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Root(Expression):
    """sqrt(X) of a symmetric block diagonal X, the lower Cholesky factor of each block: X = sqrt(X) @ sqrt(X).T."""

    of: Symbol

    @property
    def domain(self) -> Space:  # type: ignore[override]
        return Space("white joint" if self.of.domain.place == "joint" else "white link", "")

    @property
    def codomain(self) -> Space:  # type: ignore[override]
        return self.of.codomain

    @property
    def T(self) -> Expression:
        return Adjoint(self)


def zero(domain: Space, codomain: Space) -> Sum:
    """The operator that maps everything to zero."""
    return Sum((), domain, codomain)


def inv(X: Expression) -> Expression:
    """The inverse of an operator that maps a space to one of the same size.

    >>> from soadyn.algebra import D, inv, phi
    >>> inv(inv(D)) == D
    True
    """
    if not isinstance(X, Expression):
        raise SpaceError(f"inv takes a formula, got {type(X).__name__}")
    if X.is_vector:
        raise SpaceError(f"inv({X}): a vector ({X.codomain}) has no inverse")
    if X.domain.place.removeprefix("white ") != X.codomain.place.removeprefix("white "):
        raise SpaceError(f"inv({X}): {X} maps {X.domain} to {X.codomain}; only what maps a place to itself is inverted")
    if isinstance(X, Sum) and not X.terms:
        raise SpaceError("inv(0): zero has no inverse")
    return X.of if isinstance(X, Inverse) else X if isinstance(X, Identity) else Inverse(X)


def sqrt(X: Expression) -> Expression:
    """The root of a symmetric block diagonal operator: X = sqrt(X) @ sqrt(X).T.

    >>> from soadyn.algebra import D, sqrt
    >>> sqrt(D)
    <sqrt(D) : white joint -> joint force>
    """
    if not isinstance(X, Expression):
        raise SpaceError(f"sqrt takes a formula, got {type(X).__name__}")
    if not (isinstance(X, Symbol) and X.symmetric and X.local and X.codomain.side == "force"):
        raise SpaceError(
            f"sqrt({X}): only symmetric block diagonal operators from motions to forces, such as M, P, D and A_r, "
            f"have a root here; {X} maps {X.domain} to {X.codomain}"
        )
    if X.domain.place not in ("joint", "link"):
        raise SpaceError(f"sqrt({X}): only operators of all joints or all links have a root here")
    return Root(X)


def product(left: Expression, right: Expression) -> Expression:
    """left @ right, if the spaces fit."""
    if isinstance(left, Identity) and left.domain.place == right.codomain.place:
        return right
    if isinstance(right, Identity) and right.domain.place == left.domain.place and not left.is_vector:
        return left
    if left.domain != right.codomain:
        raise SpaceError(_misfit(left, right))
    if isinstance(right, Sum) and not right.terms:
        return zero(right.domain, left.codomain)
    if isinstance(left, Sum) and not left.terms:
        return zero(right.domain, left.codomain)
    return Product((*_factors(left), *_factors(right)))


def total(terms: tuple[tuple[Number, Expression], ...]) -> Expression:
    """The sum of terms with numbers in front, if all map the same spaces."""
    flat: list[tuple[Number, Expression]] = []
    for number, term in terms:
        inner = term.terms if isinstance(term, Sum) else ((1, term),)
        flat += [(number * c, x) for c, x in inner]
    first = next((x for _, x in terms if not isinstance(x, Identity)), terms[0][1])
    for _, term in terms:
        _check_like(first, term)
    fitted = [(c, _fit(x, first)) for c, x in flat]
    if len(fitted) == 1 and fitted[0][0] == 1:
        return fitted[0][1]
    return Sum(tuple((c, x) for c, x in fitted if c != 0), first.domain, first.codomain)


def walk(x: Expression) -> Iterator[Expression]:
    """The expression and all below it."""
    yield x
    match x:
        case Product():
            inner: tuple[Expression, ...] = x.factors
        case Sum():
            inner = tuple(term for _, term in x.terms)
        case Inverse() | Adjoint() | Root():
            inner = (x.of,)
        case Symbol() if x.formula is not None:
            inner = (x.formula,)
        case _:
            inner = ()
    for part in inner:
        yield from walk(part)


def _factors(x: Expression) -> tuple[Expression, ...]:
    return x.factors if isinstance(x, Product) else (x,)


def _fit(x: Expression, like: Expression) -> Expression:
    """An identity among terms is that of their space."""
    return Identity(like.domain) if isinstance(x, Identity) else x


def _check_like(first: Expression, term: Expression) -> None:
    if isinstance(term, Identity):
        fits = first.domain == first.codomain and first.domain.place == term.domain.place
    else:
        fits = (first.domain, first.codomain) == (term.domain, term.codomain)
    if not fits:
        raise SpaceError(f"{_said(first)} and {_said(term)} cannot be added: they map different spaces")


def _misfit(left: Expression, right: Expression) -> str:
    if left.is_vector:
        return f"{left} @ {right}: {left} is a vector ({left.codomain}); vectors stand at the right end of a product"
    hint = ""
    if left.domain == right.codomain.dual:
        hint = "; one is of motions, the other of forces"
        if not left.is_vector and left.codomain.dual == right.codomain:
            hint += f" (is {left.T} meant?)"
    elif left.domain.place == right.codomain.place == "joint":
        hint = ""
    takes = f"{left} takes a {left.domain}"
    gives = f"{right} is a {right.codomain}" if right.is_vector else f"{right} gives a {right.codomain}"
    return f"{left} @ {right}: {takes}, but {gives}{hint}"


def _said(x: Expression) -> str:
    return f"{x} ({x.codomain})" if x.is_vector else f"{x} ({x.domain} -> {x.codomain})"


def _number(x: Expression, sign: str, other: object) -> Number:
    if isinstance(other, bool) or not isinstance(other, (int, float, Fraction)):
        _stranger(x, sign, other)
    return other  # type: ignore[return-value]


def _stranger(x: Expression, sign: str, other: object) -> Expression:
    raise SpaceError(
        f"{x} {sign} a {type(other).__name__}: formulas are joined with formulas"
        f"{' or scaled by plain numbers' if sign in '*/' else ''}; a block diagonal operator is made from an array by "
        "sd.operator, a vector by sd.vector"
    )
