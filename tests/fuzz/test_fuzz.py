"""A few trials of each fuzz case, always the same ones; `make fuzz` makes many."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import fuzz_export
import numpy as np
import pytest
from trials import attempt, cases, modules, seed_of

import soadyn as sd
from soadyn.algebra import mass, theta_dot

TRIALS = 5
SECONDS = 20.0  # for all cases together; a case whose share is used up has made at least one trial
ALL = {name: trial for module in modules() for name, trial in cases(module).items()}
NOTHING_BUT_ROUNDING = 25533527079854  # a single body that turns about a point: Z vanishes, rounded 1e-35


@pytest.mark.parametrize("name", ALL)
@pytest.mark.heavy(2)
def test_a_case_passes_its_first_trials(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    end = time.monotonic() + SECONDS / len(ALL)
    for number in range(TRIALS):
        attempt(ALL[name], seed_of(0, name, number))
        if time.monotonic() > end:
            break


def test_no_two_cases_have_one_name() -> None:
    assert len(ALL) == sum(len(cases(module)) for module in modules())


class InC:
    """Stands for exported C whose results are those of Python, each times `factor`."""

    def __init__(self, f: sd.Compiled, factor: float) -> None:
        self._f, self._factor = f, factor
        self.arrays = [(True, "double", x.name, self._size(x)) for x in f.arguments]

    def _size(self, argument: Any) -> int:
        return self._f.robot.nq if argument.space is None else int(np.prod(self._f.setting.shape(argument.space)))

    def __call__(self, *given: np.ndarray) -> tuple[int, tuple[np.ndarray]]:
        found = fuzz_export.value(self._f, {name: x for (_, _, name, _), x in zip(self.arrays, given, strict=True)})
        assert found is not None
        return 0, (found * self._factor,)


def compared(f: sd.Compiled, factor: float, seed: int = 5) -> None:
    code: Any = InC(f, factor)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        fuzz_export.compare(code, f, fuzz_export.arguments(f, rng))


def test_exported_numbers_differ_by_rounding_alone() -> None:
    momenta = sd.compile(mass @ theta_dot, sd.load("planar_two_link"))
    compared(momenta, 1 + 1e-15)
    with pytest.raises(AssertionError, match="apart"):
        compared(momenta, 1 + 1e-10)
    found = fuzz_export.exportable(random.Random(NOTHING_BUT_ROUNDING))
    assert found is not None
    case, nothing = found
    compared(nothing, 0.0, case.rng.randrange(2**32))
