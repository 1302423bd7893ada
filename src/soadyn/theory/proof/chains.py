"""Level 3: a chain of identities from one formula to another; each step names the row of the table it uses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as pairs

from soadyn.algebra.expressions import Expression, Identity, Inverse, product
from soadyn.algebra.rewriting.alphabet import Alphabet
from soadyn.algebra.rewriting.multiplying import multiplied_out
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.rewriting.system import MULTIPLIED_OUT, System
from soadyn.algebra.rewriting.words import Polynomial, mirrored, plus, scaled
from soadyn.algebra.rewriting.work import GivenUpError, Work
from soadyn.algebra.spaces import NUMBER
from soadyn.theory.proof.result import Proof, ProofStep

COLLECTED, OWN_ADJOINT = Reason("collected"), Reason("a number is its own adjoint")


def only_multiplied_out(left: Expression, right: Expression) -> tuple[ProofStep, ...] | None:
    """left = ... = right if that holds whatever the operators are; None if not, or if that is a long way."""
    alphabet, work = Alphabet(), Work()
    try:
        x, y = (multiplied_out(side, alphabet, work) for side in (left, right))
        if x != y:
            return None
        between = alphabet.expression(x, left.domain, left.codomain)
    except GivenUpError:
        return None
    return _without_repetition(left, [ProofStep(between, MULTIPLIED_OUT), ProofStep(right, COLLECTED)])


def rewritten(system: System, left: Expression, right: Expression) -> Proof | None:
    """A proof by rewriting, if there is one. What a row says of an inverse is not taken as its own reason."""
    steps = _chain(system, left, right)
    inverses = [x for x in (left, right) if isinstance(x, Inverse)]
    if steps is not None and not (inverses and {step.reason.name for step in steps} & set(system.mode.inverses)):
        return Proof("proved", left, right, steps)
    for inverse in inverses:
        other = right if inverse is left else left
        because = _cancelling(system, inverse, other)
        if because is not None:
            step = ProofStep(right, Reason("since the product of the right side with what is inverted is I:"))
            return Proof("proved", left, right, (step,), because=because)
    return None if steps is None else Proof("proved", left, right, steps)


def _cancelling(system: System, inverse: Inverse, other: Expression) -> Proof | None:
    """X Y = I, which makes Y the inverse of X."""
    both, one = product(inverse.of, other), Identity(other.domain)
    steps = _chain(system, both, one) if both.domain == both.codomain else None
    return None if steps is None else Proof("proved", both, one, steps)


def _chain(system: System, left: Expression, right: Expression) -> tuple[ProofStep, ...] | None:
    """left = ... = right, with as few definitions as it takes; or None."""
    x, y = system.polynomial(left), system.polynomial(right)
    turned = False
    if system.normal(x) != system.normal(y):
        turned = left.domain == left.codomain == NUMBER
        if not turned or system.normal(_with_adjoint(system, x)) != system.normal(_with_adjoint(system, y)):
            return None
    for stage in range(system.stages + 1):
        down, up = (_written(system, side, stage, turned) for side in (x, y))
        found = _meeting(system, left, right, down, up)
        if found is not None:
            return found
    return None


def _written(system: System, x: Polynomial, stage: int, turned: bool) -> list[tuple[Polynomial, Reason]]:
    if not turned:
        return [(x, MULTIPLIED_OUT), *system.chain(x, stage)]
    both = _with_adjoint(system, x)
    return [(x, MULTIPLIED_OUT), (both, OWN_ADJOINT), *system.chain(both, stage)]


def _with_adjoint(system: System, x: Polynomial) -> Polynomial:
    """(x + x*) / 2, which is x if that is a number."""
    return scaled(plus(x, mirrored(x, system.alphabet.mirror)), Fraction(1, 2))


def _meeting(
    system: System,
    left: Expression,
    right: Expression,
    down: list[tuple[Polynomial, Reason]],
    up: list[tuple[Polynomial, Reason]],
) -> tuple[ProofStep, ...] | None:
    """The two chains joined where they first meet."""
    meetings = [(i, j) for i, j in pairs(range(len(down)), range(len(up))) if down[i][0] == up[j][0]]
    if not meetings:
        return None
    i, j = min(meetings, key=sum)

    def formula(x: Polynomial) -> Expression:
        return system.alphabet.expression(x, left.domain, left.codomain)

    steps = [ProofStep(formula(x), reason) for x, reason in down[: i + 1]]
    # backwards, each formula is reached for the reason by which it was left
    for k in range(j, 0, -1):
        steps.append(ProofStep(formula(up[k - 1][0]), up[k][1]))
    steps.append(ProofStep(right, COLLECTED))
    return _without_repetition(left, steps)


def _without_repetition(left: Expression, steps: list[ProofStep]) -> tuple[ProofStep, ...]:
    kept: list[ProofStep] = []
    before = left
    for step in steps:
        if str(step.formula) != str(before):
            kept.append(step)
            before = step.formula
    return tuple(kept)
