"""Options and fixtures shared by all tests."""

from __future__ import annotations

import zlib

import numpy as np
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tenth", type=int, default=None, help="run only this tenth (0-9) of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tenth = config.getoption("--tenth")
    if tenth is not None:
        chosen = [item for item in items if zlib.crc32(item.nodeid.encode()) % 10 == tenth]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that differ from test to test and repeat from run to run."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))
