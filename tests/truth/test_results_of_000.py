"""The list of the results of 000, their tests; Lagrange's forms."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import soadyn as sd
from random_robots import random_model
from results_000 import RESULTS

TESTS = Path(__file__).resolve().parents[1]
HOLONOMIC = ("revolute", "prismatic", "helical", "cylindrical", "planar", "universal")


def test_every_result_of_000_has_its_test_or_the_reason_why_not() -> None:
    written = {
        name
        for file in TESTS.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    done = [result for result in RESULTS if not result.open]
    assert {result.test for result in done} <= written
    assert {name for name in written if name.startswith("test_000_")} >= {
        result.test for result in done if result.test.startswith("test_000_")
    }
    assert all(result.call for result in done)
    for result in RESULTS:
        for name in re.findall(r"\b([a-z_]+)(?=\(q[,)])", result.call):
            assert hasattr(sd.Robot, name), result


def state(rng: np.random.Generator) -> tuple[sd.Robot, np.ndarray, np.ndarray]:
    robot = sd.Robot(random_model(rng, 5, kinds=HOLONOMIC, armature=True))
    return robot, robot.random_configuration(rng), rng.standard_normal(robot.nv)


def half_gradient(robot: sd.Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """½ col(θ̇* 𝓜_θi θ̇)."""
    return 0.5 * np.einsum("ijk,i,j->k", robot.mass_matrix_sensitivities(q), v, v)


def test_000_eq_2_1_lagranges_coriolis_term(rng: np.random.Generator) -> None:
    robot, q, v = state(rng)
    expected = robot.mass_matrix_rate(q, v) @ v - half_gradient(robot, q, v)
    found = robot.bias_force(q, v) - robot.gravity_force(q)
    assert np.abs(found - expected).max() < 1e-12 * max(1.0, np.abs(expected).max())


def test_000_eq_3_2_the_coriolis_term_by_the_rate_of_the_root(rng: np.random.Generator) -> None:
    robot, q, v = state(rng)
    nu, m_rate = robot.normalized_rates(q, v), robot.jvp("mass_matrix_root", (q,), (v,))[1]
    expected = robot.normalized_forces(q, m_rate @ nu - half_gradient(robot, q, v))
    assert np.abs(robot.normalized_bias(q, v) - expected).max() < 1e-11 * max(1.0, np.abs(expected).max())


def test_000_lemma_7_2_the_energy_changes_by_the_power(rng: np.random.Generator) -> None:
    robot, q, v = state(rng)
    robot = robot.with_gravity([0, 0, 0])
    tau = rng.standard_normal(robot.nv)
    a = robot.forward_dynamics(q, v, tau)
    rate = robot.jvp("kinetic_energy", (q, v), (v, a))[1]
    power = robot.normalized_rates(q, v) @ robot.normalized_forces(q, tau)
    assert abs(rate - power) < 1e-11 * max(1.0, abs(power))
    assert abs(power - v @ tau) < 1e-12 * max(1.0, np.abs(v * tau).sum())


def test_000_section_2_christoffel_symbols(rng: np.random.Generator) -> None:
    robot, q, v = state(rng)
    coriolis = np.einsum("ijk,j,k->i", robot.christoffel_symbols(q), v, v)
    expected = robot.bias_force(q, v) - robot.gravity_force(q)
    assert np.abs(coriolis - expected).max() < 1e-12 * max(1.0, np.abs(expected).max())


def test_000_section_5_what_the_rates_mean(rng: np.random.Generator) -> None:
    """ξ(k) is the rate that joint k would take on if those inside it were stopped dead: all beyond it moves freely."""
    arm = sd.Robot(random_model(rng, 4, kinds=("revolute", "prismatic"), shape="serial"))
    q, v = arm.random_configuration(rng), rng.standard_normal(arm.nv)
    M = arm.mass_matrix(q)
    xi = arm.total_rates(q, v)
    for k in range(arm.nv):
        # an impulse on joints 0 ... k-1 that stops them; joints from k on feel none
        stopped = v.copy()
        stopped[:k] = 0.0
        stopped[k:] = np.linalg.solve(M[k:, k:], M[k:] @ v)
        assert abs(stopped[k] - xi[k]) < 1e-11 * max(1.0, abs(xi[k]))
