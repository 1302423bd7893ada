"""Derivatives of the dynamics: against Pinocchio, complex steps of the dynamics themselves, and physics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import largest, random_state
from corpus import loadable_urdfs, pin_model, short_name
from random_robots import random_model
from soadyn.interop import Pinocchio

STEP = 1e-30
VARIANTS = {
    "fixed": {},
    "free": {"root": "free"},
    "armature": {"armature": True},
    "free with armature": {"root": "free", "armature": True},
    "planar": {"kinds": ["planar", "revolute", "planar", "spherical"], "armature": True},
}
# Arms, hands, dogs, humanoids, a wheeled base, a flying arm.
CORPUS = (
    "ur/ur5_robot",
    "panda/panda",
    "kinova/kinova",
    "talos_data/talos_reduced",
    "anymal_b_simple/anymal",
    "hyq/hyq_no_sensors",
    "allegro_hand/allegro_left_hand",
    "tiago/tiago_no_hand",
    "borinot/borinot_flying_arm_2",
    "icub/icub_reduced",
)


def relative(x: Any, y: Any) -> float:
    return largest(np.asarray(x) - y) / max(largest(y), 1.0)


def pinocchio_pair(name: str, root: str) -> tuple[sd.Robot, Any, Pinocchio]:
    path = next(path for path in loadable_urdfs() if short_name(path) == name)
    robot = sd.load(path, root=root)
    model = pin_model(path, free=root == "free")
    return robot, model, Pinocchio(robot, model)


def wrenches_there(robot: sd.Robot, model: Any, wrenches: np.ndarray) -> Any:
    """Our wrenches on links as Pinocchio has them: on joints, in the joint's axes, linear part first."""
    import pinocchio

    there = [pinocchio.Force.Zero() for _ in range(model.njoints)]
    for link, wrench in zip(robot.link_names, wrenches, strict=True):
        frame = model.frames[model.getFrameId(link, pinocchio.FrameType.BODY)]
        there[frame.parentJoint] += frame.placement.act(pinocchio.Force(wrench[3:], wrench[:3]))
    return pinocchio.StdVec_Force(there)


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.heavy(2)
def test_derivatives_agree_with_pinocchio(name: str, root: str, rng: np.random.Generator) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    robot, model, peer = pinocchio_pair(name, root)
    data = model.createData()
    states = random_state(rng, robot, (5,))
    for i in range(5):
        q, v, a, tau, wrenches = (states[key][i] for key in ("q", "v", "a", "tau", "external"))
        there = peer.q_to(q), peer.v_to(q, v)
        loads = wrenches_there(robot, model, wrenches)
        pinocchio.computeRNEADerivatives(model, data, *there, peer.a_to(q, v, a), loads)
        mass = np.triu(data.M) + np.triu(data.M, 1).T
        expected = [peer.matrix_from(q, x) for x in (data.dtau_dq, data.dtau_dv, mass)]
        found = robot.inverse_dynamics_derivatives(q, v, a, external=wrenches)
        assert all(relative(x, y) <= 2e-12 for x, y in zip(found, expected, strict=True))
        pinocchio.computeABADerivatives(model, data, *there, peer.force_to(q, tau), loads)
        inverse = np.triu(data.Minv) + np.triu(data.Minv, 1).T
        expected = [peer.matrix_from(q, x) for x in (data.ddq_dq, data.ddq_dv, inverse)]
        pinocchio.computeRNEADerivatives(model, data, *there, data.ddq.copy(), loads)
        sides = [peer.matrix_from(q, x) for x in (data.dtau_dq, data.dtau_dv, -np.eye(robot.nv))]
        mass = peer.matrix_from(q, mass)
        found = robot.forward_dynamics_derivatives(q, v, tau, external=wrenches)
        for x, y, side in zip(found, expected, sides, strict=True):
            assert relative(x, y) <= 1e-9 or residual(mass, x, side) <= 1e-10


def residual(mass: np.ndarray, x: np.ndarray, side: np.ndarray) -> float:
    """|Mass x + side| beside |Mass| |x| + |side|, for states at which a difference means little."""
    norm = np.linalg.norm
    return float(norm(mass @ x + side, np.inf) / (norm(mass, np.inf) * norm(x, np.inf) + norm(side, np.inf)))


def complex_steps(robot: sd.Robot, name: str, state: dict[str, Any], by: str, **options: Any) -> list[np.ndarray]:
    """The derivatives of a quantity's results by an argument, column by column, to rounding."""
    directions = 1j * STEP * np.eye(robot.nv)
    there = robot.integrate(state["q"], directions) if by == "q" else state[by] + directions
    results = getattr(robot, name)(**{**state, by: there}, **options)
    parts = results if isinstance(results, tuple) else (results,)
    return [np.moveaxis(part.imag, 0, -1) / STEP for part in parts]


def chosen(state: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: state[name] for name in names}


@pytest.mark.parametrize("n", [1, 5, 11])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy
def test_derivatives_are_what_complex_steps_give(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    for which, last in (("inverse", "a"), ("forward", "tau")):
        state = chosen(random_state(rng, robot), "q", "v", last, "external")
        found = getattr(robot, f"{which}_dynamics_derivatives")(**state)
        for by, x in zip(("q", "v", last), found, strict=True):
            (expected,) = complex_steps(robot, f"{which}_dynamics", state, by)
            assert relative(x, expected) <= 1e-9, (which, by)


@pytest.mark.parametrize("n", [2, 7])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy(2)
def test_hybrid_derivatives_are_what_complex_steps_give(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    state = chosen(random_state(rng, robot), "q", "v", "a", "tau", "external")
    for passive in (rng.random(robot.nv) < 0.5, np.ones(robot.nv, dtype=bool), np.zeros(robot.nv, dtype=bool)):
        found = robot.hybrid_dynamics_derivatives(**state, passive=passive)
        for i, by in enumerate(("q", "v", "a", "tau")):
            expected = complex_steps(robot, "hybrid_dynamics", state, by, passive=passive)
            for x, y in zip(found, expected, strict=True):
                assert relative(x[i], y) <= 1e-9, by


def test_hybrid_derivatives_take_a_passive_set_for_each_state(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, root="free", armature=True))
    states = chosen(random_state(rng, robot, (3,)), "q", "v", "a", "tau", "external")
    masks = rng.random((3, robot.nv)) < 0.5
    found = robot.hybrid_dynamics_derivatives(**states, passive=masks)
    for i in range(3):
        one = {name: x[i] for name, x in states.items()}
        expected = robot.hybrid_dynamics_derivatives(**one, passive=masks[i])
        for several, single in zip(found, expected, strict=True):
            assert all(relative(x[i], y) <= 1e-13 for x, y in zip(several, single, strict=True))


def test_a_free_root_feels_gravity_alone(rng: np.random.Generator) -> None:
    model = random_model(rng, 6, root="free", gravity=(0.0, 0.0, 0.0))
    robot = sd.Robot(model)
    state = chosen(random_state(rng, robot), "q", "v", "tau", "external")
    dq, _, _ = robot.forward_dynamics_derivatives(**state)
    assert largest(dq[:, :6]) <= 1e-11 * largest(dq)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_coriolis_matrix_is_that_of_the_mass_matrix(variant: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, **VARIANTS[variant]))
    state = random_state(rng, robot)
    q, v = state["q"], state["v"]
    C = robot.coriolis_matrix(q, v)
    rate = robot.mass_matrix(robot.integrate(q, 1j * STEP * v)).imag / STEP
    skew = rate - 2 * C
    assert largest(skew + skew.T) <= 1e-13 * largest(rate)
    assert relative(C @ v, robot.with_gravity([0, 0, 0]).bias_force(q, v)) <= 1e-13
    gamma, sensitivities = robot.christoffel_symbols(q), robot.mass_matrix_sensitivities(q)
    assert relative(gamma @ v, C) <= 1e-13
    (expected,) = complex_steps(robot, "mass_matrix", {"q": q}, "q")
    assert relative(sensitivities, expected) <= 1e-12


def test_half_of_the_derivative_by_v_is_not_the_coriolis_matrix(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, kinds=["spherical"], root="free"))
    state = random_state(rng, robot)
    _, dv, _ = robot.inverse_dynamics_derivatives(state["q"], state["v"], np.zeros(robot.nv))
    assert relative(dv @ state["v"] / 2, robot.coriolis_matrix(state["q"], state["v"]) @ state["v"]) <= 1e-13
    assert relative(dv / 2, robot.coriolis_matrix(state["q"], state["v"])) > 0.01


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_log_determinant_is_that_of_the_mass_matrix(variant: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, **VARIANTS[variant]))
    q = random_state(rng, robot, (4,))["q"]
    sign, expected = np.linalg.slogdet(robot.mass_matrix(q))
    assert (sign == 1).all()
    assert largest(robot.mass_matrix_log_determinant(q) - expected) <= 1e-11
    # its gradient is tr(Mass^-1 dMass/dq)
    directions = 1j * STEP * np.eye(robot.nv)
    found = robot.mass_matrix_log_determinant(robot.integrate(q[0], directions)).imag / STEP
    traces = np.einsum("ij,jik->k", robot.mass_matrix_inverse(q[0]), robot.mass_matrix_sensitivities(q[0]))
    assert relative(found, traces) <= 1e-9


def test_tied_mimic_joints_have_derivatives_too(rng: np.random.Generator) -> None:
    path = next((path for path in loadable_urdfs() if short_name(path) == "panda/panda"), None)
    if path is None:
        pytest.skip("example-robot-data is not installed")
    robot = sd.load(path, mimic="tie")
    assert robot.nv < sd.load(path, mimic="independent").nv
    state = random_state(rng, robot)
    for which, last in (("inverse", "a"), ("forward", "tau")):
        given = chosen(state, "q", "v", last, "external")
        found = getattr(robot, f"{which}_dynamics_derivatives")(**given)
        for by, x in zip(("q", "v", last), found, strict=True):
            (expected,) = complex_steps(robot, f"{which}_dynamics", given, by)
            assert relative(x, expected) <= 1e-9
    given = chosen(state, "q", "v", "a", "tau", "external")
    mask = np.arange(robot.nv) % 2 == 0
    both = robot.hybrid_dynamics_derivatives(**given, passive=mask)
    for i, by in enumerate(("q", "v", "a", "tau")):
        expected = complex_steps(robot, "hybrid_dynamics", given, by, passive=mask)
        assert all(relative(x[i], y) <= 1e-9 for x, y in zip(both, expected, strict=True))
    _, expected = np.linalg.slogdet(robot.mass_matrix(state["q"]))
    assert abs(robot.mass_matrix_log_determinant(state["q"]) - expected) <= 1e-11
    assert (
        relative(robot.christoffel_symbols(state["q"]) @ state["v"], robot.coriolis_matrix(state["q"], state["v"]))
        <= 1e-12
    )


def test_derivatives_by_velocity_are_asked_for_together(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, root="free"))
    state = random_state(rng, robot, (3,))
    wanted = ("coriolis_matrix", "mass_matrix", "christoffel_symbols", "mass_matrix_log_determinant")
    s = robot.at(state["q"], state["v"], together=wanted)
    assert relative(s.coriolis_matrix, robot.coriolis_matrix(state["q"], state["v"])) <= 1e-13
    assert relative(s.christoffel_symbols, robot.christoffel_symbols(state["q"])) <= 1e-13
    assert relative(s.mass_matrix_log_determinant, robot.mass_matrix_log_determinant(state["q"])) <= 1e-13
