"""The four answers of `prove` where they are hard: nothing to compare, rounding, unproved lemmas, too much work."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import (
    A_r,
    D,
    E_phi,
    E_psi,
    H,
    I_joint,
    I_link,
    I_passive,
    I_white_joint,
    I_white_link,
    K,
    M,
    P,
    P_plus,
    Upsilon,
    inv,
    phi,
    phi_tilde,
    psi,
    sqrt,
    tau,
    tau_bar,
)
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import DEEPEST, Expression, Symbol
from soadyn.algebra.operators import NAMES
from soadyn.algebra.rewriting import work
from soadyn.algebra.rewriting.multiplying import without_cancelling
from soadyn.algebra.rewriting.system import system_for
from soadyn.algebra.rewriting.work import GivenUpError, Work
from soadyn.errors import ArgumentError, SpaceError
from soadyn.theory.proof.simplifying import cost

Claim = tuple[Expression, Expression]


def power(x: Expression, n: int) -> Expression:
    result = x
    for _ in range(n - 1):
        result = result @ x
    return result


# Nothing to compare

UNDEFINED: dict[str, tuple[Claim, tuple[str, ...], str]] = {
    "the part that a joint gives way to": ((tau @ inv(tau), I_link), (), "inv(tau)"),
    "a product with a strict transition": (
        (inv(phi_tilde @ P), inv(P) @ inv(phi_tilde)),
        (),
        "inv(phi_tilde), inv(phi_tilde @ P)",
    ),
    "a step": ((inv(E_phi) @ E_phi, I_link), (), "inv(E_phi)"),
    "no armature": ((inv(A_r) @ A_r, I_joint), ("A_r = 0",), "inv(A_r)"),
    "the root of no armature": ((inv(sqrt(A_r)) @ sqrt(A_r), I_white_joint), ("A_r = 0",), "inv(sqrt(A_r))"),
    "a singular root": ((inv(sqrt(P_plus)) @ sqrt(P_plus), I_white_link), ("A_r = 0",), "inv(sqrt(P_plus))"),
    "a zero": ((inv(M - P + E_phi @ P @ E_phi.T - K @ D @ K.T), inv(M)), (), "inv(M - P"),
    "both sides the same": ((inv(tau), inv(tau)), (), "inv(tau)"),
    "the innermost part": ((inv(M + P @ inv(tau.T)), inv(M + P @ inv(tau.T))), (), "inv(tau.T)"),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_exists_on_no_arm_is_undefined_and_named(name: str) -> None:
    claim, assumed, part = UNDEFINED[name]
    answer = sd.prove(*claim, assume=assumed)
    assert answer.status == "undefined"
    assert not answer
    assert answer.tried == 0
    assert ", ".join(map(str, answer.undefined)).startswith(part)
    assert str(answer.undefined[0]) in str(answer)


@pytest.mark.parametrize(("column", "row"), [("theta_ddot_a", "theta_dot_a"), ("T_p", "T_p")])
def test_a_column_times_a_row_has_an_inverse_where_one_joint_is_active_or_passive(column: str, row: str) -> None:
    x = NAMES[column] @ NAMES[row].T
    wrong = sd.prove(inv(x), inv(2.0 * x))
    assert wrong.status == "refuted"
    assert wrong.counterexample is not None
    assert wrong.counterexample.specimen.shape == "short chain"
    assert sd.prove(inv(x), 2.0 * inv(2.0 * x)).status == "proved"


@pytest.mark.parametrize("assumed", [(), ("serial",)])
@pytest.mark.parametrize("x", [A_r, Upsilon, P_plus], ids=str)
def test_an_inverse_that_exists_on_some_arms_is_compared_on_those(x: Symbol, assumed: tuple[str, ...]) -> None:
    answer = sd.prove(inv(x) @ x, I_joint if x == A_r else I_link, assume=assumed)
    assert answer
    assert 0 < answer.tried < sd.prove(x, x, assume=assumed).tried


def test_armature_on_a_free_base_is_an_arm_too() -> None:
    """inv(A_r) needs armature on all joints, inv(Upsilon) a free base."""
    x = inv(A_r) @ H @ inv(Upsilon)
    assert sd.prove(A_r @ x @ Upsilon, H)


@pytest.mark.parametrize("x", [inv(tau) @ tau, inv(tau), inv(phi_tilde @ P), inv(E_phi)], ids=str)
def test_what_exists_on_no_arm_is_not_simplified(x: Expression) -> None:
    with pytest.raises(SpaceError, match="no random arm has inv"):
        sd.simplify(x)


@pytest.mark.parametrize("x", [inv(sqrt(A_r)) @ sqrt(A_r), inv(A_r), A_r @ inv(sqrt(A_r).T)], ids=str)
def test_without_armature_its_inverse_and_root_are_not_simplified(x: Expression) -> None:
    with pytest.raises(SpaceError, match="no random arm has inv"):
        sd.simplify(x, assume=["A_r = 0"])


def test_a_singular_root_is_no_reason_to_cancel() -> None:
    """H sqrt(P_plus) sqrt(P_plus)* = 0 without armature; the root has no inverse, which would make H vanish."""
    root = sqrt(P_plus)
    assert sd.prove(H @ root @ root.T, 0 * (H @ P_plus), assume=["A_r = 0"])
    system = system_for([root], False, ["A_r = 0"])
    system.polynomial(root)
    assert system.normal(system.polynomial(H))
    assert str(sd.simplify(sqrt(A_r), assume=["A_r = 0"])) == "0"


# Rounding

TRUE: dict[str, tuple[Claim, tuple[str, ...]]] = {
    "both sides are rounding on a free base": (
        (H @ tau_bar @ power(E_phi, 3), A_r @ inv(D) @ H @ power(E_phi, 3)),
        (),
    ),
    "zero that is rounding": ((H @ tau_bar @ power(E_phi, 3), 0 * H), ("A_r = 0",)),
    "cancellation": ((phi + 1e10 * psi - 1e10 * psi, phi), ()),
    "cancellation of what is equal only by an identity": ((phi + 1e20 * (psi @ E_psi - psi + I_link), phi), ()),
    "cancellation between the sides of a product": ((1e17 * phi + psi - 1e17 * phi, psi), ()),
    "ill conditioned": ((inv(I_link + 1e9 * phi) @ (I_link + 1e9 * phi), I_link), ()),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved_whatever_is_rounded(name: str) -> None:
    claim, assumed = TRUE[name]
    assert sd.prove(*claim, assume=assumed).status == "proved"


def test_overflow_refutes_nothing() -> None:
    large = (1e300 * phi) @ (1e300 * psi)
    answer = sd.prove(large @ (I_link - E_psi), (1e300 * phi) @ (1e300 * I_link))
    assert answer.status in ("proved", "unknown")
    assert sd.prove(large @ (I_link - E_psi), 0 * phi).status == "refuted"
    tiny = 1e-200 * (phi @ (1e-200 * psi))
    assert sd.prove(tiny, (1e-200 * phi) @ (1e-200 * psi)).status in ("proved", "unknown")


FALSE: dict[str, Claim] = {
    "by a part in 10^9": (phi, (1 + 1e-9) * phi),
    "by the last bit of a double": (phi, (1 + 2**-52) * phi),
    "beside what cancels": (phi + 1e10 * psi - 1e10 * psi, psi),
    "a small term beside large ones": (phi + 1e12 * psi + E_psi, phi + 1e12 * psi),
    "a root by a part in 10^12": (sqrt(M), (1 + 1e-12) * sqrt(M)),
    "overflow": ((1e300 * phi) @ (1e300 * psi), (1e300 * psi) @ (1e300 * phi)),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_by_little_is_refuted(name: str) -> None:
    answer = sd.prove(*FALSE[name])
    assert answer.status == "refuted"
    assert "the two sides differ" in str(answer)


# Lemmas


@pytest.mark.parametrize(
    "lemma", [(phi, (1 + 1e-9) * phi), (M, (1 + 1e-12) * (sqrt(M) @ sqrt(M).T))], ids=lambda lemma: str(lemma[0])
)
def test_a_lemma_that_is_false_by_little_is_refused(lemma: Claim) -> None:
    with pytest.raises(ArgumentError, match="given in via, is false on"):
        sd.prove(psi @ phi, psi @ phi + phi - phi, via=[lemma])


def test_a_lemma_that_exists_on_no_arm_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"given in via, has no meaning: no random arm has inv\(tau\)"):
        sd.prove(phi, phi, via=[(tau @ inv(tau), I_link)])


def test_what_rests_on_an_unproved_lemma_is_not_true() -> None:
    """On the test arms this power of E_phi vanishes; on longer chains it does not."""
    zero = power(E_phi, 13)
    answer = sd.prove(phi @ zero + psi, psi, via=[(zero, 0 * E_phi)])
    assert answer.status == "proved"
    assert len(answer.given) == 1
    assert not answer
    assert str(answer).startswith("proved, given E_phi @ E_phi")


# Bounded work


def nested(n: int) -> Expression:
    x: Expression = phi
    for _ in range(n):
        x = inv(phi + x)
    return x


LONG: dict[str, Expression] = {
    "a product of many sums": power(phi + psi, 30),
    "nested inverses": nested(30),
    "different inverses": inv(M + P) @ M @ inv(M - 2 * P) + inv(M + 3 * P) @ M @ inv(P - 3 * M),
}


@pytest.mark.parametrize("name", LONG)
def test_rewriting_is_given_up_at_the_same_step_each_time(name: str) -> None:
    x = LONG[name]

    def left_over() -> int | None:
        few = Work(20_000)
        system = system_for([x], False, work=few)
        try:
            system.normal(system.polynomial(x))
        except GivenUpError:
            return few.left
        return None

    first = left_over()
    assert first is not None
    assert left_over() == first


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the usual bound, to save time."""
    monkeypatch.setattr(work, "MOST_STEPS", work.MOST_STEPS // 10)


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("x", [LONG["a product of many sums"], power(psi - phi, 30)], ids=["sums", "differences"])
def test_what_takes_too_long_is_unknown_and_no_longer_than_it_is(x: Expression) -> None:
    answer = sd.prove(x, x + psi - psi)
    assert answer.status == "unknown"
    assert "rewriting takes too many steps" in str(answer)
    assert cost(sd.simplify(x)) <= cost(x)


def test_formulas_of_very_many_symbols_are_left_alone() -> None:
    x = power(E_phi, 1500)
    answer = sd.prove(x, 0 * x)
    assert answer.status == "unknown"
    assert "formulas of more than 1000 symbols are not looked at" in str(answer)
    assert sd.simplify(x) == x


def test_long_words_do_not_exhaust_the_stack() -> None:
    x = phi @ power(E_phi, 150)
    assert sd.prove(x, E_phi @ phi @ power(E_phi, 149)).status == "proved"


@pytest.mark.usefixtures("few_steps")
def test_the_deepest_formula_does_not_exhaust_the_stack() -> None:
    x = nested((DEEPEST - 1) // 2)
    with pytest.raises(SpaceError, match="nests at most"):
        inv(phi + x)
    assert sd.prove(x, x + psi - psi).status == "proved"


# Spaces and a user's own symbols


def test_passive_spaces_alone_speak_of_the_passive_arm() -> None:
    x = vector("x", "passive joint force")
    assert sd.prove(I_passive @ x, x)
    assert sd.prove(x, 2 * x).status == "refuted"
    assert sd.prove(I_passive, 2 * I_passive).status == "refuted"


def test_operators_from_numbers_for_each_component_commute() -> None:
    """They are diagonal on every arm; the rules do not know it."""
    one, two, three = (operator(name, [1.0, 2.0]) for name in ("one", "two", "three"))
    assert sd.prove(one @ inv(two) @ three, three @ inv(two) @ one).status == "unknown"
    full = [operator(name, [[1.0, 2.0], [2.0, 5.0]]) for name in ("four", "five", "six")]
    assert sd.prove(full[0] @ inv(full[1]) @ full[2], full[2] @ inv(full[1]) @ full[0]).status == "refuted"


def test_two_operators_of_one_name_differ() -> None:
    assert sd.prove(operator("one", [1.0, 2.0]), operator("one", [3.0, 4.0])).status == "refuted"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"via": "gain"}, r"via takes a list, got the text 'gain'; write \['gain'\]"),
        ({"via": 3}, "via takes a list, got int"),
        ({"via": [phi]}, "via takes names of rows and pairs of formulas, got Symbol"),
        ({"assume": 3}, "assume takes a list, got int"),
    ],
)
def test_what_is_no_list_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        sd.prove(phi, phi, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sqrt(R) @ sqrt(M).T @ a + R @ alpha - R @ alpha", "sqrt(R) @ sqrt(M).T @ a"),
        (
            "(R @ inv(P) - W_delta + W_delta) @ X_delta + lambda_dot @ Omega",
            "lambda_dot @ Omega + R @ inv(P) @ X_delta",
        ),
        (
            "inv(sqrt(M) @ (sqrt(R).T @ Omega - sqrt(P_plus).T @ Upsilon)) @ sqrt(M) @ "
            "(sqrt(R).T @ Omega - sqrt(P_plus).T @ Upsilon) @ sqrt(P)",
            "sqrt(P)",
        ),
    ],
)
def test_what_holds_for_any_operators_needs_no_rules(left: str, right: str) -> None:
    """The rules of these operators together have more consequences than are looked at."""
    answer = sd.prove(left, right)
    assert answer
    assert {step.reason.name for step in answer.steps} <= {"multiplied out", "collected"}


def test_inverses_cancel_beside_the_factors_of_what_they_invert() -> None:
    x = NAMES["mass"]
    one, many = (
        without_cancelling([inv(D @ inv(x) @ D), D, inv(x), D]),
        without_cancelling([x, D, inv(x), inv(D @ inv(x))]),
    )
    assert one == []
    assert many == [x]
    assert without_cancelling([D, inv(x), D, inv(D @ inv(x) @ D)] * 2) == []
    assert without_cancelling([inv(D @ inv(x)), inv(x), D]) == [inv(D @ inv(x)), inv(x), D]


def test_assumptions_that_are_no_texts_are_refused() -> None:
    with pytest.raises(sd.ArgumentError, match="assume takes 'A_r = 0'"):
        sd.prove("M", "M", assume=list(np.eye(2)))  # type: ignore[arg-type]
