"""Checks of the arguments of `prove` and `simplify`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from soadyn.algebra.expressions import Expression, Identity, Symbol, walk
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import Need
from soadyn.algebra.operators import WHOLE_ARM_NAMES
from soadyn.algebra.reading import formula
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.velocity_operators import moving
from soadyn.errors import ArgumentError, SpaceError, UnknownNameError

MOST_SYMBOLS = 1000  # of a formula; larger ones are left alone

Formula = Expression | str  # text is read by `formula`
Lemma = str | tuple[Formula, Formula]  # a text alone names a row
Equation = tuple[Expression, Expression, Reason]


def assumptions(assume: Sequence[str]) -> tuple[str, ...]:
    """What is assumed of the arm, checked."""
    for x in _listed("assume", assume):
        if not isinstance(x, str) or x not in get_args(Need):
            raise ArgumentError(f"assume takes {', '.join(map(repr, get_args(Need)))}; got {x!r}")
    return tuple(assume)


def lemmas(via: Sequence[Lemma], assumed: tuple[str, ...]) -> list[Equation]:
    """What is given in `via`: left and right sides, and what a chain calls them."""
    return [_lemma(x, assumed) for x in _listed("via", via)]


def _listed(name: str, given: Any) -> tuple[Any, ...]:
    if isinstance(given, str):
        raise ArgumentError(f"{name} takes a list, got the text {given!r}; write [{given!r}]")
    if not isinstance(given, Iterable):
        raise ArgumentError(f"{name} takes a list, got {type(given).__name__}")
    return tuple(given)


def fitted(left: Expression, right: Expression) -> Expression:
    """The right side, an identity or zero in the spaces of the left."""
    for name, x in (("left", left), ("right", right)):
        if not isinstance(x, Expression):
            raise SpaceError(f"prove compares two formulas; the {name} one is a {type(x).__name__}")
    if isinstance(right, Identity) and left.domain == left.codomain and left.domain.place == right.domain.place:
        return Identity(left.domain)
    if (left.domain, left.codomain) != (right.domain, right.codomain):
        raise SpaceError(
            f"the two formulas map different spaces: {left} maps {left.domain} to {left.codomain}, "
            f"{right} maps {right.domain} to {right.codomain}"
        )
    return right


def speaks_of_the_passive_arm(sides: Iterable[Expression]) -> bool:
    """Whether formulas have a meaning only beside a passive set."""
    parts = [part for side in sides for part in walk(side)]
    split = [part for part in parts if {part.domain.place, part.codomain.place} & {"active joint", "passive joint"}]
    passive = sorted({part.name for part in split if isinstance(part, Symbol)})
    whole = sorted({x.name for x in parts if isinstance(x, Symbol) and moving(x).name in WHOLE_ARM_NAMES})
    if passive and whole:
        raise SpaceError(
            f"{', '.join(passive)} belong to the passive arm, {', '.join(whole)} to the whole one; "
            "a formula speaks of one of them, as P and psi do"
        )
    return bool(split)


def read(x: Any) -> Any:
    """A formula that is given as text; what else is given as it is."""
    return formula(x) if isinstance(x, str) else x


def _lemma(x: Any, assumed: tuple[str, ...]) -> Equation:
    if isinstance(x, str):
        if x not in IDENTITIES:
            raise UnknownNameError(f"the identity table has no row {x!r}; soadyn.algebra.identities lists them")
        row = IDENTITIES[x]
        missing = [need for need in row.needs if need not in assumed]
        if missing:
            raise ArgumentError(f"the row {x!r} needs {', '.join(missing)}, which is not assumed")
        return row.left, row.right, Reason(row.name, row.reference)
    if not isinstance(x, tuple) or len(x) != 2:
        raise ArgumentError(f"via takes names of rows and pairs of formulas, got {type(x).__name__}")
    left, right = map(read, x)
    return left, fitted(left, right), Reason(f"given: {left} = {right}")


def is_too_large(x: Expression) -> bool:
    """Whether a formula has more symbols than are looked at."""
    return x.size > MOST_SYMBOLS
