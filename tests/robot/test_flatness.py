"""Paper 000, section 2: when coordinates exist in which the motion has no Coriolis terms."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model

BODY = sd.Body(1.3, com=(0.1, 0.2, -0.3), inertia=np.diag([0.1, 0.2, 0.25]))


def cart_pole() -> sd.Robot:
    b = sd.Builder("cart_pole")
    b.link("cart", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0))
    b.link("pole", sd.Body(0.3, com=(0, 0, 0.5), inertia=0.02 * np.eye(3)), parent="cart", axis=(0, 1, 0))
    return sd.build(b).with_backend("numpy")


def tilted_gantry(hinge: bool) -> sd.Robot:
    b = sd.Builder("gantry")
    b.link("x", BODY, joint="prismatic", axis=(1, 0, 0.2), armature=0.4)
    b.link("y", BODY, parent="x", joint="prismatic", axis=(0.3, 1, 0))
    if hinge:
        b.link("arm", BODY, parent="y", axis=(0.2, 0.1, 1))
    return sd.build(b).with_backend("numpy")


FLAT = {
    "cart-pole": cart_pole,
    "gantry": lambda: tilted_gantry(False),
    "gantry with a hinge": lambda: tilted_gantry(True),
}


def test_000_lemma_2_2_symbols_of_a_planar_arm() -> None:
    R = sd.load("planar_two_link").with_backend("numpy").mass_matrix_curvature([0.3, 0.8])
    assert abs(np.abs(R).max() - 0.2096457806780714) < 1e-12


def test_000_lemma_2_2_symbols_have_riemanns_symmetries(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, kinds=["revolute", "prismatic", "helical", "planar"], armature=True), "numpy")
    R = robot.mass_matrix_curvature(robot.random_configuration(rng))
    size = np.abs(R).max()
    assert size > 1e-6
    for other in (
        -np.einsum("hijk->ihjk", R),
        -np.einsum("hijk->hikj", R),
        np.einsum("hijk->jkhi", R),
        -np.einsum("hijk->hjki", R) - np.einsum("hijk->hkij", R),  # Bianchi
    ):
        assert np.abs(R - other).max() < 1e-11 * size


def test_000_lemma_2_2_a_point_on_a_sphere_has_its_curvature() -> None:
    b = sd.Builder("sphere")  # two crossing hinges and a point mass at the distance r: K = 1 / (m r^2)
    b.link("turn", sd.Body(0.0), axis=(0, 0, 1))
    b.link("point", sd.Body(2.0, com=(0.5, 0, 0)), parent="turn", axis=(0, 1, 0))
    robot = sd.build(b).with_backend("numpy")
    q = np.array([0.4, 0.9])
    R = robot.mass_matrix_curvature(q)
    expected = np.linalg.det(robot.mass_matrix(q)) / (2.0 * 0.5**2)
    assert abs(abs(R[0, 1, 0, 1]) - expected) < 1e-14


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.heavy(2)
def test_000_lemma_2_2_flat_robots_have_no_curvature(name: str, rng: np.random.Generator) -> None:
    robot = FLAT[name]()
    assert np.abs(robot.mass_matrix_curvature(robot.random_configuration(rng, 3))).max() < 1e-12
    assert sd.is_flat(robot).verdict == "flat"


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.heavy(2)
def test_000_assumption_2_1_flat_coordinates_have_a_root_of_the_mass_matrix_as_gradient(
    name: str, rng: np.random.Generator
) -> None:
    robot = FLAT[name]()
    flat = sd.FlatCoordinates(robot, robot.neutral())
    q = robot.random_configuration(rng)
    _, E = flat.at(q)
    assert np.abs(E.T @ E - robot.mass_matrix(q)).max() < 1e-9
    step = 1e-4
    e = np.eye(robot.nv)[-1]
    moved = (flat.at(q + step * e)[0] - flat.at(q - step * e)[0]) / (2 * step)
    assert np.abs(moved - E @ e).max() < 1e-6


def test_000_lemma_2_1_flat_coordinates_move_without_coriolis_terms() -> None:
    robot = tilted_gantry(True).with_gravity([0, 0, 0])
    flat, tau = sd.FlatCoordinates(robot, robot.neutral()), np.array([0.5, -1.0, 0.3])
    start = [0.1, 0.2, 0.3], [0.3, -0.2, 1.5]
    run = sd.simulate(robot, *start, control=tau, duration=0.02, step=0.002, joint_forces=False)
    first, last = (flat.rates(run.q[i], run.v[i]) for i in (4, 6))
    acceleration = (last - first) / (run.t[6] - run.t[4])
    assert np.abs(acceleration - flat.forces(run.q[5], tau)).max() < 1e-5
    free = sd.simulate(robot, *start, duration=0.1, step=0.005, joint_forces=False)
    assert np.abs(flat.rates(free.q[-1], free.v[-1]) - flat.rates(*start)).max() < 1e-9


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.heavy(2)
def test_000_section_2_flat_coordinates_come_with_the_proof_and_their_equations_give_the_motion(name: str) -> None:
    robot = FLAT[name]().with_gravity([0, 0, 0])
    found = sd.is_flat(robot)
    assert found.coordinates is not None
    q, v = np.linspace(0.1, 0.4, robot.nv), np.linspace(1.0, -1.5, robot.nv)
    tau = np.linspace(0.5, -0.4, robot.nv)
    times = np.linspace(0.0, 0.1, 3)
    _, rates, path = found.coordinates.motion(q, v, tau, times)
    run = sd.simulate(robot, q, v, control=tau, duration=0.1, step=0.002, record_every=0.05, joint_forces=False)
    assert np.abs(path - run.q).max() < 1e-9
    _, E = found.coordinates.at(run.q[-1])
    assert np.abs(E @ run.v[-1] - rates[-1]).max() < 1e-8


def test_a_curved_robot_is_refused_with_the_value_found() -> None:
    arm = sd.load("planar_two_link").with_backend("numpy")
    found = sd.is_flat(arm)
    assert found.verdict == "curved"
    assert not found
    assert found.value == np.abs(arm.mass_matrix_curvature(found.q)).max()
    with pytest.raises(sd.ArgumentError, match="no flat coordinates: a Riemann symbol is 0"):
        sd.FlatCoordinates(arm, [0.0, 0.0])


def test_samples_without_curvature_are_no_proof() -> None:
    b = sd.Builder(
        "balanced"
    )  # parallel hinges through mass centres: the mass matrix is constant, the joints do not tell
    b.link("one", sd.Body(1.0, inertia=np.eye(3)), axis=(0, 0, 1))
    b.link("two", sd.Body(1.0, inertia=np.eye(3)), parent="one", axis=(0, 0, 1), origin=(0.5, 0, 0))
    found = sd.is_flat(sd.build(b).with_backend("numpy"), samples=7)
    assert found.verdict == "no curvature found"
    assert not found
    assert str(found) == "no curvature found: no curvature found in 7 samples"


def test_rates_that_are_no_derivatives_are_refused() -> None:
    with pytest.raises(sd.ArgumentError, match="spherical or free joints 'root'"):
        sd.load("free_flyer").mass_matrix_curvature(sd.load("free_flyer").neutral())
