"""The papers by name: their formulas, their citations, and every citation in the sources and documents."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from equations import EQUATIONS, misquoted
from soadyn.theory.literature.entry import PaperFormula, PaperProgram
from soadyn.theory.literature.references import REFERENCES, cited_tags, legend

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    *sorted((ROOT / "src").rglob("*.py")),
    *sorted((ROOT / "tests").rglob("*.py")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("*.md")),
]


def test_every_citation_names_an_equation_that_the_paper_has() -> None:
    wrong = {
        f"{file.relative_to(ROOT)}: {cited}"
        for file in TEXTS
        if file.name not in ("test_papers.py", "equations.py")  # they misquote on purpose
        for cited in misquoted(file.read_text(encoding="utf-8"))
    }
    assert not wrong


def test_citations_are_found_at_all() -> None:
    """The check above reads what it should: hundreds of equations of every paper."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in TEXTS)
    for tag in REFERENCES:
        assert len(re.findall(rf"\b{tag} (?:\(|eqs?\.|Lemma|Algorithm|Identity|section)", text)) > 5
    assert list(misquoted("001 (80), 002 (40), 000 (A.32); 003 Lemmas 1, 14; 004 eqs. 3.1-3.7; 001 section XI")) == [
        "001 (80)",
        "002 (40)",
        "000 (A.32)",
        "003 Lemma 14",
        "004 eq. 3.7",
        "001 section XI",
    ]


def test_the_notation_table_cites_the_papers_as_the_table_of_references_does() -> None:
    text = (ROOT / "NOTATION.md").read_text(encoding="utf-8")
    for paper in REFERENCES.values():
        assert f"| {paper.tag} | {paper.authors}, *{paper.title}*, {paper.published}, {paper.year} |" in text


@pytest.mark.parametrize("number", range(1, 5))
@pytest.mark.heavy(2)
def test_an_algorithm_of_001_by_name_is_forward_dynamics(number: int, rng: np.random.Generator) -> None:
    arm = sd.load("puma560")
    entry = sd.papers[f"001 Algorithm {number}"]
    f = sd.compile(entry, arm)
    q, v, tau = arm.random_configuration(rng), rng.standard_normal(6), rng.standard_normal(6)
    a = arm.forward_dynamics(q, v, tau)
    expected = a
    if number == 2:  # accelerations of links, gravity's offset among them
        lifted = arm.poses(q)[..., :3, :3].mT @ -arm.gravity
        expected = arm.link_accelerations(q, v, a) + np.concatenate([0 * lifted, lifted], axis=-1)
    assert abs(f(q, v, tau) - expected).max() <= 1e-11 * abs(expected).max()
    assert f.sweeps == {1: 4, 2: 4, 3: 3, 4: 3}[number]


def test_every_entry_is_explained_on_a_robot() -> None:
    flyer = sd.load("planar_two_link")
    for name, entry in sd.papers.items():
        text = sd.explain(name, flyer)
        assert text.startswith(f"{name}  [{entry.reference}]\n")
        assert legend(entry.reference).splitlines()[0].strip() in text
        assert str(entry).startswith(name)
        assert isinstance(entry, PaperFormula | PaperProgram)
        assert set(cited_tags(entry.reference)) <= set(REFERENCES)
        assert not list(misquoted(entry.reference))


def test_a_number_names_the_first_formula_that_has_it_and_says_what_else_is_there() -> None:
    assert sd.papers["001 (27)"] is sd.papers["001 bias force"]
    entry = sd.papers["001 (46)"]
    assert entry == sd.papers["001 inverse mass matrix"]
    assert entry.others == ("001 inverse mass matrix, factors",)
    assert "printed there too: '001 inverse mass matrix, factors'" in str(entry)
    assert "printed there too: 001 inverse mass matrix, factors" in sd.explain("001 (46)", sd.load("planar_two_link"))


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("001 algorithm 1", "001 Algorithm 1"),
        ("001 TIP  velocity", "001 tip velocity"),
        ("001 eq. 27", "001 bias force"),
        ("001 27", "001 bias force"),
        ("001 (50)", "001 Algorithm 1"),
        ("001 section vii.d", "001 two sweeps without velocities"),
        ("003 lemma 12", "003 inverse mass matrix, closed form"),
        ("001 Identity 4", "001 predicted transition"),
        ("001 predicted transition", "001 predicted transition"),
        ("004 Lemma 4.2", "004 passive inverse innovations factor"),
        ("001 (2)", "001 M"),
    ],
)
def test_what_stands_at_a_number_of_a_paper_is_found(number: str, name: str) -> None:
    entry = sd.papers[number]
    assert entry.key == name
    assert sd.explain(number).startswith(name)


def test_what_is_found_at_identities_compiles() -> None:
    arm = sd.load("planar_two_link")
    entry = sd.papers["001 Identity 4"]
    assert isinstance(entry, PaperFormula)
    assert entry.equal is not None
    one, other = (sd.compile(x, arm)([0.1, 0.2]).dense() for x in (entry.formula, entry.equal))
    assert abs(one - other).max() < 1e-12


def test_a_formula_that_no_paper_has_is_refused() -> None:
    with pytest.raises(sd.UnknownNameError, match=r"unknown formula of the papers '001 \(99\)'"):
        sd.papers["001 (99)"]
    with pytest.raises(sd.UnknownNameError, match="Did you mean '001 Algorithm 3'"):
        sd.papers["001 Algoritm 3"]
    with pytest.raises(sd.UnknownNameError, match="unknown formula of the papers 7"):
        sd.papers[7]  # type: ignore[index]


def test_the_legend_has_only_what_is_cited() -> None:
    text = sd.explain("mass_matrix", sd.load("planar_two_link"))
    assert text.count("Rodriguez") == 1
    assert "IEEE Transactions on Robotics and Automation 8(1), 1992" in text
    assert "Papers" not in sd.explain("001 Algorithm 3", sd.load("planar_two_link"), latex=True)


def test_the_equations_of_002_are_plain_numbers() -> None:
    assert {"1", "22a", "39"} <= EQUATIONS["002"]
    assert "40" not in EQUATIONS["002"]


@pytest.mark.parametrize("key", [[], {}, 3, None, "001 (999)"], ids=repr)
def test_what_is_no_formula_is_refused_by_name_and_has_a_default(key: object) -> None:
    assert key not in sd.papers
    assert sd.papers.get(key, "none") == "none"
    with pytest.raises(sd.UnknownNameError, match="unknown formula of the papers"):
        sd.papers[key]
