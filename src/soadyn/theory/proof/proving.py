"""Level 3: is one formula equal to another on every arm?

First both are compared on a fixed family of random arms, exactly: one difference refutes. Then both are
multiplied out and, if they still differ, rewritten to a common form with the rows of the identity table; each step of
the chain that comes out names its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from soadyn.algebra.expressions import Expression
from soadyn.algebra.rewriting.modes import Mode
from soadyn.algebra.rewriting.system import System, system_for
from soadyn.algebra.rewriting.work import GivenUpError
from soadyn.errors import ArgumentError
from soadyn.theory.proof.arguments import (
    MOST_SYMBOLS,
    Equation,
    Formula,
    Lemma,
    assumptions,
    fitted,
    is_too_large,
    lemmas,
    read,
    speaks_of_the_passive_arm,
)
from soadyn.theory.proof.chains import only_multiplied_out, rewritten
from soadyn.theory.proof.comparing import compare
from soadyn.theory.proof.factorwise import factor_by_factor
from soadyn.theory.proof.result import Proof


def prove(left: Formula, right: Formula, via: Sequence[Lemma] = (), assume: Sequence[str] = ()) -> Proof:
    """Whether two formulas are equal on every arm, with a chain of identities or a counterexample.

    Formulas may be given as text, which `formula` reads. Of the chains found the shortest is printed; that of the
    formulas multiplied out is `proof.full`.

    `assume` takes "A_r = 0", "serial" (no branches), "single joints" (of one component each) and "one frame" (of B).
    `via` takes lemmas that help: names of rows of the identity table, or pairs of formulas, which are checked and
    proved themselves; one that is not proved is listed in `given`, and the answer is not true. "proved" means equal
    wherever the inverses exist; where they exist on no arm the answer is "undefined". The work is bounded; beyond the
    bound the answer is "unknown".

    >>> import soadyn as sd
    >>> from soadyn.algebra import A_r, D, H, I_joint, K, M, inv, mass, phi, psi
    >>> A_inverse = I_joint - H @ psi @ K
    >>> sd.prove(inv(mass), A_inverse.T @ inv(D) @ A_inverse).status
    'proved'
    >>> sd.prove("mass", "H·φ·M·φ^*·H^*").status
    'refuted'
    >>> sd.prove(mass, H @ phi @ M @ phi.T @ H.T, assume=["A_r = 0"]).status
    'proved'
    """
    return _answer(read(left), read(right), via, assumptions(assume))


def _answer(left: Expression, right: Expression, via: Sequence[Lemma], assumed: tuple[str, ...]) -> Proof:
    right = fitted(left, right)
    given = lemmas(via, assumed)
    sides = [left, right, *(side for one, other, _ in given for side in (one, other))]
    if any(map(is_too_large, sides)):
        reason = f"formulas of more than {MOST_SYMBOLS} symbols are not looked at"
        return Proof("unknown", left, right, assumed=assumed, reason=reason)
    passive = speaks_of_the_passive_arm(sides)
    compared = compare(left, right, passive, assumed)
    known = Proof("unknown", left, right, assumed=assumed, tried=compared.tried)
    if compared.counterexample is not None:
        return replace(known, status="refuted", counterexample=compared.counterexample)
    if compared.undefined:
        return replace(known, status="undefined", undefined=compared.undefined)
    if not compared.tried:
        return replace(known, reason="no arm was found on which the sides have a value")
    _check_lemmas(given, passive, assumed)
    if left == right:
        return replace(known, status="proved")
    if (steps := only_multiplied_out(left, right)) is not None:
        return replace(known, status="proved", steps=steps)
    try:
        system = system_for(sides, passive, assumed)
        known = replace(known, given=_use(system, given))
        found = rewritten(system, left, right)
    except GivenUpError as error:
        return replace(known, reason=str(error))
    return known if found is None else _in_short(_under_conditions(found, known), system.mode, given)


def _in_short(proof: Proof, mode: Mode, given: list[Equation]) -> Proof:
    """The proof by a chain that is not multiplied out, if there is one that reads shorter."""
    steps = factor_by_factor(proof.left, proof.right, mode, given)
    short = steps and replace(proof, steps=steps, because=None, multiplied_out=proof)
    return short if short and len(str(short)) < len(str(proof)) else proof


def _under_conditions(found: Proof, known: Proof) -> Proof:
    because = found.because and _under_conditions(found.because, known)
    return replace(found, because=because, assumed=known.assumed, given=known.given, tried=known.tried)


def _check_lemmas(given: list[Equation], passive: bool, assumed: tuple[str, ...]) -> None:
    for left, right, _ in given:
        compared = compare(left, right, passive, assumed)
        if compared.counterexample is not None:
            raise ArgumentError(f"{left} = {right}, given in via, is false on {compared.counterexample.specimen}")
        if not compared.tried:
            parts = ", ".join(map(str, compared.undefined))
            raise ArgumentError(f"{left} = {right}, given in via, has no meaning: no random arm has {parts}")


def _use(system: System, given: list[Equation]) -> tuple[str, ...]:
    """Lemmas become rules that chains try first; returned are those that do not follow from the other rules."""
    return tuple(f"{left} = {right}" for left, right, reason in given if not system.use(left, right, reason))
