"""Kernels: a program compiled for one robot, called like a function of arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Literal, final

import numpy as np

from soadyn.engine import policy
from soadyn.engine.cache.code_cache import found
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.regrouping import constants_for
from soadyn.engine.loops.joint_classes import classes_of
from soadyn.engine.loops.plan import planned
from soadyn.engine.native.gufunc import Gufunc
from soadyn.engine.native.llvm.machine_code import Loaded, compiled, name_of
from soadyn.engine.native.llvm.module import module_text
from soadyn.engine.native.llvm.processor import Processor, processor
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.rolled.function import rolled_function
from soadyn.engine.native.rolled.robot_table import Table, robot_table
from soadyn.engine.native.rolled.scratch_layout import ScratchSizes, layout_of
from soadyn.engine.native.straight.function import straight_function
from soadyn.engine.native.straight.long_function import long_function
from soadyn.engine.native.straight.results import are_gathered
from soadyn.engine.precision import Precision
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port, Ports, ports_of, signature
from soadyn.engine.tracing.trace import Traced
from soadyn.errors import ArgumentError, warn_caller
from soadyn.fork_safe import made_once
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.world_axes import in_world_axes

# How many states straight-line code computes at a time: one, as many as a vector has lanes, or both as two functions.
Lanes = Literal["one", "many", "both"]
# The scratch of a rolled kernel for a whole vector of states, at most; longer robots run one state at a time.
SCRATCH_BYTES = 64 * 2**20


@final
class Kernel:
    """A gufunc for one robot and program. `counter` grows with every pass that has a lane without an answer.

    `work` is roughly how many operations a state takes.
    """

    __slots__ = ("address", "call", "counter", "gufunc", "inputs", "name", "outputs", "shapes", "work")

    def __init__(
        self,
        name: str,
        ports: Ports,
        code: Loaded,
        table: Table,
        precision: Precision,
        work: int,
    ) -> None:
        inputs, outputs = ports
        data = table.data
        loop = (np.dtype(precision), code.address, ctypes.addressof(data))
        self.gufunc = Gufunc(name, signature(inputs, outputs), len(inputs), len(outputs), [loop], (code, table))
        self.name = name
        self.inputs, self.outputs = inputs, outputs
        self.shapes = tuple(port.shape for port in outputs)
        self.call = self.gufunc.call
        self.address = code.address
        self.work = work
        self.counter = ctypes.c_int64.from_buffer(data)

    def __call__(self, *arrays: np.ndarray, **options: Any) -> tuple[Any, int]:
        """The gufunc's results, and how much the counter grew; passes of other threads may be among them."""
        before = self.counter.value
        results = self.call(*arrays, **options)
        return results, self.counter.value - before


def rolled_kernel(program: Program, constants: Constants, precision: Precision, single: bool) -> Kernel:
    """Loops over the links, for `single` states or for batches.

    Robots with the same joint classes share the code and differ in their tables.
    """
    target, program = processor(), in_world_axes(program)
    links = constants_for(program, constants)
    inputs, outputs = ports_of(program, constants.model)
    ranks = tuple(len(port.shape) for port in outputs)
    names = tuple(port.name for port in inputs)

    def made(lanes: int) -> tuple[Loaded, Table]:
        vectors = Vectors(lanes, precision, target.fused)
        code = _rolled_code(program, classes_of(links), names, ranks, vectors, target)
        return code, robot_table(ScratchSizes.of_numbers(code.kept), links, (*inputs, *outputs), precision)

    lanes = 1 if single else target.lanes(np.dtype(precision).itemsize)
    code, table = made(lanes)
    if (fitting := _lanes(table.vectors, target, precision)) < lanes:
        code, table = made(fitting)
    # A link takes a few hundred operations in most programs; a matrix result, some for each entry.
    work = 300 * constants.model.n + 5 * sum(port.count for port in outputs)
    return Kernel(program.name, (inputs, outputs), code, table, precision, work)


def _lanes(vectors: int, target: Processor, precision: Precision) -> int:
    """As many states at once as the processor and the bound on scratch allow."""
    size = np.dtype(precision).itemsize
    full = target.lanes(size)
    return full if vectors * full * size <= SCRATCH_BYTES else 1


@lru_cache(maxsize=256)
def _rolled_code(
    program: Program,
    classes: tuple[Any, ...],
    names: tuple[str, ...],
    ranks: tuple[int, ...],
    vectors: Vectors,
    target: Processor,
) -> Loaded:
    """Loops for these classes of links, with the numbers of their `ScratchSizes`; found on disk without planning."""
    content = fingerprint("loops", program, classes, names, ranks, vectors)
    place = name_of(content, target, optimise=True) if content else ""
    code = found(place) if place else None
    if code is None:
        plan = planned(program, classes)
        function = rolled_function(plan, names, ranks, vectors, widest=target.lanes(vectors.size))
        text = module_text([function], target.x86, layout_of(plan).sizes.numbers)
        code = compiled(text, target, optimise=True, name=place)
    return Loaded(code, "loop", target)


def straight_kernel(
    name: str, ports: Ports, content: str | None, trace: Callable[[], Traced], precision: Precision, lanes: Lanes
) -> Kernel:
    """One robot's whole program with its constants folded.

    `content` is the fingerprint of all that the trace depends on; code found under it is loaded without tracing.
    """
    target = processor()
    place = name_of(f"{content} {precision} {lanes}", target, optimise=False) if content else ""
    code = found(place) if place else None
    if code is None:
        code = compiled(_straight_text(trace(), precision, lanes, target), target, optimise=False, name=place)
    loaded = Loaded(code, "loop", target)
    return Kernel(name, ports, loaded, Table([0], {}), precision, *loaded.kept)


def _straight_text(trace: Traced, precision: Precision, lanes: Lanes, target: Processor) -> str:
    widest = target.lanes(np.dtype(precision).itemsize)
    in_parts = trace.operations > policy.ONE_FUNCTION or are_gathered(trace.outputs)
    write = long_function if in_parts else straight_function
    functions = [
        write(trace.graph, trace.inputs, trace.outputs, Vectors(width, precision, target.fused))
        for width in dict.fromkeys({"one": (1,), "many": (widest,), "both": (widest, 1)}[lanes])
    ]
    return module_text(functions, target.x86, [trace.operations])


@made_once
def available() -> bool:
    """Can kernels be made here? Checked once, with a gufunc that doubles numbers."""
    if find_spec("llvmlite") is None:
        return False
    try:
        problem = "" if _doubles() else "a test kernel gave a wrong result"
    except ArgumentError:  # SOADYN_CPU names no processor: the caller's to correct
        raise
    except Exception as error:  # whatever it is, the reference still works
        problem = str(error)
    if problem:
        warn_caller(f"soadyn runs without native code: {problem}", RuntimeWarning)
    return not problem


def _doubles() -> bool:
    numbers = np.arange(11.0)[:, None]
    return bool((doubling_kernel().call(numbers) == 2 * numbers).all())


@made_once
def doubling_kernel() -> Kernel:
    """A kernel that doubles a number, to test whether kernels work here."""
    graph = Graph()
    x = graph.input("x")
    inputs, outputs = {Port("x", (1,)): [x]}, {Port("y", (1,)): [2.0 * x]}
    target = processor()
    function = straight_function(graph, inputs, outputs, Vectors(target.lanes(8), fused=target.fused))
    code = Loaded(compiled(module_text([function], target.x86), target, optimise=False), "loop", target)
    return Kernel("self_test", (tuple(inputs), tuple(outputs)), code, Table([0], {}), "float64", 1)
