"""Symbols tell what they mean: help, definitions that can be read, LaTeX that typesets, the page of operators."""

from __future__ import annotations

import inspect
import pydoc
import re
from pathlib import Path

import pytest
from hypothesis import given
from matplotlib.mathtext import MathTextParser

from random_formulas import formulas
from scripts import load_script
from soadyn.algebra import Expression, H, I_link, K, M, P_plus, T, formula, inv, phi, sqrt
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import Identity, Symbol
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, OPERATORS, VECTORS
from soadyn.algebra.writing import latex

ROOT = Path(__file__).resolve().parent.parent.parent
SYMBOLS = {**OPERATORS, **VECTORS}
# Defined block by block or as part of another: in words.
IN_WORDS = {"H", "E_phi", "B", "M", "A_r", "Upsilon", "H_a", "H_p", "A_ra", "A_rp"}
IN_WORDS |= {"L_Y", "V_tilde", "W_omega", "W_s", "N_delta", "Y_delta", "eta_delta", "Z"}
# Arguments, and what follows from the state.
GIVEN = {"Y", "theta_dot", "theta_ddot", "a", "b", "f_tip", "a_tip", "f_x", "theta_dot_a", "theta_ddot_a", "T_p"}

# help


@pytest.mark.parametrize("name", SYMBOLS)
def test_help_tells_spaces_physics_definition_and_equation(name: str) -> None:
    x = SYMBOLS[name]
    page = pydoc.plain(pydoc.render_doc(x))
    assert f"{name} : {x.codomain if x.is_vector else f'{x.domain} -> {x.codomain}'}" in page
    assert x.meaning.physics[1:] in page
    assert x.meaning.definition in page
    assert f"Equation: {x.meaning.reference}." in page
    assert len(page.splitlines()) < 20, "not the class with all its methods"


@pytest.mark.parametrize("name", IDENTITIES_OF_SPACES)
def test_help_tells_of_identities(name: str) -> None:
    assert f"{name} : " in pydoc.plain(pydoc.render_doc(IDENTITIES_OF_SPACES[name]))


@pytest.mark.parametrize("name", SYMBOLS)
def test_inspecting_shows_the_same(name: str) -> None:
    """`phi?` of IPython and Jupyter prints this."""
    assert (inspect.getdoc(SYMBOLS[name]) or "").startswith(f"{name} : ")


@pytest.mark.parametrize("cls", [Symbol, Identity])
def test_the_classes_keep_their_own_documentation(cls: type) -> None:
    doc = inspect.getdoc(cls)
    assert doc
    assert " : " not in doc
    assert doc in pydoc.plain(pydoc.render_doc(cls)).replace("\n |  ", " ")


def test_ones_own_symbols_tell_what_they_stand_for() -> None:
    A = operator("A", inv(M) @ M, physics="nothing at all")
    assert A.__doc__ == "A : link motion -> link motion\n\nNothing at all.\n\n    A = inv(M) @ M"
    assert vector("y", "joint force").__doc__ == "y : joint force"
    assert vector("z", T - T).__doc__ == "z : joint force\n\n    z = T - T"


# Definitions


@pytest.mark.parametrize("name", sorted(SYMBOLS.keys() - IN_WORDS - GIVEN))
def test_a_definition_is_an_equation_of_formulas_with_one_space(name: str) -> None:
    x = SYMBOLS[name]
    sides = [formula(side) for side in x.meaning.definition.split(" = ")]
    assert len(sides) >= 2
    assert {(side.domain, side.codomain) for side in sides} == {(x.domain, x.codomain)}
    assert re.search(rf"\b{name}\b", x.meaning.definition)


@pytest.mark.parametrize("name", sorted(GIVEN))
def test_what_is_given_has_no_definition(name: str) -> None:
    assert SYMBOLS[name].meaning.definition == ""


@pytest.mark.parametrize("name", sorted(IN_WORDS))
def test_a_definition_in_words_names_blocks_or_parts(name: str) -> None:
    assert re.search(r"\(k\)|\(k,|of H$|of A_r$", SYMBOLS[name].meaning.definition)


@pytest.mark.parametrize("name", SYMBOLS)
def test_every_symbol_is_told_in_full(name: str) -> None:
    meaning = SYMBOLS[name].meaning
    assert meaning.latex
    assert meaning.physics
    assert re.match(r"00\d |armature$", meaning.reference)


# LaTeX


def assert_typesets(text: str) -> None:
    depth = 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    MathTextParser("path").parse(f"${text}$")


@pytest.mark.parametrize("name", SYMBOLS)
def test_every_symbol_typesets_with_its_adjoint_and_inverse(name: str) -> None:
    x = SYMBOLS[name]
    assert_typesets(latex(x))
    assert_typesets(latex(x.T))


@given(formulas())
def test_every_formula_typesets(x: Expression) -> None:
    assert x._repr_latex_() == f"${latex(x)}$"  # type: ignore[attr-defined]
    assert_typesets(latex(x))


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (H @ phi @ M @ phi.T @ H.T, r"H \phi M \phi^* H^*"),
        (inv(phi.T), r"\phi^{-*}"),
        (inv(sqrt(M)), "M^{-1/2}"),
        (sqrt(M).T, "M^{*/2}"),
        (inv(P_plus), "(P^+)^{-1}"),
        (inv(H @ phi @ K), r"(H \phi K)^{-1}"),
        ((phi - I_link) @ phi, r"(\phi - I) \phi"),
        (-phi / 3, r"-\frac{1}{3} \phi"),
        (2.5e-7 * phi, r"2.5 \cdot 10^{-7} \phi"),
        (vector("my_own_load", "joint force"), r"\mathrm{my\_own\_load}"),
        (0 * phi, "0"),
    ],
    ids=str,
)
def test_formulas_look_as_in_the_papers(x: Expression, text: str) -> None:
    assert latex(x) == text
    assert_typesets(text)


# The page


def test_the_page_shows_every_operator() -> None:
    script = load_script(ROOT / "docs/make_operators.py")
    page = (ROOT / "docs/algebra/operators.md").read_text(encoding="utf-8")
    assert page == script.page(), "run python docs/make_operators.py"
    assert all(f"| `{name}` |" in page for name in (*SYMBOLS, *IDENTITIES_OF_SPACES))
