"""Screws against the 6x6 matrices they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial

ANGLES = (0.0, 0.7, -2.1, np.pi / 2, np.pi, -np.pi / 2)


def screws(rng: np.random.Generator) -> list[Screw]:
    """About every axis, by usual angles and by quarter turns, known as numbers and as arrays."""
    made = []
    for axis in range(3):
        for angle in ANGLES:
            c, s = float(np.cos(angle)), float(np.sin(angle))
            if abs(c * s) < 1e-12:
                c, s = round(c) + 0.0, round(s) + 0.0
            made += [Screw(axis, c, s, float(rng.normal())), Screw(axis, c, s, 0.0)]
            made.append(Screw(axis, np.array(c), np.array(s), np.array(rng.normal())))
    return made


def dense(screw: Screw) -> np.ndarray:
    whole = Transform.of(screw)
    return Transform(whole.R, whole.l).dense()


def symmetric(rng: np.random.Generator, n: int) -> np.ndarray:
    A = rng.normal(size=(n, n))
    return A + A.T


def test_forces_motions_inertias_and_responses(rng: np.random.Generator) -> None:
    for screw in screws(rng):
        phi = dense(screw)
        x = Spatial.of(rng.normal(size=(6, 4)))
        np.testing.assert_allclose(screw.force(x).dense(), phi @ x.dense(), atol=1e-14)
        np.testing.assert_allclose(screw.motion(x).dense(), phi.T @ x.dense(), atol=1e-14)
        S = symmetric(rng, 6)
        P = ArticulatedInertia(S[:3, :3], S[:3, 3:], S[3:, 3:])
        np.testing.assert_allclose(screw.shift(P).dense(), phi @ S @ phi.T, atol=1e-13)
        np.testing.assert_allclose(screw.response(P).dense(), phi.T @ S @ phi, atol=1e-13)
        body = Inertia(symmetric(rng, 3), rng.normal(size=(3, 1)), rng.normal(size=(1, 1)))
        np.testing.assert_allclose(screw.shift(body).dense(), phi @ body.dense() @ phi.T, atol=1e-13)


def test_several_screws_are_their_product(rng: np.random.Generator) -> None:
    first, second, third = (screws(rng)[i] for i in (1, 22, 50))
    whole = Transform.of(first, second, third)
    np.testing.assert_allclose(
        Transform(whole.R, whole.l).dense(), dense(third) @ dense(second) @ dense(first), atol=1e-14
    )
    x = Spatial.of(rng.normal(size=(6, 1)))
    bare = Transform(whole.R, whole.l)
    np.testing.assert_allclose((whole @ x).dense(), (bare @ x).dense(), atol=1e-14)
    np.testing.assert_allclose((whole.mT @ x).dense(), (bare.mT @ x).dense(), atol=1e-14)
    np.testing.assert_allclose(whole.turned_back(x.linear), whole.R.T @ x.linear, atol=1e-14)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_quarter_turns_leave_no_rounding(axis: int) -> None:
    P = ArticulatedInertia(np.diag([1.0, 2.0, 3.0]), np.zeros((3, 3)), np.diag([4.0, 5.0, 6.0]))
    turned = Screw(axis, 0.0, 1.0, 0.0).shift(P)
    assert np.count_nonzero(turned.A - np.diag(np.diagonal(turned.A))) == 0
    assert sorted(np.diagonal(turned.A)) == [1.0, 2.0, 3.0]


def test_batches_of_screws(rng: np.random.Generator) -> None:
    angle, d = rng.normal(size=(2, 5))
    many = Screw(2, np.cos(angle), np.sin(angle), d)
    S = symmetric(rng, 6)
    P = ArticulatedInertia(S[:3, :3], S[:3, 3:], S[3:, 3:])
    found = many.shift(P).dense()
    for i in range(5):
        one = Screw(2, float(np.cos(angle[i])), float(np.sin(angle[i])), float(d[i]))
        np.testing.assert_allclose(found[i], one.shift(P).dense(), atol=1e-13)
