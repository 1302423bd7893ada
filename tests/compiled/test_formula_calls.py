"""The fast path of compiled formulas: from the second call on, the same numbers, warnings and errors as before."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import B, D_p, H, H_p, K_p, M, T, T_p, V, a, b, f_tip, inv, mass, phi, psi, theta_ddot, theta_dot
from soadyn.engine.engine import nothing_prepared
from soadyn.robot.calling.function import Function

pytest.importorskip("llvmlite", reason="llvmlite is absent: there is no native code to call")

DAMPING = sd.operator("damping", np.arange(1.0, 7.0))
LOAD = sd.vector("load", "joint force")
FORWARD = inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b))
READY = {
    "vector": FORWARD,
    "number": theta_dot.T @ mass @ theta_dot / 2,
    "with a user's operator": T - DAMPING @ theta_dot,
    "with a user's vector": inv(mass) @ LOAD,
    "several": [mass @ theta_ddot, inv(mass) @ T],
    "at points": H @ phi @ B @ f_tip + DAMPING @ theta_dot + LOAD,
    "motions of points": B.T @ V,
}
FRAMES = ["tool0", "forearm_link"]


def arguments(f: sd.Compiled, n: tuple[int, ...], seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [
        f.robot.random_configuration(rng, n) if x.space is None else rng.normal(size=(*n, *f.setting.shape(x.space)))
        for x in f.arguments
    ]


def same(x, y) -> bool:
    if isinstance(x, tuple):
        return isinstance(y, tuple) and all(map(same, x, y))
    return type(x) is type(y) and np.array_equal(x, y)


@pytest.mark.parametrize("n", [(), (3,), (300,)])
@pytest.mark.parametrize("name", READY)
@pytest.mark.heavy(2)
def test_the_fast_path_gives_the_same_bits(name, n):
    f = sd.compile(READY[name], sd.load("ur5"), frames=FRAMES)
    given = arguments(f, n)
    first = f(*given)
    assert f._quick is not nothing_prepared
    assert same(f(*given), first)
    assert same(
        f(**{x.name: value for x, value in zip(f.arguments, given, strict=True)}), first
    )  # arguments checked again
    other = arguments(f, n, seed=1)
    assert not same(f(*other), first)


@pytest.mark.parametrize("n", [(), (3,), (300,)])
@pytest.mark.parametrize("name", ["with a user's operator", "at points", "motions of points", "several"])
@pytest.mark.heavy(2)
def test_derivatives_have_one_too(name, n, monkeypatch):
    f = sd.compile(READY[name], sd.load("ur5"), frames=FRAMES)
    at, other = (tuple(arguments(f, n, seed)) for seed in (0, 1))
    along = (*other[:-1], None)
    value = f(*at)
    weights = tuple(map(np.ones_like, value)) if isinstance(value, tuple) else np.ones_like(value)
    first = f.jvp(at, along), f.vjp(at, weights)
    evaluate = Function.checked
    monkeypatch.setattr(Function, "checked", None)  # arguments are not checked again
    assert same((f.jvp(at, along), f.vjp(at, weights)), first)
    monkeypatch.setattr(Function, "checked", evaluate)
    as_lists = f.jvp([x.tolist() for x in at], [None if d is None else d.tolist() for d in along])
    assert same(as_lists, first[0])  # arguments checked again
    assert not same(f.jvp(other, along), first[0])


def test_derivatives_on_it_tell_of_bad_rows_and_of_wrong_shapes():
    f = sd.compile(READY["motions of points"], sd.load("ur5"), frames=FRAMES)
    at = tuple(arguments(f, (3,)))
    f.jvp(at, at)
    bad = (np.where(np.arange(3)[:, None] == 1, np.nan, at[0]), at[1])
    with pytest.warns(RuntimeWarning, match="1 of 3 rows came out NaN: argument 'q' is not finite"):
        _, rate = f.jvp(bad, at)
    assert np.isnan(rate[1]).all()
    assert np.isfinite(rate[[0, 2]]).all()
    with pytest.raises(sd.ShapeError, match="'dv' has shape"):
        f.jvp(at, (at[0], at[1][:, :5]))
    with pytest.raises(sd.ArgumentError, match="along has 1 directions"):
        f.jvp(at, at[:1])


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.heavy(2)
def test_bad_rows_are_told_by_the_names_of_the_formulas_arguments(backend):
    f = sd.compile(T - LOAD - H @ phi @ B @ f_tip, sd.load("planar_two_link"), frames=["tool"], backend=backend)
    state = dict(zip(("q", "T", "f_tip", "load"), arguments(f, ()), strict=True))
    for name in state:
        given = {**state, name: np.nan * state[name]}
        with pytest.warns(RuntimeWarning, match=f"argument '{name}' is not finite"):
            f(**given)
        with pytest.warns(RuntimeWarning, match=f"argument '{name}' is not finite"):
            f.vjp(tuple(given.values()), np.ones(2))
    along = (None, None, np.full(6, np.inf), None)
    with pytest.warns(RuntimeWarning, match="the direction of 'f_tip' is not finite"):
        f.jvp(tuple(state.values()), along)


def test_operators_have_one_too():
    arm = sd.load("ur5")
    q, x = arm.random_configuration(np.random.default_rng(0)), np.arange(6.0)
    f = sd.compile(inv(mass), arm)
    first = f(q) @ x
    assert f._quick is not nothing_prepared
    assert np.array_equal(f(q) @ x, first)
    assert np.array_equal(f(q) @ x.tolist(), first)
    assert f(q).dense().shape == (6, 6)
    with pytest.raises(sd.ShapeError, match="'x' has shape"):
        f(q) @ np.zeros(5)


def test_what_must_be_brought_into_place_has_one_and_lists_of_one_have_none():
    arm = sd.load("ets_vii")
    passive = sd.compile(inv(D_p) @ (T_p - H_p @ psi @ K_p @ T_p), arm, passive=["root"])
    links = sd.compile(phi.T @ H.T @ theta_dot, arm)
    one = sd.compile([mass @ theta_ddot], arm)
    for f in (passive, links, one):
        given = arguments(f, ())
        first = f(*given)
        assert (f._quick is nothing_prepared) == (f is one)
        assert same(f(*given), first)


def test_other_arguments_take_the_long_way():
    f = sd.compile(FORWARD, sd.load("ur5"))
    q, v, tau = arguments(f, ())
    expected = f(q, v, tau)
    assert np.array_equal(f(q.tolist(), v, tau), expected)
    assert f(q, np.stack([v, v]), tau).shape == (2, 6)
    assert f(q.astype(np.float32), v.astype(np.float32), tau.astype(np.float32)).dtype == np.float32
    assert f(q + 0j, v, tau).dtype == complex
    with pytest.raises(sd.ArgumentError, match="takes q, v, T; got 2 values, without T"):
        f(q, v)
    with pytest.raises(sd.ShapeError, match="'v' has shape"):
        f(q, v[:5], tau)


def test_states_without_an_answer_are_still_told():
    f = sd.compile(FORWARD, sd.load("ur5"))
    q, v, tau = arguments(f, ())
    f(q, v, tau)
    tau[2] = np.nan
    with pytest.warns(RuntimeWarning, match="not finite"):
        assert np.isnan(f(q, v, tau)).all()
    with sd.errstate("raise"), pytest.raises(sd.SingularError, match="not finite"):
        f(q, v, tau)
