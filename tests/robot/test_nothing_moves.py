"""A robot whose links are all welded to the ground has no joints: results are empty, or an error says why."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import mass, theta_ddot
from soadyn.quantities import QUANTITIES


@pytest.fixture(scope="module")
def statue() -> sd.Robot:
    b = sd.Builder("statue")
    b.fixed("base", sd.Body(1.0))
    return b.robot()


@pytest.mark.filterwarnings("ignore:.*came out NaN:RuntimeWarning")
@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_has_an_answer_or_says_why_not(statue: sd.Robot, name: str) -> None:
    method = getattr(statue, name)
    options: dict[str, Any] = {"frame": "base", "frames": ["base"], "f": np.zeros(6)}
    given = {
        x.name: options.get(x.name, np.zeros(0))
        for x in inspect.signature(method).parameters.values()
        if x.default is x.empty
    }
    with contextlib.suppress(sd.SoadynError):  # any other error is a failure
        method(**given)


def test_formulas_and_linear_models_are_empty(statue: sd.Robot) -> None:
    q = statue.neutral()
    assert sd.compile(mass @ theta_ddot, statue)(q, np.zeros(0)).shape == (0,)
    assert [x.shape for x in statue.linearize(q, q, q)] == [(0, 0), (0, 0)]
    assert statue.base_parameters().names == ()
    assert statue.mass(q).log_determinant() == 0.0
    assert sd.estimation.MomentumObserver(statue, 1.0).update(0.0, q, q, q).shape == (0,)
    assert sd.estimation.RandomField(statue, q).sample(np.random.default_rng(0), 3).T.shape == (3, 0)


@pytest.mark.parametrize(
    "asked",
    [
        lambda robot: robot.mass([]).condition(),
        lambda robot: robot.mass([]).plot(),
        sd.is_flat,
        sd.estimation.design_excitation,
        lambda robot: sd.estimation.build_kalman_model(robot, []),
        lambda robot: sd.estimation.identify(robot, *np.zeros((4, 5, 0))),
    ],
    ids=["condition", "plot", "is_flat", "excitation", "build_kalman_model", "identify"],
)
def test_what_needs_joints_is_refused_in_words(statue: sd.Robot, asked: Callable[[sd.Robot], object]) -> None:
    with pytest.raises(sd.SoadynError, match="statue"):
        asked(statue)
