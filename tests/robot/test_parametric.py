"""A robot whose constants are arguments is the robot with those constants."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.model.placement import Placement, matrix3, vector3

QUANTITIES = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "gravity_force", "momentum")


def rebuilt(robot: sd.Robot, k: int, values: dict[str, Any]) -> sd.Robot:
    """The robot with link k's figures, its joint's armature and position, and gravity replaced."""
    model = robot.model
    links, joints = list(model.links), list(model.joints)
    figures = {"mass": float(values["mass"]), "com": vector3(values["com"]), "inertia": matrix3(values["inertia"])}
    links[k - 1] = replace(links[k - 1], **figures)
    placement = Placement(joints[k - 1].placement.rotation, vector3(values["position"]))
    joints[k - 1] = replace(joints[k - 1], armature=tuple(values["armature"]), placement=placement)
    return sd.Robot(replace(model, links=tuple(links), joints=tuple(joints), gravity=vector3(values["gravity"])))


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_a_parametric_robot_is_the_robot_with_those_constants(
    backend: Any, quantity: str, root: Any, rng: np.random.Generator
) -> None:
    robot = sd.Robot(random_model(rng, 6, kinds=["revolute", "prismatic", "spherical"], root=root), backend)
    k = 4
    link, joint = robot.model.links[k - 1].name, robot.model.joints[k - 1].name
    names = (f"{link}.mass", f"{link}.com", f"{link}.inertia", f"{joint}.armature", f"{joint}.position", "gravity")
    parametric = robot.parametric(*names)
    B = rng.standard_normal((5, 3, 3))
    moments = B @ B.mT
    values = {
        "mass": rng.uniform(1, 2, 5),
        "com": rng.standard_normal((5, 3)),
        "inertia": np.trace(moments, axis1=1, axis2=2)[:, None, None] * np.eye(3) - moments,
        "armature": rng.uniform(0, 1, (5, *parametric.shapes[f"{joint}.armature"])),
        "position": rng.standard_normal((5, 3)),
        "gravity": rng.standard_normal((5, 3)),
    }
    state = {
        "q": robot.random_configuration(rng, 5),
        "v": rng.standard_normal((5, robot.nv)),
        "a": rng.standard_normal((5, robot.nv)),
        "tau": rng.standard_normal((5, robot.nv)),
    }
    arguments = [state[name] for name in sd.quantities.QUANTITIES[quantity].arguments if name in state]
    found = getattr(parametric, quantity)(*arguments, *values.values())
    for i in range(5):
        other = rebuilt(robot, k, {name: value[i] for name, value in values.items()})
        alone = getattr(other, quantity)(*(x[i] for x in arguments))
        np.testing.assert_allclose(found[i], alone, rtol=0, atol=1e-10 * max(1.0, np.abs(alone).max()))


def test_a_frames_mass_is_a_payload_and_values_broadcast() -> None:
    arm = sd.load("ur5")
    masses = np.linspace(0.0, 5.0, 7)
    found = arm.parametric("tool0.mass", "tool0.com").gravity_force(np.full(6, 0.3), masses, [0.0, 0.0, 0.1])
    for mass, force in zip(masses, found, strict=True):
        loaded = arm.with_payload("tool0", mass, com=(0.0, 0.0, 0.1))
        np.testing.assert_allclose(force, loaded.gravity_force(np.full(6, 0.3)), atol=1e-12)


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_payload_and_its_links_own_mass_add_up_in_any_order(backend: sd.robot.Backend, order: int) -> None:
    arm = sd.load("ur5").with_backend(backend)
    values = dict([("wrist_3_link.mass", 2.0), ("tool0.mass", 5.0)][::order])
    found = arm.parametric(*values).gravity_force(np.full(6, 0.3), *values.values())
    of_link = arm.parametric("wrist_3_link.mass").gravity_force(np.full(6, 0.3), 2.0)
    of_both = of_link + arm.parametric("tool0.mass").gravity_force(np.full(6, 0.3), 5.0) - arm.gravity_force([0.3] * 6)
    np.testing.assert_allclose(found, of_both, atol=1e-12)


def test_a_new_value_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed")
    from soadyn.engine.native.llvm import machine_code

    arm = sd.load("planar_two_link").parametric("gravity")
    arm.gravity_force(np.zeros(2), [0.0, 0.0, -9.81])
    monkeypatch.setattr(machine_code, "object_code", None)
    assert arm.gravity_force(np.zeros(2), [0.0, 0.0, -1.62]).shape == (2,)


def test_a_parameter_that_is_not_finite_is_named() -> None:
    arm = sd.load("ur5").parametric("tool0.mass")
    with pytest.warns(RuntimeWarning, match="1 of 2 rows came out NaN: parameter 'tool0.mass' is not finite"):
        forces = arm.gravity_force(np.zeros(6), [1.0, np.nan])
    assert np.isnan(forces).all(axis=1).tolist() == [False, True]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda arm: arm.parametric(), "at least one parameter"),
        (lambda arm: arm.parametric("gravity", "gravity"), "given a name twice"),
        (lambda arm: arm.parametric(3), "takes names as text"),
        (lambda arm: arm.parametric("mass"), "unknown parameter 'mass'"),
        (lambda arm: arm.parametric("tol0.mass"), "unknown frame 'tol0' of robot 'ur5'"),
        (lambda arm: arm.parametric("base.mass"), "fixed to the ground"),
        (lambda arm: arm.parametric("elbow.armature"), "unknown joint 'elbow' of robot 'ur5'"),
        (lambda arm: arm.parametric("gravity").gravity_force(np.zeros(6)), "takes q, gravity; got 1 values"),
        (lambda arm: arm.parametric("gravity").gravity_force(np.zeros(6), [0, 0]), "has shape \\(2,\\); expected"),
        (lambda arm: arm.parametric("tool0.mass").gravity_force(np.zeros(6), -1.0), "a mass must be zero or more"),
        (lambda arm: arm.parametric("gravity").inertia, "unknown quantity 'inertia'"),
    ],
)
def test_what_is_no_parameter_is_refused(call: Any, words: str) -> None:
    with pytest.raises(sd.SoadynError, match=words):
        call(sd.load("ur5"))


def test_operations_are_counted_sweep_by_sweep() -> None:
    counts = sd.load("ur5").operation_counts("forward_dynamics")
    assert list(counts)[:2] == ["hinge", "velocity"]
    assert sum(sum(stage.values()) for stage in counts.values()) < 1000
    with pytest.raises(sd.UnknownNameError, match="unknown quantity 'aba'"):
        sd.load("ur5").operation_counts("aba")


def test_arguments_and_parameters_can_be_given_by_keyword() -> None:
    arm = sd.load("ur5").parametric("tool0.mass", "gravity")
    q, g = np.linspace(-1.0, 1.0, 6), [0.0, 1.0, -9.0]
    expected = arm.gravity_force(q, 2.5, g)
    assert np.array_equal(arm.gravity_force(q=q, tool0_mass=2.5, gravity=g), expected)
    assert np.array_equal(arm.gravity_force(q, gravity=g, tool0_mass=2.5), expected)
    with pytest.raises(sd.ArgumentError, match="gravity_force was given 'q' twice"):
        arm.gravity_force(q, 2.5, g, q=q)
    with pytest.raises(sd.ArgumentError, match=r"takes q, tool0\.mass, gravity; got 1 values, without gravity"):
        arm.gravity_force(q, tool0_mass=2.5)


def test_signatures_name_arguments_parameters_and_options() -> None:
    arm = sd.load("ur5").parametric("tool0.mass")
    signature = inspect.signature(arm.forward_dynamics)
    assert list(signature.parameters) == ["q", "v", "tau", "tool0_mass", "external"]
    assert signature.parameters["external"].kind is inspect.Parameter.KEYWORD_ONLY
    assert signature.return_annotation == "np.ndarray"
    assert set(sd.quantities.QUANTITIES) <= set(dir(arm))


def test_a_parametric_robot_can_be_pickled() -> None:
    arm = sd.load("ur5").parametric("tool0.mass")
    again = pickle.loads(pickle.dumps(arm))
    q = np.linspace(-1.0, 1.0, 6)
    assert (again.names, again.shapes) == (arm.names, arm.shapes)
    assert np.array_equal(again.gravity_force(q, 1.5), arm.gravity_force(q, 1.5))


def test_single_precision_comes_out_single() -> None:
    arm = sd.load("ur5").parametric("tool0.mass")
    q = np.linspace(-1.0, 1.0, 6, dtype=np.float32)
    found = arm.gravity_force(q, np.float32(1.5))
    assert found.dtype == np.float32
    expected = arm.gravity_force(q.astype(float), 1.5)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("backend", ["numpy", "auto"])
def test_a_parameter_that_is_not_finite_leaves_no_answer_even_where_nothing_depends_on_it(
    backend: Literal["numpy", "auto"],
) -> None:
    arm = sd.load("planar_two_link").with_backend(backend).parametric("link2.inertia")
    with pytest.warns(RuntimeWarning, match=r"the state came out NaN: parameter 'link2.inertia' is not finite"):
        assert np.isnan(arm.potential_energy([0.1, 0.2], np.full((3, 3), np.nan)))


def test_figures_of_a_joint_with_one_component_need_no_axis_for_it() -> None:
    arm = sd.load("ur5").parametric("elbow_joint.armature")
    q, rows = np.zeros((3, 6)), np.array([0.1, 0.2, 0.3])
    np.testing.assert_array_equal(arm.mass_matrix(q, rows), arm.mass_matrix(q, rows[:, None]))
    np.testing.assert_array_equal(arm.mass_matrix(q[0], 0.2), arm.mass_matrix(q, rows)[1])
    driven = sd.load("ur5").parametric("elbow_joint.damping")
    runs = [
        sd.simulate(driven, q, np.ones((3, 6)), duration=0.02, step=0.01, parameters={"elbow_joint.damping": damping})
        for damping in (rows, rows[:, None])
    ]
    np.testing.assert_array_equal(runs[0].q, runs[1].q)


@pytest.mark.parametrize(
    "x", [[[0.1], [0.1, 0.2]], [[[[0.1]] * 2], 0.3], None, "0.1", [None], np.ma.array([0.1], mask=True)]
)
def test_figures_of_a_joint_with_one_component_are_numbers(x: Any) -> None:
    arm = sd.load("planar_two_link").parametric("joint1.armature")
    with pytest.raises(sd.ShapeError, match=r"argument 'joint1\.armature' .* the value of parameter"):
        arm.mass_matrix([0.1, 0.2], x)
