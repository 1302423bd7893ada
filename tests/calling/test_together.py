"""Several quantities computed when a state is made are what they are alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model

WANTED = (
    "mass_matrix",
    "mass_matrix_inverse",
    "mass_matrix_factors",
    "bias_force",
    "gravity_force",
    "kinetic_energy",
    "potential_energy",
    "center_of_mass",
    "center_of_mass_jacobian",
    "centroidal_momentum_matrix",
    "poses",
    "momentum",
    ("momentum", "com"),
)


def assert_same(found: Any, alone: Any) -> None:
    found, alone = (x if isinstance(x, tuple) else (x,) for x in (found, alone))
    for x, y in zip(found, alone, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-11 * max(1.0, np.abs(y).max()))


@pytest.mark.parametrize(
    ("backend", "batch"),
    [
        ("numpy", (5,)),
        ("rolled", ()),
        ("rolled", (5,)),
        ("rolled", (2, 3)),
        pytest.param("straight", (5,), marks=pytest.mark.slow),
        pytest.param("auto", (300,), marks=pytest.mark.slow),
    ],
)
@pytest.mark.heavy(2)
def test_quantities_together_are_the_quantities_alone(backend: Any, batch: tuple[int, ...], rng: Any) -> None:
    robot = sd.Robot(random_model(rng, 4, root="free", armature=True), backend)
    near, far = robot.link_names[0], robot.link_names[-1]
    wanted = (*WANTED, ("pose", far), ("jacobian", far), ("frame_velocity", far, "local"), ("pose", near))
    q, v = robot.random_configuration(rng, batch), rng.standard_normal((*batch, robot.nv))
    reference = robot.with_backend("numpy").at(q, v)
    for _ in range(2):  # the second time by the prepared call
        state = robot.at(q, v, together=wanted)
        for request in wanted:
            name, *options = (request,) if isinstance(request, str) else request
            found, alone = getattr(state, name), getattr(reference, name)
            if callable(found):
                found, alone = found(*options), alone(*options)
            assert_same(found, alone)


@pytest.mark.parametrize("rows", [(), (5,), (400,)])
@pytest.mark.heavy(2)
def test_what_is_asked_for_twice_is_one(rows: tuple[int, ...], rng: Any) -> None:
    arm = sd.load("ur5")
    q = arm.random_configuration(rng, rows)
    twice = ["mass_matrix", "mass_matrix", ("pose", "tool0"), "gravity_force", ("pose", "tool0")]
    for _ in range(2):
        state = arm.at(q, together=[*twice, ("jacobian", "tool0"), ("jacobian", "tool0", "world")])
        for name in ("mass_matrix", "gravity_force"):
            assert_same(getattr(state, name), getattr(arm, name)(q))
        for name in ("pose", "jacobian"):
            assert_same(getattr(state, name)("tool0"), getattr(arm, name)(q, "tool0"))


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.parametrize(
    ("q_batch", "v_batch"), [((), (5,)), ((5,), ()), ((3, 1), (4,)), ((1,), (7,)), ((0,), ()), ((2, 3), (2, 3))]
)
@pytest.mark.heavy
def test_batches_of_q_and_v_broadcast_the_first_time_and_every_other(
    backend: Any, q_batch: tuple[int, ...], v_batch: tuple[int, ...], rng: Any
) -> None:
    """What does not depend on v has the rows of q alone."""
    arm = sd.load("planar_two_link").with_backend(backend)
    q, v = rng.standard_normal((*q_batch, 2)), rng.standard_normal((*v_batch, 2))
    for wanted in (["mass_matrix", "gravity_force"], ["mass_matrix", "bias_force"]):
        expected = sd.load("planar_two_link").with_backend("numpy").at(q, v, together=wanted)
        for _ in range(3):
            state = arm.at(q, v, together=wanted)
            for name in wanted:
                assert getattr(state, name).shape == getattr(expected, name).shape
                assert_same(getattr(state, name), getattr(expected, name)) if getattr(state, name).size else None
            assert not np.shares_memory(state.q, q)
            assert not state.v.flags.writeable


def test_many_sizes_of_batches_and_bad_rows_between_them(rng: Any) -> None:
    arm, wanted = sd.load("planar_two_link"), ["mass_matrix", "bias_force"]
    for rows in [*range(1, 40), 300, 2, 999, 17]:
        q, v = rng.standard_normal((2, rows, 2))
        assert_same(arm.at(q, v, together=wanted).bias_force, arm.bias_force(q, v))
        q[0, 1] = np.nan
        with pytest.warns(RuntimeWarning, match=f"1 of {rows} rows"):
            assert np.isnan(arm.at(q, v, together=wanted).bias_force).any(axis=1).sum() == 1


def test_what_is_no_list_is_refused_whatever_was_asked_before(rng: Any) -> None:
    arm = sd.load("planar_two_link")
    q = arm.neutral()
    arm.at(q, together=["mass_matrix"])
    for strange in ({"mass_matrix"}, {"mass_matrix": 1}, (name for name in ["mass_matrix"])):
        with pytest.raises(sd.SoadynError, match="together takes a list of quantities"):
            arm.at(q, together=strange)  # type: ignore[arg-type]


def test_results_cannot_be_changed_and_each_quantity_tells_of_its_bad_rows(rng: Any) -> None:
    arm = sd.load("ur5")
    q = arm.random_configuration(rng, 3)
    q[1, 2] = np.nan
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="1 of 3 rows came out NaN: argument 'q' is not finite") as caught:
            state = arm.at(q, together=("mass_matrix", "gravity_force"))
        assert len(caught) == 2
        assert np.isnan(state.mass_matrix).any(axis=(1, 2)).tolist() == [False, True, False]
        with pytest.raises(ValueError, match="read-only"):
            state.mass_matrix[0] = 0


@pytest.mark.parametrize(
    ("together", "words"),
    [
        ("mass_matrix", "together takes a list of quantities, got 'mass_matrix'"),
        (3, "together takes a list of quantities, got 3"),
        ([3], "names and \\(name, option, ...\\) as text, got 3"),
        ([["pose", "tool0"]], "names and \\(name, option, ...\\) as text, got \\['pose', 'tool0'\\]"),
        (["mas_matrix"], "unknown quantity 'mas_matrix'. Did you mean 'mass_matrix'"),
        (["pose"], "pose needs a frame"),
        ([("pose", "tol0")], "unknown frame 'tol0' of robot 'ur5'"),
        (["forward_dynamics"], "forward_dynamics needs velocities"),
        (["bias_force"], "bias_force needs velocities"),
    ],
)
def test_what_cannot_be_computed_together_is_refused(together: Any, words: str) -> None:
    arm = sd.load("ur5")
    with pytest.raises(sd.SoadynError, match=words):
        arm.at(arm.neutral(), together=together)


@pytest.mark.parametrize("backend", ["numpy", "rolled"])
@pytest.mark.heavy(2)
def test_single_precision_in_is_single_precision_out(backend: Any) -> None:
    arm = sd.load("planar_two_link").with_backend(backend)
    state = arm.at(np.zeros(2, dtype=np.float32), together=("mass_matrix", "gravity_force"))
    assert state.mass_matrix.dtype == state.gravity_force.dtype == np.float32


@pytest.mark.parametrize("together", [np.zeros(2), np.array(["mass_matrix"]), None, ""], ids=repr)
def test_what_is_no_list_of_quantities_is_refused(together: Any) -> None:
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match="together takes a list of quantities, got"):
        arm.at(arm.neutral(), together=together)
