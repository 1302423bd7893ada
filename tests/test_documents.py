"""The documents name what is there, and every public name is documented."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from test_layers import RANK

import soadyn as sd
from own_sources import ROOT, SOURCE, TESTS, own, sources, unit_of, unit_of_file
from soadyn.quantities import QUANTITIES

# Documentation


@pytest.mark.parametrize("name", sd.__all__)
def test_every_public_name_is_documented_with_an_example(name: str) -> None:
    thing = getattr(sd, name)
    doc = inspect.getdoc(thing)
    assert doc
    if not (inspect.isclass(thing) and issubclass(thing, Exception)):
        assert ">>> " in doc


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_is_in_the_docs(name: str) -> None:
    pages = [ROOT / "README.md", ROOT / "NOTATION.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert any(f"`{name}" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_is_tested(name: str) -> None:
    others = [file for file in TESTS.rglob("test_*.py") if file.name != Path(__file__).name]
    assert any(name in file.read_text(encoding="utf-8") for file in others)


def test_contributing_lists_every_room_above_those_that_use_it() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("## The rooms") : text.index("## How a result comes about")]
    rooms = [
        room for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for room in re.findall(r"`([\w/]+)/`", row)
    ]
    rooms = [room.replace("/", ".") for room in rooms]
    assert set(rooms) == {unit for unit in RANK if SOURCE.joinpath(*unit.split(".")).is_dir()}
    for found in own():
        user, used = unit_of_file(found.file), unit_of(found.module)
        if found.when != "typing" and user != used and user in rooms and used in rooms:
            assert rooms.index(used) < rooms.index(user), found


def test_contributing_lists_every_place_of_tests() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/\w+(?:/|\.py))", text[text.index("## Tests") :]))
    folders = {f"tests/{x.name}/" for x in TESTS.iterdir() if any(x.glob("*.py"))}
    assert named >= folders | {f"tests/{x.name}" for x in TESTS.glob("test_*.py")}


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_what_the_documents_name_is_there(page: Path) -> None:
    """Folders and Python files in backticks, from the root of the repository or of the package, and links."""
    if page.name == "CHANGELOG.md":
        return  # it names what was there
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.]+/)+(?:\w+\.(?:py|md|txt|toml))?)`", text)
    linked = [link for link in re.findall(r"\]\(([^)#\s]+)\)", text) if "://" not in link]
    # `make docs` writes the pages that end in .myst, and checks links to them.
    linked = [link for link in linked if not link.endswith(".myst")]
    missing = [path for path in named if not any((root / path).exists() for root in (ROOT, SOURCE, TESTS))]
    missing += [link for link in linked if not (page.parent / link).exists()]
    assert not missing


def test_references_are_to_what_can_be_read() -> None:
    """The papers are published; notes that are not part of the repository cannot be looked up."""
    pages = [*documents(), *sources(), *TESTS.rglob("*.py")]
    cited = [
        page for page in pages if re.search(r"\btheory(\.md)?:? \d", page.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert not cited


def test_every_symbol_of_the_notation_is_in_the_code() -> None:
    text = (ROOT / "NOTATION.md").read_text(encoding="utf-8")
    table = text[text.index("## Symbols") : text.index("## Which 6-vector")]
    names = {
        name for row in table.splitlines() if row.count("|") == 6 for name in re.findall(r"`(\w+)`", row.split("|")[2])
    }
    assert len(names) > 25
    words = set(re.findall(r"\w+", " ".join(file.read_text(encoding="utf-8") for file in sources())))
    assert names <= words
