"""A formula explained, from the operators down to numbered equations: the agreed text, here and on the page."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import soadyn as sd
from soadyn.algebra import T, inv, mass

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "explain_formula_inverse_mass_puma560.txt"
PAGE = ROOT / "docs" / "guides" / "formulas.md"
NUMBERED = re.compile(r"    (\S+?)\(.*  001 \((\d+)\)(?:-\((\d+)\))?")


@pytest.fixture(scope="module")
def text() -> str:
    return sd.explain(inv(mass) @ T, sd.load("puma560"))


def test_the_explained_formula_is_the_agreed_one(text):
    """SOADYN_UPDATE_GOLDEN=1 writes the file anew."""
    if os.environ.get("SOADYN_UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_the_page_shows_it(text):
    if not PAGE.is_file():
        pytest.skip("the pages are not part of this copy")
    assert f"```text\n{text}```\n" in PAGE.read_text(encoding="utf-8")


def test_every_line_of_the_recursion_carries_its_equation_number(text):
    recursion = text.split("\nRecursion\n")[1].split("\nOperations\n")[0]
    lines = [line for line in recursion.splitlines() if re.match(r"    \S", line)]
    found = {match[1]: (int(match[2]), int(match[3] or match[2])) for line in lines if (match := NUMBERED.match(line))}
    assert len(found) == len(lines), "a line without its number"
    transforms, riccati, sweeps = ("φ", "H"), ("P", "D", "G", "P⁺"), ("z", "ε", "ν", "λ⁺", "θ̈", "λ")
    assert set(found) == {*transforms, *riccati, *sweeps}
    assert [found[x] for x in riccati] == [(34, 35), (36, 37), (36, 37), (38, 40)]
    assert [found[x] for x in sweeps] == [(49, 50), (51, 51), (51, 51), (53, 53), (54, 54), (52, 53)]


def test_the_operations_of_the_sweeps_add_up(text):
    counts = [int(line.split()[-1].replace(",", "")) for line in text.splitlines() if re.search(r"  +[\d,]+$", line)]
    *sweeps, total = counts
    f = sd.compile(inv(mass) @ T, sd.load("puma560"))
    assert len(sweeps) == f.sweeps == 2
    assert sum(sweeps) == total == sum(f.operation_counts().values())
