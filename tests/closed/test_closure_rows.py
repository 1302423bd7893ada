"""Closures row by row: errors, Jacobians and drifts against the dense oracle and complex steps."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import close
from closed_robots import random_closed
from random_robots import random_q, random_v
from soadyn.mechanics.joint.closure_kinds import CLOSURE_KINDS
from soadyn.theory.oracle.dense_closures import STEP, DenseClosures, coordinate_rates

EVERY = (*CLOSURE_KINDS, "other")


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("root", ["fixed", "free"])
def test_rows_of_every_kind_are_those_of_the_oracle(kind: str, root: str, rng: np.random.Generator) -> None:
    for _ in range(6):
        model, closed_at = random_closed(rng, 6, cuts=2, couplings=2, kind=kind, root=root)
        robot = sd.Robot(model, "numpy")
        assert np.abs(robot.closure_error(closed_at)).max() < 1e-13
        q, v = random_q(rng, model), random_v(rng, model)
        dense = DenseClosures(model, q, v)
        assert close(robot.closure_error(q), dense.error, 1e-13)
        assert close(robot.closure_jacobian(q), dense.jacobian, 1e-13)
        assert close(robot.closure_drift(q, v), dense.drift, 1e-12)
        assert close(robot.closure_inertia_inverse(q), dense.inertia_inverse, 1e-10)


@pytest.mark.parametrize("kind", EVERY)
def test_the_rate_of_the_error_is_the_jacobian_times_rates_on_the_closure_and_off_it(
    kind: str, rng: np.random.Generator
) -> None:
    for _ in range(6):
        model, closed_at = random_closed(rng, 5, cuts=2, couplings=1, kind=kind, root="free")
        robot = sd.Robot(model, "numpy")
        for q in (closed_at, random_q(rng, model)):
            v = random_v(rng, model)
            ahead = q + 1j * STEP * coordinate_rates(model, q, v)
            J = robot.closure_jacobian(q)
            rate = robot.closure_error(ahead).imag / STEP
            if kind == "rolling":  # two of its rows hold rates alone
                names = [name for each in robot.closures for name in [each.kind] * len(each.rows)]
                holds_rate = [name.startswith("rolling") for name in names]
                first = [holds and (i == 0 or i == 3) for i, holds in enumerate(holds_rate)]
                positions = np.array([not holds or f for holds, f in zip(holds_rate, first, strict=True)])
            else:
                positions = np.ones(len(J), dtype=bool)
            assert close(rate[positions], (J @ v)[positions], 1e-13)
            assert close(robot.closure_jacobian(ahead).imag / STEP @ v, robot.closure_drift(q, v), 1e-12)
            assert close(DenseClosures(model, ahead).error.imag / STEP, rate, 1e-12)


def test_native_code_and_batches_give_what_the_reference_gives(form: str, rng: np.random.Generator) -> None:
    for root in ("fixed", "free"):
        model, _ = random_closed(rng, 6, cuts=3, couplings=2, root=root)
        reference, native = sd.Robot(model, "numpy"), sd.Robot(model, form)
        q, v = random_q(rng, model, (7,)), random_v(rng, model, (7,))
        for name, given in (
            ("closure_error", (q,)),
            ("closure_jacobian", (q,)),
            ("closure_drift", (q, v)),
            ("closure_inertia_inverse", (q,)),
        ):
            expected, found = getattr(reference, name)(*given), getattr(native, name)(*given)
            assert close(found, expected, 1e-11), name
            assert close(getattr(native, name)(*(x[3] for x in given)), expected[3], 1e-11), name


def test_derivatives_of_errors_are_jacobians(rng: np.random.Generator) -> None:
    model, _ = random_closed(rng, 5, cuts=2, couplings=1, kind="helical", root="free")
    robot = sd.Robot(model)
    q, v, w = random_q(rng, model), random_v(rng, model), rng.standard_normal(11)
    error, rate = robot.jvp("closure_error", (q,), (v,))
    J = robot.closure_jacobian(q)
    assert close(error, robot.closure_error(q), 1e-13)
    assert close(rate, J @ v, 1e-12)
    assert close(robot.vjp("closure_error", (q,), w)[1][0], w @ J, 1e-12)
