"""The symplectic step: its momenta and forces, its order, the two-form it keeps, energies over many steps."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind, random_model
from soadyn.errors import ArgumentError
from soadyn.model.steppers import Moment, Rates, Stepper, rk4, semi_implicit
from soadyn.programs.sweep.canonical import CANONICAL, RATES_FROM_MOMENTA
from soadyn.robot.calling.function import program_function
from soadyn.simulation.run.integrators import INTEGRATORS, StepParts

NOTHING = np.zeros(1)


def symplectic_stepper(robot: Any) -> Stepper:
    parts = StepParts(None, partial(program_function, robot.engine), robot.engine.coordinates)
    return INTEGRATORS["symplectic"].make(parts)


def falling(robot: Any, tau: np.ndarray | None = None) -> Any:
    forces = np.zeros(robot.nv) if tau is None else tau
    return lambda t, q, v: Rates(robot.forward_dynamics(q, v, forces), NOTHING)


def moved(robot: Any, take: Stepper, q: np.ndarray, v: np.ndarray, h: float, steps: int, rates: Any = None) -> Moment:
    now = Moment(0.0, q, v, NOTHING)
    for _ in range(steps):
        now = take(robot.integrate, rates or falling(robot), now, h)
    return now


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.heavy(2)
def test_momenta_and_forces_are_derivatives_of_the_lagrangian(backend: Any, rng: np.random.Generator) -> None:
    robot: Any = sd.Robot(random_model(rng, 5, root="free"), backend)
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    a = rng.standard_normal(robot.nv)
    p, f = program_function(robot.engine, CANONICAL)(q, v, a)
    _, (by_q, by_v) = sd.Robot(robot.model).vjp("kinetic_energy", (q, v), 1.0)
    forces = robot.inverse_dynamics(q, v, a) - robot.gravity_force(q)
    np.testing.assert_allclose(p, by_v, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(f, by_q + forces, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(program_function(robot.engine, RATES_FROM_MOMENTA)(q, p), v, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.heavy(2)
def test_its_order_is_two_with_every_kind_of_joint(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot: Any = sd.Robot(random_model(rng, 6, root="free") if seed else model_of_every_kind())
    q, v, tau = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    take, rates = symplectic_stepper(robot), falling(robot, tau)
    true = moved(robot, rk4, q, v, 0.05 / 100, 100, rates)
    errors = []
    for steps in (8, 16, 32):
        found = moved(robot, take, q, v, 0.05 / steps, steps, rates)
        errors.append(np.abs(np.concatenate([robot.difference(found.q, true.q), found.v - true.v])).max())
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.05)


def test_a_step_back_undoes_a_step(rng: np.random.Generator) -> None:
    robot: Any = sd.Robot(random_model(rng, 6, root="free"))
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    take, rates = symplectic_stepper(robot), falling(robot)
    there = take(robot.integrate, rates, Moment(0.0, q, v, NOTHING), 0.002)
    back = take(robot.integrate, rates, there, -0.002)
    np.testing.assert_allclose(robot.difference(q, back.q), 0.0, atol=1e-12)
    np.testing.assert_allclose(back.v, v, atol=1e-11)


def two_form(robot: Any, p: np.ndarray) -> np.ndarray:
    """d(p·η) on directions (η, δp), η along the tangent space in link axes: -η·δp' + δp·η' - p·[η, η']."""
    n = robot.nv
    form = np.zeros((2 * n, 2 * n))
    form[:n, n:], form[n:, :n] = -np.eye(n), np.eye(n)
    for joint, place in zip(robot.model.joints, robot.model.v_slices, strict=True):
        for i, unit in enumerate(np.eye(joint.behaviour.nv)):
            bracket = joint.behaviour.bracket(unit)
            if bracket is not None:
                form[place.start + i, place] = -p[place] @ bracket
    return form


def change_of_two_form(robot: Any, take: Stepper, q: np.ndarray, v: np.ndarray, h: float) -> float:
    """How far the Jacobian J of a step in (q, p), by complex steps, is off J* form(p') J = form(p)."""
    n, tiny = robot.nv, 1e-30
    rows = np.eye(2 * n) * 1j * tiny
    p = robot.mass_matrix(q) @ v
    start = robot.integrate(q, rows[:, :n])
    rates_of = program_function(robot.engine, RATES_FROM_MOMENTA)
    after = moved(robot, take, start, rates_of(start, p + rows[:, n:]), h, 1)
    p_after = (robot.mass_matrix(after.q) @ after.v[..., None])[..., 0]
    turned = robot.difference(after.q.real[0], after.q)
    J = np.concatenate([turned, p_after], axis=-1).imag.T / tiny
    return float(np.abs(J.T @ two_form(robot, p_after[0].real) @ J - two_form(robot, p)).max())


@pytest.mark.parametrize("kinds", ["free", "fixed", "rotors"])
@pytest.mark.heavy(2)
def test_the_step_keeps_the_two_form_and_semi_implicit_does_not(kinds: str, rng: np.random.Generator) -> None:
    options: dict[str, Any] = {
        "free": {"root": "free"},
        "fixed": {},
        "rotors": {"kinds": ["revolute", "prismatic", "helical"], "armature": True},
    }[kinds]
    robot: Any = sd.Robot(random_model(rng, 5, **options), "numpy")
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    assert change_of_two_form(robot, symplectic_stepper(robot), q, v, 0.002) < 1e-10
    assert change_of_two_form(robot, semi_implicit, q, v, 0.002) > 1e-6
    assert change_of_two_form(robot, rk4, q, v, 0.05) > 1e-9


def test_energy_stays_within_a_band_where_semi_implicit_loses_it() -> None:
    arm: Any = sd.load("planar_two_link")
    q = np.array([1.5, 0.5])
    start = float(arm.potential_energy(q))
    now, off = Moment(0.0, q, np.zeros(2), NOTHING), []
    take, rates = symplectic_stepper(arm), falling(arm)
    for i in range(8000):
        now = take(arm.integrate, rates, now, 0.005)
        if i % 10 == 0:
            off.append(float(arm.potential_energy(now.q) + arm.kinetic_energy(now.q, now.v)) - start)
    first, second = np.abs(off[: len(off) // 2]).max(), np.abs(off[len(off) // 2 :]).max()
    assert second < 2 * first  # no drift
    assert second < 0.2  # of 38 J


@pytest.mark.slow
def test_a_million_steps_of_seven_joints_leave_the_energy_within_its_band() -> None:
    arm = sd.load("panda")
    q = [0.3, -0.5, 0.2, -1.5, 0.1, 1.5, 0.3]
    run = sd.simulate(
        arm,
        q,
        duration=1000.0,
        step=0.001,
        record_every=1.0,
        method="symplectic",
        joint_forces=False,
        stops=False,
        effort_limit=None,
    )
    off = np.abs(run.energy_drift)[1:].reshape(10, -1).max(axis=1)
    assert np.ptp(run.potential) > 30.0  # it swings all the time
    assert off.max() < 0.3  # of 93 J
    assert off[5:].max() < 3 * off[:5].max()


def test_momentum_of_a_free_flyer_is_kept_to_rounding(rng: np.random.Generator) -> None:
    flyer: Any = sd.load("free_flyer").with_gravity([0, 0, 0])
    q, v = flyer.random_configuration(rng), rng.standard_normal(flyer.nv)
    after = moved(flyer, symplectic_stepper(flyer), q, v, 0.005, 100)
    before = flyer.momentum(q, v)
    np.testing.assert_allclose(flyer.momentum(after.q, after.v), before, rtol=1e-10, atol=1e-10 * np.abs(before).max())


def test_simulate_takes_it_with_forces_and_batches(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q = arm.random_configuration(rng, 3)
    given: dict[str, Any] = {"control": 0.01 * np.ones(6), "duration": 0.3, "step": 0.001, "record_every": 0.1}
    given |= {"joint_forces": False, "stops": False, "effort_limit": None}
    exact = sd.simulate(arm, q, **given)
    found = sd.simulate(arm, q, method="symplectic", **given)
    assert 1e-9 < np.abs(found.q - exact.q).max() < 1e-4
    assert np.abs(found.energy_drift).max() < 1e-2
    np.testing.assert_allclose(sd.simulate(arm, q[1], method="symplectic", **given).q, found.q[:, 1], rtol=1e-11)
    by_steps = sd.simulate(arm, q, method="symplectic", **{**given, "control": lambda t, q, v: 0.01 * np.ones_like(v)})
    np.testing.assert_allclose(by_steps.q, found.q, rtol=1e-11)  # Python and machine code


@pytest.mark.slow
@pytest.mark.parametrize("method", ["symplectic", "implicit"])
def test_joints_that_turn_freely_move_alike_in_machine_code_and_in_python(method: Any) -> None:
    robot = sd.chain(2, kind="spherical", root="free").with_backend("straight")
    rng = np.random.default_rng(1)
    q, v = robot.random_configuration(rng, 2), rng.standard_normal((2, robot.nv))
    given: dict[str, Any] = {
        "duration": 0.1,
        "step": 0.002,
        "record_every": 0.05,
        "method": method,
        "stops": False,
        "effort_limit": None,
    }
    given |= {"joint_forces": [sd.Damper(name, 0.5) for name in robot.joint_names]}
    native = sd.simulate(robot, q, v, **given)
    python = sd.simulate(robot, q, v, control=lambda t, q, v: np.zeros_like(v), **given)
    np.testing.assert_allclose(robot.difference(native.q, python.q), 0.0, atol=1e-12)
    np.testing.assert_allclose(native.v, python.v, atol=1e-11)


def test_a_parametric_robot_swings_by_its_values() -> None:
    pendulum = sd.load("planar_two_link")
    heavy = pendulum.parametric("tool.mass")
    given: dict[str, Any] = {
        "duration": 0.5,
        "step": 0.002,
        "record_every": 0.1,
        "method": "symplectic",
        "stops": False,
        "effort_limit": None,
    }
    found = sd.simulate(heavy, [0.5, 0.2], parameters={"tool.mass": np.array([0.0, 2.0])}, **given)
    for row, robot in enumerate((pendulum, pendulum.with_payload("tool", 2.0))):
        np.testing.assert_allclose(found.q[:, row], sd.simulate(robot, [0.5, 0.2], **given).q, rtol=1e-9)


def test_tied_joints_are_refused() -> None:
    hand = sd.load(TIED, mimic="tie")
    with pytest.raises(ArgumentError, match="tied mimic joints"):
        sd.simulate(hand, hand.neutral(), method="symplectic", duration=0.1)


TIED = """<robot name="hand"><link name="a"/>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="one" type="continuous"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/></joint>
<joint name="two" type="continuous"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/><mimic joint="one"/></joint>
</robot>"""
