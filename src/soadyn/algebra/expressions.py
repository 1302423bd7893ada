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
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, NoReturn, final

from soadyn.algebra.meanings import Meaning, SymbolDoc
from soadyn.algebra.numbers import Number, finite, number_from
from soadyn.algebra.spaces import JOINT_FORCE, LINK_FORCE, NUMBER, Space
from soadyn.errors import SpaceError

# Bounds of a formula: recursion over one must fit Python's stack, and walks over one must end.
DEEPEST = 100  # a symbol counts 1; a product, sum, inverse, root or abbreviation 1 more than its deepest part
LARGEST = 100_000  # symbols, those of abbreviations included


class Expression:
    """An operator formula. Written with `@`, `+`, `-`, `*` by numbers, `/` by numbers, `.T`, `inv` and `sqrt`."""

    __slots__ = ("depth", "size")
    __array_ufunc__ = None  # NumPy arrays leave the operators to us

    domain: Space
    codomain: Space
    depth: int
    size: int

    def __post_init__(self) -> None:
        _measure(self)

    def __reduce__(self) -> tuple[type[Expression], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, x.name) for x in fields(self))  # type: ignore[arg-type]

    @property
    def T(self) -> Expression:
        """The adjoint: maps the dual of the codomain to the dual of the domain."""
        raise NotImplementedError

    @property
    def is_vector(self) -> bool:
        return self.domain == NUMBER

    def __matmul__(self, other: object) -> Expression:
        return product(self, other) if isinstance(other, Expression) else _refuse(self, "@", other)

    def __rmatmul__(self, other: object) -> Expression:
        _refuse(self, "@", other, before=True)

    def __add__(self, other: object) -> Expression:
        return total(((1, self), (1, other))) if isinstance(other, Expression) else _refuse(self, "+", other)

    def __radd__(self, other: object) -> Expression:
        _refuse(self, "+", other, before=True)

    def __sub__(self, other: object) -> Expression:
        return total(((1, self), (-1, other))) if isinstance(other, Expression) else _refuse(self, "-", other)

    def __rsub__(self, other: object) -> Expression:
        _refuse(self, "-", other, before=True)

    def __neg__(self) -> Expression:
        return total(((-1, self),))

    def __pos__(self) -> Expression:
        return self

    def __mul__(self, other: object) -> Expression:
        return total(((_number(self, "*", other), self),))

    def __rmul__(self, other: object) -> Expression:
        return total(((_number(self, "*", other, before=True), self),))

    def __truediv__(self, other: object) -> Expression:
        number = _number(self, "/", other)
        if number == 0:
            raise SpaceError(f"{self} / 0: a formula is divided by a number other than zero")
        return total(((1 / Fraction(number) if isinstance(number, int) else 1 / number, self),))

    def __rtruediv__(self, other: object) -> Expression:
        _refuse(self, "/", other, before=True)

    def __pow__(self, other: object) -> Expression:
        _refuse(self, "**", other)

    def __copy__(self) -> Expression:
        return self

    def __deepcopy__(self, memo: object) -> Expression:
        return self

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
class Symbol(Expression):
    __doc__ = SymbolDoc(
        "A named operator or vector. `local` operators are block diagonal; `formula` is what a user's abbreviation "
        "means; `blocks` are a user's numbers, compared by identity; `along` is the joint component that alone moves."
    )

    name: str
    domain: Space
    codomain: Space
    symmetric: bool = False
    local: bool = False
    formula: Expression | None = None
    blocks: Any = field(default=None, hash=False)
    along: tuple[str, int | None] | None = None
    meaning: Meaning = field(default=Meaning(), compare=False)

    @property
    def T(self) -> Expression:
        return self if self.symmetric else Adjoint(self)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Identity(Expression):
    __doc__ = SymbolDoc("The identity of a space; in a sum or product that of the dual space where that is what fits.")

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


def _measure(x: Expression) -> None:
    """Set the depth and size of a new formula, or refuse one that is too deep or too large."""
    depth, size = 0, 0
    for part in parts(x):
        depth, size = max(depth, part.depth), size + part.size
    if depth >= DEEPEST:
        raise SpaceError(
            f"a formula nests at most {DEEPEST} deep: products, sums, inverses and abbreviations in others"
        )
    if size > LARGEST:
        raise SpaceError(f"a formula has at most {LARGEST:,} symbols, those of its abbreviations included")
    object.__setattr__(x, "depth", depth if isinstance(x, Adjoint) else depth + 1)
    object.__setattr__(x, "size", size or 1)


def zero(domain: Space, codomain: Space) -> Sum:
    """The operator that maps everything to zero."""
    return Sum((), domain, codomain)


def inv(X: Expression) -> Expression:
    """The inverse of an operator that maps a space to one of the same size.

    >>> from soadyn.algebra import D, inv, phi
    >>> inv(inv(D)) == D
    True
    """
    if not isinstance(X, Expression) or X.is_vector or not is_square(X) or (isinstance(X, Sum) and not X.terms):
        from soadyn.algebra.misfits import inverse_misfit

        raise SpaceError(inverse_misfit(X))
    return X.of if isinstance(X, Inverse) else X if isinstance(X, Identity) else Inverse(X)


def sqrt(X: Expression) -> Expression:
    """The root of a symmetric block diagonal operator: X = sqrt(X) @ sqrt(X).T.

    >>> from soadyn.algebra import D, sqrt
    >>> sqrt(D)
    <sqrt(D) : white joint -> joint force>
    """
    if isinstance(X, Symbol) and X.symmetric and X.local and X.codomain in (JOINT_FORCE, LINK_FORCE):
        return Root(X)
    from soadyn.algebra.misfits import root_misfit

    raise SpaceError(root_misfit(X))


def product(left: Expression, right: Expression) -> Expression:
    """left @ right, if the spaces fit."""
    left = _fit(left, right.codomain)
    right = _fit(right, left.domain)
    if left.domain != right.codomain:
        from soadyn.algebra.misfits import product_misfit

        raise SpaceError(product_misfit(left, right))
    if isinstance(left, Identity):
        return right
    if isinstance(right, Identity):
        return left
    if any(isinstance(x, Sum) and not x.terms for x in (left, right)):
        return zero(right.domain, left.codomain)
    return Product((*_factors(left), *_factors(right)))


def total(terms: tuple[tuple[Number, Expression], ...]) -> Expression:
    """The sum of terms with numbers in front, if all map the same spaces."""
    first = next((x for _, x in terms if not is_scalar(x)), terms[0][1])
    fitted = [(number, _fit(x, first.domain)) for number, x in terms]
    for i, (_, x) in enumerate(fitted):
        if (x.domain, x.codomain) != (first.domain, first.codomain):
            from soadyn.algebra.misfits import sum_misfit

            raise SpaceError(sum_misfit(terms[max(i - 1, 0)][1], terms[max(i, 1)]))
    flat: list[tuple[Number, Expression]] = []
    for number, x in fitted:
        inner = x.terms if isinstance(x, Sum) else ((1, x),)
        flat += inner if number == 1 else [(finite(number * c), y) for c, y in inner]
    if len(flat) == 1 and flat[0][0] == 1:
        return flat[0][1]
    return Sum(tuple((c, x) for c, x in flat if c != 0), first.domain, first.codomain)


def parts(x: Expression) -> tuple[Expression, ...]:
    """What a formula is made of; of an abbreviation, what it stands for."""
    match x:
        case Product():
            return x.factors
        case Sum():
            return tuple(term for _, term in x.terms)
        case Inverse() | Adjoint() | Root():
            return (x.of,)
        case Symbol() if x.formula is not None:
            return (x.formula,)
    return ()


def walk(x: Expression) -> Iterator[Expression]:
    """The expression and all below it."""
    yield x
    for part in parts(x):
        yield from walk(part)


def _factors(x: Expression) -> tuple[Expression, ...]:
    return x.factors if isinstance(x, Product) else (x,)


def is_square(x: Expression) -> bool:
    """Whether a formula maps a place to itself, white or not; only then can it have an inverse."""
    return x.domain.place.removeprefix("white ") == x.codomain.place.removeprefix("white ")


def is_scalar(x: Expression) -> bool:
    """Whether a formula is made of identities and numbers only; it then serves motions and forces alike."""
    if isinstance(x, Product | Sum | Inverse):
        return bool(parts(x)) and all(map(is_scalar, parts(x)))
    return isinstance(x, Identity)


def _fit(x: Expression, space: Space) -> Expression:
    """A multiple of the identity becomes that of the dual space where that is what fits."""
    return _for_duals(x) if x.domain == space.dual and x.domain != space and is_scalar(x) else x


def _for_duals(x: Expression) -> Expression:
    """A formula of identities and numbers for the dual space; a transpose would exchange its factors."""
    match x:
        case Product():
            return Product(tuple(map(_for_duals, x.factors)))
        case Sum():
            return Sum(tuple((c, _for_duals(term)) for c, term in x.terms), x.domain.dual, x.codomain.dual)
        case Inverse():
            return Inverse(_for_duals(x.of))
    return x.T


def _number(x: Expression, sign: str, other: object, *, before: bool = False) -> Number:
    number = number_from(other)
    return _refuse(x, sign, other, before=before) if number is None else number


def _refuse(x: Expression, sign: str, other: object, *, before: bool = False) -> NoReturn:
    from soadyn.algebra.misfits import sign_misfit

    raise SpaceError(sign_misfit(x, sign, other, before=before))
