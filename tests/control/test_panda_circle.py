"""A Panda draws a circle of 0.1 m in 2 s in operational space: with the true model, and with one that is 5 % off."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd

FRAME, RADIUS, DURATION, SAMPLE = "panda_link8", 0.1, 2.0, 0.001
START = np.array([0.0, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8])
ERROR, ROWS = 0.05, 64


def circle(arm: sd.Robot) -> tuple[np.ndarray, sd.paths.Motion]:
    """The centre, and the motion once around."""
    center = arm.pose(START, FRAME)[:3, 3] - [0.0, RADIUS, 0.0]
    path = sd.paths.arc(arm, START, FRAME, center, [1.0, 0.0, 0.0], 2 * np.pi)
    return center, sd.paths.quintic(path, duration=DURATION)


def miss(arm: sd.Robot, run: sd.Trajectory) -> np.ndarray:
    """How far the frame is from where it should be on the circle at each moment, m."""
    center, motion = circle(arm)
    angle = 2 * np.pi * motion.along(np.minimum(run.t, DURATION))[0]
    wanted = center + RADIUS * np.stack([0 * angle, np.cos(angle), np.sin(angle)], axis=-1)
    found = arm.pose(run.q, FRAME)[..., :3, 3]
    return np.linalg.norm(found - wanted.reshape(len(wanted), *(1,) * (found.ndim - 2), 3), axis=-1)


def control(arm: sd.Robot) -> sd.control.OperationalSpace:
    return sd.control.OperationalSpace(arm, {FRAME: circle(arm)[1]}, bandwidth=30.0, posture=START)


@pytest.mark.slow
def test_with_the_true_model_the_circle_is_within_a_tenth_of_a_millimetre() -> None:
    arm = sd.load("panda")
    run = sd.simulate(arm, START, control=control(arm), duration=DURATION, step=SAMPLE, record_every=0.01, sampled=True)
    assert miss(arm, run).max() < 1e-4


@pytest.mark.slow
def test_with_every_inertial_parameter_5_percent_off_it_is_within_2_millimetres(rng) -> None:
    """Each mass, coordinate of a mass centre and tensor of inertia is 5 % too large or too small, in 64 ways.

    The controller is asked a thousand times a second, its torques come one sample late, and effort limits are on.
    """
    arm = sd.load("panda")
    values = {}
    for link in arm.model.links:
        sides = {"mass": (ROWS,), "com": (ROWS, 3), "inertia": (ROWS, 1, 1)}
        for figure, shape in sides.items():
            off = 1 + ERROR * rng.choice([-1.0, 1.0], shape)
            values[f"{link.name}.{figure}"] = off * np.array(getattr(link, figure))
    run = sd.simulate(
        arm.parametric(*values),
        START,
        control=control(arm),
        duration=DURATION,
        step=SAMPLE,
        record_every=0.01,
        sampled=True,
        delay=1,
        parameters=values,
    )
    worst = miss(arm, run).max(axis=0)
    assert worst.max() < 2e-3
    assert np.median(worst) > 1e-4  # the errors are felt
