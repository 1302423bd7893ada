"""The notebooks of the site run as plain Python, and what their cells end with has a face in a notebook."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import soadyn as sd
from scripts import load_script

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```", re.DOTALL | re.MULTILINE)
NOTEBOOKS = [path for path in sorted(FOLDER.glob("*.md")) if "{code-cell}" in path.read_text(encoding="utf-8")]
FACES = ("_repr_html_", "_repr_png_", "_repr_latex_")


def test_there_are_ten() -> None:
    assert len(NOTEBOOKS) == 10


def test_the_ipynb_files_are_what_the_script_makes_of_the_pages() -> None:
    wanted = load_script(FOLDER.parent / "make_notebooks.py").notebooks()
    there = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "ipynb").glob("*.ipynb")}
    assert there == wanted, "run python docs/make_notebooks.py"
    assert wanted.keys() == {path.stem for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_ipynb_file_has_the_cells_of_its_page(path: Path) -> None:
    whole = json.loads((FOLDER / "ipynb" / f"{path.stem}.ipynb").read_text(encoding="utf-8"))
    assert (whole["nbformat"], whole["metadata"]["kernelspec"]["name"]) == (4, "python3")
    code = ["".join(cell["source"]) for cell in whole["cells"] if cell["cell_type"] == "code"]
    assert code == [cell.strip("\n") for cell in CELL.findall(path.read_text(encoding="utf-8"))]
    for cell in whole["cells"]:
        for link in re.findall(r"\]\(([\w./]+)\)", "".join(cell["source"])):
            assert (FOLDER / "ipynb" / link).exists(), link


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("viser")
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    views = []
    shown = 0
    for cell in CELL.finditer(text):
        result = last_value(cell[1], names, f"{path.name} line {text.count(chr(10), 0, cell.start())}")
        faces = [getattr(result, face)() for face in FACES if hasattr(result, face)]
        assert all(faces)
        shown += bool(faces)
        views += [result] if isinstance(result, sd.view.View) else []
    assert shown >= 1
    for view in views:
        view.stop()


def last_value(code: str, names: dict[str, Any], where: str) -> Any:
    """Run a cell as a notebook does: what its last line comes to is what is shown."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, where, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), where, "eval"), names)  # type: ignore[attr-defined]
