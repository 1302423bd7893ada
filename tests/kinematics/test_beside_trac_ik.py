"""Poses that TRAC-IK reaches are reached, and by our kinematics its answers are where they should be."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import soadyn as sd

TOLERANCE = 1e-5  # TRAC-IK's own, m and rad


@pytest.mark.peers
@pytest.mark.parametrize(("name", "base", "tip"), [("panda", "panda_link0", "panda_link8"), ("ur5", "base", "tool0")])
def test_what_trac_ik_reaches_is_reached(name: str, base: str, tip: str, rng: np.random.Generator) -> None:
    pytracik = pytest.importorskip("pytracik")
    from scipy.spatial.transform import Rotation

    arm = sd.load(name)
    text = files("soadyn.loading").joinpath("robots", f"{name}.urdf").read_text(encoding="utf-8")
    solver = pytracik.TRAC_IK(base, tip, text, 0.05, TOLERANCE, pytracik.SolveType.Speed)
    seen_from = np.linalg.inv(arm.pose(arm.neutral(), base))
    poses = arm.pose(arm.random_configuration(rng, 40), tip)
    theirs = np.full((40, arm.nq), np.nan)
    for i, pose in enumerate(seen_from @ poses):
        goal = [*pose[:3, 3], *Rotation.from_matrix(pose[:3, :3]).as_quat()]
        answer = pytracik.ik(solver, arm.random_configuration(rng), *goal)
        if answer[0] >= 0:
            theirs[i] = answer[1:]
    solved = np.isfinite(theirs).all(axis=1)
    assert solved.sum() >= 30
    assert np.abs(arm.pose(theirs[solved], tip) - poses[solved]).max() < 3 * TOLERANCE
    found = arm.inverse_kinematics({tip: poses})
    assert found.success[solved].all()
    assert np.abs(arm.pose(found.q, tip) - poses)[solved].max() < 1e-7
