"""Which form of code serves which quantity, robot and size of batch, found without compiling: tests/golden/forms.txt.

Run as a script it writes the file anew: `make forms`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import soadyn as sd
from native_cases import corpus_robot
from soadyn.engine.native import passes
from soadyn.engine.native.kernels import Kernels
from soadyn.engine.native.llvm.processor import Processor
from soadyn.quantities import QUANTITIES

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "forms.txt"
ROBOTS: dict[str, Callable[[], sd.Robot]] = {
    "planar_two_link": lambda: sd.load("planar_two_link"),
    "ur5": lambda: sd.load("ur5"),
    "panda": lambda: corpus_robot("panda/panda"),
    "talos": lambda: corpus_robot("talos_data/talos_reduced", root="free"),
    "chain of 100": lambda: sd.chain(100),
}
CHOSEN = (
    "mass_matrix",
    "inverse_dynamics",
    "forward_dynamics",
    "jacobian",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
TARGET = Processor("x86-64-v3", "", vector_bytes=32, fused=True)


def written(content: str | None, text: Callable[[], str], target: Processor, optimise: bool = False) -> Any:
    """In place of machine code: the numbers that would stand beside it."""
    found = re.search(r"@kept = constant (.*)", text())
    assert found is not None
    _, *kept = map(int, re.findall(r"i64 (\d+)", found[1]))
    return SimpleNamespace(address=0, kept=tuple(kept), from_cache=False)


def forms(name: str) -> Iterator[str]:
    """The lines of a robot."""
    passes._looped.cache_clear()
    constants = ROBOTS[name]().engine.constants
    with patch.object(passes, "made", written), patch.object(passes, "processor", lambda: TARGET):
        for quantity in CHOSEN:
            for size, form in Kernels(constants, "auto").forms(QUANTITIES[quantity].program).items():
                yield f"{quantity:<30}{name:<17}{size:<6}{form}"
    passes._looped.cache_clear()


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(line for name in ROBOTS for line in forms(name)) + "\n")
