"""Pinocchio's algorithms called in a loop in C++, compiled here for this processor from the headers of its wheel."""

from __future__ import annotations

import ctypes
import hashlib
import re
import sysconfig
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import casadi_peer
import numpy as np
import shared_library
from peer_robots import PinocchioRobot, States, pinocchio
from shared_library import NATIVE

SOURCE = Path(__file__).with_suffix(".cpp")
BUILT = SOURCE.parents[1] / "build" / "benchmarks"  # it takes minutes to compile
# What Pinocchio's CMake files demand of whoever includes its headers.
DEFINED = (
    "BOOST_MPL_LIMIT_LIST_SIZE=30",
    "BOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "BOOST_FUSION_INVOKE_MAX_ARITY=12",
)
FLAGS = (*NATIVE, "-DNDEBUG")
# The wheel's own Pinocchio is in the same process: neither may take the other's functions or variables for its own.
APART = ("-fvisibility=hidden", "-fvisibility-inlines-hidden", "-fno-gnu-unique", "-Wl,-Bsymbolic")


def headers() -> tuple[list[Path], str]:
    """The folders of Pinocchio's, Boost's and Eigen's headers, or why they are not complete."""
    own = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix" / "include"
    if pinocchio is None or not (own / "pinocchio" / "multibody.hpp").is_file():
        return [], "there are no headers of Pinocchio 4 (pip package pin)"
    if not (own / "boost" / "variant.hpp").is_file():
        return [], "there are no headers of Boost (pip package cmeel-boost)"
    beside = casadi_peer.python().parents[1].glob("lib/python*/site-packages/cmeel.prefix/include")
    for folder in (own, *beside, Path("/usr/include")):
        if (folder / "eigen3" / "Eigen" / "Core").is_file():
            return [own, folder / "eigen3"], ""
    return [], "there are no headers of Eigen (pip package cmeel-eigen, which `make casadi` brings)"


def eigen_version(folder: Path) -> str:
    """Eigen's version, as its headers state it."""
    text = (folder / "Eigen" / "src" / "Core" / "util" / "Macros.h").read_text()
    return ".".join(re.findall(r"#define EIGEN_(?:WORLD|MAJOR|MINOR)_VERSION (\d+)", text))


def library_file() -> Path:
    """Where the compiled library is, or will be: the name changes with all that it is made of."""
    folders, _ = headers()
    versions = (pinocchio.__version__, eigen_version(folders[1]), shared_library.version("g++"), *FLAGS, *APART)
    # -march=native means another processor elsewhere.
    native = shared_library.output(["g++", "-march=native", "-Q", "--help=target"])
    whole = "\n".join([SOURCE.read_text(), *versions, native])
    return BUILT / f"pinocchio_loop_{hashlib.sha256(whole.encode()).hexdigest()[:16]}.so"


def missing(compile_it: bool = True) -> str:
    """Why there is no such loop; empty if there is, or if it only has to be compiled."""
    reason = shared_library.missing("g++") or headers()[1]
    if reason or compile_it or library_file().is_file():
        return reason
    return "it is not compiled yet, which takes minutes; a run that is not quick does it"


def note() -> str:
    """What the loop is made of."""
    versions = f"Pinocchio {pinocchio.__version__}, Eigen {eigen_version(headers()[0][1])}"
    return f"headers of {versions}; {shared_library.version('g++')} {' '.join(FLAGS)}"


def library() -> ctypes.CDLL:
    """The functions of pinocchio_loop.cpp, compiled if they have not been yet."""
    file = library_file()
    if not file.is_file():
        BUILT.mkdir(parents=True, exist_ok=True)
        source = file.with_suffix(".cpp")
        source.write_text(SOURCE.read_text())
        folders = [f"-I{folder}" for folder in headers()[0]]
        defined = [f"-D{name}" for name in DEFINED]
        shared_library.compiled("g++", source, (*FLAGS, *APART, "-std=c++17", "-w", *defined, *folders))
    found = shared_library.loaded(file)
    found.model_new.restype = ctypes.c_void_p
    found.model_add.restype = ctypes.c_long
    return found


class PinocchioLoop:
    """A model built in C++ from the numbers of a Pinocchio model, and its algorithms over batches."""

    def __init__(self, pin: PinocchioRobot) -> None:
        self._pin, self._library = pin, library()
        self._model = ctypes.c_void_p(self._library.model_new(_numbers(pin.model.gravity.linear)))
        weakref.finalize(self, self._library.model_delete, self._model)
        data = pin.model.createData()
        for k in range(1, pin.model.njoints):
            self._add(pin.model, k, np.asarray(data.joints[k].S))
        self._library.model_armature(self._model, _numbers(pin.model.armature))

    def _add(self, model: Any, k: int, S: np.ndarray) -> None:
        placement, body, kind = model.jointPlacements[k], model.inertias[k], model.joints[k].shortname()
        # The columns of S are [linear; angular]; only joints with one column have an axis.
        axis = S.reshape(2, 3).sum(axis=0) if S.size == 6 else np.zeros(3)
        number = self._library.model_add(
            self._model, ctypes.c_long(model.parents[k]), kind.encode(), _numbers(axis), _numbers(placement.rotation),
            _numbers(placement.translation), ctypes.c_double(body.mass), _numbers(body.lever), _numbers(body.inertia),
        )  # fmt: skip
        if number != k:
            raise ValueError(f"pinocchio_loop.cpp knows no {kind}")

    def call(self, states: States, quantity: str) -> tuple[Callable[[], None], np.ndarray]:
        """The loop over a batch, and the array that it fills, a row for each state."""
        short, names = casadi_peer.ALGORITHMS[quantity]
        given, nv = self._pin.columns(states), self._pin.model.nv
        columns = [given[name] for name in names]
        rows = np.empty((len(states.q), *((nv, nv) if quantity == "mass_matrix" else (nv,))))
        pointers = (ctypes.c_void_p * len(columns))(*(x.ctypes.data for x in columns))
        function = getattr(self._library, f"{short}_each")
        function.restype = None
        arguments = (self._model, pointers, ctypes.c_void_p(rows.ctypes.data), ctypes.c_long(len(states.q)))

        def loop(kept: Sequence[np.ndarray] = (*columns, rows)) -> None:  # C knows only their addresses
            function(*arguments)

        return loop, rows


def _numbers(x: Any) -> Any:
    """A vector, or a matrix row by row, as C wants it."""
    flat = np.asarray(x, dtype=float).ravel()
    return (ctypes.c_double * flat.size)(*flat)
