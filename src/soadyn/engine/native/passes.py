"""From a program to machine code: the passes, in their order.

Straight-line code has one robot's numbers folded in. Loops over the links serve every robot with the same classes of
joints and read its numbers from a table. What is made is found later by a hash of all it depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, final

import numpy as np

from soadyn.engine import policy
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.regrouping import constants_for
from soadyn.engine.loops.joint_classes import classes_of
from soadyn.engine.loops.plan import planned
from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.llvm.machine_code import Loaded, made
from soadyn.engine.native.llvm.module import module_text
from soadyn.engine.native.llvm.processor import Processor, processor
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.rolled.function import rolled_function
from soadyn.engine.native.rolled.robot_table import KernelTable, robot_table
from soadyn.engine.native.rolled.scratch_layout import ScratchSizes, layout_of
from soadyn.engine.native.rollout import Rollout
from soadyn.engine.native.straight.function import straight_function
from soadyn.engine.native.straight.long_function import long_function
from soadyn.engine.native.straight.results import are_gathered
from soadyn.engine.native.straight.step_loop import StepLoop
from soadyn.engine.precision import Precision
from soadyn.engine.tracing.passive_set import PassiveSet
from soadyn.engine.tracing.ports import Ports, ports_of
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.engine.tracing.trace import Traced, cheapest_trace
from soadyn.engine.tracing.traced import WORLD, traced
from soadyn.programs.sweep.inputs import is_supplied, marked_by
from soadyn.programs.sweep.program import Program, summed_by_entries
from soadyn.programs.sweep.world_axes import in_world_axes

Size = Literal["one", "some", "many"]
Backend = Literal["auto", "rolled", "straight"]
# How many states straight-line code computes at a time: one, or as many as a vector has lanes.
Lanes = Literal["one", "many"]
# The links that carry a program's frames, by the frames' names; None for the world's axes, along which nothing turns.
Frames = Mapping[str, int | None]
Shapes = Mapping[str, tuple[int, ...]]
# Loops over the links, or straight-line code of at most so many operations.
Way = tuple[Literal["loops", "straight"], int | None]


def ways(program: Program, backend: Backend, size: Size, results: Callable[[], int], parametric: bool) -> list[Way]:
    """The forms of code for batches of a size, in the order to try them; `results` counts those of a state."""
    many_arguments = len(program.inputs) + len(program.outputs) > policy.MOST_OPERANDS
    if parametric or program.derivatives or many_arguments or not summed_by_entries(program):  # no loop can run these
        return [("straight", policy.LONGEST_WITH_PARAMETERS)]
    if backend == "straight":
        return [("straight", None)]
    straight = backend == "auto" and size == "many" and results() < policy.MOST_RESULTS
    return [("straight", policy.LONGEST_TRACE), ("loops", None)] if straight else [("loops", None)]


@final
@dataclass(frozen=True, slots=True)
class Folded:
    """What straight-line code has folded in: constants but for `parameters`, the frames' links, one passive set."""

    constants: Constants
    parameters: Shapes
    frames: Frames
    passive: PassiveSet | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        return self.passive, *sorted(self.frames.items(), key=repr)

    @property
    def world(self) -> dict[str, Any]:
        """The world's axes, where a frame stands for them."""
        return {name: WORLD for name, link in self.frames.items() if link is None}

    def ports(self, program: Program) -> Ports:
        """The arguments of straight-line code, and its results."""
        folded = {*self.world, "passive"} if self.passive else {*self.world}
        inputs, outputs = ports_of(program, self.constants.model, self.parameters)
        folded |= {port.name for port in inputs if is_supplied(port.name) or marked_by(port.name) is not None}
        given = tuple(port for port in inputs if port.name not in folded)
        return given, (self.passive.ports if self.passive else ()) or outputs

    def depends(self, program: Program) -> tuple[Any, ...]:
        """All that a program's trace depends on."""
        return program, self.constants, self.frames, self.parameters, self.passive

    def trace(self, program: Program, longest: int | None) -> Traced:
        """A program on recorded scalars; TooLongError beyond so many operations."""
        robot = Recording(self.constants, self.parameters)
        links = {name: link or 0 for name, link in self.frames.items()}
        return traced(program, robot.constants, links, robot.graph, robot.inputs, self.world, longest, self.passive)


def straight(program: Program, setting: Folded, precision: Precision, lanes: Lanes, longest: int | None) -> Kernel:
    """Straight-line code; TooLongError if it takes more than `longest` operations."""

    def trace() -> Traced:  # chooses the algorithm; derives, regroups and folds while it is recorded
        return cheapest_trace(program, setting.constants.model, lambda same: setting.trace(same, longest))

    content = fingerprint(*setting.depends(program))
    return straight_kernel(program.name, setting.ports(program), content, trace, precision, lanes)


def straight_kernel(
    name: str, ports: Ports, content: str | None, trace: Callable[[], Traced], precision: Precision, lanes: Lanes
) -> Kernel:
    """Straight-line code of a trace; `content` is the hash of all that the trace depends on."""
    target = processor()
    width = 1 if lanes == "one" else _widest(target, precision)
    key, vectors = content and f"{content} {precision} {lanes}", Vectors(width, precision, target.fused)
    code = made(key, lambda: _written(trace(), vectors, target), target)
    work, functions, gathered = code.kept
    form = _form("straight-line code", functions, bool(gathered), width)
    return Kernel(name, ports, code, KernelTable(), precision, work, form)


def _written(trace: Traced, vectors: Vectors, target: Processor) -> str:
    """The text of a trace, in one function or in several; beside it the operations, and what its form is."""
    gathered = are_gathered(trace.outputs)
    write = long_function if trace.operations > policy.ONE_FUNCTION or gathered else straight_function
    function = write(trace.graph, trace.inputs, trace.outputs, vectors)
    return module_text(function, target.x86, [trace.operations, function.parts, int(gathered)])


def loops(program: Program, constants: Constants, precision: Precision, single: bool) -> Kernel:
    """Loops over the links, for `single` states or for batches."""
    own, target = in_world_axes(program), processor()
    links = constants_for(own, constants)  # regroup
    inputs, outputs = ports_of(own, constants.model)
    names = tuple(port.name for port in inputs)
    for lanes in (1,) if single else (_widest(target, precision), 1):
        vectors = Vectors(lanes, precision, target.fused)
        code = _looped(own, classes_of(links), names, vectors, target)
        table = robot_table(ScratchSizes.of_numbers(code.kept), links, (inputs, outputs), precision)
        if table.vectors * lanes * vectors.size <= policy.MOST_SCRATCH:
            break
    # A link takes a few hundred operations in most programs; a matrix result, some for each entry.
    work = 300 * constants.model.n + 5 * sum(port.count for port in outputs)
    return Kernel(
        program.name, (inputs, outputs), code, table, precision, work, _form("loops over the links", 1, False, lanes)
    )


@lru_cache(maxsize=256)
def _looped(
    program: Program, classes: tuple[Any, ...], names: tuple[str, ...], vectors: Vectors, target: Processor
) -> Loaded:
    """Loops for these classes of links, with the numbers of their `ScratchSizes`; found on disk without planning."""

    def written() -> str:
        plan = planned(program, classes)
        function = rolled_function(plan, names, vectors, widest=target.lanes(vectors.size))
        return module_text(function, target.x86, layout_of(plan).sizes.numbers)

    content = fingerprint("loops", program, classes, names, vectors)
    return made(content, written, target, optimise=True)


def repeated(ports: StepPorts, content: str | None, record: Callable[[], Step], single: bool) -> Rollout:
    """A step in time as machine code that repeats it, for one row or for many."""
    target = processor()

    def written() -> str:
        step = record()
        size = step.operations + 1 if step.operations <= policy.ONE_FUNCTION else policy.PART
        vectors = Vectors(1 if single else target.lanes(8), "float64", target.fused)
        return module_text(StepLoop(step, vectors, size).function(), target.x86, [step.operations])

    return Rollout(ports, made(content and f"rollout {content} {single}", written, target))


def _widest(target: Processor, precision: Precision) -> int:
    """How many numbers a vector of the processor holds."""
    return target.lanes(np.dtype(precision).itemsize)


def _form(kind: str, functions: int, gathered: bool, lanes: int) -> str:
    """What kind of code it is, in words."""
    several = [f"{functions} functions"] if functions > 1 else []
    results = ["results gathered"] if gathered else []
    return ", ".join([kind, *several, *results, "1 lane" if lanes == 1 else f"{lanes} lanes"])
