"""A robot at a state: immutable, and the same after a journey to another process."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest

import soadyn as sd
from soadyn.quantities import QUANTITIES


@pytest.mark.parametrize("v", [None, np.linspace(0.0, 1.0, 6)])
def test_a_state_can_be_pickled(v: np.ndarray | None) -> None:
    arm = sd.load("ur5")
    state = arm.at(np.linspace(-1.0, 1.0, 6), v, together=["mass_matrix"])
    again = pickle.loads(pickle.dumps(state))
    assert again.robot == arm
    assert np.array_equal(again.q, state.q)
    assert (again.v is None) == (v is None)
    assert np.array_equal(again.mass_matrix, state.mass_matrix)
    with pytest.raises(sd.FrozenError):
        again.q = state.q


@pytest.mark.parametrize("name", QUANTITIES)
def test_methods_tell_what_they_return(name: str) -> None:
    returned = inspect.signature(getattr(sd.Robot, name)).return_annotation
    quantity = QUANTITIES[name]
    one, count = "np.ndarray", len(quantity.results)
    if name == "hybrid_dynamics_derivatives":  # for accelerations and forces those by q, v, a, tau
        one, count = f"tuple[{', '.join([one] * 4)}]", 2
    assert returned == (one if count == 1 else f"tuple[{', '.join([one] * count)}]")
