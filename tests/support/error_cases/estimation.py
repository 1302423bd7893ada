"""Dynamics as estimation: fields, models for Kalman software, touch, parameters."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

ESTIMATION = (
    Case(
        "an unknown random variable",
        'sd.estimation.RandomField(arm, q).covariance("epsilom")',
        sd.UnknownNameError,
        "unknown variable 'epsilom'. Did you mean 'epsilon'",
    ),
    Case(
        "samples without a generator",
        "sd.estimation.RandomField(arm, q).sample(0, 10)",
        sd.ArgumentError,
        "samples are drawn with a numpy.random.Generator, got int",
    ),
    Case(
        "a field of forces in a body that cannot be",
        'sd.estimation.RandomField(sd.load("puma560"), np.zeros(6)).points()',
        sd.ModelError,
        "link 'link3' of robot 'puma560' has principal moments of which one exceeds the sum of the others",
    ),
    Case(
        "a random field of something else",
        'sd.estimation.RandomField("ur5", q)',
        sd.ArgumentError,
        "RandomField takes a Robot, as sd.load makes them, got str",
    ),
    Case(
        "a Kalman model of several states",
        "sd.estimation.kalman_model(arm, np.zeros((3, 2)))",
        sd.ArgumentError,
        r"kalman_model takes one state; q has shape \(3, 2\), v \(2,\)",
    ),
)
