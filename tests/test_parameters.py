"""A parameter's name has one meaning and one unit wherever callers use it: the table docs/reference/parameters.md."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from own_sources import ROOT
from public_signatures import UNITS, Parameter, of_function, parameters

PAGE = "docs/reference/parameters.md"
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
EVERYWHERE = "everywhere"
# How many names may mean several things; a new one has to take the place of another.
MOST_WITH_SEVERAL = 18


class Row(NamedTuple):
    """A line of the table."""

    name: str
    unit: str
    meaning: str
    places: frozenset[str]  # empty: everywhere


def rows() -> list[Row]:
    """The table of the page."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    found = []
    for name, unit, meaning, where in ROW.findall(text):
        places = frozenset() if where == EVERYWHERE else frozenset(re.findall(r"`([\w.]+)`", where))
        found.append(Row(name, unit.replace("²", "^2"), meaning, places))
    return found


def complaints(found: list[Parameter], table: list[Row]) -> list[str]:
    """What in the signatures does not agree with the table, each with what to do about it."""
    places: dict[str, set[str]] = {}
    for parameter in found:
        places.setdefault(parameter.name, set()).add(parameter.place)
    told = []
    for name, own in places.items():
        mine = [row for row in table if row.name == name]
        if len(own) > 1 and not mine:
            where = ", ".join(f"`{place}`" for place in sorted(own))
            told.append(f"{PAGE} lacks a row for a shared name: | `{name}` | UNIT | MEANING | {where} |")
        for place in sorted(own) if mine else ():
            claims = [row for row in mine if not row.places or place in row.places]
            if len(claims) != 1:
                known = " or ".join(f"{row.meaning!r} ({row.unit or 'no unit'})" for row in mine)
                told.append(
                    f"`{name}` of `{place}`: if it means {known}, add `{place}` to that one row of {PAGE}; "
                    "if not, it needs another name"
                )
    for parameter in (x for x in found if x.units):
        for row in (x for x in table if x.unit and x.name == parameter.name):
            if (not row.places or parameter.place in row.places) and not parameter.units & set(row.unit.split(", ")):
                said = ", ".join(sorted(parameter.units))
                told.append(f"`{row.name}` of `{parameter.place}`: its docstring says {said}, {PAGE} {row.unit}")
    told += [
        f"{PAGE}: the row of `{row.name}` names `{place}`, which takes no such parameter: drop it"
        for row in table
        for place in sorted(row.places - places.get(row.name, set()))
    ]
    return told


def test_a_parameters_name_means_the_same_wherever_it_is_used() -> None:
    found = parameters()
    assert len(found) > 1000
    assert not complaints(found, rows())


def test_few_names_mean_several_things() -> None:
    names = [row.name for row in rows()]
    several = {name for name in names if names.count(name) > 1}
    assert len(several) <= MOST_WITH_SEVERAL, sorted(several)


def _with(**functions: Any) -> list[str]:
    """What is said of functions that are added to the public ones."""
    more = [parameter for name, function in functions.items() for parameter in of_function(f"new.{name}", function)]
    known = complaints(parameters(), rows())
    return [text for text in complaints([*parameters(), *more], rows()) if text not in known]


def test_a_name_with_another_meaning_is_refused() -> None:
    def bounce(robot: Any, stiffness: float) -> None:
        """How often it bounces."""

    (told,) = _with(bounce=bounce)
    assert "`stiffness` of `new.bounce`: if it means 'force for each unit of position'" in told
    assert "if not, it needs another name" in told


def test_a_name_with_another_unit_is_refused() -> None:
    def wait(robot: Any, q: Any, v: Any) -> None:
        """Waits.

        q: seconds until then.
        v: rad/s, at rest if omitted.
        """

    assert _with(wait=wait) == [f"`q` of `new.wait`: its docstring says s, {PAGE} rad, m"]


def test_a_name_that_a_second_function_takes_needs_a_row() -> None:
    def first(shyness: float) -> None: ...

    def second(shyness: float) -> None: ...

    assert _with(first=first, second=second) == [
        f"{PAGE} lacks a row for a shared name: | `shyness` | UNIT | MEANING | `new.first`, `new.second` |"
    ]


def test_a_row_that_nothing_uses_is_found() -> None:
    stale = Row("stiffness", "N m/rad", "force", frozenset({"control.Gone"}))
    assert any("names `control.Gone`" in text for text in complaints(parameters(), [*rows(), stale]))


def test_units_are_written_as_the_table_writes_them() -> None:
    compound = {unit for row in rows() for unit in re.split(r", ", row.unit) if "/" in unit or " " in unit}
    assert compound - set(UNITS) <= {"N/m", "N s/m", "m/s", "kg m"}
