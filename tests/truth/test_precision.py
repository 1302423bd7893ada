"""The reference on other numbers: complex, long double and mpmath; and what float64 loses."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import soadyn as sd
from agreement import norm, random_state
from corpus import loadable_urdfs, pin_model, short_name
from every_quantity import called
from random_robots import random_model
from soadyn.quantities import QUANTITIES

EPS = np.finfo(float).eps
DIGITS = 50


def exact(x: Any) -> np.ndarray:
    """Float64 numbers as mpmath numbers of the same value."""
    return np.array([mpmath.mpf(float(value)) for value in np.ravel(x)], dtype=object).reshape(np.shape(x))


# Two run others for every unit vector, two have no answer on most random trees (tests/truth/test_links.py).
LEFT_OUT = ("christoffel_symbols", "mass_matrix_sensitivities", "operational_inertia", "operational_bias")


def main_quantities(robot: sd.Robot, s: dict[str, Any]) -> dict[str, np.ndarray]:
    """Every quantity of the table, in whatever kind of number q, v, a, tau come."""
    names = [name for name in QUANTITIES if name not in LEFT_OUT]
    found = {f"{name} {i}": np.asarray(x) for name in names for i, x in enumerate(called(robot, name, s))}
    found["momentum about the origin"] = robot.momentum(s["q"], s["v"])
    found["symmetric bias"] = robot.normalized_bias(s["q"], s["v"], square_root="symmetric")
    return found


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_long_double_carries_more_digits_through_every_quantity(root: str, rng: np.random.Generator) -> None:
    if np.finfo(np.longdouble).eps > 1e-18:
        pytest.skip("long double is double here")
    robot = sd.Robot(random_model(rng, 9, root=root, armature=True))
    state = random_state(rng, robot, (2,))
    long = main_quantities(robot, {name: x.astype(np.longdouble) for name, x in state.items()})
    with mpmath.workdps(DIGITS):
        true = main_quantities(robot, {name: exact(x) for name, x in state.items()})
        for name, x in long.items():
            assert x.dtype == np.longdouble, name
            y = true[name]
            scale = max(1.0, float(max(abs(y).max(), 1)))
            off = max(abs(mpmath.mpf(str(p)) - q) for p, q in zip(x.ravel(), y.ravel(), strict=True))
            assert off <= 1e-16 * scale, f"{name}: {float(off / scale):.1e}"


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_float64_agrees_with_fifty_digits_in_every_quantity(root: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 12, root=root, armature=True))
    state = random_state(rng, robot)
    plain = main_quantities(robot, state)
    with mpmath.workdps(DIGITS):
        true = main_quantities(robot, {name: exact(x) for name, x in state.items()})
    for name, x in plain.items():
        y = np.asarray(true[name], dtype=object).astype(float)
        assert np.abs(x - y).max() <= 1e-11 * max(1.0, np.abs(y).max()), name


def test_mpmath_results_have_fifty_digits(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, root="free", armature=True))
    with mpmath.workdps(DIGITS):
        s = {name: exact(x) for name, x in random_state(rng, robot).items()}
        a = robot.forward_dynamics(s["q"], s["v"], s["tau"], s["external"])
        residual = robot.inverse_dynamics(s["q"], s["v"], a, s["external"]) - s["tau"]
        assert all(isinstance(x, mpmath.mpf) for x in a)
        assert max(abs(residual)) < mpmath.mpf(10) ** -(DIGITS - 8)


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_a_complex_step_is_the_derivative_of_every_quantity(root: str, rng: np.random.Generator) -> None:
    """Im f(x + i h dx) / h against a central difference in fifty digits, all arguments moving at once."""
    robot = sd.Robot(random_model(rng, 5, root=root, armature=True))
    state = random_state(rng, robot)
    change = {name: rng.standard_normal(x.shape) for name, x in state.items()}
    h = 1e-150
    stepped = main_quantities(robot, {name: x + 1j * h * change[name] for name, x in state.items()})
    with mpmath.workdps(60):
        step = mpmath.mpf(10) ** -20
        ends = []
        for sign in (1, -1):
            moved = {name: exact(x) + sign * step * exact(change[name]) for name, x in state.items()}
            ends.append(main_quantities(robot, moved))
        for name, x in stepped.items():
            difference = np.asarray((ends[0][name] - ends[1][name]) / (2 * step), dtype=object).astype(float)
            assert np.abs(x.imag / h - difference).max() <= 1e-10 * max(1.0, np.abs(difference).max()), name


def test_complex_step_derivatives_of_forward_dynamics_agree_with_pinocchios(rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    path = next(path for path in loadable_urdfs() if short_name(path) == "ur/ur5_robot")
    robot, model = sd.load(path), pin_model(path)
    order = [model.joints[model.getJointId(name)].idx_v for name in robot.joint_names]
    data, h = model.createData(), 1e-100
    for _ in range(20):
        s = random_state(rng, robot)
        q, v, tau = (np.zeros(6) for _ in range(3))
        q[order], v[order], tau[order] = s["q"], s["v"], s["tau"]
        pin.computeABADerivatives(model, data, q, v, tau)
        steps = 1j * h * np.eye(6)
        found = {
            "q": robot.forward_dynamics(s["q"] + steps, s["v"], s["tau"]),
            "v": robot.forward_dynamics(s["q"], s["v"] + steps, s["tau"]),
            "tau": robot.forward_dynamics(s["q"], s["v"], s["tau"] + steps),
        }
        minv = np.triu(data.Minv) + np.triu(data.Minv, 1).T
        for name, theirs in (("q", data.ddq_dq), ("v", data.ddq_dv), ("tau", minv)):
            ours = found[name].imag.T / h
            expected = theirs[np.ix_(order, order)]
            assert np.abs(ours - expected).max() <= 1e-9 * max(1.0, np.abs(expected).max()), name


def backward_residual(robot: sd.Robot, s: dict[str, Any]) -> float:
    """|M a + c - tau| / (|M||a| + |tau| + |c|), the numerator in fifty digits."""
    a = robot.forward_dynamics(s["q"], s["v"], s["tau"])
    with mpmath.workdps(DIGITS):
        numerator = robot.inverse_dynamics(exact(s["q"]), exact(s["v"]), exact(a)) - exact(s["tau"])
        top = float(max(abs(numerator)))
    M, c = robot.mass_matrix(s["q"]), robot.bias_force(s["q"], s["v"])
    return top / (norm(M) * norm(a) + norm(s["tau"]) + norm(c))


@pytest.mark.parametrize("n", [10, 100, 300])
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_forward_dynamics_of_a_long_chain_is_backward_stable(n: int, root: str, rng: np.random.Generator) -> None:
    robot = sd.chain(n, root=root)
    worst = max(backward_residual(robot, random_state(rng, robot)) for _ in range(3))
    assert worst <= 50 * n * EPS


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["spherical", "universal", "planar", "prismatic", "helical"])
def test_forward_dynamics_of_chains_of_other_joints_is_backward_stable(kind: str, rng: np.random.Generator) -> None:
    robot = sd.chain(100, kind=kind)
    worst = max(backward_residual(robot, random_state(rng, robot)) for _ in range(3))
    assert worst <= 50 * 100 * EPS


def test_nan_is_found_among_mpmath_numbers() -> None:
    robot = sd.chain(2, root="free")
    with mpmath.workdps(DIGITS):
        q = exact(np.stack([robot.neutral()] * 2))
        q[1, 0] = mpmath.nan
        with pytest.warns(RuntimeWarning, match=r"1 of 2 rows came out NaN: argument 'q' is not finite"):
            M = robot.mass_matrix(q)
        assert all(mpmath.isnan(x) for x in M[1].ravel())
        assert not any(mpmath.isnan(x) for x in M[0].ravel())
