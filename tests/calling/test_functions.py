"""What is kept from earlier calls changes neither results nor complaints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd

pytestmark = pytest.mark.usefixtures("llvm")


@pytest.fixture
def arm() -> sd.Robot:
    return sd.load("ur5")


@pytest.fixture
def state(rng: np.random.Generator) -> list[np.ndarray]:
    return list(rng.standard_normal((3, 6)))


@pytest.mark.parametrize("wrong", [np.ones(36), np.ones((5, 6)), [1.0] * 36])
def test_wrenches_of_a_wrong_shape_are_refused_after_good_ones(arm: sd.Robot, state: Any, wrong: Any) -> None:
    wrenches = np.ones((6, 6))
    expected = arm.forward_dynamics(*state, wrenches)
    assert np.array_equal(arm.forward_dynamics(*state, wrenches), expected)
    arm.jvp("forward_dynamics", (*state, wrenches), (*state, None))
    with pytest.raises(sd.ShapeError, match="'external' has shape"):
        arm.forward_dynamics(*state, wrong)
    with pytest.raises(sd.ShapeError, match="'external' has shape"):
        arm.jvp("forward_dynamics", (*state, wrong), (*state, None))


def test_weights_of_matrices_are_kept_and_flat_ones_refused(arm: sd.Robot, state: Any) -> None:
    weights = np.arange(36.0).reshape(6, 6)
    first, again = (arm.vjp("mass_matrix", (state[0],), weights)[1][0] for _ in range(2))
    assert np.array_equal(first, again)
    with pytest.raises(sd.ShapeError, match="'weights' has shape"):
        arm.vjp("mass_matrix", (state[0],), weights.ravel())


def test_values_of_parameters_are_checked_at_every_call(arm: sd.Robot, state: Any) -> None:
    holding = arm.parametric("tool0.mass")
    first, again = (holding.forward_dynamics(*state, 2.0) for _ in range(2))
    assert np.array_equal(first, again)
    assert np.allclose(first, arm.with_payload("tool0", 2.0).forward_dynamics(*state), rtol=1e-12)
    assert not np.array_equal(holding.forward_dynamics(*state, 3.0), first)
    with pytest.raises(sd.ArgumentError, match="a mass must be zero or more"):
        holding.forward_dynamics(*state, -2.0)


def test_a_specialised_robot_minds_no_call_that_the_reference_answered(rng: np.random.Generator) -> None:
    flyer = sd.load("ets_vii").specialize(passive=["root"])
    q = flyer.random_configuration(rng)
    first = flyer.disturbance_jacobian(q, ["root"])
    flyer.disturbance_jacobian(q + 0j, ["root"])
    assert np.array_equal(flyer.disturbance_jacobian(q, ["root"]), first)


def test_the_order_of_earlier_passive_sets_changes_no_bit(rng: np.random.Generator) -> None:
    one, other = sd.load("ets_vii"), sd.load("ets_vii")
    q = one.random_configuration(rng, 300)
    sets: list[Any] = [["root"], *(rng.random(one.nv) < 0.5 for _ in range(6))]
    forth = [one.disturbance_jacobian(q, passive) for passive in sets]
    back = [other.disturbance_jacobian(q, passive) for passive in reversed(sets)]
    assert all(np.array_equal(x, y) for x, y in zip(forth, reversed(back), strict=True))
