"""Rolled kernels, written: loops over the links as LLVM text, the same for every robot with the same joint kinds."""

from __future__ import annotations

from collections.abc import Sequence

from soadyn.backends.native.llvm.module import Function
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import declarations
from soadyn.backends.native.rolled import entry_exit
from soadyn.backends.native.rolled.addresses import Place
from soadyn.backends.native.rolled.climb import climb
from soadyn.backends.native.rolled.loops import Loops
from soadyn.backends.native.rolled.scratch import Slots
from soadyn.backends.plan.plan import ClimbLoop, OnceStep, Plan, Walk
from soadyn.sweep.program import Direction

HEAP = ("declare ptr @malloc(i64)", "declare void @free(ptr)")


def rolled_function(
    plan: Plan, slots: Slots, inputs: Sequence[str], ranks: Sequence[int], vectors: Vectors
) -> Function:
    """The inner loop of a plan's kernel; `inputs` names its arguments in order, `ranks` counts its results' axes."""
    t = Loops(plan, slots, inputs, ranks, vectors)
    entry_exit.entry(t)
    entry_exit.read_arguments(t)
    entry_exit.prepare(t)
    columns = [part for part in plan.parts if isinstance(part, Walk) and part.columns]
    for part in plan.parts:
        match part:
            case Walk() if part.columns:
                if part is columns[0]:
                    _for_each_column(t, columns)
            case Walk():
                _clear_sums(t, part)
                _walk(t, part)
            case ClimbLoop():
                climb(t, part)
            case OnceStep():
                _once(t, part)
    entry_exit.write_results(t)
    return Function(vectors.lanes, t.w.lines, [*declarations(vectors), *HEAP])


def _walk(t: Loops, walk: Walk, first: str = "1", last: str = "%f.n", column: str = "") -> None:
    """One loop over the links."""
    if walk.direction is Direction.TIP_TO_BASE:
        first, last, step = last, first, -1
    else:
        step = 1
    t.count(first, last, step, lambda k: _link(t, walk, k, column), "link")


def _link(t: Loops, walk: Walk, k: str, column: str) -> None:
    place = Place(t, k)
    t.by_class(k, lambda c: t.perform(walk.steps[c], place.resolver(c), place.putter(c, column)), "kind")


def _clear_sums(t: Loops, walk: Walk) -> None:
    """Zero the sums that a loop adds to, at every link and the ground."""
    names = {name for sweep in walk.sweeps for name in sweep.writes}
    slots = [slot for (name, _), slot in t.slots.sums.items() if name in names]
    if not slots:
        return

    def clear(k: str) -> None:
        base = t.at("%scratch", t.entry_of("block", k))
        for slot in slots:
            t.store("zeroinitializer", base, slot)

    t.count("0", "%f.n", 1, clear, "clear")


def _for_each_column(t: Loops, walks: list[Walk]) -> None:
    """Loops repeated for every component's unit vector; by symmetry links beyond the component's are left out."""
    w = t.w
    last = w.set("sub i64 %f.nv, 1")
    one = t.vectors.splat(1.0)
    t.count("0", last, 1, lambda j: t.zero(w.set(f"add i64 %f.unit, {j}")), "unit")

    def link_columns(k: str) -> None:
        start = t.entry_of("v_start", k)
        at_end = w.set(f"icmp eq i64 {k}, %f.n")
        following = w.set(f"add i64 {k}, 1")
        safe = w.set(f"select i1 {at_end}, i64 {k}, i64 {following}")
        stop = w.set(f"select i1 {at_end}, i64 %f.nv, i64 {t.entry_of('v_start', safe)}")

        def column(c: str) -> None:
            unit = w.set(f"add i64 %f.unit, {c}")
            t.store(one, "%scratch", unit)
            for walk in walks:
                _clear_sums(t, walk)
                _walk(t, walk, last=k, column=c)
            t.zero(unit)

        t.count(start, w.set(f"sub i64 {stop}, 1"), 1, column, "unitcolumn")

    t.count("1", "%f.n", 1, link_columns, "columns")


def _once(t: Loops, part: OnceStep) -> None:
    place = Place(t, "0")
    t.perform(part.step, place.resolver(0), place.putter(0, ""))
