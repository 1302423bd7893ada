"""Batches, kinds of input, configurations, states, and robots as values."""

from __future__ import annotations

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import soadyn as sd
from agreement import close, random_state
from every_quantity import arguments, called, results
from random_robots import ALL_KINDS, random_model
from soadyn.quantities import QUANTITIES

SEED = 20


def some_robot(root: str = "free", n: int = 5) -> sd.Robot:
    return sd.Robot(random_model(np.random.default_rng(SEED), n, root=root, armature=True))


same = partial(close, tolerance=1e-12)


shapes = st.lists(st.integers(0, 3), max_size=3).map(tuple)


@pytest.mark.parametrize("name", QUANTITIES)
def test_a_batch_is_its_rows(name: str, rng: np.random.Generator) -> None:
    robot = some_robot()
    batch = random_state(rng, robot, (2, 3))
    for i in np.ndindex(2, 3):
        alone = called(robot, name, {key: x[i] for key, x in batch.items()})
        for x, y in zip(called(robot, name, batch), alone, strict=True):
            assert same(x[i], y)


@pytest.mark.parametrize("name", QUANTITIES)
@settings(derandomize=True, deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(shape=shapes)
@pytest.mark.heavy(2)
def test_any_leading_axes_lead_the_result(name: str, shape: tuple[int, ...]) -> None:
    robot = some_robot()
    one = called(robot, name, random_state(np.random.default_rng(0), robot))
    many = called(robot, name, random_state(np.random.default_rng(0), robot, shape))
    for x, y in zip(many, one, strict=True):
        assert np.shape(x) == shape + np.shape(y)


@settings(derandomize=True, deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(shape=shapes, data=st.data())
def test_arguments_broadcast_against_each_other(shape: tuple[int, ...], data: st.DataObject) -> None:
    """Each argument may lack leading axes or have 1 where others have more."""
    robot = some_robot()
    full = random_state(np.random.default_rng(1), robot, shape)
    narrow, wide = {}, {}
    for name, x in full.items():
        core = 2 if name == "external" else 1
        cut = data.draw(st.integers(0, len(shape)), label=f"axes without {name}")
        ones = [data.draw(st.booleans(), label=f"{name} has 1 here") for _ in shape[cut:]]
        index = (0,) * cut + tuple(slice(0, 1) if one else slice(None) for one in ones)
        if 0 in shape:  # nothing to take rows from
            narrow[name], wide[name] = x, x
            continue
        narrow[name] = x[index]
        wide[name] = np.broadcast_to(narrow[name], shape + x.shape[x.ndim - core :])
    for name in ("forward_dynamics", "inverse_dynamics", "hybrid_dynamics", "frame_acceleration", "kinetic_energy"):
        used = arguments(name, narrow, robot)
        leading = [
            np.shape(x)[: np.ndim(x) - (2 if key == "external" else 1)] for key, x in used.items() if key in full
        ]
        for x, y in zip(called(robot, name, narrow), called(robot, name, wide), strict=True):
            expected = np.broadcast_shapes(*leading)
            assert x.shape[: len(expected)] == expected
            assert same(np.broadcast_to(x, y.shape), y)


def test_empty_batches_give_empty_results(rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot, (0,))
    for name in QUANTITIES:
        assert all(x.shape[0] == 0 for x in called(robot, name, state))
    assert robot.integrate(state["q"], state["v"]).shape == (0, robot.nq)
    assert robot.difference(state["q"], state["q"]).shape == (0, robot.nv)


def test_batches_that_do_not_fit_are_refused(rng: np.random.Generator) -> None:
    robot = some_robot()
    q, v = robot.random_configuration(rng, 2), np.zeros((3, robot.nv))
    with pytest.raises(sd.ShapeError, match=r"batch axes do not broadcast: q \(2,\), v \(3,\)"):
        robot.bias_force(q, v)
    with pytest.raises(sd.ShapeError, match=r"batch axes do not broadcast"):
        robot.at(q, v)
    with pytest.raises(sd.ShapeError, match=r"argument 'q' has shape \(3,\); expected"):
        robot.mass_matrix(np.zeros(3))


def test_a_bad_row_leaves_the_others_alone(rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot, (4,))
    expected = {name: called(robot, name, state) for name in QUANTITIES}
    state["q"][1, 2] = np.nan
    state["q"][3, :4] = 0.0  # the free root's quaternion
    for name in QUANTITIES:
        words = rf"{name}: 2 of 4 rows came out NaN: .*not finite.*quaternion"
        with pytest.warns(RuntimeWarning, match=words) as caught:
            found = called(robot, name, state)
        assert len(caught) == 1
        for x, y in zip(found, expected[name], strict=True):
            assert np.isnan(x[[1, 3]]).all()
            assert same(x[[0, 2]], y[[0, 2]])


def test_quaternions_need_no_normalisation(rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot)
    longer = dict(state, q=state["q"].copy())
    longer["q"][:4] *= 17.3
    for name in QUANTITIES:
        for x, y in zip(called(robot, name, longer), called(robot, name, state), strict=True):
            assert same(x, y)


# Kinds of input


@pytest.mark.parametrize("name", QUANTITIES)
def test_layout_and_writability_of_inputs_do_not_matter(name: str, rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot, (3,))
    expected = called(robot, name, state)
    strided, reversed_, frozen, fortran = {}, {}, {}, {}
    for key, x in state.items():
        wide = np.full((*x.shape[:-1], 2 * x.shape[-1]), np.nan)
        wide[..., ::2] = x
        strided[key] = wide[..., ::2]
        reversed_[key] = x[..., ::-1].copy()[..., ::-1]
        frozen[key] = x.copy()
        frozen[key].flags.writeable = False
        fortran[key] = np.asfortranarray(x)
    for inputs in (strided, reversed_, frozen, fortran, {key: x.tolist() for key, x in state.items()}):
        for x, y in zip(called(robot, name, inputs), expected, strict=True):
            assert same(x, y)


def test_inputs_are_never_changed(rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot, (3,))
    before = copy.deepcopy(state)
    for name in QUANTITIES:
        called(robot, name, state)
    assert all(np.array_equal(state[key], before[key]) for key in state)


def test_results_are_new_arrays(rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot)
    for name in QUANTITIES:
        first = called(robot, name, state)
        kept = [np.array(x) for x in first]
        for x in first:
            if isinstance(x, np.ndarray):
                x[...] = np.nan
        assert all(same(x, y) for x, y in zip(called(robot, name, state), kept, strict=True))


@pytest.mark.parametrize("name", QUANTITIES)
def test_single_precision_in_is_single_precision_out(name: str, rng: np.random.Generator) -> None:
    robot = some_robot()
    state = {key: x.astype(np.float32) for key, x in random_state(rng, robot, (3,)).items()}
    double = called(robot, name, {key: x.astype(float) for key, x in state.items()})
    for x, y in zip(called(robot, name, state), double, strict=True):
        assert x.dtype == np.float32
        assert same(x, y, tolerance=1e-3)
    for x, y in zip(called(robot.with_backend("numpy"), name, state), double, strict=True):
        assert same(x, y, tolerance=1e-6)  # the reference only rounds its results


def test_whole_numbers_are_numbers(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v = [0, 1, -1, 2, 0, 1], [1, 0, 0, 2, 0, 0]
    expected = arm.bias_force(np.array(q, dtype=float), np.array(v, dtype=float))
    assert same(arm.bias_force(q, v), expected)
    assert same(arm.bias_force(np.array(q), np.array(v, dtype=np.int8)), expected)
    assert same(arm.bias_force(np.array(q, dtype=np.float16), np.array(v)), expected)


# Configurations


@pytest.mark.parametrize("kind", [*ALL_KINDS, "free"])
def test_difference_undoes_integration(kind: str, rng: np.random.Generator) -> None:
    kinds, root = (["revolute"], "free") if kind == "free" else ([kind], "fixed")
    robot = sd.Robot(random_model(rng, 4, kinds=kinds, root=root))
    q, q1 = (robot.random_configuration(rng, 50) for _ in range(2))
    for size in (1e-9, 1e-3, 0.4):
        dv = size * rng.uniform(-1, 1, (50, robot.nv))
        assert same(
            robot.difference(q, robot.integrate(q, dv)) / size, dv / size, tolerance=1e-6 if size < 1e-6 else 1e-11
        )
    assert same(robot.poses(robot.integrate(q, robot.difference(q, q1))), robot.poses(q1), tolerance=1e-11)
    assert same(robot.poses(robot.integrate(q, np.zeros(robot.nv))), robot.poses(q), tolerance=1e-14)
    assert same(robot.difference(q, q), np.zeros((50, robot.nv)))
    assert same(robot.difference(q1, q), -robot.difference(q, q1), tolerance=1e-10) or kind in ("free", "spherical")


def test_two_half_steps_are_one_whole_step(rng: np.random.Generator) -> None:
    """A constant velocity along link axes: the exponential's group property."""
    robot = some_robot()
    q, dv = robot.random_configuration(rng), 0.7 * rng.standard_normal(robot.nv)
    once = robot.integrate(q, dv)
    assert same(robot.poses(robot.integrate(robot.integrate(q, dv / 2), dv / 2)), robot.poses(once))
    assert same(robot.poses(robot.integrate(once, -dv)), robot.poses(q))


def test_random_configurations_respect_limits(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 20, kinds=["revolute", "prismatic", "helical"]))
    q = robot.random_configuration(rng, 200)
    assert (q >= robot.lower).all()
    assert (q <= robot.upper).all()
    assert np.isfinite(robot.lower).any()


def test_at_the_neutral_configuration_joint_frames_coincide(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, root="free"))
    poses = {0: np.eye(4)}
    for k, (joint, parent) in enumerate(zip(robot.model.joints, robot.model.parents, strict=True), start=1):
        poses[k] = poses[parent] @ joint.placement.matrix() @ joint.offset.matrix()
    assert same(robot.poses(robot.neutral()), np.array([poses[k] for k in robot.model.visible]))


# States and robots as values


@pytest.mark.parametrize("shape", [(), (3,)])
@pytest.mark.heavy(2)
def test_a_state_has_what_its_robot_has(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    robot = some_robot()
    state = random_state(rng, robot, shape)
    s = robot.at(state["q"], state["v"])
    for name in QUANTITIES:
        rest = {key: x for key, x in arguments(name, state, robot).items() if key not in ("q", "v")}
        found = getattr(s, name)
        found = found(**rest) if rest or callable(found) else found
        for x, y in zip(results(found), called(robot, name, state), strict=True):
            assert same(x, y)


def test_a_state_without_velocities_says_what_it_lacks() -> None:
    s = sd.load("ur5").at(np.zeros(6))
    assert s.mass_matrix.shape == (6, 6)
    with pytest.raises(sd.ArgumentError, match=r"bias_force needs velocities; make the state with robot.at\(q, v\)"):
        _ = s.bias_force


def test_a_state_does_not_follow_the_arrays_it_was_made_from(rng: np.random.Generator) -> None:
    robot = sd.load("ur5")
    q = robot.random_configuration(rng)
    s, expected = robot.at(q), robot.mass_matrix(q)
    q[:] = 0
    assert same(s.mass_matrix, expected)
    with pytest.raises(ValueError, match="read-only"):
        s.mass_matrix[0, 0] = 1.0
    with pytest.raises(AttributeError, match="cannot be changed"):
        s.q = q


def test_robots_are_values(rng: np.random.Generator) -> None:
    robot, twin, other = some_robot(), some_robot(), some_robot("fixed")
    assert robot == twin
    assert hash(robot) == hash(twin)
    assert robot != other
    assert robot != "robot"
    q = robot.random_configuration(rng)
    robot.mass_matrix(q)
    for again in (pickle.loads(pickle.dumps(robot)), copy.deepcopy(robot), copy.copy(robot)):
        assert again == robot
        assert hash(again) == hash(robot)
        assert np.array_equal(again.mass_matrix(q), robot.mass_matrix(q))
    assert robot.with_gravity(robot.gravity) == robot
    assert robot.with_gravity([0, 0, 0]) != robot
    with pytest.raises(AttributeError, match="cannot be changed"):
        robot.model = other.model


def test_a_robot_without_joints_has_empty_quantities() -> None:
    robot = sd.load('<robot name="stone"><link name="stone"><inertial><mass value="2"/>'
                    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')  # fmt: skip
    none = np.zeros((3, 0))
    assert (robot.nq, robot.nv, robot.link_names, robot.total_mass) == (0, 0, (), 0.0)
    assert robot.mass_matrix(none).shape == (3, 0, 0)
    assert robot.mass_matrix_inverse(none).shape == (3, 0, 0)
    assert robot.forward_dynamics(none, none, none).shape == (3, 0)
    assert robot.inverse_dynamics(none, none, none).shape == (3, 0)
    assert [x.shape for x in robot.hybrid_dynamics(none, none)] == [(3, 0), (3, 0)]
    assert same(robot.kinetic_energy(none, none), np.zeros(3))
    assert same(robot.potential_energy(none), np.zeros(3))
    assert same(robot.momentum(none, none), np.zeros((3, 6)))
    assert robot.poses(none).shape == (3, 0, 4, 4)
    assert same(robot.pose(none, "stone"), np.broadcast_to(np.eye(4), (3, 4, 4)))
    assert robot.jacobian(none, "stone").shape == (3, 6, 0)
    assert same(robot.frame_velocity(none, none, "stone"), np.zeros((3, 6)))
    assert robot.inertia_regressor(none, none, none).shape == (3, 0, 0)
    with pytest.raises(sd.ModelError, match="has no moving mass"):
        robot.center_of_mass(none)
