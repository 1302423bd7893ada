"""Second derivatives of inverse and forward dynamics against complex steps of the first."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind, random_model
from soadyn.robot.calling import second_derivatives

STEP = 1e-30
WHICH = ("inverse_dynamics", "forward_dynamics")
# Joint kinds of a random tree, its links, and its root.
Tree = tuple[tuple[str, ...], int, Literal["fixed", "free"]]
TREES: dict[str, Tree] = {
    "one component": (("revolute", "prismatic", "helical"), 4, "fixed"),
    "turns": (("spherical", "revolute"), 3, "fixed"),
    "maps that turn": (("planar", "cylindrical"), 2, "fixed"),
    "hidden links": (("universal", "continuous"), 3, "fixed"),
    "free root": (("revolute",), 2, "free"),
}


def tree(name: str, rng: np.random.Generator) -> sd.Robot:
    kinds, links, root = TREES[name]
    return sd.Robot(random_model(rng, links, kinds=kinds, root=root, armature=True))


def state(robot: sd.Robot, rng: np.random.Generator, size: tuple[int, ...] = ()) -> list[np.ndarray]:
    return [robot.random_configuration(rng, size=size), *rng.standard_normal((2, *size, robot.nv))]


def second(robot: sd.Robot, which: str, at: Any, **options: Any) -> tuple[np.ndarray, ...]:
    return tuple(getattr(robot, f"{which}_second_derivatives")(*at, **options))


def worst(robot: sd.Robot, which: str, rng: np.random.Generator, size: tuple[int, ...]) -> float:
    """How far the derivatives along a random direction are off, of the largest entry."""
    at = state(robot, rng, size)
    external = rng.standard_normal((*size, len(robot.link_names), 6))
    tensors = second(robot, which, at, external=external)
    first = getattr(robot.with_backend("numpy"), f"{which}_derivatives")
    d = rng.standard_normal((*size, robot.nv))
    moved = robot.integrate(at[0].astype(complex), 1j * STEP * d)
    along_q = [x.imag / STEP for x in first(moved, *at[1:], external=external)]
    along_v = [x.imag / STEP for x in first(at[0], at[1] + 1j * STEP * d, at[2], external=external)]
    expected = along_q[0], along_q[1], along_v[1], along_q[2]
    found = [np.einsum("...ijk,...k->...ij", x, d) for x in tensors]
    return max(float(np.abs(x - y).max() / np.abs(y).max()) for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("name", TREES)
@pytest.mark.heavy(2)
def test_complex_steps_of_the_first_derivatives(name: str, which: str, rng: np.random.Generator) -> None:
    assert worst(tree(name, rng), which, rng, (2,)) <= 1e-8


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("name", ["maps that turn", "free root"])
@pytest.mark.heavy(2)
def test_a_row_of_the_batch_for_each_direction(
    name: str, which: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = tree(name, rng)
    at = state(robot, rng, (2,))
    at_once = second(robot, which, at)
    monkeypatch.setattr(second_derivatives, "MOST_AT_ONCE", 0)
    by_directions = second(sd.Robot(robot.model), which, at)  # one that has kept no kernel
    for x, y in zip(by_directions, at_once, strict=True):
        assert x.flags.c_contiguous
        assert np.abs(x - y).max() <= 1e-10 * np.abs(y).max()


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.heavy(2)
def test_a_larger_robot_by_one_kernel_and_by_directions(
    which: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    flyer = sd.load("free_flyer")
    assert second_derivatives.MOST_AT_ONCE < flyer.nv <= second_derivatives.MOST_TRIED
    q, *rest = state(flyer, rng, (3,))
    by_kernel = second(flyer, which, (np.asfortranarray(q), *rest))
    monkeypatch.setattr(second_derivatives, "MOST_TRIED", 0)
    by_directions = second(sd.load("free_flyer"), which, (q, *rest))  # one that has kept no kernel
    for x, y in zip(by_kernel, by_directions, strict=True):
        assert x.flags.c_contiguous
        assert np.abs(x - y).max() <= 1e-10 * np.abs(y).max()


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.heavy(2)
def test_a_tree_of_every_kind(which: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(model_of_every_kind(), backend="numpy")
    assert robot.nv > second_derivatives.MOST_AT_ONCE
    assert worst(robot, which, rng, ()) <= 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("which", WHICH)
def test_a_tree_of_every_kind_in_native_code(which: str, rng: np.random.Generator) -> None:
    assert worst(sd.Robot(model_of_every_kind()), which, rng, (3,)) <= 1e-8


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("backend", ["rolled", "straight"])
@pytest.mark.heavy(2)
def test_every_backend_agrees_with_the_reference(
    which: str, backend: Literal["rolled", "straight"], rng: np.random.Generator
) -> None:
    robot = tree("turns", rng)
    at = state(robot, rng, (3,))
    expected = second(robot.with_backend("numpy"), which, at)
    for x, y in zip(second(robot.with_backend(backend), which, at), expected, strict=True):
        assert np.abs(x - y).max() <= 1e-10 * np.abs(y).max()


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.heavy(2)
def test_directions_of_commuting_rates_can_be_exchanged(which: str, rng: np.random.Generator) -> None:
    qq, _, vv, uq = second(sd.load("ur5"), which, state(sd.load("ur5"), rng, (2,)))
    assert (qq == qq.mT).all()
    assert (vv == vv.mT).all()
    assert (uq == np.swapaxes(uq, -3, -2)).all()  # the derivative of a symmetric matrix


def test_directions_of_a_turn_differ_by_their_bracket(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 1, kinds=("spherical",)))
    at = state(robot, rng)
    (qq, *_), (dq, *_) = second(robot, "inverse_dynamics", at), robot.inverse_dynamics_derivatives(*at)
    for j, k, l in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # ∂_j ∂_k - ∂_k ∂_j = ∂_l
        assert np.abs(qq[:, k, j] - qq[:, j, k] - dq[:, l]).max() <= 1e-10 * np.abs(qq).max()


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.heavy(2)
def test_products_with_the_jacobians(which: str, rng: np.random.Generator) -> None:
    robot = tree("free root", rng)
    at, d = state(robot, rng), rng.standard_normal(robot.nv)
    qq, vq, _, uq = second(robot, which, at)
    _, rates = robot.jvp(f"{which}_derivatives", tuple(at), (d, None, None))
    for tensor, rate in zip((qq, vq, uq), rates, strict=True):
        assert np.abs(tensor @ d - rate).max() <= 1e-10 * np.abs(rate).max()


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.heavy(2)
def test_a_state_alone_has_the_bits_of_a_row(which: str, rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    at = state(arm, rng, (11,))
    first, again = second(arm, which, at), second(arm, which, at)  # the second call goes straight to the kernel
    alone = [second(arm, which, [x[7] for x in at]) for _ in range(2)]
    assert all((x == y).all() for x, y in zip(first, again, strict=True))
    assert all((x[7] == y).all() for one in alone for x, y in zip(first, one, strict=True))
    assert all(x.dtype == np.float32 for x in second(arm, which, [x.astype(np.float32) for x in at]))


@pytest.mark.parametrize("most", [0, 12])
def test_rows_without_an_answer_are_told_of_once(
    most: int, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_derivatives, "MOST_AT_ONCE", most)
    arm = sd.load("planar_two_link")
    q, v, tau = state(arm, rng, (3,))
    tau[1, 0] = np.nan
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="1 of 3 rows came out NaN: argument 'tau' is not finite") as told:
            found = arm.forward_dynamics_second_derivatives(q, v, tau)
        assert len(told) == 1
        assert all(np.isnan(x[1]).all() for x in found)
        assert all(np.isfinite(x[[0, 2]]).all() for x in found)


@pytest.mark.parametrize("which", WHICH)
def test_a_robot_without_joints_has_none(which: str) -> None:
    arm = sd.load("planar_two_link")
    stiff = arm.lock(arm.joint_names, arm.neutral())
    assert [x.shape for x in second(stiff, which, [np.zeros((3, 0))] * 3)] == [(3, 0, 0, 0)] * 4
