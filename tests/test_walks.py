"""The walks of CONTRIBUTING.md: what runs, module by module, is what it says there."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, final

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import T, inv, mass
from urdf_cases import ARM

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "soadyn"
MOST_MODULES = 12
# What every module may ask; CONTRIBUTING.md says so too.
EVERYWHERE = ("errors.py", "fork_safe.py", "mechanics/spatial/", "mechanics/joint/")
GENERATED = ("robot/methods.py", "_method")  # writes the source of a robot's methods


@final
@dataclass(frozen=True)
class Walk:
    """A section of CONTRIBUTING.md: functions in the order they are called, and modules that are asked on the way."""

    steps: tuple[tuple[str, str], ...]
    beside: tuple[str, ...]

    @property
    def modules(self) -> set[str]:
        return {module for module, _ in self.steps}


def walks() -> dict[str, Walk]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text[text.index("## Walks") :]
    section = section[: section.index("\n## ")]
    found = {}
    for part in section.split("\n### ")[1:]:
        title, _, rest = part.partition("\n")
        steps = re.findall(r"^\d+\. `([\w/]+\.py)` `([\w.]+)`", rest, re.MULTILINE)
        beside = re.search(r"^Beside: (.*?)\.\n", rest, re.MULTILINE | re.DOTALL)
        found[title] = Walk(tuple(steps), tuple(re.findall(r"`([\w/]+\.py)`", beside[1])) if beside else ())
    return found


WALKS = walks()
FIRST = WALKS.pop("The first call")
# Modules that the first call may ask, with an empty cache and with one that has the code.
MOST_AT_FIRST, MOST_WITH_CODE = 95, 65
FIRST_CALL = """
import json, sys
import numpy as np, soadyn as sd
from test_walks import called_by

arm, x = sd.load("planar_two_link"), np.zeros(2)
print(json.dumps(list(called_by(lambda: arm.forward_dynamics(x, x, x)))))
"""


def called_by(call: Callable[[], Any]) -> dict[tuple[str, str], None]:
    """The functions of soadyn that a call enters, in the order of their first entry."""
    entered: dict[tuple[str, str], None] = {}

    def profile(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith("<soadyn method"):
            entered.setdefault(GENERATED)
        elif event == "call" and file.startswith(str(SOURCE)):
            entered.setdefault((str(Path(file).relative_to(SOURCE)), frame.f_code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before)
    return entered


def subject(walk: str, folder: Path) -> Callable[[], Any]:
    arm, rng = sd.load("planar_two_link"), np.random.default_rng(0)
    q, v, tau = (rng.standard_normal(2) for _ in range(3))
    rows = [rng.standard_normal((1000, 2)) for _ in range(3)]
    match walk:
        case "One state":
            return lambda: arm.forward_dynamics(q, v, tau)
        case "One state, arguments checked":
            return lambda: arm.forward_dynamics(list(q), list(v), list(tau))
        case "A batch of states":
            return lambda: arm.forward_dynamics(*rows)
        case "A compiled formula":
            f = sd.compile(inv(mass) @ T, arm)
            return lambda: f(rows[0], rows[2])
        case "A simulation":
            return lambda: sd.simulate(arm, q, duration=1.0)
        case "Steps from a loop of one's own":
            stepper = sd.Stepper(arm, 0.002)
            return lambda: stepper(*rows, n=10)
        case "A file":
            file = folder / "arm.urdf"
            file.write_text(ARM)
            return lambda: sd.load(file)
    raise AssertionError(f"CONTRIBUTING.md tells of a walk that is not tested: {walk}")


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_is_as_told(name: str, tmp_path: Path, llvm: None) -> None:
    walk, call = WALKS[name], subject(name, tmp_path)
    call()
    entered = list(called_by(call))
    assert not [step for step in walk.steps if step not in entered]
    assert list(walk.steps) == sorted(walk.steps, key=entered.index)
    modules = {module for module, _ in entered if not module.startswith(EVERYWHERE)}
    assert modules == walk.modules | set(walk.beside)
    assert len(walk.modules) <= MOST_MODULES


def first_call(cache: Path) -> list[tuple[str, str]]:
    """The functions that the first call of a new process enters, in their order."""
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("src", "tests", "tests/support"))
    environment = {**os.environ, "SOADYN_CACHE": str(cache), "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    return [(module, function) for module, function in json.loads(done.stdout)]


def test_the_first_call_is_as_told(tmp_path: Path, llvm: None) -> None:
    entered, again = first_call(tmp_path), first_call(tmp_path)
    assert not [step for step in FIRST.steps if step not in entered]
    assert list(FIRST.steps) == sorted(FIRST.steps, key=entered.index)
    asked, warm = ({x for x, _ in found if not x.startswith(EVERYWHERE)} for found in (entered, again))
    assert len(asked) <= MOST_AT_FIRST
    assert len(warm) <= MOST_WITH_CODE
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    assert f"On the way {len(asked)} modules are asked; {len(warm)} where the cache has the code." in text


@pytest.mark.parametrize("name", ["The first call", *WALKS])
def test_the_functions_of_a_walk_are_there(name: str) -> None:
    steps = {**WALKS, "The first call": FIRST}[name].steps
    assert steps
    for module, function in steps:
        found: Any = import_module("soadyn." + module.removesuffix(".py").replace("/", "."))
        for part in function.split("."):
            found = inspect.getattr_static(found, part)
        assert callable(found)
