"""The loop of a straight-line kernel over blocks of states, as LLVM text; to NumPy the inner loop of a gufunc:

    void loop(char **args, const intp *dimensions, const intp *steps, void *data)

Each pass takes as many states as there are lanes. Lanes beyond the last state repeat it: they compute and store the
same row again, so that a state's bits never depend on how many others there are. A row is one state's part of an array;
rows whose numbers do not lie side by side are packed into a buffer first, and results unpacked from one afterwards.
"""

from __future__ import annotations

from typing import final

from soadyn.engine.native.llvm.scratch import ConstantScratch
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.tracing.ports import Port

# copy(to, from, counts, steps of to, steps of from): an array of three axes between two layouts
PACK = """define internal void @copy.{scalar}(ptr %to, ptr %from, i64 %n0, i64 %n1, i64 %n2, i64 %t0, i64 %t1, \
i64 %t2, i64 %f0, i64 %f1, i64 %f2) #1 {{
entry:
  br label %blocks
blocks:
  %h = phi i64 [0, %entry], [%h1, %next_block]
  %th = mul i64 %h, %t0
  %fh = mul i64 %h, %f0
  %to_block = getelementptr i8, ptr %to, i64 %th
  %from_block = getelementptr i8, ptr %from, i64 %fh
  br label %rows
rows:
  %i = phi i64 [0, %blocks], [%i1, %next_row]
  %ti = mul i64 %i, %t1
  %fi = mul i64 %i, %f1
  %to_row = getelementptr i8, ptr %to_block, i64 %ti
  %from_row = getelementptr i8, ptr %from_block, i64 %fi
  br label %columns
columns:
  %j = phi i64 [0, %rows], [%j1, %columns]
  %tj = mul i64 %j, %t2
  %fj = mul i64 %j, %f2
  %to_entry = getelementptr i8, ptr %to_row, i64 %tj
  %from_entry = getelementptr i8, ptr %from_row, i64 %fj
  %x = load {scalar}, ptr %from_entry
  store {scalar} %x, ptr %to_entry
  %j1 = add i64 %j, 1
  %more_columns = icmp slt i64 %j1, %n2
  br i1 %more_columns, label %columns, label %next_row
next_row:
  %i1 = add i64 %i, 1
  %more_rows = icmp slt i64 %i1, %n1
  br i1 %more_rows, label %rows, label %next_block
next_block:
  %h1 = add i64 %h, 1
  %more_blocks = icmp slt i64 %h1, %n0
  br i1 %more_blocks, label %blocks, label %done
done:
  ret void
}}"""


# blank(row, count): NaN in so many numbers
BLANK = """define internal void @blank.{scalar}(ptr %row, i64 %n) #1 {{
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %numbers
numbers:
  %i = phi i64 [0, %entry], [%i1, %numbers]
  %at = getelementptr {scalar}, ptr %row, i64 %i
  store {scalar} {nan}, ptr %at
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %numbers, label %done
done:
  ret void
}}"""


# Bytes of buffers up to which they lie on the stack.
ROOMS_ON_STACK = 2**19


@final
class StateLoop:
    """Writes the loop over blocks of states around a straight-line kernel's arithmetic.

    `scratch` is how many vectors of memory the arithmetic needs, at %scratch.
    """

    def __init__(self, writer: Writer, inputs: tuple[Port, ...], outputs: tuple[Port, ...], scratch: int = 0) -> None:
        self.writer = writer
        self.ports = (*inputs, *outputs)
        self.first_output = len(inputs)
        vector = writer.vectors.lanes * writer.vectors.size
        self._rooms = [scratch * vector]  # where each array's buffer begins, if they lie behind the scratch
        for port in self.ports:
            self._rooms.append(self._rooms[-1] + self._room(port) * vector)
        self._apart = self._rooms[-1] - self._rooms[0] <= ROOMS_ON_STACK
        self.memory = ConstantScratch(self._rooms[0] if self._apart else self._rooms[-1])

    def entry(self) -> list[str]:
        """The function's first block: addresses, steps, and which arrays have their numbers side by side."""
        text = ["entry:", *self.writer.entry_allocations()]
        text += ["  %n = load i64, ptr %dims", "  %last = sub i64 %n, 1"]
        place = len(self.ports)
        for a, port in enumerate(self.ports):
            text += [
                f"  %arg{a}.at = getelementptr ptr, ptr %args, i64 {a}",
                f"  %arg{a} = load ptr, ptr %arg{a}.at",
                f"  %step{a}.at = getelementptr i64, ptr %steps, i64 {a}",
                f"  %step{a} = load i64, ptr %step{a}.at",
            ]
            for axis in range(len(port.shape)):
                text += [
                    f"  %core{a}.{axis}.at = getelementptr i64, ptr %steps, i64 {place}",
                    f"  %core{a}.{axis} = load i64, ptr %core{a}.{axis}.at",
                ]
                place += 1
            text += self._is_packed(a, port)
        text += ["  %none = icmp eq i64 %n, 0", *self.memory.entry(), "  %idle = or i1 %none, %refused"]
        if not self._apart:
            places = enumerate(self._rooms[:-1])
            text += [f"  %room{a} = getelementptr i8, ptr %scratch, i64 {place}" for a, place in places]
        return [*text, "  br i1 %idle, label %exit, label %block"]

    def _is_packed(self, a: int, port: Port) -> list[str]:
        size = self.writer.vectors.size
        text = []
        if self._apart:
            room = self._room(port) * self.writer.vectors.lanes
            text.append(f"  %room{a} = alloca {self.writer.vectors.scalar}, i64 {room}, align 64")
        packed, step = "true", size
        for axis in reversed(range(len(port.shape))):
            text += [
                f"  %tight{a}.{axis} = icmp eq i64 %core{a}.{axis}, {step}",
                f"  %packed{a}.{axis} = and i1 {packed}, %tight{a}.{axis}",
            ]
            packed, step = f"%packed{a}.{axis}", step * port.shape[axis]
        text.append(f"  %packed{a} = and i1 {packed}, true")
        return text

    def _room(self, port: Port) -> int:
        """How many numbers a row of the buffer has room for: whole vectors, so that every row is aligned."""
        lanes = self.writer.vectors.lanes
        return -(-port.count // lanes) * lanes

    def block(self) -> None:
        """The start of a pass: each lane's rows, packed where they are not."""
        w, size = self.writer, self.writer.vectors.size
        w.label("block")
        w.line("%i = phi i64 [0, %entry], [%i.next, %block.end]")
        for lane in range(1, w.vectors.lanes):
            # All ones while this lane has a state of its own; beyond the last state it repeats the lane before.
            w.line(f"%place{lane} = add i64 %i, {lane}")
            w.line(f"%fits{lane}.bit = icmp sle i64 %place{lane}, %last")
            w.line(f"%fits{lane} = sext i1 %fits{lane}.bit to i64")
        for a, port in enumerate(self.ports):
            w.line(f"%jump{a} = mul i64 %i, %step{a}")
            w.line(f"%row{a} = getelementptr i8, ptr %arg{a}, i64 %jump{a}")
            w.line(f"%base{a}.0 = select i1 %packed{a}, ptr %row{a}, ptr %room{a}")
            w.line(f"%pace{a} = select i1 %packed{a}, i64 %step{a}, i64 {self._room(port) * size}")
            for lane in range(1, w.vectors.lanes):
                w.line(f"%hop{a}.{lane} = and i64 %pace{a}, %fits{lane}")
                w.line(f"%base{a}.{lane} = getelementptr i8, ptr %base{a}.{lane - 1}, i64 %hop{a}.{lane}")
            if a < self.first_output:
                self._copies(a, port, into_room=True)

    def _copies(self, a: int, port: Port, into_room: bool) -> None:
        """Copy between rows and the buffer, where the rows are not packed."""
        w, size = self.writer, self.writer.vectors.size
        label = f"{'pack' if into_room else 'unpack'}{a}"
        w.line(f"br i1 %packed{a}, label %{label}.done, label %{label}")
        w.label(label)
        shape = (1,) * (3 - len(port.shape)) + port.shape
        there = ["0"] * (3 - len(port.shape)) + [f"%core{a}.{axis}" for axis in range(len(port.shape))]
        here = [str(shape[1] * shape[2] * size), str(shape[2] * size), str(size)]
        steps = [*here, *there] if into_room else [*there, *here]
        numbers = ", ".join(f"i64 {number}" for number in (*shape, *steps))
        row = f"%row{a}"
        for lane in range(w.vectors.lanes):
            if lane:
                hop = w.set(f"and i64 %step{a}, %fits{lane}")
                row = w.set(f"getelementptr i8, ptr {row}, i64 {hop}")
            own = f"%base{a}.{lane}"
            to, source = (own, row) if into_room else (row, own)
            w.line(f"call void @copy.{w.vectors.scalar}(ptr {to}, ptr {source}, {numbers})")
        w.line(f"br label %{label}.done")
        w.label(f"{label}.done")

    def bases(self, a: int) -> list[str]:
        """Addresses of each lane's packed row of array a."""
        return [f"%base{a}.{lane}" for lane in range(self.writer.vectors.lanes)]

    def room_for_rows(self) -> str:
        """Room for the addresses of all arrays' rows, in the function's first block."""
        return f"  %rows = alloca [{len(self.ports) * self.writer.vectors.lanes} x ptr]"

    def keep_rows(self) -> None:
        """The addresses of each lane's packed rows, put into that room."""
        for i, base in enumerate(base for a in range(len(self.ports)) for base in self.bases(a)):
            self.writer.line(f"store ptr {base}, ptr {self.writer.set(f'getelementptr ptr, ptr %rows, i64 {i}')}")

    def kept(self, a: int) -> str:
        """Where the addresses of array a's rows lie."""
        return self.writer.set(f"getelementptr ptr, ptr %rows, i64 {a * self.writer.vectors.lanes}")

    def end(self) -> None:
        """The end of a pass: lanes that have no answer get NaN and are counted, results are unpacked."""
        w = self.writer
        results = range(self.first_output, len(self.ports))
        mask = w.vectors.mask
        all_ok = w.set(f"call i1 @llvm.vector.reduce.and.v{w.vectors.lanes}i1({mask} {w.ok})")
        w.line(f"br i1 {all_ok}, label %answered, label %bad")
        w.label("bad")
        w.line("%counted = atomicrmw add ptr %data, i64 1 monotonic")
        for lane in range(w.vectors.lanes):
            ok = w.set(f"extractelement {mask} {w.ok}, i64 {lane}")
            for a in results:
                count = w.set(f"select i1 {ok}, i64 0, i64 {self.ports[a].count}")
                w.line(f"call void @blank.{w.vectors.scalar}(ptr %base{a}.{lane}, i64 {count})")
        w.line("br label %answered")
        w.label("answered")
        for a in results:
            self._copies(a, self.ports[a], into_room=False)
        w.line("br label %block.end")
        w.label("block.end")
        w.line(f"%i.next = add i64 %i, {w.vectors.lanes}")
        w.line("%more = icmp slt i64 %i.next, %n")
        w.line("br i1 %more, label %block, label %exit")
        w.lines += ["exit:", *self.memory.exit(), "  ret void"]
