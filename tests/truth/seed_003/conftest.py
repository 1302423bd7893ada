"""Rodriguez, Random Field Estimation Approach to Robot Dynamics (003): every result, against explicit matrices.

The list is `results_003.RESULTS`. Where print is in error, or armature or branches change a formula, the formula here
is the corrected one; where they lose a statement, only robots without them are held to it.
"""

from __future__ import annotations

import numpy as np
import pytest

from soadyn.robot import Robot
from systems_003 import System, random_system


@pytest.fixture(autouse=True)
def backend(monkeypatch: pytest.MonkeyPatch) -> str:
    """The reference alone: formulas are held to the paper here, `tests/compiled` holds native code to the reference."""
    monkeypatch.setattr(Robot.__init__, "__defaults__", ("numpy", None))
    return "numpy"


@pytest.fixture(params=["chain", "tree", pytest.param("free tree", marks=pytest.mark.slow)])
def s(request: pytest.FixtureRequest, rng: np.random.Generator) -> System:
    return random_system(rng, request.param)


@pytest.fixture
def chain(rng: np.random.Generator) -> System:
    """Without branches and armature."""
    return random_system(rng, "chain")
