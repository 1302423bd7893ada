"""The four forward dynamics of 001 section VII as operator equations, computed as they are written."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.algebra import B, D, G, H, I_joint, M, P, T, a, a_tip, alpha, b, inv, phi, psi, psi_tilde, tau_bar
from soadyn.algebra.expressions import Expression
from soadyn.robot import Robot
from soadyn.theory.literature.parts import PSI
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

A_INVERSE = I_joint - H @ PSI @ G


def algorithm_1() -> Expression:
    """(47), (48)."""
    T_1 = sd.vector("T_1", T - H @ phi @ (M @ phi.T @ a + b))
    return A_INVERSE.T @ inv(D) @ A_INVERSE @ T_1


def algorithm_2() -> Expression:
    """(55)-(57)."""
    T_1 = sd.vector("T_1", T - H @ phi @ (M @ phi.T @ a + b))
    nu = inv(D) @ A_INVERSE @ T_1
    return B.T @ (tau_bar.T @ PSI.T @ H.T @ nu + H.T @ nu + phi.T @ a) + a_tip


def algorithm_3() -> Expression:
    """(60)-(62)."""
    zeta = sd.vector("zeta", M @ phi.T @ a + b)
    epsilon = sd.vector("epsilon", T - H @ PSI @ (G @ T + tau_bar @ zeta) - H @ zeta)
    return A_INVERSE.T @ inv(D) @ epsilon


def algorithm_4() -> Expression:
    """(66)-(68). (66) is V, of which a and b are made. (67) in a form that also holds with armature."""
    nu = sd.vector("nu", inv(D) @ (A_INVERSE @ T - H @ psi_tilde @ P @ a - H @ psi @ b))
    return A_INVERSE.T @ nu - G.T @ PSI.T @ tau_bar.T @ a - G.T @ a


ALGORITHMS = {algorithm_1: 4, algorithm_2: 4, algorithm_3: 3, algorithm_4: 3}


@cache
def arm_named(name: str) -> Robot:
    if name == "ur5":
        return sd.load("ur5").with_backend("numpy")
    return Robot(random_model(np.random.default_rng(8), 9, root="free", armature=True), backend="numpy")


@pytest.mark.parametrize("robot", ["ur5", "tree"])
@pytest.mark.parametrize(("algorithm", "sweeps"), ALGORITHMS.items(), ids=lambda x: getattr(x, "__name__", str(x)))
def test_an_algorithm_takes_as_many_sweeps_as_the_paper_says_and_is_right(algorithm, sweeps, robot):
    arm = arm_named(robot)
    rng = np.random.default_rng(1)
    q, v, tau = arm.random_configuration(rng), rng.normal(size=arm.nv), rng.normal(size=arm.nv)
    expected = arm.forward_dynamics(q, v, tau)
    frames = ()
    if algorithm is algorithm_2:
        frames = [arm.link_names[-1]]
        expected = dense_value(B.T @ alpha, DenseRobot(arm.model, q, v), None, frames, {"theta_ddot": expected})
    f = sd.compile(algorithm(), arm, frames=frames, as_written=True)
    assert f.sweeps == sweeps
    assert abs(f(q, v, tau) - expected).max() <= 1e-11 * abs(expected).max()


def test_without_as_written_the_equations_are_one_formula():
    """However forward dynamics is written, the form that is found costs nearly the same, and is right."""
    arm = arm_named("ur5")
    forms = [sd.compile(algorithm(), arm) for algorithm in (algorithm_1, algorithm_3, algorithm_4)]
    assert {form.signature for form in forms} == {"f(q, v, T) -> joint motion (6,)"}
    assert {form.sweeps for form in forms} == {3}
    operations = [sum(form.operation_counts().values()) for form in forms]
    assert max(operations) <= 1.01 * min(operations)
    rng = np.random.default_rng(2)
    q, v, tau = arm.random_configuration(rng), rng.normal(size=6), rng.normal(size=6)
    expected = arm.forward_dynamics(q, v, tau)
    for form in forms:
        assert abs(form(q, v, tau) - expected).max() <= 1e-11 * abs(expected).max()
