"""Saha, The UDU^T Decomposition of Manipulator Inertia Matrix (002): its results, one test each.

The list of results is `results_002.RESULTS`. Where print is in error, or armature changes a formula, the formula here
is the corrected one.
"""

from __future__ import annotations

import numpy as np
import pytest

from systems_001 import SYSTEMS, System, system


@pytest.fixture(params=SYSTEMS)
def s(request: pytest.FixtureRequest, rng: np.random.Generator) -> System:
    return system(rng, **SYSTEMS[request.param])
