"""Names do not clash, no code knows a robot by name, nothing reads a robot's private attributes."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import soadyn as sd
from own_sources import ROOT, SOURCE, sources, unit_of_file

WELL_KNOWN_ROBOTS = {"talos", "solo12", "anymal", "iiwa", "kinova", "tiago", "icub", "hyq", "panda", "ur10", "ur3"}


# Names


def packages() -> list[ModuleType]:
    below = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(sd.__path__, "soadyn.") if found.ispkg
    ]
    return [sd, *below]


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.__name__)
def test_no_public_name_hides_a_module(package: ModuleType) -> None:
    modules = {found.name for found in pkgutil.iter_modules(package.__path__)}
    for name in set(getattr(package, "__all__", ())) & modules:
        assert inspect.ismodule(getattr(package, name)), f"{package.__name__}.{name} is a module and something else"


# Classes that share a name, and why: users meet one of each pair, under the word of its field.
SAME_NAME = {
    "Argument": "of a quantity; of a compiled formula",
    "Direction": "of a sweep over the links; of an axis that inverse kinematics is asked for",
    "Function": "a program with its kernels; a scenario of a study",
    "Motion": "of coordinates, as integrate is; a path in time",
}


def test_no_class_name_comes_twice() -> None:
    places: dict[str, list[str]] = {}
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(file.relative_to(SOURCE)))
    assert {name for name, found in places.items() if len(found) > 1} == set(SAME_NAME)
    assert len(SAME_NAME) <= 10


# A function and the class of its result, which people would have to tell apart by a capital.
TWINS = {"capture", "workspace_map"}


def test_no_two_public_names_differ_in_capitals_alone() -> None:
    for package in (package for package in packages() if package.__name__.count(".") <= 1):
        names = [name for name in getattr(package, "__all__", ()) if not inspect.ismodule(getattr(package, name))]
        plain = [name.lower().replace("_", "") for name in names]
        twins = {name for name, word in zip(names, plain, strict=True) if plain.count(word) > 1 and name.islower()}
        assert twins <= TWINS, package.__name__


def test_all_public_names_are_there() -> None:
    assert sorted(sd.__all__) == sorted(set(sd.__all__))
    for name in sd.__all__:
        assert hasattr(sd, name)


def robot_names() -> set[str]:
    return set(sd.robots()) | WELL_KNOWN_ROBOTS


def _compared(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.MatchValue):
        return [node.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return list(node.args) if node.func.attr in ("startswith", "endswith") else []
    return []


@pytest.mark.parametrize("file", sources(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_code_branches_on_a_robots_name(file: Path) -> None:
    names = robot_names()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for operand in _compared(node):
            constants = {part.value for part in ast.walk(operand) if isinstance(part, ast.Constant)}
            assert not constants & names, f"{file}:{node.lineno} compares with a robot's name"  # type: ignore[attr-defined]


# A robot's own attributes


def _of_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


@cache
def _private_names_of_robots() -> frozenset[str]:
    """What the classes of robot/ keep to themselves: methods, attributes and slots that begin with one underscore."""
    classes = [
        node
        for file in (SOURCE / "robot").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    found = [node for one in classes for node in ast.walk(one)]
    names = {node.name for node in found if isinstance(node, ast.FunctionDef)}
    names |= {node.attr for node in found if isinstance(node, ast.Attribute) and _of_self(node)}
    names |= {node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(name for name in names if re.fullmatch(r"_[a-z]\w*[a-z0-9]", name))


def _private_to_a_robot(node: ast.AST) -> bool:
    """Is this `robot._x`, `self.robot._x` or the like, or a name that robots keep to themselves of anything else?"""
    if not isinstance(node, ast.Attribute) or not re.match(r"_[^_]", node.attr) or _of_self(node):
        return False
    called = re.fullmatch(r"(\w+_)?(robot|arm|flyer|state)", ast.unparse(node.value).split(".")[-1]) is not None
    return called or node.attr in _private_names_of_robots()


def test_the_private_names_of_robots_are_known() -> None:
    assert {"_functions", "_results", "_quantity"} <= _private_names_of_robots()


def test_nothing_but_its_own_folder_reads_a_robots_private_attributes() -> None:
    read = [
        f"{file.relative_to(ROOT)}:{node.lineno} reads {ast.unparse(node)}"  # type: ignore[attr-defined]
        for file in sources()
        if unit_of_file(file) != "robot"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if _private_to_a_robot(node)
    ]
    assert not read
