"""Climbs of a rolled kernel, as LLVM text: columns that start at a link and rise to its ancestors."""

from __future__ import annotations

from soadyn.backends.native.rolled.addresses import LinkValues
from soadyn.backends.native.rolled.loop_writer import LoopWriter
from soadyn.backends.plan.plan import KEPT, ClimbLoop
from soadyn.backends.plan.step import Key, Step


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
        w.line(f"store i64 {k}, ptr %climber")
        _rise(t, part, climbing, columns, first)

    def visible(k: str) -> None:
        if part.climb.visible_only:
            t.if_visible(t.entry_of("row", k), lambda: start(k), "seen")
        else:
            start(k)

    t.count("%f.n", "1", -1, visible, "climb")


def _rise(t: LoopWriter, part: ClimbLoop, climbing: str, columns: str, first: str) -> None:
    """From the link in %climber to its ancestors: carry the columns, let each ancestor take its rows."""
    w = t.w
    label = t.unique("rise")
    w.line(f"br label %{label}")
    w.label(label)
    k = w.set("load i64, ptr %climber")
    parent = t.entry_of("parents", k)
    grounded = w.set(f"icmp eq i64 {parent}, 0")
    w.line(f"br i1 {grounded}, label %{label}.end, label %{label}.go")
    w.label(f"{label}.go")
    last = w.set(f"sub i64 {columns}, 1")

    def each_column(steps: list[Step], link: str) -> None:
        values = LinkValues(t, link)

        def of_class(c: int) -> None:
            def column(j: str) -> None:
                x = t.at(climbing, w.set(f"mul i64 {j}, {part.height}"))

                def read(key: Key) -> str:
                    return t.load(x, key[2]) if key[:2] == ("own", "x") else values.reader(c)(key)

                def write(key: Key, register: str) -> None:
                    where, name, i = key
                    if where == "own":
                        t.store(register, x, i)
                    else:
                        _matrix_entry(t, register, link, i, first, j, name, below=where == "below")

                changes = any(key[0] == "own" for key in steps[c].results)
                t.perform(steps[c], read, write, in_place=changes)

            t.count("0", last, 1, column, "carried")

        t.by_class(link, of_class, "rising")

    each_column(part.carry, k)
    each_column(part.row, parent)
    w.line(f"store i64 {parent}, ptr %climber")
    w.line(f"br label %{label}")
    w.label(f"{label}.end")


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
