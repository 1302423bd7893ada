"""Single states without NumPy's gufunc call: a kernel called by machine code that is itself a Python function.

NumPy takes about 0.6 microseconds to find out that a gufunc is called with a single state, as long as a small robot's
arithmetic. A `single_state_call` checks only what matters: if every argument is a contiguous ndarray of the right
number of doubles, it makes a result array, runs the kernel and returns the array. Anything else, a state without an
answer included, goes to a Python function that is given the same arguments.

It reads the fields of an ndarray as every compiled extension does (`PyArrayObject_fields` in NumPy's headers, part of
its binary interface), takes functions from the table in the capsule `_ARRAY_API`, and holds the interpreter's lock.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine import policy
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.native.gufunc import TYPE_CODES, table_of_functions
from soadyn.engine.native.kernel import Kernel, doubling_kernel
from soadyn.engine.native.llvm.machine_code import Loaded, made
from soadyn.engine.native.llvm.module import CLEARED, MXCSR, RECORDED
from soadyn.engine.native.llvm.processor import processor
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer, declarations
from soadyn.engine.tracing.ports import Port
from soadyn.fork_safe import made_once

DOUBLE = np.dtype(np.float64)
HEAD = object.__basicsize__  # bytes of a Python object before its own fields; the last of them is its type
# Bytes from the start of an ndarray: its type, then the fields of PyArrayObject_fields.
PLACES = {"type": HEAD - 8, "data": HEAD, "nd": HEAD + 8, "shape": HEAD + 16, "dtype": HEAD + 40, "flags": HEAD + 48}
PLAIN = 0x0001 | 0x0100  # NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_ALIGNED
NEW, RETURNED = 93, 76  # PyArray_New, PyArray_Return in NumPy's table
FASTCALL = 0x0080  # METH_FASTCALL
MOST_ARGUMENTS = 32

# What the code finds in its table, each an integer or an address of 8 bytes.
FIELDS = (
    "loop",  # the kernel's inner loop
    "data",  # its table, the first number of which counts passes without an answer
    "states",  # how many arguments the caller gives
    "inputs",  # and how many the kernel takes
    "outputs",  # how many results there are
    "lengths",  # of the arguments given
    "places",  # of the arguments given among all
    "arguments",  # all arguments' addresses; those of the caller's are filled in
    "counts",  # of rows and what else the loop repeats
    "steps",
    "ranks",  # of the results
    "shapes",  # the address of each result's shape
    "sizes",  # how many numbers each result has
    "array",  # the type ndarray
    "double",  # the dtype float64
    "new",
    "returned",
    "tuple",
    "set",
    "decref",
    "vectorcall",
    "otherwise",  # the Python function for all else
)
INTEGERS = ("states", "inputs", "outputs")


@final
class _Function:
    """Writes `PyObject *single_state(PyObject *self, PyObject *const *given, Py_ssize_t count)`.

    With `flags` the processor's flags tell of results that are not finite; otherwise they are looked at.
    """

    def __init__(self, flags: bool) -> None:
        self.flags = flags
        self.w = w = Writer(Vectors(1))
        rooms = {
            "args": f"[{MOST_ARGUMENTS} x ptr]",
            "result": "ptr",
            "all": "ptr",
            "mxcsr": "i32",
            "finite": "<1 x i1>",
        }
        w.lines += ["entry:", *(f"  %{name} = alloca {kind}" for name, kind in rooms.items())]
        table = self._field("%self", "data")
        self.of = {name: w.load(table, i, "i64" if name in INTEGERS else "ptr") for i, name in enumerate(FIELDS)}
        self.several = w.set(f"icmp sgt i64 {self.of['outputs']}, 1")

    def text(self) -> str:
        """The function's module."""
        w, of = self.w, self.of
        w.need(w.set(f"icmp eq i64 %count, {of['states']}"), otherwise="other")
        w.loop("0", of["inputs"], lambda i: w.store(w.load(of["arguments"], i, "ptr"), "%args", i, "ptr"))
        w.loop("0", of["states"], self._take)
        w.store("null", "%all", kind="ptr")
        w.when(self.several, self._new_tuple)
        w.loop("0", of["outputs"], self._new_result)
        self._compute()
        w.need(self.several, otherwise="alone")
        w.line(f"ret ptr {w.load('%all', kind='ptr')}")
        self._exits()
        declared = dict.fromkeys([*declarations(w.vectors), *(MXCSR if self.flags else ())])
        head = "define ptr @single_state(ptr %self, ptr %given, i64 %count) nounwind {"
        return "\n".join([*declared, head, *w.lines, "}"])

    def _field(self, x: str, name: str, kind: str = "ptr") -> str:
        """A field of an ndarray."""
        return self.w.load(self.w.at(x, PLACES[name], "i8"), kind=kind)

    def _take(self, i: str) -> None:
        """The address of an argument, an array of so many doubles side by side."""
        w, of = self.w, self.of
        x = w.load("%given", i, "ptr")
        w.need(w.set(f"icmp eq ptr {self._field(x, 'type')}, {of['array']}"), otherwise="other")
        plain = w.set(f"and i32 {self._field(x, 'flags', 'i32')}, {PLAIN}")
        w.need(w.set(f"icmp eq ptr {self._field(x, 'dtype')}, {of['double']}"), otherwise="other")
        w.need(w.set(f"icmp eq i32 {self._field(x, 'nd', 'i32')}, 1"), otherwise="other")
        w.need(w.set(f"icmp eq i32 {plain}, {PLAIN}"), otherwise="other")
        length = w.load(self._field(x, "shape"), kind="i64")
        w.need(w.set(f"icmp eq i64 {length}, {w.load(of['lengths'], i, 'i64')}"), otherwise="other")
        w.store(self._field(x, "data"), "%args", w.load(of["places"], i, "i64"), "ptr")

    def _new_tuple(self) -> None:
        found = self.w.set(f"call ptr {self.of['tuple']}(i64 {self.of['outputs']})")
        self.w.need(self.w.set(f"icmp ne ptr {found}, null"), otherwise="no_memory")
        self.w.store(found, "%all", kind="ptr")

    def _new_result(self, i: str) -> None:
        """A new array, whose memory the kernel fills."""
        w, of = self.w, self.of
        rank = w.set(f"trunc i64 {w.load(of['ranks'], i, 'i64')} to i32")
        shape = f"i32 {rank}, ptr {w.load(of['shapes'], i, 'ptr')}"
        rest = f"i32 {TYPE_CODES[DOUBLE]}, ptr null, ptr null, i32 0, i32 0, ptr null"
        result = w.set(f"call ptr {of['new']}(ptr {of['array']}, {shape}, {rest})")
        w.need(w.set(f"icmp ne ptr {result}, null"), otherwise="give_up")
        w.store(result, "%result", kind="ptr")
        w.store(self._field(result, "data"), "%args", w.set(f"add i64 {of['inputs']}, {i}"), "ptr")
        enter = f"call i32 {of['set']}(ptr {w.load('%all', kind='ptr')}, i64 {i}, ptr {result})"
        w.when(self.several, lambda: w.line(f"{w.name()} = {enter}"))

    def _compute(self) -> None:
        """The kernel's loop."""
        w, of = self.w, self.of
        if self.flags:
            w.line("call void @llvm.x86.sse.stmxcsr(ptr %mxcsr)")
            status = w.load("%mxcsr", kind="i32")
            stale = w.set(f"icmp ne i32 {w.set(f'and i32 {status}, {RECORDED}')}, 0")
            w.store(w.set(f"and i32 {status}, {CLEARED}"), "%mxcsr", kind="i32")
            w.when(stale, lambda: w.line("call void @llvm.x86.sse.ldmxcsr(ptr %mxcsr)"))
        before = w.load(of["data"], kind="i64")
        w.line(f"call void {of['loop']}(ptr %args, ptr {of['counts']}, ptr {of['steps']}, ptr {of['data']})")
        w.need(w.set(f"icmp eq i64 {before}, {w.load(of['data'], kind='i64')}"), otherwise="bad")
        if not self.flags:
            w.loop("0", of["outputs"], self._look_at)

    def _look_at(self, i: str) -> None:
        """Are a result's numbers finite?"""
        w, of = self.w, self.of
        numbers = w.load("%args", w.set(f"add i64 {of['inputs']}, {i}"), "ptr")
        w.store("<i1 true>", "%finite", kind="<1 x i1>")

        def look(j: str) -> None:
            so_far = w.load("%finite", kind="<1 x i1>")
            w.store(w.set(f"and <1 x i1> {so_far}, {w.finite(w.load(numbers, j))}"), "%finite", kind="<1 x i1>")

        w.loop_if_any("0", w.load(of["sizes"], i, "i64"), look)
        w.need(w.every(w.load("%finite", kind="<1 x i1>")), otherwise="bad")

    def _exits(self) -> None:
        """Where the function ends otherwise: a result alone, no memory, no answer, arguments that do not fit."""
        w, of = self.w, self.of
        w.label("alone")
        result = w.load("%result", kind="ptr")
        back = w.set(f"call ptr {of['returned']}(ptr {result})")
        w.line(f"ret ptr {back}")
        w.label("give_up")
        w.line(f"call void {of['decref']}(ptr {w.load('%all', kind='ptr')})")
        w.go("no_memory")
        w.label("no_memory")
        w.line("ret ptr null")
        w.label("bad")
        found = [w.load(room, kind="ptr") for room in ("%all", "%result")]
        w.line(f"call void {of['decref']}(ptr {w.set(f'select i1 {self.several}, ptr {found[0]}, ptr {found[1]}')})")
        w.go("other")
        w.label("other")
        elsewhere = w.set(f"call ptr {of['vectorcall']}(ptr {of['otherwise']}, ptr %given, i64 %count, ptr null)")
        w.line(f"ret ptr {elsewhere}")


@final
@dataclass(frozen=True, slots=True)
class Repeated:
    """A loop over steps, called as a kernel: `counts` follow the number of rows, `owner` keeps the code alive."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    counts: tuple[int, ...]
    address: int
    counter: ctypes.c_int64
    work: int
    owner: object


@final
class _Table(np.ndarray[Any, Any]):
    """The table as an array, which is what Python hands to the code; `kept` are the owners of all it points to."""

    kept: tuple[Any, ...]


@final
class _Definition(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@made_once
def _definition() -> tuple[_Definition, Loaded]:
    target = processor()
    content = fingerprint("single state")
    code = made(content, _Function(flags=target.x86).text, target, optimise=True, function="single_state")
    # Functions point to the definition, and Python looks at it even when they go: it stays as long as the process.
    return _Definition(b"single_state_call", code.address, FASTCALL, b"A kernel for a single state."), code


@made_once
def _functions() -> dict[str, int]:
    """Addresses of what the code calls or compares with."""
    table = table_of_functions("_ARRAY_API")
    api = ctypes.pythonapi
    python = {
        "decref": api.Py_DecRef,  # of nothing does nothing
        "vectorcall": api.PyObject_Vectorcall,
        "tuple": api.PyTuple_New,
        "set": api.PyTuple_SetItem,
    }
    addresses = {name: ctypes.cast(function, ctypes.c_void_p).value or 0 for name, function in python.items()}
    return {**addresses, "new": table[NEW], "returned": table[RETURNED], "array": id(np.ndarray), "double": id(DOUBLE)}


def nothing_prepared(*state: Any) -> None:
    """The call before any kernel is kept, and what machine code answers with that has no other way."""


def single_state_call(
    kernel: Kernel | Repeated,
    places: Sequence[int],
    held: Mapping[int, np.ndarray],
    otherwise: Callable[..., Any],
    most: int = policy.MOST_HELD,
) -> Callable[..., Any]:
    """A function of a state's arrays in double precision, which stand at these places among the kernel's arguments.

    `held` are the kernel's other arguments by their places. Returns what `otherwise` returns wherever it does not
    compute, and is `otherwise` itself if it never can: `most` operations hold the interpreter's lock.
    """
    arguments = len(kernel.inputs) + len(kernel.outputs)
    if kernel.work > most or arguments > MOST_ARGUMENTS or not supported():
        return otherwise
    return _made(kernel, places, held, otherwise)


def _made(
    kernel: Kernel | Repeated,
    places: Sequence[int],
    held: Mapping[int, np.ndarray],
    otherwise: Callable[..., Any],
) -> Callable[..., Any]:
    inputs, outputs = kernel.inputs, kernel.outputs
    ports = (*inputs, *outputs)
    fixed = {place: np.ascontiguousarray(x) for place, x in held.items()}
    shapes = [np.array([*port.shape, 0], dtype=np.int64) for port in outputs]
    arrays = {
        "lengths": [inputs[place].count for place in places],
        "places": list(places),
        "arguments": [fixed[i].ctypes.data if i in fixed else 0 for i in range(len(inputs))],
        "counts": [1, *(kernel.counts if isinstance(kernel, Repeated) else ())],
        "steps": [0] * len(ports),
        "ranks": [len(port.shape) for port in outputs],
        "shapes": [shape.ctypes.data for shape in shapes],
        "sizes": [port.count for port in outputs],
    }
    integers = {name: np.array(values, dtype=np.int64) for name, values in arrays.items()}
    fields = {
        "loop": kernel.address,
        "data": ctypes.addressof(kernel.counter),
        "states": len(places),
        "inputs": len(inputs),
        "outputs": len(outputs),
        "otherwise": id(otherwise),
        **{name: array.ctypes.data for name, array in integers.items()},
        **_functions(),
    }
    table = np.array([fields[name] for name in FIELDS], dtype=np.int64).view(_Table)
    table.kept = (kernel, fixed, shapes, integers, otherwise)
    found: Callable[..., Any] = _new_function()(ctypes.addressof(_definition()[0]), table, None)
    return found


@made_once
def _new_function() -> Any:
    """PyCFunction_NewEx."""
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return new(("PyCFunction_NewEx", ctypes.pythonapi))


@made_once
def supported() -> bool:
    """Can such functions be made here? Checked once: where things lie in memory, then one that doubles numbers."""
    if sys.implementation.name != "cpython" or not _layout_as_expected():
        return False
    try:
        doubles = _made(doubling_kernel(), [0], {}, otherwise=nothing_prepared)
    except Exception:  # whatever it is, the gufunc still works
        return False
    return bool(doubles(np.array([3.0])) == 6.0 and doubles(np.array([np.nan])) is None and doubles([3.0]) is None)


def _layout_as_expected() -> bool:
    x = np.arange(12.0).reshape(3, 4)

    def field(kind: Any, name: str) -> int:
        return int(kind.from_address(id(x) + PLACES[name]).value or 0)

    addresses = {"type": id(np.ndarray), "data": x.ctypes.data, "dtype": id(DOUBLE)}
    return (
        np.ndarray.__basicsize__ >= PLACES["flags"] + 4
        and all(field(ctypes.c_void_p, name) == address for name, address in addresses.items())
        and field(ctypes.c_int, "nd") == x.ndim
        and field(ctypes.c_int, "flags") & PLAIN == PLAIN
        and field(ctypes.c_int, "flags") == x.flags.num
        and tuple((ctypes.c_int64 * 2).from_address(field(ctypes.c_void_p, "shape"))) == x.shape
    )
