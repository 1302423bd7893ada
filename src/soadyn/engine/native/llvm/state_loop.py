"""The loop over blocks of states around a kernel, as LLVM text; to NumPy the inner loop of a gufunc:

    void loop(char **args, const intp *dimensions, const intp *steps, void *data)

Each pass takes as many states as there are lanes. Lanes beyond the last state repeat it: they compute and store the
same row again, so that a state's bits never depend on how many others there are. A row is one state's part of an array;
its numbers lie side by side, which `Kernel` sees to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import final

from soadyn.engine import policy
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer, declarations

NO_ROOMS: Mapping[str, str] = MappingProxyType({})
COUNTED = "atomicrmw add ptr %data, i64 1 monotonic"
HEAP = ("declare ptr @malloc(i64)", "declare void @free(ptr)")
# What the counter of bad passes grows by when there is no memory for the scratch; results are then not written.
NO_MEMORY = 1 << 40
ALIGNMENT = 64


@final
class StateLoop:
    """The loop over blocks of states of so many arrays, with vectors at %scratch, and `rooms` of other types.

    In a block, `state` is the first state's number, `bases` are the addresses of each lane's row of each array.
    """

    def __init__(self, w: Writer, arrays: int, scratch: str | int = 0, rooms: Mapping[str, str] = NO_ROOMS) -> None:
        self.w, self.state = w, "0"
        self.bases: list[list[str]] = []
        w.lines += w.entry_allocations()
        w.lines += [f"  {name} = alloca {kind}" for name, kind in rooms.items()]
        self.states = w.load("%dims", 0, "i64")
        self._arrays = [(w.load("%args", a, "ptr"), w.load("%steps", a, "i64")) for a in range(arrays)]
        self._works_in_memory = scratch != 0
        if self._works_in_memory:
            allocate(w, w.times(scratch, w.vector_bytes), otherwise="exit")
        w.need(w.set(f"icmp sgt i64 {self.states}, 0"), otherwise="exit")

    def over_blocks(self, body: Callable[[], None]) -> None:
        """What is done for each block, and the end of the function."""
        w = self.w
        last = w.set(f"sub i64 {self.states}, 1")

        def block(i: str) -> None:
            # All ones while a lane has a state of its own; beyond the last state it repeats the lane before.
            places = [w.set(f"add i64 {i}, {lane}") for lane in range(1, w.vectors.lanes)]
            fits = [w.set(f"sext i1 {w.set(f'icmp sle i64 {place}, {last}')} to i64") for place in places]
            self.state, self.bases = i, []
            for start, step in self._arrays:
                rows = [w.at(start, w.set(f"mul i64 {i}, {step}"), "i8")]
                for own in fits:
                    rows.append(w.at(rows[-1], w.set(f"and i64 {step}, {own}"), "i8"))
                self.bases.append(rows)
            body()

        w.loop("0", self.states, block, w.vectors.lanes)
        w.go("exit")
        w.label("exit")
        if self._works_in_memory:
            w.line("call void @free(ptr %heap)")
        w.line("ret void")

    def spoil_unanswered(self, counts: Sequence[str | int]) -> None:
        """NaN in the results, the last arrays with so many numbers, of lanes without an answer; the pass is counted."""
        w = self.w

        def spoil() -> None:
            w.set(COUNTED)
            for lane in range(w.vectors.lanes):
                ok = w.set(f"extractelement {w.vectors.mask} {w.ok}, i64 {lane}")
                for count, rows in zip(counts, self.bases[-len(counts) :], strict=True):
                    bad = w.set(f"select i1 {ok}, i64 0, i64 {count}")
                    w.line(f"call void @spoil.{w.vectors.scalar}(ptr {rows[lane]}, i64 {bad})")

        w.when(w.set(f"xor i1 {w.every(w.ok)}, true"), spoil)


def allocate(w: Writer, size: str | int, otherwise: str) -> None:
    """Sets %scratch, so many bytes, and %heap, to be freed; goes to a label if there is none, which is counted."""
    w.line(f"%stack = alloca i8, i64 {policy.ON_STACK}, align {ALIGNMENT}")
    small, before = w.set(f"icmp sle i64 {size}, {policy.ON_STACK}"), w.block
    w.line(f"br i1 {small}, label %there, label %allocate")
    w.label("allocate")
    w.line(f"%taken = call ptr @malloc(i64 {w.plus(size, ALIGNMENT)})")
    found = w.set("icmp ne ptr %taken, null")
    w.set(f"atomicrmw add ptr %data, i64 {w.set(f'select i1 {found}, i64 0, i64 {NO_MEMORY}')} monotonic")
    past = w.set(f"ptrtoint ptr {w.at('%taken', ALIGNMENT, 'i8')} to i64")
    w.line(f"%aligned = inttoptr i64 {w.set(f'and i64 {past}, {-ALIGNMENT}')} to ptr")
    w.go("there")
    w.label("there")
    w.line(f"%scratch = phi ptr [%stack, %{before}], [%aligned, %allocate]")
    w.line(f"%heap = phi ptr [null, %{before}], [%taken, %allocate]")
    w.need(w.set(f"phi i1 [true, %{before}], [{found}, %allocate]"), otherwise)


def support(vectors: Vectors) -> list[str]:
    """What the loop refers to."""
    w, nan = Writer(vectors), vectors.literal(math.nan)
    w.loop_if_any("0", "%n", lambda i: w.store(nan, "%row", i, vectors.scalar))
    return [*declarations(vectors), *HEAP, w.function(f"@spoil.{vectors.scalar}", "ptr %row, i64 %n", attributes=1)]
