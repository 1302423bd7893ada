"""Formulas from text: what is written is read back, as Python would read it; what cannot be read is marked."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import soadyn as sd
from random_formulas import OWN, formulas
from soadyn.algebra import (
    D,
    E_phi,
    Expression,
    G,
    H,
    I_joint,
    I_link,
    K,
    M,
    T,
    formula,
    inv,
    phi,
    phi_tilde,
    psi,
    sqrt,
)
from soadyn.algebra.defining import operator
from soadyn.algebra.expressions import Sum, walk
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, NAMES
from soadyn.algebra.paper_letters import LETTERS
from soadyn.algebra.reading import DEEPEST, LONGEST

PYTHON: dict[str, Any] = {**NAMES, **{x.name: x for x in OWN}, "inv": inv, "sqrt": sqrt}

S = H @ phi @ M @ phi.T @ H.T

PAPERS_WRITE = {
    "phi": "φ",
    "psi": "ψ",
    "phi_tilde": "φ̃",
    "psi_tilde": "ψ̃",
    "tau": "τ",
    "tau_bar": "τ̄",
    "Omega": "Ω",
    "Upsilon": "Υ",
    "alpha": "α",
    "theta_dot": "θ̇",
    "theta_ddot": "θ̈",
    "theta_ddot_a": "θ̈_a",
    "mass": "𝓜",
    "E_phi": "𝓔_φ",
    "E_psi": "ℰ_ψ",
    "P_plus": "P⁺",
}


@given(formulas())
@example(-(phi @ psi) + phi)
@example(-(phi @ psi))
@example(I_link.T)
@example(2 * I_link.T)
@example(inv(2 * I_link.T))
@example(Fraction(1, 3) * (H @ phi))
@example((2 * phi) @ (-psi))
def test_what_is_written_is_read_back(x: Expression) -> None:
    assume(len(str(x)) <= LONGEST)
    assert formula(str(x), OWN) == x


@given(formulas())
def test_the_text_is_python(x: Expression) -> None:
    """The reader agrees with Python's own; Python makes floats of fractions."""
    assume(not any(isinstance(c, Fraction) for c in numbers_in(x)))
    assert eval(str(x), PYTHON) == x


def numbers_in(x: Expression) -> list[Any]:
    return [c for y in walk(x) if isinstance(y, Sum) for c, _ in y.terms]


SIGNS = st.sampled_from([" @ ", " + ", " - ", "@", "-", "+", " @ -", " - -", " * 3 @ ", " / 2 + ", " * 0.5 - "])
ENDOMORPHISMS = st.sampled_from(
    ["phi", "psi", "tau", "I_link", "inv(phi)", "(phi - psi)", "phi_tilde", "E_phi", "-tau_bar"]
)


@given(ENDOMORPHISMS, st.lists(st.tuples(SIGNS, ENDOMORPHISMS), max_size=8))
def test_signs_bind_as_in_python(first: str, more: list[tuple[str, str]]) -> None:
    text = first + "".join(sign + name for sign, name in more)
    assert formula(text) == eval(text, PYTHON)


@given(formulas())
def test_the_papers_letters_are_read(x: Expression) -> None:
    text = str(x)
    assume(len(text) <= LONGEST)
    for name, letter in PAPERS_WRITE.items():
        if name in NAMES:
            text = replaced(text, name, letter)
    text = text.replace(" @ ", "·").replace(".T", "^*").replace(" - ", " − ")
    assert formula(text, OWN) == x


def replaced(text: str, name: str, letter: str) -> str:
    return re.sub(rf"\b{name}\b", letter, text)


@pytest.mark.parametrize(("name", "letter"), PAPERS_WRITE.items())
def test_each_letter_of_the_papers_is_its_symbol(name: str, letter: str) -> None:
    assert formula(letter) == NAMES[name]


def test_every_letter_leads_to_a_name() -> None:
    for letter, word in LETTERS.items():
        assert any(word in name for name in NAMES), letter


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_read(name: str) -> None:
    assert formula(name) == NAMES[name]
    assert str(NAMES[name]) == name


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("D^-1 @ T", inv(D) @ T),
        ("D⁻¹·T", inv(D) @ T),
        ("(I_joint − H·ψ·K)^*", (I_joint - H @ psi @ K).T),
        ("phi.T.T.T", phi.T),
        ("phi^*^-1", inv(phi.T)),
        ("1/2 * phi", Fraction(1, 2) * phi),
        ("phi / 3", Fraction(1, 3) * phi),
        ("2 * 3 * phi", 6 * phi),
        ("(1 + 1/2) * phi", Fraction(3, 2) * phi),
        ("phi * .5e1", 5 * phi),
        ("2.*phi", 2 * phi),
        ("--phi", phi),
        ("+phi", phi),
        ("-phi @ psi", (-phi) @ psi),
        ("((phi))", phi),
        ("  phi\n  @ psi\t", phi @ psi),
        ("sqrt(D) @ sqrt(D).T", sqrt(D) @ sqrt(D).T),
        ("0 * phi + psi", psi),
        ("H φ M φ* H*", S),
        ("HφMφ^*H^*", S),
        ("H phi M phi^T H.T", S),
        ("H • φ ∙ M ⋅ φᵀ · H⋆", S),
        ("(I + HφK) D (I + HφK)*", (I_joint + H @ phi @ K) @ D @ (I_joint + H @ phi @ K).T),
        ("(I - H·Ψ·G)·T", (I_joint - H @ psi @ E_phi @ G) @ T),
        ("I + H·Φ·G", I_joint + H @ phi_tilde @ G),
        ("(phi*)", phi.T),
        ("phi* * 2", 2 * phi.T),
        ("phi* 2", 2 * phi),
        ("phi* -2", -2 * phi),
        ("(2)* phi", 2 * phi),
        ("1/2 H φ", Fraction(1, 2) * H @ phi),
        ("φ^{-*}", inv(phi.T)),
        ("φ^-*", inv(phi.T)),
        ("D^{1/2} D^{*/2}", sqrt(D) @ sqrt(D).T),
        ("D^{-1/2}", inv(sqrt(D))),
        ("phi(psi)", phi @ psi),
        ("(phi) (psi)", phi @ psi),
        ("I/2 + phi", I_link / 2 + phi),
        ("(I - 2 I) phi", -I_link @ phi),
        ("(2 I)* I @ T", (2 * I_joint) @ T),
    ],
)
def test_other_ways_to_write_it(text: str, x: Expression) -> None:
    assert formula(text) == x


# What cannot be read

UNREADABLE = [
    ("H @ pih @ M", 4, "unknown operator or vector 'pih'.* 'phi'"),
    ("Phi", 0, "unknown operator or vector 'Phi'.* 'phi'"),
    ("theta", 0, "'theta_dot'"),
    ("λ", 0, "unknown operator or vector 'λ'. Known: 'H'"),
    ("I", 0, "of which space is I.* I_joint, I_link"),
    ("inv(I)", 0, "of which space is I.* I_joint, I_link"),
    ("I + T", 2, "of which space is I.* I_joint, I_link"),
    ("I + H", 2, "of which space is I.* I_joint, I_link"),
    ("T @ I", 2, "of which space is I.* I_joint, I_link"),
    ("I + 1", 2, "\\+ does not stand between I and a number"),
    ("2 / I", 2, "/ does not stand between I and a number"),
    ("I * I", 2, "\\* does not stand between I and I"),
    ("r", 0, "unknown operator or vector 'r'.*the papers' r is R, the composite inertia"),
    ("Phi @ H.T", 0, "the papers' Phi is phi_tilde"),
    ("H @ ε", 4, "the papers' ε is \\(I_joint - H @ psi @ K\\) @ T"),
    ("HGK", 0, "or the product H @ G @ K?"),
    ("HφQ", 0, "unknown operator or vector 'HphiQ'"),
    ("phi 2", 4, "a sign is missing before '2'"),
    ("2 3 phi", 2, "a sign is missing before '3'"),
    ("pih(psi)", 0, "unknown operator or vector 'pih'"),
    ("H @ (phi + psi", 4, "this bracket is never closed"),
    ("phi)", 3, "this bracket was never opened"),
    ("inv(mass @ T", 3, "this bracket is never closed"),
    ("H @ T) @ phi", 5, "this bracket was never opened"),
    ("()", 0, "between these brackets there is nothing"),
    ("inv()", 3, "between these brackets there is nothing"),
    ("(H @ phi @) M @ V", 10, "this bracket closes behind '@', which needs something behind it"),
    ("H @ (phi + ) psi", 11, "this bracket closes behind '\\+'"),
    ("H (@ phi)", 2, "this bracket opens before '@', which needs something before it"),
    ("H @ phi(.T)", 7, "this bracket opens before '.T'"),
    ("(2*) @ H", 3, "this bracket closes behind '\\*'.*; the adjoint is written .T"),
    ("2* @ H", 3, "missing before '@'; the adjoint is written .T or \\^\\*"),
    ("phi @", 5, "missing before the end"),
    ("@ phi", 0, "missing before '@'"),
    ("inv phi", 0, "inv takes a formula in brackets"),
    ("inv(2)", 0, "inv takes a formula, not a number"),
    ("2", 0, "a number alone is no formula"),
    ("2.5 - 1", 0, "a number alone is no formula"),
    ("2 @ 3 * phi", 2, "@ stands between operators"),
    ("1 / 0 * phi", 2, "divided by zero"),
    ("2^-1 * phi", 1, "stands behind operators, not behind numbers"),
    ("phi ! psi", 4, "'!' has no meaning"),
    ("phi.dense", 3, "'.' has no meaning"),
    ("phi^2", 3, "'\\^' has no meaning"),
    ("phi^{1}", 3, "'\\^' has no meaning"),
    ("phi\x00", 3, "the character U\\+0000 has no meaning"),
    ("__import__('os')", 11, "has no meaning"),
    ("__import__(os)", 0, "unknown operator or vector '__import__'"),
    ("phi if M else psi", 4, "unknown operator or vector 'if'"),
    ("lambda: phi", 6, "':' has no meaning"),
    ("M[0]", 1, "the brackets of a formula are round, this one is '\\['"),
    ("H @ {phi} @ M", 4, "the brackets of a formula are round, this one is '{'"),
]


@pytest.mark.parametrize(
    ("text", "meant"),
    [("inv(mass @ T)", "inv(mass) @ T"), ("mass @ inv(mass @ (T - H @ b))", "inv(mass) @ (T - H @ b)")],
)
def test_a_bracket_that_closes_too_late_is_noticed(text: str, meant: str) -> None:
    with pytest.raises(sd.SpaceError, match=f"is the bracket misplaced, and {re.escape(meant)} meant"):
        formula(text)


@pytest.mark.parametrize(("text", "place", "words"), UNREADABLE, ids=[text for text, _, _ in UNREADABLE])
def test_what_cannot_be_read_is_marked(text: str, place: int, words: str) -> None:
    with pytest.raises(sd.FormulaError, match=words) as caught:
        formula(text)
    *_, line, caret = str(caught.value).split("\n")
    assert line.strip() == "".join(c if c.isprintable() else " " for c in text).strip()
    assert caret.index("^") - 4 == shown_width(text[:place])


def shown_width(text: str) -> int:
    return sum(not "\u0300" <= letter <= "\u036f" for letter in text)


def test_a_star_between_operators_is_no_product_and_no_adjoint() -> None:
    with pytest.raises(sd.SpaceError, match=r"multiplied with @.*; an adjoint before a factor is written .T or \^\*"):
        formula("D*inv(D)")


def test_spaces_that_do_not_fit_are_marked_too() -> None:
    with pytest.raises(sd.SpaceError) as caught:
        formula("H @ phi @ M @ phi @ H.T")
    assert str(caught.value) == (
        "H @ phi @ M @ phi: M takes a link motion, but phi gives a link force (is phi.T meant?)\n"
        "    H @ phi @ M @ phi @ H.T\n"
        "                ^"
    )


def test_only_the_line_that_is_wrong_is_shown() -> None:
    with pytest.raises(sd.FormulaError) as caught:
        formula("H @\n  phi @ pis +\n  K")
    assert str(caught.value).endswith("\n      phi @ pis +\n            ^")


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    with pytest.raises(sd.FormulaError) as caught:
        formula("phi + " * 300 + "pis" + " + phi" * 300)
    _, line, caret = str(caught.value).split("\n")
    assert len(line) < 140
    assert line[caret.index("^") :].startswith("pis")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "(" * 10_000 + "phi" + ")" * 10_000,
        "(" * 1_900 + "phi" + ")" * 1_900,
        "(" * 3_999,
        "inv(" * 900 + "phi" + ")" * 900,
        "sqrt(" * 700,
        "phi" * 1_000,
        "9" * 3_999,
        "9" * 3_900 + " * phi",
        "1e999 * phi",
        "1e-999 * " * 2 + "1e999 * phi",
        "9e99*" * 700 + "phi",
        "1/9*" * 900 + "phi",
        "phi" + ".T" * 100_000,
    ],
    ids=lambda text: f"{text[:8]}... {len(text)}",
)
def test_hostile_texts_get_our_errors(text: str) -> None:
    with pytest.raises((sd.FormulaError, sd.SpaceError)) as caught:
        formula(text)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    "text",
    ["-" * 3_900 + "phi", "phi" + ".T" * 1_900, "phi" + "+phi" * 900, "phi" + "@phi" * 900, "phi" + "^-1" * 1_200],
)
def test_long_texts_without_nesting_are_read(text: str) -> None:
    assert (formula(text).domain, formula(text).codomain) == (phi.domain, phi.codomain)


def test_brackets_may_lie_in_brackets_to_a_depth() -> None:
    assert formula("(" * DEEPEST + "phi" + ")" * DEEPEST) == phi
    with pytest.raises(sd.FormulaError, match=f"at most {DEEPEST} deep"):
        formula("(" * (DEEPEST + 1) + "phi" + ")" * (DEEPEST + 1))
    assert formula("(phi) @ " * 100 + "(phi)") is not None


@pytest.mark.parametrize("text", ["", "  \n", None, 3, phi, b"phi"], ids=repr)
def test_a_formula_is_read_from_text_only(text: Any) -> None:
    with pytest.raises(sd.FormulaError, match="formula takes a text"):
        formula(text)


WORDS = st.sampled_from(
    [
        "phi",
        "H",
        "M",
        "T",
        "inv",
        "sqrt",
        "(",
        ")",
        "@",
        "+",
        "-",
        "*",
        "/",
        ".T",
        "^*",
        "^-1",
        "⁻¹",
        "2",
        "0",
        "1e9",
        "φ̃",
        " ",
        "x",
    ]
)


@given(
    st.one_of(
        st.text(max_size=30), st.lists(WORDS, max_size=20).map("".join), st.lists(WORDS, max_size=20).map(" ".join)
    )
)
def test_any_text_is_a_formula_or_one_of_our_errors(text: str) -> None:
    try:
        x = formula(text)
    except sd.SoadynError:
        return
    assert isinstance(x, Expression)
    if str(x) != "0":
        assert formula(str(x)) == x


# One's own symbols


def test_ones_own_symbols_are_read_when_they_are_given() -> None:
    damping, *_ = OWN
    with pytest.raises(sd.FormulaError, match="unknown operator or vector 'damping'"):
        formula("damping @ inv(mass)")
    assert formula("damping @ inv(mass)", [damping]) == damping @ inv(NAMES["mass"])


@pytest.mark.parametrize("name", ["inv", "sqrt", "lambda", "φ", "two words", "phi", "2", "", None], ids=repr)
def test_names_that_could_not_be_read_back_are_refused(name: Any) -> None:
    with pytest.raises(sd.SpaceError, match=r"name|called|already"):
        operator(name, I_joint + H @ phi @ K)


def test_there_is_a_name_for_each_identity() -> None:
    assert all(str(x) == name for name, x in IDENTITIES_OF_SPACES.items())
    assert str(M @ inv(M) - I_link) == "M @ inv(M) - I_link"
