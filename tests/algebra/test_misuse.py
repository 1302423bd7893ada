"""Ill-spaced formulas are refused where they are written, with both operands, their spaces, and hints that fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given

import soadyn as sd
from misuse_cases import CASES, NAMES, Misuse, refusal
from random_formulas import OWN, formulas
from scripts import load_script
from soadyn.algebra import Expression, formula
from soadyn.algebra.expressions import Product
from soadyn.algebra.misfits import BRIDGES, INVERTIBLE, LONGEST_SHOWN
from soadyn.algebra.reading import SPACED
from soadyn.algebra.spaces import NUMBER

ROOT = Path(__file__).resolve().parent.parent.parent
HINT = re.compile(r"(?P<told>.+?): .*\(is (?P<meant>.+) meant\?\)$")


def named(case: Misuse) -> str:
    return case.about


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_misuse_is_refused_in_words(case: Misuse) -> None:
    message = refusal(case)
    for words in case.words:
        assert words in message
    assert len(message) < 300


@pytest.mark.parametrize("case", [case for case in CASES if case.text], ids=named)
def test_a_text_is_refused_with_the_same_words_and_a_mark(case: Misuse) -> None:
    with pytest.raises(sd.SpaceError) as caught:
        formula(case.code)
    message, line, caret = str(caught.value).split("\n")
    assert message.removesuffix(SPACED) == refusal(case)
    assert message.endswith(SPACED) == (case.about == "a star between operators")
    assert line.strip() == case.code
    assert caret.strip() == "^"


def test_every_misuse_is_there_once() -> None:
    assert len({case.about for case in CASES}) == len({case.code for case in CASES}) == len(CASES) >= 40


@given(formulas(), formulas())
def test_what_does_not_fit_is_refused_with_both_spaces(x: Expression, y: Expression) -> None:
    product, total = said_about(lambda: x @ y), said_about(lambda: x + y)
    if product:
        assert x.domain != y.codomain
        assert f" {x.codomain if x.is_vector else x.domain}" in product.replace("(", " ")
        assert f" {y.codomain}" in product
    if total:
        assert (x.domain, x.codomain) != (y.domain, y.codomain)
        assert all(f" {space}" in total for z in (x, y) for space in (z.domain, z.codomain) if space != NUMBER)
    assert len(product) < 8 * LONGEST_SHOWN
    assert len(total) < 8 * LONGEST_SHOWN


@given(formulas(), formulas())
def test_what_a_hint_suggests_fits(x: Expression, y: Expression) -> None:
    """One of the factors that meet, replaced by what is hinted at, gives a product that is not refused."""
    message = said_about(lambda: x @ y)
    hint = HINT.match(message)
    if hint and " ... " not in message:
        for meant in hint["meant"].split(" or "):
            assert any(not said_about(partial(formula, text, OWN)) for text in mended(x, y, meant)), message


def said_about(make: Callable[[], Expression]) -> str:
    """The words about a formula that is refused; empty if it is not."""
    try:
        make()
    except sd.SpaceError as error:
        return str(error)
    return ""


def mended(x: Expression, y: Expression, meant: str) -> list[str]:
    before, after = factors(x), factors(y)
    return [" @ ".join(parts) for parts in ([*before[:-1], meant, *after], [*before, meant, *after[1:]], [meant])]


def factors(x: Expression) -> list[str]:
    return [f"({z})" for z in (x.factors if isinstance(x, Product) else (x,))]


@pytest.mark.parametrize(("spaces", "name"), BRIDGES.items(), ids=list(BRIDGES.values()))
def test_a_bridge_leads_where_it_says(spaces: tuple[object, object], name: str) -> None:
    bridge = formula(name)
    assert (bridge.domain, bridge.codomain) == spaces


def test_inverses_are_hinted_at_for_inertias_only() -> None:
    for name in INVERTIBLE:
        assert NAMES[name].symmetric
        assert NAMES[name].codomain.side == "force"


def test_the_page_shows_what_is_said() -> None:
    script = load_script(ROOT / "docs/make_misuse.py")
    assert (ROOT / "docs/reference/misuse.md").read_text(encoding="utf-8") == script.page(), (
        "run python docs/make_misuse.py"
    )
