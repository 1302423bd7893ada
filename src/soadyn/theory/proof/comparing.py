"""Level 3: two formulas compared on a fixed family of random arms, in exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse, Root, walk
from soadyn.errors import SingularError
from soadyn.theory.oracle.exact_robot import ExactValues
from soadyn.theory.oracle.residues import PRIME
from soadyn.theory.oracle.specimens import SHORT, Specimen, family

DIFFERENT = 1e-7  # of the size of what the sides add up: more than rounding
SIGNS = range(1, 17)  # choices of signs under which formulas with roots are compared again


@final
@dataclass(frozen=True, slots=True)
class Counterexample:
    """An arm on which the two sides differ.

    `difference` is that of doubles, relative to the sizes of what the sides add up. Where that is rounding alone, or
    no number, only exact arithmetic tells the sides apart.
    """

    specimen: Specimen
    passive: bool
    one_frame: bool
    difference: float

    def __str__(self) -> str:
        given = ", ".join(
            [*(["passive=True"] if self.passive else []), *(["one_frame=True"] if self.one_frame else [])]
        )
        apart = f" by {self.difference:.2g} of their size" if self.difference > DIFFERENT else ""
        method = "values" if apart else "exact_values"
        question = "apart" if apart else "same"
        return (
            f"on {self.specimen} the two sides differ{apart}; rebuild it with\n"
            f"    from soadyn.theory.oracle.specimens import Specimen\n"
            f"    {self.specimen!r}.{method}({given}).{question}(left, right)"
        )


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of it: on how many arms both sides have a value, and the first on which these differ.

    `undefined` are inverses that exist on none of the arms; or, if each of them exists on some, of which no arm has
    all.
    """

    tried: int
    counterexample: Counterexample | None = None
    undefined: tuple[Expression, ...] = ()


def compare(left: Expression, right: Expression, passive: bool, assumed: Sequence[str]) -> Comparison:
    """The two sides on arms of which all is true that is assumed."""
    one_frame, tried = "one frame" in assumed, 0
    without: list[ExactValues] = []
    for specimen in (*_arms(assumed), *_short_arms(assumed)):
        if tried and specimen in SHORT:
            break
        values = specimen.exact_values(passive, one_frame)
        try:
            same = values.same(left, right)
        except SingularError:
            without.append(values)
            continue
        tried += 1
        if not same:
            difference = _difference(specimen, left, right, passive, one_frame)
            if difference > DIFFERENT or not _depends_on_signs(specimen, left, right, passive, one_frame):
                return Comparison(tried, Counterexample(specimen, passive, one_frame, difference))
    return Comparison(tried, undefined=() if tried else _undefined((left, right), without))


def undefined_parts(x: Expression, passive: bool, assumed: Sequence[str]) -> tuple[Expression, ...]:
    """Inverses in a formula that exist on no arm."""
    arms: list[ExactValues] = []
    for specimen in (*_arms(assumed), *_short_arms(assumed)):
        arms.append(specimen.exact_values(passive, "one frame" in assumed))
        if _exists(x, arms[-1]):
            return ()
    return _undefined([x], arms)


def _arms(assumed: Sequence[str]) -> tuple[Specimen, ...]:
    armature = False if "A_r = 0" in assumed else None
    return family(armature, serial="serial" in assumed, single="single joints" in assumed)


def _short_arms(assumed: Sequence[str]) -> tuple[Specimen, ...]:
    """Arms for formulas that have a value on no other."""
    return tuple(specimen for specimen in SHORT if not (specimen.armature and "A_r = 0" in assumed))


def _difference(specimen: Specimen, left: Expression, right: Expression, passive: bool, one_frame: bool) -> float:
    with np.errstate(all="ignore"):
        try:
            return specimen.values(passive, one_frame).apart(left, right)
        except SingularError:
            return math.nan


def _depends_on_signs(specimen: Specimen, left: Expression, right: Expression, passive: bool, one_frame: bool) -> bool:
    """Whether formulas with roots are equal under some choice of the roots' signs.

    Roots of arms' numbers are positive, those of residues are neither. An identity of roots that are independent of
    each other holds whatever their signs are; one of roots that are not may fail under a wrong choice.
    """
    if not any(isinstance(part, Root) for side in (left, right) for part in walk(side)):
        return False
    others = (specimen.exact_values(passive, one_frame, PRIME // 19 * signs) for signs in SIGNS)
    return any(values.same(left, right) for values in others)


def _undefined(sides: Sequence[Expression], arms: Sequence[ExactValues]) -> tuple[Expression, ...]:
    """The innermost inverses that exist on none of the arms; or, if there is none, one for each arm."""
    inverses = list(dict.fromkeys(part for side in sides for part in walk(side) if isinstance(part, Inverse)))[::-1]
    missing = [{x for x in inverses if not _exists(x, values)} for values in arms]
    everywhere = set(inverses).intersection(*missing)
    innermost = [x for x in inverses if x in everywhere and everywhere.isdisjoint(walk(x.of))]
    one_each = [next(x for x in inverses if x in found) for found in missing if found]
    return tuple(innermost or dict.fromkeys(one_each))


def _exists(x: Expression, values: ExactValues) -> bool:
    try:
        values.matrix(x)
    except SingularError:
        return False
    return True
