"""A warning points at the line of the caller, whatever was called and however it is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import H, M, T, a, b, inv, mass, phi

ARM = sd.load("planar_two_link")
BAD = np.array([np.nan, 0.0])
ROWS = np.array([[0.0, 0.0], [np.nan, 0.0]])
V = np.ones(2)
PARAMETRIC = ARM.parametric("gravity")
BIAS = sd.compile(H @ phi @ (M @ phi.T @ a + b), ARM)
ACCELERATION = sd.compile(inv(mass) @ T, ARM)
TOGETHER = (("pose", "tool"),)
IMPOSSIBLE = np.diag([1.0, 1.0, 5.0])

CALLS: dict[str, Callable[[], Any]] = {
    "one state": lambda: ARM.mass_matrix(BAD),
    "one state of lists": lambda: ARM.mass_matrix(list(BAD)),
    "a batch": lambda: ARM.forward_dynamics(ROWS, V, V),
    "hybrid": lambda: ARM.hybrid_dynamics(BAD, V, V, V, passive=["joint2"]),
    "a passive set": lambda: ARM.disturbance_jacobian(ROWS, ["joint1"]),
    "several frames": lambda: ARM.operational_inertia_inverse(BAD, ["tool", "link1"]),
    "a null space": lambda: ARM.reaction_null_space(BAD, ["joint1"]),
    "the reference": lambda: ARM.with_backend("numpy").gravity_force(BAD),
    "a state's property": lambda: ARM.at(BAD, V).mass_matrix,
    "a state's method": lambda: ARM.at(ROWS, V).pose("tool"),
    "together": lambda: ARM.at(BAD, V, together=TOGETHER),
    "a batch together": lambda: ARM.at(ROWS, V, together=TOGETHER),
    "a compiled formula": lambda: BIAS(BAD, V),
    "a compiled batch": lambda: BIAS(ROWS, V),
    "an applied inverse": lambda: ACCELERATION(BAD, V),
    "parametric": lambda: PARAMETRIC.gravity_force(BAD, [0.0, 0.0, -9.81]),
    "a parametric batch": lambda: PARAMETRIC.gravity_force(ROWS, [0.0, 0.0, -9.81]),
    "a payload": lambda: ARM.with_payload("tool", 1.0, inertia=IMPOSSIBLE),
    "a built robot": lambda: sd.build(_impossible()),
}


def _impossible() -> sd.Builder:
    builder = sd.Builder("impossible")
    builder.link("arm", sd.Body(1.0, inertia=IMPOSSIBLE), axis=(0, 0, 1))
    return builder


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_warning_points_at_the_callers_line_at_the_first_call_and_later(call: Callable[[], Any]) -> None:
    for _ in range(3):
        with pytest.warns((UserWarning, RuntimeWarning)) as told:
            call()
        assert [warning.filename for warning in told] == [__file__]
