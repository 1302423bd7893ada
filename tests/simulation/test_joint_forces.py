"""Springs, dampers, friction and backlash in joints: energy, dissipation, closed forms, every joint kind, errors."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from small_robots import slider
from soadyn.simulation import Trajectory


def every_kind(gravity=(0, 0, -9.81)):
    """One robot with a joint of each kind."""
    b = sd.Builder("every kind", gravity=gravity)
    body = sd.Body(1.0, com=(0.1, 0.2, -0.1), inertia=np.diag([0.02, 0.03, 0.04]))
    parent = None
    for kind in ("free", "revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical"):
        figures = {"pitch": 0.1} if kind == "helical" else {}
        axis = (0, 1, 0) if kind != "universal" else (1, 0, 0)
        parent = b.link(f"{kind}_link", body, parent, kind, axis=axis, origin=(0.2, 0.1, 0), joint_name=kind, **figures)
    return sd.build(b)


def laws_everywhere(robot, rng):
    """Every law in every joint, figures by component, resting away from the neutral position."""
    laws = []
    away = robot.integrate(robot.neutral(), 0.3 * rng.standard_normal(robot.nv))
    for name in robot.joint_names:
        n = len(robot.joint_dofs(name))
        rest = tuple(away[list(robot.joint_coordinates(name))])
        laws += [
            sd.Spring(name, tuple(rng.uniform(1, 5, n)), rest),
            sd.Backlash(name, tuple(rng.uniform(0.05, 0.2, n)), 40.0, tuple(rng.uniform(0, 20, n)), rest),
            sd.Friction(name, tuple(rng.uniform(0, 1, n)), 0.1, tuple(rng.uniform(0, 2, n)), smoothing_speed=0.05),
            sd.Damper((name, n - 1), 0.3),
        ]
    return laws


# Energy


@pytest.mark.parametrize("name", ["every kind", "tree"])
def test_elastic_forces_are_minus_the_gradient_of_their_energy(name, rng):
    robot = every_kind() if name == "every kind" else sd.Robot(random_model(rng, 8))
    forces = sd.JointForces(robot, laws_everywhere(robot, rng))
    q = robot.random_configuration(rng, size=3)
    h = 1e-6
    for i in range(robot.nv):
        along = h * np.eye(robot.nv)[i]
        slope = (forces.energy(robot.integrate(q, along)) - forces.energy(robot.integrate(q, -along))) / (2 * h)
        np.testing.assert_allclose(forces.conservative(q)[:, i], -slope, rtol=1e-5, atol=1e-6)


def test_what_dissipates_never_puts_energy_in(rng):
    robot = every_kind()
    forces = sd.JointForces(robot, laws_everywhere(robot, rng))
    q, v = robot.random_configuration(rng, size=200), 3 * rng.standard_normal((200, robot.nv))
    power = v * forces.dissipative(q, v)
    assert (power.sum(axis=-1) < 0).all()
    np.testing.assert_allclose(forces(0.0, q, v), forces.conservative(q) + forces.dissipative(q, v), rtol=1e-14)


def test_a_stop_never_pulls(rng):
    forces = sd.JointForces(slider(), [sd.Backlash("slide", 0.1, 100.0, damping=50.0)])
    q, v = rng.uniform(-0.2, 0.2, (500, 1)), 5 * rng.standard_normal((500, 1))
    tau = forces(0.0, q, v)
    assert (tau * np.sign(q) <= 0).all()
    assert (tau[np.abs(q) <= 0.05] == 0).all()
    assert ((tau == 0) & (np.abs(q) > 0.06)).any()  # a fast retreat, where damping alone would pull


def test_energy_balances_with_every_law_in_every_joint(rng):
    robot = every_kind()
    laws = laws_everywhere(robot, rng)
    q0, v0 = robot.integrate(robot.neutral(), 0.2 * rng.standard_normal(robot.nv)), 0.3 * rng.standard_normal(robot.nv)
    drifts = []
    for step in (0.002, 0.0005):
        run = sd.simulate(robot, q0, v0, duration=0.2, step=step, record_every=0.02, joint_forces=laws)
        drifts.append(np.abs(run.energy_drift).max())
    assert drifts[1] < 1e-5 * run.kinetic.max()
    assert drifts[1] < drifts[0] / 8  # a stop's force has a kink, which costs some of the fourth order
    assert run.work[-1] < -0.01
    stored = run.potential - sd.simulate(robot, q0, v0, duration=0.01, joint_forces=False).potential[0]
    assert stored[0] == pytest.approx(sd.JointForces(robot, laws).energy(q0), rel=1e-9)


def test_laws_as_a_torque_give_the_same_motion_and_count_as_work(rng):
    robot = sd.load("planar_two_link")
    laws = [sd.Spring("joint2", 20.0, rest=0.3), sd.Friction("joint1", 0.5, 0.2, smoothing_speed=0.05)]
    as_laws = sd.simulate(robot, [0.4, 0.2], duration=0.3, step=0.01, joint_forces=laws)
    as_torque = sd.simulate(robot, [0.4, 0.2], control=sd.JointForces(robot, laws), duration=0.3, step=0.01)
    np.testing.assert_allclose(as_laws.q, as_torque.q, atol=1e-12)
    for run in (as_laws, as_torque):
        assert np.abs(run.energy_drift).max() < 1e-5
    assert np.abs(as_laws.potential - as_torque.potential).max() > 0.05


# Closed forms


def test_backlash_bounces_as_the_textbook_says():
    # Between two springs without damping: half a swing in a stop, pi / w, then the gap at constant speed.
    m, k, gap, speed = 2.0, 800.0, 0.4, 1.0
    robot = slider()
    period = 2 * (np.pi / np.sqrt(k / m) + gap / speed)
    run = sd.simulate(robot, [0.0], [speed], duration=period, step=1e-3, joint_forces=[sd.Backlash("slide", gap, k)])
    np.testing.assert_allclose(run.q[-1], 0.0, atol=1e-5)
    np.testing.assert_allclose(run.v[-1], speed, atol=1e-5)
    deepest = run.q.max() - gap / 2
    assert deepest == pytest.approx(speed * np.sqrt(m / k), rel=1e-4)
    assert run.relative_energy_drift < 5e-5


def test_the_buffer_of_a_stop_returns_as_hunt_and_crossley_say():
    # m v dv/dd = -(k + c v) d, integrated from d = 0 to d = 0: u - ln(1 + u) is the same before and after, u = c v / k
    k, c, v_in = 800.0, 400.0, 0.7
    law = sd.Backlash("slide", 0.2, k, damping=c)
    run = sd.simulate(slider(), [0.1], [v_in], duration=0.4, step=5e-4, joint_forces=[law])
    assert run.q[-1, 0] < 0.1
    u_in, u_out = c * v_in / k, c * run.v[-1, 0] / k
    assert u_out < 0
    assert u_in - np.log(1 + u_in) == pytest.approx(u_out - np.log(1 + u_out), rel=1e-5)
    assert run.relative_energy_drift < 1e-5


def test_position_limits_can_be_a_play():
    stops = sd.Backlash("slide", gap=1.5, stiffness=1e4, damping=1e4, center=0.25)  # limits -0.5 and 1
    laws = [stops, sd.Damper("slide", 20.0)]
    run = sd.simulate(slider(), [0.9], control=[3.0], duration=6.0, step=2e-3, joint_forces=laws)
    assert run.q.max() < 1.02
    assert run.q[-1, 0] == pytest.approx(1.0 + 3.0 / 1e4, abs=1e-6)


def test_stribeck_friction_falls_from_static_to_coulomb_and_rises_again():
    law = sd.Friction("slide", coulomb=2.0, viscous=0.5, static=3.0, stribeck_speed=0.1, smoothing_speed=1e-4)
    forces = sd.JointForces(slider(), [law])
    v = np.array([[1e-2], [0.1], [1.0], [4.0], [-4.0]])
    expected = [-(2 + np.exp(-(x[0] ** 2) / 0.01)) * np.sign(x[0]) - 0.5 * x[0] for x in v]
    np.testing.assert_allclose(forces(0.0, [0.0], v)[:, 0], expected, rtol=1e-12)


def test_two_laws_in_one_joint_add_up():
    forces = sd.JointForces(
        slider(), [sd.Spring("slide", 3.0), sd.Spring("slide", 4.0, 1.0), sd.Friction("slide", 1.0)] * 2
    )
    np.testing.assert_allclose(forces(0.0, [2.0], [9.0]), [-2 * (6 + 4 + 1)], rtol=1e-12)


def test_the_models_own_forces_act_beside_given_laws_or_alone_or_not_at_all():
    robot = slider(stiffness=8.0, rest=0.1, damping=1.0, friction=2.0)
    given = [sd.Spring("slide", 5.0)]
    q, v = [0.4], [3.0]
    own = sd.JointForces(robot, own=True).smoothed(0.01)
    np.testing.assert_allclose(own(0.0, q, v), [-8 * 0.3 - 3 - 2], rtol=1e-12)
    for joint_forces, expected in ((True, -7.4), (False, 0.0), (given, -9.4), (sd.JointForces(robot, given), -2.0)):
        run = sd.simulate(robot, q, v, duration=1e-6, step=1e-6, joint_forces=joint_forces)
        np.testing.assert_allclose((run.v[-1] - 3.0) / 1e-6, expected / 2.0, atol=1e-3)


def test_laws_in_a_tied_mimic_joint_reach_its_leader():
    from soadyn.model.draft import Mimic

    b = sd.Builder("gripper", gravity=(0, 0, 0))
    b.link("left", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0), joint_name="leader")
    mimic = Mimic("leader", -2.0, 0.1)
    b.link("right", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0), joint_name="follower", mimic=mimic)
    robot = sd.Robot(b.model(mimic="tie"))
    forces = sd.JointForces(robot, [sd.Spring("follower", 3.0), sd.Damper("follower", 0.5)])
    # x = 0.1 - 2 q: T = -2 * -(3 x - 2 * 0.5 v)
    np.testing.assert_allclose(forces(0.0, [0.4], [1.0]), [2 * (3 * (0.1 - 0.8) - 1.0)], rtol=1e-12)
    assert forces.energy([0.4]).item() == pytest.approx(1.5 * 0.7**2)


def test_batches_are_their_rows(rng):
    robot = every_kind()
    forces = sd.JointForces(robot, laws_everywhere(robot, rng))
    q, v = robot.random_configuration(rng, size=(2, 3)), rng.standard_normal((2, 3, robot.nv))
    together = forces(0.0, q, v)
    assert together.shape == (2, 3, robot.nv)
    assert forces.energy(q).shape == (2, 3)
    for i in np.ndindex(2, 3):
        np.testing.assert_allclose(together[i], forces(0.0, q[i], v[i]), rtol=1e-13, atol=1e-13)
    assert forces(0.0, q[0, 0], v).shape == forces(0.0, q, v[0, 0]).shape == (2, 3, robot.nv)


def test_laws_are_values():
    assert sd.Spring("a", [1.0, 2.0]) == sd.Spring("a", (1.0, 2.0))
    assert len({sd.Spring("a", np.ones(2)), sd.Spring("a", (1.0, 1.0))}) == 1
    assert "Spring" in repr(sd.JointForces(slider(), sd.Spring("slide", 1.0)))


# Bad input


def test_figures_that_make_no_sense_are_named():
    for make, words in (
        (lambda: sd.Spring("slide", -1.0), "Spring of 'slide': stiffness must be zero or more, got -1.0"),
        (lambda: sd.Damper("slide", np.nan), "Damper of 'slide': damping must be zero or more, got nan"),
        (lambda: sd.Friction("slide", "much"), "Friction of 'slide': coulomb must be zero or more, got 'much'"),
        (
            lambda: sd.Friction("slide", 1.0, smoothing_speed=0.0),
            "Friction of 'slide': smoothing_speed must be a positive number, got 0.0",
        ),
        (lambda: sd.Backlash("slide", (1, -2), 3.0), r"Backlash of 'slide': gap must be zero or more, got \(1, -2\)"),
        (
            lambda: sd.Friction("slide", 1.0, smoothing_speed=(0.1, 0.2)),
            r"smoothing_speed must be a positive number, got \(0\.1, 0\.2\)",
        ),
        (lambda: sd.Backlash("slide", 1.0, 1.0, center="here"), "center must be finite numbers, got 'here'"),
        (lambda: sd.Spring("slide", 1.0, rest=np.inf), "rest must be finite numbers, got inf"),
        (lambda: sd.Spring(3, 1.0), r"a Spring acts in a joint, given as a name or \(name, component\), got 3"),
    ):
        with pytest.raises(sd.ArgumentError, match=words):
            make()


STRANGE = {
    "complex": np.array([1 + 0j]),
    "complex among objects": np.array([1 + 1j], dtype=object),
    "masked": np.ma.array([1.0], mask=[True]),
    "too large": [10**400],
    "text": ["1.0"],
    "nothing": [None],
}


@pytest.mark.parametrize("x", STRANGE.values(), ids=STRANGE)
def test_what_is_not_real_numbers_is_refused_by_laws_and_forces(x):
    for make in (
        lambda: sd.Spring("slide", x),
        lambda: sd.Spring("slide", 1.0, rest=x),
        lambda: sd.Damper("slide", x),
        lambda: sd.Friction("slide", 1.0, static=x),
        lambda: sd.Backlash("slide", x, 1.0),
        lambda: sd.JointForces(slider()).smoothed(x),
    ):
        with pytest.raises(sd.ArgumentError, match=r"must be (zero or more|finite numbers|a positive number)"):
            make()
    forces = sd.JointForces(slider(), [sd.Spring("slide", 1.0), sd.Friction("slide", 1.0)])
    wrench = np.ma.concatenate([x] * 6) if isinstance(x, np.ma.MaskedArray) else [x[0]] * 6
    for call in (
        lambda: forces(0.0, x, [0.0]),
        lambda: forces(0.0, [0.0], x),
        lambda: forces.energy(x),
        lambda: sd.simulate(slider(), x, duration=0.1, step=0.1),
        lambda: sd.simulate(slider(), [0.0], control=x, duration=0.1, step=0.1),
        lambda: sd.simulate(slider(), [0.0], control=lambda t, q, v: x, duration=0.1, step=0.1),
        lambda: sd.simulate(slider(), [0.0], external={"cart": wrench}, duration=0.1, step=0.1),
        lambda: sd.simulate(slider(), [0.0], external=lambda t, q, v: {"cart": wrench}, duration=0.1, step=0.1),
    ):
        with warnings.catch_warnings(action="error"), pytest.raises(sd.ShapeError):
            call()


def test_fractions_are_figures():
    assert sd.JointForces(slider(), sd.Spring("slide", Fraction(1, 2)))(0.0, [3.0], [0.0]) == -1.5


def test_laws_that_do_not_fit_the_robot_are_named():
    robot = every_kind()
    for law, error, words in (
        (sd.Spring("sferical", 1.0), sd.UnknownNameError, "unknown joint 'sferical'.*Did you mean 'spherical'"),
        (sd.Damper(("planar", 3), 1.0), sd.ArgumentError, "joint 'planar' has components 0 to 2, got 3"),
        (
            sd.Spring("planar", (1.0, 2.0)),
            sd.ShapeError,
            r"stiffness has shape \(2,\); expected one number, or one for",
        ),
        (sd.Spring("spherical", 1.0, rest=0.3), sd.ShapeError, "rest must be 4 finite coordinates, a quaternion w, x"),
        (sd.Backlash("planar", 1.0, 1.0, center=(1, 2)), sd.ShapeError, "center must be 3 finite coordinates, got"),
        (sd.Spring("spherical", 1.0, rest=(0, 0, 0, 0)), sd.ShapeError, "a quaternion"),
    ):
        with pytest.raises(error, match=words):
            sd.JointForces(robot, [law])
    for laws in ("spring", [sd.Spring("planar", 1.0), 3.0], 5):
        with pytest.raises(sd.ArgumentError, match="a list of Spring, Damper, Friction and Backlash, got"):
            sd.JointForces(robot, laws)
    with pytest.raises(sd.ArgumentError, match="JointForces takes a Robot"):
        sd.JointForces("ur5", [])
    with pytest.raises(sd.ArgumentError, match="were made for robot 'every kind', which is not this 'slider'"):
        sd.simulate(slider(), [0.0], duration=5.0, joint_forces=sd.JointForces(robot))
    with pytest.raises(sd.ShapeError, match="argument 'q' has shape"):
        sd.JointForces(robot, [])(0.0, [0.0], np.zeros(robot.nv))


def test_a_trajectory_without_passive_joints_says_nothing_of_them(tmp_path):
    run = sd.simulate(slider(), [0.0], duration=0.01, step=0.01)
    assert run.passive is None
    assert Trajectory.load(run.save(tmp_path / "run.npz")).passive is None


def test_a_number_may_come_as_an_array_without_axes():
    assert sd.Spring("joint1", np.array(5.0), np.array(0.1)) == sd.Spring("joint1", 5.0, 0.1)
