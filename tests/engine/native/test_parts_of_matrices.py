"""Results that are parts of a matrix, for a passive set, have the bits of the whole and arrays of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import robot_named

# Single states; batches that fill the lanes, and others.
SIZES = (None, 0, 1, 2, 7, 16, 17, 33, 100)
SETS = {"the base": slice(0, 6), "every third": slice(1, None, 3), "the last": slice(-1, None)}


def asked(robot: sd.Robot, q: np.ndarray, passive: Any) -> list[np.ndarray]:
    """Every result that is part of a matrix."""
    frame = robot.link_names[-1]
    return [
        robot.generalized_jacobian(q, frame, passive),
        robot.disturbance_jacobian(q, passive),
        *robot.actuation_matrices(q, passive),
        *robot.passive_mass_factors(q, passive),
    ]


@pytest.fixture(params=SETS)
def case(request: pytest.FixtureRequest, form: Any) -> tuple[sd.Robot, np.ndarray]:
    """A new robot, so that nothing is prepared, and a mask."""
    robot = robot_named("tree on a free base").with_backend(form).with_gravity([0.1, 0.2, -9.0])
    passive = np.zeros(robot.nv, dtype=bool)
    passive[SETS[request.param]] = True
    return robot, passive


def test_parts_have_the_bits_of_checked_calls(case: tuple[sd.Robot, np.ndarray], rng: np.random.Generator) -> None:
    robot, passive = case
    states = robot.random_configuration(rng, size=max(size or 0 for size in SIZES))
    checked = asked(robot, states[:, None], passive)  # calls with two axes are never prepared
    for size in SIZES:
        assert size is None or ("disturbance_jacobian", passive.tobytes()) in robot._functions._kept
        q = states[0] if size is None else states[:size]
        for _ in range(2):  # the second call is a prepared one
            for found, whole in zip(asked(robot, q, passive), checked, strict=True):
                assert found.flags.c_contiguous
                assert found.tobytes() == (whole[0, 0] if size is None else whole[:size, 0]).tobytes()


def test_rows_without_an_answer_are_told_of_by_prepared_calls_too(case: tuple[sd.Robot, np.ndarray]) -> None:
    robot, passive = case
    q = robot.random_configuration(np.random.default_rng(0), size=40)
    asked(robot, q, passive)
    q[35] = np.nan
    with pytest.warns(RuntimeWarning, match="1 of 40 rows"):
        J_D = robot.disturbance_jacobian(q, passive)
    assert np.isnan(J_D[35]).all()
    assert np.isfinite(np.delete(J_D, 35, axis=0)).all()


def test_empty_results_have_their_shape(form: Any) -> None:
    robot = robot_named("tree on a free base").with_backend(form)
    q, nv = robot.neutral(), robot.nv
    for passive in (np.zeros(nv, dtype=bool), np.ones(nv, dtype=bool)):
        for _ in range(2):
            S_aa, S_ap, S_pp = robot.actuation_matrices(q, passive)
            assert (len(S_aa), S_ap.size, len(S_pp)) == (np.sum(~passive), 0, np.sum(passive))
