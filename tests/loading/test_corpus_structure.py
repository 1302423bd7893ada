"""Every URDF of example-robot-data against Pinocchio: the tree, placements, inertias, frames, limits."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from corpus import corpus_root, corpus_urdfs, loadable_urdfs, pin_model, short_name
from soadyn.errors import ModelError, ModelWarning
from soadyn.loading import load_model, meshes
from soadyn.model.model import Model

pinocchio = pytest.importorskip("pinocchio")
pytestmark = pytest.mark.skipif(corpus_root() is None, reason="example-robot-data is not installed")
every_urdf = pytest.mark.parametrize("path", loadable_urdfs(), ids=short_name)
both_roots = pytest.mark.parametrize("root", ["fixed", "free"])


@cache
def ours(path: Path, root: str) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return load_model(path, root=root)  # type: ignore[arg-type]


@cache
def theirs(path: Path, root: str) -> Any:
    return pin_model(path, free=root == "free")


def test_the_corpus_is_whole() -> None:
    assert len(corpus_urdfs()) == 69
    assert len(loadable_urdfs()) == 68


def test_the_empty_robot_is_refused_here_as_there() -> None:
    (ur3,) = set(corpus_urdfs()) - set(loadable_urdfs())
    with pytest.raises(ValueError, match="urdf"):
        pin_model(ur3)
    with pytest.raises(ModelError, match=r"ur3\.urdf:6: robot 'ur3' has no <link> elements"):
        load_model(ur3)


@every_urdf
@both_roots
@pytest.mark.heavy
def test_joints_links_and_tree_are_pinocchios(path: Path, root: str) -> None:
    model, pin = ours(path, root), theirs(path, root)
    assert model.n == pin.njoints - 1
    assert set(model.joint_names) == set(pin.names[1:])
    for joint, parent in zip(model.joints, model.parents, strict=True):
        above = model.joints[parent - 1].name if parent else "universe"
        assert pin.names[pin.parents[pin.getJointId(joint.name)]] == above


@every_urdf
@both_roots
def test_placements_and_inertias_are_pinocchios(path: Path, root: str) -> None:
    model, pin = ours(path, root), theirs(path, root)
    for joint, link in zip(model.joints, model.links, strict=True):
        k = pin.getJointId(joint.name)
        assert_allclose(joint.placement.matrix(), pin.jointPlacements[k].homogeneous, atol=1e-12)
        body = pin.inertias[k]
        assert_allclose(link.mass, body.mass, rtol=1e-12)
        if link.mass:
            assert_allclose(link.com, body.lever, atol=1e-12)
        size = max(abs(body.inertia).max(), 1e-9)
        assert_allclose(link.inertia, body.inertia, atol=1e-12 + 1e-9 * size)


@every_urdf
@both_roots
@pytest.mark.heavy
def test_moving_mass_is_pinocchios(path: Path, root: str) -> None:
    moving = sum(body.mass for body in list(theirs(path, root).inertias)[1:])
    assert_allclose(sum(link.mass for link in ours(path, root).links), moving, rtol=1e-12)


@every_urdf
def test_frames_of_folded_links_are_pinocchios(path: Path) -> None:
    model, pin = ours(path, "fixed"), theirs(path, "fixed")
    for frame in model.frames:
        name = "ground" if frame.name == "ground_link" else frame.name
        found = pin.frames[pin.getFrameId(name, pinocchio.FrameType.BODY)]
        assert found.name == name
        assert pin.names[found.parentJoint] == (model.joints[frame.link - 1].name if frame.link else "universe")
        assert_allclose(frame.placement.matrix(), found.placement.homogeneous, atol=1e-12)


@every_urdf
def test_limits_of_single_joints_are_pinocchios(path: Path) -> None:
    model, pin = ours(path, "fixed"), theirs(path, "fixed")
    for joint in model.joints:
        k = pin.getJointId(joint.name)
        if joint.kind in ("revolute", "prismatic"):
            assert joint.lower[0] == pin.lowerPositionLimit[pin.idx_qs[k]]
            assert joint.upper[0] == pin.upperPositionLimit[pin.idx_qs[k]]
            assert joint.effort[0] == (pin.effortLimit[pin.idx_vs[k]] or np.inf)


def notes(path: Path) -> str:
    return "\n".join(ours(path, "fixed").notes)


def test_eighteen_robots_have_impossible_inertias() -> None:
    assert sum("impossible" in notes(path) for path in loadable_urdfs()) == 18


def test_thirteen_robots_have_mimic_tags_nine_of_them_on_moving_joints() -> None:
    tagged = [path for path in loadable_urdfs() if "<mimic" in path.read_text()]
    assert (len(tagged), sum("mimic joints are independent" in notes(path) for path in tagged)) == (13, 9)


@pytest.mark.parametrize("path", [p for p in loadable_urdfs() if "<mimic" in p.read_text()], ids=short_name)
@pytest.mark.filterwarnings("ignore::soadyn.errors.ModelWarning")
def test_mimic_joints_can_be_tied_if_their_leaders_exist(path: Path) -> None:
    if path.name == "alex_psyonic_hands.urdf":  # its mimic tags lack the side's prefix
        with pytest.raises(ModelError, match=r"unknown moving joint 'index_q1'\. Did you mean 'Left_index_q1'"):
            load_model(path, mimic="tie")
        return
    model = load_model(path, mimic="tie")
    independent = ours(path, "fixed")
    assert all(tie.leader != tie.joint for tie in model.ties)
    assert bool(model.ties) == any("mimic" in note for note in independent.notes)


def test_meshes_of_the_corpus_resolve_inside_it() -> None:
    root = corpus_root()
    assert root is not None
    found, refused = 0, {}
    for path in loadable_urdfs():
        try:
            found += len(meshes(path, [root]))
        except ModelError as error:
            refused[path.name] = str(error)
    assert found > 1000
    assert "file:///usr/Romeo" in refused.pop("romeo_laas_small.urdf")
    assert all("no file for" in words for words in refused.values())  # some meshes are not shipped


def test_neither_reader_invents_a_moving_link() -> None:
    still = [path for path in loadable_urdfs() if ours(path, "fixed").n == 0]
    assert len(still) == 2
    assert all(theirs(path, "fixed").nv == 0 for path in still)
