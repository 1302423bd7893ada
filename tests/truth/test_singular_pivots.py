"""A joint without inertia to work against: no answer, in every form, however its pivot rounds."""

from __future__ import annotations

from typing import Any, Literal

import mpmath
import numpy as np
import pytest

import soadyn as sd
from agreement import error

FORMS: tuple[Literal["numpy", "rolled", "straight"], ...] = ("numpy", "rolled", "straight")
KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical", "free")
INERTIA = np.diag([0.1, 0.2, 0.25])


@pytest.fixture
def backend() -> None:
    """Every test names its backends itself."""


def chain(kinds: tuple[str, ...], origins: Any = ((0.3, 0.1, 0.2),) * 9) -> sd.Robot:
    """Massless links, and a body on the last."""
    builder = sd.Builder("massless")
    parent = None
    rng = np.random.default_rng(0)
    for i, (kind, origin) in enumerate(zip(kinds, origins, strict=False)):
        mass = sd.Body(2.0, (0.1, 0.2, 0.3), INERTIA) if i == len(kinds) - 1 else None
        parent = builder.link(f"link{i}", mass, parent, kind, rng.standard_normal(3), origin)
    return sd.build(builder)


@pytest.mark.parametrize(
    ("first", "carried"),
    [("revolute", "spherical"), ("free", "spherical"), ("revolute", "free"), ("prismatic", "free"), ("planar", "free")],
)
@pytest.mark.heavy(2)
def test_a_massless_link_that_carries_a_spherical_or_free_joint_has_no_answer(
    first: str, carried: str, rng: np.random.Generator, form: Literal["rolled", "straight"]
) -> None:
    concentric = ((0.0, 0.0, 0.0),) * 2
    robot = chain((first, carried), concentric if carried == "spherical" else ((0.3, 0.1, 0.2),) * 2)
    q = robot.random_configuration(rng, 20)
    v, tau = rng.standard_normal((2, 20, robot.nv))
    for backend in ("numpy", form):
        with pytest.warns(RuntimeWarning, match=r"20 of 20 rows came out NaN: D is singular at link 'link0'"):
            assert np.isnan(robot.with_backend(backend).forward_dynamics(q, v, tau)).all()
    assert np.isfinite(robot.with_backend(form).mass_matrix(q)).all()


def test_four_axes_through_a_point_have_no_answer(
    rng: np.random.Generator, form: Literal["rolled", "straight"]
) -> None:
    robot = chain(("revolute",) * 4, np.zeros((4, 3)))
    q = robot.random_configuration(rng, 200)
    # The first of four pivots vanishes wherever the others are clear; beside small ones it may drown in their rounding.
    D = robot.lock([robot.joint_names[0]], robot.neutral()).mass_matrix_factors(q[:, 1:])[1]
    q = q[np.diagonal(D, axis1=1, axis2=2).min(axis=1) > 0.01][:50]
    for backend in ("numpy", form):
        with pytest.warns(RuntimeWarning, match=r"50 of 50 rows came out NaN: D is singular at link 'link0'"):
            robot.with_backend(backend).mass_matrix_inverse(q)


@pytest.mark.heavy(2)
def test_a_massless_link_has_an_answer_where_its_joint_moves_what_it_carries(
    rng: np.random.Generator, form: Literal["rolled", "straight"]
) -> None:
    for kinds in (("revolute", "spherical"), ("universal", "universal"), ("prismatic", "planar")):
        robot = chain(kinds)
        q = robot.random_configuration(rng, 50)
        product = robot.mass_matrix(q) @ robot.with_backend(form).mass_matrix_inverse(q)
        assert error(product, np.broadcast_to(np.eye(robot.nv), product.shape)) < 1e-9


def test_parameters_decide_whether_a_pivot_is_singular(rng: np.random.Generator, llvm: None) -> None:
    robot = chain(("revolute",) * 4, np.zeros((4, 3)))
    inertias = np.array([0.0, 1e-3])[:, None, None] * np.eye(3)
    q = robot.random_configuration(rng)
    for backend in ("numpy", "auto"):
        arm = robot.with_backend(backend).parametric("link0.inertia", "link3.mass")  # type: ignore[arg-type]
        with pytest.warns(RuntimeWarning, match=r"1 of 2 rows came out NaN: D is singular at link 'link0'"):
            found = arm.mass_matrix_inverse(q, inertias, 2.0)
        assert np.isnan(found[0]).all()
        assert error(arm.mass_matrix(q, inertias[1], 2.0) @ found[1], np.eye(4)) < 1e-9


def random_robot(rng: np.random.Generator) -> sd.Robot:
    """A tree in which most links are massless and many joints stand at one point."""
    builder, names = sd.Builder("random"), []
    n = int(rng.integers(2, 6))
    for i in range(n):
        kind, mass = str(rng.choice(KINDS)), 10.0 ** rng.uniform(-2, 2)
        spread = np.square(rng.standard_normal(3))
        com, inertia = (
            rng.integers(0, 2) * rng.standard_normal(3),
            rng.integers(0, 2) * mass * np.diag(spread.sum() - spread),
        )
        body = None if i < n - 1 and rng.random() < 0.7 else sd.Body(mass, com, inertia)
        parent = None if not names else names[-1] if rng.random() < 0.8 else str(rng.choice(names))
        origin = rng.integers(0, 2) * rng.standard_normal(3)
        axis, axis2 = rng.standard_normal((2, 3))
        pitch = {"pitch": 0.1} if kind == "helical" else {}
        names.append(builder.link(f"link{i}", body, parent, kind, axis, origin, axis2=axis2, **pitch))  # type: ignore[arg-type]
    return sd.build(builder)


def pivots(A: Any) -> list[float]:
    """Of a semidefinite matrix scaled to a unit diagonal, by elimination with the largest pivot first."""
    n = len(A)
    d = np.array([mpmath.sqrt(A[i, i]) if A[i, i] > 0 else mpmath.mpf(1) for i in range(n)])
    A = A / np.multiply.outer(d, d)
    for k in range(n):
        largest = max(range(k, n), key=lambda i: A[i, i])
        order = [*range(k), largest, *(i for i in range(k, n) if i != largest)]
        A = A[np.ix_(order, order)]
        if A[k, k] > 1e-40:
            A[k + 1 :, k + 1 :] -= np.multiply.outer(A[k + 1 :, k], A[k, k + 1 :]) / A[k, k]
    return [float(A[i, i]) for i in range(n)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_robots_have_an_answer_exactly_where_the_mass_matrix_is_regular(
    rng: np.random.Generator, llvm: None
) -> None:
    verdicts = {True: 0, False: 0}
    while min(verdicts.values()) < 15:
        robot = random_robot(rng)
        q = robot.random_configuration(rng)
        with mpmath.workdps(50):
            mass = robot.with_backend("numpy").mass_matrix(np.frompyfunc(mpmath.mpf, 1, 1)(q))
            found = pivots(mass)
        if any(1e-14 < abs(pivot) < 1e-4 for pivot in found):
            continue  # what is nearly singular may be judged either way
        regular = min(found) > 1e-4
        verdicts[regular] += 1
        for backend in FORMS[:2]:
            inverse = robot.with_backend(backend).mass_matrix_inverse(q)
            if regular:
                assert error(inverse @ mass.astype(float), np.eye(robot.nv)) < 1e-8, (backend, found)
            else:
                assert np.isnan(inverse).all(), (backend, found, robot.model.joints)
