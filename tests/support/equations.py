"""The numbers under which the papers print their results; tests check every citation against this table.

A number is written as the paper writes it, without brackets: 4.1a, A.11, 46.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType

from soadyn.theory.literature.references import REFERENCES


def _numbered(chapter: str, count: int) -> list[str]:
    return [f"{chapter}.{i}" for i in range(1, count + 1)]


def _plain(count: int) -> list[str]:
    return [str(i) for i in range(1, count + 1)]


def _parts(number: str, letters: str) -> list[str]:
    return [f"{number}{letter}" for letter in letters]


_CHAPTERS = {
    "000": {"1": 4, "2": 5, "3": 2, "4": 10, "5": 6, "6": 13, "7": 10, "8": 6, "A": 31, "B": 10},
    "003": {"5": 4, "6": 3, "7": 5, "8": 3, "9": 14, "10": 6},
    "004": {"3": 6, "4": 10, "5": 4, "6": 13, "7": 3, "A": 11},
}
_LETTERED = {
    "000": [*_parts("4.1", "abcd"), *_parts("A.14", "abc")],
    "002": [*_parts("2", "ab"), *_parts("9", "abc"), *_parts("15", "abc"), *_parts("22", "ab")],
    "004": [*_parts("5.1", "abc"), *_parts("5.3", "abc"), *_parts("5.4", "ab")],
}
EQUATIONS = MappingProxyType(
    {
        tag: frozenset(
            [
                *(number for chapter, count in _CHAPTERS.get(tag, {}).items() for number in _numbered(chapter, count)),
                *_plain({"001": 79, "002": 39}.get(tag, 0)),
                *_LETTERED.get(tag, []),
            ]
        )
        for tag in REFERENCES
    }
)
# Results that have a name beside or instead of an equation's number.
NAMED = MappingProxyType(
    {
        "000": frozenset(
            f"{kind} {number}"
            for kind, numbers in {
                "Identity": ("4.1", "6.1", "6.2", "6.3", "6.4", "7.1"),
                "Lemma": ("2.1", "2.2", "3.1", "7.1", "7.2", "7.3", *_numbered("A", 6), "B.1", "B.2"),
                "Algorithm": ("4.1", "6.1", "7.1", "8.1"),
                "Assumption": ("2.1", "3.1"),
                "Control": ("8.1", "8.2"),
                "Table": ("1", "2", "3"),
            }.items()
            for number in numbers
        ),
        "001": frozenset([*(f"Identity {i}" for i in range(1, 7)), *(f"Algorithm {i}" for i in range(1, 5))]),
        "002": frozenset[str](),
        "003": frozenset(f"Lemma {i}" for i in range(1, 14)),
        "004": frozenset(
            f"Lemma {number}" for number in ("4.1", "4.2", "4.3", "5.1", "5.2", "6.1", "6.2", "6.3", "6.4")
        ),
    }
)
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
# Sections; those of 001 are counted with Roman numbers and letters.
SECTIONS = MappingProxyType(
    {
        "000": frozenset([*map(str, range(1, 10)), "A", "B"]),
        "001": frozenset([*_ROMAN, *(f"{roman}.{letter}" for roman in _ROMAN for letter in "ABCD")]),
        "002": frozenset(map(str, range(1, 7))),
        "003": frozenset(map(str, range(1, 13))),
        "004": frozenset([*map(str, range(1, 9)), "6.1", "6.2", "A"]),
    }
)

_NUMBER = r"(?:[A-Z]\.)?\d+(?:\.\d+)?[a-d]?"
_ITEM = re.compile(
    rf"\(({_NUMBER})\)(?:-\(({_NUMBER})\))?"  # (28), (29)-(31)
    rf"|eqs?\. ((?:{_NUMBER}(?:-{_NUMBER})?(?:, )?)+)"  # eq. 20, eqs. 10-12, 14
    rf"|(Lemma|Identity|Algorithm|Table|Assumption|Control)s? ((?:{_NUMBER}(?:, )?)+)"
    r"|sections? ((?:[IVX]+(?:\.[A-D])?|[A-B]|\d+(?:\.\d)?)(?:(?:, |-)(?:[IVX]+(?:\.[A-D])?|(?!00\d)\d+(?:\.\d)?))*)"
)


def misquoted(text: str) -> Iterator[str]:
    """Citations in a text that no paper has.

    >>> list(misquoted("001 (22), (99); 003 Lemma 13; 000 section 5"))
    ['001 (99)']
    """
    for found in re.finditer(r"\b(00\d) ", text):
        tag, place = found.group(1), found.end()
        while tag in REFERENCES and (item := _ITEM.match(text, place)) is not None:
            yield from (f"{tag} {wrong}" for wrong in _unknown(tag, item))
            place = item.end()
            while text[place : place + 1] in (",", " ", "\n"):
                place += 1


def _unknown(tag: str, item: re.Match[str]) -> Iterable[str]:
    first, last, listed, kind, numbers, sections = item.groups()
    if first is not None:
        return [f"({x})" for x in (first, last) if x is not None and x not in EQUATIONS[tag]]
    if listed is not None:
        return [f"eq. {x}" for x in re.findall(_NUMBER, listed) if x not in EQUATIONS[tag]]
    if kind is not None:
        return [f"{kind} {x}" for x in re.findall(_NUMBER, numbers) if f"{kind} {x}" not in NAMED[tag]]
    return [f"section {x}" for x in re.split(r", |-", sections) if x not in SECTIONS[tag]]
