"""Diagonalized equations in machine code, with both square roots of D, against the reference."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model

ROOTED = {
    "normalized_rates": "v",
    "rates_from_normalized": "nu",
    "normalized_forces": "tau",
    "forces_from_normalized": "epsilon",
    "normalized_bias": "v",
}


@pytest.mark.parametrize("backend", ["rolled", "straight"])
@pytest.mark.parametrize("name", ROOTED)
@pytest.mark.heavy(2)
def test_the_symmetric_root_is_that_of_the_reference(name: str, backend: str, rng: np.random.Generator) -> None:
    kinds, root = (["spherical"], "fixed") if backend == "straight" else (["spherical", "planar"], "free")
    robot = sd.Robot(random_model(rng, 2, kinds=kinds, root=root, armature=True))
    arguments = {"q": robot.random_configuration(rng, 3), ROOTED[name]: rng.standard_normal((3, robot.nv))}
    one, other = (
        getattr(robot.with_backend(kind), name)(**arguments, square_root="symmetric") for kind in ("numpy", backend)
    )
    assert np.abs(one - other).max() <= 1e-11 * np.abs(one).max()
    # the second call goes the fast way, and the option is part of its key
    again = getattr(robot.with_backend(backend), name)(**arguments, square_root="cholesky")
    assert np.abs(again - other).max() > 1e-6


def test_options_are_told_apart_when_computed_together(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 2, kinds=["spherical"]), "numpy")
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    s = robot.at(q, v, together=("total_rates", "normalized_rates", ("normalized_rates", "symmetric")))
    assert np.array_equal(
        s.normalized_rates(square_root="symmetric"), robot.normalized_rates(q, v, square_root="symmetric")
    )
    assert np.array_equal(s.normalized_rates(square_root="cholesky"), robot.normalized_rates(q, v))
