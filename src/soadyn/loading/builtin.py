"""The robots that come with soadyn, listed in robots/catalogue.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import final

from soadyn.loading.source import Source, checked
from soadyn.model.assemble import Root
from soadyn.model.draft import Draft
from soadyn.model.placement import Vector3, vector3


@final
@dataclass(frozen=True, slots=True)
class BuiltinRobot:
    """A row of the catalogue.

    `impossible_inertia` names links whose published inertia no body can have; `gravity` None is Earth's.
    """

    name: str
    description: str
    source: str
    root: Root
    file: str | None
    impossible_inertia: tuple[str, ...]
    gravity: Vector3 | None


@cache
def builtin_robots() -> MappingProxyType[str, BuiltinRobot]:
    """The built-in robots by name."""
    rows = tomllib.loads(_folder().joinpath("catalogue.toml").read_text(encoding="utf-8"))["robot"]
    robots = [
        BuiltinRobot(
            name=row["name"],
            description=row["description"],
            source=row["source"],
            root=row["root"],
            file=row.get("file"),
            impossible_inertia=tuple(row.get("impossible_inertia", ())),
            gravity=vector3(row["gravity"]) if "gravity" in row else None,
        )
        for row in rows
    ]
    return MappingProxyType({robot.name: robot for robot in robots})


def builtin_source(robot: BuiltinRobot) -> Source:
    """The file of a built-in robot, also from inside a zipped package."""
    assert robot.file is not None
    return checked(Source(robot.file, _folder().joinpath(robot.file).read_bytes()))


def draft_in_code() -> Draft:
    """The built-in robot without a file: the snake of the model's builder."""
    from soadyn.model.builder import snake

    return snake()


def _folder() -> Traversable:
    return files("soadyn.loading").joinpath("robots")
