"""The method "auto": which one it stands for, what does not decide, and that light damped wrists run by default."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_symplectic import TIED

import soadyn as sd
from corpus import corpus_urdfs, short_name
from soadyn.simulation.run.automatic import fastest

UR5: Any = sd.load("ur5")
FILES = {short_name(path): path for path in corpus_urdfs() if path.name != "ur3.urdf"}
needs_corpus = pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
# Shoulders, hips, wrists of three axes without mass between them: where the outer two align, nothing is to be turned.
NEARLY_SINGULAR = "human/human"
MASSLESS = ("romeo/romeo", "romeo/romeo_laas_small")


def method(robot: Any = UR5, q: Any = None, **given: Any) -> str:
    step = given.setdefault("step", 0.002)
    return sd.simulate(robot, robot.neutral() if q is None else q, duration=2 * step, **given).method


def test_it_is_rk4_where_rk4_follows_what_acts() -> None:
    assert method() == "rk4"
    given: dict[str, Any] = {
        "duration": 0.4,
        "step": 0.002,
        "record_every": 0.1,
        "joint_forces": [sd.Damper("elbow_joint", 1)],
    }
    usual, rk4 = (sd.simulate(UR5, [0.3] * 6, **given, **more) for more in ({}, {"method": "rk4"}))
    np.testing.assert_array_equal(usual.q, rk4.q)
    assert usual.method == "rk4"


def test_dampers_and_springs_that_are_too_quick_for_the_step_take_it_to_rosenbrock() -> None:
    damped = [sd.Damper("wrist_3_joint", 5.0)]
    assert method(joint_forces=damped) == "rosenbrock"
    assert method(joint_forces=damped, step=2e-5) == "rk4"
    assert method(joint_forces=[sd.Spring("elbow_joint", 1e7)]) == "rosenbrock"
    assert method(joint_forces=damped, method="semi-implicit") == "semi-implicit"
    # Friction is bounded, however steep.
    assert method(joint_forces=[sd.Friction("wrist_3_joint", 5.0, smoothing_speed=1e-3)]) == "rk4"


def test_stops_that_are_too_stiff_take_it_to_implicit() -> None:
    assert method(stops=sd.Stops(stiffness=1e6, damping=1e3)) == "implicit"
    assert method(stops=sd.Stops(stiffness=1e6, damping=1e3), step=2e-7) == "rk4"


def test_the_bound_of_rates_is_met_and_not_passed(rng: np.random.Generator) -> None:
    for _ in range(20):
        root = rng.standard_normal((4, 4))
        inverse = root @ root.T
        K, B = rng.uniform(0, 9, 4), rng.uniform(0, 9, 4) * rng.integers(2)
        A = np.block([[np.zeros((4, 4)), np.eye(4)], [-inverse * K, -inverse * B]])
        rate = np.abs(np.linalg.eigvals(A)).max()
        assert rate <= fastest(inverse, K, B) * (1 + 1e-9) <= 2 * rate + 1e-9


def test_neither_the_start_nor_other_rows_decide(rng: np.random.Generator) -> None:
    starts = UR5.random_configuration(rng, 5)
    damped = [sd.Damper("wrist_3_joint", 5.0)]
    for laws in ([], damped):
        alone = {method(q=q, joint_forces=laws) for q in starts}
        assert alone == {method(q=starts, joint_forces=laws)}


def test_the_damping_of_all_rows_of_parameters_counts() -> None:
    arm = UR5.parametric("wrist_3_joint.damping")
    q = np.zeros((2, 6))
    for B, expected in (([[0.0], [0.1]], "rk4"), ([[0.0], [9.0]], "rosenbrock")):
        run = sd.simulate(arm, q, parameters={"wrist_3_joint.damping": B}, duration=0.01)
        assert run.method == expected


def test_a_study_decides_once() -> None:
    measures = {"end": sd.studies.Measure("q")}
    options: dict[str, Any] = {"q0": [0.1] * 6, "duration": 0.1}
    swing = sd.studies.Simulation(UR5, measures, **options)
    assert swing.options["method"] == "rk4"
    damped = sd.studies.Simulation(UR5, measures, joint_forces=[sd.Damper("wrist_3_joint", 5.0)], **options)
    assert damped.options["method"] == "rosenbrock"


def test_prescribed_accelerations_take_rk4_and_derivatives_go_through_rosenbrock(tmp_path: Path) -> None:
    damped = [sd.Damper("wrist_3_joint", 5.0)]
    passive = ["wrist_3_joint"]
    given: dict[str, Any] = {"joint_forces": damped, "duration": 0.02}
    run = sd.simulate(
        UR5, [0.1] * 6, prescribed=sd.Prescribed([1.0] * 6, passive=passive), method="rosenbrock", **given
    )
    np.testing.assert_allclose(run.v[-1, :5], 0.02, rtol=1e-12)
    run = sd.simulate(UR5, [0.1] * 6, **given)
    dq, _ = run.jvp(q0=np.eye(6)[1])
    near = sd.simulate(UR5, [0.1, 0.1 + 1e-6, *[0.1] * 4], **given)
    np.testing.assert_allclose(dq, (near.q[-1] - run.q[-1]) / 1e-6, atol=1e-5)
    assert sd.Trajectory.load(run.save(tmp_path / "run.npz")).method == "rosenbrock"


def test_tied_joints_take_rk4() -> None:
    hand = sd.load(TIED, mimic="tie")
    laws = [sd.Damper(hand.joint_names[0], 1e-3)]
    assert method(hand, joint_forces=laws, step=1e-6) == "rk4"


@needs_corpus
@pytest.mark.parametrize("name", ["icub/icub_reduced", "tiago_pro/tiago_pro"])
def test_light_damped_wrists_run_by_default(name: str) -> None:
    robot = sd.load(FILES[name])
    q = robot.random_configuration(np.random.default_rng(0))
    run = sd.simulate(robot, q, duration=0.05)
    assert run.method == "rosenbrock"
    assert np.isfinite(run.q).all()
    assert (run.energy <= run.energy[0] + 1e-3 * run.kinetic.max()).all()


@needs_corpus
@pytest.mark.parametrize("name", MASSLESS)
def test_a_massless_finger_is_named_at_once(name: str) -> None:
    robot = sd.load(FILES[name])
    with pytest.raises(sd.SimulationError, match=r"at t = 0 s forward_dynamics: D is singular at link '.*': with all"):
        sd.simulate(robot, robot.neutral(), duration=1.0)


@pytest.mark.slow
@needs_corpus
@pytest.mark.parametrize("name", [name for name in FILES if name not in MASSLESS])
def test_every_robot_of_the_corpus_runs_by_default(name: str) -> None:
    """Nothing drives it: its energy never rises above that of the start by a millionth of the largest kinetic one."""
    robot: Any = sd.load(FILES[name])
    q = robot.random_configuration(np.random.default_rng(7))
    run = sd.simulate(robot, q, duration=1.0, record_every=0.01)
    assert np.isfinite(run.q).all()
    assert np.isfinite(run.v).all()
    assert (run.energy <= run.energy[0] + 1e-6 * run.kinetic.max()).all()
    assert (run.method == "implicit") == (name == NEARLY_SINGULAR)


@pytest.mark.slow
@needs_corpus
@pytest.mark.parametrize("name", ["icub/icub", "icub/icub_reduced"])
def test_a_little_armature_is_enough_where_axes_align_without_mass_between_them(name: str) -> None:
    """Without it five and two of these starts end in an error, and so does the neutral one of the first."""
    model = sd.load(FILES[name]).model
    joints = tuple(replace(joint, armature=tuple(a + 1e-4 for a in joint.armature)) for joint in model.joints)
    robot: Any = sd.Robot(replace(model, joints=joints))
    q = np.stack([robot.neutral(), *robot.random_configuration(np.random.default_rng(100), 16)])
    run = sd.simulate(robot, q, duration=1.0, record_every=0.01)
    assert np.isfinite(run.q).all()
    assert (run.energy <= run.energy[0] + 1e-6 * run.kinetic.max(axis=0)).all()


@pytest.mark.slow
@needs_corpus
@pytest.mark.parametrize(
    ("name", "bound"), [("icub/icub_reduced", 5e-6), ("tiago_pro/tiago_pro", 5e-5), ("z1/z1", 2e-6)]
)
def test_stiff_robots_move_as_an_independent_solver_says(name: str, bound: float) -> None:
    """SciPy's Radau on the equations with dampers alone, for 50 ms from rest.

    Joints move by 0.05, 0.11 and 0.03 rad; the errors are 2.9e-6, 3.3e-5 and 1.2e-6 rad, a quarter of that at half the
    step; those of "implicit" are 1.3e-3, 1.1e-2 and 1.0e-3 rad.
    """
    solve = pytest.importorskip("scipy.integrate").solve_ivp
    robot: Any = sd.load(FILES[name])
    q = robot.random_configuration(np.random.default_rng(7))
    B, n = robot.damping, robot.nv
    laws = [sd.Damper(joint, B[i]) for i, joint in enumerate(robot.joint_names) if B[i]]
    given: dict[str, Any] = {
        "joint_forces": sd.JointForces(robot, laws),
        "stops": False,
        "effort_limit": None,
        "duration": 0.05,
    }

    def f(t: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[n:], robot.forward_dynamics(robot.integrate(q, x[:n]), x[n:], -B * x[n:])])

    true = solve(f, (0.0, 0.05), np.zeros(2 * n), method="Radau", rtol=1e-9, atol=1e-11).y[:, -1]
    errors = []
    for h in (0.002, 0.001):
        run = sd.simulate(robot, q, step=h, **given)
        assert run.method == "rosenbrock"
        errors.append(np.abs(robot.difference(q, run.q[-1]) - true[:n]).max())
    assert errors[0] < bound
    assert errors[1] < errors[0] / 3
