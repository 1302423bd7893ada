"""Exported derivatives: compiled with gcc, called, compared with those of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported
from soadyn.algebra import H, M, T, a, b, inv, mass, phi

RELATIVE = 1e-12


def same(x: np.ndarray, y: np.ndarray) -> bool:
    return bool(np.abs(x.ravel() - y.ravel()).max() <= RELATIVE * np.abs(y).max())


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics", "kinetic_energy", "mass_matrix"])
@pytest.mark.heavy(2)
def test_jvp_and_vjp_of_quantities(name: str, tmp_path: Path, rng: np.random.Generator) -> None:
    robot = sd.load("free_flyer")
    count = {"kinetic_energy": 2, "mass_matrix": 1}.get(name, 3)
    at = [robot.random_configuration(rng), *rng.standard_normal((2, robot.nv))][:count]
    along = list(rng.standard_normal((count, robot.nv)))
    value, rate = robot.jvp(name, at, along)
    status, found = Exported(getattr(robot, name), tmp_path, derivative="jvp")(*at, *along)
    assert status == 0
    assert same(found[0], np.asarray(value))
    assert same(found[1], np.asarray(rate))
    weights = rng.standard_normal(np.shape(value))
    _, cotangents = robot.vjp(name, at, weights)
    status, found = Exported(getattr(robot, name), tmp_path, derivative="vjp")(*at, np.atleast_1d(weights))
    assert status == 0
    for x, y in zip(found[1:], cotangents, strict=True):
        assert same(x, y)


def test_arrays_have_plain_names(tmp_path: Path) -> None:
    arm = sd.load("planar_two_link")
    jvp = Exported(arm.forward_dynamics, tmp_path, derivative="jvp")
    assert [name for _, _, name, _ in jvp.arrays] == ["q", "v", "tau", "dq", "dv", "dtau", "a", "da"]
    vjp = Exported(arm.forward_dynamics, tmp_path, derivative="vjp")
    assert [name for _, _, name, _ in vjp.arrays] == ["q", "v", "tau", "w_a", "a", "by_q", "by_v", "by_tau"]


@pytest.mark.parametrize("options", [{"passive": ["root"]}, {}])
@pytest.mark.heavy(2)
def test_hybrid_dynamics_with_its_passive_set_folded_in_or_not(
    options: dict[str, Any], tmp_path: Path, rng: np.random.Generator
) -> None:
    robot = sd.load("free_flyer")
    passive = np.arange(robot.nv) < 6
    q, (v, x, tau) = robot.random_configuration(rng), rng.standard_normal((3, robot.nv))
    w = tuple(rng.standard_normal((2, robot.nv)))
    _, cotangents = robot.vjp("hybrid_dynamics", (q, v, x, tau), w, passive=passive)
    given = (q, v, x, tau, *w) if options else (q, v, x, tau, passive, *w)
    status, found = Exported(robot.hybrid_dynamics, tmp_path, derivative="vjp", **options)(*given)
    assert status == 0
    for x, y in zip(found[2:], cotangents, strict=True):
        assert same(x, y)


def test_jvp_of_a_formula(tmp_path: Path, rng: np.random.Generator) -> None:
    f = sd.compile(inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b)), sd.load("ur5"))
    at, along = rng.standard_normal((2, 3, 6))
    _, rate = f.jvp(tuple(at), tuple(along))
    status, found = Exported(f, tmp_path, derivative="jvp")(*at, *along)
    assert status == 0
    assert same(found[1], rate)


JACOBIANS: dict[str, tuple[str, ...]] = {
    "forward_dynamics_derivatives": ("q", "v", "tau"),
    "inverse_dynamics_derivatives": ("q", "v", "a"),
    "mass_matrix_sensitivities": ("q",),
    "coriolis_matrix": ("q", "v"),
    "mass_matrix_log_determinant": ("q",),
}


@pytest.mark.parametrize("name", JACOBIANS)
def test_quantities_that_are_derivatives(name: str, tmp_path: Path, rng: np.random.Generator) -> None:
    """Their C against complex steps of the reference, or against NumPy's determinant."""
    robot = sd.load("planar_two_link")
    reference = robot.with_backend("numpy")
    state = {"q": rng.standard_normal(2), **{key: rng.standard_normal(2) for key in ("v", "a", "tau")}}
    given = [state[key] for key in JACOBIANS[name]]
    status, found = Exported(getattr(robot, name), tmp_path, "-O1")(*given)
    assert status == 0
    step, q, v = 1e-30, state["q"], state["v"]

    def stepped(quantity: str, place: int, along: np.ndarray, at: list[np.ndarray]) -> np.ndarray:
        moved = [x + 1j * step * along if i == place else x.astype(complex) for i, x in enumerate(at)]
        return np.imag(getattr(reference, quantity)(*moved)) / step

    units, shape = np.eye(2), (2, 2)
    if name.endswith("dynamics_derivatives"):
        quantity = name.removesuffix("_derivatives")
        for place, x in enumerate(found):
            wanted = np.stack([stepped(quantity, place, unit, given) for unit in units], axis=-1)
            assert same(x.reshape(shape), wanted)
    elif name == "mass_matrix_sensitivities":
        wanted = np.stack([stepped("mass_matrix", 0, unit, [q]) for unit in units], axis=-1)
        assert same(found[0].reshape(2, 2, 2), wanted)
    elif name == "coriolis_matrix":
        C, rate = found[0].reshape(shape), stepped("mass_matrix", 0, v, [q])
        assert same(C @ v, reference.bias_force(q, v) - reference.gravity_force(q))
        assert np.abs(C + C.T - rate).max() <= 1e-13
    else:
        assert same(found[0], np.asarray(np.linalg.slogdet(reference.mass_matrix(q))[1]))
