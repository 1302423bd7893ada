"""Where references point: the numbers of equations, identities, lemmas, algorithms and sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

PLACE = re.compile(r"\(([\w.]+)\)(?:-\(([\w.]+)\))?|\b(identity|lemma|algorithm|section|definition) ([\w.]*\w)")
ASKED = re.compile(r"\s*(00\d)\s+(?:(?:eqs?\.?|equations?)\s*)?(.*?)\s*")


def places_of(reference: str) -> frozenset[str]:
    """The places that a reference names, each with its paper.

    >>> sorted(places_of("001 (43)-(44) Identity 3; 003 Lemma 4"))
    ['001 (43)', '001 (44)', '001 identity 3', '003 lemma 4']
    """
    return frozenset(f"{part[:3]} {place}" for part in reference.split("; ") for place in _places(part[3:].lower()))


def _places(part: str) -> Iterator[str]:
    for first, last, kind, number in PLACE.findall(part):
        if kind:
            yield f"{kind} {number}"
        elif first.isdigit() and last.isdigit():
            yield from (f"({n})" for n in range(int(first), int(last) + 1))
        else:
            yield from (f"({each})" for each in (first, last) if each)


def place_asked(text: str) -> str:
    """A place as somebody writes it, as `places_of` gives it; empty if it is none.

    >>> place_asked("001 eq. 46"), place_asked("001  Identity 4"), place_asked("inverse mass matrix")
    ('001 (46)', '001 identity 4', '')
    """
    found = ASKED.fullmatch(text.lower())
    if found is None:
        return ""
    tag, place = found.groups()
    return f"{tag} ({place})" if re.fullmatch(r"\d[\w.]*", place) else f"{tag} {' '.join(place.split())}"
