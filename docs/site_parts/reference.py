"""Pages of the reference made from docstrings: every public name with its signature, its words and its example."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import soadyn as sd
from site_parts.examples import example_of
from site_parts.markdown import from_docstring
from site_parts.robot_groups import grouped
from soadyn.algebra.operators import OPERATORS, VECTORS
from soadyn.robot.mass import MassMatrix

GROUPS = {
    "load": ("Robots", "load robots build chain from_dh Builder Body"),
    "formulas": ("Formulas", "compile Compiled explain prove simplify operator vector papers"),
    "simulation": (
        "Simulation",
        "simulate Prescribed Adaptive Stepper Trajectory Phases TimeSeries Event Stops "
        "Spring Damper Friction Backlash JointForces capture",
    ),
}
CLASSES = {"robot": ("soadyn", sd.Robot), "state": ("soadyn", sd.State), "mass": ("soadyn.robot.mass", MassMatrix)}
GROUPED = ("robot", "state")  # their members stand in sections by what they are about
MODULES = tuple(name for name in sd.__all__ if inspect.ismodule(getattr(sd, name)))
ERRORS_OPENING = (
    "Here are the classes, with a case of each. The page of errors has every kind of bad input with its message."
)


def write_reference(folder: Path) -> None:
    """One page for `Robot`, `State` and the mass matrix each, one for each group of functions, one for each module."""
    folder.mkdir(parents=True, exist_ok=True)
    for page, (where, cls) in CLASSES.items():
        _write(folder, page, f"{where}.{cls.__name__}", "", where, [cls.__name__], sys.modules[where])
    for page, (title, names) in _groups().items():
        opening = ERRORS_OPENING if page == "errors" else ""
        _write(folder, page, title, opening, "soadyn", names, sd)
    for name in MODULES:
        module = getattr(sd, name)
        _write(folder, name, f"soadyn.{name}", inspect.getdoc(module) or "", f"soadyn.{name}", names_of(name), module)


def _groups() -> dict[str, tuple[str, list[str]]]:
    """The names of `soadyn` by page; whatever is new and in no group goes to the last one."""
    groups = {page: (title, names.split()) for page, (title, names) in GROUPS.items()}
    placed = {*MODULES, *(name for _, names in groups.values() for name in names), "Robot", "State"}
    left = [name for name in sd.__all__ if name not in placed]
    errors = [name for name in left if isinstance(cls := getattr(sd, name), type) and issubclass(cls, BaseException)]
    groups["errors"] = ("Error classes", errors)
    groups["other"] = ("Other functions and classes", [name for name in left if name not in errors])
    return groups


def names_of(module: str) -> list[str]:
    """What a public module offers; operators of one letter are left out of `import *`, not of the reference."""
    letters = [*OPERATORS, *VECTORS] if module == "algebra" else []
    return sorted({*getattr(sd, module).__all__, *letters}, key=lambda name: (name.lower(), name))


def public_names() -> list[str]:
    """What the reference must have an entry for: the names of `soadyn` and of its public modules."""
    return [f"soadyn.{name}" for name in sd.__all__ if name not in MODULES] + [
        f"soadyn.{module}.{name}" for module in MODULES for name in names_of(module)
    ]


def _write(folder: Path, page: str, title: str, opening: str, where: str, names: Sequence[str], module: Any) -> None:
    entries = [_entry(f"{where}.{name}", getattr(module, name)) for name in names]
    if page in GROUPED:
        entries += _sections(f"{where}.{names[0]}", getattr(module, names[0]))
    text = "\n\n".join([f"# {title}", from_docstring(opening), *entries]) + "\n"
    path = folder / f"{page}.myst"
    if not path.exists() or path.read_text(encoding="utf-8") != text:  # an unchanged page is not built again
        path.write_text(text, encoding="utf-8")


def _entry(name: str, thing: Any) -> str:
    kind = "class" if inspect.isclass(thing) else "function" if callable(thing) and inspect.isroutine(thing) else "data"
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        kind = "exception"
    words = from_docstring(inspect.getdoc(thing) or "")
    if ">>> " not in words:
        words += "\n\n" + from_docstring(example_of(name, thing))
    apart = kind == "data" or thing in (CLASSES[page][1] for page in GROUPED)
    members = [] if apart else list(_members(name, thing).values())
    return _directive(kind, name + ("" if kind == "data" else _signature(thing)), "\n\n".join([words, *members]))


def _sections(name: str, cls: Any) -> list[str]:
    """The members of a class under headings."""
    members = _members(name, cls)
    return [
        "\n\n".join([f"## {title}", *(members[member] for member in chosen)])
        for title, chosen in grouped(list(members)).items()
    ]


def _members(name: str, cls: Any) -> dict[str, str]:
    """What a class has of its own: methods and properties, in the order of the alphabet."""
    found: dict[str, str] = {}
    if not inspect.isclass(cls) or issubclass(cls, BaseException):
        return found
    for member, raw in inspect.getmembers_static(cls):
        doc = inspect.getdoc(raw)
        if member.startswith("_") or not doc or not _is_own(cls, member):
            continue
        # Whatever is asked for without parentheses: properties, and a robot's figures of joints.
        if hasattr(raw, "__get__") and not (callable(raw) or isinstance(raw, staticmethod | classmethod)):
            found[member] = _directive("attribute", f"{name}.{member}", from_docstring(doc), 4)
        elif isinstance(raw, staticmethod | classmethod) or inspect.isroutine(raw):
            signature = _signature(getattr(cls, member))
            found[member] = _directive("method", f"{name}.{member}{signature}", from_docstring(doc), 4)
    return found


def _is_own(cls: type, member: str) -> bool:
    """Not what tuples and exceptions bring along."""
    return any(member in vars(base) for base in cls.__mro__ if base.__module__.startswith("soadyn"))


def _directive(kind: str, signature: str, words: str, ticks: int = 5) -> str:
    fence = "`" * ticks
    return f"{fence}{{py:{kind}}} {signature}\n\n{words}\n{fence}"


def _signature(thing: Any) -> str:
    """Names and defaults; types are told by the words, and by the stubs."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "()"
    plain = [
        each.replace(annotation=inspect.Parameter.empty) for each in found.parameters.values() if each.name != "self"
    ]
    return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
