"""Jain and Rodriguez, Under-Actuated Manipulators (004): every numbered result, against explicit matrices.

The list of results is `results_004.RESULTS`. Where print is in error, or armature changes a formula, the formula here
is the corrected one; where armature loses a statement, only robots without it are held to it.
"""

from __future__ import annotations

import numpy as np
import pytest

from systems_004 import SHOWN, SYSTEMS, System, system


@pytest.fixture(params=SYSTEMS)
def s(request: pytest.FixtureRequest, rng: np.random.Generator) -> System:
    return system(rng, **SYSTEMS[request.param])


# Proofs and compiled operators take longer than dense matrices; chain and free tree have between them what others have.
QUICK = ("chain", "free tree with armature")


@pytest.fixture(params=[pytest.param(x, marks=() if x in QUICK else pytest.mark.slow) for x in SHOWN])
def shown(request: pytest.FixtureRequest, rng: np.random.Generator) -> System:
    """Robots without hidden links."""
    return system(rng, **SHOWN[request.param])
