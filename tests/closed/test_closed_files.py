"""Robots of files with loops: Cassie beside Pinocchio's constrained dynamics, MJCF beside MuJoCo's M and J, exactly."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from corpus import corpus_root
from sdf_peer import pin_of, read
from soadyn.errors import ModelWarning

ROOT = corpus_root()
FOLDER = ROOT / "example-robot-data" / "robots" / "cassie_description" / "robots" if ROOT else None
SHARED = Path("/work/shared/data/loops")
EPS = np.finfo(float).eps

pytestmark = pytest.mark.slow


def loaded(path: Path, **options: Any) -> sd.Robot:
    if not path.exists():
        pytest.skip(f"{path} is not there")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return sd.load(path, **options)


def solved(M: np.ndarray, C: np.ndarray, J: np.ndarray, drift: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, float]:
    """M a - J* lambda = tau - C, J a = -drift, and its condition; rows of J may follow from others."""
    L = np.linalg.cholesky(M)
    free, W = np.linalg.solve(M, tau - C), np.linalg.solve(L, J.T)
    lengths = np.linalg.svd(W, compute_uv=False)
    kept = lengths[lengths > 1e-6 * lengths[0]]
    x = np.linalg.lstsq(W.T, -drift - J @ free, rcond=1e-6)[0]
    return free + np.linalg.solve(L.T, x), float(np.linalg.cond(M) * (kept[0] / kept[-1]) ** 2)


@pytest.mark.parametrize("name", ["cassie_simple", "cassie_reduced", "cassie_v2", "cassie_wo_gearbox_spring"])
def test_cassie_moves_as_pinocchio_says(name: str) -> None:
    pin = pytest.importorskip("pinocchio")
    if FOLDER is None:
        pytest.skip("example-robot-data is not installed")
    path = FOLDER / f"{name}.sdf"
    robot, (links, joints) = loaded(path, root="free"), read(path)
    tree = robot.open()
    model = pin_of(tree.model, links, joints)
    model.gravity.linear = np.array(robot.gravity)
    peer, data = sd.interop.Pinocchio(tree, model), model.createData()
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for closure in robot.closures:
        said, held = joints[closure.name], []
        for link in (said.parent, said.child):
            frame = model.frames[model.getFrameId(link, pin.FrameType.OP_FRAME)]
            X = np.linalg.inv(links[link].pose) @ said.pose
            held += [frame.parentJoint, frame.placement * pin.SE3(X[:3, :3], X[:3, 3])]
        models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *held, pin.ReferenceFrame.LOCAL))
        datas.append(models[len(models) - 1].createData())
    pin.initConstraintDynamics(model, data, models, datas)
    full_rank = not robot.model.superfluous
    rng = np.random.default_rng(7)
    # Near where the file draws it: elsewhere the loops of some files close at dead points alone.
    near = robot.integrate(robot.neutral(), 0.1 * rng.standard_normal((8, robot.nv)))
    with sd.errstate("ignore"):
        closed = [q for q in robot.closed(near) if np.isfinite(q).all()]
    assert len(closed) >= 3
    for q in closed[:3]:
        v, tau = robot.consistent(q, rng.standard_normal(robot.nv)), rng.standard_normal(robot.nv)
        x, rates, forces = peer.q_to(q), peer.v_to(q, v), peer.force_to(q, tau)
        # Points of both links, along the world's axes: their Jacobians, and what they do while no joint accelerates.
        pin.forwardKinematics(model, data, x, rates, np.zeros(model.nv))
        pin.computeJointJacobians(model, data, x)
        J, drift = [], []
        for each in models:
            ends = []
            for joint, place in ((each.joint1_id, each.joint1_placement), (each.joint2_id, each.joint2_placement)):
                R = (data.oMi[joint] * place).rotation
                moved = pin.getJointJacobian(model, data, joint, pin.ReferenceFrame.LOCAL)
                columns = R @ place.inverse().action[:3] @ moved
                spatial = place.actInv(data.v[joint])
                acceleration = place.actInv(data.a[joint])
                classical = R @ (acceleration.linear + np.cross(spatial.angular, spatial.linear))
                ends.append((columns, classical))
            J.append(ends[1][0] - ends[0][0])
            drift.append(ends[1][1] - ends[0][1])
        M = np.triu(pin.crba(model, data, x))
        M = M + np.triu(M, 1).T
        C = pin.nonLinearEffects(model, data, x, rates)
        expected, condition = solved(M, C, np.vstack(J), np.concatenate(drift), forces)
        a = robot.forward_dynamics(q, v, tau)
        bound = max(100 * EPS * condition, 1e-12)
        assert error(peer.a_to(q, v, a), expected) < bound
        if full_rank:
            settings = pin.ProximalSettings(1e-15, 0.0, 1)
            theirs = pin.constraintDynamics(model, data, x, rates, forces, models, datas, settings)
            assert error(peer.a_to(q, v, a), theirs) < bound


@pytest.mark.parametrize("name", ["cassie", "robotiq_2f85", "softfoot"])
def test_mjcf_robots_move_as_mujocos_matrices_say(name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    robot = loaded(SHARED / f"{name}.xml")
    m = mujoco.MjModel.from_xml_path(str(SHARED / f"{name}.xml"))
    flags = mujoco.mjtDisableBit
    m.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    d, peer, rng = mujoco.MjData(m), sd.interop.MuJoCo(robot.open(), m), np.random.default_rng(8)

    def seen(x: np.ndarray, rates: np.ndarray) -> np.ndarray:
        d.qpos[:], d.qvel[:] = x, rates
        mujoco.mj_forward(m, d)
        return np.array(d.efc_J.reshape(-1, m.nv)[: d.ne])

    def ahead(x: np.ndarray, rates: np.ndarray, time: float) -> np.ndarray:
        x = x.copy()
        mujoco.mj_integratePos(m, x, rates, time)
        return x

    start = peer.q_from(m.qpos0)
    near = robot.integrate(start, 0.02 * rng.standard_normal((8, robot.nv)))
    with sd.errstate("ignore"):
        closed = [q for q in robot.closed(near) if np.isfinite(q).all()]
    assert len(closed) >= 3
    for q in closed[:3]:
        v, tau = robot.consistent(q, rng.standard_normal(robot.nv)), rng.standard_normal(robot.nv)
        x, rates, h = peer.q_to(q), peer.v_to(q, v), 1e-5
        change = (seen(ahead(x, rates, h), rates) - seen(ahead(x, rates, -h), rates)) / (2 * h)
        J, M = seen(x, rates), np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        for moving in (0.0, 1.0):
            d.qvel[:] = moving * rates
            mujoco.mj_forward(m, d)
            drift = moving * change @ rates
            expected, condition = solved(M, d.qfrc_bias, J, drift, peer.force_to(q, tau))
            a = robot.forward_dynamics(q, moving * v, tau)
            # MuJoCo's J changes by differences: squares of h, and rounding over h
            differenced = moving * 1e-8 * np.sqrt(condition)
            assert error(peer.a_to(q, moving * v, a), expected) < max(100 * EPS * condition, 1e-11, differenced)
