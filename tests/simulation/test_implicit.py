"""Steps implicit in the joints' laws: the equations they solve, any stiffness, first order, joints that are held."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_symplectic import TIED

import soadyn as sd
from random_robots import random_model
from soadyn.errors import ArgumentError
from soadyn.programs.sweep.stiffened import STIFFENED
from soadyn.robot.calling.function import program_function


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.heavy(2)
def test_more_armature_is_more_on_the_diagonal_of_the_mass_matrix(backend: Any, rng: np.random.Generator) -> None:
    robot: Any = sd.Robot(random_model(rng, 5, root="free", armature=True), backend)
    q = robot.random_configuration(rng, 3)
    x, E = rng.standard_normal((3, robot.nv)), rng.uniform(0, 100, (3, robot.nv))
    free = (rng.uniform(size=(3, robot.nv)) < 0.7).astype(float)
    found = program_function(robot.engine, STIFFENED)(q, x, free, E)
    M = robot.mass_matrix(q)
    for row in range(3):
        at = free[row] > 0
        heavier = (M[row] + np.diag(E[row]))[np.ix_(at, at)]
        np.testing.assert_allclose(found[row][at], np.linalg.solve(heavier, x[row][at]), rtol=1e-9, atol=1e-11)
        assert not found[row][~at].any()


def test_a_step_solves_the_equations_with_the_laws_at_its_end(rng: np.random.Generator) -> None:
    """[Mass + h B + h² K] a = T - B v - K (q - rest + h v) - C: theory of joint damping and stiffness."""
    arm: Any = sd.load("ur5")
    q, v, tau = rng.standard_normal((3, 6))
    K, B, rest = rng.uniform(0, 500, 6), rng.uniform(0, 50, 6), rng.standard_normal(6)
    laws: list[Any] = [sd.Spring(name, K[i], rest[i]) for i, name in enumerate(arm.joint_names)]
    laws += [sd.Damper(name, B[i]) for i, name in enumerate(arm.joint_names)]
    h = 0.01
    run = sd.simulate(
        arm,
        q,
        v,
        control=tau,
        duration=h,
        step=h,
        method="implicit",
        joint_forces=sd.JointForces(arm, laws),
        stops=False,
        effort_limit=None,
    )
    left = arm.mass_matrix(q) + np.diag(h * B + h * h * K)
    a = np.linalg.solve(left, tau - B * v - K * (q - rest + h * v) - arm.bias_force(q, v))
    np.testing.assert_allclose(run.v[-1], v + h * a, rtol=1e-10)
    np.testing.assert_allclose(run.q[-1], q + h * run.v[-1], rtol=1e-12)


def test_a_spring_of_a_million_at_a_millisecond_comes_to_rest_where_it_holds_the_load() -> None:
    arm: Any = sd.load("ur5")
    held = [sd.Spring(name, 1e6, 0.3) for name in arm.joint_names]
    dampers = [sd.Damper(name, 1e3) for name in arm.joint_names]
    for laws in (held, held + dampers):
        run = sd.simulate(
            arm,
            [0.1] * 6,
            duration=1.0,
            step=1e-3,
            record_every=0.01,
            method="implicit",
            joint_forces=laws,
            stops=False,
            effort_limit=None,
        )
        assert (run.energy <= run.energy[0] + 1e-6).all()
        sag = arm.gravity_force(run.q[-1]) / 1e6
        np.testing.assert_allclose(run.q[-1], 0.3 - sag, atol=1e-6)
        assert np.abs(run.v[-1]).max() < 1e-2


def test_its_order_is_one(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    laws = [sd.Spring("joint1", 200.0), sd.Damper("joint2", 2.0)]
    given: dict[str, Any] = {
        "duration": 0.2,
        "record_every": 0.2,
        "joint_forces": laws,
        "stops": False,
        "effort_limit": None,
    }
    true = sd.simulate(arm, [0.3, 0.4], [0.5, -0.5], step=1e-4, **given)
    off = [
        np.abs(sd.simulate(arm, [0.3, 0.4], [0.5, -0.5], step=h, method="implicit", **given).q[-1] - true.q[-1]).max()
        for h in (0.002, 0.001, 0.0005)
    ]
    assert 0.8 < np.log2(off[0] / off[1]) < 1.2
    assert 0.8 < np.log2(off[1] / off[2]) < 1.2


def test_every_kind_of_joint_takes_it(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, root="free"))
    laws = [sd.Damper(name, 1e5) for name in robot.joint_names]
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    run = sd.simulate(
        robot, q, v, duration=0.1, step=0.002, method="implicit", joint_forces=laws, stops=False, effort_limit=None
    )
    assert np.abs(run.v[-1]).max() < 0.1


def test_prescribed_and_sticking_joints_stay_so() -> None:
    arm = sd.load("planar_two_link")
    stiff = [sd.Spring("joint2", 1e6)]
    run = sd.simulate(
        arm,
        [0.0, 0.0],
        prescribed=sd.Prescribed([2.0, 0.0], passive=["joint2"]),
        duration=0.1,
        step=0.001,
        method="implicit",
        joint_forces=stiff,
        stops=False,
        effort_limit=None,
    )
    np.testing.assert_allclose(run.v[:, 0], 2.0 * run.t, rtol=1e-12, atol=1e-14)
    assert np.abs(run.q[:, 1]).max() < 1e-4
    rough = [sd.Friction("joint2", 1e3), sd.Spring("joint1", 1e6)]
    run = sd.simulate(
        arm, [0.0, 0.2], duration=0.1, step=0.001, method="implicit", joint_forces=rough, stops=False, effort_limit=None
    )
    assert np.abs(run.q[:, 1] - 0.2).max() < 1e-12
    assert not run.v[:, 1].any()


def test_machine_code_and_python_make_the_same_motion() -> None:
    arm = sd.load("ur5")
    laws = [sd.Spring("elbow_joint", 1e5, 0.3), sd.Damper("wrist_1_joint", 50.0)]
    given: dict[str, Any] = {
        "duration": 0.5,
        "step": 0.001,
        "record_every": 0.1,
        "method": "implicit",
        "joint_forces": laws,
    }
    native = sd.simulate(arm, [0.2] * 6, **given)
    python = sd.simulate(arm, [0.2] * 6, control=lambda t, q, v: np.zeros(6), **given)
    np.testing.assert_allclose(native.q, python.q, rtol=1e-9, atol=1e-10)


def test_tied_joints_are_refused() -> None:
    hand = sd.load(TIED, mimic="tie")
    with pytest.raises(ArgumentError, match="tied mimic joints"):
        sd.simulate(hand, hand.neutral(), method="implicit", duration=0.1)
