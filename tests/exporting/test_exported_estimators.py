"""Estimators as C: the memory is an argument, the numbers are those of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported, gcc
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.evaluating import evaluated
from soadyn.estimation import MomentumObserver, PayloadEstimator
from soadyn.estimation.residuals import share
from soadyn.model.draft import Mimic

SANITIZED = ("-g", "-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-Wconversion")


def near(found: np.ndarray, wanted: np.ndarray, tolerance: float = 1e-12) -> bool:
    return bool(np.abs(found - wanted).max() <= tolerance * max(np.abs(wanted).max(), 1e-300))


def laws(robot: sd.Robot) -> sd.JointForces:
    joint = robot.joint_names[-1]
    return sd.JointForces(
        robot, [sd.Damper(joint, 0.5), sd.Friction(joint, 0.3, smoothing_speed=0.01), sd.Spring(joint, 2.0)]
    )


@pytest.mark.parametrize(("name", "forces"), [("planar_two_link", True), ("ur5", False), ("free_flyer", False)])
def test_an_observer_in_c_follows_the_one_in_python(name: str, forces: bool, tmp_path: Path, rng: Any) -> None:
    robot = sd.load(name)
    given = {"joint_forces": laws(robot)} if forces else {}
    observer = MomentumObserver(robot, gain=np.linspace(20.0, 60.0, robot.nv), **given)
    code = Exported(observer, tmp_path, "-O1")
    state, t = np.zeros(3 * robot.nv), 0.0
    for k in range(30):
        h = rng.uniform(1e-6, 1e-2) if k else 0.0
        t += h
        q, (v, tau) = robot.random_configuration(rng), rng.standard_normal((2, robot.nv))
        wanted = observer.update(t, q, v, tau)
        status, (residual, state) = code(q, v, tau, [h], state)
        assert status == 0
        assert near(residual, wanted)
        np.testing.assert_array_equal(residual, state[: robot.nv])


def test_a_spoilt_sample_is_left_out_with_the_state_before(tmp_path: Path, rng: Any) -> None:
    arm = sd.load("planar_two_link")
    observer = MomentumObserver(arm, gain=50.0)
    code = Exported(observer, tmp_path)
    q, v, tau = rng.standard_normal((3, 4, 2))
    state = np.zeros(6)
    for k, (t, h) in enumerate(((0.0, 0.0), (0.001, 0.001), (0.003, 0.002))):
        observer.update(t, q[k], v[k], tau[k])
        status, (residual, state) = code(q[k], v[k], tau[k], [h], state)
        assert status == 0
        assert code(q[k], np.array([np.nan, 0.0]), tau[k], [0.001], state)[0] == 1
    assert near(residual, observer.residual)


@pytest.mark.parametrize("inertia", [False, True])
def test_a_payload_estimator_in_c_finds_what_the_one_in_python_finds(inertia: bool, tmp_path: Path, rng: Any) -> None:
    arm = sd.load("ur5")
    loaded = arm.with_payload("tool0", 2.0, (0.0, 0.05, 0.1))
    estimator = PayloadEstimator(arm, "tool0", torque_std=[0.1, 0.2, 0.1, 0.1, 0.1, 0.1], forget=0.3, inertia=inertia)
    code = Exported(estimator, tmp_path, "-O1")
    size = len(estimator.parameters)
    state = np.zeros(size * (size + 1) // 2 + size)
    for _ in range(40):
        q, v, a = rng.standard_normal((3, 6))
        tau, h = loaded.inverse_dynamics(q, v, a) + 0.1 * rng.standard_normal(6), rng.uniform(0.0, 0.1)
        estimator.update(q, v, a, tau, h)
        status, (parameters, deviations, state) = code(q, v, a, tau, [h], state)
        assert status == 0
        assert near(parameters, estimator.parameters, 1e-11)
        assert near(deviations, np.sqrt(np.diag(estimator.covariance)), 1e-11)
    assert abs(parameters[0] - 2.0) < 5 * deviations[0]


def test_the_header_says_what_the_memory_is(tmp_path: Path) -> None:
    arm = sd.load("planar_two_link")
    _, header = sd.export_c(MomentumObserver(arm, gain=[20.0, 60.0], joint_forces=laws(arm)), tmp_path / "observer")
    text = header.read_text(encoding="utf-8")
    for told in (
        "step[1]  seconds since",
        "Begin with a state of zeros",
        "gain [20., 60.] 1/s",
        "joint forces: Damper",
    ):
        assert told in text
    assert "int planar_two_link_momentum_observer(" in text
    _, header = sd.export_c(PayloadEstimator(arm, "tool", torque_std=0.1), tmp_path / "payload")
    assert "deviations[4]  standard deviations" in header.read_text(encoding="utf-8")


@pytest.mark.parametrize("x", [0.0, 1e-300, 1e-17, 1e-9, 1e-3, 0.7, 20.0, 39.0, 60.0, 800.0])
def test_the_recorded_share_is_exact_everywhere(x: float) -> None:
    graph = Graph()
    given = graph.input("x")
    (found,) = evaluated(graph, list(share(np.array([given], dtype=object))), {given.node: x})
    assert abs(found + np.expm1(-x)) <= 4e-16 * x / (1 + x) + 2e-17


@pytest.mark.slow
@pytest.mark.parametrize("real", ["double", "float"])
def test_sanitizers_and_single_precision(real: Any, tmp_path: Path, rng: Any) -> None:
    """A loop of the observer in C whose state is overwritten in place, under sanitizers."""
    arm = sd.load("ur5")
    path, _ = sd.export_c(MomentumObserver(arm, gain=50.0), tmp_path / "code", name="f", real=real)
    (tmp_path / "main.c").write_text(
        f"""#include "code.h"
        #include <math.h>
        int main(void)
        {{
            {real} q[6], v[6], tau[6], step[1] = {{0}}, state[18] = {{0}}, r[6];
            int k, i;
            for (k = 0; k < 500; ++k) {{
                for (i = 0; i < 6; ++i) {{
                    q[i] = ({real})sin(0.01 * k + i);
                    v[i] = ({real})(10.0 * cos(0.01 * k + i) * 0.1);
                    tau[i] = ({real})0;
                }}
                if (f(q, v, tau, step, state, r, state) != 0) return 1;
                step[0] = ({real})0.001;
            }}
            for (i = 0; i < 6; ++i) if (!isfinite(r[i])) return 2;
            return 0;
        }}"""
    )
    gcc("-std=c99", "-Wall", "-Wextra", *SANITIZED, path, tmp_path / "main.c", "-lm", "-o", tmp_path / "main")
    assert gcc("-x", "none", compiler=str(tmp_path / "main")).returncode == 0


def test_a_payload_estimator_of_tied_joints_is_refused(tmp_path: Path) -> None:
    gripper = sd.Builder("gripper")
    gripper.link("left", sd.Body(1.0, com=(0.1, 0, 0)), axis=(0, 0, 1))
    gripper.link("right", sd.Body(1.0, com=(0.1, 0, 0)), axis=(0, 0, 1), mimic=Mimic("left_joint", -1.0))
    estimator = PayloadEstimator(sd.Robot(gripper.model(mimic="tie")), "right", torque_std=0.1)
    with pytest.raises(sd.ArgumentError, match="tied mimic joints, which have no straight-line code"):
        sd.export_c(estimator, tmp_path / "payload")
