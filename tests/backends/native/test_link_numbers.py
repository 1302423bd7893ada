"""The numbers of a robot's links on disk: the same again, for the same robot only, and not for long ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_robot, random_state
from soadyn.backends.native.fingerprint import fingerprint
from soadyn.backends.native.llvm import code_cache
from soadyn.backends.native.rolled import link_numbers as module
from soadyn.backends.native.rolled.link_numbers import LONGEST, LinkNumbers, link_numbers
from soadyn.backends.regrouping import Grouping

pytestmark = pytest.mark.usefixtures("llvm")
GROUPINGS: tuple[Grouping, ...] = ("as they are", "regrouped", "slid and regrouped")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert fingerprint("anything")  # the hash of the sources is kept elsewhere
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "_memory", {})
    return tmp_path / "cache"


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("seed", range(4))
def test_numbers_are_read_as_they_were_written(seed: int, grouping: Grouping) -> None:
    constants = random_robot(seed, 9, root=("fixed", "free")[seed % 2], armature=True).engine.constants
    links = link_numbers(constants, grouping)
    again = LinkNumbers.of_bytes(links.to_bytes(), constants.model.n)
    assert again.classes == links.classes
    assert again.constants.tobytes() == links.constants.tobytes()


def test_a_later_process_does_not_regroup(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    model = random_robot(3, 7, root="free", armature=True).model
    state = random_state(rng, sd.Robot(model), ())

    def computed() -> bytes:
        robot = sd.Robot(model)  # constants of its own
        return bytes(robot.inverse_dynamics(state["q"], state["v"], state["a"]).tobytes())

    def none(*_: Any) -> Any:
        raise AssertionError("regrouped")

    expected = computed()
    monkeypatch.setattr(code_cache, "_memory", {})
    monkeypatch.setattr(module, "grouped", none)
    assert computed() == expected
    with pytest.raises(AssertionError, match="regrouped"):
        sd.Robot(model).with_gravity([0.0, 0.0, -1.0]).inverse_dynamics(state["q"], state["v"], state["a"])


def test_each_grouping_is_kept_under_a_name_of_its_own(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = random_robot(5, 8, root="free", armature=True).model
    found = [link_numbers(sd.Robot(model).engine.constants, grouping) for grouping in GROUPINGS]
    assert len({links.to_bytes() for links in found}) == len(GROUPINGS)
    monkeypatch.setattr(code_cache, "_memory", {})
    again = [link_numbers(sd.Robot(model).engine.constants, grouping) for grouping in GROUPINGS]
    assert [links.to_bytes() for links in again] == [links.to_bytes() for links in found]


def test_long_robots_are_not_kept(cache: Path) -> None:
    link_numbers(sd.chain(LONGEST).engine.constants, "as they are")
    kept = [*cache.iterdir()]
    assert len(kept) == 1
    link_numbers(sd.chain(LONGEST + 1).engine.constants, "as they are")
    assert [*cache.iterdir()] == kept


def test_kernels_of_one_precision_share_the_numbers() -> None:
    links = link_numbers(sd.load("ur5").engine.constants, "slid and regrouped")
    single = links.in_precision("float32")
    assert links.in_precision("float64") is links.constants
    assert links.in_precision("float32") is single
    assert single.dtype == np.float32
