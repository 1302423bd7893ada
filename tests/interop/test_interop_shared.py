"""What holds for every peer: round trips, power, order by name, and the words of the errors."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from soadyn.interop import Drake, MuJoCo, Peer, Pinocchio

# The same joints in three libraries, in three orders.
XML = """
<mujoco>
  <worldbody>
    <body name="slider"><joint name="slide" type="slide"/><geom size="0.1"/></body>
    <body name="hull"><freejoint name="floating_base"/><geom size="0.1"/>
      <body name="wheel"><joint name="ball" type="ball"/><geom size="0.1"/>
        <body name="hand"><joint name="hinge"/><geom size="0.1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""


def robot() -> sd.Robot:
    b = sd.Builder("walker")
    body = sd.Body(2.0, (0.1, 0.0, 0.2), np.diag([0.2, 0.3, 0.4]))
    b.link("hull", body, joint="free", joint_name="root")
    b.link("leg", body, "hull", axis=(1, 0, 0), joint="continuous", joint_name="hinge", origin=(0, 0.1, 0))
    b.link("foot", body, "leg", joint="spherical", joint_name="ball", origin=(0, 0, -0.5))
    b.link("hand", body, "foot", joint="prismatic", joint_name="slide")
    return sd.build(b)


def pinocchio(arm: sd.Robot, **options: Any) -> Peer:
    pin = pytest.importorskip("pinocchio")
    model, here = pin.Model(), pin.SE3.Identity()
    at = model.addJoint(0, pin.JointModelPZ(), here, "slide")
    at = model.addJoint(at, pin.JointModelSpherical(), here, "ball")
    at = model.addJoint(at, pin.JointModelFreeFlyer(), here, "root_joint")
    model.addJoint(at, pin.JointModelRUBZ(), here, "hinge")
    return Pinocchio(arm, model, **options)


def mujoco(arm: sd.Robot, **options: Any) -> Peer:
    return MuJoCo(arm, pytest.importorskip("mujoco").MjModel.from_xml_string(XML), **options)


def drake(arm: sd.Robot, **options: Any) -> Peer:
    return Drake(arm, joint_order=["slide", "ball", "root", "hinge"], **options)


PEERS = {"pinocchio": pinocchio, "mujoco": mujoco, "drake": drake}


@pytest.fixture
def arm() -> sd.Robot:
    return robot()


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest, arm: sd.Robot) -> Peer:
    return PEERS[request.param](arm)


def test_interop_is_importable_without_any_peer() -> None:
    absent = "import sys; sys.modules.update(dict.fromkeys(('pinocchio', 'mujoco', 'pydrake')))"
    subprocess.run([sys.executable, "-c", f"{absent}; import soadyn.interop"], check=True)


@pytest.mark.heavy(2)
def test_everything_that_goes_there_comes_back(peer: Peer, arm: sd.Robot, rng: np.random.Generator) -> None:
    q, v, a = arm.random_configuration(rng, size=(2, 3)), rng.normal(size=(2, 3, arm.nv)), rng.normal(size=arm.nv)
    assert_allclose(arm.poses(peer.q_from(peer.q_to(q))), arm.poses(q), atol=1e-12)
    assert_allclose(peer.v_from(q, peer.v_to(q, v)), v, atol=1e-12)
    assert_allclose(peer.a_from(q, v, peer.a_to(q, v, a)), np.broadcast_to(a, v.shape), atol=1e-12)
    assert_allclose(peer.force_from(q, peer.force_to(q, v)), v, atol=1e-12)
    M, J, w = arm.mass_matrix(q), arm.jacobian(q, "hand"), rng.normal(size=(4, 6))
    assert_allclose(peer.matrix_from(q, peer.matrix_to(q, M)), M, atol=1e-12)
    assert_allclose(peer.jacobian_from(q, peer.jacobian_to(q, J)), J, atol=1e-12)
    assert_allclose(peer.wrench_from(peer.wrench_to(w)), w)


@pytest.mark.heavy(2)
def test_power_and_kinetic_energy_are_the_same_on_both_sides(
    peer: Peer, arm: sd.Robot, rng: np.random.Generator
) -> None:
    q, v, tau = arm.random_configuration(rng, size=5), rng.normal(size=(5, arm.nv)), rng.normal(size=(5, arm.nv))
    v_peer, M_peer = peer.v_to(q, v), peer.matrix_to(q, arm.mass_matrix(q))
    assert_allclose(np.vecdot(peer.force_to(q, tau), v_peer), np.vecdot(tau, v))
    assert_allclose(np.einsum("bi,bij,bj->b", v_peer, M_peer, v_peer) / 2, arm.kinetic_energy(q, v))
    C = rng.normal(size=(arm.nv, arm.nv))  # a Coriolis matrix is not symmetric
    assert_allclose(peer.matrix_to(q, C) @ v_peer[..., None], peer.force_to(q, v @ C.T)[..., None], atol=1e-12)
    assert_allclose(
        peer.jacobian_to(q, arm.jacobian(q, "hand")) @ v_peer[..., None],
        peer.wrench_to(arm.frame_velocity(q, v, "hand"))[..., None],
        atol=1e-12,
    )


@pytest.mark.heavy(2)
def test_accelerations_are_the_time_derivatives_of_rates(peer: Peer, arm: sd.Robot, rng: np.random.Generator) -> None:
    q, v, a, h = arm.random_configuration(rng), rng.normal(size=arm.nv), rng.normal(size=arm.nv), 1e-5
    ahead, behind = (peer.v_to(arm.integrate(q, t * v), v + t * a) for t in (h, -h))
    assert_allclose(peer.a_to(q, v, a), (ahead - behind) / (2 * h), atol=1e-8)


def test_a_batch_converts_as_its_rows_do(peer: Peer, arm: sd.Robot, rng: np.random.Generator) -> None:
    q, v = arm.random_configuration(rng, size=(4, 1)), rng.normal(size=(3, arm.nv))
    together, drift = peer.v_to(q, v), peer.a_to(q, v, np.zeros(arm.nv))
    J = peer.jacobian_to(q, arm.jacobian(q, "hand"))
    assert together.shape == drift.shape == (4, 3, arm.nv)
    for i, j in np.ndindex(4, 3):
        assert_allclose(together[i, j], peer.v_to(q[i, 0], v[j]), rtol=1e-14)
        assert_allclose(drift[i, j], peer.a_to(q[i, 0], v[j], np.zeros(arm.nv)), rtol=1e-14)
        assert_allclose(J[i, 0], peer.jacobian_to(q[i, 0], arm.jacobian(q[i, 0], "hand")), rtol=1e-14, atol=1e-15)


def test_joints_stand_where_the_peer_has_them(peer: Peer, arm: sd.Robot) -> None:
    v = np.zeros(arm.nv)
    v[arm.joint_dofs("slide")] = 1.0
    assert peer.v_to(arm.neutral(), v).argmax() == 0
    assert peer.joint_names["hinge"] == "hinge"


@pytest.mark.heavy(2)
def test_a_jacobian_of_three_rows_has_only_its_columns_converted(
    peer: Peer, arm: sd.Robot, rng: np.random.Generator
) -> None:
    q, v = arm.random_configuration(rng), rng.normal(size=arm.nv)
    J = arm.center_of_mass_jacobian(q)
    assert_allclose(peer.jacobian_to(q, J) @ peer.v_to(q, v), J @ v, atol=1e-12)


def test_a_joint_called_otherwise_is_found_through_names(arm: sd.Robot, rng: np.random.Generator) -> None:
    renamed = XML.replace('name="hinge"', 'name="knee"').replace("floating_base", "base")
    model = pytest.importorskip("mujoco").MjModel.from_xml_string(renamed)
    peer = MuJoCo(arm, model, names={"hinge": "knee"})
    assert peer.joint_names == {"root": "base", "hinge": "knee", "ball": "ball", "slide": "slide"}


def test_different_joints_are_listed_with_near_matches(arm: sd.Robot) -> None:
    model = pytest.importorskip("mujoco").MjModel.from_xml_string(XML.replace('name="hinge"', 'name="hinge_joint"'))
    words = (
        r"robot 'walker' and its model in MuJoCo have different joints\. Only in the robot: hinge\. "
        r"Only in MuJoCo: hinge_joint \(mjJNT_HINGE\)\. "
        r"If these are the same joints, say names={'hinge': 'hinge_joint'}"
    )
    with pytest.raises(sd.ModelError, match=words):
        MuJoCo(arm, model)


def test_a_free_model_of_a_fixed_robot_is_refused() -> None:
    b = sd.Builder("bench")
    b.link("arm", sd.Body(1.0), joint_name="hinge")
    with pytest.raises(
        sd.ModelError, match=r"Only in the robot: none\. Only in MuJoCo: .*floating_base \(mjJNT_FREE\)"
    ):
        mujoco(sd.build(b))


def test_names_must_exist_on_both_sides(arm: sd.Robot) -> None:
    with pytest.raises(sd.UnknownNameError, match=r"joint of robot 'walker' in names 'hing'. Did you mean 'hinge'\?"):
        mujoco(arm, names={"hing": "hinge"})
    with pytest.raises(sd.UnknownNameError, match=r"joint of MuJoCo in names 'hings'. Did you mean 'hinge'\?"):
        mujoco(arm, names={"hinge": "hings"})


def test_two_joints_cannot_share_a_partner(arm: sd.Robot) -> None:
    with pytest.raises(sd.ModelError, match=r"Only in MuJoCo: slide \(mjJNT_SLIDE\)"):
        mujoco(arm, names={"slide": "hinge"})


def test_joints_of_different_kinds_are_refused(arm: sd.Robot) -> None:
    words = r"joint 'hinge' \(there 'slide'\) is continuous, but in MuJoCo a mjJNT_SLIDE, which is prismatic here"
    with pytest.raises(sd.ModelError, match=words):
        mujoco(arm, names={"slide": "hinge", "hinge": "slide"})


def test_wrong_shapes_are_named(arm: sd.Robot) -> None:
    peer, q = drake(arm), arm.neutral()
    with pytest.raises(
        sd.ShapeError, match=r"argument 'q' has shape \(3,\); expected \(\.\.\., 13\), the 13 coordinates"
    ):
        peer.q_to(np.zeros(3))
    with pytest.raises(sd.ShapeError, match=r"argument 'q_peer' .* the 12 coordinates of the robot in Drake"):
        peer.q_from(np.zeros(3))
    with pytest.raises(sd.ShapeError, match=r"argument 'v_peer' has shape \(4,\)"):
        peer.v_from(q, np.zeros(4))
    with pytest.raises(sd.ShapeError, match=r"argument 'J_peer' .* expected a Jacobian \(\.\.\., 6 or 3, 11\)"):
        peer.jacobian_from(q, np.zeros((5, 11)))
    with pytest.raises(sd.ShapeError, match=r"argument 'M' .* a matrix over the joint rates"):
        peer.matrix_to(q, np.zeros((5, 11)))
    with pytest.raises(sd.ShapeError, match=r"batch axes do not broadcast: q \(2,\), a \(3,\)"):
        peer.a_to(np.stack([q, q]), np.zeros(11), np.zeros((3, 11)))
    with pytest.raises(sd.ShapeError, match=r"batch axes do not broadcast: q \(2,\), tau \(3,\)"):
        peer.force_to(np.stack([q, q]), np.zeros((3, 11)))
    with pytest.raises(sd.ShapeError, match=r"argument 'wrench_peer' .* a wrench \[moment; force\]"):
        peer.wrench_from(np.zeros(5))


def test_a_peer_alone_cannot_be_made(arm: sd.Robot) -> None:
    with pytest.raises(TypeError, match="abstract"):
        Peer(arm, "nobody", [], None, linear_first=True)  # type: ignore[abstract]
