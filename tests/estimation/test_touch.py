"""Touch: a particle on a weightless robot, contacts on all links of a Panda, no alarms without a touch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from agreement import close
from random_robots import random_model
from soadyn.estimation import locate_contact, residual, sample_surface
from soadyn.model.model import Link
from touching import FORCE, LINKS, NOISE, POINTS, contacts_on_all_links


def placed(xyz):
    frame = np.eye(4)
    frame[:3, 3] = xyz
    return frame


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_a_prior_is_a_particle_noise_is_armature_and_force_is_mass_times_acceleration(root, rng):
    robot = sd.Robot(random_model(rng, 6, root=root), "numpy")
    s, sigma = 7.0, rng.uniform(0.1, 0.3, robot.nv)
    name, x = robot.link_names[-1], rng.standard_normal(3) * 0.2
    model = robot.model
    joints = [
        replace(joint, armature=tuple(sigma[dofs] ** 2))
        for joint, dofs in zip(model.joints, model.v_slices, strict=True)
    ]
    links = [Link(link.name, hidden=link.hidden) for link in model.links]
    weightless = sd.Robot(replace(model, links=tuple(links), joints=tuple(joints), gravity=(0.0, 0.0, 0.0)), "numpy")
    carrying = weightless.with_payload(name, s**2, x)
    q, r = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    found = locate_contact(robot, q, r, [(name, x)], s, sigma)
    a = carrying.forward_dynamics(q, np.zeros(robot.nv), r)
    acceleration = carrying.frame_acceleration(q, np.zeros(robot.nv), a, (name, placed(x)))[3:]
    assert close(found.forces[0], s**2 * acceleration, tolerance=1e-9)
    Lambda_inverse = carrying.operational_inertia_inverse(q, (name, placed(x)))[3:, 3:]
    assert close(found.covariances[0], s**2 * (np.eye(3) - s**2 * Lambda_inverse), tolerance=1e-9)
    likelihood = sd.estimation.RandomField(carrying, q).log_likelihood(r)
    assert np.isclose(found.log_likelihood[0], likelihood, rtol=1e-9)
    assert np.isclose(found.log_likelihood[1], sd.estimation.RandomField(weightless, q).log_likelihood(r), rtol=1e-9)


def test_frames_and_batches_make_no_difference(rng):
    arm = sd.load("panda").with_backend("numpy")
    q, r = arm.random_configuration(rng, 4), rng.standard_normal((4, 7))
    points = [("panda_hand", [0.01, 0.02, 0.03]), ("panda_link3", [0.1, 0.0, 0.0])]
    on_link = arm.model.frame("panda_hand").placement.matrix() @ [0.01, 0.02, 0.03, 1.0]
    all_at_once = locate_contact(arm, q, r, points, 20.0, 0.1)
    for i in range(4):
        alone = locate_contact(arm, q[i], r[i], [("panda_link7", on_link[:3]), points[1]], 20.0, 0.1)
        assert close(all_at_once.log_likelihood[i], alone.log_likelihood, tolerance=1e-10)
        assert close(all_at_once.forces[i], alone.forces, tolerance=1e-10)
    one_place = locate_contact(arm, q[0], r, points, 20.0, 0.1)
    assert close(one_place.log_likelihood[0], all_at_once.log_likelihood[0], tolerance=1e-10)
    assert close(one_place.covariances[2], all_at_once.covariances[0], tolerance=1e-10)


def test_contacts_on_all_links_are_found_with_their_forces_and_errors(rng):
    seen = contacts_on_all_links(rng, 4000)
    found = locate_contact(seen.arm, seen.q, seen.residual, POINTS, FORCE / np.sqrt(3), NOISE)
    rows = np.arange(len(seen.link))
    assert (found.link == LINKS[seen.link]).mean() >= 0.95
    errors = found.forces[rows, seen.link] - seen.force
    far = seen.link >= 3
    for k in range(3, 7):
        assert np.median(np.linalg.norm(errors[seen.link == k], axis=-1)) <= 1.2
    C = found.covariances[rows, seen.link]
    squares = (errors * np.linalg.solve(C, errors[..., None])[..., 0]).sum(-1)
    assert 0.93 <= (squares < 7.815).mean() <= 0.97  # chi² with three degrees of freedom, 95 %
    assert 0.93 <= (squares[far] < 7.815).mean() <= 0.97


def test_alarms_without_a_touch_are_rarer_than_the_threshold_says(rng):
    arm = sd.load("panda")
    q = arm.random_configuration(rng, 20_000)
    noise = NOISE * rng.standard_normal((20_000, 7))
    found = locate_contact(arm, q, noise, POINTS, FORCE / np.sqrt(3), NOISE)
    assert found.touched.mean() < 0.01
    assert found.with_threshold(np.log(2)).touched.mean() < 0.5
    assert found.link[~found.touched].tolist() == [None] * int((~found.touched).sum())
    assert np.isnan(found.force[~found.touched]).all()


def test_normals_tell_which_side_is_pushed(rng):
    arm = sd.load("panda")
    q = np.array([0.3, -0.5, 0.2, -2.0, 0.4, 1.5, 0.1])
    points, normals = sample_surface(arm, 0.04)
    mine = [i for i, (frame, _) in enumerate(points) if frame == "panda_link5"]
    i = next(i for i in mine if normals[i][1] > 0.95)
    R = arm.pose(q, "panda_link5")[:3, :3]
    F = -20.0 * R @ normals[i]
    r = arm.jacobian(q, ("panda_link5", placed(points[i][1])))[3:].T @ F + NOISE * rng.standard_normal(7)
    found = locate_contact(arm, q, r, points, 20.0, NOISE, normals=normals)
    assert found.link == "panda_link5"
    assert normals[found.best] @ normals[i] > 0.7
    assert np.linalg.norm(found.force - F) < 3.0


def test_what_is_seen_for_longer_is_known_better(rng):
    arm = sd.load("panda")
    q = np.array([0.3, -0.5, 0.2, -2.0, 0.4, 1.5, 0.1]) + 0.3 * np.sin(np.linspace(0, 3, 60))[:, None]
    noisy = 1.0
    J = arm.jacobian(q, (LINKS[4], placed(POINTS[4][1])))[:, 3:]
    r = J.mT @ np.array([15.0, -10.0, 12.0]) + noisy * rng.standard_normal((60, 7))
    found = locate_contact(arm, q, r, POINTS, 20.0, noisy)
    longer = found.over_time(0.99)
    assert (longer.link[20:] == LINKS[4]).mean() > max(0.95, (found.link[20:] == LINKS[4]).mean())


def test_the_residual_is_the_external_torque(rng):
    arm = sd.load("panda")
    q, v, a = arm.random_configuration(rng), rng.standard_normal(7), rng.standard_normal(7)
    wrench = rng.standard_normal(6)
    friction = sd.JointForces(arm, [sd.Friction(name, coulomb=0.5, viscous=0.2) for name in arm.joint_names])
    tau = arm.inverse_dynamics(q, v, a, external={"panda_link6": wrench}) - friction(0.0, q, v)
    r = residual(arm, q, v, a, tau, friction)
    R = np.kron(np.eye(2), arm.pose(q, "panda_link6")[:3, :3])
    assert close(r, arm.jacobian(q, "panda_link6").T @ (R @ wrench), tolerance=1e-9)


def test_surfaces_have_unit_normals_and_lie_on_the_shapes():
    points, normals = sample_surface(sd.load("panda"), 0.03)
    assert np.allclose(np.linalg.norm(normals, axis=-1), 1.0)
    on_link3 = np.array([x for frame, x in points if frame == "panda_link3"])
    side = np.abs(on_link3[:, 2] + 0.14) < 0.0749
    assert np.allclose(np.hypot(*on_link3[side, :2].T), 0.06)
    assert not any(frame == "panda_link0" for frame, _ in points)


def test_no_residuals_give_no_contacts():
    arm = sd.load("panda")
    found = locate_contact(arm, np.zeros((0, 7)), np.zeros((0, 7)), [("panda_link6", [0.0, 0.0, 0.05])], 20.0, 0.1)
    assert found.force.shape == (0, 3)
