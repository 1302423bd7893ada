"""Formulas for a robot some of whose constants are arguments."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import B, D_p, H, H_a, M, Omega, P, T, V, a, b, inv, mass, phi, psi, theta_ddot

GRAVITY = [0.0, 0.0, -9.81]
FORWARD = inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b))


@pytest.fixture(params=["numpy", "auto"])
def arm(request) -> sd.Robot:
    return sd.load("ur5").with_backend(request.param)


@pytest.fixture
def state(arm) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    names = ("v", "T", "theta_ddot", "f_tip")
    return {"q": arm.random_configuration(rng), **{name: rng.normal(size=6) for name in names}}


@pytest.mark.heavy(2)
def test_a_formula_takes_the_constants_last(arm, state):
    parametric = arm.parametric("tool0.mass", "gravity")
    f = sd.compile(FORWARD, parametric)
    assert f.signature == "f(q, v, T, tool0_mass, gravity) -> joint motion (6,)"
    q, v, tau = state["q"], state["v"], state["T"]
    for m in (0.0, 2.0):
        expected = parametric.forward_dynamics(q, v, tau, m, GRAVITY)
        assert np.allclose(f(q, v, tau, m, GRAVITY), expected, rtol=1e-9)
        assert np.allclose(f(q, v=v, T=tau, gravity=GRAVITY, tool0_mass=m), expected, rtol=1e-9)
    masses = np.linspace(0.0, 3.0, 5)
    many = f(q, v, tau, masses, GRAVITY)
    assert many.shape == (5, 6)
    assert np.allclose(many, parametric.forward_dynamics(q, v, tau, masses, GRAVITY), rtol=1e-9)


@pytest.mark.heavy(2)
def test_an_operator_is_called_with_them(arm, state):
    parametric = arm.parametric("tool0.mass")
    for X, quantity in ((mass, "mass_matrix"), (inv(mass), "mass_matrix_inverse")):
        f = sd.compile(X, parametric)
        assert f.signature.startswith("f(q, tool0_mass) -> operator 6 x 6")
        masses = np.array([0.5, 2.0])
        found = f(state["q"], masses)
        expected = getattr(parametric, quantity)(state["q"], masses)
        assert found.shape == expected.shape == (2, 6, 6)
        assert np.allclose(found.dense(), expected, rtol=1e-9)
        assert np.allclose(found @ state["T"], expected @ state["T"], rtol=1e-9)
        assert np.allclose(found.T.dense(), expected.swapaxes(-1, -2), rtol=1e-9)
    single = sd.compile(mass, parametric)(state["q"], 2.0)
    assert np.allclose(single.linear_operator() @ state["T"], single.dense() @ state["T"])
    with pytest.raises(sd.ShapeError, match=r"no batch axes; this one has \(2,\)"):
        sd.compile(mass, parametric)(state["q"], masses).linear_operator()


@pytest.mark.heavy(2)
def test_operational_points_and_passive_joints_have_them_too(arm, state):
    parametric = arm.parametric("tool0.mass", "elbow_joint.position")
    values = (1.5, [0.1, 0.2, -0.4])
    q = state["q"]
    tip = sd.compile(B.T @ V, parametric, frames=["tool0"])
    assert np.allclose(tip(q, state["v"], *values), parametric.frame_velocity(q, state["v"], "tool0", *values))
    Lambda = sd.compile(inv(B.T @ Omega @ B), parametric, frames=["tool0"])(q, *values)
    inverse = parametric.operational_inertia_inverse(q, "tool0", *values)
    assert np.allclose(Lambda @ (inverse @ state["f_tip"]), state["f_tip"], rtol=1e-6)
    passive = ["elbow_joint"]
    J_G = sd.compile(B.T @ (psi.T - Omega @ P) @ H_a.T, parametric, passive=passive, frames=["tool0"])(q, *values)
    assert np.allclose(J_G.dense(), parametric.generalized_jacobian(q, "tool0", *values, passive=passive))
    assert sd.compile(D_p, parametric, passive=passive)(q, *values).dense().shape == (1, 1)


@pytest.mark.heavy(2)
def test_constants_that_a_formula_does_not_read_are_taken_all_the_same(arm, state):
    f = sd.compile(mass @ theta_ddot, arm.parametric("gravity"))
    many = f(state["q"], state["theta_ddot"], [GRAVITY, GRAVITY])
    assert np.allclose(many, arm.mass_matrix(state["q"]) @ state["theta_ddot"])


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [((), sd.ArgumentError, "without tool0_mass"), ((-1.0,), sd.ArgumentError, "a mass must be zero or more")],
)
def test_their_values_are_checked(values, error, words, arm, state):
    f = sd.compile(mass, arm.parametric("tool0.mass"))
    with pytest.raises(error, match=words):
        f(state["q"], *values)


@pytest.mark.heavy(2)
def test_what_needs_fixed_constants_is_refused(arm, tmp_path):
    parametric = arm.parametric("tool0.mass")
    with pytest.raises(sd.SpaceError, match="no recursion"):
        sd.compile(inv(M + P), parametric, dense=True)
    with pytest.raises(sd.ArgumentError, match="has the name of the robot's parameter"):
        sd.compile(T - sd.vector("tool0_mass", "joint force"), parametric)
    with pytest.raises(sd.ArgumentError, match="constants are written out in C"):
        sd.export_c(sd.compile(FORWARD, parametric), tmp_path / "f.c")
