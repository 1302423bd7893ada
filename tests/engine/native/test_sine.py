"""Sine and cosine in kernels: right for every finite argument, in both precisions and at every number of lanes."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.llvm.machine_code import made
from soadyn.engine.native.llvm.module import module_text
from soadyn.engine.native.llvm.processor import LEVELS, Processor, processor
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.rolled.robot_table import KernelTable
from soadyn.engine.native.straight.function import straight_function
from soadyn.engine.precision import Precision
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.sine_coefficients import LARGE
from soadyn.mechanics.spatial.arithmetic import cos_of, sin_of

pytestmark = pytest.mark.usefixtures("llvm")

# In units in the last place of the result, the true value being known exactly. Beyond MANY_TURNS the reduction's third
# part is worth a rounding of its own.
MOST_ULPS = {"float64": 2.0, "float32": 0.51}
MANY_TURNS, MOST_ULPS_THERE = 2.0**13, 2.5
# The C library, which large arguments go to, is a few units off at the doubles that lie nearest to a zero of the
# cosine: 5.3e255 is 5e-19 away from one. That is nothing beside the other terms of any sum.
NEGLIGIBLE = 2.0**-100


def sine_kernel(precision: Precision, target: Processor | None = None, single: bool = False) -> Kernel:
    """x -> sin x, cos x, for several lanes or for one."""
    graph = Graph()
    x = graph.input("x")
    inputs = {Port("x", (1,)): [x]}
    outputs = {Port("sine", (1,)): [sin_of(x)], Port("cosine", (1,)): [cos_of(x)]}
    target = target or processor()
    vectors = Vectors(1 if single else target.lanes(np.dtype(precision).itemsize), precision, target.fused)
    code = made(None, lambda: module_text(straight_function(graph, inputs, outputs, vectors), target.x86), target)
    ports = tuple(inputs), tuple(outputs)
    return Kernel("sine", ports, code, KernelTable(), precision, work=1)


def most_ulps(kind: str) -> float:
    return MOST_ULPS_THERE if kind == "many turns" else MOST_ULPS["float64"]


def worst_ulps(found: np.ndarray, x: np.ndarray, function: Any) -> tuple[float, float]:
    """The largest error, and where."""
    worst, where = 0.0, 0.0
    with mpmath.workdps(400):  # pi to 308 digits before the point and as many after
        for y, argument in zip(found.tolist(), x.tolist(), strict=True):
            true = function(mpmath.mpf(argument))
            # a unit of the binade that holds the true value
            ulp = np.spacing(np.abs(found.dtype.type(float(true)))) or np.finfo(found.dtype).smallest_subnormal
            difference = abs(mpmath.mpf(y) - true)
            off = float(difference / mpmath.mpf(float(ulp)))
            if not off <= worst and not (abs(argument) > LARGE and difference < NEGLIGIBLE):
                worst, where = off, argument
    return worst, where


def arguments(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Where sines go wrong."""
    quarter = np.concatenate([np.arange(1.0, 1000.0), rng.integers(1, int(LARGE / 1.6), 500), 2.0 ** np.arange(17)])
    nearest = np.concatenate([k * np.pi / 2 * (1 + shift * 2.0**-52) for k in [quarter] for shift in (-1, 0, 1)])
    hard = [6381956970095103 * 2.0**797, 5.319372648326541e255, 2.0**1023, np.finfo(float).max, 1e22, 1e308]
    return {
        "usual": rng.uniform(-4, 4, 3000),
        "some turns": rng.uniform(-MANY_TURNS, MANY_TURNS, 3000),
        "many turns": rng.uniform(-LARGE, LARGE, 3000),
        "every size": 10.0 ** rng.uniform(-300, 308, 2000) * rng.choice([-1, 1], 2000),
        "near multiples of pi/2": nearest,
        "around the slow path": LARGE * (1 + np.arange(-60, 60) * 2.0**-52),
        "beyond it, near multiples of pi/2": rng.integers(2**18, 2**52, 500) * (np.pi / 2),
        "known hard": np.array([*hard, *(-np.array(hard))]),
        "denormal": np.array([5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, -1e-320, 1e-300, -1e-300]),
    }


@pytest.mark.parametrize("kind", arguments(np.random.default_rng(0)))
@pytest.mark.heavy(2)
def test_sines_are_right_to_two_units_in_the_last_place(kind: str, rng: np.random.Generator) -> None:
    x = arguments(rng)[kind]
    kernel = sine_kernel("float64")
    for found, function in zip(kernel.call(x[:, None]), (mpmath.sin, mpmath.cos), strict=True):
        worst, where = worst_ulps(found[:, 0], x, function)
        assert worst <= most_ulps(kind), f"{worst:.2f} ulp at {where!r}"


def test_sines_in_single_precision_are_rounded_from_double(rng: np.random.Generator) -> None:
    sizes = 10.0 ** rng.uniform(-44, 38, 1500) * rng.choice([-1, 1], 1500)
    quarter = np.arange(1.0, 1500.0) * np.pi / 2
    x = np.concatenate([rng.uniform(-10, 10, 1500), sizes, quarter, [3.4028235e38, 1e-45, -1e-45]]).astype(np.float32)
    kernel = sine_kernel("float32")
    for found, function in zip(kernel.call(x[:, None]), (mpmath.sin, mpmath.cos), strict=True):
        assert found.dtype == np.float32
        worst, where = worst_ulps(found[:, 0], x, function)
        assert worst <= MOST_ULPS["float32"], f"{worst:.3f} ulp at {where!r}"


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_zero_keeps_its_place_and_nothing_warns(precision: Precision) -> None:
    x = np.zeros((9, 1), dtype=precision)
    kernel = sine_kernel(precision)
    sine, cosine = kernel.call(x)
    assert (sine == 0).all()
    assert (cosine == 1).all()


def test_sine_is_odd_and_cosine_even_to_the_last_bit(rng: np.random.Generator) -> None:
    x = 10.0 ** rng.uniform(-10, 30, (1000, 1))
    kernel = sine_kernel("float64")
    (s, c), (s_minus, c_minus) = kernel.call(x), kernel.call(-x)
    assert (s == -s_minus).all()
    assert (c == c_minus).all()


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_an_angle_has_the_same_sine_alone_and_in_company(precision: Precision, rng: np.random.Generator) -> None:
    kernel = sine_kernel(precision)
    x = np.concatenate([rng.uniform(-9, 9, 20), 10.0 ** rng.uniform(5, 30, 20)]).astype(precision)
    x = rng.permutation(x)[:, None]
    together, single = kernel.call(x), sine_kernel(precision, single=True)
    for i, alone in enumerate(x):
        assert [y.tobytes() for y in single.call(alone)] == [y[i].tobytes() for y in together]


@pytest.mark.parametrize("level", ["x86-64", "x86-64-v3", "x86-64-v4"])
@pytest.mark.heavy(2)
def test_lesser_processors_are_as_exact(level: str, rng: np.random.Generator) -> None:
    """Without fused products Cody and Waite's parts carry the reduction alone."""
    host = processor()
    if "+sse2" not in host.features:
        pytest.skip("not an x86-64 processor")
    if not runs(level, host.features):
        pytest.skip(f"this processor is no {level}")
    kernel = sine_kernel("float64", Processor(level, "", *LEVELS[level]))
    for kind in ("usual", "some turns", "many turns", "near multiples of pi/2", "known hard"):
        x = arguments(rng)[kind][:3000]
        for found, function in zip(kernel.call(x[:, None]), (mpmath.sin, mpmath.cos), strict=True):
            worst, where = worst_ulps(found[:, 0], x, function)
            assert worst <= most_ulps(kind), f"{worst:.2f} ulp at {where!r} ({kind})"


def runs(level: str, features: str) -> bool:
    """Has this processor all that a level asks for?"""
    needed = {"x86-64": "+sse2", "x86-64-v3": "+avx2", "x86-64-v4": "+avx512vl"}[level]
    return needed in features.split(",")


@pytest.mark.slow
def test_sines_are_right_on_a_million_angles(rng: np.random.Generator) -> None:
    """Against long double where it has more digits."""
    if np.finfo(np.longdouble).eps > 1e-18:
        pytest.skip("long double is double here")
    kernel = sine_kernel("float64")
    x = np.concatenate([rng.uniform(-np.pi, np.pi, 500_000), rng.uniform(-1000, 1000, 500_000)])
    for found, function in zip(kernel.call(x[:, None]), (np.sin, np.cos), strict=True):
        true = function(x.astype(np.longdouble))
        ulps = np.abs(found[:, 0] - true) / np.spacing(np.abs(true.astype(float)))
        assert float(ulps.max()) <= MOST_ULPS["float64"]
