"""Steps as long as their errors allow: the pair's order on the manifold, what lies within a step, tolerances, stops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import RK45, solve_ivp

import soadyn as sd
from random_robots import model_of_every_kind
from soadyn.model import embedded
from soadyn.model.embedded import dormand_prince, turning
from soadyn.model.steppers import Moment, Rates, rk4
from soadyn.simulation import SimulationError

NOTHING = np.zeros(1)
FREELY: dict[str, Any] = {"stops": False, "effort_limit": None, "joint_forces": False}


def test_the_numbers_are_those_of_another_implementation() -> None:
    np.testing.assert_allclose(embedded.NODES[:6], RK45.C, rtol=1e-15)
    for i, row in enumerate(embedded.STAGES[:6]):
        np.testing.assert_allclose(row, RK45.A[i, :i], rtol=1e-15)
    np.testing.assert_allclose(embedded.STAGES[6], RK45.B, rtol=1e-15)
    np.testing.assert_allclose(np.abs(embedded.ERRORS), np.abs(RK45.E), rtol=1e-12)
    np.testing.assert_allclose(embedded.WITHIN, RK45.P, rtol=1e-15)


def off(robot: Any, found: Moment, true: Moment) -> float:
    return float(np.abs(np.concatenate([robot.difference(true.q, found.q), found.v - true.v])).max())


def test_orders_on_every_kind_of_joint(rng: np.random.Generator) -> None:
    """Fifth at the end of a motion, fourth within its steps, and the estimated error of one step is of fifth order."""
    robot: Any = sd.Robot(model_of_every_kind())
    q, v, tau = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    joints = turning(robot.engine.coordinates)
    assert len(joints) >= 2

    def rates(t: float, q: np.ndarray, v: np.ndarray) -> Rates:
        return Rates(robot.forward_dynamics(q, v, tau * np.cos(9 * t)), NOTHING)

    def moved(duration: float, steps: int) -> tuple[Moment, list[embedded.Passed]]:
        passed, now = [], Moment(0.0, q, v, NOTHING)
        for _ in range(steps):
            passed.append(dormand_prince(joints, robot.integrate, rates, now, duration / steps))
            now = passed[-1].end
        return now, passed

    true, _ = moved(0.24, 200)
    ends, within, estimates = [], [], []
    for steps in (3, 6, 12):
        end, passed = moved(0.24, steps)
        ends.append(off(robot, end, true))
        middle = 0.4 * 0.24 / steps
        within.append(off(robot, passed[0].at(middle), moved(middle, 20)[0]))
        estimates.append(np.abs(np.concatenate(passed[0].error)).max())
    assert np.log2(ends[1] / ends[2]) > 4.6
    assert np.log2(within[1] / within[2]) > 4.6  # within the first step: one order more than over many
    assert np.log2(estimates[1] / estimates[2]) > 4.6
    halves = Moment(0.0, q, v, NOTHING)
    for _ in range(400):
        halves = rk4(robot.integrate, rates, halves, 0.24 / 400)
    assert off(robot, true, halves) < 1e-7


def test_the_motion_is_that_of_scipy(rng: np.random.Generator) -> None:
    arm: Any = sd.load("ur5")
    q, v = arm.random_configuration(rng), rng.standard_normal(6)

    def change(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[6:], arm.forward_dynamics(y[:6], y[6:], np.zeros(6))])

    run = sd.simulate(arm, q, v, duration=0.5, record_every=0.07, method=sd.Adaptive(rtol=1e-9, atol=1e-11), **FREELY)
    true = solve_ivp(change, (0, 0.5), np.concatenate([q, v]), "DOP853", run.t, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.t, [0, 0.07, 0.14, 0.21, 0.28, 0.35, 0.42, 0.49, 0.5])
    np.testing.assert_allclose(run.q, true.y[:6].T, atol=1e-6)
    np.testing.assert_allclose(run.v, true.y[6:].T, atol=1e-5)


def test_smaller_tolerances_give_smaller_errors_and_a_free_flyer_keeps_its_momentum(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    q, v = flyer.random_configuration(rng), rng.standard_normal(flyer.nv)
    drifts = []
    for rtol in (1e-4, 1e-6, 1e-8):
        run = sd.simulate(
            flyer, q, v, duration=1.0, record_every=0.1, method=sd.Adaptive(rtol=rtol, atol=rtol / 100), **FREELY
        )
        assert run.momentum is not None
        drifts.append(np.abs(run.energy_drift).max())
    assert drifts[0] > 10 * drifts[1] > 100 * drifts[2]
    assert drifts[2] < 1e-5


def test_steps_are_long_where_little_happens_and_records_come_all_the_same() -> None:
    arm = sd.load("planar_two_link")
    asked: list[float] = []

    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        asked.append(t)
        return np.zeros(2)

    run = sd.simulate(arm, [1.0, 0.3], control=torque, duration=2.0, record_every=0.001, method=sd.Adaptive(rtol=1e-4))
    assert len(run.t) == 2001
    assert len(set(asked)) < 2001 + 7 * 400  # records, and seven evaluations of each of a few hundred steps
    assert np.abs(run.energy_drift).max() < 0.05


def test_a_failure_happens_at_its_time() -> None:
    arm = sd.load("planar_two_link")
    given = {"control": [5.0, 1.0], "duration": 0.4, "failures": [(0.1234, "joint2")], "record_every": 0.1}
    found = sd.simulate(arm, [0.3, 0.2], method=sd.Adaptive(rtol=1e-9, atol=1e-11), **given)
    true = sd.simulate(arm, [0.3, 0.2], step=1e-4, **given)
    np.testing.assert_allclose(found.q, true.q, atol=1e-7)


def test_a_sampled_controller_is_asked_once_a_step() -> None:
    arm = sd.load("planar_two_link")
    given = {
        "control": lambda t, q, v: -20 * q - 5 * v,
        "duration": 0.2,
        "sampled": True,
        "record_every": 0.05,
        "step": 0.01,
    }
    found = sd.simulate(arm, [0.3, 0.2], method=sd.Adaptive(rtol=1e-9, atol=1e-11), **given)
    true = sd.simulate(arm, [0.3, 0.2], **given)
    np.testing.assert_allclose(found.q, true.q, atol=1e-7)


def test_rows_of_a_batch_share_their_steps_and_stay_within_the_tolerance(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q = arm.random_configuration(rng, 4)
    together = sd.simulate(arm, q, duration=0.3, record_every=0.1, method=sd.Adaptive(rtol=1e-8, atol=1e-10), **FREELY)
    alone = sd.simulate(arm, q[2], duration=0.3, record_every=0.1, method=sd.Adaptive(rtol=1e-8, atol=1e-10), **FREELY)
    np.testing.assert_allclose(together.q[:, 2], alone.q, atol=1e-6)


def test_forces_that_grow_without_bound_end_the_motion_with_a_reason() -> None:
    arm = sd.load("planar_two_link")

    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([0.0, 1e-3 / max(0.05 - t, 1e-100) ** 2])

    with pytest.raises(SimulationError, match=r"at t = 0\.\d+ s") as stopped:
        sd.simulate(arm, [0.0, 0.0], control=torque, duration=0.2, method="adaptive", stops=False, effort_limit=None)
    assert stopped.value.trajectory is not None
    assert stopped.value.trajectory.t[-1] <= 0.05 + 1e-9


@pytest.mark.parametrize("name", ["rtol", "atol"])
def test_a_tolerance_must_be_positive(name: str) -> None:
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.SoadynError, match=name):
        sd.simulate(arm, [0.0, 0.0], duration=1.0, method=sd.Adaptive(**{name: -1.0}))


def test_an_empty_batch_is_simulated_at_once():
    run = sd.simulate(sd.load("planar_two_link"), np.zeros((0, 2)), duration=0.1, method="adaptive", record_every=0.05)
    assert run.q.shape == (3, 0, 2)
