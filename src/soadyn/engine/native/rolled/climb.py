"""Climbs of a rolled kernel, as LLVM text: columns that start at a link and rise to its ancestors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from soadyn.engine.loops.plan import KEPT, ClimbLoop
from soadyn.engine.loops.step import Key, LoopStep
from soadyn.engine.native.rolled.addresses import LinkValues
from soadyn.engine.native.rolled.loop_writer import LoopWriter


def climb(t: LoopWriter, part: ClimbLoop) -> None:
    """Let columns climb, those of the tips first: links start them, ancestors carry them on and take their rows."""
    climbing = t.w.at("%scratch", "%f.climbing")

    def start(k: str) -> None:
        values, first = LinkValues(t, k), t.entry_of("column_start", k)

        def begin(c: int) -> None:
            width = part.widths[c]

            def write(key: Key, register: str) -> None:
                where, name, i = key
                if where == "own":
                    t.w.store(register, climbing, i)
                elif not _is_mirrored(t, name) or i // width <= i % width:
                    _matrix_entry(t, register, values.v, i // width, first, str(i % width), name)

            t.perform(part.own[c], values.reader(c), write)
            t.w.store(str(width), "%width", kind="i64")

        t.by_class(k, begin)
        t.w.loop("0", t.w.load("%width", kind="i64"), partial(_rise, t, part, climbing, k, first))

    def start_visible(k: str) -> None:
        t.when_visible(t.entry_of("row", k), lambda: start(k))

    t.w.loop("%f.n", "0", start_visible if part.climb.visible_only else start, -1)


def _rise(t: LoopWriter, part: ClimbLoop, climbing: str, k: str, first: str, column: str) -> None:
    """Carry a column, by its number among those that start at link k, to the ancestors' rows.

    It stays in registers on its way: LLVM takes the numbers of %rising out of memory.
    """
    start = t.w.at(climbing, t.w.times(column, part.height))
    for i in range(part.height):
        t.w.store(t.w.load(start, i), "%rising", i)

    def rise(parent: str, below: Sequence[str]) -> list[str]:
        for steps, place in ((part.carry, below[0]), (part.row, parent)):
            t.by_class(place, partial(_at_link, t, steps, LinkValues(t, place), first, column))
        return [parent]

    t.follow("parents", t.entry_of("parents", k), ("i64", [k]), rise, least=1)


def _at_link(t: LoopWriter, steps: Sequence[LoopStep], values: LinkValues, first: str, column: str, c: int) -> None:
    """Do what a link of class c does with the column in %rising; `first` is the first of the climber's columns."""
    read_link = values.reader(c)

    def read(key: Key) -> str:
        return t.w.load("%rising", key[2]) if key[:2] == ("own", "x") else read_link(key)

    def write(key: Key, register: str) -> None:
        where, name, i = key
        if where == "own":
            t.w.store(register, "%rising", i)
        else:
            _matrix_entry(t, register, values.v, i, first, column, name, below=where == "below")

    t.perform(steps[c], read, write)


def _is_mirrored(t: LoopWriter, result: str) -> bool:
    """Is a result symmetric, so that half of it is written twice?"""
    return result != KEPT and t.plan.program.outputs[int(result)].layout == "symmetric"


def _matrix_entry(
    t: LoopWriter, register: str, start: str, row: int, first: str, column: str, result: str, below: bool = False
) -> None:
    """Store entry (start + row, first + column) of a climb's matrix, or its mirror image, or both."""
    r, c = t.w.plus(start, row), t.w.plus(first, column)
    # The matrix of a substitution is kept transposed, so that what is read one after the other lies so.
    places = [(c, r)] if below or result == KEPT else [(r, c), (c, r)] if _is_mirrored(t, result) else [(r, c)]
    for i, j in places:
        t.w.store(register, t.matrix(result), t.entry(i, j, "%f.columns"))
