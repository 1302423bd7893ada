"""Quantities of robots with passive joints and of operational points as C: their own results, in their own shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported

FRAMED = ("generalized_jacobian", "generalized_jacobian_times", "generalized_jacobian_transposed_times")
ALONE = (
    "disturbance_jacobian",
    "disturbance_jacobian_times",
    "disturbance_jacobian_transposed_times",
    "disturbance_drift",
    "actuation_matrices",
    "passive_mass_factors",
)
PASSIVE = ["root", "Joint_2"]


@pytest.fixture(scope="module")
def flyer() -> sd.Robot:
    return sd.load("ets_vii")


def given(flyer: sd.Robot, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """An argument of each name that C can have, of all components."""
    sizes = {"v": flyer.nv, "tau": flyer.nv, "x": flyer.nv, "y": flyer.nv, "f": 6}
    return {"q": flyer.random_configuration(rng), **{name: rng.standard_normal(n) for name, n in sizes.items()}}


def in_python(flyer: sd.Robot, name: str, state: dict[str, np.ndarray], called: list[str], **options: Any) -> Any:
    mask = np.zeros(flyer.nv, dtype=bool)
    for joint in PASSIVE:
        mask[list(flyer.joint_dofs(joint))] = True
    parts = {**state, "x": state["x"][~mask], "y": state["y"][mask]}
    return getattr(flyer, name)(**{x: parts[x] for x in called}, **options)


@pytest.mark.parametrize("name", [*FRAMED, *ALONE])
def test_with_a_set_folded_in_c_has_the_results_of_python(
    name: str, flyer: sd.Robot, tmp_path: Path, rng: np.random.Generator
) -> None:
    options = {"passive": PASSIVE, **({"frame": "link_ee", "axes": "local"} if name in FRAMED else {})}
    code = Exported(getattr(flyer, name), tmp_path, **options)
    called = [x for const, _, x, _ in code.arrays if const]
    state = given(flyer, rng)
    status, found = code(*(state[x] for x in called))
    wanted = in_python(flyer, name, state, called, **options)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    assert status == 0
    assert [x.size for x in found] == [x.size for x in wanted]
    for x, y in zip(found, wanted, strict=True):
        np.testing.assert_allclose(x, y.ravel(), rtol=1e-11, atol=1e-12)


def test_what_c_calls_them(flyer: sd.Robot, tmp_path: Path) -> None:
    _, header = sd.export_c(flyer.actuation_matrices, tmp_path / "s", passive=["root"], name="s")
    assert "int s(const double q[13], double S_aa[36], double S_ap[36], double S_pp[36]);" in header.read_text()
    _, header = sd.export_c(flyer.disturbance_jacobian, tmp_path / "d", passive=PASSIVE, name="d")
    assert "int d(const double q[13], double J_D[35]);" in header.read_text()


def test_where_the_set_is_an_argument_the_other_half_is_not_read(
    flyer: sd.Robot, tmp_path: Path, rng: np.random.Generator
) -> None:
    code = Exported(flyer.generalized_jacobian_times, tmp_path, frame="link_ee")
    mask = np.zeros(flyer.nv, dtype=bool)
    mask[:6] = mask[7] = True
    state = given(flyer, rng)
    called = [x for const, _, x, _ in code.arrays if const]
    status, (found,) = code(*({**state, "passive": mask}[x] for x in called))
    wanted = flyer.generalized_jacobian_times(state["q"], state["x"][~mask], "link_ee", passive=PASSIVE)
    assert status == 0
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "frames"),
    [
        ("operational_inertia", "link_ee"),
        ("operational_inertia_inverse", ["link_ee", "Base_SC"]),
        ("operational_bias", ("link_ee", np.eye(4))),
    ],
)
def test_operational_points(name: str, frames: Any, flyer: sd.Robot, tmp_path: Path, rng: np.random.Generator) -> None:
    state = given(flyer, rng)
    code = Exported(getattr(flyer, name), tmp_path, frame=frames)
    called = [x for const, _, x, _ in code.arrays if const]
    status, (found,) = code(*(state[x] for x in called))
    wanted = getattr(flyer, name)(**{x: state[x] for x in called}, frames=frames)
    assert status == 0
    np.testing.assert_allclose(found, wanted.ravel(), rtol=1e-9, atol=1e-9)


def test_a_list_of_frames_is_refused_where_one_is_taken(flyer: sd.Robot, tmp_path: Path) -> None:
    with pytest.raises(sd.ArgumentError, match="jacobian takes one frame, got a list"):
        sd.export_c(flyer.jacobian, tmp_path / "j", frame=["link_ee"])
