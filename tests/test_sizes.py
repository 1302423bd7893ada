"""Files are short, and no function is written twice."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import pytest

from own_sources import ROOT, SOURCE, TESTS, sources

LONGEST_FILE = 400
MEDIAN_FILE = 120
LONGEST_TEST = 500
SMALL_FUNCTION = 32  # nodes of its syntax tree: shorter ones are alike by chance


# Logic


class _Renamed(ast.NodeTransformer):
    """Names in the order in which they first come, and constants without their values."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.setdefault(node.id, f"name{len(self._names)}"), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._names.setdefault(node.arg, f"name{len(self._names)}"))

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(type(node.value).__name__)


def shape_of_code(function: ast.FunctionDef) -> str | None:
    """What a function does, whatever it calls its values; None if that is too little to be written twice."""
    body = [x for x in function.body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
    if sum(1 for statement in body for _ in ast.walk(statement)) < SMALL_FUNCTION:
        return None
    return ast.dump(_Renamed().visit(ast.Module(body, [])))


def test_no_function_is_written_twice() -> None:
    places: dict[str, list[str]] = {}
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (shape := shape_of_code(node)) is not None:
                places.setdefault(shape, []).append(f"{file.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert len(places) > 1000
    assert not [found for found in places.values() if len(found) > 1]


def test_functions_that_differ_in_names_alone_have_one_shape() -> None:
    text = (
        "def {0}(x, n):\n    {1} = {{i: x[i] + 1 for i in range(n)}}\n    return sorted({1}.items(), key=len), [x] * n"
    )
    functions = [ast.parse(text.format(*names)).body[0] for names in (("first", "found"), ("second", "made"))]
    shapes = {shape_of_code(one) for one in functions if isinstance(one, ast.FunctionDef)}
    assert len(shapes) == 1
    assert None not in shapes


# Size


@pytest.mark.parametrize("file", sources(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_is_short_enough_to_be_read(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{lines} lines; split the file by ideas"


def test_most_files_are_short() -> None:
    assert statistics.median(len(file.read_text(encoding="utf-8").splitlines()) for file in sources()) <= MEDIAN_FILE


def test_a_test_file_is_short_enough_to_be_read() -> None:
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in TESTS.rglob("*.py")}
    assert not {str(file.relative_to(ROOT)): count for file, count in lines.items() if count > LONGEST_TEST}
