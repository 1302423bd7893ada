"""Every parameter that a caller of soadyn can name: where it is, and what its docstring says of units."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import soadyn as sd

ROOMS = ("algebra", "control", "estimation", "interop", "kinematics", "optimal", "paths", "spatial", "studies", "view")
# Classes that only soadyn makes: what they are made from is no business of callers.
MADE_BY_US = frozenset(
    """Compiled Distribution Excitation Execution Failures FieldPoints FieldSample Found KalmanModel Motion Operator
    Path Phases Plan Regulator Robot Singularity Solution State Status StudyResults Summary SurfacePoints Trajectory
    WorkspaceMap""".split()  # noqa: SIM905
)
# Methods that soadyn calls.
INSIDE = ("torque", "force", "recorded", "measured", "bound", "taken", "of", "merged", "units", "corrected", "rows_of")
UNITS = ("N m s/rad", "N m/rad", "rad/s^2", "rad/s", "m/s^2", "1/s^2", "1/s", "N m", "kg m^2", "kg", "seconds")
UNIT = re.compile(rf"(?<![\w/^])(?:{'|'.join(map(re.escape, UNITS))})(?![\w/^])")  # the longest first


class Parameter(NamedTuple):
    """A parameter of a public function or class."""

    name: str
    place: str  # a function, or a class whatever its method
    units: frozenset[str]  # that the docstring names beside it


def parameters() -> list[Parameter]:
    """The parameters of all public functions, classes and methods."""
    found, seen = [], set()
    for room in (sd, *(getattr(sd, name) for name in ROOMS)):
        for name in room.__all__:
            thing = getattr(room, name)
            if not isinstance(thing, ModuleType) and id(thing) not in seen:
                seen.add(id(thing))
                prefix = "" if room is sd else room.__name__.removeprefix("soadyn.") + "."
                found += _of_thing(prefix + name, thing)
    return found


def _of_thing(place: str, thing: Any) -> Iterator[Parameter]:
    if not inspect.isclass(thing):
        yield from of_function(place, thing)
    elif not issubclass(thing, Exception):
        if thing.__name__ not in MADE_BY_US and not thing.__name__.endswith("Result"):
            yield from of_function(place, thing)
        for name, method in vars(thing).items():
            inner = method.__func__ if isinstance(method, staticmethod | classmethod) else method
            if inspect.isfunction(inner) and (name == "__call__" or not name.startswith("_")) and name not in INSIDE:
                yield from of_function(place, inner)


def of_function(place: str, function: Any) -> Iterator[Parameter]:
    """The parameters of a function, or of the making of a class."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return
    text = "" if dataclasses.is_dataclass(function) and not function.__doc__ else inspect.getdoc(function) or ""
    for name in names:
        if name not in ("self", "cls") and not name.startswith("_"):
            yield Parameter(name, place, _units(name, text))


def _units(name: str, text: str) -> frozenset[str]:
    """The units in the docstring's line that begins with the name, up to its first full stop.

    A line may tell of several names: then it counts if it has as many units, in their order.
    """
    line = re.search(rf"^ *((?:\w+, )*{name}(?:, \w+)*)(?::|  ) *(.*)$", text, re.MULTILINE)
    if line is None:
        return frozenset()
    names, said = line[1].split(", "), re.split(r"[.;] ", line[2].replace("²", "^2"))[0]
    found = ["s" if unit == "seconds" else unit for unit in UNIT.findall(said)]
    if len(names) == 1:
        return frozenset(found)
    return frozenset([found[names.index(name)]] if len(found) == len(names) else [])
