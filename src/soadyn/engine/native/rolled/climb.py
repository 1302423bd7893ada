"""Climbs of a rolled kernel, as LLVM text: columns that start at a link and rise to its ancestors."""

from __future__ import annotations

from collections.abc import Callable

from soadyn.engine.loops.plan import KEPT, ClimbLoop
from soadyn.engine.loops.step import Key, Step
from soadyn.engine.native.rolled.addresses import LinkValues
from soadyn.engine.native.rolled.loop_writer import LoopWriter


def climb(t: LoopWriter, part: ClimbLoop) -> None:
    """From the tips to the base: each link starts its columns, its ancestors carry them on and take their rows."""
    w = t.w
    climbing = t.at("%scratch", "%f.climbing")
    same_width = len(set(part.widths)) == 1

    def start(k: str) -> None:
        values = LinkValues(t, k)
        first = t.entry_of("column_start", k)

        def begin(c: int) -> None:
            width = part.widths[c]

            def write(key: Key, register: str) -> None:
                where, name, i = key
                if where == "own":
                    t.store(register, climbing, i)
                elif not _mirrored(t, name) or i // width <= i % width:
                    _matrix_entry(t, register, k, i // width, first, str(i % width), name)

            t.perform(part.own[c], values.reader(c), write)
            w.line(f"store i64 {width}, ptr %width")

        t.by_class(k, begin, "own")
        columns = str(part.widths[0]) if same_width else w.set("load i64, ptr %width")

        def rise(j: str) -> None:
            w.line(f"store i64 {k}, ptr %climber")
            _rise(t, part, climbing, first, j)

        t.count("0", w.set(f"sub i64 {columns}, 1"), beside(part), rise, "carried")

    def visible(k: str) -> None:
        if part.climb.visible_only:
            t.if_visible(t.entry_of("row", k), lambda: start(k), "seen")
        else:
            start(k)

    t.count("%f.n", "1", -1, visible, "climb")


def beside(part: ClimbLoop) -> int:
    """How many columns rise side by side: two, so that one need not wait for the other, if links start even numbers."""
    return 1 if any(width % 2 for width in part.widths) else 2


def _rise(t: LoopWriter, part: ClimbLoop, climbing: str, first: str, j: str) -> None:
    """Carry columns, from number j on of those that start at the link in %climber, to its ancestors' rows.

    Columns stay in registers on their way: LLVM takes the numbers of %rising out of memory.
    """
    w = t.w
    columns = [w.set(f"add i64 {j}, {i}") for i in range(beside(part))]
    start = t.at(climbing, w.set(f"mul i64 {j}, {part.height}"))
    for i in range(part.height * len(columns)):
        t.store(t.load(start, i), "%rising", i)
    label = t.unique("rise")
    w.line(f"br label %{label}")
    w.label(label)
    k = w.set("load i64, ptr %climber")
    parent = t.entry_of("parents", k)
    grounded = w.set(f"icmp eq i64 {parent}, 0")
    w.line(f"br i1 {grounded}, label %{label}.end, label %{label}.go")
    w.label(f"{label}.go")

    def at_link(steps: list[Step], link: str) -> None:
        values = LinkValues(t, link)

        def of_class(c: int) -> None:
            for number, column in enumerate(columns):
                _at_link(t, steps[c], values.reader(c), number * part.height, (link, first, column))

        t.by_class(link, of_class, "rising")

    at_link(part.carry, k)
    at_link(part.row, parent)
    w.line(f"store i64 {parent}, ptr %climber")
    w.line(f"br label %{label}")
    w.label(f"{label}.end")


def _at_link(
    t: LoopWriter, step: Step, read_link: Callable[[Key], str], place: int, entry: tuple[str, str, str]
) -> None:
    """What a link does with one column, whose numbers stand in %rising from `place` on.

    `entry` is the link, the first column of the climber, and the number of this one among the climber's.
    """
    link, first, column = entry

    def read(key: Key) -> str:
        return t.load("%rising", place + key[2]) if key[:2] == ("own", "x") else read_link(key)

    def write(key: Key, register: str) -> None:
        where, name, i = key
        if where == "own":
            t.store(register, "%rising", place + i)
        else:
            _matrix_entry(t, register, link, i, first, column, name, below=where == "below")

    t.perform(step, read, write)


def _mirrored(t: LoopWriter, result: str) -> bool:
    """Is a result symmetric, so that half of it is written twice?"""
    return result != KEPT and t.plan.program.outputs[int(result)].layout == "symmetric"


def _matrix_entry(
    t: LoopWriter, register: str, link: str, row: int, first: str, column: str, result: str, below: bool = False
) -> None:
    """Store entry (v_start(link) + row, first + column) of a climb's matrix, or its mirror image, or both."""
    w = t.w
    r = w.set(f"add i64 {t.entry_of('v_start', link)}, {row}")
    c = w.set(f"add i64 {first}, {column}")
    # The matrix of a substitution is kept transposed, so that what is read one after the other lies so.
    places = [(c, r)] if below or result == KEPT else [(r, c), (c, r)] if _mirrored(t, result) else [(r, c)]
    for i, j in places:
        index = w.set(f"add i64 {w.set(f'mul i64 {i}, %f.columns')}, {j}")
        t.store(register, t.matrix(result), index)
