"""Pages of the reference: what a docstring becomes, and that every public name has an entry with an example."""

from __future__ import annotations

from pathlib import Path

import pytest

import soadyn as sd


@pytest.fixture(autouse=True)
def parts_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "docs"))


def test_every_public_name_has_an_entry_with_an_example(tmp_path: Path) -> None:
    from site_parts.reference import public_names, write_reference

    write_reference(tmp_path)
    text = "".join(page.read_text(encoding="utf-8") for page in tmp_path.glob("*.myst"))
    entries = {entry.split("(")[0].split("\n")[0]: entry for entry in text.split("`````{py:")[1:]}
    by_name = {name.partition("} ")[2]: entry for name, entry in entries.items()}
    assert {"soadyn.load", "soadyn.Robot", "soadyn.algebra.phi", "soadyn.control.Demands"} <= by_name.keys()
    assert not [name for name in public_names() if ">>> " not in by_name[name]]


def test_a_method_is_an_entry_of_its_class(tmp_path: Path) -> None:
    from site_parts.reference import write_reference

    write_reference(tmp_path)
    page = (tmp_path / "robot.myst").read_text(encoding="utf-8")
    assert "````{py:method} soadyn.Robot.mass_matrix(q)" in page
    assert "````{py:attribute} soadyn.Robot.nv" in page


def test_an_entry_has_parentheses_if_and_only_if_it_is_called(tmp_path: Path) -> None:
    from site_parts.reference import write_reference

    write_reference(tmp_path)
    entries = (tmp_path / "robot.myst").read_text(encoding="utf-8").split("````{py:")[1:]
    arm = sd.load("planar_two_link")
    for entry in entries:
        kind, _, signature = entry.split("\n")[0].partition("} soadyn.Robot.")
        if signature:
            assert (kind == "method") == callable(getattr(arm, signature.partition("(")[0])), signature
    assert any(entry.startswith("attribute} soadyn.Robot.effort_limit\n") for entry in entries)


def test_a_docstring_becomes_markdown() -> None:
    from site_parts.markdown import from_docstring

    text = from_docstring(sd.Robot.mass_matrix.__doc__ or "")
    assert "```text\nMass = H phi M phi* H* + A_r\n```" in text
    assert "* `q`: coordinates, (..., nq)" in text
    assert '```python\n>>> import soadyn as sd\n>>> arm = sd.load("planar_two_link")' in text


def test_signs_of_markdown_in_words_mean_themselves() -> None:
    from site_parts.markdown import escaped

    assert escaped("H* and a_b but `H*_b`") == "H\\* and a\\_b but `H*_b`"
