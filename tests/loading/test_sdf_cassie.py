"""Cassie's five SDF files against Pinocchio: masses, frames and the dynamics of the tree that is left without loops."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from corpus import corpus_root
from sdf_peer import pin_of, read
from soadyn.errors import ModelWarning
from soadyn.loading import load_model
from soadyn.model.assemble import Root
from soadyn.model.closures import Closure, Coupling
from soadyn.model.model import Model
from soadyn.robot.closed.assembling import assembled

pin = pytest.importorskip("pinocchio")

ROOT = corpus_root()
FOLDER = ROOT / "example-robot-data" / "robots" / "cassie_description" / "robots" if ROOT else None
FILES = sorted(FOLDER.glob("cassie*.sdf")) if FOLDER else []
LOOPS = ["left-pitch-rod-joint", "left-plantar-foot-joint", "right-pitch-rod-joint", "right-plantar-foot-joint"]
SPRINGS = ["left-shin-spring-joint", "right-shin-spring-joint"]
GEARS = [f"{side}-{joint}-joint" for side in ("left", "right") for joint in ("roll", "yaw", "pitch", "knee", "foot")]

pytestmark = pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")


@cache
def model_of(path: Path, root: Root | None = None, closures: bool = True) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return load_model(path, root, closures=closures)


def test_there_are_five() -> None:
    assert len(FILES) == 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("root", [None, "free"])
def test_the_tree_is_pinocchios(path: Path, root: Root | None) -> None:
    robot, (links, joints) = sd.Robot(model_of(path, root, closures=False)), read(path)
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
    kinds = {each.name: each.told for each in model_of(path).closures}
    wanted = dict.fromkeys(LOOPS, "ball")
    if path.stem == "cassie":
        wanted |= dict.fromkeys(SPRINGS, "prismatic") | dict.fromkeys(GEARS, "coupling")
    assert kinds == wanted
    _, joints = read(path)
    assert {joints[name].kind for name in LOOPS} == {"ball"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_cut_holds_both_links_at_its_joint(path: Path) -> None:
    """Where both links have the joint's frame, moved or not, found from the file alone."""
    model, (links, joints) = model_of(path), read(path)
    tree = sd.Robot(replace(model, closures=()))
    rng = np.random.default_rng(1)
    q = tree.integrate(tree.neutral(), 0.3 * rng.standard_normal(tree.nv))
    for cut in model.closures:
        if isinstance(cut, Closure):
            joint = joints[cut.name]
            for anchor, link in ((cut.x, joint.parent), (cut.y, joint.child)):
                assert model.links[anchor.link - 1].name == link
                place = tree.pose(q, link) @ anchor.placement.matrix()
                there = tree.pose(q, link) @ np.linalg.inv(links[link].pose) @ joint.pose
                np.testing.assert_allclose(place[:3, 3], there[:3, 3], atol=1e-14)
                axis = there[:3, :3] @ joint.axis if cut.kind == "prismatic" else place[:3, 2]
                np.testing.assert_allclose(place[:3, 2], axis, atol=1e-14)


def test_a_gearbox_turns_its_second_hinge_against_its_first() -> None:
    """theta_2 = -ratio theta_1, where both hinges turn about the gearbox's axes in the file's own words."""
    path = next(path for path in FILES if path.stem == "cassie")
    model, (_, joints) = model_of(path), read(path)
    for gear in model.closures:
        if isinstance(gear, Coupling):
            assert joints[gear.name].kind == "gearbox"
            factors = {model.joints[k - 1].name: poly for k, poly in gear.terms}
            stem = gear.name.removesuffix("joint")
            assert factors == {f"{stem}ip": (0.0, joints[gear.name].ratio), f"{stem}op": (0.0, 1.0)}


def test_the_closed_robot_moves_as_pinocchios() -> None:
    """The one of the five whose closures' rows do not follow from one another: Pinocchio softens those that do."""
    path = next(path for path in FILES if path.stem == "cassie_simple")
    (links, joints), rng = read(path), np.random.default_rng(0)
    robot = sd.Robot(replace(model_of(path, "free"), superfluous=()), "numpy")
    model = pin_of(robot.model, links, joints)
    model.gravity.linear = np.array(robot.gravity)
    held, work = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for cut in robot.model.closures:
        joint = joints[cut.name]
        places = []
        for link in (joint.parent, joint.child):
            frame = model.frames[model.getFrameId(link, pin.FrameType.OP_FRAME)]
            places += [frame.parentJoint, frame.placement * pin.SE3(np.linalg.inv(links[link].pose) @ joint.pose)]
        kind = pin.ContactType.CONTACT_3D
        held.append(pin.RigidConstraintModel(kind, model, *places, pin.ReferenceFrame.LOCAL))
        work.append(held[len(held) - 1].createData())
    peer, data = sd.interop.Pinocchio(robot, model), model.createData()
    pin.initConstraintDynamics(model, data, held, work)
    start = robot.integrate(robot.neutral(), 0.1 * rng.standard_normal((4, robot.nv)))
    result = assembled(robot.engine, start)
    assert result.is_closed.any()
    for q in result.q[result.is_closed][:2]:
        J = robot.closure_jacobian(q)
        v, tau = rng.standard_normal((2, robot.nv))
        v -= np.linalg.pinv(J) @ (J @ v)
        given = peer.q_to(q), peer.v_to(q, v), peer.force_to(q, tau)
        found = pin.constraintDynamics(model, data, *given, held, work, pin.ProximalSettings(1e-15, 0.0, 1))
        a = peer.a_from(q, v, found)
        np.testing.assert_allclose(robot.forward_dynamics(q, v, tau), a, rtol=0, atol=1e-10 * abs(a).max())


@pytest.mark.slow
def test_a_file_draws_a_closed_robot() -> None:
    robot = sd.load(next(path for path in FILES if path.stem == "cassie_v2"))
    assert abs(robot.closure_error(robot.neutral())).max() < 1e-14
    assert robot.mobility == 17  # 28 rates less 12 rows, one of which follows from the others
