"""A rolled kernel as LLVM text: loops over the links, the same for every robot with the same joint classes."""

from __future__ import annotations

from collections.abc import Sequence

from soadyn.engine.loops.plan import ClimbLoop, LoopPlan, OnceStep, SubstitutionLoop, Walk
from soadyn.engine.native.llvm.module import FunctionText
from soadyn.engine.native.llvm.turning import PREFETCH, turning_function
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import declarations
from soadyn.engine.native.rolled import frame
from soadyn.engine.native.rolled.addresses import LinkValues
from soadyn.engine.native.rolled.arrays import read_arguments, write_results
from soadyn.engine.native.rolled.climb import climb
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.native.rolled.substitution import substitute, tile_declarations
from soadyn.programs.sweep.program import Direction


def rolled_function(
    plan: LoopPlan, inputs: Sequence[str], ranks: Sequence[int], vectors: Vectors, widest: int
) -> FunctionText:
    """The inner loop of a plan's kernel; `inputs` names its arguments in order, `ranks` counts its results' axes.

    `widest` is how many numbers the processor's vectors hold.
    """
    t = LoopWriter(plan, inputs, ranks, vectors)
    frame.enter(t)
    frame.begin_block(t)
    read_arguments(t)
    frame.prepare(t)
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
            case SubstitutionLoop():
                substitute(t, part, widest)
            case OnceStep():
                frame.perform_once(t, part.step)
    frame.end_block(t, every=write_results(t))
    support = [*declarations(vectors), *frame.SUPPORT]
    if vectors.lanes > 1:
        support += [PREFETCH, turning_function(vectors)]
    if t.layout.sizes.substitutes:
        support += tile_declarations(vectors, widest)
    return FunctionText(vectors.lanes, t.w.lines, support)


def _walk(t: LoopWriter, walk: Walk, first: str = "1", last: str = "%f.n", column: str = "") -> None:
    """Write one loop over links, from `first` to `last` or back."""

    def at_link(k: str) -> None:
        values = LinkValues(t, k)
        t.by_class(k, lambda c: t.perform(walk.steps[c], values.reader(c), values.writer(c, column)), "kind")

    if walk.direction is Direction.TIP_TO_BASE:
        t.count(last, first, -1, at_link, "link")
    else:
        t.count(first, last, 1, at_link, "link")


def _clear_sums(t: LoopWriter, walk: Walk) -> None:
    """Zero the sums that a walk adds to, at every link and the ground, unless their places are used in turn."""
    names = {name for sweep in walk.sweeps for name in sweep.writes}
    slots = [slot for (name, _), slot in t.layout.sums.items() if name in names]
    if not slots or not t.layout.sizes.sums_stay:
        return

    def clear(k: str) -> None:
        base = t.at("%scratch", t.entry_of("sums", k))
        for slot in slots:
            t.store("zeroinitializer", base, slot)

    t.count("0", "%f.n", 1, clear, "clear")


def _for_each_column(t: LoopWriter, walks: list[Walk]) -> None:
    """Repeat walks for every joint component's unit vector.

    They go up to its link where the matrix is symmetric; and inward, since nothing comes from beyond, where links that
    were not reached yet hold zeros.
    """
    whole = [walk for walk in walks if _writes_all_rows(t, walk)]
    if whole:
        _clear_own(t, walks)
    one = t.vectors.splat(1.0)
    t.count("0", t.minus("%f.nv", 1), 1, lambda j: t.zero(t.plus("%f.unit", j)), "unit")

    def component(c: str, k: str) -> None:
        unit = t.plus("%f.unit", c)
        t.store(one, "%scratch", unit)
        for walk in walks:
            _clear_sums(t, walk)
            _walk(t, walk, last="%f.n" if walk in whole else k, column=c)
        t.zero(unit)

    def link_columns(k: str) -> None:
        last = t.minus(t.entry_of("v_end", k), 1)
        t.count(t.entry_of("v_start", k), last, 1, lambda c: component(c, k), "column")

    t.count("1", "%f.n", 1, link_columns, "columns")


def _writes_all_rows(t: LoopWriter, walk: Walk) -> bool:
    """Does a walk write matrices that are not symmetric?"""
    written = {name for sweep in walk.sweeps for name in sweep.writes}
    return any(out.layout == "joint columns" and out.value in written for out in t.plan.program.outputs)


def _clear_own(t: LoopWriter, walks: list[Walk]) -> None:
    """Zero what walks that are repeated for columns keep at the links."""

    def clear(k: str) -> None:
        values = LinkValues(t, k)

        def of_class(c: int) -> None:
            for walk in walks:
                for where, name, i in walk.steps[c].live_results():
                    if where == "own":
                        t.store("zeroinitializer", values.own, t.layout.own[c][name, i])

        t.by_class(k, of_class, "unreached")

    t.count("1", "%f.n", 1, clear, "clear")
