"""Derivatives of formulas at operational points: against complex steps, and against the robot's own quantities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind, random_model
from soadyn.algebra import B, H, H_a, M, Omega, P, T, V, W_delta, a, a_tip, alpha, b, f_tip, inv, mass, phi, psi

STEP = 1e-30
SHIFTED = np.block([[np.eye(3), np.array([[0.2], [-0.3], [0.4]])], [np.zeros(3), 1.0]])
pull, slip = sd.vector("pull", "task force"), sd.vector("slip", "task motion")
FORMULAS = {
    "velocities": B.T @ V,
    "accelerations": B.T @ alpha + a_tip,
    "swings and a user's motion": a_tip / 2 - slip,
    "joint forces": H @ phi @ B @ f_tip,
    "link forces": phi @ B @ (f_tip - 2 * pull),
    "forward dynamics": inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b + B @ f_tip)),
    "mobility": B.T @ Omega @ B @ f_tip,
    "what torques do": B.T @ phi.T @ H.T @ inv(mass) @ T,
    "power": f_tip.T @ B.T @ V,
    "power of the swing": f_tip.T @ a_tip,
    "two results": [B.T @ V, H @ phi @ (b + B @ f_tip)],
}


HANDED_ON = "swings and a user's motion"  # the one formula whose result is what a call gives at points


def tree(backend: Any = "numpy") -> tuple[sd.Robot, list[Any]]:
    """A tree and points on it: two on its last link, one in between, one on the ground.

    The reference has a tree with every kind of joint; native code, which is compiled first, has a smaller one.
    """
    small = random_model(np.random.default_rng(3), 4, kinds=("revolute", "cylindrical", "spherical"), armature=True)
    robot = sd.Robot(model_of_every_kind() if backend == "numpy" else small, backend)
    last = robot.link_names[-1]
    return robot, [(last, SHIFTED), robot.link_names[1], ("ground", SHIFTED), last]


def point_for(f: Any, robot: sd.Robot, rng: np.random.Generator, *batch: int) -> tuple[np.ndarray, ...]:
    shapes = [f.setting.shape(x.space) if x.space is not None else x.shape for x in f.arguments[1:]]
    return robot.random_configuration(rng, batch), *(rng.standard_normal((*batch, *shape)) for shape in shapes)


def flat(x: Any, batch: int) -> np.ndarray:
    """All results side by side, a row for each state."""
    return np.concatenate([np.reshape(y, (batch, -1)) for y in (x if isinstance(x, tuple) else (x,))], axis=-1)


def jacobian_by_steps(f: Any, robot: sd.Robot, at: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    """For one state the derivatives by each argument, (results, entries of the argument), from complex steps."""
    found = []
    for i, x in enumerate(at):
        units = np.eye(robot.nv if i == 0 else x.size)
        steps = 1j * STEP * (units if i == 0 else units.reshape(-1, *x.shape))
        moved = robot.integrate(x.astype(complex), steps) if i == 0 else x + steps
        given = [np.broadcast_to(y, (len(units), *y.shape)) for y in at]
        found.append(flat(f(*given[:i], moved, *given[i + 1 :]), len(units)).imag.T / STEP)
    return found


def check(f: Any, reference: Any, robot: sd.Robot, at: tuple[np.ndarray, ...], rng: np.random.Generator) -> None:
    """JVP = J d and VJP = w J for one state; `reference` is the formula on the reference backend."""
    J = jacobian_by_steps(reference, robot, at)
    along = tuple(rng.standard_normal(robot.nv if i == 0 else x.shape) for i, x in enumerate(at))
    value, rate = f.jvp(at, along)
    size = sum(np.abs(D).max(initial=0.0) * np.abs(d).sum() for D, d in zip(J, along, strict=True))
    expected = sum(D @ d.reshape(-1) for D, d in zip(J, along, strict=True))
    assert np.abs(flat(rate, 1)[0] - expected).max() <= 1e-12 * max(1.0, size)
    listed = value if isinstance(value, tuple) else (value,)
    weights = tuple(rng.standard_normal(np.shape(x)) for x in listed)
    again, by = f.vjp(at, weights if isinstance(value, tuple) else weights[0])
    assert np.allclose(flat(again, 1), flat(reference(*at), 1), rtol=1e-10, atol=1e-10)
    w = flat(weights, 1)[0]
    for i, (found, D) in enumerate(zip(by, J, strict=True)):
        assert found.shape == ((robot.nv,) if i == 0 else at[i].shape)
        assert np.abs(found.reshape(-1) - w @ D).max(initial=0.0) <= 1e-12 * max(1.0, np.abs(w).sum() * np.abs(D).max())


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.heavy(2)
def test_derivatives_are_those_of_complex_steps(name: str, backend: Any, rng: np.random.Generator) -> None:
    robot, frames = tree(backend)
    if name == HANDED_ON:
        frames = [frame for frame in frames if frame[0] != "ground"]
    reference = sd.compile(FORMULAS[name], robot, frames=frames, backend="numpy")
    f = sd.compile(FORMULAS[name], robot, frames=frames)
    check(f, reference, robot, point_for(f, robot, rng), rng)


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.heavy(2)
def test_batches_are_the_states_one_by_one(backend: Any, rng: np.random.Generator) -> None:
    robot, frames = tree(backend)
    for name in ("accelerations", "two results"):
        f = sd.compile(FORMULAS[name], robot, frames=frames)
        at = point_for(f, robot, rng, 5)
        along = (rng.standard_normal((5, robot.nv)), *(rng.standard_normal(x.shape) for x in at[1:]))
        rate = flat(f.jvp(at, along)[1], 5)
        value = f(*at)
        listed = value if isinstance(value, tuple) else (value,)
        weights = tuple(rng.standard_normal(x.shape) for x in listed)
        by = f.vjp(at, weights if isinstance(value, tuple) else weights[0])[1]
        for row in range(5):
            own, d = tuple(x[row] for x in at), tuple(x[row] for x in along)
            w = tuple(x[row] for x in weights)
            assert np.allclose(rate[row], flat(f.jvp(own, d)[1], 1)[0], rtol=1e-11, atol=1e-10)
            found = f.vjp(own, w if isinstance(value, tuple) else w[0])[1]
            for x, y in zip(by, found, strict=True):
                assert np.allclose(x[row], y, rtol=1e-11, atol=1e-9)


def test_derivatives_of_the_robots_own_quantities(rng: np.random.Generator) -> None:
    robot, _ = tree("numpy")
    frame = (robot.link_names[-1], SHIFTED)
    q, (v, acceleration, dq, dv) = robot.random_configuration(rng), rng.standard_normal((4, robot.nv))
    w, dw = rng.standard_normal((2, 6))
    velocity = sd.compile(B.T @ V, robot, frames=[frame])
    expected = robot.jvp("frame_velocity", (q, v), (dq, dv), frame=frame)
    assert np.allclose(velocity.jvp((q, v), (dq, dv)), expected, rtol=1e-12, atol=1e-11)
    tip = sd.compile(B.T @ alpha + a_tip, robot, frames=[frame]).jvp((q, v, acceleration), (dq, dv, None))[1]
    expected = robot.jvp("frame_acceleration", (q, v, acceleration), (dq, dv, None), frame=frame)[1]
    assert np.allclose(tip, expected, rtol=1e-12, atol=1e-10)
    J, J_rate = robot.jvp("jacobian", (q,), (dq,), frame=frame)
    forces = sd.compile(H @ phi @ B @ f_tip, robot, frames=[frame]).jvp((q, w), (dq, dw))[1]
    assert np.allclose(forces, J_rate.T @ w + J.T @ dw, rtol=1e-12, atol=1e-11)
    Y, Y_rate = robot.jvp("operational_inertia_inverse", (q,), (dq,), frames=frame)
    mobility = sd.compile(B.T @ Omega @ B, robot, frames=[frame]).jvp((q, w), (dq, dw))[1]
    assert np.allclose(mobility, Y_rate @ w + Y @ dw, rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.heavy(2)
def test_the_operational_inertia_that_is_solved_for(backend: Any, rng: np.random.Generator) -> None:
    """Λ = inv(B* Ω B) times a vector, with the mass of a payload as an argument."""
    arm = sd.load("ur5").with_backend(backend)
    f = sd.compile(inv(B.T @ Omega @ B), arm.parametric("tool0.mass"), frames=["tool0"])
    q = np.array([0.3, -1.1, 1.4, -0.6, 0.9, 0.2]) + 0.1 * rng.standard_normal((4, 6))
    x, dq, dx = rng.standard_normal((3, 4, 6))
    m, dm = rng.uniform(1.0, 2.0, 4), rng.standard_normal(4)
    stepped = f(q + 1j * STEP * dq, m + 1j * STEP * dm) @ (x + 1j * STEP * dx)
    value, rate = f.jvp((q, x, m), (dq, dx, dm))
    size = np.abs(stepped.imag / STEP).max()
    assert np.abs(value - stepped.real).max() <= 1e-10 * np.abs(value).max()
    assert np.abs(rate - stepped.imag / STEP).max() <= 1e-10 * size
    w = rng.standard_normal(6)
    _, (by_q, by_x, by_m) = f.vjp((q, x, m), w)
    sums = (by_q * dq).sum(-1) + (by_x * dx).sum(-1) + by_m * dm
    assert np.abs(sums - rate @ w).max() <= 1e-10 * size
    assert np.allclose(f.jvp((q, x, m), (None, dx, None))[1], f(q, m) @ dx, rtol=1e-9)
    with pytest.raises(sd.ArgumentError, match=r"jvp of f\(q, tool0_mass\).*no direction is given"):
        f.jvp((q, x, m), (None, None, None))


def test_derivatives_with_passive_joints_are_those_of_the_generalized_jacobian(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer").with_backend("numpy")
    passive, frame = ["root"], flyer.link_names[-1]
    f = sd.compile(B.T @ (psi.T - Omega @ P) @ H_a.T, flyer, passive=passive, frames=[frame])
    q, dq = flyer.random_configuration(rng), rng.standard_normal(flyer.nv)
    J, J_rate = flyer.jvp("generalized_jacobian", (q,), (dq,), frame=frame, passive=passive)
    x, dx = rng.standard_normal((2, J.shape[-1]))
    value, rate = f.jvp((q, x), (dq, dx))
    assert np.allclose(value, J @ x, rtol=1e-11, atol=1e-12)
    assert np.allclose(rate, J_rate @ x + J @ dx, rtol=1e-10, atol=1e-11)
    w = rng.standard_normal(6)
    _, (by_q, by_x) = f.vjp((q, x), w)
    assert np.isclose(by_q @ dq + by_x @ dx, w @ rate, rtol=1e-11)


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.heavy(2)
def test_derivatives_by_a_robots_constants(backend: Any, rng: np.random.Generator) -> None:
    """The place of a joint moves the points beyond it."""
    names = ("tool0.mass", "gravity", "elbow_joint.position")
    arm = sd.load("ur5")
    formula = [B.T @ V, inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b + B @ f_tip))]
    reference, f = (
        sd.compile(formula, arm.with_backend(x).parametric(*names), frames=["tool0", "forearm_link"])
        for x in ("numpy", backend)
    )
    q, v, tau = rng.standard_normal((3, 6))
    constants = (np.array(1.5), np.array([0.1, 0.2, -9.81]), np.array([0.1, 0.2, -0.4]))
    at = (q, v, tau, rng.standard_normal(12), *constants)
    assert [x.name for x in f.arguments[:4]] == ["q", "v", "T", "f_tip"]
    check(f, reference, arm, at, rng)


def test_points_on_a_robot_without_joints() -> None:
    table = sd.load("planar_two_link").lock(["joint1", "joint2"], [0.0, 0.0])
    f = sd.compile(B.T @ V, table, frames=["tool"])
    assert np.array_equal(f([], []), np.zeros(6))


def test_what_is_given_at_a_point_on_the_ground_needs_dense_matrices(rng: np.random.Generator) -> None:
    """No link's share of a sum holds it; everything else at such points is right, and zero."""
    arm = sd.load("planar_two_link")
    given = rng.standard_normal(12)
    for formula in (pull, 2 * pull - f_tip, slip.T @ f_tip):
        with pytest.raises(sd.SpaceError, match="computes it with dense matrices"):
            sd.compile(formula, arm, frames=["tool", "ground"])
    found = sd.compile(2 * pull, arm, frames=["tool", "ground"], dense=True)(np.zeros(2), pull=given)
    assert np.array_equal(found, 2 * given)
    moved = sd.compile(B.T @ V, arm, frames=["tool", "ground"])(np.zeros(2), np.ones(2))
    assert moved[:6].any()
    assert not moved[6:].any()


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
def test_what_is_given_at_a_point_is_handed_on(backend: Any, rng: np.random.Generator) -> None:
    arm, given = sd.load("planar_two_link"), rng.standard_normal(12)
    f = sd.compile(2 * pull, arm, frames=["tool", "link1"], backend=backend)
    assert np.array_equal(f(np.zeros(2), pull=given), 2 * given)


def test_what_is_given_at_a_point_is_handed_on_beside_what_has_several_forms(rng: np.random.Generator) -> None:
    """Of the point only its link is read, also where the operations of the forms are counted."""
    arm = sd.load("ur5")
    q, v, given = arm.neutral(), rng.standard_normal(6), rng.standard_normal(6)
    handed, turned = sd.compile([pull, W_delta @ b], arm, frames=["tool0"])(q=q, v=v, pull=given)
    assert np.array_equal(handed, given)
    assert np.array_equal(turned, sd.compile(W_delta @ b, arm)(q, v))
