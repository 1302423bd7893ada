"""A motion that runs away because of its step: the joint is named, and the step that is proposed does."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.simulation import SimulationError

UR5: Any = sd.load("ur5")
HELD: dict[str, Any] = {"duration": 0.2, "stops": False, "effort_limit": None}


def advice(method: str, step: float, robot: Any = UR5, **given: Any) -> tuple[str, float]:
    """The joint that an error names, and the step it proposes."""
    with pytest.raises(SimulationError) as stopped:
        sd.simulate(robot, step=step, method=method, **given)  # type: ignore[arg-type]
    found = re.search(r"is too long for joint '(.+)', about h = (\S+) s", str(stopped.value))
    assert found, str(stopped.value)
    assert stopped.value.trajectory is not None
    return found[1], float(found[2])


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "symplectic", "diagonalized"])
@pytest.mark.heavy(2)
def test_a_stiff_spring_is_named_and_the_proposed_step_does(method: str) -> None:
    given = {**HELD, "q0": [0.1] * 6, "joint_forces": [sd.Spring("elbow_joint", 1e6, 0.1)]}
    joint, h = advice(method, 0.002, **given)
    assert joint == "elbow_joint"
    assert 1e-5 < h < 1e-3
    run = sd.simulate(UR5, step=h, record_every=0.1, method=method, **given)  # type: ignore[arg-type]
    assert np.isfinite(run.q).all()
    with pytest.raises(SimulationError):
        sd.simulate(UR5, step=16 * h, method=method, **given)  # type: ignore[arg-type]


def test_damping_against_little_inertia_is_named() -> None:
    given = {**HELD, "q0": [0.1] * 6, "v0": [0, 0, 0, 0, 0, 1.0], "joint_forces": [sd.Damper("wrist_3_joint", 5.0)]}
    joint, h = advice("semi-implicit", 0.002, **given)
    assert joint == "wrist_3_joint"
    assert np.abs(sd.simulate(UR5, step=h, record_every=0.1, method="semi-implicit", **given).v[:, 5]).max() < 2.0


def test_a_controller_that_is_too_stiff_is_named() -> None:
    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([0.0, 0.0, -1e6 * q[2], 0.0, 0.0, 0.0])

    joint, _ = advice("rk4", 0.002, q0=[0.1] * 6, control=torque, joint_forces=False, **HELD)
    assert joint == "elbow_joint"
    # Dampers and stops, which are there as well, are not the cause: the default takes no others implicitly.
    damped = [sd.Damper("elbow_joint", 1.0)]
    with pytest.raises(SimulationError, match=r"too long for joint 'elbow_joint', about h = \S+ s would do"):
        sd.simulate(UR5, [0.1] * 6, control=torque, duration=0.2, joint_forces=damped, effort_limit=None)


def test_speed_is_named() -> None:
    arm = sd.load("planar_two_link")
    joint, h = advice("rk4", 0.02, arm, q0=[0.0, 1.0], v0=[600.0, -900.0], duration=2.0, stops=False, effort_limit=None)
    assert joint in arm.joint_names
    assert h < 0.01


def test_one_row_of_a_batch_may_be_the_cause() -> None:
    given = {**HELD, "joint_forces": [sd.Spring("elbow_joint", 1e6, 0.1)], "q0": [[0.1] * 6, [0.2] * 6]}
    assert advice("rk4", 0.002, **given)[0] == "elbow_joint"


def test_other_causes_are_not_taken_for_the_step() -> None:
    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.full(6, 1e200 * t)

    with pytest.raises(SimulationError) as stopped:
        sd.simulate(UR5, [0.1] * 6, control=torque, step=0.001, joint_forces=False, **HELD)
    assert "too long" not in str(stopped.value)
    with pytest.raises(SimulationError) as stopped:
        sd.simulate(UR5, [0.1] * 6, control=lambda t, q, v: np.full(6, np.nan), duration=0.1)
    assert "too long" not in str(stopped.value)
