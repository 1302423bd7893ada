"""Derivatives of every quantity: along directions against complex steps of the reference, gradients against both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from every_quantity import arguments, results
from random_robots import model_of_every_kind, random_model
from soadyn.quantities import QUANTITIES
from soadyn.quantities.derivatives import DERIVATIVES
from soadyn.robot.arguments.inputs import VECTORS

STEP = 1e-30
TOLERANCE = 1e-9
# One of each kind of program: sweeps, columns that climb, steps that run once, frames, masks.
# The first three in every run.
NATIVE = ("inverse_dynamics", "forward_dynamics", "jacobian", "hybrid_dynamics", "mass_matrix", "potential_energy",
          "frame_acceleration", "generalized_drift", "mass_matrix_factors")  # fmt: skip


# Quantities that are derivatives themselves: their traces are long.
SECOND = [quantity.name for quantity in DERIVATIVES]


def state_of(robot: sd.Robot, rng: np.random.Generator, size: int) -> dict[str, Any]:
    vectors = {name: rng.standard_normal((size, robot.nv)) for name in ("v", "a", "tau")}
    external = rng.standard_normal((size, len(robot.link_names), 6))
    return {"q": robot.random_configuration(rng, size=size), **vectors, "external": external}


def vectors_of(name: str) -> list[str]:
    return [argument.name for argument in QUANTITIES[name].parameters if argument.kind in VECTORS]


def split(name: str, robot: sd.Robot, state: dict[str, Any]) -> tuple[list[str], list[Any], dict[str, Any]]:
    """A quantity's vectors by name and value, and its options; one frame where there may be several."""
    given = arguments(name, state, robot)
    if "frames" in given:
        given["frames"] = "tool"
    names = vectors_of(name)
    return names, [given[key] for key in names], {key: x for key, x in given.items() if key not in names}


def moved(robot: sd.Robot, names: list[str], at: list[Any], along: list[Any], step: complex) -> dict[str, Any]:
    """The vectors a step further along a direction."""
    found = {}
    for name, x, d in zip(names, at, along, strict=True):
        found[name] = robot.integrate(x.astype(complex), step * d) if name == "q" else x + step * d
    return found


def inner(x: Any, y: Any) -> np.ndarray:
    """The sum of products over all entries of a state's arrays."""
    pairs = zip(results(x), results(y), strict=True)
    return sum((a * b).reshape(len(a), -1).sum(axis=-1) for a, b in pairs)


def flat(x: Any) -> Any:
    """Results that are tuples of tuples, one after the other."""
    return tuple(y for part in x for y in part) if isinstance(x, tuple) and isinstance(x[0], tuple) else x


def directions(robot: sd.Robot, names: list[str], at: list[Any], rng: np.random.Generator) -> list[np.ndarray]:
    return [
        rng.standard_normal((len(x), robot.nv) if name == "q" else x.shape) for name, x in zip(names, at, strict=True)
    ]


def check_quantity(robot: sd.Robot, name: str, rng: np.random.Generator) -> None:
    state = state_of(robot, rng, 3)
    names, at, options = split(name, robot, state)
    along = directions(robot, names, at, rng)
    value, rate = robot.jvp(name, at, along, **options)
    stepped = getattr(robot.with_backend("numpy"), name)(**moved(robot, names, at, along, 1j * STEP), **options)
    stepped = flat(stepped)
    for x, y in zip(results(rate), results(stepped), strict=True):
        expected = y.imag / STEP
        assert np.abs(x - expected).max(initial=0.0) <= TOLERANCE * max(1.0, np.abs(expected).max(initial=0.0))
    for x, y in zip(results(value), results(stepped), strict=True):
        assert np.abs(x - y.real).max(initial=0.0) <= TOLERANCE * max(1.0, np.abs(y).max(initial=0.0))
    weights = tuple(rng.standard_normal(x.shape) for x in results(value))
    _, cotangents = robot.vjp(name, at, weights if isinstance(value, tuple) else weights[0], **options)
    forward, backward = inner(weights, rate), sum(inner(c, d) for c, d in zip(cotangents, along, strict=True))
    size = max(1.0, *(np.abs(w * x).max(initial=0.0) for w, x in zip(weights, results(rate), strict=True)))
    assert np.abs(forward - backward).max() <= 1e-12 * size * 100


@pytest.mark.parametrize("name", [name for name in QUANTITIES if name not in SECOND])
@pytest.mark.heavy(2)
def test_derivatives_of_every_quantity_on_a_tree_with_every_joint(name: str, rng: np.random.Generator) -> None:
    check_quantity(sd.Robot(model_of_every_kind(), "numpy"), name, rng)


@pytest.mark.parametrize("name", [*NATIVE[:3], *(pytest.param(name, marks=pytest.mark.slow) for name in NATIVE[3:])])
@pytest.mark.heavy(2)
def test_native_derivatives(name: str, rng: np.random.Generator) -> None:
    check_quantity(sd.Robot(random_model(rng, 4, kinds=("revolute", "planar", "spherical"), root="free")), name, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", SECOND)
def test_derivatives_of_derivatives(name: str, rng: np.random.Generator) -> None:
    model = random_model(rng, 3, kinds=("revolute", "prismatic", "spherical"), armature=True)
    check_quantity(sd.Robot(model, "numpy"), name, rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in QUANTITIES if name not in SECOND])
def test_derivatives_of_every_quantity_on_random_trees(name: str, seed: int, rng: np.random.Generator) -> None:
    # The operational inertia exists where every direction can be accelerated: always on a free base.
    root = "free" if seed % 2 or name in ("operational_inertia", "operational_bias") else "fixed"
    check_quantity(sd.Robot(random_model(rng, 4 + seed, root=root, armature=seed % 3 == 0)), name, rng)


@pytest.mark.parametrize(
    "name",
    ["inverse_dynamics", *(pytest.param(x, marks=pytest.mark.slow) for x in ("forward_dynamics", "pose"))],
)
def test_single_states_and_batches_agree(name: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, root="free"))
    names, at, options = split(name, robot, state_of(robot, rng, 300))
    along = directions(robot, names, at, rng)
    _, rates = robot.jvp(name, at, along, **options)
    _, rate = robot.jvp(name, [x[7] for x in at], [d[7] for d in along], **options)
    assert np.abs(rate - rates[7]).max() <= 1e-12 * np.abs(rates[7]).max()


def test_a_direction_left_out_is_zero(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v, tau, d = rng.standard_normal((4, 6))
    _, alone = arm.jvp("forward_dynamics", (q, v, tau), (None, None, d))
    _, with_zeros = arm.jvp("forward_dynamics", (q, v, tau), (0 * d, 0 * d, d))
    assert np.abs(alone - with_zeros).max() <= 1e-12 * np.abs(alone).max()
    assert np.abs(alone - arm.mass_matrix_inverse(q) @ d).max() <= 1e-12 * np.abs(alone).max()


def test_derivatives_by_parameters(rng: np.random.Generator) -> None:
    names = (
        "forearm_link.mass",
        "wrist_1_link.com",
        "tool0.mass",
        "elbow_joint.position",
        "elbow_joint.armature",
        "gravity",
    )
    robot = sd.load("ur5").parametric(*names)
    values = [2.0, [0.01, 0.02, 0.1], 1.5, [0.1, 0.2, 0.4], [0.3], [0.1, 0.2, -9.8]]
    q, v, a = rng.standard_normal((3, 6))
    along = [rng.standard_normal(np.shape(x)) for x in (q, v, a, *values)]
    _, rate = robot.jvp("inverse_dynamics", (q, v, a, *values), along)
    moved_by = [np.asarray(x, dtype=complex) + 1j * STEP * d for x, d in zip((q, v, a, *values), along, strict=True)]
    expected = robot.inverse_dynamics(*moved_by).imag / STEP
    assert np.abs(rate - expected).max() <= 1e-11 * np.abs(expected).max()
    w = rng.standard_normal(6)
    _, cotangents = robot.vjp("inverse_dynamics", (q, v, a, *values), w)
    total = sum(np.sum(c * d) for c, d in zip(cotangents, along, strict=True))
    assert abs(total - w @ rate) <= 1e-11 * np.abs(w * rate).max()


def test_rows_without_an_answer_are_nan_in_every_derivative(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v, tau = rng.standard_normal((3, 4, 6))
    q[1, 2] = np.nan
    with pytest.warns(RuntimeWarning, match="1 of 4 rows"):
        _, cotangents = arm.vjp("forward_dynamics", (q, v, tau), np.ones((4, 6)))
    for x in cotangents:
        assert np.isnan(x[1]).all()
        assert np.isfinite(x[[0, 2, 3]]).all()


def test_a_direction_that_is_not_finite_spoils_its_row(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v = rng.standard_normal((2, 3, 6))
    along = np.ones((3, 6))
    along[2, 0] = np.inf
    with pytest.warns(RuntimeWarning, match="1 of 3 rows"):
        _, rate = arm.jvp("kinetic_energy", (q, v), (along, None))
    assert np.isnan(rate[2])
    assert np.isfinite(rate[:2]).all()


def test_single_precision_and_higher_precision(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v, a, d = rng.standard_normal((4, 6))
    _, rate = arm.jvp("inverse_dynamics", (q, v, a), (d, d, d))
    single = [x.astype(np.float32) for x in (q, v, a, d)]
    _, short = arm.jvp("inverse_dynamics", single[:3], [single[3]] * 3)
    _, long = arm.jvp("inverse_dynamics", (q.astype(np.longdouble), v, a), (d, d, d))
    assert short.dtype == np.float32
    assert long.dtype == np.longdouble
    assert np.abs(short - rate).max() <= 1e-4 * np.abs(rate).max()
    assert np.abs(long - rate).max() <= 1e-13 * np.abs(rate).max()


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics", "kinetic_energy"])
@pytest.mark.heavy(2)
def test_products_of_hessians(name: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 3, kinds=("revolute", "prismatic", "spherical")))
    names, at, _ = split(name, robot, state_of(robot, rng, 2))
    names, at = names[:3], at[:3]
    along = directions(robot, names, at, rng)
    value, _ = robot.jvp(name, at, along)
    weights = rng.standard_normal(np.shape(value))
    gradient, change = robot.hvp(name, at, weights, along)
    _, same = robot.vjp(name, at, weights)
    stepped = moved(robot, names, at, along, 1j * STEP)
    _, expected = robot.vjp(name, [stepped[key] for key in names], weights)
    for x, y, dx, dy in zip(gradient, same, change, expected, strict=True):
        assert np.abs(x - y).max() <= 1e-10 * max(1.0, np.abs(y).max())
        assert np.abs(dx - dy.imag / STEP).max() <= 1e-8 * max(1.0, np.abs(dy.imag / STEP).max())


@pytest.mark.usefixtures("llvm")
def test_derivatives_asked_for_again_have_the_same_bits(rng: np.random.Generator) -> None:
    """The second call goes straight to the kernel of the first; lists and other shapes go the long way."""
    arm = sd.load("ur5")
    for size in ((), (5,)):
        q, v, tau, w, d = rng.standard_normal((5, *size, 6))
        for along in ((d, None, w), (None, d, None)):
            first, again = (arm.hvp("forward_dynamics", (q, v, tau), w, along) for _ in range(2))
            plain = arm.hvp("forward_dynamics", [q, v, tau], w, list(along))
            for found in (again, plain):
                assert [x.tobytes() for many in found for x in many] == [x.tobytes() for many in first for x in many]
    with pytest.raises(sd.ShapeError):
        arm.hvp("forward_dynamics", (q, v, tau), w[:, :5], (d, None, w))


def test_an_empty_batch_of_weights_has_no_gradients():
    arm = sd.load("planar_two_link")
    _, gradients = arm.vjp("bias_force", (np.zeros(2), np.zeros(2)), np.zeros((0, 2)))
    assert [x.shape for x in gradients] == [(0, 2), (0, 2)]


@pytest.mark.usefixtures("llvm")
def test_frames_by_name_are_kept_apart(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v, dq, dv = rng.standard_normal((4, 6))
    for options in ({"frame": "tool0"}, {"frame": "forearm_link"}, {"frame": "tool0", "axes": "local"}):
        first, again = (arm.jvp("frame_velocity", (q, v), (dq, dv), **options)[1] for _ in range(2))
        expected = arm.with_backend("numpy").jvp("frame_velocity", (q, v), (dq, dv), **options)[1]
        assert np.array_equal(first, again)
        assert np.abs(again - expected).max() <= 1e-12 * np.abs(expected).max()
    assert len(arm._functions._kept) == 3
    arm.jvp("frame_velocity", (q, v), (dq, dv), frame=("tool0", np.eye(4)))  # an offset is more than a name
    assert len(arm._functions._kept) == 3
