"""What surrounds the arithmetic of every kernel, as LLVM text: the gufunc's inner loop over blocks of states.

    void loop(char **args, const intp *dimensions, const intp *steps, void *data)

Each pass takes as many states as there are lanes. Lanes beyond the last state repeat it: they compute and
store the same row again, so that a state's bits never depend on how many others there are. Rows whose numbers do not
lie side by side are packed into a buffer first (and unpacked afterwards).
"""

from __future__ import annotations

from soadyn.backends.native.arithmetic import Writer
from soadyn.backends.native.port import Port

ATTRIBUTES = (
    'attributes #0 = { nounwind "prefer-vector-width"="512" }\n'
    'attributes #1 = { nounwind noinline cold "prefer-vector-width"="512" }'
)

# copy(to, from, count0, to_step0, from_step0, count1, to_step1, from_step1): a matrix between two layouts
PACK = """define internal void @copy(ptr %to, ptr %from, i64 %n0, i64 %t0, i64 %f0, i64 %n1, i64 %t1, i64 %f1) #1 {{
entry:
  br label %rows
rows:
  %i = phi i64 [0, %entry], [%i1, %next]
  %ti = mul i64 %i, %t0
  %fi = mul i64 %i, %f0
  %to_row = getelementptr i8, ptr %to, i64 %ti
  %from_row = getelementptr i8, ptr %from, i64 %fi
  br label %columns
columns:
  %j = phi i64 [0, %rows], [%j1, %columns]
  %tj = mul i64 %j, %t1
  %fj = mul i64 %j, %f1
  %to_entry = getelementptr i8, ptr %to_row, i64 %tj
  %from_entry = getelementptr i8, ptr %from_row, i64 %fj
  %x = load {scalar}, ptr %from_entry
  store {scalar} %x, ptr %to_entry
  %j1 = add i64 %j, 1
  %more_columns = icmp slt i64 %j1, %n1
  br i1 %more_columns, label %columns, label %next
next:
  %i1 = add i64 %i, 1
  %more_rows = icmp slt i64 %i1, %n0
  br i1 %more_rows, label %rows, label %done
done:
  ret void
}}"""


class LoopFrame:
    """Writes the loop around a kernel's arithmetic for ports of known sizes (straight-line kernels)."""

    def __init__(self, writer: Writer, inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> None:
        self.writer = writer
        self.ports = (*inputs, *outputs)
        self.first_output = len(inputs)

    def entry(self) -> list[str]:
        """The function's head: pointers, steps, and which arguments have their numbers side by side."""
        text = ["define void @loop(ptr %args, ptr %dims, ptr %steps, ptr %data) #0 {", "entry:"]
        text += self.writer.entry_allocations()
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
        text += ["  %none = icmp eq i64 %n, 0", "  br i1 %none, label %exit, label %block"]
        return text

    def _is_packed(self, a: int, port: Port) -> list[str]:
        size = self.writer.vectors.size
        text = [f"  %room{a} = alloca {self.writer.vectors.scalar}, i64 {port.count * self.writer.vectors.lanes}, align 64"]
        packed, step = "true", size
        for axis in reversed(range(len(port.shape))):
            text += [
                f"  %tight{a}.{axis} = icmp eq i64 %core{a}.{axis}, {step}",
                f"  %packed{a}.{axis} = and i1 {packed}, %tight{a}.{axis}",
            ]
            packed, step = f"%packed{a}.{axis}", step * port.shape[axis]
        text.append(f"  %packed{a} = and i1 {packed}, true")
        return text

    def block(self) -> None:
        """The start of a pass: each lane's state and rows."""
        w = self.writer
        w.label("block")
        w.line("%i = phi i64 [0, %entry], [%i.next, %block.end]")
        lanes = range(w.vectors.lanes)
        for lane in lanes:
            w.line(f"%state{lane}.raw = add i64 %i, {lane}")
            w.line(f"%state{lane}.fits = icmp slt i64 %state{lane}.raw, %last")
            w.line(f"%state{lane} = select i1 %state{lane}.fits, i64 %state{lane}.raw, i64 %last")
        for a, port in enumerate(self.ports):
            for lane in lanes:
                w.line(f"%jump{a}.{lane} = mul i64 %state{lane}, %step{a}")
                w.line(f"%row{a}.{lane} = getelementptr i8, ptr %arg{a}, i64 %jump{a}.{lane}")
                offset = lane * port.count * w.vectors.size
                w.line(f"%own{a}.{lane} = getelementptr i8, ptr %room{a}, i64 {offset}")
                w.line(f"%base{a}.{lane} = select i1 %packed{a}, ptr %row{a}.{lane}, ptr %own{a}.{lane}")
            if a < self.first_output:
                self._copies(a, port, into_room=True)

    def _copies(self, a: int, port: Port, into_room: bool) -> None:
        """Between rows of any layout and the buffer, where the rows are not packed."""
        w, size = self.writer, self.writer.vectors.size
        label = f"{'pack' if into_room else 'unpack'}{a}"
        w.line(f"br i1 %packed{a}, label %{label}.done, label %{label}")
        w.label(label)
        rows, columns = port.shape if len(port.shape) == 2 else (1, port.shape[0])
        row_step, column_step = (f"%core{a}.0", f"%core{a}.1") if len(port.shape) == 2 else ("0", f"%core{a}.0")
        for lane in range(w.vectors.lanes):
            row, own = f"%row{a}.{lane}", f"%own{a}.{lane}"
            to, source = (own, row) if into_room else (row, own)
            here = (f"i64 {columns * size}", f"i64 {row_step}")
            there = (f"i64 {size}", f"i64 {column_step}")
            if not into_room:
                here, there = here[::-1], there[::-1]
            w.line(
                f"call void @copy(ptr {to}, ptr {source}, i64 {rows}, {here[0]}, {here[1]}, "
                f"i64 {columns}, {there[0]}, {there[1]})"
            )
        w.line(f"br label %{label}.done")
        w.label(f"{label}.done")

    def bases(self, a: int) -> list[str]:
        """Each lane's packed row of argument a."""
        return [f"%base{a}.{lane}" for lane in range(self.writer.vectors.lanes)]

    def end(self) -> None:
        """The end of a pass: unpack results, count passes with lanes that have no answer, go on."""
        w = self.writer
        for a in range(self.first_output, len(self.ports)):
            self._copies(a, self.ports[a], into_room=False)
        mask = w.vectors.mask
        all_ok = w.set(f"call i1 @llvm.vector.reduce.and.v{w.vectors.lanes}i1({mask} {w.ok})")
        w.line(f"br i1 {all_ok}, label %block.end, label %bad")
        w.label("bad")
        w.line("%counted = atomicrmw add ptr %data, i64 1 monotonic")
        w.line("br label %block.end")
        w.label("block.end")
        w.line(f"%i.next = add i64 %i, {w.vectors.lanes}")
        w.line("%more = icmp slt i64 %i.next, %n")
        w.line("br i1 %more, label %block, label %exit")
        w.lines += ["exit:", "  ret void", "}"]
