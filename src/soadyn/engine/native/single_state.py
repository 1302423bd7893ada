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

from soadyn.engine.native.gufunc import TYPE_CODES, table_of_functions
from soadyn.engine.native.kernel import Kernel, doubling_kernel
from soadyn.engine.native.llvm.machine_code import Loaded, compiled
from soadyn.engine.native.llvm.module import CLEARED, RECORDED
from soadyn.engine.native.llvm.processor import processor
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
# Operations that may hold the interpreter's lock: some ten microseconds.
MOST_WORK = 60_000

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


def _code() -> str:
    """The function as LLVM text: `PyObject *single_state(PyObject *self, PyObject *const *given, Py_ssize_t count)`."""
    at = {name: f"getelementptr i8, ptr %{{0}}, i64 {offset}" for name, offset in PLACES.items()}
    fields = "\n".join(
        f"  %{name}.at = getelementptr i64, ptr %table, i64 {i}\n"
        f"  %{name} = load {'i64' if name in INTEGERS else 'ptr'}, ptr %{name}.at"
        for i, name in enumerate(FIELDS)
    )
    return f"""
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define ptr @single_state(ptr %self, ptr %given, i64 %count) nounwind {{
entry:
  %mxcsr = alloca i32
  %args = alloca [{MOST_ARGUMENTS} x ptr]
  %table.at = {at["data"].format("self")}
  %table = load ptr, ptr %table.at
{fields}
  %as_many = icmp eq i64 %count, %states
  br i1 %as_many, label %held, label %other
held:
  %j = phi i64 [0, %entry], [%j.next, %held]
  %from.at = getelementptr ptr, ptr %arguments, i64 %j
  %from = load ptr, ptr %from.at
  %to.at = getelementptr ptr, ptr %args, i64 %j
  store ptr %from, ptr %to.at
  %j.next = add i64 %j, 1
  %any = icmp slt i64 %j.next, %inputs
  br i1 %any, label %held, label %argument
argument:
  %i = phi i64 [0, %held], [%i.next, %plain]
  %x.at = getelementptr ptr, ptr %given, i64 %i
  %x = load ptr, ptr %x.at
  %type.at = {at["type"].format("x")}
  %type = load ptr, ptr %type.at
  %is_array = icmp eq ptr %type, %array
  br i1 %is_array, label %an_array, label %other
an_array:
  %dtype.at = {at["dtype"].format("x")}
  %dtype = load ptr, ptr %dtype.at
  %is_double = icmp eq ptr %dtype, %double
  %nd.at = {at["nd"].format("x")}
  %nd = load i32, ptr %nd.at
  %is_row = icmp eq i32 %nd, 1
  %flags.at = {at["flags"].format("x")}
  %flags = load i32, ptr %flags.at
  %wanted = and i32 %flags, {PLAIN}
  %is_plain = icmp eq i32 %wanted, {PLAIN}
  %row_of_doubles = and i1 %is_double, %is_row
  %fits = and i1 %row_of_doubles, %is_plain
  br i1 %fits, label %a_row, label %other
a_row:
  %sizes.at = {at["shape"].format("x")}
  %sizes = load ptr, ptr %sizes.at
  %size = load i64, ptr %sizes
  %length.at = getelementptr i64, ptr %lengths, i64 %i
  %length = load i64, ptr %length.at
  %is_long = icmp eq i64 %size, %length
  br i1 %is_long, label %plain, label %other
plain:
  %numbers.at = {at["data"].format("x")}
  %numbers = load ptr, ptr %numbers.at
  %place.at = getelementptr i64, ptr %places, i64 %i
  %place = load i64, ptr %place.at
  %arg.at = getelementptr ptr, ptr %args, i64 %place
  store ptr %numbers, ptr %arg.at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %states
  br i1 %more, label %argument, label %compute
compute:
  %several = icmp sgt i64 %outputs, 1
  br i1 %several, label %a_tuple, label %results
a_tuple:
  %together = call ptr %tuple(i64 %outputs)
  %no_tuple = icmp eq ptr %together, null
  br i1 %no_tuple, label %no_memory, label %results
results:
  %all = phi ptr [null, %compute], [%together, %a_tuple]
  br label %next_result
next_result:
  %m = phi i64 [0, %results], [%m.next, %entered]
  %rank.at = getelementptr i64, ptr %ranks, i64 %m
  %rank = load i64, ptr %rank.at
  %rank32 = trunc i64 %rank to i32
  %shape.at = getelementptr ptr, ptr %shapes, i64 %m
  %shape = load ptr, ptr %shape.at
  %result = call ptr %new(ptr %array, i32 %rank32, ptr %shape, i32 {TYPE_CODES[DOUBLE]}, ptr null, ptr null, i32 0, \
i32 0, ptr null)
  %refused = icmp eq ptr %result, null
  br i1 %refused, label %give_up, label %has_room
give_up:
  call void %decref(ptr %all)
  br label %no_memory
no_memory:
  ret ptr null
has_room:
  %room.at = {at["data"].format("result")}
  %room = load ptr, ptr %room.at
  %turn = add i64 %inputs, %m
  %spot.at = getelementptr ptr, ptr %args, i64 %turn
  store ptr %room, ptr %spot.at
  br i1 %several, label %enter, label %entered
enter:
  %is_set = call i32 %set(ptr %all, i64 %m, ptr %result)
  br label %entered
entered:
  %m.next = add i64 %m, 1
  %any_result = icmp slt i64 %m.next, %outputs
  br i1 %any_result, label %next_result, label %ready
ready:
  call void @llvm.x86.sse.stmxcsr(ptr %mxcsr)
  %status = load i32, ptr %mxcsr
  %stale = and i32 %status, {RECORDED}
  %is_stale = icmp ne i32 %stale, 0
  br i1 %is_stale, label %clear, label %go
clear:
  %cleared = and i32 %status, {CLEARED}
  store i32 %cleared, ptr %mxcsr
  call void @llvm.x86.sse.ldmxcsr(ptr %mxcsr)
  br label %go
go:
  %before = load i64, ptr %data
  call void %loop(ptr %args, ptr %counts, ptr %steps, ptr %data)
  %after = load i64, ptr %data
  %answered = icmp eq i64 %before, %after
  br i1 %answered, label %done, label %bad
done:
  br i1 %several, label %done_all, label %done_one
done_all:
  ret ptr %all
done_one:
  %given_back = call ptr %returned(ptr %result)
  ret ptr %given_back
bad:
  %unused = select i1 %several, ptr %all, ptr %result
  call void %decref(ptr %unused)
  br label %other
other:
  %elsewhere = call ptr %vectorcall(ptr %otherwise, ptr %given, i64 %count, ptr null)
  ret ptr %elsewhere
}}
"""


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
    code = Loaded(compiled(_code(), target, optimise=True), "single_state", target)
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


def single_state_call(
    kernel: Kernel | Repeated,
    places: Sequence[int],
    held: Mapping[int, np.ndarray],
    otherwise: Callable[..., Any],
    most: int = MOST_WORK,
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
        "steps": [0] * len(ports) + [step for port in ports for step in np.empty(port.shape).strides],
        "ranks": [len(port.shape) for port in outputs],
        "shapes": [shape.ctypes.data for shape in shapes],
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
    made: Callable[..., Any] = _new_function()(ctypes.addressof(_definition()[0]), table, None)
    return made


@made_once
def _new_function() -> Any:
    """PyCFunction_NewEx."""
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return new(("PyCFunction_NewEx", ctypes.pythonapi))


@made_once
def supported() -> bool:
    """Can such functions be made here? Checked once: where things lie in memory, then one that doubles numbers."""
    if sys.implementation.name != "cpython" or not processor().x86 or not _layout_as_expected():
        return False
    try:
        doubles = _made(doubling_kernel(), [0], {}, otherwise=lambda *_: None)
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
