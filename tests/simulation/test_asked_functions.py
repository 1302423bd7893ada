"""Python functions of a simulation, asked between machine code: the motion is that of Python step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from small_robots import slider
from soadyn.simulation.run import rollout, staged

KEPT = ("t", "q", "v", "tau", "kinetic", "potential", "work", "momentum", "impulse", "passive")
FRICTION = [sd.Friction("joint1", 1.0, 0.1, static=1.5), sd.Friction("joint2", 0.6)]


def both(
    monkeypatch: pytest.MonkeyPatch, robot: sd.Robot, q0: Any, v0: Any = None, control: Any = None,
    duration: float = 5.0, **options: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """A simulation by machine code between calls, and step by step."""
    given = {"control": control, "duration": duration, **options}
    ran = []
    run = staged.run
    monkeypatch.setattr(staged, "run", lambda *given: ran.append(1) or run(*given))
    monkeypatch.setattr(rollout, "suits", lambda problem: True)
    by_machine = sd.simulate(robot, q0, v0, **given)
    assert ran
    monkeypatch.setattr(rollout, "suits", lambda problem: False)
    by_python = sd.simulate(robot, q0, v0, **given)
    monkeypatch.undo()
    return by_machine, by_python


def assert_same(a: sd.Trajectory, b: sd.Trajectory, rtol: float = 1e-12) -> None:
    """Equal to 12 digits of each field's largest number."""
    assert a.acted == b.acted
    for name in KEPT:
        x, y = getattr(a, name), getattr(b, name)
        assert (x is None) == (y is None), name
        if x is not None:
            np.testing.assert_allclose(x, y, rtol=0, atol=rtol * np.abs(y).max(initial=0.0), err_msg=name)


def pushing(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A torque under which joints with friction stick, start, slide and turn back."""
    return np.array([4.0, 1.5]) * np.sin(np.array([9.0, 14.0]) * t) - 2.0 * q - 0.2 * v


@pytest.mark.parametrize(
    ("method", "sampled", "batch"),
    [
        ("rk4", False, (2, 3)),
        ("implicit", True, ()),
        pytest.param("rk4", False, (), marks=pytest.mark.slow),
        pytest.param("rk4", True, (2, 3), marks=pytest.mark.slow),
        pytest.param("semi-implicit", False, (), marks=pytest.mark.slow),
        pytest.param("semi-implicit", True, (2, 3), marks=pytest.mark.slow),
        pytest.param("implicit", False, (2, 3), marks=pytest.mark.slow),
        pytest.param("symplectic", True, (), marks=pytest.mark.slow),
        pytest.param("symplectic", True, (3,), marks=pytest.mark.slow),
    ],
)
def test_friction_sticks_and_slides_between_the_calls_of_a_function(monkeypatch, rng, method, sampled, batch) -> None:
    arm = sd.load("planar_two_link").with_gravity([0, 0, 0])
    q0, v0 = 0.1 * rng.standard_normal((2, *batch, 2))
    options = {"step": 0.005, "method": method, "sampled": sampled, "joint_forces": FRICTION}
    runs = both(monkeypatch, arm, q0, v0, pushing, 0.8, **options)
    assert_same(*runs)
    assert set(runs[0].acted["friction"]) == {"joint1", "joint2"}
    rests = (runs[0].v == 0).reshape(len(runs[0]), -1, 2)
    changes = rests[1:] != rests[:-1]
    assert changes.sum(axis=(0, 1)).min() >= 4  # both joints stop and start


@pytest.mark.parametrize("sampled", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_function_goes_with_the_diagonalized_step(monkeypatch, rng, sampled) -> None:
    arm = sd.load("planar_two_link")
    options = {"step": 0.01, "method": "diagonalized", "sampled": sampled}
    assert_same(*both(monkeypatch, arm, rng.standard_normal((3, 2)), None, pushing, 0.2, **options))


@pytest.mark.slow
def test_sampled_friction_with_failures_and_a_delay(monkeypatch, rng) -> None:
    arm = sd.load("planar_two_link")
    options = {"step": 0.01, "sampled": True, "joint_forces": FRICTION}
    q0 = rng.standard_normal((2, 2))
    assert_same(*both(monkeypatch, arm, q0, None, pushing, 0.2, delay=2, **options))
    assert_same(*both(monkeypatch, arm, q0, None, pushing, 0.2, failures=[(0.055, "joint2")], **options))


def test_a_slider_stops_where_the_textbook_says() -> None:
    # 2 kg at 1 m/s against 4 N: half a second and a quarter of a metre, whoever is asked meanwhile
    robot = sd.Robot(slider(friction=4.0).model, backend="straight")
    for sampled in (False, True):
        run = sd.simulate(
            robot, [0.0], [1.0], control=lambda t, q, v: np.zeros(1), duration=1.0, step=0.004, sampled=sampled
        )
        np.testing.assert_allclose(run.q[-1], 0.25, rtol=1e-12)
        assert (run.v[-1] == 0).all()


# Wrenches


def wind(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
    force = np.stack([0 * q[..., 0], -v[..., 1], 0.2 * v[..., 0], np.sin(t) - q[..., 0], 0 * q[..., 0], q[..., 1]], -1)
    return {"tool": force, "link1": 0.5 * force}


def test_a_function_of_wrenches_beside_a_feedback(monkeypatch, rng) -> None:
    arm = sd.load("planar_two_link")
    hold = sd.control.ComputedTorque(arm, sd.TimeSeries([0.0, 0.2], rng.standard_normal((2, 2))), bandwidth=5.5)
    q0 = rng.standard_normal((3, 2))
    assert_same(*both(monkeypatch, arm, q0, None, hold, 0.1, step=0.01, method="semi-implicit", external=wind))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rk4", "semi-implicit"])
def test_wrenches_by_a_function_are_asked_for_between_machine_code(monkeypatch, rng, method) -> None:
    arm = sd.load("planar_two_link")
    hold = sd.control.ComputedTorque(arm, sd.TimeSeries([0.0, 0.2], rng.standard_normal((2, 2))), bandwidth=5.5)
    times = np.linspace(0.0, 0.2, 5)
    torques: list[Any] = [None, [0.3, -0.2], hold, pushing, sd.TimeSeries(times, rng.standard_normal((5, 2)))]
    for torque in torques:
        for sampled in (False, True):
            for q0 in (rng.standard_normal(2), rng.standard_normal((3, 2))):
                options = {"step": 0.01, "method": method, "sampled": sampled, "external": wind}
                assert_same(*both(monkeypatch, arm, q0, None, torque, 0.1, **options))


@pytest.mark.slow
def test_wrenches_as_an_array_and_friction_that_sticks(monkeypatch, rng) -> None:
    arm = sd.load("planar_two_link").with_gravity([0, 0, 0])

    def push(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        found = np.zeros((*q.shape[:-1], 2, 6))
        found[..., 1, 1] = 6.0 * np.sin(12.0 * t) - 2.0 * q[..., 1]
        return found

    for external in (push, wind):
        options = {"step": 0.005, "external": external, "joint_forces": FRICTION}
        runs = both(monkeypatch, arm, rng.standard_normal((3, 2)), rng.standard_normal((3, 2)), None, 0.5, **options)
        assert_same(*runs)
        assert runs[0].acted["friction"]


@pytest.mark.slow
def test_samples_of_wrenches_beside_a_function(monkeypatch, rng) -> None:
    arm = sd.load("planar_two_link")
    times = np.linspace(0.0, 0.4, 7)
    for shape in ((7, 2, 6), (7, 3, 2, 6)):
        push = sd.TimeSeries(times, rng.standard_normal(shape))
        for sampled in (False, True):  # more steps than are looked up together
            options = {"step": 0.001, "record_every": 0.05, "external": push, "sampled": sampled}
            assert_same(*both(monkeypatch, arm, rng.standard_normal((3, 2)), None, pushing, 0.4, **options), rtol=1e-11)


@pytest.mark.slow
def test_a_free_robot_in_the_wind(monkeypatch, rng) -> None:
    robot = sd.load("free_flyer")
    frame = robot.link_names[-1]

    def gust(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
        return {frame: np.array([0.1, 0.0, 0.2, np.sin(t), 1.0, v[7]])}

    assert_same(*both(monkeypatch, robot, robot.neutral(), None, None, 0.1, step=0.01, external=gust))


# Accelerations


@pytest.mark.slow
@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "implicit"])
def test_accelerations_by_a_function_are_asked_for_between_machine_code(monkeypatch, rng, method, sampled) -> None:
    arm = sd.chain(4)

    def plan(t: float, q: np.ndarray, v: np.ndarray, passive: np.ndarray) -> np.ndarray:
        return np.where(passive, np.nan, np.sin(t) - 0.5 * q - 0.1 * v)

    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return -0.3 * v

    sets: list[Any] = [{0.0: ["joint_2"], 0.033: ["joint_2", "joint_3"]}, lambda t: ["joint_2"] if t < 0.05 else []]
    for passive in sets:
        options = {"step": 0.01, "method": method, "sampled": sampled}
        options |= {"failures": [(0.06, "joint_4")], "joint_forces": [sd.Friction("joint_2", 0.2)]}
        for acceleration in (plan, np.array([0.4, 0.1, -0.2, 0.3])):
            for q0 in (rng.standard_normal(4), rng.standard_normal((2, 4))):
                assert_same(
                    *both(
                        monkeypatch,
                        arm,
                        q0,
                        None,
                        torque,
                        0.1,
                        prescribed=sd.Prescribed(acceleration, passive),
                        **options,
                    )
                )


# What is asked, and what is refused


def test_functions_are_asked_as_often_as_the_notes_say(monkeypatch) -> None:
    arm = sd.load("planar_two_link")
    calls = {"torque": 0, "external": 0}

    def counted(name: str, result: Any) -> Callable[..., Any]:
        def function(t: float, q: np.ndarray, v: np.ndarray) -> Any:
            calls[name] += 1
            return result

        return function

    given = {"control": counted("torque", np.zeros(2)), "external": counted("external", {"tool": np.zeros(6)})}
    for sampled, often in ((False, 4), (True, 1)):
        calls.update(torque=0, external=0)
        monkeypatch.setattr(rollout, "suits", lambda problem: True)
        run = sd.simulate(arm, [0.1, 0.2], duration=0.1, step=0.01, record_every=0.1, sampled=sampled, **given)
        monkeypatch.undo()
        assert calls == {"torque": often * 10 + 2, "external": 40}  # and of torques once at both records
        word = "once" if sampled else "4 times"
        assert run.notes[0].startswith(f"control is a Python function, asked {word} a step")
        assert run.notes[1].startswith("external is a Python function, asked 4 times a step")


def test_a_wrench_that_is_not_finite_is_named_between_kernels_too() -> None:
    arm = sd.Robot(sd.load("planar_two_link").model, backend="straight")

    def broken(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
        return {"tool": np.full(6, np.nan if t > 0.045 else 0.0)}

    with pytest.raises(sd.SimulationError, match=r"the external wrench on link 'link2' is not finite") as caught:
        sd.simulate(arm, [0.0, 0.0], external=broken, duration=1.0, step=0.01)
    np.testing.assert_allclose(caught.value.trajectory.t, [0, 0.01, 0.02, 0.03, 0.04], atol=1e-12)
    with pytest.raises(sd.ArgumentError, match=r"gave None at t = 0 s; is a `return` missing\?"):
        sd.simulate(arm, [0.0, 0.0], duration=5.0, external=lambda t, q, v: None)


@pytest.mark.parametrize("method", ["symplectic", pytest.param("rk4", marks=pytest.mark.slow)])
def test_held_samples_act_from_the_start_of_the_step_in_every_method(monkeypatch, rng, method) -> None:
    """A method that evaluates its equations halfway through the step still reads what was sampled at its start."""
    arm = sd.load("planar_two_link")
    held = sd.TimeSeries([0.0, 0.05, 0.1], rng.standard_normal((3, 2)), hold=True)
    moving = sd.control.ComputedTorque(arm, sd.TimeSeries([0.0, 0.1], rng.standard_normal((2, 2))))
    for torque, options in ((held, {}), (moving, {"sampled": True})):
        runs = []
        for wanted in (True, False):
            monkeypatch.setattr(rollout, "suits", lambda problem, wanted=wanted: wanted)
            runs.append(
                sd.simulate(arm, [0.1, 0.2], None, control=torque, duration=0.1, step=0.01, method=method, **options)
            )
        assert not runs[0].notes
        assert_same(*runs, rtol=1e-11)
