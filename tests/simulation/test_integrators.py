"""Every row of the table of integrators is true: order, stages, what it knows; machine code steps as NumPy does."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

import soadyn as sd
from soadyn.model.embedded import dormand_prince, turning
from soadyn.robot import Robot
from soadyn.simulation import INTEGRATORS
from soadyn.simulation.run.integrators import AnyMethod
from soadyn.simulation.run.rollout import possible
from soadyn.simulation.simulating import posed_by

START = np.array([0.3, -0.5, 0.4, 0.2, 0.3, 0.1])
FIXED = [name for name, row in INTEGRATORS.items() if not row.adapts]
FREELY: dict[str, Any] = {"stops": False, "effort_limit": None, "joint_forces": False}


def last(method: str, step: float) -> np.ndarray:
    arm = sd.load("planar_two_link")
    run = sd.simulate(arm, [0.3, -0.5], [1.0, 2.0], duration=0.4, step=step, record_every=0.4, method=method, **FREELY)
    return np.concatenate([run.q[-1], run.v[-1]])


def test_the_table_names_what_type_checkers_know() -> None:
    assert get_args(AnyMethod) == ("auto", *INTEGRATORS)


@pytest.mark.parametrize("method", FIXED)
def test_errors_fall_with_the_order_of_the_row(method: str) -> None:
    true = last("rk4", 1e-4)
    order, steps = INTEGRATORS[method].order, (0.02, 0.01, 0.005)
    off = [np.abs(last(method, step) - true).max() for step in steps]
    assert np.abs(np.log2(np.divide(off[:-1], off[1:])) - order).max() < 0.25


@pytest.mark.parametrize("method", INTEGRATORS)
def test_a_step_evaluates_the_equations_at_its_stages(method: str) -> None:
    arm = sd.load("planar_two_link")
    asked: list[float] = []

    def control(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        asked.append(t)
        return np.zeros(2)

    problem = posed_by(arm, [0.3, 0.1], control=control, duration=0.2, step=0.2, method=method)
    equations, roles = problem.equations(), problem.actuation.roles(0.0, problem.start.q, problem.start.v)

    def rates(t: Any, q: np.ndarray, v: np.ndarray) -> Any:
        return equations.evaluated(problem.given(roles, t, q, v), q, v).rates

    asked.clear()
    if INTEGRATORS[method].adapts:
        dormand_prince(turning(arm.engine.coordinates), arm.integrate, rates, problem.start, 0.2)
    else:
        problem.stepper(equations)(arm.integrate, rates, problem.start, 0.2)
    np.testing.assert_allclose(asked, 0.2 * np.array(INTEGRATORS[method].stages), rtol=1e-15)


@pytest.mark.parametrize("kind", ["arm", "free base"])
@pytest.mark.parametrize("method", [name for name in FIXED if not INTEGRATORS[name].in_python])
def test_machine_code_takes_a_step_as_numpy_does(method: str, kind: str, rng: np.random.Generator) -> None:
    """One step from random states under springs, dampers, stops and a feedback, to 12 digits."""
    robot = sd.load("ur5") if kind == "arm" else sd.load("free_flyer")
    joint = robot.joint_names[-1]
    q, v = robot.random_configuration(rng, size=5), rng.standard_normal((5, robot.nv))
    given: dict[str, Any] = {"control": 0.1 * rng.standard_normal(robot.nv), "duration": 0.002, "step": 0.002}
    given |= {"method": method, "joint_forces": [sd.Spring(joint, 5.0), sd.Damper(joint, 0.3)]}
    native = sd.simulate(Robot(robot.model, backend="straight"), q, v, **given)
    reference = sd.simulate(Robot(robot.model, backend="numpy"), q, v, **given)
    assert not native.notes
    assert reference.notes
    for name in ("q", "v", "work"):
        one, other = getattr(native, name)[-1], getattr(reference, name)[-1]
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * max(1.0, np.abs(other).max()))


@pytest.mark.parametrize("method", INTEGRATORS)
def test_what_a_row_does_not_know_is_refused(method: str) -> None:
    arm, row = sd.load("planar_two_link"), INTEGRATORS[method]

    def refused(**given: Any) -> bool:
        try:
            sd.simulate(arm, [0.3, 0.1], duration=0.01, step=0.005, method=method, **given)
        except sd.ArgumentError as error:
            assert f'method "{method}"' in str(error)  # noqa: PT017
            return True
        return False

    assert refused(prescribed=sd.Prescribed([0.0, 0.0])) == (not row.hybrid)
    assert refused(joint_forces=[sd.Friction("joint1", 1.0)]) == (not row.hybrid)
    problem = posed_by(arm, [0.3, 0.1], duration=0.01, step=0.005, method=method)
    assert possible(problem) == (not row.in_python)
