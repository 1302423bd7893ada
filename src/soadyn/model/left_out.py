"""What a file says and the robot does without: told in notes, warned of, refused if that is wanted."""

from __future__ import annotations

from collections.abc import Iterable

from soadyn.errors import ModelError, ModelWarning, warn_caller
from soadyn.model.checks import at
from soadyn.model.draft import Draft, LeftOut, LeftOutKind

MOST_NOTES = 50  # of one kind; a file may have a million


def tell_left_out(draft: Draft, strict: bool) -> list[str]:
    """A note on each thing that was left out; one warning of what changes the motion; `strict` refuses what matters."""
    matters = [x for x in draft.left_out if x.kind.matters]
    if strict and matters:
        raise ModelError(
            f"{at(draft.where)}the file says more than soadyn models: {_summary(matters)} would be left out "
            "(refused because strict=True)"
        )
    moves = [x for x in draft.left_out if x.kind.moves]
    if moves:
        warn_caller(f"{at(draft.where)}not modelled and left out: {_summary(moves)}; see robot.notes", ModelWarning)
    return [note for kind, found in _by_kind(draft.left_out).items() for note in _notes(kind, found, draft.where)]


def _notes(kind: LeftOutKind, found: list[LeftOut], file: str) -> list[str]:
    notes = [f"{at(x.where)}{x.what} is left out: {kind.instead}" for x in found[:MOST_NOTES]]
    if (more := len(found) - MOST_NOTES) > 0:
        notes.append(f"{at(file)}{more} more {kind.one if more == 1 else kind.many} left out: {kind.instead}")
    return notes


def _summary(left_out: Iterable[LeftOut]) -> str:
    """Each kind with how many there are, and the place of the first."""
    return ", ".join(
        f"{len(found)} {kind.one if len(found) == 1 else kind.many} ({found[0].what} at {found[0].where}"
        f"{', ...' if len(found) > 1 else ''})"
        for kind, found in _by_kind(left_out).items()
    )


def _by_kind(left_out: Iterable[LeftOut]) -> dict[LeftOutKind, list[LeftOut]]:
    """What changes the motion comes first."""
    kinds: dict[LeftOutKind, list[LeftOut]] = {}
    for x in sorted(left_out, key=lambda x: (not x.kind.moves, not x.kind.matters)):
        kinds.setdefault(x.kind, []).append(x)
    return kinds
