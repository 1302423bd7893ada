"""001 sections I-III: motions and forces of links."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.algebra import B, E_phi, H, I_link, M, T, V, a, alpha, b, f, f_tip, inv, mass, phi, theta_ddot, theta_dot
from soadyn.algebra.operators import OPERATORS, VECTORS
from systems_001 import TOLERANCE, System, system


def same(x: object, y: object) -> bool:
    return error(x, y) <= TOLERANCE


def test_001_nomenclature() -> None:
    assert {"H", "phi", "psi", "M", "R", "P", "D", "G", "B"} <= set(OPERATORS)
    assert {"V", "alpha", "a", "b", "f", "T", "theta_dot", "theta_ddot", "f_tip"} <= set(VECTORS)


def test_001_section_I_A(s: System) -> None:
    """One formula serves every arm."""
    text = sd.explain(inv(mass) @ T, s.robot)
    assert [line for line in text.splitlines() if line.startswith("for k")].count(
        "for k = 1 ... n   (tip to base)"
    ) == 1
    s.agrees(inv(mass) @ T)


def test_001_section_I_A_errors() -> None:
    robot = sd.Builder("arm")
    robot.link("feather", sd.Body(0.0), axis=(0, 0, 1))
    with pytest.warns(RuntimeWarning, match="D is singular at link 'feather'"):
        assert np.isnan(sd.build(robot).forward_dynamics([0.0], [0.0], [0.0])).all()
    with sd.errstate("raise"), pytest.raises(sd.SingularError, match="no inertia along joint 'feather_joint'"):
        sd.build(robot).forward_dynamics([0.0], [0.0], [0.0])


def test_001_section_I_B(rng: np.random.Generator) -> None:
    """C = Ṁ θ̇ - ½ ∂(θ̇* Mass θ̇)/∂θ, plus gravity's share."""
    s = system(rng, sd.load("ur5").with_backend("numpy"))
    h, arm = 1e-30, s.robot
    partial = np.array([arm.mass_matrix(s.q + 1j * h * e).imag / h for e in np.eye(6)])
    lagrange = np.einsum("k,kij,j->i", s.v, partial, s.v) - np.einsum("i,kij,j->k", s.v, partial, s.v) / 2
    assert same(arm.bias_force(s.q, s.v) - arm.gravity_force(s.q), lagrange)


@pytest.mark.heavy(2)
def test_001_section_I_C(s: System) -> None:
    s.agrees(inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b)))


def test_001_section_I_C_operational(rng: np.random.Generator) -> None:
    s = system(rng, sd.load("ur5").with_backend("numpy"))
    wanted = rng.standard_normal(6)
    F = s.robot.operational_inertia(s.q, "tool0") @ wanted + s.robot.operational_bias(s.q, s.v, "tool0")
    acceleration = s.robot.forward_dynamics(s.q, s.v, s.robot.jacobian(s.q, "tool0").T @ F)
    assert same(s.robot.frame_acceleration(s.q, s.v, acceleration, "tool0"), wanted)


def test_001_section_I_C_operational_control(rng: np.random.Generator) -> None:
    """Under the law the frame's error obeys ë + B ė + K e = 0 on the dense robot, whatever the posture asks for."""
    s = system(rng, sd.load("panda").with_backend("numpy"))
    goal = s.robot.pose(s.q, "panda_link8")[:3, 3] + 0.1 * rng.standard_normal(3)
    law = sd.control.OperationalSpace(
        s.robot, {"panda_link8": goal}, bandwidth=4.0, damping_ratio=0.875, posture=rng.standard_normal(7)
    )
    found = s.d.frame_acceleration(s.d.forward_dynamics(law(0.0, s.q, s.v)), "panda_link8")
    e = goal - s.robot.pose(s.q, "panda_link8")[:3, 3]
    assert same(found[3:], 16.0 * e - 7.0 * s.d.frame_velocity("panda_link8")[3:])


def test_001_section_I_C_geared(s: System) -> None:
    assert same(s.robot.mass_matrix(s.q), s.d.H_phi @ s.d.M @ s.d.H_phi.T + np.diag(s.robot.armature))


def test_001_figures(s: System) -> None:
    lines = sd.explain("mass_matrix", s.robot).partition("tip to base, k = 1 ... n:\n")[2].splitlines()[: s.d.n]
    assert [line.split()[1] for line in lines] == [link.name for link in reversed(s.robot.model.links)]


def test_001_section_II(s: System) -> None:
    wrench = s.rng.standard_normal(6)
    R = np.kron(np.eye(2), s.robot.pose(s.q, "tool")[:3, :3])
    pushed = s.robot.inverse_dynamics(s.q, s.v, s.a, external={"tool": -R.T @ wrench})
    assert same(pushed, s.d.inverse_dynamics(s.a) + s.d.jacobian("tool").T @ wrench)


def test_001_section_II_sliding(rng: np.random.Generator) -> None:
    s = system(rng, kinds=["prismatic"])
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)


def test_001_eq_1(s: System) -> None:
    found = s.robot.link_velocities(s.q, s.v)
    assert same(found, [s.d.frame_velocity(name, "local") for name in s.robot.link_names])


def test_001_eq_2(s: System) -> None:
    body = s.robot.model.links[-1]
    p, m = np.array(body.com), body.mass
    skew = np.cross(p, np.eye(3)).T
    J = np.array(body.inertia) - m * skew @ skew
    assert same(s.robot.composite_inertias(s.q)[-1], np.block([[J, m * skew], [-m * skew, m * np.eye(3)]]))


def test_001_eq_3(s: System) -> None:
    for k, name in enumerate(s.robot.link_names):
        assert same(s.robot.pose(s.q, name), s.d.link_poses[k])


def test_001_eq_4_5(s: System) -> None:
    s.operator(phi)
    s.operator(E_phi @ E_phi)
    assert sd.prove(inv(phi), I_link - E_phi)


def test_001_eq_6_9(s: System) -> None:
    assert same(s.robot.frame_velocity(s.q, s.v, "tool"), s.d.frame_velocity("tool"))
    assert same(s.robot.frame_acceleration(s.q, s.v, s.a, "tool"), s.d.frame_acceleration(s.a, "tool"))


def test_001_eq_10_12(s: System) -> None:
    tau = s.robot.inverse_dynamics(s.q, s.v, s.a)
    assert same(tau, s.d.inverse_dynamics(s.a))
    # what the joint of the first link passes on: its own axes' share of the force is the joint's
    forces = s.robot.link_forces(s.q, s.v, s.a)
    joint = s.robot.joint_names[0]
    columns = s.robot.jacobian(s.q, s.robot.link_names[0], axes="local")[:, list(s.robot.joint_dofs(joint))]
    dofs = list(s.robot.joint_dofs(joint))
    assert same(columns.T @ forces[0] + s.robot.armature[dofs] * s.a[dofs], tau[dofs])


def test_001_eq_13(s: System) -> None:
    s.operator(H)
    name = s.robot.link_names[0]
    dofs = list(s.robot.joint_dofs(s.robot.joint_names[0]))
    assert same(s.robot.jacobian(s.q, name)[:, dofs], s.d.jacobian(name)[:, dofs])


def test_001_eq_14_15(s: System) -> None:
    found = s.robot.link_accelerations(s.q, s.v, s.a)
    assert same(found, [s.d.frame_acceleration(s.a, name, "local") for name in s.robot.link_names])


def test_001_eq_17(s: System) -> None:
    found = s.operator(phi)
    blocks = found.reshape(s.d.n, 6, s.d.n, 6)
    assert all((blocks[i, :, j] == 0).all() for i in range(s.d.n) for j in range(i))  # the papers' order is reversed


def test_001_eq_18(s: System) -> None:
    s.operator(H)
    s.agrees(H @ phi @ B @ f_tip, points=True)


def test_001_eq_19(s: System) -> None:
    assert same(s.robot.jacobian(s.q, "tool") @ s.v, s.d.frame_velocity("tool"))


def test_001_eq_20(s: System) -> None:
    assert same(s.robot.jacobian(s.q, "tool"), s.d.jacobian("tool"))
    s.agrees(B.T @ phi.T @ H.T @ theta_dot, points=True)


def test_001_eq_21(s: System) -> None:
    s.agrees(V)
    assert sd.prove(V, phi.T @ H.T @ theta_dot)
    assert same(s.robot.link_velocities(s.q, s.v)[0], s.d.frame_velocity(s.robot.link_names[0], "local"))


def test_001_eq_22(s: System) -> None:
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)


def test_001_eq_23(s: System) -> None:
    tip = s.rng.standard_normal(6)
    R = np.kron(np.eye(2), s.robot.pose(s.q, "tool")[:3, :3])
    found = s.robot.inverse_dynamics(s.q, s.v, s.a, external={"tool": -R.T @ tip})
    assert same(found, s.d.mass_matrix @ s.a + s.d.bias_force() + s.d.jacobian("tool").T @ tip)


def test_001_jacobian_rate(s: System) -> None:
    still = s.robot.frame_acceleration(s.q, s.v, np.zeros(s.robot.nv), "tool")
    assert same(still, s.d.frame_acceleration(np.zeros(s.robot.nv), "tool"))


def test_001_eq_24(s: System) -> None:
    s.agrees(f)
    carried = sd.compile(f, s.robot)(s.q, s.v, s.a)
    assert same(s.robot.link_forces(s.q, s.v, s.a), carried)


def test_001_eq_25(s: System) -> None:
    s.agrees(alpha)
    lifted = (s.robot.poses(s.q)[:, :3, :3].mT @ s.robot.gravity[:, None])[..., 0]
    offset = np.concatenate([0 * lifted, -lifted], axis=-1)
    expected = sd.compile(phi.T @ (H.T @ theta_ddot + a), s.robot)(s.q, s.v, s.a)
    assert same(s.robot.link_accelerations(s.q, s.v, s.a) + offset, _at_frames(s, expected))


def _at_frames(s: System, alpha_links: np.ndarray) -> np.ndarray:
    """Formulas carry accelerations as φ* does; those of the frames' origins have ω × (ω × l) besides."""
    found = alpha_links.copy()
    for k in range(s.d.n):
        pose = s.d.link_poses[k]
        omega, l = s.d.V[6 * k : 6 * k + 3], pose[:3, 3] - s.d.origins[k]
        found[k, 3:] += pose[:3, :3].T @ np.cross(omega, np.cross(omega, l))
    return found


def test_001_eq_26_27(s: System) -> None:
    assert same(s.robot.bias_force(s.q, s.v), s.d.bias_force())
