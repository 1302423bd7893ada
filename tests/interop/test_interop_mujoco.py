"""MuJoCo's numbers, converted, are ours: ball and free joints, several joints per body, joints without names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from mjcf_models import MJCF_MODELS
from soadyn.interop import MuJoCo

mujoco = pytest.importorskip("mujoco")

# Armature on a free joint's slides weighs the rates of each side: along turning axes here, along world axes in MuJoCo.
MODELS = {name: xml.replace('type="free" armature="0.2"', 'type="free"') for name, xml in MJCF_MODELS.items()}


def assert_agree(x: Any, y: Any) -> None:
    assert np.abs(x - y).max(initial=0.0) <= 1e-9 * max(np.abs(y).max(initial=0.0), 1.0)


def setting(name: str, rng: np.random.Generator) -> tuple[sd.Robot, Any, Any]:
    """The robot, MuJoCo's model and its data in a random state."""
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1.0)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    return sd.load(MODELS[name]), model, data


def full_mass_matrix(model: Any, data: Any) -> np.ndarray:
    """M column by column: the only way that is the same in every version."""
    columns = np.zeros((model.nv, model.nv))
    for column, unit in zip(columns, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    return columns.T


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.heavy(2)
def test_dynamics_agree_through_the_conversion(name: str, rng: np.random.Generator) -> None:
    arm, model, data = setting(name, rng)
    peer = MuJoCo(arm, model)
    q = peer.q_from(data.qpos)
    v, a_mj = peer.v_from(q, data.qvel), rng.normal(size=model.nv)
    assert_agree(peer.q_to(q), data.qpos)
    M = full_mass_matrix(model, data)
    assert_agree(peer.matrix_from(q, M), arm.mass_matrix(q))
    tau = M @ a_mj + data.qfrc_bias
    a = peer.a_from(q, v, a_mj)
    assert_agree(peer.force_from(q, tau), arm.inverse_dynamics(q, v, a))
    assert_agree(arm.forward_dynamics(q, v, peer.force_from(q, tau)), a)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.heavy(2)
def test_jacobians_of_bodies_agree_through_the_conversion(name: str, rng: np.random.Generator) -> None:
    arm, model, data = setting(name, rng)
    peer = MuJoCo(arm, model)
    q, compared = peer.q_from(data.qpos), 0
    v = peer.v_from(q, data.qvel)
    for k in range(1, model.nbody):
        if (body := model.body(k).name) in arm.frame_names:
            J, velocity = np.zeros((6, model.nv)), np.zeros(6)
            mujoco.mj_jacBody(model, data, J[:3], J[3:], k)
            assert_agree(peer.jacobian_from(q, J), arm.jacobian(q, body))
            assert_agree(peer.jacobian_from(q, J[:3]), arm.jacobian(q, body)[3:])
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, k, velocity, 0)
            assert_agree(arm.frame_velocity(q, v, body), velocity)
            compared += 1
    assert compared


def test_bias_forces_belong_to_no_acceleration_on_their_own_side(rng: np.random.Generator) -> None:
    arm, model, data = setting("free_body", rng)
    peer = MuJoCo(arm, model)
    q = peer.q_from(data.qpos)
    v = peer.v_from(q, data.qvel)
    still = peer.a_from(q, v, np.zeros(model.nv))
    assert np.abs(still).max() > 0.1
    assert_agree(peer.force_to(q, arm.inverse_dynamics(q, v, still)), data.qfrc_bias)


def test_a_free_bodys_linear_velocity_is_along_world_axes_there(rng: np.random.Generator) -> None:
    arm, model, _ = setting("free_body", rng)
    q, v = arm.random_configuration(rng, size=3), rng.normal(size=(3, arm.nv))
    v_mj, at = MuJoCo(arm, model).v_to(q, v), model.joint("fly").dofadr[0]
    assert_agree(v_mj[:, at : at + 3], arm.frame_velocity(q, v, "drone")[:, 3:])
    assert_agree(v_mj[:, at + 3 : at + 6], arm.frame_velocity(q, v, "drone", axes="local")[:, :3])


def test_joints_without_names_are_found_under_those_of_the_loader(rng: np.random.Generator) -> None:
    arm, model, _ = setting("tree", rng)
    assert not any(model.joint(k).name for k in range(model.njnt))
    peer = MuJoCo(arm, model)
    assert set(peer.joint_names) == set(arm.joint_names) == set(peer.joint_names.values())


def test_a_wrench_has_its_force_first_there(rng: np.random.Generator) -> None:
    arm, model, _ = setting("pendulum", rng)
    assert MuJoCo(arm, model).wrench_to([1, 2, 3, 4, 5, 6]).tolist() == [4, 5, 6, 1, 2, 3]
    with pytest.raises(sd.ShapeError, match=r"argument 'wrench_peer' .* a wrench \[force; moment\]"):
        MuJoCo(arm, model).wrench_from([1.0])
