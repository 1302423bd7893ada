"""Rolled kernels, written: loops over the links as LLVM text, the same for every robot with the same joint kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soadyn.backends.native.arithmetic import Writer, declarations
from soadyn.backends.native.module import Function
from soadyn.backends.native.plan import ClimbLoop, Key, Loop, OnceStep, Plan, Step
from soadyn.backends.native.storage import CONSTANT_COUNT, CONSTANT_START, FIELDS, PORT_FIELDS, Slots
from soadyn.backends.native.text import Vectors
from soadyn.spatial.arithmetic import Array
from soadyn.sweep.program import INPUTS, Direction
from soadyn.tracing.values import scalars

HEAP = ("declare ptr @malloc(i64)", "declare void @free(ptr)")
# What the counter of bad passes grows by when no scratch could be had; results are then not written.
NO_MEMORY = 1 << 40
# Layouts whose results do not touch every entry.
SPARSE = ("sum", "blocks", "matrix", "symmetric")


class RolledText:
    """Writes the kernel of a plan; `inputs` names its arguments in order, `ranks` counts the axes of its results."""

    def __init__(self, plan: Plan, slots: Slots, inputs: Sequence[str], ranks: Sequence[int], vectors: Vectors) -> None:
        self.plan, self.slots, self.vectors = plan, slots, vectors
        self.inputs, self.ranks = list(inputs), list(ranks)
        self.w = Writer(vectors, ok="")
        self.bytes = vectors.lanes * vectors.size
        self._loops = 0

    def function(self) -> Function:
        self._entry()
        self._read_arguments()
        self._prepare()
        columns = [part for part in self.plan.parts if isinstance(part, Loop) and part.columns]
        for part in self.plan.parts:
            match part:
                case Loop() if part.columns:
                    if part is columns[0]:
                        self._for_each_column(columns)
                case Loop():
                    self._clear_sums(part)
                    self._walk(part)
                case ClimbLoop():
                    self._climb(part)
                case OnceStep():
                    self._once(part)
        self._write_results()
        return Function(self.vectors.lanes, self.w.lines, [*declarations(self.vectors), *HEAP])

    # Small pieces

    def _field(self, name: str) -> str:
        return f"%f.{name}"

    def _at(self, base: str, vector: str | int) -> str:
        """The address of a vector in the scratch, counted from a base address."""
        offset = vector * self.bytes if isinstance(vector, int) else self.w.set(f"mul i64 {vector}, {self.bytes}")
        return self.w.set(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _load(self, base: str, vector: str | int) -> str:
        return self.w.set(f"load {self.vectors.real}, ptr {self._at(base, vector)}, align {self.bytes}")

    def _store(self, value: str, base: str, vector: str | int) -> None:
        self.w.line(f"store {self.vectors.real} {value}, ptr {self._at(base, vector)}, align {self.bytes}")

    def _entry_of(self, array: str, k: str) -> str:
        at = self.w.set(f"getelementptr i64, ptr {self._field(array)}, i64 {k}")
        return self.w.set(f"load i64, ptr {at}")

    def _spread(self, address: str) -> str:
        """A number of the table in every lane."""
        v = self.vectors
        x = self.w.set(f"load {v.scalar}, ptr {address}")
        one = self.w.set(f"insertelement {v.real} poison, {v.scalar} {x}, i32 0")
        return self.w.set(f"shufflevector {v.real} {one}, {v.real} poison, <{v.lanes} x i32> zeroinitializer")

    def _count(self, first: str, last: str, step: int, body: Callable[[str], None], name: str) -> None:
        """A loop over integers from `first` while not past `last` in the direction of `step`."""
        self._loops += 1
        label = f"{name}{self._loops}"
        w = self.w
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

    def _by_class(self, k: str, body: Callable[[int], None], name: str) -> None:
        """A branch on the joint class of link k, where there are several."""
        if len(self.plan.classes) == 1:
            body(0)
            return
        self._loops += 1
        label = f"{name}{self._loops}"
        w, classes = self.w, range(len(self.plan.classes))
        kind = self._entry_of("kinds", k)
        cases = " ".join(f"i64 {c}, label %{label}.{c}" for c in classes)
        w.line(f"switch i64 {kind}, label %{label}.done [ {cases} ]")
        for c in classes:
            w.label(f"{label}.{c}")
            body(c)
            w.line(f"br label %{label}.done")
        w.label(f"{label}.done")

    def _perform(self, step: Step, resolve: Callable[[Key], str], put: Callable[[Key, str], None]) -> None:
        """A step's operations: inputs through `resolve`, live results through `put`."""
        mask = self.vectors.mask
        self.w.ok = self.w.set(f"load {mask}, ptr %ok")
        before = self.w.ok
        registers = {scalar.node: resolve(key) for key, scalar in step.live_inputs().items()}
        results = step.live_results()
        for key, register in zip(results, self.w.operations(step.graph, results.values(), registers), strict=True):
            put(key, register)
        if self.w.ok != before:
            self.w.line(f"store {mask} {self.w.ok}, ptr %ok")

    # The surroundings

    def _entry(self) -> None:
        w, v = self.w, self.vectors
        w.lines += ["entry:", *w.entry_allocations()]
        w.line(f"%ok = alloca {v.mask}")
        w.line("%width = alloca i64")
        w.line("%climber = alloca i64")
        w.line("%states = load i64, ptr %dims")
        w.line("%last = sub i64 %states, 1")
        outputs = [f"out{i}" for i, _ in enumerate(self.plan.program.outputs)]
        fields = [*FIELDS, *(f"{port}.{f}" for port in (*self.inputs, *outputs) for f in PORT_FIELDS)]
        pointers = FIELDS[FIELDS.index("kinds") :]
        for i, field in enumerate(fields):
            w.line(f"%at.{field} = getelementptr i64, ptr %data, i64 {i}")
            kind = "ptr" if field in pointers else "i64"
            if field != "counter":
                w.line(f"%f.{field} = load {kind}, ptr %at.{field}")
        place = len(self.inputs) + len(outputs)
        for a, name in enumerate((*self.inputs, *outputs)):
            w.line(f"%arg.{name}.at = getelementptr ptr, ptr %args, i64 {a}")
            w.line(f"%arg.{name} = load ptr, ptr %arg.{name}.at")
            w.line(f"%step.{name}.at = getelementptr i64, ptr %steps, i64 {a}")
            w.line(f"%step.{name} = load i64, ptr %step.{name}.at")
            # Core steps of one axis or two; a single axis is a matrix of one row.
            for axis in self._axes(name):
                w.line(f"%core.{name}.{axis}.at = getelementptr i64, ptr %steps, i64 {place}")
                w.line(f"%core.{name}.{axis} = load i64, ptr %core.{name}.{axis}.at")
                place += 1
        size = w.set(f"mul i64 %f.scratch, {self.bytes}")
        room = w.set(f"add i64 {size}, {self.bytes}")
        w.line(f"%heap = call ptr @malloc(i64 {room})")
        past = w.set(f"getelementptr i8, ptr %heap, i64 {self.bytes}")
        address = w.set(f"ptrtoint ptr {past} to i64")
        aligned = w.set(f"and i64 {address}, {-self.bytes}")
        w.line(f"%scratch = inttoptr i64 {aligned} to ptr")
        w.line("%none = icmp sle i64 %states, 0")
        w.line("%refused = icmp eq ptr %heap, null")
        w.line("br i1 %refused, label %no_memory, label %entered")
        w.label("no_memory")
        w.line(f"%told = atomicrmw add ptr %data, i64 {NO_MEMORY} monotonic")
        w.line("ret void")
        w.label("entered")
        w.line("br i1 %none, label %exit, label %block")
        w.label("block")
        w.line("%i = phi i64 [0, %entered], [%i.next, %block.end]")
        w.line(f"store {v.mask} splat (i1 true), ptr %ok")
        for lane in range(v.lanes):
            w.line(f"%state{lane}.raw = add i64 %i, {lane}")
            w.line(f"%state{lane}.fits = icmp slt i64 %state{lane}.raw, %last")
            w.line(f"%state{lane} = select i1 %state{lane}.fits, i64 %state{lane}.raw, i64 %last")

    def _axes(self, name: str) -> tuple[str, ...]:
        if name.startswith("out"):
            return ("block", "row", "column")[3 - self.ranks[int(name[3:])] :]
        return ("row", "column") if name == "external" else ("column",)

    def _rows_of(self, name: str) -> list[str]:
        """Each lane's row of an argument."""
        rows = []
        for lane in range(self.vectors.lanes):
            jump = self.w.set(f"mul i64 %state{lane}, %step.{name}")
            rows.append(self.w.set(f"getelementptr i8, ptr %arg.{name}, i64 {jump}"))
        return rows

    def _each_entry(self, name: str, body: Callable[[str, str], None]) -> None:
        """A loop over an argument's entries: their number, and their distance from the row's start in bytes."""
        w, axes = self.w, self._axes(name)

        def entry(r: str, c: str) -> None:
            index = w.set(f"add i64 {w.set(f'mul i64 {r}, %f.{name}.columns')}, {c}")
            distance = "0"
            if "row" in axes:
                distance = w.set(f"mul i64 {self._row_in_block(name, r) if 'block' in axes else r}, %core.{name}.row")
            if "block" in axes:
                block = w.set(f"mul i64 {w.set(f'udiv i64 {r}, 4')}, %core.{name}.block")
                distance = w.set(f"add i64 {distance}, {block}")
            if "column" in axes:
                distance = w.set(f"add i64 {distance}, {w.set(f'mul i64 {c}, %core.{name}.column')}")
            body(index, distance)

        rows = w.set(f"sub i64 %f.{name}.rows, 1")
        columns = w.set(f"sub i64 %f.{name}.columns, 1")
        self._count("0", rows, 1, lambda r: self._count("0", columns, 1, lambda c: entry(r, c), "column"), "row")

    def _row_in_block(self, name: str, r: str) -> str:
        return self.w.set(f"urem i64 {r}, 4")

    def _read_arguments(self) -> None:
        """Arguments into the scratch; lanes with a number that is not finite compute on zeros and come out NaN."""
        w, v = self.w, self.vectors
        T, mask = v.real, v.mask
        for name in self.inputs:
            rows = self._rows_of(name)

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
                self._store(vector, "%scratch", w.set(f"add i64 {index}, %f.{name}.start"))

            self._each_entry(name, take)
        ok = w.set(f"load {mask}, ptr %ok")
        every = w.set(f"call i1 @llvm.vector.reduce.and.v{v.lanes}i1({mask} {ok})")
        w.line(f"br i1 {every}, label %finite, label %clean")
        w.label("clean")

        def clean(j: str) -> None:
            x = self._load("%scratch", j)
            self._store(w.set(f"select {mask} {ok}, {T} {x}, {T} zeroinitializer"), "%scratch", j)

        self._count("0", w.set("sub i64 %f.unit, 1"), 1, clean, "clean")
        w.line("br label %finite")
        w.label("finite")

    def _prepare(self) -> None:
        """What the ground shares, zeros where results leave gaps, and the places of frames."""
        w = self.w
        start = w.set(f"mul i64 {self._entry_of('block', '0')}, {self.bytes}")
        w.line(f"%ground = getelementptr i8, ptr %scratch, i64 {start}")
        gravity = [
            self._spread(w.set(f"getelementptr {self.vectors.scalar}, ptr %f.gravity, i64 {i}")) for i in range(3)
        ]
        for name, ground in self.plan.grounds.items():
            wanted = {i: slot for (shared, i), slot in self.slots.share.items() if shared == name}
            if wanted:
                self._ground_value(ground, wanted, gravity)
        for port in ("frame", "axes"):
            if port in self.inputs:
                first = w.set(f"load {self.vectors.scalar}, ptr %arg.{port}")
                link = w.set(f"fptosi {self.vectors.scalar} {first} to i64")
                start = w.set(f"mul i64 {self._entry_of('block', link)}, {self.bytes}")
                w.line(f"%at_{port} = getelementptr i8, ptr %scratch, i64 {start}")
        for i, output in enumerate(self.plan.program.outputs):
            if output.layout in SPARSE:
                count = w.set(f"mul i64 %f.out{i}.rows, %f.out{i}.columns")
                last = w.set(f"sub i64 {w.set(f'add i64 %f.out{i}.start, {count}')}, 1")
                self._count(f"%f.out{i}.start", last, 1, self._zero, "zero")

    def _zero(self, vector: str) -> None:
        self._store("zeroinitializer", "%scratch", vector)

    def _ground_value(self, ground: Callable[..., object], wanted: dict[int, int], gravity: list[str]) -> None:
        step = Step_of_ground(ground)
        registers = {scalar.node: gravity[i] for (_, _, i), scalar in step.inputs.items()}
        chosen = [step.results["share", "ground", i] for i in wanted]
        for slot, register in zip(wanted.values(), self.w.operations(step.graph, chosen, registers), strict=True):
            self._store(register, "%ground", slot)

    def _write_results(self) -> None:
        w, v = self.w, self.vectors
        ok = w.set(f"load {v.mask}, ptr %ok")
        for i, _ in enumerate(self.plan.program.outputs):
            name = f"out{i}"
            rows = self._rows_of(name)

            def give(index: str, distance: str, rows: list[str] = rows, name: str = name) -> None:
                x = self._load("%scratch", w.set(f"add i64 {index}, %f.{name}.start"))
                kept = w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {v.splat(float('nan'))}")
                for lane, row in enumerate(rows):
                    at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
                    w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {kept}, i32 {lane}')}, ptr {at}")

            self._each_entry(name, give)
        every = w.set(f"call i1 @llvm.vector.reduce.and.v{v.lanes}i1({v.mask} {ok})")
        w.line(f"br i1 {every}, label %block.end, label %bad")
        w.label("bad")
        w.line("%counted = atomicrmw add ptr %data, i64 1 monotonic")
        w.line("br label %block.end")
        w.label("block.end")
        w.line(f"%i.next = add i64 %i, {v.lanes}")
        w.line("%more = icmp slt i64 %i.next, %states")
        w.line("br i1 %more, label %block, label %exit")
        w.label("exit")
        w.line("call void @free(ptr %heap)")
        w.line("ret void")

    # The loops

    def _walk(self, loop: Loop, first: str = "1", last: str = "%f.n", column: str = "") -> None:
        """One loop over the links."""
        if loop.direction is Direction.TIP_TO_BASE:
            first, last, step = last, first, -1
        else:
            step = 1
        self._count(first, last, step, lambda k: self._link(loop, k, column), "link")

    def _link(self, loop: Loop, k: str, column: str) -> None:
        place = self._place(k)
        self._by_class(k, lambda c: self._perform(loop.steps[c], place.resolver(c), place.putter(c, column)), "kind")

    def _place(self, k: str) -> Place:
        return Place(self, k)

    def _clear_sums(self, loop: Loop) -> None:
        """Zero the sums that a loop adds to, at every link and the ground."""
        names = {name for sweep in loop.sweeps for name in sweep.writes}
        slots = [slot for (name, _), slot in self.slots.sums.items() if name in names]
        if not slots:
            return

        def clear(k: str) -> None:
            base = self._at("%scratch", self._entry_of("block", k))
            for slot in slots:
                self._store("zeroinitializer", base, slot)

        self._count("0", "%f.n", 1, clear, "clear")

    def _for_each_column(self, loops: list[Loop]) -> None:
        """Loops repeated for every component's unit vector; by symmetry links beyond the component's are left out."""
        w = self.w
        last = w.set("sub i64 %f.nv, 1")
        one = self.vectors.splat(1.0)
        self._count("0", last, 1, lambda j: self._zero(w.set(f"add i64 %f.unit, {j}")), "unit")

        def link_columns(k: str) -> None:
            start = self._entry_of("v_start", k)
            at_end = w.set(f"icmp eq i64 {k}, %f.n")
            following = w.set(f"add i64 {k}, 1")
            safe = w.set(f"select i1 {at_end}, i64 {k}, i64 {following}")
            stop = w.set(f"select i1 {at_end}, i64 %f.nv, i64 {self._entry_of('v_start', safe)}")

            def column(c: str) -> None:
                unit = w.set(f"add i64 %f.unit, {c}")
                self._store(one, "%scratch", unit)
                for loop in loops:
                    self._clear_sums(loop)
                    self._walk(loop, last=k, column=c)
                self._zero(unit)

            self._count(start, w.set(f"sub i64 {stop}, 1"), 1, column, "unitcolumn")

        self._count("1", "%f.n", 1, link_columns, "columns")

    def _once(self, part: OnceStep) -> None:
        place = self._place("0")
        self._perform(part.step, place.resolver(0), place.putter(0, ""))

    def _climb(self, part: ClimbLoop) -> None:
        w = self.w
        climbing = self._at("%scratch", "%f.climbing")
        result = self.plan.place(part.climb)
        mirrored = self.plan.program.outputs[result].layout == "symmetric"

        def start(k: str) -> None:
            place = self._place(k)
            first = self._entry_of("column_start", k)
            widths = [sum(key[:2] == ("own", "x") for key in step.results) // 6 for step in part.own]

            def begin(c: int) -> None:
                width = widths[c]

                def put(key: Key, register: str) -> None:
                    where, _, i = key
                    if where == "own":
                        self._store(register, climbing, i)
                    elif not mirrored or i // width <= i % width:
                        self._matrix_entry(register, k, i // width, first, str(i % width), result)

                self._perform(part.own[c], place.resolver(c), put)
                w.line(f"store i64 {width}, ptr %width")

            self._by_class(k, begin, "own")
            columns = str(widths[0]) if len(set(widths)) == 1 else w.set("load i64, ptr %width")
            w.line(f"store i64 {k}, ptr %climber")
            self._rise(part, climbing, columns, first, result)

        def visible(k: str) -> None:
            if not part.climb.visible_only:
                start(k)
                return
            self._loops += 1
            label = f"seen{self._loops}"
            shown = w.set(f"icmp sge i64 {self._entry_of('row', k)}, 0")
            w.line(f"br i1 {shown}, label %{label}, label %{label}.hidden")
            w.label(label)
            start(k)
            w.line(f"br label %{label}.hidden")
            w.label(f"{label}.hidden")

        self._count("%f.n", "1", -1, visible, "climb")

    def _rise(self, part: ClimbLoop, climbing: str, columns: str, first: str, result: int) -> None:
        """From the link in %climber to its ancestors: carry the columns, let each ancestor take its rows."""
        w = self.w
        self._loops += 1
        label = f"rise{self._loops}"
        w.line(f"br label %{label}")
        w.label(label)
        k = w.set("load i64, ptr %climber")
        parent = self._entry_of("parents", k)
        grounded = w.set(f"icmp eq i64 {parent}, 0")
        w.line(f"br i1 {grounded}, label %{label}.end, label %{label}.go")
        w.label(f"{label}.go")
        last = w.set(f"sub i64 {columns}, 1")

        def each_column(steps: list[Step], link: str, rows: bool) -> None:
            place = self._place(link)

            def of_class(c: int) -> None:
                def column(j: str) -> None:
                    x = self._at(climbing, w.set(f"mul i64 {j}, 6"))

                    def resolve(key: Key) -> str:
                        return self._load(x, key[2]) if key[:2] == ("own", "x") else place.resolver(c)(key)

                    def put(key: Key, register: str) -> None:
                        if rows:
                            self._matrix_entry(register, link, key[2], first, j, result)
                        else:
                            self._store(register, x, key[2])

                    self._perform(steps[c], resolve, put)

                self._count("0", last, 1, column, "carried")

            self._by_class(link, of_class, "rising")

        each_column(part.carry, k, rows=False)
        each_column(part.row, parent, rows=True)
        w.line(f"store i64 {parent}, ptr %climber")
        w.line(f"br label %{label}")
        w.label(f"{label}.end")

    def _matrix_entry(self, register: str, link: str, row: int, first: str, column: str, result: int) -> None:
        """Entry (v_start(link) + row, first + column) of a climb's matrix, and its mirror image."""
        w = self.w
        r = w.set(f"add i64 {self._entry_of('v_start', link)}, {row}")
        c = w.set(f"add i64 {first}, {column}")
        mirrored = self.plan.program.outputs[result].layout == "symmetric"
        places = [(r, c), (c, r)] if mirrored else [(r, c)]
        for i, j in places:
            index = w.set(f"add i64 {w.set(f'mul i64 {i}, %f.columns')}, {j}")
            self._store(register, "%scratch", w.set(f"add i64 {index}, %f.out{result}.start"))


def Step_of_ground(ground: Callable[..., object]) -> Step:
    """What the ground shares, as a step whose inputs are gravity's components."""
    from soadyn.backends.native.plan import _unknown
    from soadyn.tracing import Graph

    step = Step(Graph())
    gravity: Array = _unknown([step.read(("whole", "gravity", i)) for i in range(3)], (3, 1))
    for i, scalar in enumerate(scalars(ground(gravity))):
        step.results["share", "ground", i] = scalar
    return step


class Place:
    """Where a link's keys live in memory."""

    def __init__(self, text: RolledText, k: str) -> None:
        self.text, self.k = text, k
        w = text.w
        self.base = text._at("%scratch", text._entry_of("block", k))
        parent = text._entry_of("parents", k)
        self.parent = text._at("%scratch", text._entry_of("block", parent))
        self.q = text._entry_of("q_start", k)
        self.v = text._entry_of("v_start", k)
        self.row = text._entry_of("row", k)
        offset = w.set(f"mul i64 {k}, {CONSTANT_COUNT}")
        self.constants = w.set(f"getelementptr {text.vectors.scalar}, ptr %f.constants, i64 {offset}")

    def resolver(self, c: int) -> Callable[[Key], str]:
        t, w, slots = self.text, self.text.w, self.text.slots

        def resolve(key: Key) -> str:
            where, name, i = key
            match where:
                case "constant":
                    at = CONSTANT_START[name] + i
                    return t._spread(w.set(f"getelementptr {t.vectors.scalar}, ptr {self.constants}, i64 {at}"))
                case "own":
                    return t._load(self.base, slots.own[c][name, i])
                case "parent":
                    return t._load(self.parent, slots.share[name, i])
                case "sum":
                    return t._load(self.base, slots.sums[name, i])
                case "ground":
                    return t._load("%ground", slots.sums[name, i])
                case "frame" | "axes":
                    return t._load(f"%at_{where}", slots.share[name, i])
                case "once":
                    return t._load("%scratch", w.set(f"add i64 %f.once, {slots.once[name, i]}"))
                case "whole" if name == "gravity":
                    return t._spread(w.set(f"getelementptr {t.vectors.scalar}, ptr %f.gravity, i64 {i}"))
                case "whole":
                    return t._load("%scratch", w.set(f"add i64 %f.{name}.start, {i}"))
                case "input" if name == "external":
                    return self._wrench(i)
                case "input":
                    return t._load("%scratch", self._input(name, i))
            raise AssertionError(key)

        return resolve

    def _input(self, name: str, i: int) -> str:
        w = self.text.w
        if name == "unit":
            return w.set(f"add i64 {w.set(f'add i64 %f.unit, {self.v}')}, {i}")
        match INPUTS[name]:
            case "coordinates":
                index = self.q
            case "joint":
                index = self.v
            case _:
                index = self.k
        return w.set(f"add i64 {w.set(f'add i64 {index}, {i}')}, %f.{name}.start")

    def _wrench(self, i: int) -> str:
        """A link's share of the external wrenches; a hidden link has none."""
        t, w = self.text, self.text.w
        hidden = w.set(f"icmp slt i64 {self.row}, 0")
        row = w.set(f"select i1 {hidden}, i64 0, i64 {self.row}")
        index = w.set(f"add i64 {w.set(f'mul i64 {row}, 6')}, {i}")
        x = t._load("%scratch", w.set(f"add i64 {index}, %f.external.start"))
        return w.set(f"select i1 {hidden}, {t.vectors.real} zeroinitializer, {t.vectors.real} {x}")

    def putter(self, c: int, column: str) -> Callable[[Key, str], None]:
        t, w, slots = self.text, self.text.w, self.text.slots

        def put(key: Key, register: str) -> None:
            where, name, i = key
            match where:
                case "own":
                    t._store(register, self.base, slots.own[c][name, i])
                case "share":
                    t._store(register, self.base, slots.share[name, i])
                case "add":
                    slot = slots.sums[name, i]
                    so_far = t._load(self.parent, slot)
                    t._store(w.set(f"fadd {t.vectors.real} {so_far}, {register}"), self.parent, slot)
                case "once":
                    t._store(register, "%scratch", w.set(f"add i64 %f.once, {slots.once[name, i]}"))
                case "out":
                    self._out(int(name), i, register, c, column)

        return put

    def _out(self, place: int, i: int, register: str, c: int, column: str) -> None:
        t, w = self.text, self.text.w
        nv = t.plan.classes[c].nv
        start = f"%f.out{place}.start"

        def store(index: str) -> None:
            t._store(register, "%scratch", w.set(f"add i64 {index}, {start}"))

        match t.plan.program.outputs[place].layout:
            case "whole":
                store(str(i))
            case "joint":
                store(w.set(f"add i64 {self.v}, {i}"))
            case "sum":
                so_far = t._load("%scratch", start)
                t._store(w.set(f"fadd {t.vectors.real} {so_far}, {register}"), "%scratch", start)
            case "columns":
                row = w.set(f"mul i64 %f.nv, {i // nv}")
                store(w.set(f"add i64 {w.set(f'add i64 {row}, {self.v}')}, {i % nv}"))
            case "blocks":
                row = w.set(f"mul i64 {w.set(f'add i64 {self.v}, {i // nv}')}, %f.nv")
                store(w.set(f"add i64 {w.set(f'add i64 {row}, {self.v}')}, {i % nv}"))
            case "joint matrix":
                r = w.set(f"add i64 {self.v}, {i}")
                store(w.set(f"add i64 {w.set(f'mul i64 {r}, %f.nv')}, {column}"))
                store(w.set(f"add i64 {w.set(f'mul i64 {column}, %f.nv')}, {r}"))
            case "link":
                t._loops += 1
                label = f"shown{t._loops}"
                shown = w.set(f"icmp sge i64 {self.row}, 0")
                w.line(f"br i1 {shown}, label %{label}, label %{label}.hidden")
                w.label(label)
                store(w.set(f"add i64 {w.set(f'mul i64 {self.row}, 16')}, {i}"))
                w.line(f"br label %{label}.hidden")
                w.label(f"{label}.hidden")
