"""Every rate and sensitivity of the calculus against complex steps of the dense operators, on arms of every kind.

The dense operators are matrices along inertial axes, so that their imaginary parts are the inertial derivatives of 000.
What compiled operators hold is along the links' axes: there the derivative of an operator lacks W x + x W*.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import D, M, P, W_omega, phi, psi, rate, sensitivity
from soadyn.algebra.calculus import sensitivity_of_row
from soadyn.algebra.calculus_rows import CLOSED_FORMS, ELEMENTS, ROWS, RateRow
from soadyn.algebra.expressions import Expression, Sum, total
from soadyn.algebra.velocity_operators import Along
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues
from soadyn.theory.oracle.specimens import FAMILY, Specimen

STEP, EXACT, FALSE = 1e-25, 1e-11, 1e-6
# Further arms for rows that need single joints without armature.
ARMS = (*FAMILY, *(Specimen(seed, "fork" if seed % 2 else "chain") for seed in range(21, 26)))


def joints_of(specimen: Specimen) -> list[tuple[str, int]]:
    """The last component of each of the first four joints."""
    model = specimen.model()
    return [(joint.name, dofs.stop - dofs.start - 1) for joint, dofs in zip(model.joints, model.v_slices, strict=True)][
        :4
    ]


@cache
def values(specimen: Specimen) -> DenseValues:
    robot = specimen.robot()
    return DenseValues(robot, vectors={"theta_ddot": acceleration(specimen)})


def acceleration(specimen: Specimen) -> np.ndarray:
    return np.random.default_rng(specimen.seed).standard_normal(specimen.robot().nv)


@cache
def moved(specimen: Specimen, joint: Along | None) -> DenseValues:
    """The arm after a small imaginary step along its motion, or along one joint component with the rates held."""
    robot, dense = sd.Robot(specimen.model()), specimen.robot()
    along, a = dense.v, acceleration(specimen)
    if joint is not None:
        along, a = np.eye(robot.nv)[robot.joint_dofs(joint[0])[joint[1]]], 0 * a
    q = robot.integrate(dense.q.astype(complex), 1j * STEP * along)
    return DenseValues(DenseRobot(robot.model, q, dense.v + 1j * STEP * a))


def promised(row: RateRow, specimen: Specimen) -> bool:
    kept = {"A_r = 0": not specimen.armature, "single joints": specimen.joints == "single"}
    return all(kept[need] for need in row.needs)


def arms(row: RateRow) -> list[Specimen]:
    return [specimen for specimen in ARMS if promised(row, specimen)]


def error(x: Expression, claimed: Expression, specimen: Specimen, joint: Along | None = None) -> float:
    """How far a claimed derivative is from the complex step, relative to both and to the operator itself."""
    found, here = moved(specimen, joint).of(x).imag / STEP, values(specimen)
    size = max(abs(found).max(), abs(here.of(x)).max(), 1e-3)
    return float(abs(here.of(claimed) - found).max() / size)


def spoilt(claimed: Expression, x: Expression) -> Expression:
    """The same with the sign of its first term changed; of zero the operator itself."""
    if isinstance(claimed, Sum) and claimed.terms:
        (number, first), *rest = claimed.terms
        return total(((-number, first), *rest))
    return x if isinstance(claimed, Sum) else -claimed


def test_the_table_is_as_large_as_asked() -> None:
    assert 2 * len(ROWS) >= 40, "each row is a rate and a sensitivity"
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert len(arms(row)) >= (6 if row.needs else 10)
    kinds = {joint.kind for specimen in FAMILY for joint in specimen.model().joints}
    assert kinds >= {"revolute", "prismatic", "helical", "cylindrical", "planar", "spherical", "free"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_000_a_rate_is_the_complex_step_along_the_motion(row: RateRow) -> None:
    assert max(error(row.of, row.rate, specimen) for specimen in arms(row)) < EXACT


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_000_a_sensitivity_is_the_complex_step_along_a_joint(row: RateRow) -> None:
    for specimen in arms(row)[:7]:
        for joint in joints_of(specimen):
            assert error(row.of, sensitivity_of_row(row, joint), specimen, joint) < EXACT, (specimen, joint)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_spoilt_rate_is_caught(row: RateRow) -> None:
    wrong = spoilt(row.rate, row.of)
    assert max(error(row.of, wrong, specimen) for specimen in arms(row)) > FALSE


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_spoilt_sensitivity_is_caught(row: RateRow) -> None:
    errors = [
        error(row.of, spoilt(sensitivity_of_row(row, joint), row.of), specimen, joint)
        for specimen in arms(row)
        for joint in joints_of(specimen)
    ]
    # a joint rate that is held does not change: nothing of that row can be spoilt but its zero
    assert max(errors) > FALSE


@pytest.mark.parametrize("row", [row for row in ROWS if row.needs], ids=lambda row: row.name)
def test_a_rate_needs_what_it_says(row: RateRow) -> None:
    others = [specimen for specimen in FAMILY if not promised(row, specimen)]
    assert max(error(row.of, row.rate, specimen) for specimen in others) > FALSE


@pytest.mark.parametrize("row", CLOSED_FORMS, ids=lambda row: row.name)
def test_the_rules_of_products_give_the_same(row: RateRow) -> None:
    for specimen in arms(row):
        assert error(row.of, rate(row.of), specimen) < EXACT
        joint = joints_of(specimen)[-1]
        assert error(row.of, sensitivity(row.of, joint), specimen, joint) < EXACT


@pytest.mark.parametrize("row", ELEMENTS, ids=lambda row: row.name)
def test_the_rate_of_an_element_is_its_row(row: RateRow) -> None:
    assert rate(row.of) == row.rate


def test_000_eq_a_26_the_inertia_rate_is_the_sum_over_the_joints() -> None:
    from soadyn.algebra import lambda_dot, lambda_of

    for specimen in FAMILY:
        here, model = values(specimen), specimen.model()
        parts = [
            here.of(lambda_of((joint.name, i))) * here.robot.v[dofs.start + i]
            for joint, dofs in zip(model.joints, model.v_slices, strict=True)
            for i in range(dofs.stop - dofs.start)
        ]
        total_rate = here.of(lambda_dot)
        assert abs(sum(parts) - total_rate).max() < EXACT * abs(total_rate).max()


@pytest.mark.parametrize("x", [M, P, phi, psi, D], ids=str)
@pytest.mark.parametrize("specimen", FAMILY[2:5], ids=str)
@pytest.mark.heavy
def test_compiled_rates_are_mechanical_derivatives_and_the_turning_of_the_axes(
    x: Expression, specimen: Specimen
) -> None:
    robot, dense = sd.Robot(specimen.model(), backend="numpy"), specimen.robot()
    q = robot.integrate(dense.q.astype(complex), 1j * STEP * dense.v)
    expected = sd.compile(x, robot)(q).dense().imag / STEP
    here, W = sd.compile(x, robot)(dense.q).dense(), sd.compile(W_omega, robot)(dense.q, dense.v).dense()
    if x.codomain.place == "link":
        expected = expected + W @ here
    if x.domain.place == "link":
        expected = expected + (here @ W.T if x.domain.side == "motion" else -here @ W)
    found = sd.compile(rate(x), robot)(dense.q, dense.v).dense()
    assert abs(found - expected).max() < EXACT * max(abs(expected).max(), abs(here).max())
