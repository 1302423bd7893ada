"""Loops over links and the numbers they keep in memory, as LLVM text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

from soadyn.engine.loops.plan import KEPT, LoopPlan
from soadyn.engine.loops.step import Key, LoopStep
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.rolled.scratch_layout import layout_of


@final
class LoopWriter:
    """Writes the loops of a rolled kernel; `inputs` names its arguments in order."""

    def __init__(self, plan: LoopPlan, inputs: Sequence[str], vectors: Vectors) -> None:
        self.plan, self.layout, self.vectors = plan, layout_of(plan), vectors
        self.inputs, self.outputs = list(inputs), [f"out{i}" for i, _ in enumerate(plan.program.outputs)]
        self.w = Writer(vectors)
        self.rows: dict[str, list[str]] = {}  # in a block of states the address of each lane's part of each array

    def entry(self, row: str | int, column: str | int, columns: str | int = "%f.nv") -> str:
        """The number of a matrix's entry, row after row."""
        return self.w.plus(self.w.times(row, columns), column)

    def add(self, value: str, so_far: str, into: str, vector: str | int) -> None:
        """Store a value added to a vector, which stands in one part of the scratch, into another."""
        self.w.store(self.w.set(f"fadd {self.vectors.real} {self.w.load(so_far, vector)}, {value}"), into, vector)

    def entry_of(self, array: str, k: str) -> str:
        """Entry k of an array of the robot's table."""
        return self.w.load(f"%f.{array}", k, "i64")

    def spread(self, base: str, index: str | int) -> str:
        """A number of an array, in every lane."""
        v = self.vectors
        one = self.w.set(f"insertelement {v.real} poison, {v.scalar} {self.w.load(base, index, v.scalar)}, i32 0")
        return self.w.set(f"shufflevector {v.real} {one}, {v.real} poison, <{v.lanes} x i32> zeroinitializer")

    def follow(
        self,
        array: str,
        first: str,
        carried: tuple[str, list[str]],
        body: Callable[[str, Sequence[str]], list[str]],
        least: int = 0,
    ) -> list[str]:
        """The registers after a loop over the integers `first`, array[first], ... until one is below the least.

        The loop starts with the registers `carried` behind their type; `body` makes the next ones from those before.
        """
        w, label, (kind, start) = self.w, self.w.name()[1:], carried
        before = w.block
        w.line(f"br i1 {w.set(f'icmp slt i64 {first}, {least}')}, label %{label}.end, label %{label}")
        w.label(label)
        head, k, now = len(w.lines), f"%{label}.k", [f"%{label}.{i}" for i, _ in enumerate(start)]
        after, following = body(k, now), self.entry_of(array, k)
        # What the loop carries stands at its head, but is known only here.
        phis = [(k, "i64", first, following), *((x, kind, y, z) for x, y, z in zip(now, start, after, strict=True))]
        w.lines[head:head] = [f"  {x} = phi {T} [{y}, %{before}], [{z}, %{w.block}]" for x, T, y, z in phis]
        w.line(f"br i1 {w.set(f'icmp slt i64 {following}, {least}')}, label %{label}.end, label %{label}")
        back = w.block
        w.label(f"{label}.end")
        return [w.set(f"phi {kind} [{x}, %{before}], [{y}, %{back}]") for x, y in zip(start, after, strict=True)]

    def by_class(self, k: str, body: Callable[[int], None]) -> None:
        """Write what is done for the joint class of link k."""
        if len(self.plan.classes) == 1:
            body(0)
            return
        w, label, classes = self.w, self.w.name()[1:], range(len(self.plan.classes))
        kind = self.entry_of("kinds", k)
        cases = " ".join(f"i64 {c}, label %{label}.{c}" for c in classes)
        w.line(f"switch i64 {kind}, label %{label}.done [ {cases} ]")
        for c in classes:
            w.label(f"{label}.{c}")
            body(c)
            w.go(f"{label}.done")
        w.label(f"{label}.done")

    def when_visible(self, row: str, body: Callable[[], None]) -> None:
        """Write what is done for visible links only; hidden ones have row -1."""
        self.w.when(self.w.set(f"icmp sge i64 {row}, 0"), body)

    def perform(self, step: LoopStep, read: Callable[[Key], str], write: Callable[[Key, str], None]) -> None:
        """Perform a step: `read` loads inputs when they are first needed, `write` stores live results at once.

        What a step reads and changes is loaded before anything is stored.
        """
        w, mask = self.w, self.vectors.mask
        before = w.ok = w.load("%ok", kind=mask)
        w.read = read
        results = step.live_results()
        loaded = {scalar.node: read(key) for key, scalar in step.live_inputs().items() if key in results}
        found = w.in_blocks(step.graph, [[x] for x in results.values()], loaded)
        for key, (register,) in zip(results, found, strict=True):
            write(key, register)
        if w.ok != before:
            w.store(w.ok, "%ok", kind=mask)

    def matrix(self, result: str | int) -> str:
        """The address of a result, or of the matrix that is kept for a substitution."""
        return self.w.at("%scratch", "%f.matrix") if result == KEPT else f"%base.out{result}"

    def zero(self, vector: str) -> None:
        """Clear a vector of the scratch."""
        self.w.store("zeroinitializer", "%scratch", vector)
