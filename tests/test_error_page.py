"""Every kind of bad input is refused with the words that docs/reference/errors.md prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import soadyn as sd
from error_cases import CASES, Case, message, provoked
from scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
OUR_INSIDES = ("Traceback", "object at 0x", "NoneType", "site-packages")


def named(case: Case) -> str:
    return case.about


@pytest.mark.parametrize("case", CASES, ids=named)
def test_bad_input_is_refused_in_words(case: Case) -> None:
    if not case.runs:
        pytest.skip(f"needs {case.needs}")
    error = provoked(case)
    with pytest.raises(case.error, match=case.words):
        raise error
    assert isinstance(error, sd.SoadynError)
    text = message(error)
    assert 20 < len(text) < 600
    assert not any(word in text for word in OUR_INSIDES)


def test_every_kind_is_there_once() -> None:
    names = [case.about for case in CASES]
    assert len(names) == len(set(names)) >= 40


def test_the_page_shows_what_is_said() -> None:
    if not all(case.runs for case in CASES):
        pytest.skip("needs every optional package that a case needs")
    script = load_script(ROOT / "docs/make_errors.py")
    assert (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8") == script.page(), (
        "run python docs/make_errors.py"
    )
