"""Feedbacks with tasks against explicit matrices: Khatib's formulas with the dense oracle's mass matrix and Jacobians.

With passive joints these formulas hold for the motors: S_aa, J_G and what they carry stand in place of Mass and J.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn import control
from soadyn.kinematics import Orientation, Pose, Position
from soadyn.theory.oracle.dense_robot import DenseRobot

K, B = 30.0, 8.0  # of rows
K_P, B_P = 4.0, 3.0  # of the posture


def decaying(K: Any, B: Any, prefix: str = "") -> dict[str, Any]:
    """The arguments with which ë + B ė + K e = 0."""
    return {f"{prefix}bandwidth": np.sqrt(K), f"{prefix}damping_ratio": B / (2 * np.sqrt(K))}


@final
@dataclass(frozen=True)
class Case:
    """A robot at a state, frames with targets, and its passive components."""

    robot: sd.Robot
    q: np.ndarray
    v: np.ndarray
    posture: np.ndarray
    targets: dict[str, np.ndarray]
    passive: np.ndarray

    @property
    def dense(self) -> DenseRobot:
        return DenseRobot(self.robot.model, self.q, self.v)

    def options(self) -> dict[str, Any]:
        gains = decaying(K, B) | decaying(K_P, B_P, "posture_")
        return {"posture": self.posture, "passive": self.passive, **gains}


def case(rng: np.random.Generator, kind: str) -> Case:
    """Random trees with every kind of joint; "free": on a free base, "passive": one without motors there."""
    root = "fixed" if kind == "fixed" else "free"
    model = random_model(rng, 12, shape="serial", root=root, armature=True)
    robot = sd.Robot(model).with_backend("numpy")
    q = robot.random_configuration(rng)
    near = robot.integrate(q, 0.2 * rng.standard_normal(robot.nv))
    frames = ["tool", robot.link_names[6]] if kind != "fixed" else ["tool"]
    passive = np.zeros(robot.nv, dtype=bool)
    if kind == "passive":
        passive[:6], passive[8] = True, True
    return Case(
        robot, q, rng.standard_normal(robot.nv), robot.integrate(q, 0.3 * rng.standard_normal(robot.nv)),
        {frame: robot.pose(near, frame) for frame in frames}, passive,
    )  # fmt: skip


KINDS = ("fixed", "free", "passive")


def pose_error(goal: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """[position; 2 sin(angle/2) axis]."""
    R = goal[:3, :3] @ pose[:3, :3].T
    angle = np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1))
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    return np.concatenate([goal[:3, 3] - pose[:3, 3], skew / np.cos(angle / 2)])


def rows(at: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """J, the drift J̇ v, and the wanted accelerations, position first, of all frames."""
    dense, still = at.dense, np.zeros(at.robot.nv)
    swap = [3, 4, 5, 0, 1, 2]
    J = np.concatenate([dense.jacobian(frame)[swap] for frame in at.targets])
    drift = np.concatenate([dense.frame_acceleration(still, frame)[swap] for frame in at.targets])
    e = np.concatenate([pose_error(goal, at.robot.pose(at.q, frame)) for frame, goal in at.targets.items()])
    return J, drift, K * e - B * J @ at.v


def motors(at: Case, J: np.ndarray, drift: np.ndarray) -> tuple[np.ndarray, ...]:
    """S_aa, J_G, bias and drift that the motors feel."""
    M, C, a, p = at.dense.mass_matrix, at.dense.bias_force(), ~at.passive, at.passive
    gives = np.linalg.solve(M[np.ix_(p, p)], np.column_stack([M[np.ix_(p, a)], C[p]]))
    J_D, a_p = -gives[:, :-1], -gives[:, -1]
    S_aa = M[np.ix_(a, a)] + M[np.ix_(a, p)] @ J_D
    return S_aa, J[:, a] + J[:, p] @ J_D, C[a] + M[np.ix_(a, p)] @ a_p, drift + J[:, p] @ a_p


def lean(at: Case) -> np.ndarray:
    return (K_P * at.robot.difference(at.q, at.posture) - B_P * at.v)[~at.passive]


def assert_torque(found: np.ndarray, at: Case, wanted: np.ndarray) -> None:
    assert not found[at.passive].any()
    np.testing.assert_allclose(found[~at.passive], wanted, rtol=0, atol=1e-8 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.heavy(2)
def test_operational_space_is_khatibs_formula(kind, rng) -> None:
    at = case(rng, kind)
    J, drift, wanted = rows(at)
    S, R, C, drift = motors(at, J, drift)
    feedback = control.OperationalSpace(at.robot, at.targets, **at.options())
    assert feedback.damped(at.q) == 0
    inverse = np.linalg.inv(S)
    Lambda = np.linalg.inv(R @ inverse @ R.T)
    consistent = inverse @ R.T @ Lambda  # the dynamically consistent inverse of R
    force = Lambda @ (wanted - drift) + consistent.T @ C
    null = np.eye(len(S)) - R.T @ consistent.T
    assert_torque(feedback(0.0, at.q, at.v), at, R.T @ force + null @ (S @ lean(at) + C))
    a = at.dense.forward_dynamics(feedback(0.0, at.q, at.v))
    np.testing.assert_allclose(J @ a + rows(at)[1], wanted, atol=1e-8 * np.abs(wanted).max())


def test_operational_space_is_khatibs_formula_with_pinocchios_matrices(rng) -> None:
    pin = pytest.importorskip("pinocchio")
    arm, frame = sd.load("panda").with_backend("numpy"), "panda_link8"
    model = pin.buildModelFromUrdf(str(Path(sd.__file__).parent / "loading" / "robots" / "panda.urdf"))
    model.armature[:] = arm.armature
    data, at, axes = model.createData(), model.getFrameId(frame), pin.LOCAL_WORLD_ALIGNED
    q0 = np.array([0.1, -0.4, 0.2, -2.0, 0.3, 1.7, 0.6])
    q, v = q0 + 0.2 * rng.standard_normal(7), rng.standard_normal(7)
    goal = arm.pose(q0, frame)
    tau = control.OperationalSpace(arm, {frame: goal}, **decaying(K, B), posture=q0)(0.0, q, v)
    pin.forwardKinematics(model, data, q, v, np.zeros(7))
    drift = pin.getFrameClassicalAcceleration(model, data, at, axes).vector
    J = pin.computeFrameJacobian(model, data, q, at, axes)  # [linear; angular], as the rows are
    pose = pin.updateFramePlacement(model, data, at).homogeneous
    M, C = pin.crba(model, data, q), pin.nonLinearEffects(model, data, q, v)
    M = np.triu(M) + np.triu(M, 1).T
    Lambda = np.linalg.inv(J @ np.linalg.solve(M, J.T))
    a = 25.0 * (q0 - q) - 10.0 * v
    missing = K * pose_error(goal, pose) - B * J @ v - drift - J @ a
    np.testing.assert_allclose(tau, M @ a + C + J.T @ Lambda @ missing, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.heavy(2)
def test_resolved_acceleration_takes_the_least_joint_accelerations(kind, rng) -> None:
    at = case(rng, kind)
    J, drift, wanted = rows(at)
    S, R, C, drift = motors(at, J, drift)
    feedback = control.ResolvedAcceleration(at.robot, at.targets, **at.options())
    a = lean(at) + np.linalg.pinv(R) @ (wanted - drift - R @ lean(at))
    assert_torque(feedback(0.0, at.q, at.v), at, S @ a + C)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.heavy(2)
def test_resolved_rate_takes_the_least_joint_rates(kind, rng) -> None:
    at = case(rng, kind)
    J, drift, _ = rows(at)
    S, R, C, _ = motors(at, J, drift)
    feedback = control.ResolvedRate(
        at.robot,
        at.targets,
        bandwidth=K,
        velocity_bandwidth=B,
        posture=at.posture,
        posture_bandwidth=K_P,
        passive=at.passive,
    )
    e = np.concatenate([pose_error(goal, at.robot.pose(at.q, frame)) for frame, goal in at.targets.items()])
    active = ~at.passive
    x = K_P * at.robot.difference(at.q, at.posture)[active]
    anyway = J @ at.v - R @ at.v[active]
    v = x + np.linalg.pinv(R) @ (K * e - anyway - R @ x)
    assert_torque(feedback(0.0, at.q, at.v), at, S @ (B * (v - at.v[active])) + C)


@pytest.mark.parametrize(
    ("kind", "axes", "given"),
    [("fixed", "world", False), ("free", "target", True), ("passive", "target", False), ("passive", "world", True)],
)
@pytest.mark.heavy(2)
def test_a_frame_under_impedance_moves_as_a_mass_on_springs(kind, axes, given, rng) -> None:
    """Under a wrench f the frame accelerates as the equation says: exactly with a wanted inertia and f known."""
    at = case(rng, kind)
    frame, goal = next(iter(at.targets.items()))
    gains = [(x := rng.standard_normal((6, 6))) @ x.T + np.eye(6) for _ in range(3)]
    f = rng.standard_normal(6)
    extra = {"inertia": gains[2], "wrench": f} if given else {}
    posture = {"posture": at.posture, "passive": at.passive}
    feedback = control.Impedance(
        at.robot, frame, goal, stiffness=gains[0], damping=gains[1], axes=axes, **extra, **posture
    )
    turn = np.kron(np.eye(2), goal[:3, :3]) if axes == "target" else np.eye(6)
    stiffness, damping, inertia = (turn @ x @ turn.T for x in gains)
    dense, J = at.dense, at.dense.jacobian(frame)
    pull = stiffness @ np.roll(pose_error(goal, at.robot.pose(at.q, frame)), 3) - damping @ J @ at.v
    tau = feedback(0.0, at.q, at.v)
    assert not tau[at.passive].any()
    a = dense.forward_dynamics(tau + J.T @ f if given else tau)
    found = J @ a + dense.frame_acceleration(np.zeros(at.robot.nv), frame)
    if given:
        wanted = np.linalg.solve(inertia, pull + f)
    else:
        S, R, _, _ = motors(at, J, np.zeros(6))
        wanted = R @ np.linalg.solve(S, R.T @ pull)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8 * np.abs(wanted).max())


def test_reaction_mode_moves_the_frame_and_not_the_base(rng) -> None:
    flyer = sd.load("free_flyer").with_backend("numpy")
    q, v = flyer.neutral(), 0.1 * rng.standard_normal(flyer.nv)
    q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    there, turned = flyer.pose(q, "tool"), flyer.integrate(q, 0.05 * np.ones(flyer.nv))
    feedback = control.ReactionMode(flyer, {"tool": there}, q, **decaying(K, B))
    tau = feedback(0.0, turned, v)
    assert not tau[:6].any()
    assert feedback.damped(turned) == 0
    dense = DenseRobot(flyer.model, turned, v)
    a = dense.forward_dynamics(tau)
    np.testing.assert_allclose(a[:3], K * flyer.difference(turned, q)[:3] - B * v[:3], atol=1e-9)
    V = dense.frame_velocity("tool")
    wanted = K * np.roll(pose_error(there, flyer.pose(turned, "tool")), 3) - B * V
    np.testing.assert_allclose(dense.frame_acceleration(a, "tool"), wanted, atol=1e-8)


@pytest.mark.parametrize("mover", ["", "b_"])
def test_of_two_free_flyers_the_base_that_carries_the_frame_is_held(mover: str, rng) -> None:
    flyer = sd.load("free_flyer")
    both = flyer.attach(flyer, "ground", "b_")
    q = np.concatenate([flyer.random_configuration(rng) for _ in range(2)])
    tool = f"{mover}tool"
    feedback = control.ReactionMode(both, {tool: both.pose(q, tool)}, q, passive=["root", "b_root"])
    held = control.ReactionMode(
        both, {tool: both.pose(q, tool)}, q, [(f"{mover}root", i) for i in range(3)], passive=["root", "b_root"]
    )
    turned, v = both.integrate(q, 0.05 * np.ones(both.nv)), 0.1 * rng.standard_normal(both.nv)
    np.testing.assert_array_equal(feedback(0.0, turned, v), held(0.0, turned, v))
    assert control.Demands(both, tool, hold="attitude").names[-3:] == tuple(f"{mover}root.w{x}" for x in "xyz")


def test_the_mass_centre_accelerates_as_wanted(rng) -> None:
    robot = sd.Robot(random_model(rng, 8, kinds=("revolute", "prismatic"), armature=True)).with_backend("numpy")
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    goal = robot.center_of_mass(q) + 0.1 * rng.standard_normal(3)
    feedback = control.OperationalSpace(robot, {}, com=goal, **decaying(K, B))
    a = DenseRobot(robot.model, q, v).forward_dynamics(feedback(0.0, q, v))
    J = robot.center_of_mass_jacobian(q)
    change = robot.center_of_mass_jacobian(q + 1e-30j * v).imag @ v / 1e-30
    wanted = K * (goal - robot.center_of_mass(q)) - B * J @ v
    np.testing.assert_allclose(J @ a + change, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


@pytest.mark.parametrize("passive", [False, True])
def test_normalized_errors_have_equations_of_their_own(passive, rng) -> None:
    """m* ẍ + c m* ẋ + k m* x = 0 with a dense m; row by row, since c and k are diagonal."""
    at = case(rng, "passive" if passive else "fixed")
    nv, active = at.robot.nv, ~at.passive
    path = at.robot.integrate(at.q, 0.3 * rng.standard_normal(nv)), *rng.standard_normal((2, nv))
    k, c = rng.uniform(1.0, 9.0, (2, nv))
    feedback = control.DecoupledControl(at.robot, *path, **decaying(k, c), passive=at.passive)
    tau = feedback(0.0, at.q, at.v)
    S = motors(at, np.zeros((0, nv)), np.zeros(0))[0]
    m = np.linalg.cholesky(S) if passive else np.asarray(at.robot.mass_matrix_root(at.q))
    np.testing.assert_allclose(m @ m.T, S, atol=1e-9)
    x = at.robot.difference(at.q, path[0]), path[1] - at.v, path[2] - at.dense.forward_dynamics(tau)
    y = [m.T @ part[active] for part in x]
    np.testing.assert_allclose(y[2] + c[active] * y[1] + k[active] * y[0], 0, atol=1e-8 * np.abs(y[1]).max())
    assert not tau[at.passive].any()


def test_single_gains_make_decoupled_control_computed_torque(rng) -> None:
    at = case(rng, "fixed")
    both = [kind(at.robot, at.posture, **decaying(7.0, 3.0), passive=[]) for kind in
            (control.DecoupledControl, control.ComputedTorque)]  # fmt: skip
    tau = [feedback(0.0, at.q, at.v) for feedback in both]
    np.testing.assert_allclose(tau[0], tau[1], atol=1e-9 * np.abs(tau[1]).max())


@pytest.mark.parametrize("kind", [control.JointFeedback, control.ComputedTorque])
def test_joint_feedbacks_leave_passive_joints_alone(kind, rng) -> None:
    at = case(rng, "passive")
    gains = {"stiffness": K, "damping": B} if kind is control.JointFeedback else decaying(K, B)
    feedback = kind(at.robot, at.posture, **gains, passive=at.passive)
    tau, active = feedback(0.0, at.q, at.v), ~at.passive
    pull = K * at.robot.difference(at.q, at.posture) - B * at.v
    assert not tau[at.passive].any()
    if kind is control.ComputedTorque:
        np.testing.assert_allclose(at.dense.forward_dynamics(tau)[active], pull[active], atol=1e-7)
    else:
        np.testing.assert_allclose(tau[active], (pull + at.dense.gravity_force)[active], atol=1e-9)


# References


def test_motions_samples_and_poses_are_the_same_reference() -> None:
    """A frame along a motion of sd.paths, along samples of its poses, and at its poses moment by moment."""
    arm = sd.load("ur5").with_backend("numpy")
    q0 = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    motion = sd.paths.quintic(sd.paths.line(arm, q0, q0 + np.array([0.4, 0.2, -0.3, 0.2, 0.1, 0.3])), duration=1.0)
    t = np.linspace(0.0, motion.duration, 2001)
    state = motion.at(t)
    poses = sd.TimeSeries(t, arm.pose(state.q, "tool0"))
    q, v = motion.at(0.4).q + 0.01, motion.at(0.4).v
    at = float(t[800])
    along = control.OperationalSpace(arm, {"tool0": motion})(at, q, v)
    sampled = control.OperationalSpace(arm, {"tool0": poses})(at, q, v)
    split = control.OperationalSpace(arm, {"tool0": [Position(poses), Orientation(motion)]})(at, q, v)
    np.testing.assert_allclose(sampled, along, atol=2e-4)
    np.testing.assert_allclose(split, along, atol=2e-4)
    there = motion.at(0.4)
    still = control.OperationalSpace(arm, {"tool0": Pose(arm.pose(there.q, "tool0"))})(at, q, 0 * v)
    moving = control.OperationalSpace(arm, {"tool0": motion})
    J, A = arm.jacobian(q, "tool0"), arm.frame_acceleration(there.q, there.v, there.a, "tool0")
    V = arm.frame_velocity(there.q, there.v, "tool0")
    more = arm.mass_matrix(q) @ np.linalg.solve(J, A + 20.0 * V)
    np.testing.assert_allclose(moving(at, q, 0 * v), still + more, atol=1e-6)


def test_the_mass_centre_follows_samples_and_motions() -> None:
    arm = sd.load("ur5").with_backend("numpy")
    q0 = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    motion = sd.paths.quintic(sd.paths.line(arm, q0, q0 + 0.3), duration=1.0)
    t = np.linspace(0.0, 1.0, 2001)
    centres = sd.TimeSeries(t, arm.center_of_mass(motion.at(t).q))
    q, v = motion.at(0.4).q, motion.at(0.4).v
    both = [control.OperationalSpace(arm, {}, com=x)(0.4, q, v) for x in (motion, centres)]
    np.testing.assert_allclose(both[0], both[1], atol=1e-3)
    a = arm.forward_dynamics(q, v, both[0])
    change = arm.center_of_mass_jacobian(q + 1e-30j * v).imag @ v / 1e-30
    found = arm.center_of_mass_jacobian(q) @ a + change
    true = arm.center_of_mass_jacobian(q) @ motion.at(0.4).a + change
    np.testing.assert_allclose(found, true, atol=1e-4)


# Singularities


def test_near_singularities_rows_are_damped_and_it_says_so() -> None:
    """UR5 with its elbow straight: the wrist cannot go further out, so its row gives way and torques stay bounded."""
    arm = sd.load("ur5").with_backend("numpy")
    bent = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    straight = bent * [1, 1, 0, 1, 1, 1]
    q = straight + np.linspace(0.0, 0.3, 3001)[:, None] * (bent - straight)
    poses = arm.pose(q, "tool0")
    poses[:, :3, 3] += 0.02
    feedback = control.OperationalSpace(arm, {"tool0": poses})
    torques, told = feedback(0.0, q, np.zeros(6)), feedback.damped(q)
    assert told[0] == 1.0
    assert told[-1] == 0.0
    assert (np.diff(told) <= 1e-12).all()
    assert np.abs(torques).max() < 200
    # no jump where damping sets in
    assert np.abs(np.diff(torques, axis=0)).max() < 0.05 * np.abs(torques).max()


def test_rows_that_no_joint_moves_are_left_alone() -> None:
    arm = sd.load("planar_two_link").with_backend("numpy")
    q, goal = np.array([0.3, 0.8]), arm.pose([0.4, 0.7], "tool")[:3, 3]
    J = arm.jacobian(q, "tool")[3:]
    across = np.flatnonzero(np.abs(J).max(axis=1) < 1e-12)
    assert len(across) == 1
    away = goal.copy()
    away[across] += 5.0
    torques = [control.OperationalSpace(arm, {"tool": x})(0.0, q, np.zeros(2)) for x in (goal, away)]
    np.testing.assert_allclose(torques[0], torques[1], rtol=1e-9)


def test_an_impedance_acts_at_a_frame_with_an_offset_that_is_an_array(rng):
    """Arrays cannot be keys of a dictionary of targets; nested tuples can, and mean the same frame."""
    offset = np.eye(4)
    offset[:3, 3] = [0.1, 0.0, -0.05]
    arm = sd.load("ur5")
    q, v = rng.uniform(-1, 1, (2, arm.nv))
    gains = {"stiffness": [20.0] * 3 + [400.0] * 3, "damping": [3.0] * 3 + [90.0] * 3}
    goal = arm.pose(q + 0.1, ("tool0", offset))
    frames = ("tool0", offset), ("tool0", tuple(map(tuple, offset.tolist())))
    forces = [control.Impedance(arm, frame, goal, **gains)(0.0, q, v) for frame in frames]
    np.testing.assert_array_equal(*forces)
    assert np.abs(forces[0] - control.Impedance(arm, "tool0", goal, **gains)(0.0, q, v)).max() > 1.0
