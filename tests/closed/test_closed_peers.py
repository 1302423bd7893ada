"""Closed robots against Pinocchio's constrained dynamics and MuJoCo's equality rows."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import soadyn as sd
from agreement import close, error
from closed_robots import consistent, random_closed
from random_robots import random_v
from soadyn.model.closures import Closure
from soadyn.model.model import Model
from soadyn.model.placement import Placement
from soadyn.robot.closed.assembling import assembled
from soadyn.theory.oracle.dense_closures import DenseClosures
from soadyn.theory.oracle.dense_geometry import quaternion_rotation

EPS = np.finfo(float).eps
ARM = "revolute", "prismatic", "continuous", "spherical"


@pytest.mark.parametrize("kind", ["ball", "weld"])
@pytest.mark.parametrize("root", ["fixed", "free"])
def test_accelerations_are_those_of_pinocchio(kind: str, root: str, rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    from pinocchio_peer import pin_tree

    compared = 0
    while compared < 6:
        model, q = random_closed(rng, 9, 2, kind=kind, mobile=True, kinds=ARM, root=root, fixed_links=0.0)
        dense = DenseClosures(model, q)
        W = np.linalg.solve(np.linalg.cholesky(dense.dense.mass_matrix), dense.jacobian.T)
        singular = np.linalg.svd(W, compute_uv=False)
        if singular[-1] < 1e-2 * singular[0]:  # rows that follow from others: Pinocchio softens them
            continue
        robot, v, tau = sd.Robot(model, "numpy"), consistent(dense.jacobian, random_v(rng, model)), random_v(rng, model)
        peer = pin_tree(model)
        models, data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for cut in model.closures:
            assert isinstance(cut, Closure)
            (one, there), (other, here) = (
                _placed(pin, peer, model, anchor.link, anchor.placement) for anchor in (cut.x, cut.y)
            )
            contact = pin.ContactType.CONTACT_3D if kind == "ball" else pin.ContactType.CONTACT_6D
            models.append(
                pin.RigidConstraintModel(contact, peer.model, one, there, other, here, pin.ReferenceFrame.LOCAL)
            )
            data.append(models[len(models) - 1].createData())
        pin.initConstraintDynamics(peer.model, peer.data, models, data)
        T, change = peer.rates(q, v)
        forces = np.linalg.solve(T.T, tau)
        settings = pin.ProximalSettings(1e-15, 0.0, 1)
        found = pin.constraintDynamics(
            peer.model, peer.data, peer.coordinates(q), T @ v, forces, models, data, settings
        )
        a = np.linalg.solve(T, found - change)
        condition = np.linalg.cond(dense.dense.mass_matrix) * (singular[0] / singular[-1]) ** 2
        assert error(robot.forward_dynamics(q, v, tau), a) < max(100 * EPS * condition, 1e-11)
        compared += 1


def _placed(pin, peer, model: Model, link: int, placement: Placement):  # type: ignore[no-untyped-def]
    """A closure's frame in Pinocchio: its joint, and the placement there."""
    if not link:
        return 0, pin.SE3(placement.matrix())
    frame = peer.model.frames[peer.frame(model.links[link - 1].name)]
    return frame.parentJoint, frame.placement * pin.SE3(placement.matrix())


MJCF = """<mujoco><option gravity="0.3 0.1 -9.81"/><worldbody>
  <body name="hip" pos="0 0 1"><freejoint name="root"/><inertial pos="0 0 0.1" mass="5" diaginertia="0.1 0.2 0.15"/>
    <body name="thigh" pos="0.1 0.1 0"><joint name="a" axis="0 1 0.2"/>
      <inertial pos="0 0 -0.2" mass="2" diaginertia="0.02 0.03 0.01"/>
      <body name="shin" pos="0 0 -0.4"><joint name="b" axis="0 1 0"/>
        <inertial pos="0 0 -0.2" mass="1" diaginertia="0.01 0.02 0.01"/></body></body>
    <body name="rod" pos="-0.1 0.1 0"><joint name="c" axis="0.1 1 0"/><joint name="d" axis="1 0 0"/>
      <inertial pos="0 0 -0.3" mass="0.5" diaginertia="0.01 0.01 0.001"/>
      <body name="foot" pos="0 0 -0.5"><joint name="e" type="slide" axis="0 0 1"/><joint name="f" axis="0 0 1"/>
        <inertial pos="0.05 0 0" mass="0.3" diaginertia="0.001 0.002 0.001"/></body></body></body>
  <body name="box" pos="0.5 0 0"><freejoint name="loose"/>
    <inertial pos="0.1 0 0.1" mass="2" diaginertia="0.1 0.2 0.15"/></body></worldbody><equality>
  <connect name="ankle" body1="shin" body2="foot" anchor="0.02 0.01 -0.3"/>
  <weld name="strap" body1="foot" body2="box"/>
</equality></mujoco>"""


def test_rows_are_those_of_mujoco_s_equalities(rng: np.random.Generator) -> None:
    mujoco = pytest.importorskip("mujoco")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = _loaded(MJCF)
    m = mujoco.MjModel.from_xml_string(MJCF)
    m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    for bit in ("CONTACT", "LIMIT", "FRICTIONLOSS"):
        m.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{bit}")
    d = mujoco.MjData(m)
    ankle, strap = m.eq_data
    relative = np.eye(4)
    relative[:3, :3], relative[:3, 3] = quaternion_rotation(strap[6:10]), strap[3:6]
    robot = tree.close((("shin", _at(ankle[:3])), ("foot", _at(ankle[3:6]))), "ball", name="ankle")
    robot = robot.close((("foot", relative), "box"), "weld", name="strap").with_backend("numpy")
    found = assembled(robot.engine, np.array([tree.random_configuration(rng) for _ in range(60)]))
    assert found.is_closed.sum() >= 3  # a weld has other roots, turned by half a turn or a third
    for q in found.q[found.is_closed]:
        T, parts = np.eye(m.nv), []
        for joint, at, along in zip(robot.model.joints, robot.model.q_slices, robot.model.v_slices, strict=True):
            own = q[at]
            if joint.kind == "free":
                turn, none = quaternion_rotation(own[:4]), np.zeros((3, 3))
                T[along, along] = np.block([[none, turn], [np.eye(3), none]])
                own = np.concatenate([own[4:], own[:4]])
            parts.append(own)
        d.qpos = np.concatenate(parts)
        mujoco.mj_forward(m, d)
        M, rows = np.zeros((m.nv, m.nv)), d.efc_J.reshape(-1, m.nv)[:9] @ T
        mujoco.mj_fullM(m, d, M)
        assert close(robot.mass_matrix(q), T.T @ M @ T, 1e-12)
        own = robot.closure_jacobian(q)
        for part in (slice(3), slice(3, 9)):  # the same space of rows, closure by closure
            basis = np.linalg.svd(rows[part], full_matrices=False)[2]
            assert np.abs(own[part] - own[part] @ basis.T @ basis).max() < 1e-8  # as closed as MuJoCo's weld is


def _at(position: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = position
    return T


def _loaded(text: str) -> sd.Robot:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loops.xml"
        path.write_text(text, encoding="utf-8")
        return sd.load(path, closures=False)
