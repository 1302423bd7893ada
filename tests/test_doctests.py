"""Every example runs: those of the modules, of the methods made from the table of quantities, and of the pages."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import soadyn as sd
from soadyn.quantities import QUANTITIES
from soadyn.robot.methods import docstring

ROOT = Path(__file__).resolve().parent.parent
DOCS = [str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md"))]
PAGES = ("README.md", "NOTATION.md", "CONTRIBUTING.md", *DOCS)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# `__main__` would run the command line.
MODULES = [found.name for found in pkgutil.walk_packages(sd.__path__, "soadyn.") if not found.name.endswith("__main__")]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def threads_as_before() -> Any:
    from soadyn.engine.native.threads import limits

    before = limits.threads
    yield
    sd.set_threads(before)


@pytest.mark.parametrize("name", ["soadyn", *MODULES])
def test_the_examples_of_a_module_run(name: str) -> None:
    assert not doctest.testmod(importlib.import_module(name)).failed


@pytest.mark.parametrize("cls", [sd.Robot, sd.State], ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("name", QUANTITIES)
def test_a_quantitys_method_has_an_example(cls: type, name: str) -> None:
    method = getattr(cls, name)
    assert ">>> " in method.__doc__


@pytest.mark.parametrize("name", QUANTITIES)
def test_the_example_of_a_quantity_runs(name: str) -> None:
    text = docstring(QUANTITIES[name])
    assert run(text, name, {}) > 0


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run_in_order(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1))
        if block[1].lstrip().startswith(">>>"):
            run(block[1], f"{page} line {line + 1}", names, line)
        else:
            exec(compile("\n" * line + block[1], page, "exec"), names)


def run(text: str, name: str, names: dict[str, Any], line: int = 0) -> int:
    """Run a doctest in a namespace that keeps what it defines; returns the number of examples."""
    test = doctest.DocTestParser().get_doctest(text, names, name, name, line)
    runner = doctest.DocTestRunner()
    failed, attempted = runner.run(test, clear_globs=False)
    assert not failed
    names.update(test.globs)
    return attempted
