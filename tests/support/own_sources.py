"""The sources of soadyn: files, their units, what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src" / "soadyn"
TESTS = ROOT / "tests"
# Folders of rooms: a folder in one of them is a unit, and so is a module that stands by itself in the engine.
GROUPS = ("control", "engine", "mechanics", "programs", "robot", "theory", "view")


@final
@dataclass(frozen=True, slots=True)
class Import:
    """An import statement: who imports what, and whether it runs when the module is imported, later, or never."""

    file: Path
    line: int
    module: str
    when: str  # "import", "call" or "typing"

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def unit_of(module: str) -> str:
    parts = module.split(".")
    return _unit(tuple(parts[1:])) if len(parts) > 1 else parts[0]


def unit_of_file(file: Path) -> str:
    inside = file.relative_to(SOURCE).with_suffix("").parts
    return _unit(inside if inside[-1] != "__init__" else inside[:-1])


def _unit(inside: tuple[str, ...]) -> str:
    """The unit of a module or of a name in one, from its path within the package."""
    if not inside:
        return "soadyn"
    below = ".".join(inside[:2])
    if inside[0] not in GROUPS or len(inside) == 1:
        return inside[0]
    if (SOURCE / inside[0] / inside[1]).is_dir():
        return below
    alone = inside[0] == "engine" and (SOURCE / "engine" / f"{inside[1]}.py").exists()
    return below if alone else inside[0]


def sources() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def imports() -> tuple[Import, ...]:
    return tuple(found for file in sources() for found in _imports_in(file))


def _imports_in(file: Path) -> Iterator[Import]:
    def visit(node: ast.AST, when: str) -> Iterator[Import]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            when = "call"
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            when = "typing"
        for name in _imported(node):
            yield Import(file, node.lineno, name, when)  # type: ignore[attr-defined]
        for child in ast.iter_child_nodes(node):
            yield from visit(child, when)

    yield from visit(ast.parse(file.read_text(encoding="utf-8")), "import")


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        assert node.module is not None
        # `from soadyn.robot import arguments` may import a folder or a module of the package
        own = node.module.split(".")[0] == "soadyn"
        return [f"{node.module}.{alias.name}" for alias in node.names] if own else [node.module]
    return []


def own() -> list[Import]:
    return [found for found in imports() if found.module.split(".")[0] == "soadyn"]


def foreign() -> list[Import]:
    return [found for found in imports() if found.module.split(".")[0] != "soadyn"]
