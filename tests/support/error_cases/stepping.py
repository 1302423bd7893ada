"""Steps from a loop of one's own."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

STEPPING = (
    Case(
        "a stepper of steps without length",
        "sd.Stepper(arm, 0.0)",
        sd.ArgumentError,
        "Stepper: step must be a positive number, got 0.0",
    ),
    Case(
        "a stepper by a method that carries more than a state",
        'sd.Stepper(arm, 0.01, "adaptive")',
        sd.ArgumentError,
        'method "adaptive" carries more than a state from step to step; take "rk4", or sd\\.simulate',
    ),
    Case(
        "a stepper by an unknown method",
        'sd.Stepper(arm, 0.01, "rk45")',
        sd.UnknownNameError,
        "unknown method of Stepper 'rk45'",
    ),
    Case(
        "a method that does not know joints that stick",
        'sd.Stepper(arm, 0.01, "diagonalized", joint_forces=[sd.Friction("joint1", 1.0)])',
        sd.ArgumentError,
        'Stepper: method "diagonalized" knows neither joints that stick',
    ),
    Case(
        "a function of Python as a stepper's torque",
        "sd.Stepper(arm, 0.01, control=lambda t, q, v: -v)",
        sd.ArgumentError,
        "control is a feedback of sd.control, got function; joint forces are given at each call",
    ),
    Case(
        "a stepper's feedback with references in time",
        "there = sd.TimeSeries([0.0, 1.0], [[0.0, 0.0], [1.0, 1.0]])\n"
        "sd.Stepper(arm, 0.01, control=sd.control.ComputedTorque(arm, there))",
        sd.ArgumentError,
        "are samples in time, which a stepper does not know; make it constant",
    ),
    Case(
        "bad rows of a stepper that should do something else",
        'sd.Stepper(arm, 0.01, bad_rows="skip")',
        sd.ArgumentError,
        'Stepper: bad_rows is "raise" or "nan", got \'skip\'',
    ),
    Case(
        "half a step",
        "sd.Stepper(arm, 0.01)(q, v, n=0.5)",
        sd.ArgumentError,
        "Stepper: n must be a whole number from 1 to 1e\\+09, got 0.5",
    ),
    Case(
        "joint forces for other joints",
        "sd.Stepper(arm, 0.01)(q, v, [1.0, 2.0, 3.0])",
        sd.ShapeError,
        "argument 'tau' has shape \\(3,\\); expected \\(..., 2\\)",
    ),
    Case(
        "a state and joint forces of other batches",
        "sd.Stepper(arm, 0.01)(np.zeros((3, 2)), v, np.zeros((4, 2)))",
        sd.ShapeError,
        "batch axes do not broadcast: q \\(3,\\), tau \\(4,\\)",
    ),
    Case(
        "a function of Python in place of joint forces",
        "sd.Stepper(arm, 0.01)(q, v, lambda t, q, v: -v)",
        sd.ArgumentError,
        "Stepper: tau is held through a call's steps; got a function of time or state",
    ),
    Case(
        "joint forces beside a feedback",
        "sd.Stepper(arm, 0.01, control=sd.control.ComputedTorque(arm, q))(q, v, tau)",
        sd.ArgumentError,
        "the torque is that of <ComputedTorque .*>; leave out tau, or make a stepper without control=",
    ),
    Case(
        "references without a feedback",
        'sd.Stepper(arm, 0.01)(q, v, references={"q": q})',
        sd.ArgumentError,
        "references are those of a feedback, control=, and this stepper has none",
    ),
    Case(
        "references that are no dict",
        "sd.Stepper(arm, 0.01, control=sd.control.ComputedTorque(arm, q))(q, v, references=[q])",
        sd.ArgumentError,
        "Stepper: references are a dict of arrays by name, got list",
    ),
    Case(
        "a reference that a feedback does not have",
        'sd.Stepper(arm, 0.01, control=sd.control.ComputedTorque(arm, q))(q, v, references={"pose": q})',
        sd.UnknownNameError,
        "unknown reference 'pose' of ComputedTorque",
    ),
    Case(
        "directions of sliding for joints that do not stick",
        "sd.Stepper(arm, 0.01)(q, v, sliding=[1.0, 0.0])",
        sd.ShapeError,
        "argument 'sliding' has shape \\(2,\\); expected \\(..., 0\\), 1, -1 or 0 for each component that sticks",
    ),
    Case(
        "joint forces that are not finite, held through steps",
        "sd.Stepper(arm, 0.01)(np.zeros((3, 2)), v, [[0.0, 0.0], [np.nan, 0.0], [0.0, 0.0]])",
        sd.SimulationError,
        "the torque of joint 'joint1' in row 1 is nan",
    ),
)
