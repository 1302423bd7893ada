"""A rolled kernel as LLVM text: loops over the links, the same for every robot with the same joint classes."""

from __future__ import annotations

from collections.abc import Sequence

from soadyn.engine.loops.plan import ClimbLoop, LoopPlan, OnceStep, SubstitutionLoop, Walk
from soadyn.engine.native.llvm.module import FunctionText
from soadyn.engine.native.llvm.state_loop import support
from soadyn.engine.native.llvm.turning import turning_function
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.rolled import frame
from soadyn.engine.native.rolled.addresses import LinkValues
from soadyn.engine.native.rolled.climb import climb
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.native.rolled.substitution import substitute, tile_declarations
from soadyn.programs.sweep.program import Direction


def rolled_function(plan: LoopPlan, inputs: Sequence[str], vectors: Vectors, widest: int) -> FunctionText:
    """The inner loop of a plan's kernel; `inputs` names its arguments in order.

    `widest` is how many numbers the processor's vectors hold.
    """
    t = LoopWriter(plan, inputs, vectors)
    loop = frame.enter(t)

    def block() -> None:
        t.rows = dict(zip((*t.inputs, *t.outputs), loop.bases, strict=True))
        frame.read_arguments(t)
        frame.prepare(t, loop.state)
        _parts(t, widest)
        frame.write_results(t, loop)

    loop.over_blocks(block)
    used = [*support(vectors), *frame.SUPPORT]
    if vectors.lanes > 1:
        used.append(turning_function(vectors))
    if t.layout.sizes.substitutes:
        used += tile_declarations(vectors, widest)
    return FunctionText(t.w.lines, used)


def _parts(t: LoopWriter, widest: int) -> None:
    """Write the loops of all parts of the plan."""
    plan = t.plan
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


def _walk(t: LoopWriter, walk: Walk, last: str = "%f.n", column: str = "") -> None:
    """Write one loop over links, from the first to the `last` or back."""

    def at_link(k: str) -> None:
        values = LinkValues(t, k)
        t.by_class(k, lambda c: t.perform(walk.steps[c], values.reader(c), values.writer(c, column)))

    if walk.direction is Direction.TIP_TO_BASE:
        t.w.loop(last, "0", at_link, -1)
    else:
        t.w.loop("1", t.w.plus(last, 1), at_link)


def _clear_sums(t: LoopWriter, walk: Walk) -> None:
    """Zero the sums that a walk adds to, at every link and the ground, where walks are repeated for columns."""
    names = {name for sweep in walk.sweeps for name in sweep.writes}
    slots = [slot for (name, _), slot in t.layout.sums.items() if name in names]
    if not slots or not t.layout.sizes.columns:
        return

    def clear(k: str) -> None:
        base = t.w.at("%scratch", t.entry_of("sums", k))
        for slot in slots:
            t.w.store("zeroinitializer", base, slot)

    t.w.loop("0", "%beyond", clear)


def _for_each_column(t: LoopWriter, walks: list[Walk]) -> None:
    """Repeat walks for every joint component's unit vector.

    If all their matrices are symmetric they stay between its link and the base: nothing comes from beyond.
    """
    t.w.loop("0", "%f.nv", lambda j: t.zero(t.w.plus("%f.unit", j)))
    symmetric = all(output.layout != "joint columns" for output in t.plan.program.outputs)

    def component(c: str, k: str) -> None:
        unit = t.w.plus("%f.unit", c)
        t.w.store(t.vectors.splat(1.0), "%scratch", unit)
        for walk in walks:
            _clear_sums(t, walk)
            _walk(t, walk, last=k if symmetric else "%f.n", column=c)
        t.zero(unit)

    def link_columns(k: str) -> None:
        t.w.loop_if_any(t.entry_of("v_start", k), t.entry_of("v_end", k), lambda c: component(c, k))

    t.w.loop("1", "%beyond", link_columns)
