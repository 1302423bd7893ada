"""diff(x, "theta"), how vectors and numbers change with all joints at once, against complex and automatic steps."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.algebra import (
    D,
    H,
    I_joint,
    K,
    M,
    P,
    T,
    V,
    V_tilde,
    Y,
    Y_delta,
    d_theta,
    diff,
    eta_delta,
    formula,
    inv,
    mass,
    phi,
    psi,
    sensitivity,
    theta_ddot,
    theta_dot,
)
from soadyn.algebra.expressions import Expression
from soadyn.algebra.velocity_operators import along
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues
from soadyn.theory.oracle.specimens import FAMILY, Specimen

STEP = 1e-25
DIFFERENTIATED: dict[str, Expression] = {
    "twice the kinetic energy": theta_dot.T @ mass @ theta_dot,
    "accelerations by the inverse": inv(mass) @ T,
    "accelerations by the filter": (I_joint - H @ psi @ K).T @ inv(D) @ (I_joint - H @ psi @ K) @ T,
    "forces": mass @ theta_ddot,
    "momenta of the links": M @ V,
    "articulated momenta": P @ V,
}


def moved(specimen: Specimen, by: np.ndarray, vectors: dict[str, np.ndarray]) -> DenseValues:
    """The arm after a small imaginary displacement."""
    robot, dense = sd.Robot(specimen.model()), specimen.robot()
    q = robot.integrate(dense.q.astype(complex), 1j * STEP * by)
    return DenseValues(DenseRobot(robot.model, q, dense.v), vectors=vectors)


@pytest.mark.parametrize("specimen", FAMILY, ids=str)
def test_000_a_differential_is_the_complex_step_along_a_displacement(specimen: Specimen) -> None:
    nv, rng = specimen.robot().nv, np.random.default_rng(specimen.seed)
    vectors = {name: rng.standard_normal(nv) for name in ("T", "theta_ddot")}
    by = rng.standard_normal(nv)
    values, after = DenseValues(specimen.robot(), vectors={**vectors, "d_theta": by}), moved(specimen, by, vectors)
    for x in DIFFERENTIATED.values():
        found, wanted = values.of(diff(x, "theta")), np.imag(after.of(x)) / STEP
        assert error(found, wanted) <= 1e-10
        assert error(found, 1.000001 * wanted) > 1e-8


@pytest.mark.parametrize("specimen", FAMILY, ids=str)
def test_000_lemma_a_3_as_a_differential(specimen: Specimen) -> None:
    """θ̇* (∂𝓜/∂θ dθ) θ̇ = 2 dθ* H Ṽ* φ M V less what turning axes do: the lemma's column, read by its entries."""
    by = np.random.default_rng(specimen.seed).standard_normal(specimen.robot().nv)
    values = DenseValues(specimen.robot(), vectors={"d_theta": by})
    column = 2 * (d_theta.T @ H @ V_tilde.T @ phi @ M @ V)
    turned = 2 * (theta_dot.T @ H @ along(Y_delta, d_theta) @ phi @ M @ V)
    assert values.apart(diff(theta_dot.T @ mass @ theta_dot, "theta"), column - turned) < 1e-12


@pytest.mark.parametrize("backend", ["numpy", "rolled"])
@pytest.mark.parametrize("name", ["twice the kinetic energy", "accelerations by the filter", "forces"])
@pytest.mark.heavy(2)
def test_compiled_differentials_are_the_automatic_ones(name: str, backend: sd.robot.Backend) -> None:
    """Between joints the derivatives of 000 and those of the components are the same."""
    specimen, x = FAMILY[-1], DIFFERENTIATED[name]
    robot, rng = sd.Robot(specimen.model(), backend=backend), np.random.default_rng(5)
    f, g = sd.compile(x, robot), sd.compile(diff(x, "theta"), robot)
    at = {argument.name: rng.standard_normal((3, robot.nv)) for argument in f.arguments[1:]}
    q, by = robot.random_configuration(rng, 3), rng.standard_normal((3, robot.nv))
    _, wanted = f.jvp((q, *at.values()), (by, *(None for _ in at)))
    assert error(g(q, **at, d_theta=by), wanted) <= 1e-11


def test_the_transpose_of_a_differential_is_the_gradient() -> None:
    arm, rng = sd.load("panda"), np.random.default_rng(7)
    q, v = arm.random_configuration(rng), rng.standard_normal(arm.nv)
    g = sd.compile(diff(theta_dot.T @ mass @ theta_dot / 2, "theta"), arm)
    at = dict(zip([argument.name for argument in g.arguments], (q, v, np.zeros(arm.nv)), strict=True))
    _, cotangents = g.vjp(tuple(at.values()), 1.0)
    _, (by_q, _) = arm.vjp("kinetic_energy", (q, v), 1.0)
    assert list(at) == ["q", "v", "d_theta"]
    assert error(cotangents[2], by_q) <= 1e-12
    columns = g(q, v, np.eye(arm.nv))
    assert error(columns, by_q) <= 1e-12


def test_the_pose_of_a_frame_moves_with_the_joints() -> None:
    arm, rng = sd.load("ur5"), np.random.default_rng(8)
    q, by = arm.random_configuration(rng), rng.standard_normal(arm.nv)
    found = sd.compile(diff(Y, "theta"), arm, frames=["tool0"], dense=True)(q, by)
    T0 = arm.pose(q.astype(complex) + 1j * STEP * by, "tool0")
    assert error(found, np.imag(T0[:3, [3, 0, 1, 2]].T.reshape(-1)) / STEP) <= 1e-12


def test_differentials_are_formulas_like_others() -> None:
    x = DIFFERENTIATED["accelerations by the filter"]
    y = diff(x, "theta")
    assert formula(str(y)) == y
    assert r"\lambda_{d\theta}" in y._repr_latex_()
    assert sd.prove(y, diff(inv(mass) @ T, "theta")).status == "proved"
    assert sd.prove(diff(M @ V, "theta"), diff(P @ V, "theta")).status == "refuted"
    told = str(sd.explain(y, sd.load("planar_two_link")))
    assert "λ_dθ" in told


@pytest.mark.parametrize("joint", ["joint1", "joint2"])
def test_along_a_unit_displacement_it_is_the_sensitivity(joint: str) -> None:
    arm = sd.load("planar_two_link")
    q, v = np.array([0.3, 0.8]), np.array([1.0, -2.0])
    unit = np.eye(2)[arm.joint_names.index(joint)]
    one = sd.compile(theta_dot.T @ sensitivity(mass, joint) @ theta_dot, arm)(q, v)
    assert error(sd.compile(diff(theta_dot.T @ mass @ theta_dot, "theta"), arm)(q, v, unit), one) <= 1e-13


def test_what_cannot_be_differentiated_is_refused() -> None:
    with pytest.raises(sd.SpaceError, match=r'differentiated by the joints, diff\(x, "theta"\), got \'theta_dot\''):
        diff(M @ V, "theta_dot")
    with pytest.raises(sd.SpaceError, match=r"diff takes a vector or a number, got an operator \(link motion -> "):
        diff(M, "theta")
    with pytest.raises(sd.SpaceError, match=r"no rate is known of a: of the vectors that are not held V has one"):
        diff(M @ sd.algebra.a, "theta")
    with pytest.raises(sd.ArgumentError, match=r"an operator made of vectors \(d_theta\)"):
        sd.compile(along(Y_delta, d_theta) @ phi, sd.load("ur5"))


@pytest.mark.parametrize(
    "x",
    [D @ d_theta, sd.vector("u", D @ d_theta), diff(mass @ theta_dot, "theta"), along(eta_delta, d_theta) @ theta_dot],
)
def test_a_formula_that_holds_the_displacement_is_refused(x: Expression) -> None:
    """The user's vector and the displacement would be one argument."""
    with pytest.raises(
        sd.SpaceError, match=r'diff takes a formula without d_theta, .* write vector\("x", "joint motion"\)'
    ):
        diff(x, "theta")


def test_a_vector_of_ones_own_is_another_argument_than_the_displacement() -> None:
    arm = sd.load("ur5")
    f = sd.compile(diff(mass @ sd.vector("x", "joint motion"), "theta"), arm)
    rng = np.random.default_rng(0)
    q, x, by = rng.normal(size=(3, 6))
    assert [argument.name for argument in f.arguments] == ["q", "d_theta", "x"]
    h = 1e-6
    wanted = (arm.mass_matrix(q + h * by) - arm.mass_matrix(q - h * by)) @ x / (2 * h)
    assert error(f(q, by, x), wanted) <= 1e-7
