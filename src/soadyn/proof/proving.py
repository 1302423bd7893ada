"""Level 3: is one formula equal to another on every arm?

First by numbers, on a fixed family of random arms: one difference refutes. Then by rewriting both to a common form
with the rows of the identity table; each step of the chain that comes out names its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product as pairs
from typing import get_args

from soadyn.algebra.expressions import Expression, Identity, Inverse, Symbol, product, walk
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import Need, symbol_names
from soadyn.algebra.operators import NAMES, PASSIVE_NAMES, WHOLE_ARM_NAMES
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.rewriting.system import MULTIPLIED_OUT, System, system_for
from soadyn.algebra.rewriting.words import Polynomial
from soadyn.errors import ArgumentError, SingularError, SpaceError, UnknownNameError
from soadyn.oracle.specimens import family
from soadyn.proof.result import Counterexample, Proof, Step

# Of the size of what the sides add up. Rounding stays far below, as worse conditioned inverses are not tried.
DIFFERENT = 1e-7
WORST_CONDITION = 1e6

COLLECTED = Reason("collected")

Lemma = str | tuple[Expression, Expression]


def prove(left: Expression, right: Expression, via: Sequence[Lemma] = (), assume: Sequence[str] = ()) -> Proof:
    """Whether two formulas are equal on every arm, with a chain of identities or a counterexample.

    `assume` takes "A_r = 0", "serial" (no branches) and "one frame" (of B). `via` takes lemmas that help: names of rows
    of the identity table, or pairs of formulas, which are checked and proved themselves.

    >>> import soadyn as sd
    >>> from soadyn.algebra import A_r, D, H, I_joint, K, M, inv, mass, phi, psi
    >>> A_inverse = I_joint - H @ psi @ K
    >>> sd.prove(inv(mass), A_inverse.T @ inv(D) @ A_inverse).status
    'proved'
    >>> sd.prove(mass, H @ phi @ M @ phi.T @ H.T).status
    'refuted'
    >>> sd.prove(mass, H @ phi @ M @ phi.T @ H.T, assume=["A_r = 0"]).status
    'proved'
    """
    assumed = assumptions(assume)
    right = _fitted(left, right)
    lemmas = [_lemma(x, assumed) for x in via]
    sides = [left, right, *(side for one, other, _ in lemmas for side in (one, other))]
    passive = speaks_of_the_passive_arm(sides)
    counterexample, tried = _tried(left, right, passive, assumed)
    if counterexample is not None:
        return Proof("refuted", left, right, counterexample=counterexample, assumed=assumed, tried=tried)
    system = system_for(sides, passive, assumed)
    given = _use(system, lemmas, passive, assumed)
    found = _found(system, left, right) or Proof("unknown", left, right)
    because = found.because and replace(found.because, assumed=assumed, given=given, tried=tried)
    return replace(found, assumed=assumed, given=given, tried=tried, because=because)


def _tried(
    left: Expression, right: Expression, passive: bool, assumed: tuple[str, ...]
) -> tuple[Counterexample | None, int]:
    """The first arm on which the sides differ, and on how many they were compared."""
    own = [x for side in (left, right) for x in walk(side) if isinstance(x, Symbol) and x.name not in NAMES]
    own = [x for x in dict.fromkeys(own) if x.formula is None]
    one_frame, tried = "one frame" in assumed, 0
    for specimen in family(armature=False if "A_r = 0" in assumed else None, serial="serial" in assumed):
        values = specimen.values(passive, own, one_frame)
        values.worst_condition = WORST_CONDITION
        try:
            apart = values.apart(left, right)
        except SingularError:
            continue
        tried += 1
        if not apart <= DIFFERENT:
            return Counterexample(specimen, passive, one_frame, apart), tried
    return None, tried


def _found(system: System, left: Expression, right: Expression) -> Proof | None:
    """A proof by rewriting, if there is one. What a row says of an inverse is not taken as its own reason."""
    steps = _chain(system, left, right)
    inverses = [x for x in (left, right) if isinstance(x, Inverse)]
    if steps is not None and not (inverses and {step.reason.name for step in steps} & set(system.mode.inverses)):
        return Proof("proved", left, right, steps)
    for inverse in inverses:
        other = right if inverse is left else left
        because = _cancelling(system, inverse, other)
        if because is not None:
            step = Step(right, Reason("since the product of the right side with what is inverted is I:"))
            return Proof("proved", left, right, (step,), because=because)
    return None if steps is None else Proof("proved", left, right, steps)


def _cancelling(system: System, inverse: Inverse, other: Expression) -> Proof | None:
    """X Y = I, which makes Y the inverse of X."""
    both, one = product(inverse.of, other), Identity(other.domain)
    steps = _chain(system, both, one) if both.domain == both.codomain else None
    return None if steps is None else Proof("proved", both, one, steps)


def _chain(system: System, left: Expression, right: Expression) -> tuple[Step, ...] | None:
    """left = ... = right, with as few definitions as it takes; or None."""
    x, y = system.polynomial(left), system.polynomial(right)
    if system.normal(x) != system.normal(y):
        return None
    for stage in range(system.stages + 1):
        found = _meeting(system, left, right, _written(system, x, stage), _written(system, y, stage))
        if found is not None:
            return found
    return None


def _written(system: System, x: Polynomial, stage: int) -> list[tuple[Polynomial, Reason]]:
    return [(x, MULTIPLIED_OUT), *system.chain(x, stage)]


def _meeting(
    system: System,
    left: Expression,
    right: Expression,
    down: list[tuple[Polynomial, Reason]],
    up: list[tuple[Polynomial, Reason]],
) -> tuple[Step, ...] | None:
    """The two chains joined where they first meet."""
    meetings = [(i, j) for i, j in pairs(range(len(down)), range(len(up))) if down[i][0] == up[j][0]]
    if not meetings:
        return None
    i, j = min(meetings, key=sum)

    def formula(x: Polynomial) -> Expression:
        return system.alphabet.expression(x, left.domain, left.codomain)

    steps = [Step(formula(x), reason) for x, reason in down[: i + 1]]
    # backwards, each formula is reached for the reason by which it was left
    for k in range(j, 0, -1):
        steps.append(Step(formula(up[k - 1][0]), up[k][1]))
    steps.append(Step(right, COLLECTED))
    return _without_repetition(left, steps)


def _without_repetition(left: Expression, steps: list[Step]) -> tuple[Step, ...]:
    kept: list[Step] = []
    before = left
    for step in steps:
        if str(step.formula) != str(before):
            kept.append(step)
            before = step.formula
    return tuple(kept)


# Arguments


def assumptions(assume: Sequence[str]) -> tuple[str, ...]:
    """What is assumed of the arm, checked."""
    if isinstance(assume, str):
        raise ArgumentError(f"assume takes a list, got the text {assume!r}; write [{assume!r}]")
    for x in assume:
        if x not in get_args(Need):
            raise ArgumentError(f"assume takes {', '.join(map(repr, get_args(Need)))}; got {x!r}")
    return tuple(assume)


def _fitted(left: Expression, right: Expression) -> Expression:
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
    names = {name for side in sides for name in symbol_names(side)}
    passive, whole = sorted(names & PASSIVE_NAMES), sorted(names & WHOLE_ARM_NAMES)
    if passive and whole:
        raise SpaceError(
            f"{', '.join(passive)} belong to the passive arm, {', '.join(whole)} to the whole one; "
            "a formula speaks of one of them, as P and psi do"
        )
    return bool(passive)


def _lemma(x: Lemma, assumed: tuple[str, ...]) -> tuple[Expression, Expression, Reason]:
    if isinstance(x, str):
        if x not in IDENTITIES:
            raise UnknownNameError(f"the identity table has no row {x!r}; soadyn.algebra.identities lists them")
        row = IDENTITIES[x]
        missing = [need for need in row.needs if need not in assumed]
        if missing:
            raise ArgumentError(f"the row {x!r} needs {', '.join(missing)}, which is not assumed")
        return row.left, row.right, Reason(row.name, row.reference)
    left, right = x
    return left, _fitted(left, right), Reason(f"given: {left} = {right}")


def _use(
    system: System, lemmas: list[tuple[Expression, Expression, Reason]], passive: bool, assumed: tuple[str, ...]
) -> tuple[str, ...]:
    """Lemmas become rules that chains try first; returned are those that do not follow from the other rules."""
    unproved: list[str] = []
    for left, right, reason in lemmas:
        counterexample, _ = _tried(left, right, passive, assumed)
        if counterexample is not None:
            raise ArgumentError(f"{left} = {right}, given in via, is false on {counterexample.specimen}")
        if not system.use(left, right, reason):
            unproved.append(f"{left} = {right}")
    return tuple(unproved)
