"""Mass properties: shapes against integrals, meshes against shapes, sums and moves against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from random_robots import random_body, random_placement
from same_body import assert_same_body
from soadyn.errors import ModelError
from soadyn.model.bodies import Body, total
from soadyn.model.poses import as_placement, finite3
from soadyn.model.shapes import box, capsule, cone, cylinder, ellipsoid, rod, sphere


def by_counting(inside, reach, cells=100) -> Body:
    """A shape as very many point masses on a grid, one kilogram per cubic metre."""
    x, y, z = (np.linspace(-r, r, cells, endpoint=False) + r / cells for r in reach)
    points = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(*points.T)]
    weight = np.prod(2 * np.array(reach) / cells)
    com = points.mean(axis=0)
    C = weight * (points - com).T @ (points - com)
    return Body(weight * len(points), com, np.trace(C) * np.eye(3) - C)


@pytest.mark.parametrize(
    ("body", "inside", "reach"),
    [
        (box((1.0, 2.0, 3.0), density=1.0), lambda x, y, z: x == x, (0.5, 1.0, 1.5)),
        (sphere(0.7, density=1.0), lambda x, y, z: x**2 + y**2 + z**2 < 0.49, (0.7,) * 3),
        (ellipsoid((1, 2, 3), density=1.0), lambda x, y, z: x**2 + y**2 / 4 + z**2 / 9 < 1, (1, 2, 3)),
        (cylinder(0.5, 2.0, density=1.0), lambda x, y, z: x**2 + y**2 < 0.25, (0.5, 0.5, 1)),
        (
            cylinder(0.5, 2.0, density=1.0, inner_radius=0.3),
            lambda x, y, z: (x**2 + y**2 < 0.25) & (x**2 + y**2 > 0.09),
            (0.5, 0.5, 1),
        ),
        (
            capsule(0.5, 1.0, density=1.0),
            lambda x, y, z: x**2 + y**2 + np.maximum(abs(z) - 0.5, 0) ** 2 < 0.25,
            (0.5, 0.5, 1.0),
        ),
        (
            cone(1.0, 2.0, density=1.0),
            lambda x, y, z: (z > 0) & (np.hypot(x, y) < 1 - z / 2),
            (1.0, 1.0, 2.0),
        ),
    ],
    ids=["box", "sphere", "ellipsoid", "cylinder", "tube", "capsule", "cone"],
)
def test_shapes_agree_with_counting_cells(body, inside, reach):
    counted = by_counting(inside, reach)
    assert_allclose(body.mass, counted.mass, rtol=1e-2)
    assert_allclose(body.com, counted.com, atol=2e-3)
    assert_allclose(body.inertia, counted.inertia, atol=2e-2 * np.max(body.inertia))
    assert body.impossible() is None


def test_density_times_volume_is_mass():
    assert_same_body(box((1, 2, 3), density=2.0), box((1, 2, 3), mass=12.0))
    assert_allclose(sphere(1.0, density=3.0).mass, 4 * np.pi)
    assert_allclose(cylinder(1.0, 2.0, density=1.0, inner_radius=0.5).mass, 1.5 * np.pi)
    assert_allclose(cone(1.0, 3.0, density=1.0).mass, np.pi)


def test_a_rod_is_a_thin_box():
    thin = box((1e-9, 1e-9, 2.0), mass=3.0, placement=(0, 0, 1))
    assert_same_body(rod((0, 0, 0), (0, 0, 2), mass=3.0), thin)
    slanted = rod((1, 0, 0), (0, 1, 0), mass=6.0)
    assert_allclose(np.linalg.eigvalsh(slanted.inertia), [0, 1, 1], atol=1e-15)


def test_a_full_cylinder_is_a_tube_and_its_core():
    tube = cylinder(1.0, 2.0, density=5.0, inner_radius=0.4)
    assert_same_body(tube + cylinder(0.4, 2.0, density=5.0), cylinder(1.0, 2.0, density=5.0))


def test_a_box_is_the_sum_of_its_halves():
    half = box((0.5, 2, 3), density=1.0)
    assert_same_body(half.moved((-0.25, 0, 0)) + half.moved((0.25, 0, 0)), box((1, 2, 3), density=1.0))


@given(st.integers(0, 2**32 - 1))
def test_moving_a_sum_is_summing_what_is_moved(seed):
    rng = np.random.default_rng(seed)
    a, b, place, further = random_body(rng), random_body(rng), random_placement(rng), random_placement(rng)
    assert_same_body((a + b).moved(place), a.moved(place) + b.moved(place), 1e-11)
    assert_same_body(a.moved(place).moved(further), a.moved(further.then(place)), 1e-11)
    assert_same_body(a.moved(place).moved(place.inverse()), a, 1e-11)


@given(st.integers(0, 2**32 - 1))
def test_inertia_about_the_origin_and_back(seed):
    body = random_body(np.random.default_rng(seed))
    assert_same_body(Body.about_origin(body.mass, body.com, body.inertia_about_origin()), body, 1e-12)


def test_point_masses_are_the_definition_of_inertia():
    rng = np.random.default_rng(1)
    masses, places = rng.uniform(0.1, 1, 7), rng.standard_normal((7, 3))
    about_origin = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, places, strict=True))
    cloud = Body.point_masses(masses, places)
    assert_allclose(cloud.com, masses @ places / masses.sum())
    assert_allclose(cloud.inertia_about_origin(), about_origin)
    assert cloud.impossible() is None


def test_turning_a_box_by_a_quarter_exchanges_its_moments():
    turn = np.eye(4)
    turn[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert_same_body(box((1, 2, 3), mass=1.0, placement=turn), box((2, 1, 3), mass=1.0))


def test_bodies_without_mass_add_up_to_nothing():
    assert total([]) == Body() == Body(0.0) + Body(0.0, (1, 2, 3))
    assert Body(1.0).scaled(0.0).mass == 0.0


def test_bodies_can_be_compared_and_hashed():
    made = Body(1, np.array([1, 2, 3]), np.eye(3))
    assert made == Body(1.0, (1.0, 2.0, 3.0), np.eye(3).tolist())
    assert len({made, Body(1.0, [1, 2, 3], np.eye(3))}) == 1


def test_impossible_inertia_is_reported():
    assert Body(1.0, (0, 0, 0), np.diag([1.0, 1, 1])).impossible() is None
    assert "triangle inequality" in str(Body(1.0, (0, 0, 0), np.diag([1.0, 1, 3])).impossible())
    assert "not all positive" in str(Body(1.0, (0, 0, 0), np.diag([-1.0, 1, 1])).impossible())
    assert Body(0.0, (0, 0, 0), np.eye(3)).impossible() is None  # how files write rotors


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Body(-1.0), r"a body's mass must be a finite number, zero or more \(kg\), got -1.0"),
        (lambda: Body(float("nan")), "a body's mass must be a finite number, zero or more .* got nan"),
        (lambda: Body("heavy"), "a body's mass must be a finite number, zero or more .* got 'heavy'"),
        (lambda: Body(1.0, (0, 0)), r"a body's mass centre must be three finite numbers, got \(0, 0\)"),
        (lambda: Body(1.0, (0, 0, np.inf)), "a body's mass centre must be three finite numbers"),
        (lambda: Body(1.0, (0, 0, 0), np.eye(2)), r"a body's inertia must be a finite 3x3 matrix \(kg m\^2\)"),
        (lambda: Body(1.0, (0, 0, 0), np.full((3, 3), np.nan)), "a body's inertia must be a finite 3x3 matrix"),
        (lambda: Body(1.0, (0, 0, 0), np.triu(np.ones((3, 3)))), "a body's inertia must be symmetric"),
        (lambda: Body.point_masses([1, 2], [(0, 0, 0)]), r"masses \(n,\) and positions \(n, 3\), got shapes \(2,\)"),
        (lambda: Body.point_masses([-1], [(0, 0, 0)]), "a body's mass must be a finite number, zero or more"),
        (lambda: Body(1.0).moved(np.eye(3)), "a body's placement must be a 4x4 homogeneous matrix"),
        (lambda: Body(1.0).scaled(-2), "a density factor must be a finite number, zero or more"),
        (lambda: box((1, 1, 1)), r"a box needs either mass= \(kg\) or density= \(kg/m\^3\), got neither"),
        (lambda: box((1, 1, 1), mass=1, density=1), "a box needs either mass= .* got both"),
        (lambda: box((1, 1, 0), mass=1), r"a box's size must be a finite number, more than zero \(m\), got 0.0"),
        (lambda: box((1, 1), mass=1), "a box's size must be three finite numbers"),
        (lambda: box((1, 1, 1), density=-1), r"a box's density must be a finite number, zero or more \(kg/m\^3\)"),
        (lambda: sphere(-1, mass=1), "a sphere's or ellipsoid's radii must be a finite number, more than zero"),
        (lambda: cylinder(1, 1, mass=1, inner_radius=2), "inner radius must not exceed its radius, got 2.0 and 1.0"),
        (lambda: cylinder(1, 0, mass=1), "a cylinder's length must be a finite number, more than zero"),
        (lambda: capsule(1, -1, mass=1), "a capsule's length must be a finite number, zero or more"),
        (lambda: cone(0, 1, mass=1), "a cone's radius must be a finite number, more than zero"),
        (lambda: rod((0, 0), (1, 1, 1), mass=1), "a rod's start must be three finite numbers"),
        (lambda: as_placement((0, np.nan, 0), "here"), r"here \(a position, m\) must be three finite numbers"),
        (lambda: as_placement("there", "here"), "here must be a 4x4 homogeneous matrix"),
        (lambda: finite3(None, "gravity"), "gravity must be three finite numbers, got None"),
    ],
)
def test_nonsense_is_refused_in_words(make, words):
    with pytest.raises(ModelError, match=words):
        make()


def test_a_body_does_not_add_to_a_number():
    with pytest.raises(TypeError):
        Body(1.0) + 1.0
