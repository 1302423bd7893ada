"""Steps from a loop of one's own have the bits of a simulation, for one state and for batches."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.control import JointFeedback
from soadyn.model.draft import Mimic

STEP = 2.0**-8  # that a simulation's steps have this very length
MANY = 120  # steps
QUICK = "semi-implicit"


def started(robot: sd.Robot, rng: np.random.Generator, *batch: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A state with quaternions of unit length, and joint forces."""
    q = robot.integrate(robot.neutral(), rng.uniform(-0.5, 0.5, (*batch, robot.nv)))
    return q, rng.uniform(-1, 1, (*batch, robot.nv)), rng.uniform(-1, 1, (*batch, robot.nv))


def made(robot: Any, **options: Any) -> sd.Stepper:
    """A stepper by the method that compiles fastest."""
    return sd.Stepper(robot, STEP, QUICK, **options)


def simulated(robot: Any, q: Any, v: Any, tau: Any, steps: int = MANY, **options: Any) -> sd.Trajectory:
    """The motion by machine code, where there can be some."""
    wanted = {"method": QUICK, "bad_rows": "nan", **options}
    return sd.simulate(robot, q, v, control=tau, duration=steps * STEP, step=STEP, **wanted)


def repeated(stepper: sd.Stepper, q: Any, v: Any, tau: Any, times: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    for _ in range(times):
        q, v = stepper(q, v, tau, n=n)
    return q, v


@pytest.mark.parametrize(
    "method",
    [
        "rk4",
        "semi-implicit",
        *(pytest.param(x, marks=pytest.mark.slow) for x in ("implicit", "symplectic", "diagonalized")),
    ],
)
def test_however_steps_are_split_among_calls_they_are_those_of_a_simulation(
    method: Any, rng: np.random.Generator
) -> None:
    arm = sd.load("planar_two_link")
    q, v, tau = started(arm, rng)
    run = simulated(arm, q, v, tau, method=method)
    stepper = sd.Stepper(arm, STEP, method, q0=q)
    for times, n in ((1, MANY), (MANY, 1), (MANY // 8, 8)):
        found = repeated(stepper, q, v, tau, times, n)
        np.testing.assert_array_equal(found[0], run.q[-1])
        np.testing.assert_array_equal(found[1], run.v[-1])


def test_without_joint_forces_steps_are_those_of_a_simulation_without(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    q, v, _ = started(arm, rng)
    run = simulated(arm, q, v, None)
    np.testing.assert_array_equal(made(arm, q0=q)(q, v, n=MANY)[0], run.q[-1])


def test_batches_of_any_shape_have_the_bits_of_their_rows(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    stepper = made(flyer)
    for batch in ((3,), (1,), (2, 5), (2, 1, 3)):
        q, v, tau = started(flyer, rng, *batch)
        for n in (1, 3):
            many = stepper(q, v, tau, n=n)
            assert many[0].shape == q.shape
            assert many[1].shape == v.shape
            for row in np.ndindex(*batch):
                for x, one in zip(many, stepper(q[row], v[row], tau[row], n=n), strict=True):
                    np.testing.assert_array_equal(x[row], one)


def test_a_batch_has_the_bits_of_a_simulation_of_it(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    q, v, tau = started(flyer, rng, 9)
    run = simulated(flyer, q, v, tau, steps=50)
    q, v = repeated(made(flyer), run.q[0], v, tau, 10, 5)
    np.testing.assert_array_equal(q, run.q[-1])
    np.testing.assert_array_equal(v, run.v[-1])


@pytest.mark.slow
def test_friction_that_sticks_goes_on_from_call_to_call(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    laws = [sd.Friction(name, 2.0, static=4.0) for name in arm.joint_names]
    q, v, tau = started(arm, rng, 16)
    tau = 5 * tau
    run = simulated(arm, q, v, tau, joint_forces=laws, stops=False, effort_limit=None, method="rk4")
    stepper = sd.Stepper(arm, STEP, joint_forces=laws, stops=False, effort_limit=None)
    whole = stepper(q, v, tau, n=MANY)
    np.testing.assert_array_equal(whole[0], run.q[-1])
    sliding = stepper.sliding(v)
    for _ in range(MANY):
        q, v, sliding = stepper(q, v, tau, sliding=sliding)
    np.testing.assert_array_equal(q, run.q[-1])
    np.testing.assert_array_equal(v, run.v[-1])
    assert (v == 0).any()  # some stick, at rest to the last digit
    one = stepper(q[0], v[0], tau[0]), stepper(q[0], v[0], tau[0])  # the second from plain arrays, in machine code
    np.testing.assert_array_equal(one[0], one[1])
    np.testing.assert_array_equal(one[0], stepper(q[0], v[0], tau[0], sliding=np.sign(v[0]))[:2])


def test_a_feedback_acts_in_place_of_given_forces_and_a_call_may_bring_its_references(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    q, v, _ = started(arm, rng, 4)
    wanted = rng.uniform(-1, 1, (4, 2))
    law = JointFeedback(arm, [0.5, -0.2], stiffness=50.0, damping=5.0)
    stepper = made(arm, control=law, stops=False, effort_limit=None)
    run = simulated(arm, q, v, law, stops=False, effort_limit=None)
    given = simulated(
        arm, q, v, JointFeedback(arm, wanted, stiffness=50.0, damping=5.0), stops=False, effort_limit=None
    )
    (name,) = [name for name, x in law.references.items() if np.array_equal(x, [0.5, -0.2])]
    np.testing.assert_array_equal(repeated(stepper, q, v, None, MANY // 5, 5)[0], run.q[-1])
    np.testing.assert_array_equal(stepper(q, v, n=MANY, references={name: wanted})[0], given.q[-1])
    np.testing.assert_array_equal(stepper(q[0], v[0], n=MANY)[0], run.q[-1, 0])
    np.testing.assert_array_equal(stepper(q[0], v[0], n=MANY)[0], run.q[-1, 0])


def test_wrenches_and_prescribed_accelerations_are_held_through_the_steps(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    q, v, tau = started(arm, rng, 3)
    push = {"tool": rng.uniform(-1, 1, (3, 6))}
    stepper = made(arm, stops=False, effort_limit=None)
    run = simulated(arm, q, v, tau, external=push, stops=False, effort_limit=None)
    np.testing.assert_array_equal(stepper(q, v, tau, n=MANY, external=push)[0], run.q[-1])
    stepper(q, v, tau, n=2, external={"tool": np.ones(6)})
    np.testing.assert_array_equal(stepper(q, v, tau, n=MANY, external=push)[0], run.q[-1])
    wanted = rng.uniform(-1, 1, (3, 2))
    swing = made(arm, passive=["joint2"], stops=False, effort_limit=None)
    run = simulated(
        arm, q, v, tau, prescribed=sd.Prescribed(wanted, passive=["joint2"]), stops=False, effort_limit=None
    )
    np.testing.assert_array_equal(swing(q, v, tau, n=MANY, acceleration=wanted)[0], run.q[-1])


def test_rows_may_have_parameters_of_their_own(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    varied, values = arm.parametric("link2.mass"), {"link2.mass": rng.uniform(0.5, 2.0, 5)}
    q, v, tau = started(arm, rng, 5)
    run = simulated(varied, q, v, tau, parameters=values)
    stepper = made(varied, parameters=values, q0=q)
    np.testing.assert_array_equal(repeated(stepper, q, v, tau, 12, 10)[0], run.q[-1])
    assert stepper(q[0], v[0]).__class__ is tuple
    assert stepper(q[0], v[0])[0].shape == (5, 2)  # one state, five robots


@pytest.mark.slow
def test_stops_are_those_of_the_configuration_that_was_named(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v = np.zeros(6), np.zeros(6)
    q[2], v[2] = arm.model.joints[2].upper[0] - 0.01, 3.0
    run = simulated(arm, q, v, None)
    assert "position" in run.acted
    np.testing.assert_array_equal(made(arm, q0=q)(q, v, n=MANY)[0], run.q[-1])
    both = sd.Stops(1e4, 50.0)
    run = simulated(arm, q, v, None, stops=both)
    np.testing.assert_array_equal(made(arm, stops=both)(q, v, n=MANY)[0], run.q[-1])


def test_lists_integers_single_precision_and_odd_strides_are_taken(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    stepper = made(arm)
    q, v, tau = np.array([1.0, 2.0]), np.array([0.0, 1.0]), np.array([3.0, 4.0])
    expected = stepper(q, v, tau, n=3)
    for kind in (np.ndarray.tolist, lambda x: x.astype(np.float32), lambda x: np.repeat(x, 2)[::2]):
        for _ in range(2):
            for x, y in zip(stepper(kind(q), kind(v), kind(tau), n=3), expected, strict=True):
                np.testing.assert_array_equal(x, y)
    # Rows of the state, one torque for all; and the other way round.
    many = stepper(np.tile(q, (4, 1)), v, tau, n=np.int64(3))
    np.testing.assert_array_equal(many[0], np.tile(expected[0], (4, 1)))
    other = stepper(q, v, np.tile(tau, (4, 1)), n=3)
    np.testing.assert_array_equal(other[1], np.tile(expected[1], (4, 1)))
    odd = rng.uniform(size=(2, 8)).T
    np.testing.assert_array_equal(stepper(odd, odd, odd)[0], stepper(odd.copy(), odd.copy(), odd.copy())[0])


def test_results_are_new_arrays_and_arguments_stay_as_they_were(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    for batch in ((), (3,)):
        stepper = made(arm)
        q, v, tau = started(arm, rng, *batch)
        before = [x.copy() for x in (q, v, tau)]
        calls = [stepper(q, v, tau) for _ in range(3)]
        first = [x.copy() for x in calls[0]]
        arrays = [x for call in calls for x in call]
        for i, x in enumerate(arrays):
            assert x.flags.writeable
            assert not any(np.shares_memory(x, y) for y in (q, v, tau, *arrays[:i]))
        arrays[0][:] = 7.0
        for x, y in zip(stepper(q, v, tau), first, strict=True):
            np.testing.assert_array_equal(x, y)
        for x, y in zip((q, v, tau), before, strict=True):
            np.testing.assert_array_equal(x, y)


def test_an_empty_batch_gives_an_empty_one() -> None:
    arm = sd.load("planar_two_link")
    q, v = made(arm)(np.zeros((3, 0, 2)), np.zeros((3, 0, 2)), n=4)
    assert q.shape == v.shape == (3, 0, 2)


def test_a_row_without_an_answer_raises_or_is_nan_alone(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    q, v, tau = started(arm, rng, 5)
    tau[3, 1] = np.nan
    with pytest.raises(sd.SimulationError, match="torque of joint 'joint2' in row 3 is nan"):
        made(arm)(q, v, tau, n=2)
    stepper = made(arm, bad_rows="nan")
    good = stepper(q, v, np.nan_to_num(tau), n=2)
    for x, y in zip(stepper(q, v, tau, n=2), good, strict=True):
        np.testing.assert_array_equal(np.isnan(x).all(axis=-1), np.arange(5) == 3)
        np.testing.assert_array_equal(x[[0, 1, 2, 4]], y[[0, 1, 2, 4]])
    for _ in range(2):  # the second from plain arrays, in machine code
        assert np.isnan(stepper(q[3], v[3], tau[3])).all()
        assert np.isfinite(stepper(q[2], v[2], tau[2])).all()


def test_a_motion_that_runs_away_says_when_and_which_step_would_do() -> None:
    arm = sd.load("planar_two_link")
    stiff = sd.Stepper(arm, 0.01, "rk4", joint_forces=[sd.Spring("joint1", 1e7)], stops=False, effort_limit=None)
    q, v = np.array([0.3, 0.0]), np.zeros(2)
    with pytest.raises(sd.SimulationError, match=r"the step of 0.01 s is too long for joint 'joint1'"):
        stiff(q, v, n=1000)
    with pytest.raises(sd.SimulationError, match=r"overflows|runs away|is not finite"):
        repeated(stiff, q, v, None, 1000, 1)


def test_threads_may_share_a_stepper(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    stepper, states = made(arm), [started(arm, rng) for _ in range(8)]
    states[5][2][0] = np.nan
    stepper = made(arm, bad_rows="nan")
    expected = [repeated(made(arm, bad_rows="nan"), *state, 300, 1) for state in states]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda state: repeated(stepper, *state, 300, 1), states))
    np.testing.assert_array_equal(found, expected)


def gripper() -> sd.Robot:
    """Two jaws, one tied to the other."""
    b = sd.Builder("gripper", gravity=(0, 0, 0))
    b.link("left", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0), joint_name="leader")
    mimic = Mimic("leader", -2.0, 0.1)
    b.link("right", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0), joint_name="follower", mimic=mimic)
    return sd.Robot(b.model(mimic="tie"))


@pytest.mark.parametrize(
    "robot", [gripper(), sd.Robot(sd.load("planar_two_link").model, "numpy")], ids=["tied", "numpy"]
)
def test_without_machine_code_steps_are_those_of_a_simulation_in_python(
    robot: sd.Robot, rng: np.random.Generator
) -> None:
    q, v, tau = started(robot, rng, 2)
    stepper = made(robot, q0=q)
    found = repeated(stepper, q, v, tau, 5, 2)
    run = simulated(robot, q, v, tau, steps=10)
    np.testing.assert_array_equal(found[0], run.q[-1])
    np.testing.assert_array_equal(found[1], run.v[-1])
    assert all(x.flags.writeable for x in (q, v, tau, *found))
    with pytest.raises(sd.SimulationError, match="is nan"):
        stepper(q, v, np.nan * tau)


def test_a_stepper_can_be_sent_to_another_process(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    q, v, tau = started(arm, rng)
    stepper = made(arm, joint_forces=[sd.Damper("joint1", 2.0)])
    again = pickle.loads(pickle.dumps(stepper))
    assert repr(again) == repr(stepper) == "<Stepper of 'planar_two_link': semi-implicit, 0.00390625 s>"
    np.testing.assert_array_equal(again(q, v, tau, n=5), stepper(q, v, tau, n=5))
