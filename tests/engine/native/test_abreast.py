"""Substitutions find two rows at once where that is right, and columns climb side by side."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_robot, random_state, robot_named
from soadyn.engine.native.rolled.table import inboard_components

pytestmark = pytest.mark.usefixtures("llvm")


def test_two_rows_go_abreast_only_if_the_second_hangs_on_the_first() -> None:
    for robot in (sd.chain(7), robot_named("tree on a free base"), random_robot(3, 25)):
        found = inboard_components(robot.model)
        for a, rows in enumerate(found["abreast"]):
            if rows == 2:
                assert found["outside"][a + 1] == a
                assert found["inboard"][a] == found["outside"][a] >= 0
            else:
                assert rows == 1
    assert inboard_components(sd.chain(4).model)["abreast"].tolist() == [1, 2, 2, 1]


@pytest.mark.parametrize("nv", [1, 2, 3, 4, 5, 8, 9])
def test_the_inverse_mass_matrix_of_chains_of_every_length(nv: int, rng: np.random.Generator) -> None:
    chain = sd.chain(nv).with_backend("rolled")
    state = random_state(rng, chain, (9,))
    *_, inverse = chain.forward_dynamics_derivatives(state["q"], state["v"], state["tau"])
    np.testing.assert_allclose(
        inverse @ chain.mass_matrix(state["q"]), np.broadcast_to(np.eye(nv), inverse.shape), atol=1e-9
    )
    *_, alone = chain.forward_dynamics_derivatives(state["q"][4], state["v"][4], state["tau"][4])
    assert np.array_equal(alone, inverse[4])
