"""Derivatives of compiled formulas against complex steps of the same formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.algebra import D_p, H, H_a, H_p, K, M, P, T, T_p, V, a, b, f_x, inv, mass, phi, psi, theta_dot

STEP = 1e-30
wind = sd.vector("wind", "link force")

FORMULAS = {
    "forward dynamics": inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b - f_x)),
    "innovations": H @ psi @ K @ T,
    "energy": V.T @ M @ V / 2,
    "articulated": P @ phi.T @ H.T @ theta_dot,
    "a user's vector": H @ phi @ (b + wind),
    "two results": [H @ phi @ M @ V, V],
}


def directions(at: list[np.ndarray], nv: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.standard_normal((*x.shape[:-1], nv) if i == 0 else x.shape) for i, x in enumerate(at)]


def check(f: Any, robot: sd.Robot, at: list[np.ndarray], rng: np.random.Generator) -> None:
    along = directions(at, robot.nv, rng)
    q = robot.integrate(at[0].astype(complex), 1j * STEP * along[0])
    stepped = f(q, *(x + 1j * STEP * d for x, d in zip(at[1:], along[1:], strict=True)))
    value, rate = f.jvp(at, along)
    listed = value if isinstance(value, tuple) else (value,)
    weights = tuple(rng.standard_normal(np.shape(x)) for x in listed)
    _, cotangents = f.vjp(at, weights if isinstance(value, tuple) else weights[0])
    rates, expected = (x if isinstance(x, tuple) else (x,) for x in (rate, stepped))
    for x, y in zip(rates, expected, strict=True):
        assert np.abs(x - y.imag / STEP).max() <= 1e-9 * max(1.0, np.abs(y.imag / STEP).max())
    forward = sum(np.sum(w * x) for w, x in zip(weights, rates, strict=True))
    backward = sum(np.sum(c * d) for c, d in zip(cotangents, along, strict=True))
    size = max(1.0, *(np.abs(w * x).max() for w, x in zip(weights, rates, strict=True)))
    assert abs(forward - backward) <= 1e-10 * size


def values_for(f: Any, robot: sd.Robot, rng: np.random.Generator, size: int) -> list[np.ndarray]:
    shapes = [f.setting.shape(argument.space) for argument in f.arguments[1:]]
    return [robot.random_configuration(rng, size=size), *(rng.standard_normal((size, *shape)) for shape in shapes)]


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.heavy(2)
def test_derivatives_of_formulas(name: str, backend: Any, rng: np.random.Generator) -> None:
    kinds = ("revolute", "prismatic", "planar", "spherical")
    robot = sd.Robot(random_model(rng, 4, kinds=kinds, root="free", armature=True), backend)
    f = sd.compile(FORMULAS[name], robot)
    check(f, robot, values_for(f, robot, rng, 3), rng)


def test_derivatives_of_an_operator_are_those_of_its_product_with_a_vector(rng: np.random.Generator) -> None:
    robot = sd.load("ur5")
    f = sd.compile(inv(mass), robot)
    q, x, dq = rng.standard_normal((3, 6))
    value, rate = f.jvp((q, x), (dq, None))
    stepped = f(q + 1j * STEP * dq) @ x
    assert np.abs(value - stepped.real).max() <= 1e-12 * np.abs(value).max()
    assert np.abs(rate - stepped.imag / STEP).max() <= 1e-12 * np.abs(rate).max()


def test_derivatives_with_passive_joints(rng: np.random.Generator) -> None:
    robot = sd.load("free_flyer")
    f = sd.compile([H_a @ phi @ b, H_p @ phi @ M @ phi.T @ H_p.T @ inv(D_p) @ T_p], robot, passive=["root"])
    check(f, robot, values_for(f, robot, rng, 2), rng)


def test_derivatives_by_a_robots_constants(rng: np.random.Generator) -> None:
    arm = sd.load("ur5").parametric("tool0.mass", "gravity")
    f = sd.compile(inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b)), arm)
    at = [*rng.standard_normal((3, 6)), np.array(2.0), np.array([0.0, 0.0, -9.81])]
    check(f, sd.load("ur5"), at, rng)


def test_a_formula_computed_densely_has_no_derivatives() -> None:
    formula = inv(H_p @ phi @ M @ phi.T @ H_p.T) @ T_p
    f = sd.compile(formula, sd.load("planar_two_link"), passive=["joint2"], dense=True)
    with pytest.raises(sd.ArgumentError, match="dense matrices"):
        f.jvp(([0.0, 0.0], [1.0]), (None, [1.0]))


def test_a_vector_that_cancels_has_no_derivatives() -> None:
    u = sd.vector("u", "joint force")
    f = sd.compile(T + u - u, sd.load("planar_two_link"))
    at = tuple(np.zeros((len(f.arguments), 2)))
    with pytest.raises(sd.ArgumentError, match="does not depend on 'u'"):
        f.jvp(at, at)


def test_a_formula_is_differentiated_at_all_its_arguments() -> None:
    f = sd.compile(phi.T @ H.T @ theta_dot, sd.load("planar_two_link"))
    with pytest.raises(sd.ArgumentError, match=r"is differentiated at a tuple \(q, v\); got 1 values"):
        f.vjp(([0.0, 0.0],), np.ones((2, 6)))
