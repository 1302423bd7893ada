"""Substitutions in loops over the links are right for every number of joints, whatever tiles that takes."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_state

pytestmark = pytest.mark.usefixtures("llvm")


@pytest.mark.parametrize("nv", [1, 2, 3, 4, 5, 8, 9, 33])
def test_the_inverse_mass_matrix_of_chains_of_every_length(nv: int, rng: np.random.Generator) -> None:
    chain = sd.chain(nv).with_backend("rolled")
    state = random_state(rng, chain, (9,))
    *_, inverse = chain.forward_dynamics_derivatives(state["q"], state["v"], state["tau"])
    np.testing.assert_allclose(
        inverse @ chain.mass_matrix(state["q"]), np.broadcast_to(np.eye(nv), inverse.shape), atol=1e-9
    )
    for row in (4, slice(4, 7)):
        found = chain.forward_dynamics_derivatives(state["q"][row], state["v"][row], state["tau"][row])
        assert np.array_equal(found[-1], inverse[row])
