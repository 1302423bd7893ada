"""What public objects print as: a line that says what they are, never an address; what completion offers of `sd`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

import soadyn as sd
from feedback_cases import SUBJECTS, feedbacks
from soadyn import control, estimation, optimal, studies

ADDRESS = " at 0x"
LONGEST = 250


def public(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Everything that a package and its packages export."""
    for name in module.__all__:
        x = getattr(module, name)
        if isinstance(x, ModuleType):
            yield from public(x)
        else:
            yield f"{module.__name__}.{name}", x


EXPORTED = dict(public(sd))


def test_every_public_class_says_what_it_is() -> None:
    classes = {name: x for name, x in EXPORTED.items() if inspect.isclass(x) and not inspect.isabstract(x)}
    assert len(classes) > 50
    assert not [name for name, x in classes.items() if x.__repr__ is object.__repr__]


def test_every_public_value_says_what_it_is() -> None:
    values = {name: x for name, x in EXPORTED.items() if not callable(x)}
    assert "soadyn.papers" in values
    assert not [name for name, x in values.items() if ADDRESS in repr(x)]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_feedbacks_name_their_robot_and_references(subject: str) -> None:
    at = SUBJECTS[subject]()
    for feedback in feedbacks(at).values():
        text = repr(feedback)
        assert text.startswith(f"<{type(feedback).__name__} of {at.robot.name!r}")
        assert all(name in text for name in feedback.references)
        assert ADDRESS not in text
        assert len(text) < LONGEST


def test_objects_in_a_line() -> None:
    arm, q = sd.load("planar_two_link"), np.array([0.5, 0.2])
    path = sd.TimeSeries([0.0, 1.0, 2.0], [q, q, q])
    cost = optimal.Cost(arm, q, state_weight=1.0, effort_weight=1.0, passive=["joint1"])
    observer = estimation.MomentumObserver(arm, gain=[20.0, 50.0])
    observed = repr(observer)
    observer.update(0.25, q, q, q)
    builder = sd.Builder("pendulum")
    builder.link("bob", sd.Body(1.0))
    assert [
        repr(control.ComputedTorque(arm, path)),
        repr(control.RateFeedback(arm, 2.0)),
        repr(cost),
        observed,
        repr(observer),
        repr(builder),
        repr(studies.Histogram(0.0, 1.0, bins=4)),
        repr(studies.Function(len)),
    ] == [
        "<ComputedTorque of 'planar_two_link': references q at 3 times>",
        "<RateFeedback of 'planar_two_link'>",
        "<Cost of 'planar_two_link': goal [0.5, 0.2], 1 of 2 components have motors>",
        "<MomentumObserver of 'planar_two_link': gain 20 to 50 1/s, no sample yet>",
        "<MomentumObserver of 'planar_two_link': gain 20 to 50 1/s, last sample at 0.25 s>",
        "<Builder of 'pendulum': 1 links, 1 joints>",
        "Histogram(0.0, 1.0, bins=4)",
        "<Function len>",
    ]
    payload = repr(estimation.PayloadEstimator(arm, "tool", torque_std=0.1))
    assert payload == "<PayloadEstimator of 'planar_two_link' at 'tool': 0 ± 5 kg>"


def test_a_long_goal_is_cut() -> None:
    chain = sd.chain(30)
    assert "0, 0, ...]" in (text := repr(optimal.Cost(chain, np.zeros(30), state_weight=1.0, effort_weight=1.0)))
    assert len(text) < LONGEST


def test_a_capture_in_a_line() -> None:
    both = sd.load("ets_vii").attach(sd.chain(1, root="free"), "ground", name_prefix="target_")
    v = np.zeros(both.nv)
    v[both.joint_dofs("target_root")] = [0.1, 0.0, 0.0, 0.0, 0.0, 0.2]
    held = sd.capture(both, both.neutral(), v, "target_base", "link_ee")
    force = np.linalg.norm(held.impulse[3:])
    assert f"and {force:.4g} N s, {held.energy_loss:.4g} J lost>" in repr(held)
    assert "\n" not in repr(held)


def test_tables_of_robots_and_papers_have_a_line_for_each() -> None:
    for table in (sd.robots(), sd.papers):
        lines = repr(table).splitlines()[1:]
        assert [line.partition("  ")[0] for line in lines] == list(table)
        assert max(map(len, lines)) < 160


def test_completion_offers_public_names_only() -> None:
    for module in (sd, sd.view):
        assert [name for name in dir(module) if not name.startswith("_")] == sorted(module.__all__)
        assert "__doc__" in dir(module)
    assert sd.errors.SoadynError is sd.SoadynError  # what is not offered is there as before
