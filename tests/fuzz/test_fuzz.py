"""A few trials of each fuzz case, always the same ones; `make fuzz` makes many."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from trials import attempt, cases, modules, seed_of

TRIALS = 5
SECONDS = 20.0  # for all cases together; a case whose share is used up has made at least one trial
ALL = {name: trial for module in modules() for name, trial in cases(module).items()}


@pytest.mark.parametrize("name", ALL)
def test_a_case_passes_its_first_trials(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    end = time.monotonic() + SECONDS / len(ALL)
    for number in range(TRIALS):
        attempt(ALL[name], seed_of(0, name, number))
        if time.monotonic() > end:
            break


def test_no_two_cases_have_one_name() -> None:
    assert len(ALL) == sum(len(cases(module)) for module in modules())
