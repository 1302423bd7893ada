"""A NumPy gufunc made of machine code, without a compiled extension.

`PyUFunc_FromFuncAndDataAndSignature` is entry 31 of the table in the capsule `_UFUNC_API` of
`numpy._core._multiarray_umath`, part of NumPy's stable C interface. NumPy keeps pointers to all it is given; `Gufunc`
keeps those alive.
"""

from __future__ import annotations

import ctypes
from typing import Any, final

import numpy as np

from soadyn.fork_safe import made_once

ENTRY = 31
NO_IDENTITY = -1  # PyUFunc_None
TYPE_CODES = {np.dtype(np.float64): 12, np.dtype(np.float32): 11}  # NPY_DOUBLE, NPY_FLOAT


def table_of_functions(capsule: str) -> Any:
    """The addresses that a capsule of NumPy's C interface holds."""
    from importlib import import_module

    api = getattr(import_module("numpy._core._multiarray_umath"), capsule)
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get_pointer(api, None), ctypes.POINTER(ctypes.c_void_p))


@made_once
def _constructor() -> Any:
    prototype = ctypes.PYFUNCTYPE(
        ctypes.py_object,
        ctypes.c_void_p,  # functions
        ctypes.c_void_p,  # data
        ctypes.c_char_p,  # types
        ctypes.c_int,  # how many functions
        ctypes.c_int,  # inputs
        ctypes.c_int,  # outputs
        ctypes.c_int,  # identity
        ctypes.c_char_p,  # name
        ctypes.c_char_p,  # doc
        ctypes.c_int,  # unused
        ctypes.c_char_p,  # signature
    )
    return prototype(table_of_functions("_UFUNC_API")[ENTRY])


@final
class Gufunc:
    """A gufunc of one inner loop, at an address with its data at another, and everything it points to."""

    __slots__ = ("_kept", "call")

    def __init__(
        self, name: str, signature: str, ports: int, outputs: int, dtype: np.dtype[Any], loop: int, data: int
    ) -> None:
        functions, datas = (ctypes.c_void_p * 1)(loop), (ctypes.c_void_p * 1)(data)
        texts = [bytes([TYPE_CODES[dtype]] * ports), name.encode(), b"", signature.encode()]
        types, named, doc, shapes = kept = [ctypes.c_char_p(text) for text in texts]
        self._kept = (functions, datas, kept)
        places = [ctypes.cast(array, ctypes.c_void_p) for array in (functions, datas)]
        self.call: np.ufunc = _constructor()(
            *places, types, 1, ports - outputs, outputs, NO_IDENTITY, named, doc, 0, shapes
        )
