"""Closures eliminated at their homes: the same accelerations and forces as by columns that climb to the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_closed_dynamics import EPS, prepared

import soadyn as sd
from agreement import error
from closed_robots import random_closed
from soadyn.engine.tracing.trace import cheapest_trace
from soadyn.engine.tracing.traced import traced
from soadyn.model.model import Model
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.closed import shape_of
from soadyn.programs.sweep.constrained import constrained_dynamics, forward_dynamics
from soadyn.robot.closed.redundancy import regular_homes
from soadyn.theory.oracle.dense_closures import DenseClosures


def with_homes(model: Model, q: np.ndarray) -> Model:
    """The model that knows where its closures can be eliminated at q."""
    return replace(model, homes=regular_homes(sd.Robot(model, "numpy").engine, q[None], shape_of(model)))


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("cuts", [1, 2, 3])
def test_accelerations_and_forces_are_those_of_the_dense_system(root: str, cuts: int, rng: np.random.Generator) -> None:
    compared = nested = 0
    while compared < 12:
        model, q = random_closed(rng, 6 + 3 * cuts, cuts, couplings=compared % 2, mobile=True, root=root)
        robot, v, tau, condition = prepared(rng, model, q)
        model = with_homes(robot.model, q)
        if not any(model.homes):
            continue
        compared += 1
        nested += len(set(model.homes) - {0}) > 1
        (program,) = constrained_dynamics(shape_of(model)).alternatives
        robot = sd.Robot(model, "numpy")
        external = rng.standard_normal((len(robot.link_names), 6))
        inputs = {"q": q, "v": v, "tau": tau, "external": external}
        (a, lam), *_ = robot.engine.run(program, inputs, (), "float64")
        dense = DenseClosures(model, q, v)
        # A loop is resolved with its home held still, which may cost the four digits that are allowed there.
        bound = 100 * EPS * max(condition, 1e4 * np.linalg.cond(dense.dense.mass_matrix))
        assert error(a, dense.forward_dynamics(tau, external)[0]) < bound
        assert error(dense.jacobian.T @ lam, dense.jacobian.T @ robot.constrained_dynamics(q, v, tau, external)[1]) < (
            100 * bound
        )
    assert cuts == 1 or nested


def legs(beyond: int) -> sd.Robot:
    """A body with two legs, each with a loop of its own; and a tail of so many links."""
    b, beam = sd.Builder("walker"), sd.Body(1.0, com=(0.2, 0.0, 0.0), inertia=np.diag([0.01, 0.02, 0.02]))
    trunk = b.link("trunk", beam, joint="free")
    for side, y in (("left", 0.2), ("right", -0.2)):
        hip = b.link(f"{side} hip", beam, trunk, origin=(0, y, 0), axis=(1, 0, 0))
        knee = b.link(f"{side} knee", beam, hip, origin=(0.3, 0, 0), axis=(0, 1, 0))
        rod = b.link(f"{side} rod", beam, hip, origin=(0, 0, 0.2), axis=(0, 1, 0))
        coupler = b.link(f"{side} coupler", beam, rod, origin=(0.3, 0, 0), axis=(0, 1, 0))
        b.loop(f"{side} pin", knee, coupler, "point on line", other_origin=(0.3, 0, 0), origin=(0.25, 0, 0.05))
    for _ in range(beyond):
        trunk = b.link(f"tail {beyond}", beam, trunk, origin=(0.3, 0, 0), axis=(0, 0, 1))
        beyond -= 1
    return b.robot()


def test_local_loops_are_eliminated_where_they_are() -> None:
    robot = legs(0)
    homes = {robot.model.links[k - 1].name for k in robot.model.homes}
    assert homes == {"left hip", "right hip"}
    counts = {}
    for program in (p := forward_dynamics(shape_of(robot.model)), *p.alternatives):
        counts[program] = traced(without_external(program), robot.engine.constants, {}).operations
    by_columns, eliminated = counts.values()
    assert eliminated < 0.8 * by_columns

    def trace(same):  # type: ignore[no-untyped-def]
        return traced(same, robot.engine.constants, {})

    assert cheapest_trace(without_external(p), robot.model, trace).operations == eliminated


def test_machine_code_eliminates_as_the_reference_does(form: str, rng: np.random.Generator) -> None:
    robot = legs(2).with_backend(form)
    q = robot.random_configuration(rng, size=9)
    v = robot.consistent(q, rng.standard_normal((9, robot.nv)))
    tau = rng.standard_normal((9, robot.nv))
    for name in ("forward_dynamics", "constrained_dynamics"):
        found, expected = getattr(robot, name)(q, v, tau), getattr(robot.with_backend("numpy"), name)(q, v, tau)
        for x, y in zip(found, expected, strict=True):
            assert error(x, y) < 1e-11


def test_loops_that_are_irregular_at_their_home_are_solved_for_at_the_ground() -> None:
    # Two links on one axle and a weld of both: with the trunk held still, five of the weld's rows move nothing.
    b, beam = sd.Builder("doubled"), sd.Body(1.0, com=(0.2, 0.0, 0.0), inertia=np.diag([0.01, 0.02, 0.02]))
    trunk = b.link("trunk", beam, joint="free")
    one, other = b.link("one", beam, trunk, axis=(0, 0, 1)), b.link("other", beam, trunk, axis=(0, 0, 1))
    b.loop("strap", one, other, "weld", keep=True)
    assert b.robot().model.homes == (0,)
