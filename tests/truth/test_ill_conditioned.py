"""Light links that carry a heavy body: what rounding T and C alone would do is all that may be lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import mpmath
import numpy as np
import pytest

import soadyn as sd
from agreement import largest

EPS = np.finfo(float).eps
FORMS: tuple[Literal["numpy", "rolled", "straight"], ...] = ("numpy", "rolled", "straight")
LIGHT, HEAVY = 1e-3, 1e9


@pytest.fixture
def backend() -> None:
    """Every test names its backends itself."""


def body(rng: np.random.Generator, mass: float, size: float) -> sd.Body:
    second_moment = (A := size * rng.standard_normal((3, 3))) @ A.T * mass / 3
    return sd.Body(mass, size * rng.standard_normal(3), np.trace(second_moment) * np.eye(3) - second_moment)


def gimbal(rng: np.random.Generator, kinds: tuple[str, str], last: str, heavy: float, concentric: bool) -> sd.Robot:
    """Two light links, and a heavy body on the last joint."""
    builder = sd.Builder("gimbal")
    parent = None
    for name, kind, mass, size in (
        ("outer", kinds[0], LIGHT, 0.1),
        ("inner", kinds[1], LIGHT, 0.1),
        ("body", last, heavy, 1.0),
    ):
        axis, axis2 = rng.standard_normal((2, 3))
        origin = np.zeros(3) if concentric else 0.1 * rng.standard_normal(3)
        parent = builder.link(name, body(rng, mass, size), parent, kind, axis, origin, axis2=axis2)
    return sd.build(builder)


def exact(x: Any) -> Any:
    return np.frompyfunc(mpmath.mpf, 1, 1)(x)


@dataclass
class Found:
    """The true θ̈, for each form |θ̈ - true θ̈|, |Mass⁻¹| (|T| + |C|), and the condition of Mass."""

    true: np.ndarray
    off: dict[str, np.ndarray]
    forces: np.ndarray
    condition: float


def found(robot: sd.Robot, rng: np.random.Generator) -> Found:
    q, v, tau = robot.random_configuration(rng), *rng.standard_normal((2, robot.nv))
    with mpmath.workdps(60):
        reference = robot.with_backend("numpy")
        T, C = exact(tau), reference.bias_force(exact(q), exact(v))
        true = reference.forward_dynamics(exact(q), exact(v), T).astype(float)
        forces = (abs(reference.mass_matrix_inverse(exact(q))) @ (abs(T) + abs(C))).astype(float)
    off = {form: abs(robot.with_backend(form).forward_dynamics(q, v, tau) - true) for form in FORMS}
    return Found(true, off, forces, float(np.linalg.cond(robot.mass_matrix(q))))


@pytest.mark.parametrize("concentric", [True, False], ids=["concentric", "apart"])
@pytest.mark.parametrize("last", ["spherical", "free"])
@pytest.mark.parametrize("kinds", [("revolute", "revolute"), ("universal", "revolute"), ("universal", "universal")])
@pytest.mark.heavy(2)
def test_a_light_gimbal_under_a_heavy_body_loses_no_more_than_rounding_its_forces_does(
    kinds: tuple[str, str], last: str, concentric: bool, rng: np.random.Generator, llvm: None
) -> None:
    for _ in range(3):
        x = found(gimbal(rng, kinds, last, HEAVY, concentric), rng)
        for form, off in x.off.items():
            assert (off <= 64 * EPS * x.forces).all(), (form, off / (EPS * x.forces))


@pytest.mark.parametrize("last", ["revolute", "cylindrical", "planar", "helical"])
@pytest.mark.heavy(2)
def test_a_heavy_body_on_single_axes_loses_no_more_than_the_mass_matrix_is_conditioned(
    last: str, rng: np.random.Generator, llvm: None
) -> None:
    for _ in range(3):
        x = found(gimbal(rng, ("universal", "universal"), last, 1e4, concentric=True), rng)
        for form, off in x.off.items():
            assert largest(off) <= EPS * x.condition * largest(x.true), (form, largest(off), x.condition)
