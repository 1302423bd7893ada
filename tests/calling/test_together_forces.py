"""States that hold accelerations, forces and wrenches: what needs them uses them, alone and together with the rest."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from test_together import assert_same

import soadyn as sd
from random_robots import random_model

WANTED = (
    "mass_matrix",
    "bias_force",
    "inverse_dynamics",
    "forward_dynamics",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "inertia_regressor",
)


def held(robot: sd.Robot, rng: np.random.Generator, batch: tuple[int, ...]) -> dict[str, np.ndarray]:
    vectors = {name: rng.standard_normal((*batch, robot.nv)) for name in ("v", "a", "tau")}
    wrenches = rng.standard_normal((*batch, len(robot.link_names), 6))
    return {"q": robot.random_configuration(rng, batch), **vectors, "external": wrenches}


def of_state(state: sd.State, request: Any) -> Any:
    name, *options = (request,) if isinstance(request, str) else request
    found = getattr(state, name)
    if not callable(found):
        return found
    return found(frame=options[0], axes=options[1]) if name == "frame_acceleration" else found(*options)


def alone(robot: sd.Robot, request: Any, given: dict[str, Any]) -> Any:
    """The quantity by the reference, each argument given by its name."""
    from soadyn.quantities import QUANTITIES

    name, *options = (request,) if isinstance(request, str) else request
    taken = {x.name: given[x.name] for x in QUANTITIES[name].parameters if given.get(x.name) is not None}
    further = dict(zip(("frame", "axes"), options, strict=False))
    return getattr(robot.with_backend("numpy"), name)(**taken, **further)


@pytest.mark.parametrize("loaded", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["wrenches", "no wrenches"])
@pytest.mark.parametrize(
    ("backend", "batch"),
    [
        ("numpy", (3,)),
        pytest.param("rolled", (), marks=pytest.mark.slow),
        ("rolled", (3,)),
        pytest.param("rolled", (2, 3), marks=pytest.mark.slow),
        pytest.param("straight", (5,), marks=pytest.mark.slow),
        pytest.param("auto", (300,), marks=pytest.mark.slow),
    ],
)
@pytest.mark.heavy(2)
def test_what_needs_forces_is_together_what_it_is_alone(
    backend: Any, batch: tuple[int, ...], loaded: bool, rng: np.random.Generator
) -> None:
    robot = sd.Robot(random_model(rng, 4, root="free", armature=True), backend)
    far = robot.link_names[-1]
    wanted = (*WANTED, ("frame_acceleration", far, "local"), ("jacobian", far, "local"))
    for _ in range(3):  # from the second time on by the prepared call, and with new numbers
        given = held(robot, rng, batch)
        if not loaded:
            del given["external"]
        state = robot.at(**given, together=wanted)
        for request in wanted:
            assert_same(of_state(state, request), alone(robot, request, given))


def test_a_state_of_numbers_seen_before_takes_the_prepared_call(rng: np.random.Generator, monkeypatch: Any) -> None:
    from soadyn.robot.calling.function import Function

    arm = sd.load("ur5").with_backend("rolled")
    wanted = ("forward_dynamics_derivatives", "mass_matrix")
    given = held(arm, rng, ())
    arm.at(**given, together=wanted)
    expected = alone(arm, "forward_dynamics_derivatives", given)
    monkeypatch.setattr(Function, "checked", None)
    state = arm.at(**given, together=wanted)
    assert_same(state.forward_dynamics_derivatives(), expected)


@pytest.mark.parametrize("rows", [(), (3,)])
@pytest.mark.heavy(2)
def test_a_states_own_vectors_are_used_unless_others_are_given(rows: tuple[int, ...], rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    given = held(arm, rng, rows)
    q, v, a, tau, external = (given[name] for name in ("q", "v", "a", "tau", "external"))
    state = arm.at(q, v, a, tau, external)
    other = rng.standard_normal(2)
    assert_same(state.inverse_dynamics(), arm.inverse_dynamics(q, v, a, external))
    assert_same(state.inverse_dynamics(other), arm.inverse_dynamics(q, v, other, external))
    assert_same(state.inverse_dynamics(external={}), arm.inverse_dynamics(q, v, a))
    assert_same(state.inverse_dynamics(), arm.inverse_dynamics(q, v, a, external))
    assert_same(state.forward_dynamics(), arm.forward_dynamics(q, v, tau, external))
    assert_same(state.frame_acceleration(frame="tool"), arm.frame_acceleration(q, v, a, "tool"))
    assert_same(state.frame_acceleration(other, "tool"), arm.frame_acceleration(q, v, other, "tool"))
    assert_same(state.frame_acceleration(other, "tool", "local"), arm.frame_acceleration(q, v, other, "tool", "local"))
    assert_same(
        state.hybrid_dynamics(passive=["joint1"]), arm.hybrid_dynamics(q, v, a, tau, ["joint1"], external=external)
    )
    assert_same(
        state.disturbance_drift(passive=["joint1"]), arm.disturbance_drift(q, v, ["joint1"], tau, external=external)
    )


def test_wrenches_may_be_given_by_frame_and_batches_broadcast(rng: np.random.Generator) -> None:
    arm, wanted = sd.load("ur5"), ("inverse_dynamics", "mass_matrix", "gravity_force")
    q, v, a = arm.random_configuration(rng), rng.standard_normal((4, 1, 6)), rng.standard_normal(6)
    for _ in range(3):
        external = {"tool0": rng.standard_normal((5, 6))}
        state = arm.at(q, v, a, external=external, together=wanted)
        assert_same(state.inverse_dynamics(), arm.inverse_dynamics(q, v, a, external))
        assert state.inverse_dynamics().shape == (4, 5, 6)
        assert_same(state.mass_matrix, arm.mass_matrix(q))
        by_array = arm.at(q, v, a, external=state.external, together=wanted)
        assert_same(by_array.inverse_dynamics(), state.inverse_dynamics())


def test_a_state_owns_what_it_holds_and_nothing_of_it_can_be_changed(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    given = held(arm, rng, (2,))
    for _ in range(2):
        state = arm.at(**given, together=("inverse_dynamics_derivatives",))
        for name, x in given.items():
            own = getattr(state, name)
            assert np.array_equal(own, x)
            assert not np.shares_memory(own, x)
            assert not own.flags.writeable
        assert not any(x.flags.writeable for x in state.inverse_dynamics_derivatives())
        assert state.inverse_dynamics_derivatives()[0] is state.inverse_dynamics_derivatives()[0]
    assert arm.at(given["q"]).a is None
    again = pickle.loads(pickle.dumps(state))
    assert_same(again.inverse_dynamics(), state.inverse_dynamics())
    with pytest.raises(sd.FrozenError):
        state.tau = given["tau"]


def test_each_quantity_tells_of_bad_rows_of_forces(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    given = held(arm, rng, (3,))
    given["tau"][1, 0] = np.nan
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="1 of 3 rows came out NaN: argument 'tau' is not finite") as caught:
            state = arm.at(**given, together=("forward_dynamics", "forward_dynamics_derivatives"))
        assert len(caught) == 2
        for x in (state.forward_dynamics(), *state.forward_dynamics_derivatives()):
            assert np.isnan(x).reshape(3, -1).all(axis=1).tolist() == [False, True, False]


def test_tied_joints_are_served_one_quantity_after_the_other(rng: np.random.Generator) -> None:
    from corpus import corpus_urdfs

    found = [path for path in corpus_urdfs() if path.stem == "panda"]
    if not found:
        pytest.skip("example-robot-data is not installed")
    arm = sd.load(found[0], mimic="tie")
    given = held(arm, rng, (2,))
    state = arm.at(**given, together=("inverse_dynamics", "forward_dynamics"))
    assert_same(state.forward_dynamics(), arm.forward_dynamics(*(given[x] for x in ("q", "v", "tau", "external"))))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda arm, x: arm.at(x, x).inverse_dynamics(), r"inverse_dynamics needs a; give it, or make the state with"),
        (lambda arm, x: arm.at(x, x).forward_dynamics(), r"forward_dynamics needs tau; .*robot.at\(q, v, tau=tau\)"),
        (lambda arm, x: arm.at(x, tau=x).forward_dynamics(), "forward_dynamics needs velocities"),
        (lambda arm, x: arm.at(x, x, x).frame_acceleration(), "frame_acceleration needs frame; write frame=..."),
        (
            lambda arm, x: arm.at(x, x, together=["inverse_dynamics"]),
            r"inverse_dynamics needs a; .*at\(q, v, a=a\)",
        ),
        (lambda arm, x: arm.at(x, tau=x, together=["forward_dynamics"]), "forward_dynamics needs velocities"),
        (lambda arm, x: arm.at(x, x, tau=[1.0]), r"argument 'tau' has shape \(1,\); expected \(..., 6\)"),
        (lambda arm, x: arm.at(x, x, external=x), r"argument 'external' has shape \(6,\)"),
        (lambda arm, x: arm.at(x, np.ones((2, 6)), tau=np.ones((3, 6))), "tau"),
        (lambda arm, x: arm.at(x, x, x, x, together=["hybrid_dynamics"]), "hybrid_dynamics takes passive, so"),
    ],
)
def test_errors_name_what_is_missing(make: Any, words: str) -> None:
    arm = sd.load("ur5")
    with pytest.raises(sd.SoadynError, match=words):
        make(arm, np.zeros(6))
