"""Pinocchio's algorithms called in a loop in C++, compiled here for this processor from the headers of its wheel."""

from __future__ import annotations

import ctypes
import re
import sysconfig
from pathlib import Path

import casadi_peer
import shared_library
from peer_robots import pinocchio
from shared_library import NATIVE

SOURCE = Path(__file__).with_suffix(".cpp")
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
    versions = (pinocchio.__version__, eigen_version(folders[1]))
    return shared_library.kept_file("pinocchio_loop", SOURCE.read_text(), "g++", *versions, *FLAGS, *APART)


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
    folders = [f"-I{folder}" for folder in headers()[0]]
    defined = [f"-D{name}" for name in DEFINED]
    flags = (*FLAGS, *APART, "-std=c++17", "-w", *defined, *folders)
    return shared_library.kept(library_file(), SOURCE.read_text(), "g++", flags)
