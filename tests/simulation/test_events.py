"""Events of simulations: found to rounding, in order, with what they do; and warnings where limits are passed."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from small_robots import slider


def thrown(**options):
    """A mass of 2 kg at 1 m/s against 4 N: it turns back after half a second, at a quarter of a metre."""
    return sd.simulate(slider(), [0.0], [1.0], control=[-4.0], duration=1.0, step=0.03, **options)


def test_a_stop_is_where_the_function_is_zero():
    run = thrown(events=sd.Event(lambda t, q, v: v[0], "stop", name="turn"))
    assert run.t[-1] == pytest.approx(0.5, abs=1e-13)
    assert run.q[-1, 0] == pytest.approx(0.25, abs=1e-13)
    assert run.events == ((run.t[-1], "turn"),)
    assert not run.interrupted


def test_events_come_in_their_order_and_directions():
    passes = [
        sd.Event(lambda t, q, v: q[0] - 0.2, name="either"),
        sd.Event(lambda t, q, v: q[0] - 0.2, direction=1, name="out"),
        sd.Event(lambda t, q, v: q[0] - 0.2, direction=-1, name="back"),
        sd.Event(lambda t, q, v: q[0] - 0.1, name="early"),
    ]
    run = thrown(events=passes)
    names = [name for _, name in run.events]
    assert names[0] == names[-1] == "early"
    assert sorted(names[1:-1]) == ["back", "either", "either", "out"]
    root = np.sqrt(1 - 4 * 0.2)
    for t, name in run.events:
        times = (1 - np.sqrt(0.6)) / 2, (1 + np.sqrt(0.6)) / 2, (1 - root) / 2, (1 + root) / 2
        assert min(abs(t - x) for x in times) < 1e-12, name
    assert np.isin([t for t, _ in run.events], run.t).all()  # each has a record


def test_a_function_may_change_the_state():
    # A wall at 0.1 m that returns half the speed.
    wall = sd.Event(lambda t, q, v: q[0] - 0.1, lambda t, q, v: (q, -0.5 * v), direction=1, name="wall")
    run = sd.simulate(slider(), [0.0], [1.0], duration=0.5, step=0.03, events=[wall])
    assert run.events == ((pytest.approx(0.1, abs=1e-12), "wall"),)
    assert run.v[-1, 0] == pytest.approx(-0.5)
    assert run.q[-1, 0] == pytest.approx(0.1 - 0.5 * 0.4)
    noted = []
    thrown(events=[sd.Event(lambda t, q, v: v[0], lambda t, q, v: noted.append(t))])
    assert noted == [pytest.approx(0.5, abs=1e-12)]


def test_adaptive_steps_find_events_within_them():
    stop = thrown(events=sd.Event(lambda t, q, v: v[0], "stop", name="turn"), method="adaptive")
    assert stop.t[-1] == pytest.approx(0.5, abs=1e-12)
    assert stop.q[-1, 0] == pytest.approx(0.25, abs=1e-12)
    assert stop.events == ((stop.t[-1], "turn"),)
    assert (np.diff(stop.t) > 0).all()
    passes = sd.Event(lambda t, q, v: q[0] - 0.2, name="pass")  # twice within a fifth of the motion
    noted = thrown(events=passes, method="adaptive")
    times = [(1 - np.sqrt(0.2)) / 2, (1 + np.sqrt(0.2)) / 2]
    np.testing.assert_allclose([t for t, _ in noted.events], times, atol=1e-10)
    np.testing.assert_allclose(noted.q[:, 0], noted.t - noted.t**2, atol=1e-9)
    assert np.isin([t for t, _ in noted.events], noted.t).all()
    wall = sd.Event(lambda t, q, v: q[0] - 0.1, lambda t, q, v: (q, -0.5 * v), direction=1, name="wall")
    run = sd.simulate(slider(), [0.0], [1.0], duration=0.5, step=0.03, events=[wall], method="adaptive")
    assert run.events == ((pytest.approx(0.1, abs=1e-12), "wall"),)
    assert run.q[-1, 0] == pytest.approx(0.1 - 0.5 * 0.4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sd.Event(3.0), r"when is a function of \(t, q, v\), got 3.0"),
        (lambda: sd.Event(lambda t, q, v: 0.0, "jump"), "do is \"stop\", \"note\" or a function"),
        (lambda: sd.Event(lambda t, q, v: 0.0, direction=2), "direction is 1, -1 or 0, got 2"),
        (lambda: thrown(events=["stop"]), "events are a list of sd.Event"),
        (lambda: thrown(events=sd.Event(lambda t, q, v: "high")), "must be a finite number at t = 0 s"),
        (lambda: thrown(events=sd.Event(lambda t, q, v: v[0], lambda t, q, v: 7)), r"returns None or \(q, v\), got 7"),
        (
            lambda: sd.simulate(slider(), [[0.0], [1.0]], duration=5.0, events=sd.Event(lambda t, q, v: 1.0)),
            r"events are of one motion, not of a batch \(2,\)",
        ),
    ],
)  # fmt: skip
def test_bad_events_are_named(make, message):
    with pytest.raises(sd.ArgumentError, match=message):
        make()


def test_prescribed_accelerations_that_pass_limits_are_told():
    robot = slider(effort=1.0, upper=0.1)
    with pytest.warns(RuntimeWarning, match="took joints of 'slider' beyond their limits: 'slide'"):
        run = sd.simulate(robot, [0.0], prescribed=sd.Prescribed([2.0]), duration=0.5, step=0.01)
    assert run.q[-1, 0] == pytest.approx(0.25)
    sd.simulate(robot, [0.0], prescribed=sd.Prescribed([0.1]), duration=0.5, step=0.01)  # within them: no warning


def test_a_moment_is_found_in_few_steps():
    """Each place at which a moment is sought is a whole step of the robot."""
    asked: list[float] = []

    def level(t, q, v):
        asked.append(t)
        return q[0]

    arm = sd.load("planar_two_link")
    fall = sd.simulate(arm, [0.3, 0.0], duration=2.0, step=0.01, events=[sd.Event(level, do="stop")])
    (moment,) = (t for t, _ in fall.events)
    sought = [t for t in asked if abs(t - moment) < 0.009]
    assert abs(fall.q[-1, 0]) < 1e-13
    assert len(set(sought)) <= 10
