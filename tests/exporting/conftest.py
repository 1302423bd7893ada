"""The robots whose code is exported."""

from __future__ import annotations

import pytest

import soadyn as sd
from random_robots import model_of_every_kind

ROBOTS = {
    "ur5": lambda: sd.load("ur5"),
    "ets_vii": lambda: sd.load("ets_vii"),
    "every kind": lambda: sd.Robot(model_of_every_kind()),
}


@pytest.fixture(params=ROBOTS)
def robot(request: pytest.FixtureRequest) -> sd.Robot:
    return ROBOTS[request.param]()


@pytest.fixture
def ur5() -> sd.Robot:
    return sd.load("ur5")
