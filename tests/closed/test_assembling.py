"""Closed configurations and consistent rates."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from closed_robots import four_bar


def test_a_four_bar_closes_where_trigonometry_says(rng: np.random.Generator) -> None:
    bar, crank, coupler, rocker, base = four_bar(), 0.3, 0.9, 0.7, 0.8
    starts = np.stack([rng.uniform(-np.pi, np.pi, 50), rng.uniform(-0.3, 0.3, 50), rng.uniform(0.8, 2.2, 50)], axis=-1)
    q = bar.closed(starts, hold=["crank_joint"])
    assert np.array_equal(q[:, 0], starts[:, 0])
    assert np.abs(bar.closure_error(q)).max() < 1e-12
    # The pin stands where circles about the ends of crank and base meet
    end = crank * np.stack([np.cos(q[:, 0]), np.sin(q[:, 0])], axis=-1)
    pin = np.array([base, 0]) + rocker * np.stack([np.cos(q[:, 2]), np.sin(q[:, 2])], axis=-1)
    assert np.allclose(np.linalg.norm(pin - end, axis=-1), coupler, atol=1e-12)


def test_what_is_closed_stays_where_it_is(rng: np.random.Generator) -> None:
    bar = four_bar()
    q = bar.random_configuration(rng, 20)
    assert np.abs(bar.closure_error(q)).max() < 1e-12
    assert np.abs(bar.closed(q) - q).max() < 1e-12


def test_consistent_rates_are_the_nearest_in_the_mass_metric(rng: np.random.Generator) -> None:
    bar = four_bar()
    q, v = bar.random_configuration(rng, 10), rng.standard_normal((10, 3))
    found, J, M = bar.consistent(q, v), bar.closure_jacobian(q), bar.mass_matrix(q)
    assert np.abs(J @ found[..., None]).max() < 1e-12
    away = (M @ (v - found)[..., None])[..., 0]
    along = np.linalg.svd(J)[2][:, -1]  # the way that it can move
    assert np.abs((away * along).sum(axis=-1)).max() < 1e-12
    energy = bar.kinetic_energy(q, found) + bar.kinetic_energy(q, v - found)
    assert np.allclose(energy, bar.kinetic_energy(q, v), rtol=1e-12)


def test_what_does_not_close_is_told_with_its_distance() -> None:
    bar = four_bar("point on line")
    closed_there = bar.closed([0.3, 0.4, 1.0])
    with pytest.warns(RuntimeWarning, match="closed: 1 of 2 rows came out NaN: closure 'pin' stays open by .* m"):
        q = bar.closed([closed_there, [np.pi, 0.0, 0.0]], hold=["crank_joint", "rocker_joint"])
    assert np.isnan(q[1]).all()
    assert np.abs(q[0] - closed_there).max() < 1e-12


def _truss() -> sd.Builder:
    """Two beams that meet at their ends: a triangle, which does not move. It closes in two mirrored ways."""
    b, beam = sd.Builder("truss"), sd.Body(1.0, com=(0.5, 0.0, 0.0), inertia=np.diag([0.01, 0.1, 0.1]))
    left, right = b.link("left", beam), b.link("right", beam, origin=(1, 0, 0))
    b.loop("tip", left, right, "hinge", origin=(1, 0, 0), other_origin=(1, 0, 0))
    return b


def test_a_structure_that_does_not_move_is_closed_where_it_is_said_to_be() -> None:
    exact = np.array([np.pi / 3, 2 * np.pi / 3])
    for truss in (
        _truss().robot(near=exact + 0.02),
        _truss().robot(near={"left_joint": 1.0, "right_joint": 2.1}),
        _truss().robot().open().close((("left", _end()), ("right", _end())), "hinge", near=exact),
    ):
        assert truss.mobility == 0
        assert np.abs(truss.closed(exact + 0.1) - exact).max() < 1e-9
        assert np.abs(truss.forward_dynamics(exact, np.zeros(2), [1.0, 2.0])).max() < 1e-12


def _end() -> np.ndarray:
    T = np.eye(4)
    T[0, 3] = 1.0
    return T


def test_random_configurations_keep_within_limits_where_they_can() -> None:
    b = sd.Builder("stopped four-bar")
    beam = sd.Body(1.0, com=(0.2, 0.0, 0.0), inertia=np.diag([0.01, 0.02, 0.02]))
    crank = b.link("crank", beam, lower=0.0, upper=1.0)
    coupler = b.link("coupler", beam, crank, origin=(0.3, 0, 0), lower=-3.0, upper=3.0)
    rocker = b.link("rocker", beam, origin=(0.8, 0, 0), lower=0.0, upper=3.0)
    b.loop("pin", coupler, rocker, "hinge", origin=(0.9, 0, 0), other_origin=(0.7, 0, 0))
    q = b.robot().random_configuration(np.random.default_rng(0), 20)
    assert ((q >= [0.0, -3.0, 0.0]) & (q <= [1.0, 3.0, 3.0])).all()
