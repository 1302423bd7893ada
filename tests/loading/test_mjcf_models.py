"""MJCF as read here against MuJoCo itself: masses, poses, joint figures, frames."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mjcf_models import MJCF_MODELS
from soadyn.errors import ModelError, ModelWarning
from soadyn.loading import load_model
from soadyn.model.model import Model

mujoco = pytest.importorskip("mujoco")


def turned_onto(axis: np.ndarray) -> np.ndarray:
    """A rotation that takes z onto the axis."""
    other = np.eye(3)[np.argmin(abs(axis))]
    x = np.cross(other, axis)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(axis, x), axis], axis=1)


def poses(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """The pose of every frame by name, from the definition of a joint and nothing else."""
    world = [np.eye(4)]
    for joint, parent, part in zip(model.joints, model.parents, model.q_slices, strict=True):
        A = np.eye(4)
        A[:3, :3] = turned_onto(np.array(joint.axis))
        motion = joint.behaviour.transform(q[part], np.array(joint.pitch)).homogeneous()
        if joint.behaviour.has_axis:
            motion = A @ motion @ A.T
        world.append(world[parent] @ joint.placement.matrix() @ motion @ joint.offset.matrix())
    return {name: world[frame.link] @ frame.placement.matrix() for name, frame in model.frame_index.items()}


def soadyn_q(m: Any, qpos: np.ndarray) -> np.ndarray:
    """MuJoCo's coordinates with each free joint's quaternion moved to the front."""
    parts = []
    for kind, start in zip(m.jnt_type, m.jnt_qposadr, strict=True):
        match mujoco.mjtJoint(kind).name:
            case "mjJNT_FREE":
                parts += [qpos[start + 3 : start + 7], qpos[start : start + 3]]
            case "mjJNT_BALL":
                parts.append(qpos[start : start + 4])
            case _:
                parts.append(qpos[start : start + 1])
    return np.concatenate(parts)


def random_qpos(m: Any, rng: np.random.Generator) -> np.ndarray:
    qpos = m.qpos0.copy()
    mujoco.mj_integratePos(m, qpos, rng.standard_normal(m.nv), 1.5)
    return qpos


def load_quietly(xml: str, **options: Any) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return load_model(xml, **options)


def compiled(name: str) -> Any:
    return mujoco.MjModel.from_xml_string(MJCF_MODELS[name])


@pytest.mark.parametrize("name", MJCF_MODELS)
def test_every_body_and_site_is_where_mujoco_has_it(name: str) -> None:
    m, model = compiled(name), load_quietly(MJCF_MODELS[name])
    data, rng = mujoco.MjData(m), np.random.default_rng(1)
    for _ in range(5):
        data.qpos = random_qpos(m, rng)
        mujoco.mj_kinematics(m, data)
        ours = poses(model, soadyn_q(m, data.qpos))
        for body in range(1, m.nbody):
            named = m.body(body).name or f"body{body}"
            assert_allclose(ours[named][:3, 3], data.xpos[body], atol=1e-13)
            assert_allclose(ours[named][:3, :3], data.xmat[body].reshape(3, 3), atol=1e-13)
        for site in range(m.nsite):
            assert_allclose(ours[m.site(site).name][:3, 3], data.site_xpos[site], atol=1e-13)
            assert_allclose(ours[m.site(site).name][:3, :3], data.site_xmat[site].reshape(3, 3), atol=1e-13)


@pytest.mark.parametrize("name", MJCF_MODELS)
def test_mass_centre_and_inertia_of_the_whole_are_mujocos(name: str) -> None:
    m, model = compiled(name), load_quietly(MJCF_MODELS[name])
    data = mujoco.MjData(m)
    data.qpos = random_qpos(m, np.random.default_rng(2))
    mujoco.mj_kinematics(m, data)
    moving = [body for body in range(1, m.nbody) if m.body_weldid[body] != 0]
    theirs = np.zeros((3, 3))
    for body in moving:
        R, c = data.ximat[body].reshape(3, 3), data.xipos[body]
        theirs += R @ np.diag(m.body_inertia[body]) @ R.T + m.body_mass[body] * (c @ c * np.eye(3) - np.outer(c, c))
    world, ours, mass = poses(model, soadyn_q(m, data.qpos)), np.zeros((3, 3)), 0.0
    for link in model.links:
        if link.hidden:
            assert link.mass == 0
            assert not np.any(link.inertia)
            continue
        R, p = world[link.name][:3, :3], world[link.name][:3, 3]
        c = p + R @ link.com
        ours += R @ np.array(link.inertia) @ R.T + link.mass * (c @ c * np.eye(3) - np.outer(c, c))
        mass += link.mass
    assert_allclose(mass, m.body_mass[moving].sum(), rtol=1e-14)
    assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12 * abs(theirs).max())


@pytest.mark.parametrize("name", MJCF_MODELS)
def test_dimensions_and_order_are_mujocos(name: str) -> None:
    m, model = compiled(name), load_quietly(MJCF_MODELS[name])
    assert (model.nq, model.nv, model.n) == (m.nq, m.nv, m.njnt)
    given = [m.joint(k).name for k in range(m.njnt)]
    assert all(not theirs or theirs == joint.name for theirs, joint in zip(given, model.joints, strict=True))
    assert model.gravity == tuple(m.opt.gravity)


@pytest.mark.parametrize("name", MJCF_MODELS)
def test_armature_is_what_mujoco_adds_to_the_mass_matrix(name: str) -> None:
    """Without armature anywhere MuJoCo's mass matrix is smaller by ours on the diagonal."""
    with_it = compiled(name)
    without = mujoco.MjModel.from_xml_string(re.sub(r'armature="[^"]*"', "", MJCF_MODELS[name]))
    matrices = []
    for m in (with_it, without):
        data, full = mujoco.MjData(m), np.zeros((m.nv, m.nv))
        mujoco.mj_forward(m, data)
        mujoco.mj_fullM(m, data, full)
        matrices.append(full)
    ours = np.concatenate([joint.armature for joint in load_quietly(MJCF_MODELS[name]).joints])
    assert_allclose(matrices[0] - matrices[1], np.diag(ours), atol=1e-12)


def test_the_armature_of_a_tendon_is_said_to_be_left_out() -> None:
    tendon = '<tendon><fixed name="belt" armature="0.3"><joint joint="swing" coef="2"/></fixed></tendon></mujoco>'
    text = MJCF_MODELS["pendulum"].replace("</mujoco>", tendon)
    with pytest.warns(ModelWarning, match=r"left out: 1 tendon \(<fixed name=\"belt\"> at"):
        model = load_model(text)
    assert "armature (which adds to the mass matrix in MuJoCo)" in model.notes[0]


def test_several_joints_on_a_body_become_hidden_massless_links() -> None:
    model = load_model(MJCF_MODELS["several_joints"])
    assert model.link_names == ("hand", "finger")
    assert [link.name for link in model.links if link.hidden] == ["hand/x", "hand/bend", "hand/twist", "finger/first"]
    assert model.joint_names == ("x", "bend", "twist", "z", "first", "second")
    assert model.joints[1].armature == (0.1,)


def test_limits_are_in_mujocos_coordinates_and_radians() -> None:
    model = load_model(MJCF_MODELS["references"])
    assert_allclose([model.joints[0].lower[0], model.joints[0].upper[0]], np.deg2rad([-60, 80]))
    assert (model.joints[1].lower, model.joints[1].upper) == ((0.0,), (0.5,))
    assert model.joints[2].upper == (np.inf,)


def test_springs_dampers_friction_and_force_ranges_are_read() -> None:
    flex, wobble = load_model(MJCF_MODELS["springs"]).joints
    assert (flex.stiffness, flex.rest, flex.effort) == ((30.0,), (0.4,), (8.0,))
    assert (flex.damping, flex.friction, flex.armature) == ((0.7,), (0.2,), (0.05,))
    assert wobble.stiffness == (4.0, 4.0, 4.0)
    assert wobble.rest == (1.0, 0.0, 0.0, 0.0)


def test_motors_reflect_their_rotor_through_the_gear() -> None:
    with pytest.warns(ModelWarning, match="not modelled and left out: 2 actuators"):
        geared, plain = load_model(MJCF_MODELS["motors"]).joints
    assert_allclose(geared.armature, 0.02 + 50**2 * 0.0001)
    assert_allclose(geared.damping, 0.1 + 50**2 * 0.002)
    assert plain.armature == (0.0,)


def test_a_gear_whose_square_overflows_is_told_with_its_joint() -> None:
    huge = MJCF_MODELS["motors"].replace('gear="50"', 'gear="1e200"')
    with pytest.raises(ModelError, match="joint 'geared'"):
        load_model(huge)


def test_free_joints_stand_at_the_world_origin_with_the_quaternion_first() -> None:
    fly, _, roll = load_model(MJCF_MODELS["free_body"]).joints
    assert fly.kind == "free"
    assert np.array_equal(fly.placement.matrix(), np.eye(4))
    assert roll.armature == (0.2,) * 6
    assert len(roll.rest) == 7
    assert roll.rest[:4] == (1.0, 0.0, 0.0, 0.0)
    assert roll.rest[4:] == (0.0, 0.0, 1.0)


def test_welded_bodies_and_sites_become_frames() -> None:
    model = load_model(MJCF_MODELS["welded"])
    assert model.link_names == ("column", "lamp")
    assert {frame.name: frame.link for frame in model.frames} == {"table": 0, "shelf": 1, "corner": 0, "cup": 1}


def test_a_site_with_a_bodys_name_is_noted_and_skipped() -> None:
    xml = MJCF_MODELS["welded"].replace('site name="cup"', 'site name="lamp"')
    model = load_model(xml)
    assert any("site 'lamp' has a body's name; it is no frame" in note for note in model.notes)
    assert model.frame("lamp").link == 2


def test_disabled_gravity_is_no_gravity() -> None:
    xml = MJCF_MODELS["pendulum"].replace("<worldbody>", '<option><flag gravity="disable"/></option><worldbody>', 1)
    assert load_model(xml).gravity == (0.0, 0.0, 0.0)


def test_a_free_root_is_added_to_a_welded_body_only() -> None:
    base = '<mujoco><worldbody><body name="base"><geom size=".1"/>{}</body></worldbody></mujoco>'
    child = '<body name="arm"><joint name="j"/><geom size=".1" pos="1 0 0"/></body>'
    assert load_model(base.format(child), root="free").joint_names == ("root", "j")
    assert load_model(base.format(child)).link_names == ("arm",)


def test_what_a_tree_does_not_hold_is_told_once() -> None:
    xml = MJCF_MODELS["welded"].replace(
        "</worldbody>",
        '</worldbody><tendon><fixed name="t"><joint joint="yaw" coef="1"/></fixed></tendon><option density="1000"/>',
    )
    with pytest.warns(ModelWarning) as caught:
        model = load_model(xml)
    assert len(caught) == 1
    told = re.sub(r" \(.*?\)", "", str(caught[0].message))
    assert "1 tendon, 1 fluid around the robot; see robot.notes" in told
    assert any('<fixed name="t">' in note for note in model.notes)


def test_limits_of_balls_and_nonlinear_springs_are_told() -> None:
    xml = MJCF_MODELS["ball"].replace(
        'name="elbow"', 'name="elbow" range="0 50" limited="true" stiffness="1 2" damping="0 1"'
    )
    with pytest.warns(ModelWarning, match="limit of ball joint 'elbow'.*nonlinear spring"):
        model = load_model(xml)
    assert [note.split(": ")[1].split(" joint")[0] for note in model.notes] == [
        "the angle limit of ball",
        "the nonlinear spring of",
        "the nonlinear damping of",
    ]
