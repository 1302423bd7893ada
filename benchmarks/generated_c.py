"""A function that CasADi wrote as C, compiled: for one state after another, or for a vector of states at a time."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shared_library
from c_in_parts import in_parts
from shared_library import NATIVE

from soadyn.engine.native.llvm.processor import processor

LANES = Path(__file__).with_name("lanes.hpp")
# glibc's letters for vectors of 16, 32 and 64 bytes, as they stand in the names of libmvec's functions.
LETTERS = {16: "b", 32: "d", 64: "e"}

# Calls the function for every column of its arguments.
ONE_BY_ONE = """
int each(const double *const *args, double *out, long n) {
  casadi_int sz_arg, sz_res, sz_iw, sz_w;
  f_work(&sz_arg, &sz_res, &sz_iw, &sz_w);
  const double *arg[sz_arg + 1]; double *res[sz_res + 1]; casadi_int iw[sz_iw + 1]; double w[sz_w + 1];
  const long count = f_n_in(), out_size = f_sparsity_out(0)[0] * f_sparsity_out(0)[1];
  long sizes[count];
  for (long k = 0; k < count; ++k) sizes[k] = f_sparsity_in(k)[0];
  for (long i = 0; i < n; ++i) {
    for (long k = 0; k < count; ++k) arg[k] = args[k] + i * sizes[k];
    res[0] = out + i * out_size;
    if (f(arg, res, iw, w, 0)) return 1;
  }
  return 0;
}
"""

# The same for LANES columns at a time: they are brought side by side, and the results back. The last vector of states
# reaches back over the one before it where the number of columns asks for that.
IN_LANES = """
extern "C" int each(const NUMBER *const *args, NUMBER *out, long n) {
  casadi_int sz_arg, sz_res, sz_iw, sz_w;
  f_work(&sz_arg, &sz_res, &sz_iw, &sz_w);
  const lanes *arg[sz_arg + 1]; lanes *res[sz_res + 1]; casadi_int iw[sz_iw + 1]; lanes w[sz_w + 1];
  const long count = f_n_in(), out_size = f_sparsity_out(0)[0] * f_sparsity_out(0)[1];
  long sizes[count], total = 0;
  for (long k = 0; k < count; ++k) total += sizes[k] = f_sparsity_in(k)[0];
  lanes given[total], found[out_size];
  lanes *next = given;
  for (long k = 0; k < count; next += sizes[k++]) arg[k] = next;
  res[0] = found;
  if (n < LANES) return 2;
  for (long from = 0; from < n; from += LANES) {
    const long i = from + LANES <= n ? from : n - LANES;
    lanes *to = given;
    for (long k = 0; k < count; ++k) {
      const NUMBER *column = args[k] + i * sizes[k];
      for (long j = 0; j < sizes[k]; ++j, ++to)
        for (int l = 0; l < LANES; ++l) to->x[l] = column[l * sizes[k] + j];
    }
    if (f(arg, res, iw, w, 0)) return 1;
    NUMBER *column = out + i * out_size;
    for (int l = 0; l < LANES; ++l)
      for (long j = 0; j < out_size; ++j) column[l * out_size + j] = found[j].x[l];
  }
  return 0;
}
"""


@dataclass(frozen=True)
class Form:
    """How generated C is compiled and called."""

    who: str
    compiler: str
    flags: tuple[str, ...]
    driver: str
    libraries: tuple[str, ...] = ("-lm",)
    number: str = "float64"

    @property
    def note(self) -> str:
        sines = "; sines by libmvec" if "-lmvec" in self.libraries else ""
        return f"{shared_library.version(self.compiler)} {' '.join(NATIVE)}{sines}"


SCALAR = Form("CasADi's C", "gcc", NATIVE, ONE_BY_ONE)


def lanes_name(lanes: int) -> str:
    return f"CasADi's C in {lanes} lanes"


def in_lanes(number: str) -> Form:
    """Vectors as wide as those of our kernels."""
    target, width = processor(), np.dtype(number).itemsize
    lanes = target.lanes(width)
    name, suffix = ("double", "") if width == 8 else ("float", "f")
    flags = ["-include", str(LANES), f"-DNUMBER={name}", f"-DLANES={lanes}"]
    flags += [f"-D{f.upper()}=_ZGV{LETTERS[target.vector_bytes]}N{lanes}v_{f}{suffix}" for f in ("sin", "cos")]
    return Form(lanes_name(lanes), "g++", (*NATIVE, "-x", "c++", *flags), IN_LANES, ("-lmvec", "-lm"), number)


def lanes_missing() -> str:
    """Why there is no code in lanes; empty if there is."""
    if platform.system() != "Linux" or not processor().x86:
        return "sines of vectors are called by glibc's names for x86-64"
    return shared_library.missing("g++")


def compiled(source: Path, form: Form = SCALAR) -> Callable[..., np.ndarray]:
    """A CasADi function `f` of columns, as machine code that runs over all columns of arrays; its files may then go."""
    whole = source.with_name(f"{source.stem}_{form.number}_{form.compiler}.c")
    whole.write_text(source.read_text() + form.driver)
    file = shared_library.compiled(form.compiler, whole, form.flags, form.libraries)
    return _over_columns(shared_library.loaded(file), form)


def kept(source: Path, form: Form = SCALAR) -> Callable[..., np.ndarray]:
    """The same of a function that may be long: in parts, and compiled only once."""
    text = in_parts(source.read_text()) + form.driver
    made_of = (LANES.read_text(), *form.flags, *form.libraries)
    file = shared_library.kept_file(source.stem, text, form.compiler, *made_of)
    return _over_columns(shared_library.kept(file, text, form.compiler, form.flags, form.libraries), form)


def _over_columns(library: ctypes.CDLL, form: Form) -> Callable[..., np.ndarray]:
    """A library's function over all columns of arrays."""
    for name in ("f_sparsity_in", "f_sparsity_out"):
        getattr(library, name).argtypes = [ctypes.c_longlong]
        getattr(library, name).restype = ctypes.POINTER(ctypes.c_longlong)
    library.each.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    library.f_n_in.restype = ctypes.c_longlong
    sizes = [library.f_sparsity_in(k)[0] for k in range(library.f_n_in())]
    out_size = library.f_sparsity_out(0)[0] * library.f_sparsity_out(0)[1]

    def call(*columns: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        n = columns[0].shape[1]
        if [(x.shape, x.dtype) for x in columns] != [((size, n), form.number) for size in sizes]:
            raise ValueError(f"{[x.shape for x in columns]} instead of {sizes} rows, {n} columns each, {form.number}")
        result = np.empty((out_size, n), form.number, order="F") if out is None else out
        pointers = (ctypes.c_void_p * len(columns))(*(x.ctypes.data for x in columns))
        if library.each(pointers, result.ctypes.data, n):
            raise RuntimeError("the generated function failed")
        return result

    return call
