"""Orocos KDL's solvers called in a loop in C++, from the Debian package."""

from __future__ import annotations

import ctypes
import tempfile
from pathlib import Path

import shared_library

SOURCE = Path(__file__).with_suffix(".cpp")
# For any x86-64, as the package is: Eigen frees here what it allocated there.
FLAGS = ("-O3", "-DNDEBUG")
INCLUDED = "/usr/include/eigen3"


def missing() -> str:
    """Why there is no such loop; empty if there is."""
    if not Path("/usr/include/kdl/chain.hpp").is_file():
        return "KDL is not installed (Debian package liborocos-kdl-dev)"
    return shared_library.missing("g++")


def note() -> str:
    """What the loop is made of."""
    config = Path("/usr/include/kdl/config.h").read_text()
    number = next((line.split('"')[1] for line in config.splitlines() if "KDL_VERSION_STRING" in line), "")
    return f"Debian's KDL {number}; {shared_library.version('g++')} {' '.join(FLAGS)}"


def library() -> ctypes.CDLL:
    """The functions of kdl_loop.cpp, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, SOURCE.name)
        source.write_text(SOURCE.read_text())
        flags = (*FLAGS, f"-I{INCLUDED}")
        return shared_library.loaded(shared_library.compiled("g++", source, flags, ("-lorocos-kdl",)))
