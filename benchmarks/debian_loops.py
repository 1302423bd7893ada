"""Libraries of Debian called in a loop in C++: Orocos KDL's solvers and Simbody's operators."""

from __future__ import annotations

import ctypes
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import shared_library

# For any x86-64, as the packages are: Eigen frees here what KDL allocated with it.
FLAGS = ("-O3",)


@dataclass(frozen=True)
class DebianLoop:
    """A library, its package, and the source of the loop."""

    name: str
    package: str
    source: str
    included: str
    header: str
    libraries: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]  # what computes each quantity
    flags: tuple[str, ...] = FLAGS
    remark: str = ""

    def missing(self) -> str:
        """Why there is no such loop; empty if there is."""
        if not Path(self.header).is_file():
            return f"{self.name} is not installed (Debian package {self.package})"
        return shared_library.missing("g++")

    def who(self, quantity: str) -> str:
        """The loop's name in a table."""
        return f"{self.name} C++ loop of {dict(self.calls)[quantity]}"

    def note(self) -> str:
        """What the loop is made of."""
        version = self.library().version
        version.restype = ctypes.c_char_p
        built = f"{shared_library.version('g++')} {' '.join(self.flags)}"
        return "; ".join(filter(None, [f"Debian's {self.name} {version().decode()}", self.remark, built]))

    def library(self) -> ctypes.CDLL:
        """The functions of the source."""
        return _compiled(self)


@cache
def _compiled(loop: DebianLoop) -> ctypes.CDLL:
    """A loop's library; one for all robots."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, loop.source)
        source.write_text(Path(__file__).with_name(loop.source).read_text())
        flags = (*loop.flags, "-w", f"-I{loop.included}")
        libraries = tuple(f"-l{library}" for library in loop.libraries)
        return shared_library.loaded(shared_library.compiled("g++", source, flags, libraries))


KDL = DebianLoop(
    "KDL",
    "liborocos-kdl-dev",
    "kdl_loop.cpp",
    included="/usr/include/eigen3",
    header="/usr/include/kdl/chain.hpp",
    libraries=("orocos-kdl",),
    calls=(
        ("forward_dynamics", "ChainFdSolver_RNE"),
        ("inverse_dynamics", "ChainIdSolver_RNE"),
        ("mass_matrix", "ChainDynParam"),
    ),
    flags=(*FLAGS, "-DNDEBUG"),
)
SIMBODY = DebianLoop(
    "Simbody",
    "libsimbody-dev",
    "simbody_loop.cpp",
    included="/usr/include/simbody",
    header="/usr/include/simbody/Simbody.h",
    libraries=("SimTKsimbody", "SimTKmath", "SimTKcommon"),
    calls=(
        ("forward_dynamics", "calcAccelerationIgnoringConstraints"),
        ("inverse_dynamics", "calcResidualForceIgnoringConstraints"),
        ("mass_matrix", "calcM"),
    ),
    # Its classes have further members without -DNDEBUG, and the package was compiled without it.
    remark="built with its checks",
)
LOOPS = (KDL, SIMBODY)
