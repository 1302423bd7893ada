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

from soadyn.engine.native.llvm.lanes import scattered
from soadyn.engine.native.llvm.module import FunctionText
from soadyn.engine.native.llvm.state_loop import StateLoop, support
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.straight.function import answered_at_first
from soadyn.engine.native.straight.long_function import call, computing, named, take
from soadyn.engine.tracing.parts import Cut
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.step import TRIALS, Step


@final
class StepLoop:
    """Writes the loop of a step in functions of about `size` operations.

    Slots hold first the arguments, then what parts hand on, then the results.
    """

    def __init__(self, step: Step, vectors: Vectors, size: int) -> None:
        self.step, self.ports, self.vectors = step, step.ports, vectors
        self.cut = Cut(step.graph, step.arguments, [[x] for x in step.results], vectors.fused, size, keep=True)
        self.arrays = step.ports.arrays
        self.w = Writer(vectors)
        slots = self.cut.slots + len(step.results)
        self.loop = StateLoop(self.w, len(self.arrays), slots, {"%ok.at": vectors.mask})

    def function(self) -> FunctionText:
        def give(number: int, registers: Sequence[str], w: Writer) -> None:
            w.store(registers[0], "%scratch", self.cut.slots + number)

        w, mask = self.w, self.vectors.mask
        names, texts = named([computing(part, self.vectors, give) for part in self.cut.parts])
        steps, every = w.load("%dims", 1, "i64"), w.load("%dims", 2, "i64")

        def block() -> None:
            w.store(answered_at_first(self.step.graph), "%ok.at", kind=mask)
            self._read(0, (*self.ports.state, *self.ports.held))
            w.loop("0", steps, one_step)
            self._finish()

        def one_step(i: str) -> None:
            self._read(len(self.ports.state) + len(self.ports.held), self.ports.streamed, i)
            self._try(names)
            for slot in range(sum(port.count for port in self.ports.state)):  # the next step's state
                w.store(w.load("%scratch", self.cut.slots + slot), "%scratch", slot)
            done = w.set(f"add i64 {i}, 1")
            kept = w.set(f"udiv i64 {i}, {every}")
            due = w.set(f"icmp eq i64 {w.set(f'urem i64 {done}, {every}')}, 0")
            first = len(self.arrays) - len(self.ports.results)
            w.when(due, lambda: self._write(first, self.ports.results, self.cut.slots, kept))

        self.loop.over_blocks(block)
        declared = [*support(self.vectors), *texts]
        return FunctionText(w.lines, declared)

    def _bases(self, a: int, number: str | int) -> list[str]:
        """Addresses of each lane's row of an array at a step or record."""
        jump = self.w.set(f"mul i64 {number}, {self.arrays[a].count}")
        return [self.w.at(base, jump, self.vectors.scalar) for base in self.loop.bases[a]]

    def _read(self, first: int, ports: Sequence[Port], number: str | int = 0) -> None:
        """Arrays from the `first` on into slots; a lane with a number that is not finite has no answer, and takes zero.

        Streamed ones are read at a step's `number`.
        """
        w = self.w
        slot = sum(port.count for port in self.arrays[:first])
        w.ok = w.load("%ok.at", kind=self.vectors.mask)
        for a, port in enumerate(ports, start=first):
            slot = take(w, self._bases(a, number), range(port.count), slot)
        w.store(w.ok, "%ok.at", kind=self.vectors.mask)

    def _try(self, names: Sequence[str]) -> None:
        """The step; again with other modes in the lanes that ask for it, if there are trials left."""
        w, v, state = self.w, self.vectors, self.ports.state
        if self.step.again is None:
            call(w, names, rows="%scratch")
            return

        def trial(i: str) -> None:
            call(w, names, rows="%scratch")
            asked = w.load("%scratch", self.cut.slots + len(self.step.results) - 1)
            lanes = w.set(f"fcmp ogt {v.real} {asked}, zeroinitializer")
            some = w.set(f"icmp ne i{v.lanes} {w.set(f'bitcast {v.mask} {lanes} to i{v.lanes}')}, 0")
            allowed = w.set(f"icmp slt i64 {i}, {TRIALS - 1}")
            w.need(w.set(f"and i1 {some}, {allowed}"), otherwise="accepted")
            for port in self.ports.modes:
                start = sum(other.count for other in state[: state.index(port)])
                for slot in range(start, start + port.count):
                    new, old = w.load("%scratch", self.cut.slots + slot), w.load("%scratch", slot)
                    w.store(w.set(f"select {v.mask} {lanes}, {v.real} {new}, {v.real} {old}"), "%scratch", slot)

        w.loop("0", str(TRIALS), trial)
        w.go("accepted")
        w.label("accepted")

    def _write(self, first: int, ports: Sequence[Port], slot: int, number: str | int = 0) -> None:
        """Slots into arrays from the `first` on, at a record's `number`; NaN in lanes without an answer."""
        w, v = self.w, self.vectors
        ok, nan = w.load("%ok.at", kind=v.mask), v.splat(math.nan)
        for a, port in enumerate(ports, start=first):
            bases = self._bases(a, number)
            for start in range(0, port.count, v.lanes):
                some = [w.load("%scratch", slot + i) for i in range(start, min(start + v.lanes, port.count))]
                scattered(w, bases, start, [w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {nan}") for x in some])
            slot += port.count

    def _finish(self) -> None:
        """The last state; a block with a lane that has no answer, or a state that is not finite, is counted."""
        w, v, state = self.w, self.vectors, self.ports.state
        self._write(len(self.ports.arguments), state, 0)
        ok = w.load("%ok.at", kind=v.mask)
        for slot in range(sum(port.count for port in state)):
            ok = w.set(f"and {v.mask} {ok}, {w.finite(w.load('%scratch', slot))}")
        bad = w.set(f"select i1 {w.every(ok)}, i64 0, i64 1")
        w.set(f"atomicrmw add ptr %data, i64 {bad} monotonic")
