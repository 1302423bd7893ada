"""A step in time repeated in machine code, as LLVM text: a loop over blocks of rows, and in it the loop over steps.

    void loop(char **args, const intp *counts, const intp *strides, void *data)

`counts` are the rows of the batch, the steps, and the steps from one record to the next. `args` are the addresses of
the arrays that `StepPorts.arrays` lists, `strides` the bytes from row to row of each, zero where all rows share one.
The numbers of a row lie side by side, those of its steps or records one after the other.

A state stays in vectors of its lanes from step to step. A lane whose step has no answer goes on with numbers that mean
nothing: its records are NaN from then on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import final

from soadyn.engine.native.llvm.lanes import gathered, scattered
from soadyn.engine.native.llvm.module import Function
from soadyn.engine.native.llvm.scratch import HEAP, ConstantScratch
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.straight.function import FINITE, support
from soadyn.engine.native.straight.long_function import PartWriter
from soadyn.engine.tracing.parts import Cut, Part
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.step import TRIALS, Step

COUNTERS = ("step", "left", "kept", "trial")  # the step's number, steps to the next record, records kept, trials


def step_loop(step: Step, vectors: Vectors, size: int) -> Function:
    """The loop of a step in functions of about `size` operations."""
    return _StepLoop(step, vectors, size).function()


@final
class _StepLoop:
    """Writes the text. Slots hold first the arguments, then what parts hand on, then the results."""

    def __init__(self, step: Step, vectors: Vectors, size: int) -> None:
        self.step, self.ports, self.vectors = step, step.ports, vectors
        self.cut = Cut(step.graph, step.arguments, [[x] for x in step.results], vectors.fused, size, keep=True)
        self.parts = [self._computing(part) for part in self.cut.parts]
        self.values = PartWriter(vectors)
        self.w = self.values.writer
        self.arrays = step.ports.arrays
        self.memory = ConstantScratch((self.cut.slots + len(step.results)) * vectors.lanes * vectors.size)

    def _computing(self, part: Part) -> PartWriter:
        own = PartWriter(self.vectors)
        found = own.writer.in_blocks(part.graph, part.blocks, {}, ordered=True)
        for (where, number), registers in zip(part.goes, found, strict=True):
            own.store(registers[0], number if where == "slot" else self.cut.slots + number)
        return own

    def function(self) -> Function:
        names = [f"@part.{self.vectors.lanes}.{i}" for i in range(len(self.parts))]
        self._begin_block()
        self._branch("step")
        self._read_streams()
        self._branch("try")
        for name in names:
            self.w.line(f"call void {name}(ptr %scratch, ptr %scratch, ptr %ok.at)")
        self._try_again()
        self._advance()
        self._end_block()
        texts = [part.text(name) for name, part in zip(names, self.parts, strict=True)]
        return Function(self.vectors.lanes, [*self._entry(), *self.w.lines], [*support(self.vectors), *HEAP, *texts])

    def _entry(self) -> list[str]:
        """The function's first block: addresses, strides, counts, memory."""
        text = ["entry:", *self.w.entry_allocations(), f"  %ok.at = alloca {self.vectors.mask}"]
        text += [f"  %{name}.at = alloca i64" for name in COUNTERS]
        for i, name in enumerate(("rows", "many", "every")):
            text.append(f"  %{name}.count = getelementptr i64, ptr %dims, i64 {i}")
            text.append(f"  %{name} = load i64, ptr %{name}.count")
        for a in range(len(self.arrays)):
            text += [
                f"  %arg{a}.at = getelementptr ptr, ptr %args, i64 {a}",
                f"  %arg{a} = load ptr, ptr %arg{a}.at",
                f"  %stride{a}.at = getelementptr i64, ptr %steps, i64 {a}",
                f"  %stride{a} = load i64, ptr %stride{a}.at",
            ]
        text += [*self.memory.entry(), "  %last = sub i64 %rows, 1", "  %none = icmp eq i64 %rows, 0"]
        return [*text, "  %idle = or i1 %none, %refused", "  br i1 %idle, label %exit, label %block"]

    def _begin_block(self) -> None:
        """The rows of a block of lanes, the first state and what is held; lanes beyond the last row repeat it."""
        w, lanes = self.w, self.vectors.lanes
        w.label("block")
        w.line("%i = phi i64 [0, %entry], [%i.next, %block.end]")
        for lane in range(1, lanes):
            w.line(f"%place{lane} = add i64 %i, {lane}")
            w.line(f"%fits{lane}.bit = icmp sle i64 %place{lane}, %last")
            w.line(f"%fits{lane} = sext i1 %fits{lane}.bit to i64")
        for a in range(len(self.arrays)):
            jump = w.set(f"mul i64 %i, %stride{a}")
            w.line(f"%base{a}.0 = getelementptr i8, ptr %arg{a}, i64 {jump}")
            for lane in range(1, lanes):
                hop = w.set(f"and i64 %stride{a}, %fits{lane}")
                w.line(f"%base{a}.{lane} = getelementptr i8, ptr %base{a}.{lane - 1}, i64 {hop}")
        w.line(f"store {self.vectors.mask} splat (i1 {str(not self.step.graph.hopeless).lower()}), ptr %ok.at")
        slot = 0
        for a, port in enumerate((*self.ports.state, *self.ports.held)):
            slot = self._read(self._bases(a), port, slot)
        for name, start in zip(COUNTERS, ("0", "%every", "0", "0"), strict=True):
            w.line(f"store i64 {start}, ptr %{name}.at")

    def _bases(self, a: int) -> list[str]:
        return [f"%base{a}.{lane}" for lane in range(self.vectors.lanes)]

    def _at(self, a: int, number: str) -> list[str]:
        """Addresses of each lane's row of an array at a step or record."""
        w = self.w
        jump = w.set(f"mul i64 {number}, {self.arrays[a].count * self.vectors.size}")
        return [w.set(f"getelementptr i8, ptr {base}, i64 {jump}") for base in self._bases(a)]

    def _read(self, bases: Sequence[str], port: Port, slot: int) -> int:
        """Numbers into slots; a lane with one that is not finite has no answer, and takes zero for it."""
        w, v = self.w, self.vectors
        ok = w.set(f"load {v.mask}, ptr %ok.at")
        for register in gathered(w, bases, range(port.count)):
            finite = self._finite(register)
            ok = w.set(f"and {v.mask} {ok}, {finite}")
            self.values.store(w.set(f"select {v.mask} {finite}, {v.real} {register}, {v.real} zeroinitializer"), slot)
            slot += 1
        w.line(f"store {v.mask} {ok}, ptr %ok.at")
        return slot

    def _finite(self, register: str) -> str:
        v = self.vectors
        return self.w.set(f"call {v.mask} @llvm.is.fpclass.{v.suffix}({v.real} {register}, i32 {FINITE})")

    def _read_streams(self) -> None:
        if not self.ports.streamed:
            return
        first = len(self.ports.state) + len(self.ports.held)
        slot = sum(port.count for port in self.arrays[:first])
        number = self.w.set("load i64, ptr %step.at")
        for a, port in enumerate(self.ports.streamed, start=first):
            slot = self._read(self._at(a, number), port, slot)

    def _branch(self, label: str) -> None:
        self.w.line(f"br label %{label}")
        self.w.label(label)

    def _try_again(self) -> None:
        """Modes of the lanes that ask for it change; then the step is tried again if there are trials left."""
        if self.step.again is None:
            return
        w, v, state = self.w, self.vectors, self.ports.state
        asked = self.values.load(self.cut.slots + len(self.step.results) - 1)
        lanes = w.set(f"fcmp ogt {v.real} {asked}, zeroinitializer")
        bits = w.set(f"bitcast {v.mask} {lanes} to i{v.lanes}")
        some = w.set(f"icmp ne i{v.lanes} {bits}, 0")
        trial = w.set(f"add i64 {w.set('load i64, ptr %trial.at')}, 1")
        w.line(f"store i64 {trial}, ptr %trial.at")
        allowed = w.set(f"icmp slt i64 {trial}, {TRIALS}")
        w.line(f"br i1 {w.set(f'and i1 {some}, {allowed}')}, label %again, label %accepted")
        w.label("again")
        for port in self.ports.modes:
            start = sum(other.count for other in state[: state.index(port)])
            for slot in range(start, start + port.count):
                new, old = self.values.load(self.cut.slots + slot), self.values.load(slot)
                self.values.store(w.set(f"select {v.mask} {lanes}, {v.real} {new}, {v.real} {old}"), slot)
        w.line("br label %try")
        w.label("accepted")
        w.line("store i64 0, ptr %trial.at")

    def _advance(self) -> None:
        """The next state, its record if it is due, and the next step."""
        w = self.w
        for slot in range(sum(port.count for port in self.ports.state)):
            self.values.store(self.values.load(self.cut.slots + slot), slot)
        left = w.set(f"sub i64 {w.set('load i64, ptr %left.at')}, 1")
        w.line(f"store i64 {left}, ptr %left.at")
        w.line(f"br i1 {w.set(f'icmp eq i64 {left}, 0')}, label %record, label %recorded")
        w.label("record")
        first = len(self.arrays) - len(self.ports.results)
        kept, slot = w.set("load i64, ptr %kept.at"), self.cut.slots
        for a, port in enumerate(self.ports.results, start=first):
            slot = self._write(self._at(a, kept), port, slot)
        w.line(f"store i64 {w.set(f'add i64 {kept}, 1')}, ptr %kept.at")
        w.line("store i64 %every, ptr %left.at")
        self._branch("recorded")
        done = w.set(f"add i64 {w.set('load i64, ptr %step.at')}, 1")
        w.line(f"store i64 {done}, ptr %step.at")
        w.line(f"br i1 {w.set(f'icmp slt i64 {done}, %many')}, label %step, label %block.end")

    def _write(self, bases: Sequence[str], port: Port, slot: int) -> int:
        """Numbers from slots; NaN in lanes without an answer."""
        w, v = self.w, self.vectors
        ok = w.set(f"load {v.mask}, ptr %ok.at")
        nan = v.splat(math.nan)
        for start in range(0, port.count, v.lanes):
            some = range(start, min(start + v.lanes, port.count))
            loaded = [self.values.load(slot + number) for number in some]
            scattered(w, bases, start, [w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {nan}") for x in loaded])
        return slot + port.count

    def _end_block(self) -> None:
        """The last state; a block with a lane that has no answer, or a state that is not finite, is counted."""
        w, v = self.w, self.vectors
        w.label("block.end")
        slot = 0
        for a, port in enumerate(self.ports.state, start=len(self.ports.arguments)):
            slot = self._write(self._bases(a), port, slot)
        ok = w.set(f"load {v.mask}, ptr %ok.at")
        for number in range(slot):
            ok = w.set(f"and {v.mask} {ok}, {self._finite(self.values.load(number))}")
        good = w.set(f"call i1 @llvm.vector.reduce.and.v{v.lanes}i1({v.mask} {ok})")
        bad = w.set(f"select i1 {good}, i64 0, i64 1")
        w.set(f"atomicrmw add ptr %data, i64 {bad} monotonic")
        w.line(f"%i.next = add i64 %i, {v.lanes}")
        w.line("%more = icmp slt i64 %i.next, %rows")
        w.line("br i1 %more, label %block, label %exit")
        w.lines += ["exit:", *self.memory.exit(), "  ret void"]
