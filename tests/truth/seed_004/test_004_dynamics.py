"""Under-Actuated Manipulators (004), sections 5 and 7: generalized dynamics, and control of base and hand."""

from __future__ import annotations

import numpy as np

import soadyn as sd
from agreement import largest
from dense_passive import six
from soadyn.theory.oracle.dense_robot import DenseRobot
from systems_004 import SYSTEMS, System, filtered, link_accelerations, same, system

# Section 5


def test_004_eq_5_1a(s: System) -> None:
    assert same(s.robot.actuation_matrices(s.q, s.p)[2], s.d.A_inv.T @ s.d.D_inv @ s.d.A_inv)


def test_004_eq_5_1b(s: System) -> None:
    d = s.d
    S_ap = s.robot.actuation_matrices(s.q, s.p)[1]
    back = d.psi.T @ d.H_p.T @ d.D_inv
    assert same(S_ap, d.H_a @ (d.psi @ d.K + d.P @ back @ d.A_inv))
    assert same(S_ap, d.H_a @ ((d.psi - d.P @ d.Omega) @ d.K + d.P @ back))


def test_004_eq_5_1c(s: System) -> None:
    d = s.d
    S_aa = s.robot.actuation_matrices(s.q, s.p)[0]
    assert same(S_aa, d.A_ra + d.H_a @ (d.Sigma - d.P @ d.Omega @ d.P) @ d.H_a.T)
    assert same(S_aa, d.A_ra + d.H_a @ ((d.psi - d.P @ d.Omega) @ d.P + d.P @ d.psi_tilde.T) @ d.H_a.T)
    if s.bare:
        assert same(S_aa, d.A_ra + d.H_a @ (d.psi @ d.M @ d.psi.T - d.P @ d.Omega @ d.P) @ d.H_a.T)


def test_004_eq_5_2(rng: np.random.Generator) -> None:
    for options in SYSTEMS.values():
        s = system(rng, **{**options, "by_joint": True})
        d = s.d
        assert same(d.Omega, d.phi.T @ d.H_p.T @ np.linalg.inv(d.mass("p", "p")) @ d.H_p @ d.phi)
        passive = [name for name in s.robot.joint_names if s.p[s.robot.joint_dofs(name)[0]]]
        arm = s.robot.passive_arm(passive, s.q)
        own = np.concatenate([s.q[list(s.robot.joint_coordinates(name))] for name in arm.joint_names])
        assert same(arm.operational_inertia_inverse(own, "tool"), d.B("tool").T @ d.Omega @ d.B("tool"))


def test_004_eq_5_3a(shown: System) -> None:
    assert same(link_accelerations(shown, shown.hybrid()[0]), filtered(shown)[2])


def test_004_eq_5_3b(s: System) -> None:
    d = s.d
    _, nu, alpha = filtered(s)
    a_p = s.hybrid()[0][s.p]
    assert same(a_p, d.A_inv.T @ nu - d.K.T @ d.psi.T @ (d.H_a.T @ s.known[0] + d.a))
    assert same(a_p, nu - d.K.T @ alpha)


def test_004_eq_5_3c(s: System) -> None:
    d, a_a = s.d, s.known[0]
    z, nu, alpha = filtered(s)
    T_a = s.hybrid()[1][~s.p]
    drive = d.H_a.T @ a_a + d.a
    assert same(T_a, d.H_a @ (z + d.P @ (d.psi.T @ d.H_p.T @ nu + d.psi_tilde.T @ drive)) + d.A_ra @ a_a)
    assert same(T_a, d.H_a @ (d.P @ (alpha - drive) + z) + d.A_ra @ a_a)


def test_004_eq_5_4(s: System) -> None:
    d, dense, p = s.d, s.d.dense, s.p
    place = np.cumsum(p) - 1  # of a passive component among the passive ones
    z, carried, nu = np.zeros((dense.n, 6)), np.zeros((dense.n, 6)), np.zeros(dense.nv)
    split = []
    for k in range(dense.n):
        dofs = np.arange(dense.nv)[dense.model.v_slices[k]]
        split.append((dofs[p[dofs]], dofs[~p[dofs]]))
    for k in reversed(range(dense.n)):
        passive, active = split[k]
        own = place[passive]
        P = d.P[six(k), six(k)]
        z[k] = carried[k] + d.b[six(k)] + P @ (dense.H[active, six(k)].T @ s.vdot[active] + d.a[six(k)])
        epsilon = s.tau[passive] - dense.H[passive, six(k)] @ z[k]
        nu[passive] = np.linalg.solve(d.D[np.ix_(own, own)], epsilon)
        if dense.parents[k] >= 0:
            z_plus = z[k] + d.G[six(k), own] @ epsilon
            carried[dense.parents[k]] += dense.E_phi[six(dense.parents[k]), six(k)] @ z_plus
    alpha, a, T = np.zeros((dense.n, 6)), s.vdot.copy(), s.tau.copy()
    for k, parent in enumerate(dense.parents):
        passive, active = split[k]
        alpha_plus = dense.E_phi[six(parent), six(k)].T @ alpha[parent] if parent >= 0 else np.zeros(6)
        # A joint that is mixed is an active one followed by a passive one, as section 4 says.
        moved = alpha_plus + dense.H[active, six(k)].T @ s.vdot[active] + d.a[six(k)]
        a[passive] = nu[passive] - d.G[six(k), place[passive]].T @ alpha_plus
        alpha[k] = moved + dense.H[passive, six(k)].T @ a[passive]
        f = d.P[six(k), six(k)] @ (alpha_plus + dense.H[passive, six(k)].T @ a[passive]) + z[k]
        T[active] = dense.H[active, six(k)] @ f + dense.A_r[np.ix_(active, active)] @ s.vdot[active]
    found = s.hybrid()
    assert same(found[0], a)
    assert same(found[1], T)


# Section 7


def test_004_eq_7_1(rng: np.random.Generator) -> None:
    """Fourteen motors: one hand follows its path and the base does not accelerate."""
    robot = sd.load("dual_arm_flyer")
    q, v = robot.random_configuration(rng), 0.1 * rng.standard_normal(robot.nv)
    J = np.concatenate([robot.generalized_jacobian(q, "left_tool", ["root"]), robot.disturbance_jacobian(q, ["root"])])
    wanted = rng.standard_normal(6)
    right = np.concatenate(
        [wanted - robot.generalized_drift(q, v, "left_tool", ["root"]), -robot.disturbance_drift(q, v, ["root"])]
    )
    a_a = np.linalg.lstsq(J, right)[0]
    given = np.concatenate([np.zeros(6), a_a])
    _, tau = robot.hybrid_dynamics(q, v, given, np.zeros(robot.nv), ["root"])
    dense = DenseRobot(robot.model, q, v)
    a = dense.forward_dynamics(tau)
    assert same(tau[:6], np.zeros(6))
    assert same(a[:6], np.zeros(6), tolerance=1e-8)
    assert same(dense.frame_acceleration(a, "left_tool"), wanted, tolerance=1e-8)


def base_wrench(robot: sd.Robot, q: np.ndarray, T_p: np.ndarray) -> np.ndarray:
    """The passive forces of a free base as a wrench about the world's origin."""
    R, r = robot.pose(q, robot.link_names[0])[:3, :3], robot.pose(q, robot.link_names[0])[:3, 3]
    moment, force = R @ T_p[:3], R @ T_p[3:6]
    return np.concatenate([moment + np.cross(r, force), force])


def test_004_eq_7_2(rng: np.random.Generator) -> None:
    """d/dt of the momentum about a fixed point is the wrench of T_p; by eighth-order differences in time."""
    robot = sd.load("ets_vii")
    q, v, a_a = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    T_p = 50 * rng.standard_normal(robot.nv)
    a, _ = robot.hybrid_dynamics(q, v, a_a, T_p, ["root"])
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    h = 1e-2
    along = sum(
        w * (robot.momentum(robot.integrate(q, i * h * v), v) - robot.momentum(robot.integrate(q, -i * h * v), v)) / h
        for i, w in weights.items()
    )
    assert same(along + robot.momentum(q, a), base_wrench(robot, q, T_p), tolerance=1e-8)
    # About the base's origin, which moves, it also changes by what the linear momentum carries along: ṙ × p.
    pose = robot.pose(q, robot.link_names[0])
    about = lambda x, v: robot.momentum(x, v, about=robot.pose(x, robot.link_names[0])[:3, 3])  # noqa: E731
    moving = sum(
        w * (about(robot.integrate(q, i * h * v), v) - about(robot.integrate(q, -i * h * v), v)) / h
        for i, w in weights.items()
    ) + about(q, a)
    R = pose[:3, :3]
    wrench = np.concatenate([R @ T_p[:3], R @ T_p[3:6]])
    assert not same(moving, wrench, tolerance=1e-3)
    carried = np.cross(R @ v[3:6], robot.momentum(q, v)[3:])
    assert same(moving + np.concatenate([carried, np.zeros(3)]), wrench, tolerance=1e-8)


def test_004_eq_7_3(rng: np.random.Generator) -> None:
    """[M_pa, M_pp] β is the momentum about the base's origin, along its axes; about a fixed point it is conserved."""
    for armature in (False, True):
        s = system(rng, root="free", armature=armature)
        pi = (s.d.dense.mass_matrix @ s.v)[:6] - s.d.dense.A_r[:6, :6] @ s.v[:6]
        R, origin = s.d.dense.hinges[0][1][:3, :3], s.d.dense.origins[0]
        momentum = s.robot.momentum(s.q, s.v, about=origin)
        assert same(np.concatenate([R.T @ momentum[:3], R.T @ momentum[3:]]), pi)
    robot = sd.load("ets_vii").with_backend("auto")
    motors = np.concatenate([np.zeros(6), 5 * rng.standard_normal(6)])
    v = 0.05 * rng.standard_normal(robot.nv)
    trajectory = sd.simulate(robot, robot.neutral(), v, control=motors, duration=0.5, step=0.005)
    h = robot.momentum(trajectory.q, trajectory.v)
    assert largest(h - h[0]) <= 1e-9 * largest(h[0])
