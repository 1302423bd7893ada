"""Momentum about any point, its integral, and what of it can be integrated to positions (004 section 7)."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error, largest
from random_robots import random_model
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.theory.oracle.dense_robot import DenseRobot


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_momentum_about_any_point_is_the_dense_one(root: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 9, root=root, armature=True))
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    dense = DenseRobot(robot.model, q, v)
    points = rng.standard_normal((5, 3))
    found = robot.momentum(q, v, about=points)
    assert found.shape == (5, 6)
    for point, h in zip(points, found, strict=True):
        assert error(h, dense.momentum(point)) <= 1e-12


def test_momentum_moves_between_points_as_a_force_does(rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer")
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    point = rng.standard_normal(3)
    origin, there = robot.momentum(q, v), robot.momentum(q, v, about=point)
    assert error(there[3:], origin[3:]) <= 1e-14
    assert error(there[:3], origin[:3] - np.cross(point, origin[3:])) <= 1e-12


def test_in_the_frame_of_the_mass_centre_the_momentum_splits(rng: np.random.Generator) -> None:
    """About the mass centre: A v, its linear half m ċ; about the origin there is m c × ċ besides."""
    robot = sd.Robot(random_model(rng, 9, root="free"))
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    c, c_dot = robot.center_of_mass(q), robot.center_of_mass_jacobian(q) @ v
    h, spin = robot.momentum(q, v), robot.momentum(q, v, about="com")
    assert error(spin, robot.centroidal_momentum_matrix(q) @ v) <= 1e-12
    assert error(robot.momentum(q, v, about=c), spin) <= 1e-12
    assert error(h[3:], robot.total_mass * c_dot) <= 1e-12
    assert error(h[:3], spin[:3] + np.cross(c, robot.total_mass * c_dot)) <= 1e-12


def gentle_motors(robot: sd.Robot, rng: np.random.Generator) -> np.ndarray:
    """Joint forces that accelerate the joints with some 0.3 rad/s^2, and none on the base."""
    S_aa, _, _ = robot.actuation_matrices(robot.neutral(), ["root"])
    return np.concatenate([np.zeros(6), 0.3 * S_aa @ rng.standard_normal(robot.nv - 6)])


@pytest.mark.parametrize("name", ["ets_vii", "dual_arm_flyer"])
@pytest.mark.heavy(2)
def test_without_forces_on_the_base_momentum_is_conserved(name: str, rng: np.random.Generator) -> None:
    robot = sd.load(name).with_backend("auto")
    v = 0.05 * rng.standard_normal(robot.nv)
    motors = gentle_motors(robot, rng)
    trajectory = sd.simulate(robot, robot.neutral(), v, control=motors, duration=1.0, step=0.005)
    h = robot.momentum(trajectory.q, trajectory.v, about=[1.0, -2.0, 0.5])
    assert largest(h - h[0]) <= 1e-8 * largest(h[0])
    spin = robot.momentum(trajectory.q, trajectory.v, about="com")
    assert largest(spin - spin[0]) <= 1e-8 * largest(h[0])


def test_linear_momentum_integrates_to_the_mass_centre(rng: np.random.Generator) -> None:
    """Holonomic: m (c(t) - c(0)) = p t, whatever the motors do on the way."""
    robot = sd.load("dual_arm_flyer").with_backend("auto")
    v = 0.1 * rng.standard_normal(robot.nv)
    size = gentle_motors(robot, rng)

    def motors(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return size * np.sin(3 * t + np.arange(robot.nv))

    trajectory = sd.simulate(robot, robot.neutral(), v, control=motors, duration=1.0, step=0.005)
    p = robot.momentum(robot.neutral(), v)[3:]
    c = robot.center_of_mass(trajectory.q)
    moved = robot.total_mass * (c - c[0])
    assert error(moved, trajectory.t[:, None] * p) <= 1e-7


def turned_by_a_loop(robot: sd.Robot, turns: int, size: float) -> np.ndarray:
    """The base's coordinates after the first two joints went round a circle, momentum zero all the time."""
    q = robot.neutral()
    steps = 400
    for i in range(turns * steps):
        middle = 2 * np.pi * (i + 0.5) / steps
        v_a = np.zeros(robot.nv - 6)
        v_a[:2] = size * np.array([-np.sin(middle), np.cos(middle)]) * 2 * np.pi
        # the midpoint rule: v_p = J_D v_a half a step ahead
        half = np.concatenate([robot.disturbance_jacobian(q, ["root"]) @ v_a, v_a]) / (2 * steps)
        J_D = robot.disturbance_jacobian(robot.integrate(q, half), ["root"])
        q = robot.integrate(q, np.concatenate([J_D @ v_a, v_a]) / steps)
    return q


def test_angular_momentum_does_not_integrate_to_an_attitude() -> None:
    """Nonholonomic: the joints come back, the mass centre never moved, the base has turned."""
    robot = sd.load("ets_vii").with_backend("auto")
    q0 = robot.neutral()
    q = turned_by_a_loop(robot, 1, 0.5)
    assert largest(q[7:] - q0[7:]) <= 1e-12
    assert largest(robot.center_of_mass(q) - robot.center_of_mass(q0)) <= 1e-5
    angle = np.arccos((np.trace(from_quaternion(q[:4])) - 1) / 2)
    assert angle > 1e-3


@pytest.mark.parametrize("name", ["ets_vii", "dual_arm_flyer"])
def test_motions_of_the_reaction_null_space_leave_the_attitude_alone(name: str, rng: np.random.Generator) -> None:
    robot = sd.load(name)
    q = robot.random_configuration(rng, 6)
    N = robot.reaction_null_space(q)
    J_D = robot.disturbance_jacobian(q, ["root"])
    motors = robot.nv - 6
    assert N.shape == (6, motors, motors)
    assert largest(N - N.mT) <= 1e-12
    assert largest(N @ N - N) <= 1e-12
    assert largest(J_D[:, :3] @ N) <= 1e-12
    assert np.allclose(np.trace(N, axis1=1, axis2=2), motors - 3)
    whole = robot.reaction_null_space(q, undisturbed=["root"])
    assert largest(J_D @ whole) <= 1e-12
    assert np.allclose(np.trace(whole, axis1=1, axis2=2), motors - 6)


def test_a_motion_in_the_null_space_turns_no_base_in_forward_dynamics(rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer")
    q, still = robot.random_configuration(rng), np.zeros(robot.nv)
    a_a = robot.reaction_null_space(q) @ rng.standard_normal(robot.nv - 6)
    _, tau = robot.hybrid_dynamics(q, still, np.concatenate([np.zeros(6), a_a]), still, ["root"])
    a = DenseRobot(robot.model, q).forward_dynamics(tau)
    assert largest(a[:3]) <= 1e-11
    assert largest(a[3:6]) > 1e-4


def test_the_null_space_of_other_passive_joints(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, kinds=["revolute", "prismatic", "spherical"], shape="serial"))
    q = robot.random_configuration(rng)
    passive = list(robot.joint_names[:3])
    N = robot.reaction_null_space(q, passive, undisturbed=[(passive[0], 0)])
    assert largest(robot.disturbance_jacobian(q, passive)[0] @ N) <= 1e-12
    assert round(np.trace(N)) == len(N) - 1
    with pytest.raises(sd.ArgumentError, match="undisturbed names components that are not passive, of 'joint_8'"):
        robot.reaction_null_space(q, passive, undisturbed=["joint_8"])


def test_a_state_without_an_answer_has_no_null_space() -> None:
    robot = sd.load("ets_vii")
    q = np.stack([robot.neutral(), np.full(robot.nq, np.nan)])
    with sd.errstate("ignore"):
        N = robot.reaction_null_space(q)
    assert np.isfinite(N[0]).all()
    assert np.isnan(N[1]).all()
