"""Facts of mechanics: power, momentum, motion, conservation, and pendula with known answers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import close, random_state
from moving import rate_of_change, runge_kutta
from random_robots import ALL_KINDS, random_model

G = 9.81


same = partial(close, tolerance=1e-11)


def robots(rng: np.random.Generator, **options: Any) -> list[sd.Robot]:
    """A mixed tree, fixed and free, and one robot for each kind of joint."""
    found = [sd.Robot(random_model(rng, 8, root=root, **options)) for root in ("fixed", "free")]
    return found + [sd.Robot(random_model(rng, 3, kinds=[kind], **options)) for kind in ALL_KINDS]


def test_energy_changes_by_the_power_of_joints_and_wrenches(rng: np.random.Generator) -> None:
    for robot in robots(rng, armature=True):
        s = random_state(rng, robot)
        q, v, a, external = s["q"], s["v"], s["a"], s["external"]
        tau = robot.inverse_dynamics(q, v, a, external)
        velocities = [robot.frame_velocity(q, v, link, axes="local") for link in robot.link_names]

        def energy(q: Any, v: Any, robot: sd.Robot = robot) -> Any:
            return robot.kinetic_energy(q, v) + robot.potential_energy(q)

        power = tau @ v + sum(wrench @ V for wrench, V in zip(external, velocities, strict=True))
        assert same(rate_of_change(energy, robot.model, q, v, a), power)


def test_gravity_force_is_the_slope_of_potential_energy(rng: np.random.Generator) -> None:
    for robot in robots(rng):
        s = random_state(rng, robot)
        slope = rate_of_change(robot.potential_energy, robot.model, s["q"], s["v"])
        assert same(slope, robot.gravity_force(s["q"]) @ s["v"])


def test_momentum_changes_by_gravity_and_outside_forces_only(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 9, root="free"))
    q, v, _, tau, external = random_state(rng, robot).values()
    tau[:6] = 0
    a = robot.forward_dynamics(q, v, tau, external)
    rate = rate_of_change(robot.momentum, robot.model, q, v, a)
    c, mg = robot.center_of_mass(q), robot.total_mass * robot.gravity
    outside = np.concatenate([np.cross(c, mg), mg])
    for T, wrench in zip(robot.poses(q), external, strict=True):
        moment, force = T[:3, :3] @ wrench[:3], T[:3, :3] @ wrench[3:]
        outside += np.concatenate([moment + np.cross(T[:3, 3], force), force])
    assert same(rate, outside)


@pytest.mark.parametrize("kind", [*ALL_KINDS, "free"])
def test_a_pose_moves_with_the_velocity_of_its_frame(kind: str, rng: np.random.Generator) -> None:
    kinds, root = (["revolute"], "free") if kind == "free" else ([kind], "fixed")
    robot = sd.Robot(random_model(rng, 5, kinds=kinds, root=root))
    s = random_state(rng, robot)
    for frame in robot.frame_names:
        rate = rate_of_change(lambda q, f=frame: robot.pose(q, f), robot.model, s["q"], s["v"])
        T, V = robot.pose(s["q"], frame), robot.frame_velocity(s["q"], s["v"], frame)
        assert same(rate[:3, 3], V[3:])
        assert same(rate[:3, :3], np.cross(V[:3], T[:3, :3].T).T)
        acceleration = robot.frame_acceleration(s["q"], s["v"], s["a"], frame)
        velocity = rate_of_change(
            lambda q, v, f=frame: robot.frame_velocity(q, v, f), robot.model, s["q"], s["v"], s["a"]
        )
        assert same(velocity, acceleration)


@pytest.mark.parametrize("kind", [*ALL_KINDS, "free"])
def test_integrating_a_velocity_for_a_short_time_moves_every_pose_with_it(kind: str, rng: np.random.Generator) -> None:
    kinds, root = (["revolute"], "free") if kind == "free" else ([kind], "fixed")
    robot = sd.Robot(random_model(rng, 4, kinds=kinds, root=root))
    q, v = (random_state(rng, robot)[name] for name in ("q", "v"))
    h = 1e-5
    ahead, behind = robot.poses(robot.integrate(q, h * v)), robot.poses(robot.integrate(q, -h * v))
    rate = (ahead - behind) / (2 * h)
    for link, T, T_rate in zip(robot.link_names, robot.poses(q), rate, strict=True):
        V = robot.frame_velocity(q, v, link)
        assert same(T_rate[:3, 3], V[3:], tolerance=1e-8)
        assert same(T_rate[:3, :3], np.cross(V[:3], T[:3, :3].T).T, tolerance=1e-8)


def test_the_mass_centre_moves_with_its_jacobian_and_carries_the_momentum(rng: np.random.Generator) -> None:
    for robot in robots(rng):
        q, v = (random_state(rng, robot)[name] for name in ("q", "v"))
        speed = rate_of_change(robot.center_of_mass, robot.model, q, v)
        assert same(speed, robot.center_of_mass_jacobian(q) @ v)
        assert same(robot.momentum(q, v)[3:], robot.total_mass * speed)
        assert same(robot.centroidal_momentum_matrix(q) @ v, robot.momentum(q, v, about="com"))
        assert same(robot.momentum(q, v, about=robot.center_of_mass(q)), robot.momentum(q, v, about="com"))


def test_the_mass_matrix_is_the_second_derivative_of_kinetic_energy(rng: np.random.Generator) -> None:
    for robot in robots(rng, armature=True):
        q = robot.random_configuration(rng)
        x, y = rng.standard_normal((2, robot.nv))
        energy = robot.kinetic_energy(q, np.stack([x + y, x, y]))
        assert same(energy[0] - energy[1] - energy[2], x @ robot.mass_matrix(q) @ y)
        assert same(robot.kinetic_energy(q, x), x @ robot.mass_matrix(q) @ x / 2)


def test_velocity_forces_are_quadratic_in_the_velocity(rng: np.random.Generator) -> None:
    for robot in robots(rng, armature=True):
        q, v = (random_state(rng, robot)[name] for name in ("q", "v"))
        still = robot.gravity_force(q)
        assert same(robot.bias_force(q, 0 * v), still)
        assert same(robot.bias_force(q, -3 * v) - still, 9 * (robot.bias_force(q, v) - still))


def test_a_wrench_is_felt_through_the_transposed_jacobian(rng: np.random.Generator) -> None:
    for robot in robots(rng):
        s = random_state(rng, robot)
        q, v, a = s["q"], s["v"], s["a"]
        free = robot.inverse_dynamics(q, v, a)
        for frame in ("tool", robot.link_names[0]):
            wrench = rng.standard_normal(6)
            if robot.model.frame(frame).link == 0:
                continue
            felt = free - robot.inverse_dynamics(q, v, a, external={frame: wrench})
            assert same(felt, robot.jacobian(q, frame, axes="local").T @ wrench)


def test_the_jacobian_is_the_velocity_per_rate_along_any_axes(rng: np.random.Generator) -> None:
    for robot in robots(rng):
        q, v = (random_state(rng, robot)[name] for name in ("q", "v"))
        for axes in ("world", "local", robot.link_names[0], (robot.link_names[-1], robot.pose(q, "tool"))):
            J = robot.jacobian(q, "tool", axes=axes)
            assert same(J @ v, robot.frame_velocity(q, v, "tool", axes=axes))
            R = (
                {"world": np.eye(3), "local": robot.pose(q, "tool")[:3, :3]}.get(axes)
                if isinstance(axes, str)
                else None
            )
            R = robot.pose(q, axes)[:3, :3] if R is None else R
            world = robot.jacobian(q, "tool")
            assert same(J, np.vstack([R.T @ world[:3], R.T @ world[3:]]))


def test_the_regressor_gives_the_joint_forces(rng: np.random.Generator) -> None:
    for robot in robots(rng, armature=True):
        s = random_state(rng, robot)
        force = robot.inertia_regressor(s["q"], s["v"], s["a"]) @ robot.inertial_parameters()
        assert same(force + robot.armature * s["a"], robot.inverse_dynamics(s["q"], s["v"], s["a"]))


def test_inverse_and_forward_dynamics_undo_each_other(rng: np.random.Generator) -> None:
    for robot in robots(rng, armature=True):
        s = random_state(rng, robot)
        tau = robot.inverse_dynamics(s["q"], s["v"], s["a"], s["external"])
        assert same(robot.forward_dynamics(s["q"], s["v"], tau, s["external"]), s["a"], tolerance=1e-9)


def test_gravity_is_felt_as_an_acceleration_of_the_base(rng: np.random.Generator) -> None:
    """A free robot without gravity whose base accelerates with -g needs the joint forces of one that stands in g."""
    free = sd.Robot(random_model(rng, 8, root="free"))
    s = random_state(rng, free)
    q, v, a = s["q"], s["v"], s["a"]
    R, g = free.pose(q, "base")[:3, :3], free.gravity
    felt = free.inverse_dynamics(q, v, a)
    accelerated = a.copy()
    accelerated[3:6] -= R.T @ g
    assert same(free.with_gravity([0, 0, 0]).inverse_dynamics(q, v, accelerated), felt)


@pytest.mark.parametrize("kind", [*ALL_KINDS, "free"])
@pytest.mark.heavy(2)
def test_energy_is_conserved_along_a_free_motion(kind: str, rng: np.random.Generator) -> None:
    kinds, root = (["revolute"], "free") if kind == "free" else ([kind], "fixed")
    robot = sd.Robot(random_model(rng, 3, kinds=kinds, root=root, armature=kind == "revolute"))
    q, v = (random_state(rng, robot)[name] for name in ("q", "v"))

    def drift(step: float, steps: int) -> float:
        states = list(runge_kutta(robot, q, 0.5 * v, np.zeros(robot.nv), step, steps))
        energy = [robot.kinetic_energy(x, y) + robot.potential_energy(x) for x, y in [(q, 0.5 * v), *states]]
        return float(np.ptp(energy))

    coarse, fine = drift(0.004, 20), drift(0.002, 40)
    assert fine <= max(coarse / 8, 1e-11)  # fourth order
    assert fine <= 1e-5


def test_a_free_robot_keeps_its_momentum(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, root="free", kinds=["revolute", "spherical", "prismatic"], gravity=(0, 0, 0)))
    s = random_state(rng, robot)
    tau = np.concatenate([np.zeros(6), s["tau"][6:]])
    before = robot.momentum(s["q"], s["v"])
    for q, v in runge_kutta(robot, s["q"], s["v"], tau, 0.001, 30):
        assert same(robot.momentum(q, v), before, tolerance=1e-8)


# Known answers


def test_simple_pendulum(rng: np.random.Generator) -> None:
    m, l = 1.7, 0.6
    builder = sd.Builder("pendulum")
    builder.link("bob", sd.Body(m, com=(0, 0, -l)), axis=(0, 1, 0))
    robot = sd.build(builder)
    q, v, tau = rng.uniform(-3, 3, (3, 50, 1))
    assert same(robot.mass_matrix(q)[..., 0], np.full((50, 1), m * l**2))
    assert same(robot.forward_dynamics(q, v, tau), -G / l * np.sin(q) + tau / (m * l**2))
    assert same(robot.potential_energy(q), -m * G * l * np.cos(q[:, 0]))


def test_double_pendulum(rng: np.random.Generator) -> None:
    """Point masses, second angle relative to the first (e.g. Goldstein, with relative angles)."""
    m1, m2, l1, l2 = 1.3, 0.8, 0.9, 0.5
    builder = sd.Builder("double pendulum")
    builder.link("upper", sd.Body(m1, com=(l1, 0, 0)), axis=(0, 0, 1))
    builder.link("lower", sd.Body(m2, com=(l2, 0, 0)), parent="upper", origin=(l1, 0, 0), axis=(0, 0, 1))
    robot = sd.build(builder).with_gravity((0, -G, 0))
    q, v = rng.uniform(-3, 3, (2, 50, 2))
    q1, q2, v1, v2 = q[:, 0], q[:, 1], v[:, 0], v[:, 1]
    c2, s2 = np.cos(q2), np.sin(q2)
    M = robot.mass_matrix(q)
    assert same(M[:, 0, 0], (m1 + m2) * l1**2 + m2 * l2**2 + 2 * m2 * l1 * l2 * c2)
    assert same(M[:, 0, 1], m2 * l2**2 + m2 * l1 * l2 * c2)
    assert same(M[:, 1, 1], np.full(50, m2 * l2**2))
    h = m2 * l1 * l2 * s2
    lower = m2 * G * l2 * np.cos(q1 + q2)
    bias = np.stack([-h * (2 * v1 * v2 + v2**2) + (m1 + m2) * G * l1 * np.cos(q1) + lower, h * v1**2 + lower], axis=-1)
    assert same(robot.bias_force(q, v), bias)


def test_spherical_pendulum(rng: np.random.Generator) -> None:
    """Azimuth about z, then the angle from the vertical: a universal joint with a massless link between its axes."""
    m, l = 2.1, 0.7
    builder = sd.Builder("spherical pendulum")
    body = sd.Body(m, com=(0, 0, -l))
    builder.link("bob", body, joint="universal", axis=(0, 0, 1), axis2=(0, 1, 0))
    robot = sd.build(builder)
    q = np.stack([rng.uniform(-3, 3, 50), rng.uniform(0.3, 2.8, 50)], axis=-1)
    v = rng.uniform(-2, 2, (50, 2))
    polar, azimuth_rate, polar_rate = q[:, 1], v[:, 0], v[:, 1]
    sin, cos = np.sin(polar), np.cos(polar)
    expected = np.stack(
        [-2 * azimuth_rate * polar_rate * cos / sin, azimuth_rate**2 * sin * cos - G / l * sin], axis=-1
    )
    assert same(robot.forward_dynamics(q, v, np.zeros(2)), expected)
    assert robot.link_names == ("bob",)


def test_a_ball_joint_pendulum_swings_like_the_spherical_one(rng: np.random.Generator) -> None:
    """The acceleration of the bob does not depend on how the joint is described."""
    m, l = 2.1, 0.7
    bobs = []
    for kind in ("spherical", "universal"):
        builder = sd.Builder(kind)
        inertia = np.zeros((3, 3)) if kind == "universal" else 1e-3 * np.diag([0, 0, 1])
        builder.link("bob", sd.Body(m, com=(0, 0, -l), inertia=inertia), joint=kind, axis=(0, 0, 1), axis2=(0, 1, 0))
        builder.frame("mass", "bob", (0, 0, -l))
        bobs.append(sd.build(builder))
    ball, cross = bobs
    angle = 0.8
    q = {"universal": [0.0, angle], "spherical": [np.cos(angle / 2), 0, np.sin(angle / 2), 0]}
    still = {name: np.zeros(robot.nv) for name, robot in (("universal", cross), ("spherical", ball))}
    falls = []
    for robot in bobs:
        a = robot.forward_dynamics(q[robot.name], still[robot.name], still[robot.name])
        falls.append(robot.frame_acceleration(q[robot.name], still[robot.name], a, "mass")[3:])
    assert same(*falls)


def test_a_free_body_obeys_euler_and_newton(rng: np.random.Generator) -> None:
    builder = sd.Builder("stone")
    J = np.diag([0.2, 0.5, 0.6])
    builder.link("stone", sd.Body(3.0, inertia=J), joint="free")
    robot = sd.build(builder)
    q = robot.random_configuration(rng)
    v, tau = rng.standard_normal((2, 6))
    R = robot.pose(q, "stone")[:3, :3]
    omega_dot = np.linalg.solve(J, tau[:3] - np.cross(v[:3], J @ v[:3]))
    v_dot = tau[3:] / 3.0 - np.cross(v[:3], v[3:]) + R.T @ robot.gravity
    assert same(robot.forward_dynamics(q, v, tau), np.concatenate([omega_dot, v_dot]))


def test_cart_and_pole(rng: np.random.Generator) -> None:
    """M = [m_c + m_p, m_p l cos; m_p l cos, m_p l²] for a pole that stands up at angle 0."""
    m_c, m_p, l = 2.0, 0.4, 0.8
    builder = sd.Builder("cart and pole")
    builder.link("cart", sd.Body(m_c), joint="prismatic", axis=(1, 0, 0))
    builder.link("pole", sd.Body(m_p, com=(0, 0, l)), parent="cart", axis=(0, 1, 0))
    robot = sd.build(builder)
    (x, angle), (speed, rate) = rng.uniform(-2, 2, (2, 2))
    M = [[m_c + m_p, m_p * l * np.cos(angle)], [m_p * l * np.cos(angle), m_p * l**2]]
    bias = [-m_p * l * np.sin(angle) * rate**2, -m_p * G * l * np.sin(angle)]
    assert same(robot.mass_matrix([x, angle]), M)
    assert same(robot.bias_force([x, angle], [speed, rate]), bias)


def test_a_screw_driven_by_gravity(rng: np.random.Generator) -> None:
    """A nut on a vertical screw: (J + m p²) θ̈ = - m g p."""
    m, J, p = 1.5, 0.02, 0.05
    builder = sd.Builder("screw")
    builder.link("nut", sd.Body(m, inertia=np.eye(3) * J), joint="helical", axis=(0, 0, 1), pitch=p)
    robot = sd.build(builder)
    assert same(robot.forward_dynamics([0.3], [2.0], [0.0]), [-m * G * p / (J + m * p**2)])
    assert same(robot.pose([0.3], "nut")[2, 3], 0.3 * p)
