"""Every formula whose spaces fit is computed, or refused in soadyn's own words; none takes for ever."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest

import agreement
import soadyn as sd
from soadyn.algebra import (
    B,
    H,
    I_joint,
    M,
    Omega,
    P,
    T,
    V,
    a,
    alpha,
    b,
    f,
    f_tip,
    inv,
    mass,
    phi,
    psi,
    sqrt,
    tau,
    theta_dot,
)
from soadyn.algebra.expressions import Expression
from soadyn.algebra.reading import formula
from soadyn.robot import Robot
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value


@pytest.fixture
def arm() -> Robot:
    return sd.load("ur5").with_backend("numpy")


@pytest.fixture
def state(arm: Robot) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        "q": arm.random_configuration(rng),
        **{name: rng.normal(size=6) for name in ("v", "theta_ddot", "T", "f_tip")},
    }


def computed(x: sd.Compiled, state: dict[str, np.ndarray]) -> np.ndarray:
    return x(**{argument.name: state[argument.name] for argument in x.arguments})


def truth(x: Expression, arm: Robot, state: dict[str, np.ndarray], **options) -> np.ndarray:
    vectors = {name: value for name, value in state.items() if name not in ("q", "v")}
    return np.asarray(dense_value(x, DenseRobot(arm.model, state["q"], state["v"]), vectors=vectors, **options))


close = partial(agreement.close, tolerance=1e-9)


# Operational points


@pytest.mark.parametrize(
    "x",
    [f_tip.T @ B.T @ V, V.T @ B @ f_tip, f_tip.T @ B.T @ phi.T @ H.T @ theta_dot + T.T @ theta_dot],
    ids=str,
)
def test_forces_at_points_do_work_on_motions(x, arm, state):
    found = sd.compile(x, arm, frames=["tool0"])
    assert not found.is_dense
    assert close(computed(found, state), truth(x, arm, state, frames=["tool0"]))


@pytest.mark.parametrize(
    "x",
    [2 * (B.T @ V), B.T @ V - B.T @ alpha, sd.vector("tip", B.T @ V), sd.operator("J", B.T @ phi.T @ H.T) @ theta_dot],
    ids=str,
)
def test_motions_of_points_need_not_be_written_as_one_product(x, arm, state):
    found = sd.compile(x, arm, frames=["tool0"])
    assert not found.is_dense
    assert close(computed(found, state), truth(x, arm, state, frames=["tool0"]))


def test_the_tip_force_of_link_forces_is_called_by_its_name(arm, state):
    for dense in (False, True):
        found = sd.compile(H @ f, arm, frames=["tool0"], dense=dense)
        assert [argument.name for argument in found.arguments] == ["q", "v", "theta_ddot", "f_tip"]
        assert close(computed(found, state), truth(H @ f, arm, state, frames=["tool0"]))
    in_links = sd.compile(f, arm, frames=["tool0"])
    assert in_links.signature == "f(q, v, theta_ddot, f_tip) -> link force (6, 6)"
    own = sd.vector("B_f_tip", "link force")  # a name that was used inside once
    both = sd.compile(H @ phi @ (B @ f_tip + own), arm, frames=["tool0"])
    assert [argument.name for argument in both.arguments] == ["q", "f_tip", "B_f_tip"]


def test_an_operational_inertia_that_does_not_exist_is_said_to_be_singular():
    planar = sd.load("planar_two_link")
    Lambda = sd.compile(inv(B.T @ Omega @ B), planar, frames=[planar.link_names[-1]])
    with pytest.raises(sd.SingularError, match="the matrix is singular"):
        Lambda(planar.neutral()) @ np.ones(6)


# What only dense matrices compute


POWER = T.T @ theta_dot
TOTAL_POWER = POWER + b.T @ V  # a sum of numbers, each of them a sum over the links


@pytest.mark.parametrize(
    "x", [V @ V.T @ f, T @ theta_dot.T @ T, POWER @ POWER, TOTAL_POWER @ TOTAL_POWER, TOTAL_POWER @ POWER], ids=str
)
def test_products_of_vectors_are_computed_densely(x, arm, state):
    with pytest.raises(sd.SpaceError, match=r"no recursion .* dense=True"):
        sd.compile(x, arm)
    found = computed(sd.compile(x, arm, dense=True), state)
    if x.codomain.place != "link":  # those of links are along the links' own axes
        assert close(found, truth(x, arm, state))
    assert np.isfinite(found).all()


def test_an_operator_made_of_vectors_is_refused(arm):
    for dense in (False, True):
        with pytest.raises(sd.ArgumentError, match=r"made of vectors \(T, theta_dot\).*apply it to a vector"):
            sd.compile(T @ theta_dot.T, arm, dense=dense)


def test_the_root_of_link_inertias_takes_vectors(arm, state):
    with pytest.raises(sd.SpaceError, match=r"no recursion over the links is known for inv\(sqrt\(M\)\); .*dense=True"):
        sd.compile(inv(sqrt(M)), arm)
    root = sd.compile(sqrt(M), arm, dense=True)(state["q"])
    assert (root @ np.ones((6, 6))).shape == (6, 6)
    matrix = root.dense()
    assert close(matrix @ matrix.T, sd.compile(M, arm)(state["q"]).dense())
    assert close((root @ np.eye(36).reshape(36, 6, 6)).reshape(36, 36).T, matrix)


def test_as_written_says_which_inverse_it_keeps(arm):
    with pytest.raises(sd.SpaceError, match=r"no recursion .* inv\(mass\) in inv\(mass\) @ T; as_written=True keeps"):
        sd.compile(inv(mass) @ T, arm, as_written=True)


@pytest.mark.parametrize("given", [(), ("alpha",), ("b",), ("a", "f")])
def test_dense_and_compiled_formulas_take_the_same_arguments(given, arm):
    x = H @ (f + psi @ b) + I_joint @ (H @ P @ alpha)
    compiled = sd.compile(x, arm, given=given, frames=["tool0"])
    dense = sd.compile(x + H @ M @ inv(M + P) @ b, arm, given=given, frames=["tool0"], dense=True)
    assert dense.is_dense
    assert [y.name for y in compiled.arguments] == [y.name for y in dense.arguments]


# Zero, one, and very many


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("X", [H - H, 0 * phi, mass - mass], ids=str)
def test_an_operator_that_is_zero_gives_zeros_for_every_vector(X, dense, arm, state):
    zero = sd.compile(X, arm, dense=dense)(np.stack([state["q"]] * 2))
    assert zero.dense().shape == zero.shape
    assert not zero.dense().any()
    size = sd.compile(X, arm).setting.shape(X.domain)
    assert not (zero @ np.ones((5, 2, *size))).any()
    assert (zero @ np.ones((5, 2, *size))).shape[:2] == (5, 2)


@pytest.mark.parametrize("X", [I_joint, 3 * I_joint, inv(2 * I_joint)], ids=str)
def test_identities_are_operators_too(X, arm, state):
    assert close(sd.compile(X, arm)(state["q"]).dense(), truth(X, arm, state))


def test_four_hundred_factors_are_computed(arm, state):
    x: Expression = b
    for _ in range(200):
        x = phi @ tau @ x
    found = computed(sd.compile(H @ x, arm), state)
    assert close(found, truth(H @ x, arm, state), tolerance=1e-6)


def test_four_hundred_factors_are_explained(arm):
    x: Expression = b
    for _ in range(200):
        x = phi @ tau @ x
    text = sd.explain(H @ x, arm)
    assert "Recursion" in text
    assert sd.explain(H @ x, arm, latex=True)


def test_what_four_hundred_factors_have_in_common_is_collected(arm, state):
    x, y = b, M @ a
    for _ in range(400):
        x, y = phi @ x, phi @ y
    assert sd.compile(H @ (x - 2 * y), arm).sweeps <= 2


def test_a_long_product_of_sums_is_not_multiplied_out(arm, state):
    x: Expression = b
    for _ in range(30):
        x = (phi + psi) @ x
    start = time.perf_counter()
    found = sd.compile(H @ x, arm)
    text = sd.explain(found)
    assert time.perf_counter() - start < 20
    assert "not tried beyond inverses: rewriting takes too many steps" in text
    assert close(computed(found, state), truth(H @ x, arm, state), tolerance=1e-6)


def test_a_text_of_nested_inverses_is_refused_in_time(arm):
    text = "phi"
    for _ in range(40):
        text = f"inv(phi + {text})"
    start = time.perf_counter()
    with pytest.raises(sd.SpaceError, match="no recursion over the links"):
        sd.compile(formula(text), arm)
    assert time.perf_counter() - start < 20


def test_numbers_beyond_doubles_are_refused(arm):
    huge = (10**300 * phi) @ (10**300 * phi)
    with pytest.raises(sd.SpaceError, match="range of doubles"):
        sd.compile(H @ huge @ b, arm)


def test_two_vectors_of_one_name_are_refused(arm):
    x, y = sd.vector("x", "joint force"), sd.vector("x", "joint motion")
    with pytest.raises(sd.ArgumentError, match="two vectors of the formula are called 'x'"):
        sd.compile(x - mass @ y, arm)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"given": "ab"}, "given takes a list of names"),
        ({"given": 3}, "given takes a list of names"),
        ({"frames": 3}, "frames takes a list of frames"),
    ],
)
def test_options_that_are_no_lists_are_refused(options, words, arm):
    with pytest.raises(sd.ArgumentError, match=words):
        sd.compile(mass, arm, **options)


def test_what_is_no_formula_is_refused(arm):
    for x in (3, "mass", None, [3], np.ones(3)):
        with pytest.raises(sd.ArgumentError, match="compile takes a formula or a list of formulas"):
            sd.compile(x, arm)


# As arrays


def test_an_applied_operator_is_its_matrix_for_numpy(arm, state):
    found = sd.compile(inv(mass), arm)(state["q"])
    assert np.array_equal(np.asarray(found), found.dense())
    assert np.asarray(found, dtype=np.float32).dtype == np.float32
    assert np.linalg.matrix_rank(found) == 6
    with pytest.raises(sd.ArgumentError, match="without a copy"):
        np.array(found, copy=False)


# Inverses that cancel


@pytest.mark.parametrize(
    "text",
    ["inv(E_phi) @ E_phi @ b", "inv(H.T @ inv(D) @ H) @ H.T @ inv(D) @ H @ b", "b - inv(G @ H) @ b + inv(G @ H) @ b"],
)
def test_what_cancels_must_have_an_inverse(text: str, arm: Robot) -> None:
    with pytest.raises(sd.SpaceError, match=r"inv\(.* cancels, but no random arm has it"):
        sd.compile(formula(text), arm)


def test_what_does_not_cancel_is_left_to_the_robot(arm: Robot, state: dict[str, np.ndarray]) -> None:
    """With dense=True it is the robot's own matrices that have an inverse or none."""
    f = sd.compile(formula("inv(E_phi) @ E_phi @ b"), arm, dense=True)
    with pytest.raises(sd.SingularError):
        computed(f, state)


@pytest.mark.parametrize("text", ["mass @ inv(mass) @ T", "(D + A_r) @ inv(D + A_r) @ T", "A_r @ inv(A_r) @ T"])
def test_what_has_an_inverse_on_some_arm_cancels(text: str, arm: Robot, state: dict[str, np.ndarray]) -> None:
    found = sd.compile(formula(text), arm)
    assert np.allclose(computed(found, state), state["T"], rtol=0, atol=1e-12)
