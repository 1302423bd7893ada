"""Which form of code computes what: a change of the choice shows in tests/golden/forms.txt (`make forms`)."""

from __future__ import annotations

import pytest

import soadyn as sd
from forms import GOLDEN, ROBOTS, forms

pytestmark = pytest.mark.usefixtures("llvm")


LARGE = [pytest.param(name, marks=pytest.mark.slow) for name in ("talos", "chain of 100")]


@pytest.mark.parametrize("name", [*list(ROBOTS)[:3], *LARGE])
def test_the_form_of_code_is_the_one_written_down(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOADYN_CACHE", "off")
    expected = [line for line in GOLDEN.read_text().splitlines() if line[30:47].strip() == name]
    assert expected
    assert list(forms(name)) == expected


def test_explain_says_which_form_of_code_runs() -> None:
    robot = sd.load("planar_two_link")
    text = sd.explain("mass_matrix", robot, code=True)
    assert "one state" in text.split("Code")[1]
    assert "loops over the links, 1 lane" in text
    assert "straight-line code" in text
    reference = sd.explain("mass_matrix", robot.with_backend("numpy"), code=True)
    assert "NumPy, the reference" in reference
    with pytest.raises(sd.ArgumentError, match="code=True"):
        sd.explain("mass_matrix", code=True)
