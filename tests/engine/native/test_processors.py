"""Code for lesser machines: right with SSE2, AVX2 and AVX-512, and without calls into the C library for fma."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path
from typing import Any

import pytest

from soadyn.engine.native.llvm.processor import LEVELS, processor

pytestmark = pytest.mark.usefixtures("llvm")

NEEDED = {"x86-64": "+sse2", "x86-64-v2": "+sse4.2", "x86-64-v3": "+avx2", "x86-64-v4": "+avx512vl"}

# What each level's registers and instructions look like in disassembled code.
FUSED, WIDEST = "vfmadd", {"x86-64": "%xmm", "x86-64-v2": "%xmm", "x86-64-v3": "%ymm", "x86-64-v4": "%zmm"}


# Every other level in each run, the rest in the slow set.
@pytest.fixture(params=[x if i % 2 == 0 else pytest.param(x, marks=pytest.mark.slow) for i, x in enumerate(LEVELS)])
def level(request: pytest.FixtureRequest, llvm: None) -> str:
    """A processor that this one can stand in for."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("not an x86-64 processor")
    if NEEDED[request.param] not in processor().features.split(","):
        pytest.skip(f"this processor has no {NEEDED[request.param][1:]}")
    return str(request.param)


RIGHT = """
import sys
import numpy as np
from native_cases import called, calls, depth, error, random_state, robot_named, row
from soadyn.engine.cache import code_cache
from soadyn.engine.native.llvm.processor import processor

assert processor().name == sys.argv[1]
rng = np.random.default_rng(3)
wanted = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "poses", "hybrid_dynamics")
for name in sys.argv[3:]:
    robot = robot_named(name)
    reference = robot.with_backend("numpy")
    for form in ("rolled", "straight"):
        native = robot.with_backend(form)
        for call in calls(robot, random_state(rng, robot, (11,)), rng):
            if call[0] in wanted:
                if name == "tree on a free base" and call[0] not in ("forward_dynamics", "poses"):
                    continue
                what = name, form, call[0]
                whole = called(native, call)
                assert error(reference, call, whole) <= 8 * (4 + depth(robot)) * 2.0**-52, what
                for i in (0, 10):
                    one = called(native, row(call, i))
                    assert all(a.tobytes() == b[i].tobytes() for a, b in zip(one, whole)), what
objects = [code for code in code_cache._memory.values() if code[1:4] == b"ELF"]
for i, code in enumerate(objects):
    open(f"{sys.argv[2]}/{i}.o", "wb").write(code)
print(len(objects))
"""


def tool(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip(f"{command[0]} is not installed")


@pytest.mark.parametrize(
    "names", [("planar_two_link", "tree on a free base"), pytest.param(("ur5",), marks=pytest.mark.slow)], ids="+".join
)
@pytest.mark.heavy(2)
def test_kernels_for_a_lesser_machine_are_right_and_call_no_fma(
    level: str, names: tuple[str, ...], python: Any, tmp_path: Path
) -> None:
    objects = tmp_path / "objects"
    objects.mkdir()
    done = python(RIGHT, level, objects, *names, SOADYN_CPU=level)
    files = sorted(objects.glob("*.o"))
    assert len(files) == int(done.stdout) > 10
    undefined = {line.split()[-1] for path in files for line in tool("nm", "-u", str(path)).splitlines()}
    assert undefined <= {"sin", "cos", "malloc", "free", "memset", "memcpy", "feclearexcept"}, undefined
    fused, wide, wider = False, False, False
    for path in files:
        text = tool("objdump", "-d", "--no-show-raw-insn", str(path))
        fused = fused or FUSED in text
        wide = wide or WIDEST[level] in text
        wider = wider or any(f"{register}{i}" in text for register in _wider(level) for i in range(8))
    assert fused == LEVELS[level][1]
    assert wide
    assert not wider


def _wider(level: str) -> list[str]:
    order = ["%xmm", "%ymm", "%zmm"]
    return order[order.index(WIDEST[level]) + 1 :]


def test_a_processor_nobody_knows_is_refused(python: Any) -> None:
    text = "import soadyn as sd\nsd.load('ur5').mass_matrix([0.0] * 6)"
    done = python(text, SOADYN_CPU="pentium", check=False)
    assert done.returncode != 0
    expected = "ArgumentError: SOADYN_CPU is 'pentium'; expected one of x86-64, x86-64-v2, x86-64-v3, x86-64-v4"
    assert done.stderr.strip().endswith(expected)


def test_code_for_different_processors_lies_side_by_side(python: Any, tmp_path: Path) -> None:
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("not an x86-64 processor")
    text = "import soadyn as sd\nprint(sd.load('planar_two_link').specialize().potential_energy([0.3, 0.4]))"
    codes = []
    for level in ("x86-64", "x86-64-v2"):
        python(text, SOADYN_CPU=level)
        found = [path for path in (tmp_path / "cache").iterdir() if path.stat().st_size > 200]  # others are answers
        codes.append(len(found))
    assert codes == [3, 6]  # the test of kernels, the calls of single states, the quantity
