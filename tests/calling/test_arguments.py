"""Arguments that are no plain float64 arrays: a right answer or soadyn's own error, at the first call and later."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

import soadyn as sd
from agreement import close

ARM, FLYER = sd.load("planar_two_link"), sd.load("ets_vii")
Q, V = np.array([0.1, 0.2]), np.array([0.3, 0.4])
MASKED = np.ma.array([0.1, 0.2], mask=[True, False])


def exact(x: Any) -> Any:
    return np.frompyfunc(mpmath.mpf, 1, 1)(x)


@pytest.fixture(autouse=True)
def called_before() -> None:
    """The fast path has a kernel for everything below."""
    for batch in (Q, np.stack([Q, Q])):
        ARM.forward_dynamics(batch, V, V)
        ARM.mass_matrix(batch)


def always_refused(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    for _ in range(3):
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ARM.mass_matrix(MASKED), "'q'"),
        (lambda: ARM.mass_matrix(np.ma.stack([MASKED] * 3)), "'q'"),
        (lambda: ARM.forward_dynamics(Q, MASKED, V), "'v'"),
        (lambda: ARM.forward_dynamics(Q, V, MASKED), "'tau'"),
        (lambda: ARM.mass_matrix([MASKED, Q]), "'q'"),
        (lambda: ARM.mass_matrix([np.ma.masked, 0.2]), "'q'"),
        (lambda: ARM.at(Q, MASKED), "'v'"),
        (lambda: ARM.at(MASKED, V, together=["mass_matrix"]), "'q'"),
        (lambda: ARM.difference(MASKED, Q), "'q0'"),
        (lambda: ARM.parametric("gravity").gravity_force(Q, np.ma.array(np.ones(3), mask=True)), "'gravity'"),
        (lambda: ARM.momentum(Q, V, about=np.ma.array(np.ones(3), mask=True)), "'about'"),
    ],
)
def test_a_masked_entry_is_refused_by_its_argument(call: Callable[[], Any], argument: str) -> None:
    always_refused(call, sd.ShapeError, f"argument {argument} has masked entries")


def test_a_masked_passive_set_is_refused() -> None:
    mask = np.ma.array([True, False], mask=[False, True])
    always_refused(lambda: ARM.disturbance_jacobian(Q, mask), sd.ShapeError, "passive has masked entries")


def test_an_unmasked_masked_array_is_an_array() -> None:
    for _ in range(3):
        found = ARM.mass_matrix(np.ma.array(Q))
        assert type(found) is np.ndarray
        assert close(found, ARM.mass_matrix(Q), 1e-15)


def test_imaginary_parts_of_frame_offsets_are_refused() -> None:
    offset = np.eye(4) + 0j
    offset[0, 3] = 1j
    message = "the offset of frame 'tool' must be a 4x4 homogeneous matrix of real numbers, but it has dtype complex128"
    always_refused(lambda: ARM.pose(Q, ("tool", offset)), sd.ModelError, message)
    always_refused(lambda: ARM.pose(Q, ("tool", np.ma.array(np.eye(4), mask=True))), sd.ModelError, "masked entries")


class Symbolic:
    """Like a number of SymPy, which has `__float__`; like a symbol of it without a value."""

    def __init__(self, value: float | None) -> None:
        self.value = value

    def __add__(self, other: Any) -> Symbolic:
        return self

    def __float__(self) -> float:
        if self.value is None:
            raise TypeError("Cannot convert expression to float")
        return self.value


@pytest.mark.parametrize(
    "q",
    [
        [Fraction(1, 10), Fraction(1, 5)],
        [Decimal("0.1"), Decimal("0.2")],
        [Symbolic(0.1), Symbolic(0.2)],
        np.array([0.1, np.longdouble(0.2)], dtype=object),
        Q.astype(">f8"),
        np.asfortranarray(np.stack([Q, Q], axis=1))[:, 0],
    ],
    ids=["fractions", "decimals", "symbolic numbers", "objects", "big-endian", "strided"],
)
def test_other_real_numbers_are_read_as_floats(q: Any) -> None:
    for _ in range(3):
        found = ARM.mass_matrix(q)
        assert found.dtype == float
        assert close(found, ARM.mass_matrix(Q), 1e-14)


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ([10**400, 0], "holds an integer of 1329 bits, which is too large for a float"),
        ([-(10**400), 0], "holds an integer of 1329 bits"),
        ([Fraction(10**400), 0], "holds Fraction.*, which is too large for a float"),
        ([Symbolic(None), 0.2], "holds .*, which is no number"),
        (np.array([np.array([0.1, 0.2]), 0.2], dtype=object), "holds .*, which is no number"),
        (np.array([True, 0.2], dtype=object), "holds True, which is no number"),
    ],
)
def test_what_is_no_number_is_refused(q: Any, message: str) -> None:
    always_refused(lambda: ARM.mass_matrix(q), sd.ShapeError, f"argument 'q' {message}")


@pytest.mark.parametrize("component", [0.0, False, np.float64(0)])
def test_a_passive_component_is_an_integer_whatever_was_called_before(component: Any) -> None:
    q = FLYER.neutral()
    FLYER.disturbance_jacobian(q, [("root", 0)])
    FLYER.disturbance_jacobian(q, [("root", 0)])
    message = r"passive component \('root', .*\): expected an integer after the joint's name, got (float|bool|float64)"
    always_refused(lambda: FLYER.disturbance_jacobian(q, [("root", component)]), sd.ArgumentError, message)


@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_a_passive_component_may_be_an_integer_of_numpy(kind: Any) -> None:
    q = FLYER.neutral()
    expected = FLYER.disturbance_jacobian(q, [("root", 2), "Joint_3"])
    for _ in range(3):
        assert np.array_equal(FLYER.disturbance_jacobian(q, [("root", kind(2)), "Joint_3"]), expected)


def test_a_list_of_numpys_booleans_is_a_passive_set() -> None:
    q, mask = FLYER.neutral(), np.arange(FLYER.nv) < 6
    assert np.array_equal(FLYER.disturbance_jacobian(q, list(mask)), FLYER.disturbance_jacobian(q, mask))


@pytest.mark.parametrize("robot", [ARM, FLYER], ids=["revolute", "free"])
@pytest.mark.heavy(2)
def test_difference_undoes_integrate_in_every_kind_of_number(robot: sd.Robot, rng: np.random.Generator) -> None:
    q, dv = robot.random_configuration(rng), 0.3 * rng.standard_normal(robot.nv)
    single = q.astype(np.float32), dv.astype(np.float32)
    assert close(robot.difference(single[0], robot.integrate(*single)), dv, 1e-5)
    assert close(robot.difference(q.astype(object), robot.integrate(q, dv).astype(object)), dv, 1e-14)
    fine = q.astype(np.longdouble), dv.astype(np.longdouble)
    assert close(robot.difference(fine[0], robot.integrate(*fine)), dv, 1e-17)
    with mpmath.workdps(30):
        off = robot.difference(exact(q), robot.integrate(exact(q), exact(dv))) - exact(dv)
        assert max(abs(off)) < mpmath.mpf(10) ** -27
    h = 1e-40
    steps = robot.difference(q, robot.integrate(q + 0j, dv + 1j * h * np.eye(robot.nv)))
    assert close(steps.real, np.broadcast_to(dv, steps.shape), 1e-14)
    assert close(steps.imag / h, np.eye(robot.nv), 1e-12)


def test_differences_of_any_size_are_as_exact_as_their_numbers(rng: np.random.Generator) -> None:
    flyer, q = sd.load("free_flyer"), sd.load("free_flyer").random_configuration(rng)
    for size in (0.0, 1e-200, 1e-12, 1e-6, 1e-3, 1.0, 3.0):
        dv = np.zeros(flyer.nv)
        dv[:3], dv[3:6] = size * np.array([0.6, 0.0, 0.8]), rng.standard_normal(3)
        assert close(flyer.difference(q, flyer.integrate(q, dv)), dv, 1e-14)


@pytest.mark.parametrize("kind", [np.longdouble, object, np.float32, exact])
def test_a_null_space_of_other_real_numbers_is_that_of_doubles(kind: Any) -> None:
    q = FLYER.configuration({joint: 0.5 for joint in FLYER.joint_names if joint != "root"}).astype(np.float32)
    other = exact(q.astype(float)) if kind is exact else q.astype(kind)
    for _ in range(2):
        assert close(FLYER.reaction_null_space(other), FLYER.reaction_null_space(q.astype(float)), 1e-4)


def test_a_null_space_of_complex_numbers_is_refused() -> None:
    for q in (FLYER.neutral() + 0j, exact(FLYER.neutral()) * mpmath.mpc(1)):
        always_refused(lambda q=q: FLYER.reaction_null_space(q), sd.ShapeError, "reaction_null_space takes real coor")
