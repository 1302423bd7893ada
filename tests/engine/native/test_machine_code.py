"""What compiling leaves behind in the process."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from soadyn.engine.native.llvm.machine_code import object_code
from soadyn.engine.native.llvm.processor import processor

MEMORY = Path("/proc/self/statm")
TEXTS, CONSTANTS = 40, 400


def text_of(constants: np.ndarray) -> str:
    """A function that adds numbers, each in eight lanes, to its argument."""
    lines = ["define <8 x double> @f(<8 x double> %x0) {"]
    for i, x in enumerate(constants):
        lines.append(f"  %x{i + 1} = fadd <8 x double> %x{i}, splat (double 0x{x.view(np.uint64):016X})")
    return "\n".join([*lines, f"  ret <8 x double> %x{len(constants)}", "}"])


def resident() -> int:
    return mmap.PAGESIZE * int(MEMORY.read_text().split()[1])


@pytest.mark.skipif(not MEMORY.exists(), reason="the system does not tell a process' memory")
def test_the_constants_of_compiled_code_are_given_back(llvm: None, rng: np.random.Generator) -> None:
    """Straight-line code holds hundreds of numbers of one robot; rolled code is shared and holds none."""
    for constants in rng.standard_normal((10, CONSTANTS)):  # what compiling needs once
        object_code(text_of(constants), processor(), optimise=False)
    before = resident()
    for constants in rng.standard_normal((TEXTS, CONSTANTS)):
        object_code(text_of(constants), processor(), optimise=False)
    assert resident() - before < 40 * TEXTS * CONSTANTS  # bytes; a constant in eight lanes takes 64 and more
