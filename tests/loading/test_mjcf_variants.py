"""Odd MJCF models: mass matrix and bias as MuJoCo has them, or an error of soadyn's that names the file."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from mjcf_variants import AGREE, REFUSED
from soadyn.interop.mujoco import MuJoCo

mujoco = pytest.importorskip("mujoco")


def written(files: dict[str, str], folder: Path) -> Path:
    for name, text in files.items():
        path = folder / "model" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "part.xml").write_text("<mujocoinclude/>")  # what lies outside is there, so that it could be read
    (folder / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    return folder / "model" / "model.xml"


def quietly(path: Path) -> sd.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.ModelWarning)
        return sd.load(path).with_backend("numpy")


def rates(peer: MuJoCo, q: np.ndarray) -> np.ndarray:
    """T of qvel = T v."""
    return np.stack([peer.v_to(q, e) for e in np.eye(len(peer.v_to(q, np.zeros(peer.robot.nv))))], axis=-1)


def theirs(m: Any, peer: MuJoCo, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's mass matrix and bias force, in our coordinates."""
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_SPRING
    d, full, T = mujoco.MjData(m), np.zeros((m.nv, m.nv)), rates(peer, q)
    d.qpos, d.qvel = peer.q_to(q), T @ v
    mujoco.mj_forward(m, d)
    mujoco.mj_fullM(m, d, full)
    h = 1e-6
    step = peer.robot.integrate(q, h * v), peer.robot.integrate(q, -h * v)
    change = (rates(peer, step[0]) - rates(peer, step[1])) @ v / (2 * h)
    return T.T @ full @ T, T.T @ (full @ change + d.qfrc_bias)


@pytest.mark.parametrize("name", AGREE)
def test_mass_matrix_and_bias_are_mujocos(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # MuJoCo logs its warnings where it runs
    path = written(AGREE[name], tmp_path)
    m, robot = mujoco.MjModel.from_xml_path(str(path)), quietly(path)
    peer, rng = MuJoCo(robot, m), np.random.default_rng(3)
    q = robot.integrate(robot.neutral(), rng.uniform(-1.0, 1.0, robot.nv))
    v = rng.standard_normal(robot.nv)
    M, bias = theirs(m, peer, q, v)
    assert_allclose(robot.mass_matrix(q), M, rtol=1e-10, atol=1e-12 * abs(M).max())
    assert_allclose(robot.bias_force(q, v), bias, rtol=1e-6, atol=1e-8 * (abs(M).max() + abs(bias).max()))


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense_is_refused_by_name(name: str, tmp_path: Path) -> None:
    path = written(REFUSED[name], tmp_path)
    with pytest.raises(sd.ModelError, match=r"\.xml:\d+: |\.xml: |\.obj"):
        quietly(path)
