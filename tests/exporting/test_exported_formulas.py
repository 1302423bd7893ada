"""Exported formulas of robots with passive joints, and of several results: what is read, and what arrays are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported
from random_robots import random_model
from soadyn.algebra import D_p, H_a, H_p, M, P, T, V, b, inv, phi, psi
from soadyn.algebra.expressions import Expression

PASSIVE = np.array([False, True, True, False, False, True, False])
OTHER = 7.0  # what is given where nothing is read


@pytest.fixture
def floating() -> sd.Robot:
    """A free base, some of whose components are passive, and a link."""
    model = random_model(np.random.default_rng(3), 2, ("prismatic",), "serial", "free", fixed_links=0.0)
    return sd.Robot(model, backend="numpy")


@pytest.mark.parametrize("x", [H_a.T, H_p @ phi @ M @ phi.T @ H_a.T, inv(D_p), H_a @ phi @ M @ phi.T @ H_p.T], ids=str)
def test_of_vectors_of_active_or_passive_joints_the_others_are_not_read(
    x: Expression, floating: sd.Robot, tmp_path: Path, rng: np.random.Generator
) -> None:
    f = sd.compile(x, floating, passive=PASSIVE)
    read = PASSIVE if x.domain.place == "passive joint" else ~PASSIVE
    q, given = floating.random_configuration(rng), np.full(floating.nv, OTHER)
    given[read] = rng.standard_normal(read.sum())
    status, (found,) = Exported(f, tmp_path)(q, given)
    expected = f(q) @ given[read]
    assert status == 0
    if x.codomain.place == "link":
        assert np.allclose(found, expected.ravel(), rtol=0, atol=1e-13)
        return
    written = PASSIVE if x.codomain.place == "passive joint" else ~PASSIVE
    assert np.allclose(found[written], expected, rtol=0, atol=1e-12)
    assert not found[~written].any()


def test_what_is_not_read_may_be_no_number(floating: sd.Robot, tmp_path: Path, rng: np.random.Generator) -> None:
    given = np.where(PASSIVE, np.nan, 1.0)
    code = Exported(sd.compile(H_a.T, floating, passive=PASSIVE), tmp_path)
    assert code(floating.random_configuration(rng), given)[0] == 0


def test_forces_of_all_joints_are_read_beside_a_passive_set(
    floating: sd.Robot, tmp_path: Path, rng: np.random.Generator
) -> None:
    f = sd.compile([2 * T, P @ psi.T @ H_p.T @ inv(D_p) @ H_p @ b], floating, passive=PASSIVE)
    q, v, tau = floating.random_configuration(rng), *rng.standard_normal((2, floating.nv))
    status, (twice, _) = Exported(f, tmp_path)(q, v, tau)
    assert status == 0
    assert np.array_equal(twice, 2 * tau)


@pytest.mark.parametrize("derivative", ["jvp", "vjp"])
def test_derivatives_of_results_of_one_kind_have_arrays_of_their_own(
    derivative: Any, tmp_path: Path, rng: np.random.Generator
) -> None:
    arm = sd.load("planar_two_link").with_backend("numpy")
    f = sd.compile([T, 3 * T, V], arm)
    code = Exported(f, tmp_path, derivative=derivative)
    names = [name for const, _, name, _ in code.arrays if const]
    assert len(set(names)) == len(names)
    q, v, tau = rng.standard_normal((3, 2))
    along = [rng.standard_normal(int(size)) for const, _, _, size in code.arrays if const][3:]
    status, (first, second, _, *derivatives) = code(q, v, tau, *along)
    assert status == 0
    assert np.array_equal(second, 3 * first)
    if derivative == "vjp":
        assert np.allclose(derivatives[-1], along[0] + 3 * along[1], rtol=0, atol=1e-14)


def test_vectors_called_like_directions_keep_their_names(tmp_path: Path) -> None:
    arm, dq = sd.load("planar_two_link").with_backend("numpy"), sd.vector("dq", "joint force")
    code = Exported(sd.compile(dq + T, arm), tmp_path, derivative="jvp")
    assert "const double dq[2]" in code.prototype
    assert "const double dq_in[2]" in code.prototype
