"""Kernels: a program compiled for one robot, called like a function of arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, final

import numpy as np

from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.native.gufunc import Gufunc
from soadyn.engine.native.llvm.machine_code import Loaded, made
from soadyn.engine.native.llvm.module import module_text
from soadyn.engine.native.llvm.processor import processor
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.rolled.robot_table import KernelTable
from soadyn.engine.native.straight.function import straight_function
from soadyn.engine.precision import Precision
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port, Ports, signature
from soadyn.errors import ArgumentError, warn_caller
from soadyn.fork_safe import made_once


@final
class Kernel:
    """A gufunc for one robot and program. `counter` grows with every pass that has a lane without an answer.

    `work` is roughly how many operations a state takes, `form` says in words what kind of code it is. Whoever uses
    `call`, the gufunc, gives it arrays in which the numbers of a state lie side by side: the code looks at no steps.
    """

    __slots__ = (
        "_owners",
        "_steps",
        "address",
        "call",
        "counter",
        "form",
        "gufunc",
        "inputs",
        "name",
        "outputs",
        "shapes",
        "work",
    )

    def __init__(
        self, name: str, ports: Ports, code: Loaded, table: KernelTable, precision: Precision, work: int, form: str = ""
    ) -> None:
        inputs, outputs = ports
        data = table.data
        ends = (code.address, ctypes.addressof(data))
        shapes = signature(inputs, outputs)
        self.gufunc = Gufunc(name, shapes, len(inputs) + len(outputs), len(outputs), np.dtype(precision), *ends)
        self._owners = (code, table)
        self.name = name
        self.inputs, self.outputs = inputs, outputs
        self.shapes = tuple(port.shape for port in outputs)
        self._steps = [np.empty(port.shape, precision).strides for port in inputs]  # of rows side by side
        self.call = self.gufunc.call if processor().x86 else _looked_at(self)
        self.address = code.address
        self.work = work
        self.form = f"{form}, from the cache" if code.from_cache else form
        self.counter = ctypes.c_int64.from_buffer(data)

    def __call__(self, *arrays: np.ndarray, **options: Any) -> tuple[Any, int]:
        """The gufunc's results, and how much the counter grew; passes of other threads may be among them."""
        before = self.counter.value
        packed = [
            x if x.strides[x.ndim - len(steps) :] == steps else np.ascontiguousarray(x)
            for x, steps in zip(arrays, self._steps, strict=True)
        ]
        results = self.call(*packed, **options)
        return results, self.counter.value - before


def _looked_at(kernel: Kernel) -> Callable[..., Any]:
    """A kernel's gufunc where no flags of the processor tell that a result is not finite: that counts as a bad pass."""
    call = kernel.gufunc.call

    def looked_at(*arrays: np.ndarray, **options: Any) -> Any:
        with np.errstate(all="ignore"):
            results = call(*arrays, **options)
        if not all(np.isfinite(x).all() for x in (results if type(results) is tuple else (results,))):
            kernel.counter.value += 1
        return results

    return looked_at


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
    target, x, y = processor(), Port("x", (1,)), Port("y", (1,))

    def text() -> str:
        graph = Graph()
        number = graph.input("x")
        vectors = Vectors(target.lanes(8), fused=target.fused)
        return module_text(straight_function(graph, {x: [number]}, {y: [2.0 * number]}, vectors), target.x86)

    code = made(fingerprint("self test"), text, target)
    ports = (x,), (y,)
    return Kernel("self_test", ports, code, KernelTable(), "float64", 1)
