"""Loops over links and the numbers they keep in memory, as LLVM text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

from soadyn.engine.loops.plan import KEPT, LoopPlan
from soadyn.engine.loops.step import Key, LoopStep
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.rolled.robot_table import AXES
from soadyn.engine.native.rolled.scratch_layout import layout_of
from soadyn.programs.sweep.inputs import share_of


@final
class LoopWriter:
    """Writes the loops of a rolled kernel; `inputs` names its arguments in order, `ranks` counts its results' axes.

    `axes` are those of each argument and result after the batch, named as in the robot's table.
    """

    def __init__(self, plan: LoopPlan, inputs: Sequence[str], ranks: Sequence[int], vectors: Vectors) -> None:
        self.plan, self.layout, self.vectors = plan, layout_of(plan), vectors
        self.inputs, self.outputs = list(inputs), [f"out{i}" for i, _ in enumerate(ranks)]
        of_inputs = [2 if share_of(name) == "wrench" else 1 for name in inputs]
        self.axes = {
            name: AXES[len(AXES) - rank :]
            for name, rank in zip((*self.inputs, *self.outputs), (*of_inputs, *ranks), strict=True)
        }
        self.w = Writer(vectors, ok="")
        self.bytes = vectors.lanes * vectors.size
        self._labels = 0

    def unique(self, name: str) -> str:
        """A label not used before."""
        self._labels += 1
        return f"{name}{self._labels}"

    def plus(self, x: str | int, y: str | int) -> str:
        """The sum of two integers."""
        return self.w.set(f"add i64 {x}, {y}")

    def minus(self, x: str | int, y: str | int) -> str:
        """The difference of two integers."""
        return self.w.set(f"sub i64 {x}, {y}")

    def times(self, x: str | int, y: str | int) -> str:
        """The product of two integers."""
        return self.w.set(f"mul i64 {x}, {y}")

    def entry(self, row: str | int, column: str | int, columns: str | int = "%f.nv") -> str:
        """The number of a matrix's entry, row after row."""
        return self.plus(self.times(row, columns), column)

    def at(self, base: str, vector: str | int) -> str:
        """The address of a vector in the scratch, counted from a base address."""
        offset = vector * self.bytes if isinstance(vector, int) else self.times(vector, self.bytes)
        return self.w.set(f"getelementptr i8, ptr {base}, i64 {offset}")

    def load(self, base: str, vector: str | int) -> str:
        return self.w.set(f"load {self.vectors.real}, ptr {self.at(base, vector)}, align {self.bytes}")

    def store(self, value: str, base: str, vector: str | int) -> None:
        self.w.line(f"store {self.vectors.real} {value}, ptr {self.at(base, vector)}, align {self.bytes}")

    def add(self, value: str, so_far: str, into: str, vector: str | int) -> None:
        """Store a value added to a vector, which stands in one part of the scratch, into another."""
        self.store(self.w.set(f"fadd {self.vectors.real} {self.load(so_far, vector)}, {value}"), into, vector)

    def entry_of(self, array: str, k: str) -> str:
        at = self.w.set(f"getelementptr i64, ptr %f.{array}, i64 {k}")
        return self.w.set(f"load i64, ptr {at}")

    def spread(self, address: str) -> str:
        """The number at an address, in every lane."""
        v = self.vectors
        x = self.w.set(f"load {v.scalar}, ptr {address}")
        one = self.w.set(f"insertelement {v.real} poison, {v.scalar} {x}, i32 0")
        return self.w.set(f"shufflevector {v.real} {one}, {v.real} poison, <{v.lanes} x i32> zeroinitializer")

    def count(self, first: str, last: str, step: int, body: Callable[[str], None], name: str) -> None:
        """Write a loop over integers from `first` while not past `last` in the direction of `step`."""
        label, w = self.unique(name), self.w
        compare = "sle" if step > 0 else "sge"
        enter = w.set(f"icmp {compare} i64 {first}, {last}")
        before = w.block
        w.line(f"br i1 {enter}, label %{label}, label %{label}.end")
        w.label(label)
        w.line(f"%{label}.k = phi i64 [{first}, %{before}], [%{label}.next, %{label}.latch]")
        body(f"%{label}.k")
        w.line(f"br label %{label}.latch")
        w.label(f"{label}.latch")
        w.line(f"%{label}.next = add i64 %{label}.k, {step}")
        w.line(f"%{label}.more = icmp {compare} i64 %{label}.next, {last}")
        w.line(f"br i1 %{label}.more, label %{label}, label %{label}.end")
        w.label(f"{label}.end")

    def follow(
        self, array: str, first: str, carried: tuple[str, list[str]], body: Callable[[str, Sequence[str]], list[str]]
    ) -> list[str]:
        """The registers after a loop over the integers `first`, array[first], ... until one is negative.

        The loop starts with the registers `carried` behind their type; `body` makes the next ones from those before.
        """
        w, label, (kind, start) = self.w, self.unique(array), carried
        before = w.block
        w.line(f"br i1 {w.set(f'icmp slt i64 {first}, 0')}, label %{label}.end, label %{label}")
        w.label(label)
        head, k, now = len(w.lines), f"%{label}.k", [f"%{label}.{i}" for i, _ in enumerate(start)]
        after, following = body(k, now), self.entry_of(array, k)
        # What the loop carries stands at its head, but is known only here.
        phis = [(k, "i64", first, following), *((x, kind, y, z) for x, y, z in zip(now, start, after, strict=True))]
        w.lines[head:head] = [f"  {x} = phi {T} [{y}, %{before}], [{z}, %{w.block}]" for x, T, y, z in phis]
        w.line(f"br i1 {w.set(f'icmp slt i64 {following}, 0')}, label %{label}.end, label %{label}")
        back = w.block
        w.label(f"{label}.end")
        return [w.set(f"phi {kind} [{x}, %{before}], [{y}, %{back}]") for x, y in zip(start, after, strict=True)]

    def by_class(self, k: str, body: Callable[[int], None], name: str) -> None:
        """Write what is done for the joint class of link k."""
        if len(self.plan.classes) == 1:
            body(0)
            return
        label, w, classes = self.unique(name), self.w, range(len(self.plan.classes))
        kind = self.entry_of("kinds", k)
        cases = " ".join(f"i64 {c}, label %{label}.{c}" for c in classes)
        w.line(f"switch i64 {kind}, label %{label}.done [ {cases} ]")
        for c in classes:
            w.label(f"{label}.{c}")
            body(c)
            w.line(f"br label %{label}.done")
        w.label(f"{label}.done")

    def when(self, condition: str, body: Callable[[], None], name: str) -> None:
        """Write what is done only if a register holds true."""
        label, w = self.unique(name), self.w
        w.line(f"br i1 {condition}, label %{label}, label %{label}.end")
        w.label(label)
        body()
        w.line(f"br label %{label}.end")
        w.label(f"{label}.end")

    def when_visible(self, row: str, body: Callable[[], None]) -> None:
        """Write what is done for visible links only; hidden ones have row -1."""
        self.when(self.w.set(f"icmp sge i64 {row}, 0"), body, "visible")

    def perform(self, step: LoopStep, read: Callable[[Key], str], write: Callable[[Key, str], None]) -> None:
        """Perform a step: `read` loads inputs when they are first needed, `write` stores live results at once.

        What a step reads and changes is loaded before anything is stored.
        """
        mask = self.vectors.mask
        self.w.ok = self.w.set(f"load {mask}, ptr %ok")
        before = self.w.ok
        self.w.read = read
        results = step.live_results()
        loaded = {scalar.node: read(key) for key, scalar in step.live_inputs().items() if key in results}
        found = self.w.in_blocks(step.graph, [[x] for x in results.values()], loaded)
        for key, (register,) in zip(results, found, strict=True):
            write(key, register)
        if self.w.ok != before:
            self.w.line(f"store {mask} {self.w.ok}, ptr %ok")

    def answered(self) -> tuple[str, str]:
        """The mask of lanes that still have an answer, and whether all have one."""
        mask = self.vectors.mask
        ok = self.w.set(f"load {mask}, ptr %ok")
        return ok, self.w.set(f"call i1 @llvm.vector.reduce.and.v{self.vectors.lanes}i1({mask} {ok})")

    def matrix(self, result: str | int) -> str:
        """The address of a result, or of the matrix that is kept for a substitution."""
        return self.at("%scratch", "%f.matrix") if result == KEPT else f"%base.out{result}"

    def zero(self, vector: str) -> None:
        """Clear a vector of the scratch."""
        self.store("zeroinitializer", "%scratch", vector)
