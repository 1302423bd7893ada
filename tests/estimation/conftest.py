"""Random robots, the same for all tests of the random field."""

from __future__ import annotations

import numpy as np
import pytest

from systems_003 import SYSTEMS, System, random_system


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, rng: np.random.Generator) -> System:
    return random_system(rng, request.param)
