"""Every feedback inside machine code: in rollouts as in Python, and as C that a compiler accepts."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported, like_the_kernels
from feedback_cases import SUBJECTS, Subject, feedbacks, random_states
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.run import rollout

SMALL = ("planar", "a passive joint")
OTHERS = tuple(name for name in SUBJECTS if name not in SMALL)


def assert_same_motion(at: Subject, feedback: sd.control.Feedback, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    for compiled in (False, True):
        monkeypatch.setattr(rollout, "suits", lambda problem, compiled=compiled: compiled)
        v0 = 0.1 * np.ones(at.robot.nv)
        runs.append(
            sd.simulate(
                at.robot,
                at.q,
                v0,
                control=feedback,
                duration=0.02,
                step=0.01,
                sampled=True,
                stops=False,
                effort_limit=None,
            )
        )
    assert rollout.possible(runs[1].derivatives.problem)
    fastest = max(1.0, np.abs(runs[0].v).max())
    np.testing.assert_allclose(runs[1].q, runs[0].q, rtol=0, atol=1e-12 * fastest)
    np.testing.assert_allclose(runs[1].v, runs[0].v, rtol=0, atol=1e-10 * fastest)


def assert_same_as_c(at: Subject, feedback: sd.control.Feedback, folder, rng: np.random.Generator) -> None:
    exported = Exported(feedback, folder, *like_the_kernels())
    values = [x.values[0] if isinstance(x, TimeSeries) else x for x in feedback.references.values()]
    names = [name for const, _, name, _ in exported.arrays if const]
    assert names[:2] == ["q", "v"]
    for q, v in zip(*random_states(at, rng, 20), strict=True):
        wanted = feedback(-1.0, q, v)
        status, (tau,) = exported(q, v, *values)
        assert status == 0
        assert np.abs(tau - wanted).max() <= 1e-12 * max(1.0, np.abs(wanted).max())


def test_feedbacks_run_inside_rollouts(monkeypatch) -> None:
    at = SUBJECTS["planar"]()
    some = feedbacks(at)
    for name in ("OperationalSpace", "Impedance with an inertia", "ResolvedRate", "PoseFeedback", "DecoupledControl"):
        assert_same_motion(at, some[name], monkeypatch)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.heavy(2)
def test_feedbacks_as_c_give_the_same_torques(name, tmp_path, rng) -> None:
    at = SUBJECTS[name]()
    for feedback in feedbacks(at).values():
        assert_same_as_c(at, feedback, tmp_path, rng)


def assert_same_compiled(at: Subject, feedback: sd.control.Feedback, rng: np.random.Generator) -> None:
    q, v = random_states(at, rng, 20)
    wanted, compiled = feedback(0.1, q, v), feedback.compiled()
    scale = np.abs(wanted).max(axis=-1, initial=1.0)
    assert (np.abs(compiled(0.1, q, v) - wanted).max(axis=-1) <= 1e-12 * scale).all()
    np.testing.assert_array_equal(compiled(0.1, q[3], v[3]), compiled(0.1, q, v)[3])


def test_a_feedback_is_refused_a_time_that_is_no_number() -> None:
    """Also where no reference depends on time, in Python and compiled."""
    arm = sd.load("planar_two_link")
    q, v = np.zeros((2, 2))
    moving = sd.TimeSeries([0.0, 1.0], np.zeros((2, 2)))
    for reference in (q, moving):
        feedback = sd.control.ComputedTorque(arm, reference)
        for function in (feedback, feedback.compiled()):
            for t in (np.nan, np.array(np.nan), np.float32(np.nan), "0", None, [0.0, [1.0]], 1j):
                with pytest.raises(sd.ArgumentError, match="ComputedTorque: t must be a time in seconds, got"):
                    function(t, q, v)
            assert np.isfinite(function(0, q, v)).all()


def test_a_compiled_feedback_is_the_same_function(rng) -> None:
    at = SUBJECTS["planar"]()
    some = feedbacks(at)
    assert_same_compiled(at, some["OperationalSpace"], rng)
    reference = sd.control.RateFeedback(at.robot.with_backend("numpy"), 2.0)
    assert np.array_equal(reference.compiled()(0.0, at.q, at.q), reference(0.0, at.q, at.q))
    unknown = some["RateFeedback"].compiled()(0.0, [at.q, [np.nan, 0.0]], at.q)
    assert np.isnan(unknown[1]).all()
    assert np.isfinite(unknown[0]).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_compiled_feedbacks_are_the_same_functions(name, rng) -> None:
    at = SUBJECTS[name]()
    for feedback in feedbacks(at).values():
        assert_same_compiled(at, feedback, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_every_feedback_runs_inside_rollouts(name, monkeypatch) -> None:
    at = SUBJECTS[name]()
    for feedback in feedbacks(at).values():
        assert_same_motion(at, feedback, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_feedbacks_of_larger_robots_as_c_give_the_same_torques(name, tmp_path, rng) -> None:
    at = SUBJECTS[name]()
    for feedback in feedbacks(at).values():
        assert_same_as_c(at, feedback, tmp_path, rng)
