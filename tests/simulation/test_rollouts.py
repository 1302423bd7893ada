"""Simulations by machine code: the motion is that of Python and of others, and its bits depend on nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from small_robots import ball, slider
from soadyn.simulation.run import rollout

KEPT = ("t", "q", "v", "tau", "kinetic", "potential", "work", "momentum", "impulse", "passive")


def both(monkeypatch, robot, q0, v0=None, control=None, duration=5.0, **options):
    """A simulation by machine code, and step by step."""
    given = {"control": control, "duration": duration, **options}
    by_machine = sd.simulate(sd.Robot(robot.model, backend="straight"), q0, v0, **given)
    monkeypatch.setattr(rollout, "suits", lambda problem: False)
    by_python = sd.simulate(robot, q0, v0, **given)
    monkeypatch.undo()
    return by_machine, by_python


def assert_same(a, b, rtol=1e-9):
    assert a.acted == b.acted
    for name in KEPT:
        x, y = getattr(a, name), getattr(b, name)
        assert (x is None) == (y is None), name
        if x is not None:
            np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol * (1 + np.abs(y).max(initial=0.0)), err_msg=name)


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "diagonalized"])
@pytest.mark.heavy(2)
def test_machine_code_moves_a_robot_as_python_does(monkeypatch, method, rng):
    arm = sd.load("planar_two_link")
    q0, v0 = rng.standard_normal((2, 5, 2))
    assert_same(*both(monkeypatch, arm, q0, v0, [1.0, -2.0], 0.2, step=0.004, record_every=0.03, method=method))


def test_a_free_base_with_wrenches_under_gravity(monkeypatch, rng):
    robot = sd.chain(2, root="free").with_gravity([1.0, -2.0, -9.81])
    q0 = robot.random_configuration(rng)
    wrench = {"link_2": [1, 2, 3, 4, 5, 6]}
    runs = both(monkeypatch, robot, q0, None, rng.standard_normal(robot.nv), 0.1, step=0.01, external=wrench)
    assert_same(*runs)
    assert np.abs(runs[0].momentum_drift).max() < 1e-5 * np.abs(runs[0].momentum).max()


def test_torques_known_beforehand(monkeypatch, rng):
    arm = sd.load("planar_two_link")
    times = np.array([0.0, 0.07, 0.2])
    for values, hold in ((rng.standard_normal((3, 2)), False), (rng.standard_normal((3, 4, 2)), True)):
        torque = sd.TimeSeries(times, values, hold=hold)
        runs = both(monkeypatch, arm, [0.1, 0.2], None, torque, 0.2, step=0.01)
        assert_same(*runs)
        assert runs[0].q.shape == (21, *values.shape[1:])


def test_accelerations_passive_sets_and_failures(monkeypatch, rng):
    arm = sd.chain(4)
    schedule = {0.0: ["joint_2"], 0.033: ["joint_2", "joint_3"]}
    runs = both(
        monkeypatch,
        arm,
        rng.standard_normal((3, 4)),
        None,
        0.3 * rng.standard_normal(4),
        0.1,
        step=0.01,
        prescribed=sd.Prescribed(rng.standard_normal(4), passive=schedule),
        failures=[(0.05, "joint_2")],
    )
    assert_same(*runs)


def test_joint_laws_stops_and_friction(monkeypatch, rng):
    arm = sd.load("planar_two_link")
    laws = [
        sd.Spring("joint1", 20.0, rest=0.3),
        sd.Damper("joint2", 0.4),
        sd.Friction("joint1", 1.0, 0.1, static=1.5),
        sd.Friction("joint2", 0.5, smoothing_speed=0.1),
        sd.Backlash("joint2", 0.2, 50.0, damping=3.0),
    ]
    q0, v0 = rng.uniform(-1, 1, (6, 2)), 4 * rng.standard_normal((6, 2))
    runs = both(monkeypatch, arm, q0, v0, [300.0, -1.0], 0.6, step=0.002, record_every=0.05, joint_forces=laws)
    assert_same(*runs, rtol=1e-7)
    assert set(runs[0].acted) == {"effort", "position", "friction"}


# Friction that sticks


def test_a_joint_that_sticks_is_still(monkeypatch):
    # 2 kg on a slope's load of 3 N against 4 N of friction
    for run in both(monkeypatch, slider(friction=4.0), [0.0], None, [3.0], 1.0, step=0.01):
        assert (run.q == 0).all()
        assert (run.v == 0).all()
        assert run.acted == {"friction": ("slide",)}


def test_friction_stops_a_slider_where_the_textbook_says(monkeypatch):
    # 2 kg at 1 m/s against 4 N: half a second and a quarter of a metre
    for run in both(monkeypatch, slider(friction=4.0), [0.0], [1.0], duration=1.0, step=0.004):
        np.testing.assert_allclose(run.q[-1], 0.25, rtol=1e-12)
        assert (run.v[-1] == 0).all()
        np.testing.assert_allclose(run.work[-1], -1.0, rtol=1e-12)


def test_a_load_above_static_friction_starts_a_slider(monkeypatch):
    law = sd.Friction("slide", 2.0, static=5.0, stribeck_speed=1e-6)
    torque = sd.TimeSeries([0.0, 1.0], [[0.0], [10.0]])
    for run in both(monkeypatch, slider(), [0.0], None, torque, 1.0, step=0.001, joint_forces=[law]):
        moving = run.t[run.v[:, 0] > 0]
        assert 0.5 <= moving[0] <= 0.503
        # from there 2 a = 10 t - 2
        np.testing.assert_allclose(run.v[-1, 0], (5 * (1 - 0.25) - 2 * 0.5) / 2, rtol=5e-3)


def test_a_joint_turns_back_through_friction(monkeypatch):
    # 2 a = 6 -/+ 2 against a start at -1 m/s: a = 4 until it stands, then a = 2
    for run in both(monkeypatch, slider(friction=2.0), [0.0], [-1.0], [6.0], 1.0, step=0.001):
        np.testing.assert_allclose(run.v[-1, 0], 2 * 0.75, rtol=2e-3)


def test_friction_keeps_the_momentum_of_a_free_flyer(monkeypatch, rng):
    robot = sd.load("free_flyer")
    laws = [sd.Friction(name, 0.3) for name in robot.joint_names[1:]]
    v0 = 0.3 * rng.standard_normal(robot.nv)
    run = sd.simulate(
        robot, robot.neutral(), v0, duration=0.5, step=0.002, joint_forces=laws, stops=False, effort_limit=None
    )
    assert run.acted["friction"]
    assert np.abs(run.momentum_drift).max() < 1e-9 * np.abs(run.momentum).max()


# Limits


def test_a_stop_is_passed_by_no_more_than_stated(monkeypatch):
    robot = slider(upper=0.2, lower=-1.0)
    step = 0.001
    for run in both(monkeypatch, robot, [0.0], [1.0], duration=0.6, step=step):
        assert 0 < run.q.max() - 0.2 <= 20 * step / np.pi * 1.0
        assert run.acted == {"position": ("slide",)}
        assert -0.5 < run.v[-1, 0] < -0.1
        assert np.abs(run.energy_drift).max() < 2e-3
    assert sd.simulate(robot, [0.0], [1.0], duration=0.6, stops=False, effort_limit=None).q[-1, 0] == pytest.approx(0.6)


def test_own_stops_have_their_figures(monkeypatch):
    robot = slider(upper=0.2)
    for run in both(monkeypatch, robot, [0.2], [1.0], duration=0.3, step=0.001, stops=sd.Stops(800.0, 0.0)):
        assert run.q.max() - 0.2 == pytest.approx(np.sqrt(2.0 / 800.0), rel=1e-3)
        assert run.v[-1, 0] == pytest.approx(-1.0, rel=1e-4)


def test_effort_limits_bound_the_torque(monkeypatch):
    robot = slider(effort=3.0)
    for run in both(monkeypatch, robot, [0.0], None, [100.0], 0.5, step=0.01):
        np.testing.assert_allclose(run.tau, 3.0)
        np.testing.assert_allclose(run.v[-1], 0.75)
        assert run.acted == {"effort": ("slide",)}


# Bits, batches, errors


def test_bits_do_not_depend_on_batch_or_threads(rng):
    arm = sd.Robot(sd.load("planar_two_link").model, backend="straight")
    q0 = rng.standard_normal((37, 2))
    options = {"duration": 0.1, "step": 0.002, "joint_forces": [sd.Friction("joint1", 0.5)]}
    together = sd.simulate(arm, q0, **options)
    for i in (0, 17, 36):
        alone = sd.simulate(arm, q0[i], **options)
        assert (alone.q == together.q[:, i]).all()
        assert (alone.v == together.v[:, i]).all()


def test_records_and_steps_meet_the_times(monkeypatch):
    arm = sd.load("planar_two_link")
    runs = both(monkeypatch, arm, [0.1, 0.2], duration=0.1, step=0.007, record_every=0.03)
    np.testing.assert_array_equal(runs[0].t, [0.0, 0.03, 0.06, 0.09, 0.1])
    assert_same(*runs)


def test_a_motion_that_runs_away_is_named_by_machine_code_too():
    arm = sd.Robot(sd.load("planar_two_link").model, backend="straight")
    with pytest.raises(sd.SimulationError, match=r"at t = .*joint") as caught:
        sd.simulate(
            arm,
            [[0.0, 0.0], [0.1, 0.1]],
            [[0, 0], [1e155, 1e155]],
            duration=0.5,
            step=0.01,
            stops=False,
            effort_limit=None,
        )
    assert caught.value.trajectory is not None


def test_an_interrupt_keeps_what_machine_code_has_done():
    def impatient(t, end):
        if t > 0.05:
            raise KeyboardInterrupt

    arm = sd.Robot(sd.load("planar_two_link").model, backend="straight")
    swing = sd.Prescribed([1.0, 0.0], passive={0: [], 0.06: []})
    run = sd.simulate(arm, [0.1, 0.2], duration=0.1, step=0.01, prescribed=swing, progress=impatient)
    assert run.interrupted
    assert run.t[-1] == pytest.approx(0.06)


def test_springs_of_turning_joints_go_step_by_step(rng):
    robot = sd.Robot(ball("spherical", stiffness=(1.0, 2.0, 3.0)).model, backend="straight")
    start = robot.integrate(robot.neutral(), 0.5 * rng.standard_normal(3))
    assert sd.simulate(robot, start, duration=0.1, step=0.01).relative_energy_drift < 1e-5


# Others' truth

ARM = """<mujoco><compiler angle="radian"/>
<option timestep="0.002" integrator="{integrator}"><flag eulerdamp="disable"/></option>
<worldbody><body name="base"><joint name="turn" axis="0 0 1" damping="0.3"/>
<inertial pos="0.1 0 0.05" mass="2" diaginertia="0.03 0.02 0.04"/>
<body name="upper" pos="0 0 0.3"><joint name="lift" axis="0 1 0" stiffness="5" armature="0.1"/>
<inertial pos="0 0 0.2" mass="1.5" diaginertia="0.02 0.02 0.005"/>
<body name="tip" pos="0 0 0.4"><joint name="slide" type="slide" axis="0.6 0 0.8"/>
<inertial pos="0.05 0.02 0" mass="0.7" diaginertia="0.004 0.005 0.006"/></body></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("method", "integrator"), [("rk4", "RK4"), ("semi-implicit", "Euler")])
@pytest.mark.heavy(2)
def test_trajectories_are_those_of_mujoco(tmp_path, method, integrator, rng):
    mujoco = pytest.importorskip("mujoco")
    text = ARM.format(integrator=integrator)
    (tmp_path / "arm.xml").write_text(text)
    arm = sd.load(tmp_path / "arm.xml")
    q0, v0, tau = rng.standard_normal((3, 3))
    run = sd.simulate(arm, q0, v0, control=tau, duration=1.0, step=0.002, method=method)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q0, v0, tau
    for q, v in zip(run.q, run.v, strict=True):
        np.testing.assert_allclose(q, data.qpos, atol=1e-10)
        np.testing.assert_allclose(v, data.qvel, atol=1e-9)
        mujoco.mj_step(model, data)


# Feedbacks and parametric robots


def test_feedbacks_run_inside_the_step(monkeypatch, rng):
    arm = sd.load("planar_two_link")
    t = np.linspace(0.0, 0.3, 31)
    path = [sd.TimeSeries(t, rng.standard_normal((31, 2)).cumsum(axis=0) * 0.01) for _ in range(3)]
    damping = sd.operator("c", [2.0, 1.0])
    formula = sd.compile(-damping @ sd.algebra.theta_dot + sd.vector("u", "joint force"), arm)
    for feedback in (
        sd.control.ComputedTorque(arm, *path),
        sd.control.JointFeedback(arm, [0.3, 0.1], stiffness=[100.0, 50.0], damping=10.0),
        sd.control.FormulaFeedback(formula, u=path[0]),
    ):
        for sampled in (False, True):
            q0 = rng.standard_normal((3, 2))
            assert_same(*both(monkeypatch, arm, q0, None, feedback, 0.3, step=0.01, sampled=sampled))


def test_formula_feedbacks_with_other_numbers_or_frames_are_other_code(monkeypatch, rng):
    """The numbers of an operator and the places of frames are folded into the step."""
    arm = sd.load("planar_two_link")
    B, H, f_tip, phi, theta_dot = (getattr(sd.algebra, name) for name in ("B", "H", "f_tip", "phi", "theta_dot"))
    q0, pull = rng.standard_normal(2), rng.standard_normal(6)
    for damping, along in (([2.0, 1.0], 0.0), ([20.0, 10.0], 0.0), ([20.0, 10.0], 0.5)):
        frame = ("tool", np.block([[np.eye(3), np.array([[along], [0.0], [0.0]])], [np.zeros(3), 1.0]]))
        law = H @ phi @ B @ f_tip - sd.operator("c", damping) @ theta_dot
        feedback = sd.control.FormulaFeedback(sd.compile(law, arm, frames=[frame]), f_tip=pull)
        assert np.allclose(feedback(0.0, q0, q0), arm.jacobian(q0, frame).T @ pull - np.multiply(damping, q0))
        assert_same(*both(monkeypatch, arm, q0, q0, feedback, 0.3, step=0.01))


def test_computed_torque_follows_a_path_exactly():
    arm = sd.load("ur5")
    t = np.linspace(0.0, 1.0, 2001)
    s = t[:, None] * np.linspace(0.5, 1.5, 6)
    path = np.sin(s), np.cos(s) * np.linspace(0.5, 1.5, 6), -np.sin(s) * np.linspace(0.5, 1.5, 6) ** 2
    follow = sd.control.ComputedTorque(arm, *(sd.TimeSeries(t, x) for x in path))
    run = sd.simulate(
        arm,
        path[0][0],
        path[1][0],
        control=follow,
        duration=1.0,
        step=0.001,
        record_every=0.1,
        stops=False,
        effort_limit=None,
    )
    assert np.abs(run.q - path[0][::200]).max() < 1e-8


def test_a_feedback_knows_its_own_robot_not_the_rows(monkeypatch, rng):
    """Machine code and the simulation step by step agree where the controller's model is wrong."""
    arm = sd.load("planar_two_link")
    follow = sd.control.ComputedTorque(arm, [0.4, -0.2])
    q0, masses = rng.standard_normal((4, 2)), rng.uniform(0.5, 2.0, 4)
    options = {"parameters": {"link2.mass": masses}, "step": 0.01, "duration": 0.3, "control": follow}
    by_machine = sd.simulate(arm.specialize().parametric("link2.mass"), q0, **options)
    with monkeypatch.context() as patched:
        patched.setattr(rollout, "suits", lambda problem: False)
        assert_same(by_machine, sd.simulate(arm.parametric("link2.mass"), q0, **options))
    heavier = arm.with_payload("link2", mass=0.7)
    assert_same(*both(monkeypatch, heavier, q0, None, follow, 0.3, step=0.01))
    right = sd.control.ComputedTorque(heavier, [0.4, -0.2])
    wrong, exact = (
        sd.simulate(heavier.specialize(), q0, None, control=law, duration=0.3, step=0.01).q for law in (follow, right)
    )
    assert np.abs(wrong - exact).max() > 1e-3


def test_rows_with_their_own_masses_damping_and_friction(monkeypatch, rng):
    arm = sd.load("planar_two_link").parametric(
        "link2.mass", "joint1.damping", "joint2.friction", "gravity", "joint1.position"
    )
    rows = 5
    values = {
        "link2.mass": rng.uniform(0.5, 2.0, rows),
        "joint1.damping": rng.uniform(0.0, 1.0, (rows, 1)),
        "joint2.friction": rng.uniform(0.0, 1.0, (rows, 1)),
        "gravity": np.array([0.0, 0.0, -9.81]),
        "joint1.position": rng.uniform(-0.1, 0.1, (rows, 3)),
    }
    options = {"duration": 0.5, "step": 0.002, "record_every": 0.05}
    start = [0.3, -0.2], [1.0, 2.0]
    monkeypatch.setattr(rollout, "FEWEST_STEPS", 1)
    monkeypatch.setattr(rollout, "STEPS_PER_OPERATION", 0.0)
    together = sd.simulate(arm, *start, parameters=values, **options)
    monkeypatch.setattr(rollout, "suits", lambda problem: False)
    assert_same(together, sd.simulate(arm, *start, parameters=values, **options))
    for row in range(rows):
        model = sd.load("planar_two_link").model
        body, hinge, second = model.links[1], model.joints[0], model.joints[1]
        links = (model.links[0], replace(body, mass=float(values["link2.mass"][row])))
        joints = (
            replace(
                hinge,
                damping=tuple(values["joint1.damping"][row]),
                placement=replace(hinge.placement, position=tuple(values["joint1.position"][row])),
            ),
            replace(second, friction=tuple(values["joint2.friction"][row])),
        )
        alone = sd.simulate(sd.Robot(replace(model, links=links, joints=joints)), *start, **options)
        np.testing.assert_allclose(alone.q, together.q[:, row], atol=1e-9)
        np.testing.assert_allclose(alone.kinetic, together.kinetic[:, row], atol=1e-8)


@pytest.mark.parametrize(
    ("batch", "steps", "bad_rows", "expected"),
    [
        ((), 10, "raise", False),
        ((), 200, "raise", True),
        ((4,), 10, "raise", False),
        ((5, 4), 10, "raise", True),
        ((4096,), 1, "raise", True),
        ((0,), 10, "raise", False),
        ((), 10, "nan", True),
        ((5, 4), 10, "nan", True),
    ],
)
def test_steps_of_all_rows_count_and_rows_told_apart_are_machine_code(monkeypatch, batch, steps, bad_rows, expected):
    ran = []
    by_machine = rollout.run
    monkeypatch.setattr(rollout, "run", lambda *given: ran.append(1) or by_machine(*given))
    arm, q0 = sd.load("planar_two_link"), np.full((*batch, 2), 0.3)
    run = sd.simulate(arm, q0, duration=0.001 * steps, step=0.001, bad_rows=bad_rows)
    assert bool(ran) == expected
    if run.q.size:
        alone = sd.simulate(arm, [0.3, 0.3], duration=0.001 * steps, step=0.001)
        np.testing.assert_allclose(run.q[-1], np.broadcast_to(alone.q[-1], q0.shape), rtol=1e-12)


def test_parameters_are_all_asked_for():
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match=r"robot 'planar_two_link' are none: take robot\.parametric"):
        sd.simulate(arm, [0.0, 0.0], duration=5.0, parameters={"link2.mass": 1.0})
    with pytest.raises(sd.ArgumentError, match=r"robot 'planar_two_link' are 'link2\.mass'; got none"):
        sd.simulate(arm.parametric("link2.mass"), [0.0, 0.0], duration=5.0)
    with pytest.raises(sd.ArgumentError, match=r"'joint1\.damping' must be zero or more, got -1\.0"):
        sd.simulate(arm.parametric("joint1.damping"), [0.0, 0.0], duration=5.0, parameters={"joint1.damping": [-1.0]})


# Python functions


@pytest.mark.parametrize("method", ["rk4", "semi-implicit"])
@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.heavy(2)
def test_machine_code_between_the_calls_of_a_function(monkeypatch, method, sampled, rng):
    asked = []

    def spring(t, q, v):
        asked.append(t)
        return -5.0 * q - 0.5 * v + np.sin(t)

    arm = sd.load("planar_two_link")
    options = {
        "method": method,
        "sampled": sampled,
        "step": 0.01,
        "record_every": 0.025,
        "failures": [(0.06, "joint2")],
    }
    for q0 in (rng.standard_normal(2), rng.standard_normal((2, 3, 2))):
        asked.clear()
        runs = both(monkeypatch, arm, q0, None, spring, 0.1, **options)
        assert_same(*runs)
        half = len(asked) // 2
        np.testing.assert_allclose(asked[:half], asked[half:], atol=1e-15)


def test_a_function_that_fails_is_named_between_kernels_too():
    arm = sd.Robot(sd.load("planar_two_link").model, backend="straight")

    def broken(t, q, v):
        return np.array([0.0, np.nan if t > 0.045 else 0.0])

    with pytest.raises(sd.SimulationError, match=r"at t = 0\.05 s the torque of joint 'joint2' is nan") as caught:
        sd.simulate(arm, [0.0, 0.0], control=broken, duration=1.0, step=0.01)
    np.testing.assert_allclose(caught.value.trajectory.t, [0, 0.01, 0.02, 0.03, 0.04], atol=1e-12)
    with pytest.raises(sd.ArgumentError, match=r"gave None at t = 0 s; is a `return` missing\?"):
        sd.simulate(arm, [0.0, 0.0], duration=5.0, control=lambda t, q, v: None)
    with pytest.raises(sd.ShapeError, match=r"'controller\(t, q, v\)' has shape \(3,\)"):
        sd.simulate(arm, [0.0, 0.0], duration=5.0, control=controller)


def controller(t, q, v):
    return np.zeros(3)


def test_wrenches_known_beforehand(monkeypatch, rng):
    arm = sd.load("planar_two_link")
    push = sd.TimeSeries([0.0, 0.05, 0.1], rng.standard_normal((3, 2, 6)))
    for method in ("rk4", "semi-implicit"):
        assert_same(
            *both(
                monkeypatch, arm, rng.standard_normal((4, 2)), None, None, 0.1, step=0.01, external=push, method=method
            )
        )
    runs = both(monkeypatch, arm, [0.1, 0.2], None, lambda t, q, v: -v, 0.1, step=0.01, external=push, sampled=True)
    assert_same(*runs)


def test_limits_are_switched_one_by_one():
    robot = slider(effort=3.0, upper=0.1)
    run = sd.simulate(robot, [0.0], None, control=[100.0], duration=0.5, step=0.001, stops=False)
    assert (run.acted, run.tau.max()) == ({"effort": ("slide",)}, 3.0)
    run = sd.simulate(robot, [0.0], None, control=[10.0], duration=0.5, step=0.001, effort_limit=None)
    assert (run.acted, run.tau.max()) == ({"position": ("slide",)}, 10.0)
    with pytest.raises(sd.ArgumentError, match=r"stops are True, False or .* got 'all'"):
        sd.simulate(robot, [0.0], duration=5.0, stops="all")


def test_bits_do_not_depend_on_threads(monkeypatch, rng):
    from soadyn.engine import policy

    arm = sd.Robot(sd.load("planar_two_link").model, backend="straight")
    q0 = rng.standard_normal((53, 2))
    runs = []
    for work in (1, 10**12):  # for a thread: many, one
        monkeypatch.setattr(policy, "WORK_PER_THREAD", work)
        runs.append(sd.simulate(arm, q0, duration=0.1, step=0.002))
    assert (runs[0].q == runs[1].q).all()
    assert (runs[0].work == runs[1].work).all()
