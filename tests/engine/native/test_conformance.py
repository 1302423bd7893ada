"""Backends agree: every quantity of the table, on every kind of robot, in double and in single precision."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import soadyn as sd
from native_cases import (
    IN_EVERY_DIRECTION,
    LARGE,
    LONG,
    SMALL,
    called,
    calls,
    depth,
    error,
    in_single,
    random_robot,
    random_state,
    robot_named,
    tried_on,
    usual,
)
from soadyn.engine.engine import Engine
from soadyn.quantities import QUANTITIES

# What every run compiles, by precision; the slow tests have all the others.
QUICK = {
    (float, "rolled"): ("tree on a free base",),
    (float, "straight"): ("spherical",),
    (np.float32, "rolled"): (),
    (np.float32, "straight"): ("planar_two_link",),
}
BACKENDS = ("numpy", "rolled", "straight")
# Rows 0 to 10: a full vector of lanes and a rest, on every processor.
ROWS = 11


def pairs(precision: type) -> list[Any]:
    """Both forms with every robot; straight-line code of the large ones is tried apart."""
    found = []
    for form in ("rolled", "straight"):
        for name in SMALL if form == "straight" else {**SMALL, **LARGE}:
            quick = name in QUICK[precision, form]
            found.append(pytest.param(form, name, marks=() if quick else pytest.mark.slow))
    return found


def some(name: str) -> sd.Robot:
    try:
        return robot_named(name)
    except LookupError as missing:
        pytest.skip(str(missing))


def bound(robot: sd.Robot, precision: type) -> float:
    """A link adds a few roundings to what its neighbour hands on, so errors grow at most with the depth of the tree."""
    return 8 * (4 + depth(robot)) * float(np.finfo(precision).eps)


@pytest.mark.parametrize(("form", "name"), pairs(float))
@pytest.mark.heavy(2)
def test_every_quantity_agrees_with_the_reference(form: Any, name: str, llvm: None, rng: np.random.Generator) -> None:
    robot = some(name)
    reference, native = robot.with_backend("numpy"), robot.with_backend(form)
    tried = set()
    for call in calls(robot, random_state(rng, robot, (ROWS,)), rng):
        found = called(native, call)
        assert all(x.dtype == np.float64 for x in found)
        assert error(reference, call, found) <= bound(robot, float), call[0]
        tried.add(call[0])
    assert tried == set(tried_on(robot))


@pytest.mark.parametrize(("form", "name"), pairs(np.float32))
def test_every_quantity_agrees_in_single_precision(form: Any, name: str, llvm: None, rng: np.random.Generator) -> None:
    """The bound is the same number of roundings, each of them 2⁻²³."""
    robot = some(name)
    reference, native = robot.with_backend("numpy"), robot.with_backend(form)
    for call in calls(robot, random_state(rng, robot, (ROWS,)), rng):
        single = in_single(call)
        found = called(native, single)
        assert all(x.dtype == np.float32 for x in found)
        assert error(reference, single, found) <= bound(robot, np.float32), call[0]


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["forward_dynamics", "inverse_dynamics", "mass_matrix"])
@pytest.mark.parametrize("name", LARGE)
def test_large_robots_agree_in_straight_lines(name: str, quantity: str, llvm: None, rng: np.random.Generator) -> None:
    robot = some(name)
    native = robot.specialize()
    for call in calls(robot, random_state(rng, robot, (ROWS,)), rng):
        if call[0] == quantity and "external" not in call[1]:
            assert error(robot.with_backend("numpy"), call, called(native, call)) <= bound(robot, float)


@pytest.mark.parametrize("form", ["rolled", "straight"])
@pytest.mark.heavy(2)
def test_a_single_state_agrees_the_first_time_and_every_other(form: Any, llvm: None, rng: np.random.Generator) -> None:
    """The second call of a kind takes the fast path."""
    robot = usual(form)
    reference, native = robot.with_backend("numpy"), robot.with_backend(form)
    for _ in range(3):
        for call in calls(robot, random_state(rng, robot), rng):
            found = called(native, call)
            assert [np.shape(x) for x in found] == [np.shape(x) for x in called(reference, call)]
            assert error(reference, call, found) <= bound(robot, float), call[0]


def test_a_large_batch_is_computed_in_straight_lines_and_a_small_one_is_not(
    llvm: None, rng: np.random.Generator
) -> None:
    robot = sd.load("ur5")
    state = random_state(rng, robot, (300,))
    q, v, tau = state["q"], state["v"], state["tau"]
    assert np.array_equal(robot.forward_dynamics(q, v, tau), robot.specialize().forward_dynamics(q, v, tau))
    few = robot.forward_dynamics(q[:255], v[:255], tau[:255])
    assert np.array_equal(few, robot.specialize(False).forward_dynamics(q[:255], v[:255], tau[:255]))


def test_arguments_of_mixed_precision_are_computed_in_double(llvm: None, rng: np.random.Generator) -> None:
    robot = robot_named("ur5").with_backend("rolled")
    state = random_state(rng, robot, (5,))
    v = state["v"].astype(np.float32)
    for x in (robot.bias_force(state["q"], v), robot.bias_force(state["q"], v.astype(float))):
        assert x.dtype == np.float64
        assert np.array_equal(x, robot.bias_force(state["q"], v.astype(float)))


# Rows without an answer


def spoiled(name: str, value: float, at: tuple[int, ...] = (2, 0)) -> Callable[[dict[str, Any]], None]:
    def change(state: dict[str, Any]) -> None:
        state[name][at] = value

    return change


def no_quaternion(state: dict[str, Any]) -> None:
    state["q"][2, :4] = 0.0


def long_quaternion(state: dict[str, Any]) -> None:
    state["q"][2, :4] = 1e200


def fast(state: dict[str, Any]) -> None:
    state["v"][2] = 1e200


# What is done to row 2, and the quantities that feel it.
SPOILS = {
    "nan in q": (spoiled("q", np.nan, (2, 5)), tuple(name for name in QUANTITIES if name not in IN_EVERY_DIRECTION)),
    "inf in v": (spoiled("v", np.inf), ("bias_force", "forward_dynamics", "kinetic_energy", "frame_velocity")),
    "-inf in tau": (spoiled("tau", -np.inf), ("forward_dynamics",)),
    "nan in a": (spoiled("a", np.nan), ("inverse_dynamics", "inertia_regressor")),
    "nan in external": (spoiled("external", np.nan, (2, 1, 3)), ("inverse_dynamics", "forward_dynamics")),
    "zero quaternion": (no_quaternion, ("mass_matrix", "forward_dynamics", "poses", "potential_energy", "jacobian")),
    "overflowing quaternion": (long_quaternion, ("mass_matrix", "inverse_dynamics", "center_of_mass")),
    "overflowing result": (fast, ("kinetic_energy", "bias_force", "forward_dynamics")),
}


def told(robot: sd.Robot, call: Any) -> tuple[tuple[np.ndarray, ...], list[str]]:
    """The results, and what was said about them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = called(robot, call)
    return found, [f"{warning.category.__name__}: {warning.message}" for warning in caught]


def bad_rows(found: tuple[np.ndarray, ...]) -> list[list[bool]]:
    """For each result, the rows that are NaN throughout; a row that is so in part counts as none."""
    rows = []
    for x in found:
        flat = np.isnan(x.reshape(len(x), -1))
        assert (flat.all(axis=1) == flat.any(axis=1)).all(), "a row is NaN in part"
        assert np.isfinite(x.reshape(len(x), -1)[~flat.any(axis=1)]).all(), "a row is infinite"
        rows.append(flat.all(axis=1).tolist())
    return rows


@pytest.mark.parametrize("backend", ["numpy", "rolled", pytest.param("straight", marks=pytest.mark.slow)])
@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.heavy
def test_a_bad_row_is_nan_and_told_of_once_in_every_backend(
    spoil: str, backend: Any, llvm: None, rng: np.random.Generator
) -> None:
    robot = usual("rolled")
    state = random_state(rng, robot, (5,))
    change, names = SPOILS[spoil]
    change(state)
    for call in calls(robot, state, rng):
        name, arguments = call
        if name in names and (spoil != "nan in external" or "external" in arguments):
            expected, said = told(robot.with_backend("numpy"), call)
            found, heard = told(robot.with_backend(backend), call)
            assert bad_rows(found) == bad_rows(expected) == [[False, False, True, False, False]] * len(found), name
            assert heard == said
            assert len(heard) == 1
            assert heard[0].startswith(f"RuntimeWarning: {name}: 1 of 5 rows came out NaN: ")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.heavy
def test_a_bad_single_state_is_told_of_in_every_backend(
    spoil: str, backend: Any, llvm: None, rng: np.random.Generator
) -> None:
    robot = robot_named("tree on a free base").with_backend(backend)
    good, bad = random_state(rng, robot, (5,)), random_state(rng, robot, (5,))
    change, names = SPOILS[spoil]
    change(bad)
    name = names[0]
    for state in (bad, good, bad, good):  # the fast path serves the second on
        (call,) = [(n, a) for n, a in calls(robot, {k: x[2] for k, x in state.items()}, rng) if n == name][-1:]
        found, heard = told(robot, call)
        if state is good:
            assert all(np.isfinite(x).all() for x in found)
            assert heard == []
        else:
            assert all(np.isnan(x).all() for x in found)
            assert len(heard) == 1
            assert heard[0].startswith(f"RuntimeWarning: {name}: the state came out NaN: ")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows", [5, 300])
def test_a_bad_row_is_told_of_every_time(rows: int, backend: Any, llvm: None, rng: np.random.Generator) -> None:
    """Batches take the fast path from the second call on."""
    robot = robot_named("planar_two_link").with_backend(backend)
    q, v = robot.random_configuration(rng, rows), rng.standard_normal((rows, 2))
    expected = robot.bias_force(q, v)
    for value, why in ((np.nan, "argument 'v' is not finite"), (1e200, "the result overflows")) * 2:
        bad = v.copy()
        bad[2] = value
        found, heard = told(robot, ("bias_force", {"q": q, "v": bad}))
        assert heard == [f"RuntimeWarning: bias_force: 1 of {rows} rows came out NaN: {why}"]
        assert bad_rows(found) == [[i == 2 for i in range(rows)]]
        good, heard = told(robot, ("bias_force", {"q": q, "v": v}))
        assert heard == []
        assert np.array_equal(good[0], expected)


@pytest.mark.parametrize("backend", ["rolled", "straight"])
def test_reasons_nobody_hears_are_not_looked_for(backend: Any, llvm: None, rng: np.random.Generator) -> None:
    robot = robot_named("ur5").with_backend(backend)
    q = robot.random_configuration(rng, 20)
    q[3, 1] = np.nan
    with patch.object(Engine, "_by_reference", autospec=True, side_effect=Engine._by_reference) as reference:
        with sd.errstate("ignore"):
            silent = robot.mass_matrix(q)
        assert reference.call_count == 0
        with pytest.warns(RuntimeWarning, match="mass_matrix: 1 of 20 rows came out NaN: argument 'q' is not finite"):
            told_of = robot.mass_matrix(q)
        assert reference.call_count == 1
    assert silent.tobytes() == told_of.tobytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_errstate_is_obeyed_in_every_backend(backend: Any, llvm: None, rng: np.random.Generator) -> None:
    robot = robot_named("ur5").with_backend(backend)
    q = robot.random_configuration(rng, 20)
    q[[3, 17], 1] = np.nan
    with sd.errstate("ignore"):
        M = robot.mass_matrix(q)
        assert np.isnan(robot.gravity_force(q[3])).all()
    assert (np.isnan(M).all(axis=(1, 2)) == np.isin(np.arange(20), [3, 17])).all()
    with sd.errstate("raise"):
        with pytest.raises(sd.SingularError, match=r"^mass_matrix: row 3: argument 'q' is not finite$"):
            robot.mass_matrix(q)
        for _ in range(2):
            with pytest.raises(sd.SingularError, match=r"^mass_matrix: argument 'q' is not finite$"):
                robot.mass_matrix(q[3])
        assert np.isfinite(robot.mass_matrix(q[:3])).all()


@pytest.mark.parametrize("backend", ["numpy", *(pytest.param(x, marks=pytest.mark.slow) for x in BACKENDS[1:])])
@pytest.mark.parametrize("root", ["fixed", pytest.param("free", marks=pytest.mark.slow)])
def test_a_singular_pivot_names_its_link_in_every_backend(
    backend: Any, root: Any, llvm: None, rng: np.random.Generator
) -> None:
    robot = random_robot(3, 3, kinds=["revolute", "prismatic"], root=root, singular=True)
    state = random_state(rng, robot, (4,))
    for call in calls(robot, state, rng):
        expected, said = told(robot.with_backend("numpy"), call)
        found, heard = told(robot.with_backend(backend), call)
        assert bad_rows(found) == bad_rows(expected)
        assert heard == said
        if call[0] in ("forward_dynamics", "mass_matrix_inverse", "operational_inertia_inverse"):
            assert bad_rows(found) == [[True] * 4]
            assert re.search("D is singular at link 'feather'.*along joint 'feather_joint'", heard[0])
        elif not any("D" in stage.writes for stage in QUANTITIES[call[0]].program.stages):
            assert heard == [] or call[0] in IN_EVERY_DIRECTION


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.heavy(2)
def test_a_singular_joint_spoils_only_rows_in_which_it_is_passive(
    backend: Any, llvm: None, rng: np.random.Generator
) -> None:
    robot = random_robot(3, 3, kinds=["revolute", "prismatic"], singular=True).with_backend(backend)
    s = random_state(rng, robot, (6,))
    passive = rng.random((6, robot.nv)) < 0.5
    passive[:, -1] = [True, False, False, True, False, False]
    found, heard = told(robot, ("hybrid_dynamics", {**{k: s[k] for k in ("q", "v", "a", "tau")}, "passive": passive}))
    assert bad_rows(found) == [passive[:, -1].tolist()] * 2
    assert len(heard) == 1
    assert "2 of 6 rows came out NaN: D is singular at link 'feather'" in heard[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_bad_rows_of_a_large_threaded_batch_are_counted(
    backend: Any, llvm: None, threads: Callable[[int], None], rng: np.random.Generator
) -> None:
    threads(4)
    robot = robot_named("planar_two_link").with_backend(backend)
    q = robot.random_configuration(rng, (40, 100))
    bad = rng.random((40, 100)) < 0.02
    q[bad, 1] = np.inf
    with pytest.warns(RuntimeWarning, match=rf"^gravity_force: {bad.sum()} of 4000 rows came out NaN: argument 'q'"):
        found = robot.gravity_force(q)
    assert (np.isnan(found).all(axis=-1) == bad).all()
    assert np.isfinite(found[~bad]).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("form", ["rolled", "straight"])
@pytest.mark.parametrize("robot", ["ur5", "tree on a free base"])
def test_long_programs_agree_with_the_reference(
    robot: str, form: Any, name: str, llvm: None, rng: np.random.Generator
) -> None:
    chosen = some(robot)
    for call in calls(chosen, random_state(rng, chosen, (3,)), rng, [name]):
        found = called(chosen.with_backend(form), call)
        assert error(chosen.with_backend("numpy"), call, found) <= bound(chosen, float), call[0]
