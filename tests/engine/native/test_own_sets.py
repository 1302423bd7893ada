"""Straight-line code for one passive set: right, shorter than code for any set, and made where it is asked for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import HALVES, robot_named
from soadyn.algebra import D_p, H_p, I_passive, K_p, T_p, inv, psi
from soadyn.engine.native.kernel import Kernel

ROWS = 300  # enough for straight-line code
TAKES = {
    "generalized_jacobian": ("frame",),
    "disturbance_jacobian": (),
    "actuation_matrices": (),
    "passive_mass_factors": (),
    **HALVES,
}


def call(robot: sd.Robot, name: str, passive: np.ndarray, rng: np.random.Generator, rows: int = ROWS) -> dict[str, Any]:
    """Random arguments of a quantity, beside the passive set."""
    sizes = {"x": int((~passive).sum()), "y": int(passive.sum()), "f": 6, "v": robot.nv, "tau": robot.nv}
    vectors = {key: rng.standard_normal((rows, sizes[key])) for key in TAKES[name] if key in sizes}
    frame = {"frame": robot.link_names[-1]} if "frame" in TAKES[name] else {}
    return {"q": robot.random_configuration(rng, rows), **vectors, **frame}


def several(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def straight_kernels(robot: sd.Robot) -> list[Kernel]:
    assert robot.engine.kernels is not None
    return [kernel for key, kernel in robot.engine.kernels._made.items() if key[0] == "straight" and kernel is not None]


def takes_mask(kernel: Kernel) -> bool:
    return "passive" in [port.name for port in kernel.inputs]


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("own", [True, False], ids=["code for the set", "code for any set"])
def test_parts_of_matrices_are_what_the_reference_gives(
    own: bool, name: str, precision: str, llvm: None, rng: np.random.Generator
) -> None:
    plain = robot_named("tree on a free base").with_gravity([0.1, 0.2, -9.0])  # a new robot: nothing is prepared
    tolerance = 1e-11 if precision == "float64" else 1e-3
    for passive in (np.arange(plain.nv) < 6, np.arange(plain.nv) % 3 == 1, np.arange(plain.nv) == plain.nv - 1):
        robot = plain.specialize(passive=passive) if own else plain
        given = call(robot, name, passive, rng)
        given = {key: x.astype(precision) if isinstance(x, np.ndarray) else x for key, x in given.items()}
        wide = {key: x.astype(float) if isinstance(x, np.ndarray) else x for key, x in given.items()}
        expected = several(getattr(robot.with_backend("numpy"), name)(**wide, passive=passive))
        for _ in range(2):  # the second call is a prepared one
            found = several(getattr(robot, name)(**given, passive=passive))
            for x, y in zip(found, expected, strict=True):
                assert x.shape == y.shape
                assert x.dtype == precision
                assert x.flags.c_contiguous
                assert np.abs(x - y).max() <= tolerance * max(1.0, np.abs(y).max())
        assert {takes_mask(kernel) for kernel in straight_kernels(robot)} == {not own}


@pytest.mark.parametrize("name", TAKES)
def test_code_for_one_set_is_shorter(name: str, llvm: None, rng: np.random.Generator) -> None:
    """By three tenths at least; matrices by half."""
    plain, passive = sd.load("ets_vii").with_gravity([0.0, 0.0, -1.0]), np.arange(12) < 6
    given = call(plain, name, passive, rng)
    work = []
    for robot in (plain.specialize(passive=passive), plain):
        getattr(robot, name)(**given, passive=passive)
        work += [kernel.work for kernel in straight_kernels(robot)]
    own, general = work
    assert own <= (0.51 if name.endswith(("jacobian", "matrices", "factors")) else 0.7) * general


def test_one_code_serves_all_sets_in_any_order(llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer").with_gravity([0.0, 0.0, -1.0])
    q = robot.random_configuration(rng, ROWS)
    for i in (2, 3, 5, 3):
        passive = np.arange(robot.nv) % i == 0
        expected = robot.with_backend("numpy").disturbance_jacobian(q, passive)
        assert np.abs(robot.disturbance_jacobian(q, passive) - expected).max() <= 1e-11
    assert [takes_mask(kernel) for kernel in straight_kernels(robot)] == [True]


def test_a_set_without_active_joints_has_empty_results(llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("ets_vii").with_gravity([0.0, 0.0, -1.0])
    q = robot.random_configuration(rng, ROWS)
    for passive in (np.zeros(12, dtype=bool), np.ones(12, dtype=bool)):
        expected = robot.with_backend("numpy").actuation_matrices(q, passive)
        for _ in range(2):
            for x, y in zip(robot.actuation_matrices(q, passive), expected, strict=True):
                assert x.shape == y.shape
                assert np.abs(x - y).max(initial=0.0) <= 1e-11


def test_rows_without_an_answer_are_told_of(llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("ets_vii").with_gravity([0.0, 0.0, -1.0])
    q = robot.random_configuration(rng, ROWS)
    q[77] = np.nan
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="1 of 300 rows"):
            S_aa, S_ap, S_pp = robot.actuation_matrices(q, ["root"])
        for x in (S_aa, S_ap, S_pp):
            assert np.isnan(x[77]).all()
            assert np.isfinite(np.delete(x, 77, axis=0)).all()


def test_formulas_with_a_passive_set_are_compiled_for_it(llvm: None, rng: np.random.Generator) -> None:
    """M_pp^-1 T_p by the passive arm's factors, beside a dense solution."""
    robot = sd.load("ets_vii").with_gravity([0.0, 0.0, -1.0])
    factor = I_passive - H_p @ psi @ K_p
    solve = sd.compile(factor.T @ inv(D_p) @ factor @ T_p, robot, passive=["root"])
    q, forces = robot.random_configuration(rng, ROWS), rng.standard_normal((ROWS, 6))
    M_pp = robot.with_backend("numpy").mass_matrix(q)[:, :6, :6]
    expected = np.linalg.solve(M_pp, forces[..., None])[..., 0]
    for _ in range(2):
        assert np.abs(solve(q, forces) - expected).max() <= 1e-11 * np.abs(expected).max()
    assert straight_kernels(robot)
    assert not any(map(takes_mask, straight_kernels(robot)))


@pytest.mark.parametrize("name", [*TAKES, "hybrid_dynamics"])
def test_a_robot_is_specialised_for_one_set(name: str, llvm: None, rng: np.random.Generator) -> None:
    """Single states and batches have the same bits; other sets get code for any set."""
    plain = robot_named("tree on a free base")
    passive = np.arange(plain.nv) % 3 == 0
    robot = plain.specialize(passive=passive)
    for mask in (passive, ~passive):
        rows = 19
        if name == "hybrid_dynamics":
            given: dict[str, Any] = {key: rng.standard_normal((rows, robot.nv)) for key in ("v", "a", "tau")}
            given["q"] = robot.random_configuration(rng, rows)
        else:
            given = call(robot, name, mask, rng, rows)
        expected = several(getattr(plain.with_backend("numpy"), name)(**given, passive=mask))
        for _ in range(2):
            found = several(getattr(robot, name)(**given, passive=mask))
            for x, y in zip(found, expected, strict=True):
                assert np.abs(x - y).max() <= 1e-11 * max(1.0, np.abs(y).max())
            for i in (0, 18):
                row = {key: x[i] if isinstance(x, np.ndarray) else x for key, x in given.items()}
                alone = several(getattr(robot, name)(**row, passive=mask))
                assert [x.tobytes() for x in alone] == [x[i].tobytes() for x in found]
    assert sorted(map(takes_mask, straight_kernels(robot))) == [False, False, True, True]


def test_hybrid_dynamics_for_one_set_costs_less_than_forward_dynamics(llvm: None) -> None:
    """Joints whose acceleration is known need no articulated inertia."""
    flyer = sd.load("ets_vii").specialize(passive=["root"])
    q, v = flyer.neutral(), np.zeros(flyer.nv)
    flyer.forward_dynamics(q, v, v)
    flyer.hybrid_dynamics(q, v, v, v, ["root"])
    flyer.hybrid_dynamics(q, v, v, v, ["root", "Joint_1"])
    forward, own, general = (kernel.work for kernel in straight_kernels(flyer))
    assert own < forward < general


def test_a_specialised_robot_keeps_its_set(llvm: None) -> None:
    passive = np.arange(12) < 6
    robot = sd.load("ets_vii").specialize(passive=passive)
    passive[:] = False  # the caller's array
    for same in (robot, pickle.loads(pickle.dumps(robot))):
        same.disturbance_jacobian(same.neutral(), ["root"])
        assert not any(map(takes_mask, straight_kernels(same)))
    other = robot.with_gravity([0.0, 0.0, -1.0])
    other.hybrid_dynamics(other.neutral(), *np.zeros((3, 12)), ["root"])
    assert all(map(takes_mask, straight_kernels(other)))
