"""Random trees over every joint kind: agreement with the dense oracle, and with Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import Agreement, compare, our_quantities, random_state, row
from random_robots import ALL_KINDS, random_model
from soadyn.model.model import Model
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.identity_checks import identities

SIZES = (1, 2, 3, 5, 8, 13, 25, 60)
VARIANTS = {
    "fixed": {},
    "free": {"root": "free"},
    "fixed with armature": {"armature": True},
    "free with armature": {"root": "free", "armature": True},
    "fixed with massless links": {"massless": 0.5},
    "free with armature and massless links": {"root": "free", "armature": True, "massless": 0.5},
    "serial": {"shape": "serial"},
    "star on a free base": {"shape": "star", "root": "free"},
}


def dense_quantities(model: Model, state: dict[str, Any], frames: list[str]) -> dict[str, Any]:
    dense = DenseRobot(model, state["q"], state["v"])
    a, external = state["a"], state["external"]
    found = {
        "mass_matrix": dense.mass_matrix,
        "inverse_dynamics": dense.inverse_dynamics(a, external),
        "bias_force": dense.bias_force(),
        "bias_with_external": dense.bias_force(external),
        "gravity_force": dense.gravity_force,
        "kinetic_energy": dense.kinetic_energy,
        "potential_energy": dense.potential_energy,
        "momentum": dense.momentum(),
        "momentum about com": dense.momentum(dense.center_of_mass),
        "center_of_mass": dense.center_of_mass,
        "center_of_mass_jacobian": dense.center_of_mass_jacobian,
        "centroidal_momentum_matrix": dense.centroidal_momentum_matrix,
        "poses": dense.poses,
        "inertia_regressor": dense.inertia_regressor(a),
        "factors": np.stack([dense.U, dense.D]),
    }
    for frame in frames:
        found[f"pose {frame}"] = dense.frame(frame)[1]
        for axes in ("world", "local"):
            found[f"jacobian {frame} {axes}"] = dense.jacobian(frame, axes)
            found[f"frame_velocity {frame} {axes}"] = dense.frame_velocity(frame, axes)
            found[f"frame_acceleration {frame} {axes}"] = dense.frame_acceleration(a, frame, axes)
    return found


def compared(model: Model, rng: np.random.Generator, theirs: Any, states: int, tolerance: float) -> Agreement:
    robot = sd.Robot(model)
    frames = [str(name) for name in rng.choice(robot.frame_names, 2)] + ["tool"]
    batch = random_state(rng, robot, (states,))
    ours = our_quantities(robot, batch, frames)
    agreement = Agreement(tolerance, 1e-10)
    for i in range(states):
        state = row(batch, i)
        compare(row(ours, i), theirs(state, frames), {"tau": state["tau"], "mass": robot.total_mass}, agreement)
    return agreement


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy
def test_all_quantities_agree_with_the_dense_oracle(variant: str, n: int, rng: np.random.Generator) -> None:
    model = random_model(rng, n, **VARIANTS[variant])
    compared(model, rng, lambda state, frames: dense_quantities(model, state, frames), 2, 1e-10).check()


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy
def test_each_joint_kind_alone_agrees_with_the_dense_oracle(kind: str, root: str, rng: np.random.Generator) -> None:
    for armature in (False, True):
        model = random_model(rng, 6, kinds=[kind], root=root, armature=armature)
        compared(model, rng, lambda state, frames, m=model: dense_quantities(m, state, frames), 3, 1e-10).check()


def check_forces_of_composites(model: Model, rng: np.random.Generator) -> None:
    """Beside the mass matrix, bias and gravity forces come from composite bodies, by sweeps of their own."""
    robot, agreement = sd.Robot(model), Agreement(1e-10, 1e-10)
    batch = random_state(rng, robot, (3,))
    state = robot.at(batch["q"], batch["v"], together=("mass_matrix", "bias_force", "gravity_force"))
    ours = {name: getattr(state, name) for name in ("mass_matrix", "bias_force", "gravity_force")}
    for i in range(3):
        dense = DenseRobot(model, batch["q"][i], batch["v"][i])
        theirs = {
            "mass_matrix": dense.mass_matrix,
            "bias_force": dense.bias_force(),
            "gravity_force": dense.gravity_force,
        }
        compare(row(ours, i), theirs, {"mass": robot.total_mass}, agreement)
    agreement.check()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy
def test_forces_of_composites_agree_with_the_dense_oracle(variant: str, n: int, rng: np.random.Generator) -> None:
    check_forces_of_composites(random_model(rng, n, **VARIANTS[variant]), rng)


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("root", ["fixed", "free"])
def test_forces_of_composites_of_each_joint_kind(kind: str, root: Any, rng: np.random.Generator) -> None:
    check_forces_of_composites(random_model(rng, 6, kinds=[kind], root=root, armature=True), rng)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["numpy"], indirect=True)
@pytest.mark.parametrize("seed", range(200))
def test_many_more_trees_agree_with_the_dense_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_model(rng, int(rng.integers(1, 61)), **VARIANTS[rng.choice(list(VARIANTS))])
    compared(model, rng, lambda state, frames: dense_quantities(model, state, frames), 2, 1e-10).check()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy
def test_all_quantities_agree_with_pinocchio(variant: str, n: int, rng: np.random.Generator) -> None:
    pytest.importorskip("pinocchio")
    from pinocchio_peer import pin_tree

    model = random_model(rng, n, **VARIANTS[variant])
    compared(model, rng, pin_tree(model).quantities, 5, 1e-9).check()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["numpy"], indirect=True)
@pytest.mark.parametrize("seed", range(200))
def test_many_more_trees_agree_with_pinocchio(seed: int) -> None:
    pytest.importorskip("pinocchio")
    from pinocchio_peer import pin_tree

    rng = np.random.default_rng(seed)
    model = random_model(rng, int(rng.integers(1, 61)), **VARIANTS[rng.choice(list(VARIANTS))])
    compared(model, rng, pin_tree(model).quantities, 5, 1e-9).check()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_identities_of_the_papers_hold(variant: str, rng: np.random.Generator) -> None:
    for n in (1, 4, 12):
        model = random_model(rng, n, **VARIANTS[variant])
        state = random_state(rng, sd.Robot(model))
        found = identities(DenseRobot(model, state["q"], state["v"]))
        wrong = {name: error for name, error in found if not error <= 1e-11}
        assert not wrong


def test_every_quantity_is_compared(rng: np.random.Generator) -> None:
    from soadyn.quantities import QUANTITIES
    from soadyn.quantities.derivatives import DERIVATIVES
    from soadyn.quantities.diagonalized import DIAGONALIZED
    from soadyn.quantities.links import LINKS
    from soadyn.quantities.under_actuated import UNDER_ACTUATED

    model = random_model(rng, 3)
    found = compared(model, rng, lambda state, frames: dense_quantities(model, state, frames), 1, 1e-10)
    # they have their own files
    apart = (*DERIVATIVES, *DIAGONALIZED, *LINKS, *UNDER_ACTUATED)
    elsewhere = {"hybrid_dynamics", *(quantity.name for quantity in apart)}
    assert set(QUANTITIES) - {name.split()[0] for name in found.worst} == elsewhere


def test_factors_are_triangular_in_the_order_of_the_papers(rng: np.random.Generator) -> None:
    model = random_model(rng, 7, kinds=["revolute", "spherical", "planar"], root="free")
    dense = DenseRobot(model, random_state(rng, sd.Robot(model))["q"])
    assert np.allclose(np.tril(dense.U, -1), 0, atol=1e-13)
    assert np.allclose(np.triu(dense.operator("phi", order="paper")[:6, 6:]), 0)
    sizes = [joint.behaviour.nv for joint in reversed(model.joints)]
    starts = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    U = dense.operator("U", order="paper")
    assert all(abs(U[i, j]) < 1e-13 for i in range(len(U)) for j in range(len(U)) if starts[j] > starts[i])


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("n", [1, 6, 30])
@pytest.mark.heavy(2)
def test_a_singular_pivot_gives_nan_rows_and_one_warning(root: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, root=root, singular=True))
    states = random_state(rng, robot, (4,))
    q, v, tau = states["q"], states["v"], states["tau"]
    for call in (
        lambda: robot.forward_dynamics(q, v, tau),
        lambda: robot.mass_matrix_inverse(q),
        lambda: robot.mass_matrix_factors(q),
        lambda: robot.hybrid_dynamics(q, v, None, tau, list(robot.joint_names)),
    ):
        with pytest.warns(RuntimeWarning, match=r"4 of 4 rows came out NaN: D is singular at link 'feather'") as caught:
            results = call()
        assert len(caught) == 1
        assert all(np.isnan(x).all() for x in (results if isinstance(results, tuple) else (results,)))


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_what_needs_no_inverse_works_beside_a_singular_pivot(root: str, rng: np.random.Generator) -> None:
    model = random_model(rng, 10, root=root, singular=True)
    robot = sd.Robot(model)
    states = random_state(rng, robot, (3,))
    ours = our_quantities(robot, states, ["feather", "tool"], invertible=False)
    agreement = Agreement(1e-10)
    for i in range(3):
        state = row(states, i)
        theirs = dense_singular(model, state)
        compare(row(ours, i), theirs, {"tau": state["tau"], "mass": robot.total_mass}, agreement)
    agreement.check()


def dense_singular(model: Model, state: dict[str, Any]) -> dict[str, Any]:
    """As dense_quantities, without the factors."""
    dense = DenseRobot(model, state["q"], state["v"])
    return {
        "mass_matrix": dense.mass_matrix,
        "inverse_dynamics": dense.inverse_dynamics(state["a"], state["external"]),
        "bias_force": dense.bias_force(),
        "kinetic_energy": dense.kinetic_energy,
        "momentum": dense.momentum(),
        "jacobian feather world": dense.jacobian("feather"),
        "frame_acceleration tool local": dense.frame_acceleration(state["a"], "tool", "local"),
        "inertia_regressor": dense.inertia_regressor(state["a"]),
    }


def test_a_singular_pivot_spoils_only_its_own_rows() -> None:
    """Two equal links without mass at their tip: stretched out, the inner one still feels its own inertia only."""
    builder = sd.Builder("crank")
    builder.link("slide", joint="prismatic", axis=(1, 0, 0))
    builder.link("bar", sd.Body(1.0), parent="slide", joint="prismatic", axis=(0, 1, 0), origin=None)
    crank = sd.build(builder)
    assert np.isfinite(crank.forward_dynamics([0.0, 0.0], [0, 0], [1, 1])).all()
    builder = sd.Builder("arm")
    builder.link("upper", axis=(0, 0, 1))
    builder.link("lower", sd.Body(1.0), parent="upper", joint="prismatic", axis=(1, 0, 0))
    arm = sd.build(builder)
    q = np.array([[0.3, 0.5], [0.3, 0.0], [0.3, -0.2]])  # at slide 0 the mass stands on the axis of the turn
    with pytest.warns(RuntimeWarning, match=r"1 of 3 rows came out NaN: D is singular at link 'upper'"):
        a = arm.forward_dynamics(q, np.zeros(2), [1.0, 1.0])
    assert np.isnan(a[1]).all()
    assert np.isfinite(a[[0, 2]]).all()
    assert a[0, 0] == pytest.approx(1 / 0.25)


def test_armature_makes_a_massless_link_regular(rng: np.random.Generator) -> None:
    builder = sd.Builder("rotor")
    builder.link("bar", axis=(0, 0, 1), armature=0.5)
    rotor = sd.build(builder)
    assert rotor.forward_dynamics([0.2], [3.0], [2.0]) == pytest.approx([4.0])
    assert rotor.momentum([0.2], [3.0]) == pytest.approx(np.zeros(6))
    assert rotor.kinetic_energy([0.2], [3.0]) == pytest.approx(0.5 * 0.5 * 9)
    builder = sd.Builder("small rotor")
    builder.link("bar", axis=(0, 0, 1), armature=1.234e-9)
    assert sd.build(builder).forward_dynamics([0.2], [3.0], [2.0]) == pytest.approx([2 / 1.234e-9], rel=1e-14)
    with pytest.raises(sd.ModelError, match=r"momentum: robot 'rotor' has no moving mass"):
        rotor.momentum([0.2], [3.0], about="com")
    with pytest.raises(sd.ModelError, match=r"center_of_mass: robot 'rotor' has no moving mass"):
        rotor.center_of_mass([0.2])
