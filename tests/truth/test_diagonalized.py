"""Paper 000: rates and forces in which nothing couples, their Coriolis terms, Algorithm 8.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import random_state
from random_robots import ALL_KINDS, model_of_every_kind, random_model
from soadyn.theory.oracle.dense_robot import DenseRobot

ROOTS = ("cholesky", "symmetric")
VARIANTS = {
    "every kind": lambda rng: model_of_every_kind(),
    "fixed": lambda rng: random_model(rng, 8),
    "free": lambda rng: random_model(rng, 7, root="free"),
    "fixed with armature": lambda rng: random_model(rng, 9, armature=True),
    "free with armature": lambda rng: random_model(rng, 8, root="free", armature=True),
    "massless": lambda rng: random_model(rng, 8, armature=True, massless=0.5),
    "star": lambda rng: random_model(rng, 6, shape="star", root="free", armature=True),
    **{kind: lambda rng, kind=kind: random_model(rng, 4, kinds=[kind], armature=True) for kind in ALL_KINDS},
}
STEP = 1e-30


@pytest.fixture(params=VARIANTS)
def case(request: pytest.FixtureRequest, rng: np.random.Generator) -> tuple[sd.Robot, dict[str, Any]]:
    robot = sd.Robot(VARIANTS[request.param](rng))
    return robot, random_state(rng, robot)


def size(*vectors: Any) -> float:
    return max(float(np.abs(x).max()) for x in vectors)


def along_the_flow(robot: sd.Robot, s: dict[str, Any], quantity: str, **options: Any) -> np.ndarray:
    """The time derivative of a function of (q, v) while the robot moves by its equations of motion: a complex step."""
    reference: Any = robot.with_backend("numpy")
    a = robot.forward_dynamics(s["q"], s["v"], s["tau"], s["external"])
    q = reference.integrate(s["q"], 1j * STEP * s["v"])
    return getattr(reference, quantity)(q, s["v"] + 1j * STEP * a, **options).imag / STEP


def forces_at_rest(robot: sd.Robot, s: dict[str, Any]) -> np.ndarray:
    """The joint forces left by gravity and the wrenches."""
    still = np.zeros(robot.nv)
    return s["tau"] - robot.inverse_dynamics(s["q"], still, still, s["external"])


def dense_root(robot: sd.Robot, q: np.ndarray, square_root: str) -> np.ndarray:
    """m with m m* = Mass, from the dense oracle's factors and numpy.linalg."""
    dense = DenseRobot(robot.model, q)
    L = np.zeros_like(dense.D)
    start = 0
    for joint in robot.model.joints:
        at = slice(start, start := start + joint.behaviour.nv)
        w, R = np.linalg.eigh(dense.D[at, at])
        L[at, at] = (R * np.sqrt(w)) @ R.T if square_root == "symmetric" else np.linalg.cholesky(dense.D[at, at])
    return dense.U @ L


@pytest.mark.parametrize("square_root", ROOTS)
def test_000_tables_1_and_2_are_those_of_the_dense_root(case: Any, square_root: str) -> None:
    robot, s = case
    m = dense_root(robot, s["q"], square_root)
    option = {"square_root": square_root}
    assert np.allclose(robot.normalized_rates(s["q"], s["v"], **option), m.T @ s["v"], rtol=0, atol=1e-11 * size(m))
    expected = np.linalg.solve(m, s["tau"])
    assert np.allclose(
        robot.normalized_forces(s["q"], s["tau"], **option), expected, rtol=0, atol=1e-10 * size(expected)
    )


@pytest.mark.parametrize("square_root", ROOTS)
@pytest.mark.heavy
def test_000_tables_1_and_2_there_and_back(case: Any, square_root: str) -> None:
    robot, s = case
    q, v, tau, option = s["q"], s["v"], s["tau"], {"square_root": square_root}
    there = robot.normalized_rates(q, v, **option), robot.normalized_forces(q, tau, **option)
    for found, given in (
        (robot.rates_from_normalized(q, there[0], **option), v),
        (robot.forces_from_normalized(q, there[1], **option), tau),
        (robot.rates_from_total(q, robot.total_rates(q, v)), v),
        (robot.forces_from_working(q, robot.working_forces(q, tau)), tau),
    ):
        assert np.abs(found - given).max() <= 1e-12 * size(given)
    assert abs(there[0] @ there[1] - v @ tau) <= 1e-12 * np.linalg.norm(there[0]) * np.linalg.norm(there[1])


@pytest.mark.parametrize("square_root", ROOTS)
def test_000_eq_1_2_the_kinetic_energy_is_a_sum_of_squares(case: Any, square_root: str) -> None:
    robot, s = case
    nu = robot.normalized_rates(s["q"], s["v"], square_root=square_root)
    energy = robot.kinetic_energy(s["q"], s["v"])
    assert abs(nu @ nu / 2 - energy) <= 1e-14 * energy
    xi, (_, D) = robot.total_rates(s["q"], s["v"]), robot.mass_matrix_factors(s["q"])
    assert abs(xi @ D @ xi / 2 - energy) <= 1e-14 * energy


@pytest.mark.parametrize("square_root", ROOTS)
@pytest.mark.heavy
def test_000_lemma_3_1_normalized_equations_of_motion(case: Any, square_root: str) -> None:
    robot, s = case
    option = {"square_root": square_root}
    nu_dot = along_the_flow(robot, s, "normalized_rates", **option)
    C = robot.normalized_bias(s["q"], s["v"], **option)
    epsilon = robot.normalized_forces(s["q"], forces_at_rest(robot, s), **option)
    assert np.abs(nu_dot + C - epsilon).max() <= 1e-11 * size(nu_dot, C, epsilon)


@pytest.mark.parametrize("square_root", ROOTS)
def test_000_lemma_7_1_the_coriolis_term_does_no_work(case: Any, square_root: str) -> None:
    robot, s = case
    nu = robot.normalized_rates(s["q"], s["v"], square_root=square_root)
    C = robot.normalized_bias(s["q"], s["v"], square_root=square_root)
    assert abs(nu @ C) <= 1e-14 * np.linalg.norm(nu) * np.linalg.norm(C)


def test_000_lemma_7_3_unnormalized_equations_of_motion(case: Any) -> None:
    robot, s = case
    inertial = robot.mass_matrix_factors(s["q"])[1] @ along_the_flow(robot, s, "total_rates")
    C, kappa = robot.total_bias(s["q"], s["v"]), robot.working_forces(s["q"], forces_at_rest(robot, s))
    assert np.abs(inertial + C - kappa).max() <= 1e-11 * size(inertial, C, kappa)


def test_000_algorithm_8_1_gives_the_total_accelerations(case: Any) -> None:
    robot, s = case
    xi_dot = along_the_flow(robot, s, "total_rates")
    found = robot.total_accelerations(s["q"], s["v"], s["tau"], s["external"])
    assert np.abs(found - xi_dot).max() <= 1e-11 * size(xi_dot)


def test_000_section_1_one_rigid_body_has_eulers_equations() -> None:
    b = sd.Builder("body")
    J = np.diag([1.0, 2.0, 3.0])
    b.link("body", sd.Body(1.0, inertia=J), joint="spherical")
    body, omega = sd.build(b), np.array([0.3, -0.5, 0.7])
    nu = body.normalized_rates(body.neutral(), omega)
    assert np.allclose(nu, np.sqrt(J) @ omega, rtol=0, atol=1e-15)
    C = body.normalized_bias(body.neutral(), omega)
    assert np.allclose(np.sqrt(J) @ C, np.cross(omega, J @ omega), rtol=0, atol=1e-15)


def test_000_algorithm_8_1_takes_one_walk_outward_and_one_inward() -> None:
    text = sd.explain("total_accelerations")
    walks = [line for line in text.splitlines() if line.startswith("for ")]
    assert [("1 ... n" in line or "1 to n" in line) for line in walks] == [False, True], walks


def test_the_square_root_must_be_known() -> None:
    with pytest.raises(sd.SoadynError, match='square_root must be "cholesky" or "symmetric"'):
        sd.load("planar_two_link").normalized_rates([0.0, 0.0], [1.0, 1.0], square_root="lower")


def test_roots_differ_for_joints_of_several_components_only(rng: np.random.Generator) -> None:
    for kinds, same in ((["revolute", "prismatic"], True), (["spherical"], False)):
        robot = sd.Robot(random_model(rng, 3, kinds=kinds))
        s = random_state(rng, robot)
        one, other = (robot.normalized_rates(s["q"], s["v"], square_root=root) for root in ROOTS)
        assert np.allclose(one, other, rtol=1e-12) is same
