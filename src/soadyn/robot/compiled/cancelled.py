"""Inverses that cancel when formulas are rewritten: X⁻¹ X is the identity only where X has an inverse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from soadyn.algebra.expressions import Adjoint, Expression, Inverse, Root, Symbol, walk
from soadyn.algebra.misfits import INVERTIBLE
from soadyn.programs.lowering.build import NoRecursionError
from soadyn.theory.proof.arguments import is_too_large, speaks_of_the_passive_arm
from soadyn.theory.proof.comparing import undefined_parts


class ExistsNowhereError(NoRecursionError):
    """An inverse that cancels, of something that is singular on every arm."""


def check_cancelled(before: Iterable[Expression], after: Iterable[Expression], passive: bool, one_frame: bool) -> None:
    """ExistsNowhereError if an inverse is in the formulas before, not in those after, and on no arm at all."""
    kept = set(_inverses(after))
    for x in dict.fromkeys(_inverses(before)):
        if x in kept or _has_an_inverse(x.of) or is_too_large(x):
            continue
        if missing := undefined_parts(
            x, passive or speaks_of_the_passive_arm([x]), ("one frame",) if one_frame else ()
        ):
            raise ExistsNowhereError(missing[0])


def _inverses(formulas: Iterable[Expression]) -> Iterator[Inverse]:
    return (x for formula in formulas for x in walk(formula) if isinstance(x, Inverse))


def _has_an_inverse(x: Expression) -> bool:
    """Whether it is one of the operators that have an inverse on every arm, a root of one, or the adjoint of that."""
    while isinstance(x, Adjoint | Root):
        x = x.of
    return isinstance(x, Symbol) and x.name in INVERTIBLE
