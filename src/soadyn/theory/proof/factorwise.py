"""Level 3: short chains. Rows of the table are put in where they stand, factor by factor; nothing is multiplied out.

Formulas are searched in breadth from both sides until a formula of one side is one of the other, up to the order of
terms. A step replaces one side of a row by the other wherever it and its adjoint occur, inverts a product factor by
factor, or writes out what a user's symbol stands for. The row that is to be proved is not taken as its own reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import pairwise
from typing import final

from soadyn.algebra.expressions import (
    Adjoint,
    Expression,
    Inverse,
    Product,
    Sum,
    Symbol,
    inv,
    is_square,
    product,
    total,
)
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.rewriting.modes import Mode
from soadyn.algebra.rewriting.rules import Reason
from soadyn.errors import SpaceError
from soadyn.theory.proof.arguments import Equation
from soadyn.theory.proof.result import ProofStep

MOST_SYMBOLS = 2000  # of all formulas that are made from either side, a tenth of a second
INVERTED = Reason("the inverse of a product")

Key = Hashable  # equal for formulas that are equal up to the order of terms
Meanings = dict[Key, Expression]  # what is put in for what


def factor_by_factor(
    left: Expression, right: Expression, mode: Mode, given: Iterable[Equation]
) -> tuple[ProofStep, ...] | None:
    """The shortest chain left = ... = right of such steps, if there is one among the formulas looked at."""
    table = _FactorTable((*given, *_rows(mode)), claim=(left, right))
    longest = left.size + right.size  # short chains have no longer formulas than their ends together
    down, up = _Side(left, longest), _Side(right, longest)
    while down.fresh or up.fresh:
        for one, other in ((down, up), (up, down)):
            meeting = next((found for found in one.grown(table) if found in other.found), None)
            if meeting is not None:
                return _joined(down, up, meeting)
    return None


@cache
def _rows(mode: Mode) -> tuple[Equation, ...]:
    """The rows that hold on the arms of a mode."""
    assumed = {need for need, holds in _needs(mode).items() if holds}
    rows = [row for row in IDENTITIES.values() if mode.passive in row.arms and assumed.issuperset(row.needs)]
    return tuple((*mode.sides(row.name), Reason(row.name, row.reference)) for row in rows)


def _needs(mode: Mode) -> dict[str, bool]:
    return {
        "A_r = 0": not mode.armature,
        "serial": mode.serial,
        "one frame": mode.one_frame,
        "single joints": mode.single,
    }


@final
class _FactorTable:
    """Rows by their sides, without those that say what is to be proved."""

    def __init__(self, rows: Iterable[Equation], claim: tuple[Expression, Expression]) -> None:
        self.by_side: dict[Key, list[tuple[Meanings, Reason]]] = {}
        self.longest = 1  # factors of a side
        own = {frozenset(map(key, claim)), frozenset(key(x.T) for x in claim)}
        for left, right, reason in rows:
            if frozenset((key(left), key(right))) not in own:
                for side, other in ((left, right), (right, left)):
                    self._add(side, other, reason)

    def _add(self, side: Expression, other: Expression, reason: Reason) -> None:
        meanings = {key(side): other, key(side.T): other.T}
        for each in meanings:
            self.by_side.setdefault(each, []).append((meanings, reason))
        self.longest = max(self.longest, len(side.factors) if isinstance(side, Product) else 1)

    def steps(self, x: Expression) -> Iterator[tuple[Expression, Reason]]:
        """Formulas that one step makes of a formula."""
        tried: set[Key] = set()
        for part in _parts(x, self.longest):
            each = key(part)
            if each in tried:
                continue
            tried.add(each)
            for meanings, reason in (*self.by_side.get(each, ()), *_of_itself(part)):
                try:
                    yield _put_in(x, meanings, self.longest), reason
                except SpaceError:  # too large, numbers out of range, the inverse of zero
                    continue


def _of_itself(x: Expression) -> Iterator[tuple[Meanings, Reason]]:
    """What a formula is without any row: the inverse of a product, an abbreviation."""
    match x:
        case Inverse(of=Product(factors=factors)) if all(map(is_square, factors)):
            y = reduce(product, map(inv, reversed(factors)))
            yield {key(x): y, key(x.T): y.T}, INVERTED
        case Symbol(formula=formula, name=name) if formula is not None:
            yield {key(x): formula, key(x.T): formula.T}, Reason(f"what {name} stands for")


@final
@dataclass(slots=True)
class _Side:
    """What is reached from one side: each formula, what it came from, and why."""

    start: Expression
    longest: int
    left: int = MOST_SYMBOLS
    found: dict[Key, tuple[Expression, Key | None, Reason]] = field(init=False)
    fresh: list[Key] = field(init=False)

    def __post_init__(self) -> None:
        self.fresh = [key(self.start)]
        self.found = {self.fresh[0]: (self.start, None, INVERTED)}

    def grown(self, table: _FactorTable) -> Iterator[Key]:
        """The formulas one step further than those known, as far as they are looked at."""
        before, self.fresh = self.fresh, []
        for known in before:
            for formula, reason in table.steps(self.found[known][0]):
                self.left -= formula.size
                if self.left < 0:
                    self.fresh = []
                    return
                if formula.size <= self.longest and (each := key(formula)) not in self.found:
                    self.found[each] = formula, known, reason
                    self.fresh.append(each)
                    yield each

    def way(self, end: Key) -> list[tuple[Expression, Reason]]:
        """From the start to a formula; the reason beside each is that of the step to it."""
        way, at = [], [end]
        while at:
            formula, before, reason = self.found[at.pop()]
            way.append((formula, reason))
            at += [] if before is None else [before]
        return way[::-1]


def _joined(down: _Side, up: _Side, meeting: Key) -> tuple[ProofStep, ...]:
    first, last = down.way(meeting), up.way(meeting)[::-1]
    # at the meeting both have one formula, but for the order of its terms: that of the right side is written
    steps = [ProofStep(formula, reason) for formula, reason in first[1:-1]]
    if len(first) > 1:
        steps.append(ProofStep(last[0][0], first[-1][1]))
    return (*steps, *(ProofStep(after[0], before[1]) for before, after in pairwise(last)))


def key(x: Expression) -> Key:
    """The same for formulas that are equal up to the order of terms."""
    match x:
        case Product():
            return ("product", *map(key, x.factors))
        case Sum():
            terms = Counter((number, key(term)) for number, term in x.terms)
            return "sum", frozenset(terms.items()), x.domain, x.codomain
        case Inverse():
            return "inverse", key(x.of)
    return x


def _parts(x: Expression, longest: int) -> Iterator[Expression]:
    """The parts of a formula for which something may be put in; of products also those of neighbouring factors."""
    yield x
    match x:
        case Product(factors=factors):
            for i in range(len(factors)):
                for n in range(2, min(longest, len(factors) - i - (i == 0)) + 1):
                    yield Product(factors[i : i + n])
                yield from _parts(factors[i], longest)
        case Sum():
            for _, term in x.terms:
                yield from _parts(term, longest)
        case Inverse() | Adjoint(of=Symbol()):
            yield from _parts(x.of, longest)


def _put_in(x: Expression, meanings: Meanings, longest: int) -> Expression:
    """The formula with other formulas in place of parts of it."""
    known = meanings.get(key(x))
    if known is not None:
        return known
    match x:
        case Product():
            return reduce(product, _factors_put_in(x.factors, meanings, longest))
        case Sum() if x.terms:
            return total(tuple((number, _put_in(term, meanings, longest)) for number, term in x.terms))
        case Inverse():
            return inv(_put_in(x.of, meanings, longest))
    return x


def _factors_put_in(factors: tuple[Expression, ...], meanings: Meanings, longest: int) -> Iterator[Expression]:
    at = 0
    while at < len(factors):
        for n in range(min(longest, len(factors) - at), 1, -1):
            known = meanings.get(key(Product(factors[at : at + n])))
            if known is not None:
                yield known
                at += n
                break
        else:
            yield _put_in(factors[at], meanings, longest)
            at += 1
