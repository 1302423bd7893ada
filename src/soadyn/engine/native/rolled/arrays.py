"""From a caller's arrays to the scratch of a rolled kernel, as LLVM text; how both are walked over."""

from __future__ import annotations

from collections.abc import Callable

from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.programs.sweep.inputs import share_of
from soadyn.programs.sweep.program import Size


def axes_of(t: LoopWriter, name: str) -> tuple[str, ...]:
    """The axes of an argument or result after the batch axes; blocks are poses or spatial matrices of links."""
    if name.startswith("out"):
        return ("block", "row", "column")[3 - t.ranks[int(name[3:])] :]
    return ("row", "column") if share_of(name) == "wrench" else ("column",)


def block_rows(t: LoopWriter, name: str) -> Size:
    """The rows of a link's block of a result: four of a pose, six of a spatial matrix."""
    return t.plan.program.outputs[int(name[3:])].shape[-2]


def read_arguments(t: LoopWriter) -> None:
    """Arguments into the scratch; lanes with a number that is not finite compute on zeros and come out NaN."""
    w, v = t.w, t.vectors
    T, mask = v.real, v.mask
    for name in t.inputs:
        rows = rows_of(t, name)

        def take(index: str, distance: str, rows: list[str] = rows, name: str = name) -> None:
            vector = "poison"
            for lane, row in enumerate(rows):
                at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
                x = w.set(f"load {v.scalar}, ptr {at}")
                vector = w.set(f"insertelement {T} {vector}, {v.scalar} {x}, i32 {lane}")
            size = w.set(f"call {T} @llvm.fabs.{v.suffix}({T} {vector})")
            finite = w.set(f"fcmp olt {T} {size}, {v.splat(float('inf'))}")
            so_far = w.set(f"load {mask}, ptr %ok")
            w.line(f"store {mask} {w.set(f'and {mask} {so_far}, {finite}')}, ptr %ok")
            t.store(vector, "%scratch", w.set(f"add i64 {index}, %f.{name}.start"))

        each_entry(t, name, take)
    ok, every = t.answered()
    w.line(f"br i1 {every}, label %finite, label %clean")
    w.label("clean")

    def clean(j: str) -> None:
        x = t.load("%scratch", j)
        t.store(w.set(f"select {mask} {ok}, {T} {x}, {T} zeroinitializer"), "%scratch", j)

    t.count("0", w.set("sub i64 %f.unit, 1"), 1, clean, "clean")
    w.line("br label %finite")
    w.label("finite")


def rows_of(t: LoopWriter, name: str) -> list[str]:
    """The address of each lane's part of an array."""
    rows = []
    for lane in range(t.vectors.lanes):
        jump = t.w.set(f"mul i64 %state{lane}, %step.{name}")
        rows.append(t.w.set(f"getelementptr i8, ptr %arg.{name}, i64 {jump}"))
    return rows


def each_entry(t: LoopWriter, name: str, body: Callable[[str, str], None]) -> None:
    """A loop over a state's entries of an array: their number, and their distance from the first in bytes."""
    w, axes = t.w, axes_of(t, name)

    def entry(r: str, c: str) -> None:
        index = w.set(f"add i64 {w.set(f'mul i64 {r}, %f.{name}.columns')}, {c}")
        distance = "0"
        if "row" in axes:
            row = w.set(f"urem i64 {r}, {block_rows(t, name)}") if "block" in axes else r
            distance = w.set(f"mul i64 {row}, %core.{name}.row")
        if "block" in axes:
            block = w.set(f"mul i64 {w.set(f'udiv i64 {r}, {block_rows(t, name)}')}, %core.{name}.block")
            distance = w.set(f"add i64 {distance}, {block}")
        if "column" in axes:
            distance = w.set(f"add i64 {distance}, {w.set(f'mul i64 {c}, %core.{name}.column')}")
        body(index, distance)

    rows = w.set(f"sub i64 %f.{name}.rows, 1")
    columns = w.set(f"sub i64 %f.{name}.columns, 1")
    t.count("0", rows, 1, lambda r: t.count("0", columns, 1, lambda c: entry(r, c), "column"), "row")
