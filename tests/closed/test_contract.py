"""What every quantity means on robots with closures: the tree's, the closed robot's, or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from every_quantity import arguments, called, results
from own_sources import ROOT
from scripts import load_script
from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES
from soadyn.quantities.on_closed_robots import ON_CLOSED_ROBOTS
from soadyn.theory.oracle.dense_closures import DenseClosures, coordinate_rates

BY_KIND = {
    kind: [name for name, row in QUANTITIES.items() if row.on_closed.kind == kind]
    for kind in ("tree", "closed", "refused")
}


@pytest.fixture(scope="module", params=["planar", "spatial"])
def robot(request: pytest.FixtureRequest) -> sd.Robot:
    b = sd.Builder("closed")
    beam = sd.Body(1.0, com=(0.2, 0.1, 0.05), inertia=np.diag([0.01, 0.02, 0.025]))
    spatial = request.param == "spatial"
    parent = b.link("base", beam, joint="free") if spatial else None
    crank = b.link("crank", beam, parent)
    coupler = b.link("link_2", beam, crank, origin=(0.3, 0, 0))
    rocker = b.link("rocker", beam, parent, origin=(0.8, 0, 0))
    wheel = b.link("wheel", beam, coupler, origin=(0.4, 0, 0), axis=(0, 1, 0))
    hand = wheel
    for i, axis in enumerate([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0)]):
        hand = b.link(f"hand_{i}", beam, hand, origin=(0.1, 0.2, 0.1), axis=axis)
    b.frame("tool", hand, (0.1, 0.2, 0.3))
    b.loop("pin", coupler, rocker, "hinge", origin=(0.9, 0, 0), other_origin=(0.7, 0, 0))
    b.couple("gear", {"crank_joint": 1.0, "wheel_joint": [0.0, -2.0, 0.1]})
    if spatial:
        b.loop("rod", wheel, None, "distance", origin=(0.1, 0, 0), other_origin=(0.0, 0.0, -1.0), length=1.5)
    return b.robot().with_backend("numpy")


@pytest.fixture(scope="module")
def state(robot: sd.Robot) -> dict[str, np.ndarray]:
    """A closed one."""
    rng = np.random.default_rng(35)
    q = robot.random_configuration(rng)
    v, a, tau = rng.standard_normal((3, robot.nv))
    return {"q": q, "v": robot.consistent(q, v), "a": a, "tau": tau}


def test_every_quantity_has_a_row() -> None:
    assert set(ON_CLOSED_ROBOTS) == set(QUANTITIES)
    assert all(row.says for row in ON_CLOSED_ROBOTS.values())
    assert all((row.program is not None) == (row.kind == "closed") for row in ON_CLOSED_ROBOTS.values())


def test_the_page_is_made_from_the_rows() -> None:
    script = load_script(ROOT / "docs/make_closed_robots.py")
    page = (ROOT / "docs/reference/closed_robots.md").read_text(encoding="utf-8")
    assert page == script.page(), "run python docs/make_closed_robots.py"


@pytest.mark.parametrize("name", BY_KIND["tree"])
def test_what_means_the_trees_is_the_trees(name: str, robot: sd.Robot, state: dict[str, np.ndarray]) -> None:
    for found, expected in zip(called(robot, name, state), called(robot.open(), name, state), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", BY_KIND["refused"])
def test_what_is_refused_says_what_to_ask_for(name: str, robot: sd.Robot, state: dict[str, np.ndarray]) -> None:
    with pytest.raises(sd.ArgumentError) as told:
        called(robot, name, state)
    assert QUANTITIES[name].on_closed.says in str(told.value)
    assert results(getattr(robot.open(), name)(**arguments(name, state, robot)))  # which is there


Expected = Callable[[DenseClosures, Any, sd.Robot], tuple[np.ndarray, ...]]


def _derivatives(dense: DenseClosures, state: dict[str, np.ndarray], robot: sd.Robot) -> tuple[np.ndarray, ...]:
    """By complex steps of the accelerations, which are those of dense matrices."""
    along = 1e-30j * np.eye(robot.nv)
    q, v, tau = (state[name] for name in ("q", "v", "tau"))
    found = (
        robot.forward_dynamics(q + 1e-30j * coordinate_rates_of(robot, q), v, tau),
        robot.forward_dynamics(q, v + along, tau),
        robot.forward_dynamics(q, v, tau + along),
    )
    return tuple(x.imag.T / 1e-30 for x in found)


def coordinate_rates_of(robot: sd.Robot, q: np.ndarray) -> np.ndarray:
    """q̇ of each unit rate, (nv, nq)."""
    return np.array([coordinate_rates(robot.model, q, unit) for unit in np.eye(robot.nv)])


DENSE: dict[str, Expected] = {
    "forward_dynamics_derivatives": _derivatives,
    "forward_dynamics": lambda dense, state, _: dense.forward_dynamics(state["tau"])[:1],
    "closure_error": lambda dense, state, _: (dense.error,),
    "closure_jacobian": lambda dense, state, _: (dense.jacobian,),
    "closure_drift": lambda dense, state, _: (dense.drift,),
    "closure_inertia_inverse": lambda dense, state, _: (dense.inertia_inverse,),
    "constrained_dynamics": lambda dense, state, _: dense.forward_dynamics(state["tau"]),
}


@pytest.mark.parametrize("name", [*BY_KIND["closed"], *CLOSURE_QUANTITIES])
def test_what_obeys_closures_is_that_of_dense_matrices(
    name: str, robot: sd.Robot, state: dict[str, np.ndarray]
) -> None:
    dense = DenseClosures(robot.model, state["q"], state["v"])
    row = {**QUANTITIES, **CLOSURE_QUANTITIES}[name]
    found = results(getattr(robot, name)(**{x.name: state[x.name] for x in row.parameters if x.name in state}))
    for x, y in zip(found, DENSE[name](dense, state, robot), strict=True):
        if x.shape == (len(dense.error),) and name == "constrained_dynamics":  # of forces what they do is compared
            x, y = dense.jacobian.T @ x, dense.jacobian.T @ y
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(y).max()))
