"""Cassie's five SDF files against Pinocchio: masses, frames and the dynamics of the tree that is left without loops."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from corpus import corpus_root
from sdf_peer import SdfJoint, SdfLink, pin_of, read
from soadyn.errors import ModelWarning

pin = pytest.importorskip("pinocchio")

ROOT = corpus_root()
FOLDER = ROOT / "example-robot-data" / "robots" / "cassie_description" / "robots" if ROOT else None
FILES = sorted(FOLDER.glob("cassie*.sdf")) if FOLDER else []
LOOPS = ["left-pitch-rod-joint", "left-plantar-foot-joint", "right-pitch-rod-joint", "right-plantar-foot-joint"]
SPRINGS = ["left-shin-spring-joint", "right-shin-spring-joint"]
GEARS = [f"{side}-{joint}-joint" for side in ("left", "right") for joint in ("roll", "yaw", "pitch", "knee", "foot")]

pytestmark = pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")


def quietly(path: Path, **options: object) -> sd.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return sd.load(path, **options)  # type: ignore[arg-type]


def test_there_are_five() -> None:
    assert len(FILES) == 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("root", [None, "free"])
def test_the_tree_is_pinocchios(path: Path, root: str | None) -> None:
    robot, (links, joints) = quietly(path, root=root, closures=False), read(path)
    model = pin_of(robot.model, links, joints)
    model.gravity.linear = np.array(robot.gravity)
    peer, data, rng = sd.interop.Pinocchio(robot, model), model.createData(), np.random.default_rng(0)
    assert np.isclose(robot.total_mass, sum(link.mass for link in links.values()), rtol=1e-14)
    for _ in range(5):
        q = robot.random_configuration(rng)
        v, a = rng.standard_normal((2, robot.nv))
        x, v_pin, a_pin = peer.q_to(q), peer.v_to(q, v), peer.a_to(q, v, a)
        pin.framesForwardKinematics(model, data, x)
        for name in links:
            theirs = data.oMf[model.getFrameId(name, pin.FrameType.OP_FRAME)].homogeneous
            np.testing.assert_allclose(robot.pose(q, name), theirs, rtol=0, atol=1e-13)
        M = np.triu(pin.crba(model, data, x))
        M = peer.matrix_from(q, M + np.triu(M, 1).T)
        np.testing.assert_allclose(robot.mass_matrix(q), M, rtol=0, atol=1e-12 * abs(M).max())
        tau = peer.force_from(q, pin.rnea(model, data, x, v_pin, a_pin))
        np.testing.assert_allclose(robot.inverse_dynamics(q, v, a), tau, rtol=0, atol=1e-12 * abs(tau).max())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_loops_are_cut_at_ball_joints(path: Path) -> None:
    """The springs of cassie.sdf, slides beside hinges, are the second joints of their links."""
    drafted = {closure.name: closure for closure in quietly(path).model.closures}
    wanted = [*LOOPS, *SPRINGS, *GEARS] if path.stem == "cassie" else LOOPS
    assert sorted(drafted) == sorted(wanted)
    _, joints = read(path)
    for name in LOOPS:
        assert joints[name].kind == drafted[name].kind == "ball"  # type: ignore[union-attr]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_file_draws_a_closed_robot(path: Path) -> None:
    robot = quietly(path)
    assert abs(robot.closure_error(robot.neutral())).max() < 1e-14


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_closure_holds_both_links_at_its_joint(path: Path) -> None:
    """Off the closure its error is the distance between the two places of the joint, found from the file alone."""
    robot, (links, joints) = quietly(path), read(path)
    rng = np.random.default_rng(1)
    q = robot.integrate(robot.neutral(), 0.1 * rng.standard_normal(robot.nv))
    error, rows = robot.closure_error(q), robot.closures
    start = 0
    for closure in robot.model.closures:
        if closure.name in LOOPS:
            joint = joints[closure.name]
            apart = _place(robot, q, joint, joint.child, links) - _place(robot, q, joint, joint.parent, links)
            assert np.isclose(np.linalg.norm(error[start : start + 3]), np.linalg.norm(apart), rtol=1e-9, atol=1e-14)
            assert np.linalg.norm(apart) > 1e-4
        start += closure.rows
    assert rows


def _place(robot: sd.Robot, q: np.ndarray, joint: SdfJoint, link: str, links: dict[str, SdfLink]) -> np.ndarray:
    return (robot.pose(q, link) @ np.linalg.inv(links[link].pose) @ joint.pose)[:3, 3]


def test_a_gearbox_couples_both_hinges() -> None:
    """Its first joint turns the rotor, its second the leg, by a file's own words -0.04 as far."""
    path = next(path for path in FILES if path.stem == "cassie")
    robot, (_, joints) = quietly(path), read(path)
    error = {}
    for side in ("left", "right"):
        q = robot.neutral()
        for stem in ("roll", "yaw", "pitch", "knee", "foot"):
            q[robot.joint_coordinates(f"{side}-{stem}-ip")[0]] = 1.0
            q[robot.joint_coordinates(f"{side}-{stem}-op")[0]] = -joints[f"{side}-{stem}-joint"].ratio
        names = [closure.name for closure in robot.model.closures for _ in range(closure.rows)]
        error[side] = dict(zip(names, robot.closure_error(q), strict=True))
    for name in GEARS:
        assert abs(error[name.split("-")[0]][name]) < 1e-15
