"""Forward dynamics of closed robots against one dense system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from agreement import close, error
from closed_robots import consistent, four_bar, random_closed
from random_robots import random_v
from soadyn.model.model import Model
from soadyn.robot.closed.redundancy import superfluous_rows
from soadyn.theory.oracle.dense_closures import DenseClosures

EPS = np.finfo(float).eps


def prepared(rng: np.random.Generator, model: Model, q: np.ndarray) -> tuple[sd.Robot, np.ndarray, np.ndarray, float]:
    """The robot without rows that follow from others at q, consistent rates, joint forces, and the condition there."""
    J = DenseClosures(model, q).jacobian
    M = DenseClosures(model, q).dense.mass_matrix
    W = np.linalg.solve(np.linalg.cholesky(M), J.T).T
    length = np.linalg.norm(W, axis=-1, keepdims=True)
    follows = superfluous_rows((W / np.where(length > 1e-9, length, np.inf))[None])
    kept = [i for i in range(len(W)) if i not in follows]
    singular = np.linalg.svd(W[kept] / length[kept], compute_uv=False)
    condition = np.linalg.cond(M) * (singular[0] / singular[-1]) ** 2 if kept else np.linalg.cond(M)
    v, tau = consistent(J, random_v(rng, model)), random_v(rng, model)
    return sd.Robot(replace(model, superfluous=follows), "numpy"), v, tau, condition


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("armature", [False, True])
@pytest.mark.parametrize("cuts", [1, 2, 4])
def test_accelerations_and_forces_are_those_of_the_dense_system(
    root: str, armature: bool, cuts: int, rng: np.random.Generator
) -> None:
    for _ in range(8):
        model, q = random_closed(rng, 3 + 2 * cuts, cuts, couplings=1, mobile=True, root=root, armature=armature)
        robot, v, tau, condition = prepared(rng, model, q)
        external = rng.standard_normal((len(robot.link_names), 6))
        dense = DenseClosures(model, q, v)
        expected, _ = dense.forward_dynamics(tau, external)
        a, lam = robot.constrained_dynamics(q, v, tau, external)
        bound = max(100 * EPS * condition, 1e-12)
        assert error(a, expected) < bound
        assert error(robot.forward_dynamics(q, v, tau, external), a) == 0
        # The equations themselves
        J, M = dense.jacobian, dense.dense.mass_matrix
        asked = np.abs(M) @ np.abs(a) + np.abs(tau) + np.abs(J.T) @ np.abs(lam)
        assert np.abs(M @ a + dense.dense.bias_force(external) - tau - J.T @ lam).max() < 1e-12 * max(1, asked.max())
        assert np.abs(J @ a + dense.drift).max() < 1e-10 * max(1, np.abs(a).max())
        assert close(robot.closure_inertia_inverse(q), dense.inertia_inverse, 1e-10)


def test_native_code_gives_what_the_reference_gives(form: str, rng: np.random.Generator) -> None:
    for root in ("fixed", "free"):
        model, q = random_closed(rng, 6, cuts=2, couplings=1, mobile=True, root=root)
        reference, v, tau, condition = prepared(rng, model, q)
        native = reference.with_backend(form)
        state = np.tile(q, (9, 1)), np.tile(v, (9, 1)), rng.standard_normal((9, model.nv)) * tau
        bound = max(100 * EPS * condition, 1e-11)
        for name in ("forward_dynamics", "constrained_dynamics"):
            expected, found = getattr(reference, name)(*state), getattr(native, name)(*state)
            for x, y in zip(expected, found, strict=True):
                assert close(y, x, bound)
            one = getattr(native, name)(*(x[2] for x in state))
            for x, y in zip(
                expected if type(expected) is tuple else [expected], one if type(one) is tuple else [one], strict=True
            ):
                assert close(y, x[2], bound)


def test_rows_that_follow_from_others_may_stay(rng: np.random.Generator) -> None:
    usual, kept = four_bar(), four_bar(keep=True)
    q, v, tau = four_bar().closed([0.3, 0.4, 1.0]), np.array([0.1, 0.2, 0.3]), rng.standard_normal(3)
    a, lam = usual.constrained_dynamics(q, v, tau)
    a_kept, lam_kept = kept.constrained_dynamics(q, v, tau)
    assert close(a_kept, a, 1e-11)
    assert close(usual.closure_jacobian(q).T @ lam_kept, usual.closure_jacobian(q).T @ lam, 1e-11)


def test_a_closure_written_twice_moves_the_same(rng: np.random.Generator) -> None:
    bar = four_bar()
    twice = bar.close(((("coupler"), _at(0.9)), ("rocker", _at(0.7))), "hinge", name="again")
    assert twice.mobility == 1
    assert len(twice.model.superfluous or ()) == 8
    q, v, tau = four_bar().closed([0.3, 0.4, 1.0]), np.array([0.1, 0.2, 0.3]), rng.standard_normal(3)
    assert close(twice.forward_dynamics(q, v, tau), bar.forward_dynamics(q, v, tau), 1e-12)


def _at(x: float) -> np.ndarray:
    T = np.eye(4)
    T[0, 3] = x
    return T


def test_derivatives_are_those_of_complex_steps(rng: np.random.Generator) -> None:
    bar = four_bar()
    q, v, tau = four_bar().closed([0.3, 0.4, 1.0]), np.array([0.1, 0.2, 0.3]), rng.standard_normal(3)
    along = rng.standard_normal((3, 3))
    _, rate = bar.jvp("forward_dynamics", (q, v, tau), tuple(along))
    ahead = [x + 1e-30j * d for x, d in zip((q, v, tau), along, strict=True)]
    expected = bar.with_backend("numpy").forward_dynamics(*ahead).imag / 1e-30
    assert close(rate, expected, 1e-11)
    weights = rng.standard_normal(3)
    _, gradient = bar.vjp("forward_dynamics", (q, v, tau), weights)
    assert np.isclose(sum(g @ d for g, d in zip(gradient, along, strict=True)), weights @ rate, rtol=1e-10)


def _folded() -> sd.Robot:
    """A slider between two walls at right angles, held where neither lets it go: fewer ways to move than rows."""
    b = sd.Builder("folded")
    crank = b.link("crank", sd.Body(1.0, com=(0.5, 0, 0)))
    b.link("rod", sd.Body(1.0, com=(0.5, 0, 0)), crank, origin=(1, 0, 0))
    b.loop("rail", "ground", "rod", free=("x", "z", "rx", "ry", "rz"), other_origin=(1, 0, 0))
    return b.robot()


def test_a_singular_closure_is_told_by_its_name() -> None:
    slider = _folded()  # its rod end stays on the x axis; straight up, both links see the rail from the same side
    assert slider.mobility == 1
    q = np.array([[np.pi / 2, np.pi], [0.3, -0.6]])
    with pytest.warns(RuntimeWarning, match="1 of 2 rows came out NaN: closure 'rail' is singular here"):
        a = slider.forward_dynamics(q, np.zeros((2, 2)), np.zeros((2, 2)))
    assert np.isnan(a[0]).all()
    assert np.isfinite(a[1]).all()
    assert np.abs(slider.closure_error(q)).max() < 1e-15


def test_closures_that_say_nothing_new_leave_the_tree_as_it_is(form: str) -> None:
    arm = sd.load("planar_two_link").with_backend(form)  # which moves in one plane
    q, v, tau = np.array([0.3, 0.5]), np.array([1.0, -2.0]), np.array([3.0, 1.0])
    for axis in ("x", "y", "z"):
        if np.allclose(arm.jacobian(q, "tool")["xyz".index(axis) + 3], 0):
            free = tuple({"x", "y", "z", "rx", "ry", "rz"} - {axis})
            held = arm.close(("ground", "tool"), free=free)
            assert (held.mobility, held.closures[0].superfluous) == (2, (0,))
            a, lam = held.constrained_dynamics(q, v, tau)
            assert close(a, arm.forward_dynamics(q, v, tau), 1e-14)
            assert lam == 0
            return
    raise AssertionError("no such axis")


def test_states_off_a_closure_have_no_accelerations(form: str) -> None:
    bar = four_bar().with_backend(form)
    q = bar.closed([0.3, 0.4, 1.0])
    states = np.array([q, q + np.array([0.0, 0.1, 0.0]), q + 1e-5])
    with pytest.warns(
        RuntimeWarning, match="1 of 3 rows came out NaN: closure 'pin' is open by 0.0.*robot.closed"
    ) as told:
        a = bar.forward_dynamics(states, np.zeros(3), np.ones(3))
    assert len(told) == 1
    assert np.isfinite(a).all(axis=-1).tolist() == [True, False, True]
    with pytest.raises(sd.SingularError, match="closure 'pin' is open"), sd.errstate("raise"):
        bar.constrained_dynamics(states[1], np.zeros(3), np.ones(3))
