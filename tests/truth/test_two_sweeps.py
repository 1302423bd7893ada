"""Forward dynamics in two sweeps: the same accelerations without velocities first, the same trajectory."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import norm, random_state, row
from random_robots import ALL_KINDS, random_model
from soadyn.mechanics.spatial import Quadratic, Spatial, Transform
from soadyn.programs.sweep import Program
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.loops import HEADERS, loops
from soadyn.programs.sweep.printing import documented
from soadyn.programs.sweep.program import Direction
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITIES, SEMI_IMPLICIT_STEP, WITHOUT_VELOCITIES
from soadyn.robot.calling.run_program import outputs_of
from soadyn.robot.compiled.explaining import explain
from soadyn.theory.oracle.dense_robot import DenseRobot

INWARD, OUTWARD = HEADERS[Direction.TIP_TO_BASE], HEADERS[Direction.BASE_TO_TIP]
VARIANTS: dict[str, dict[str, Any]] = {
    "fixed": {},
    "free": {"root": "free"},
    "fixed with armature": {"armature": True},
    "free with armature": {"root": "free", "armature": True},
    "serial with massless links": {"shape": "serial", "massless": 0.5, "armature": True},
    "star on a free base": {"shape": "star", "root": "free"},
}
SHOWN_KINDS = [kind for kind in ALL_KINDS if kind != "universal"]  # no hidden links
BACKENDS = ["numpy", "rolled", "straight"]


@pytest.fixture(autouse=True)
def backend() -> str:
    """In place of the fixture for all tests of truth: code for polynomials compiles slowly, so few tests ask for it."""
    return "numpy"


def ran(robot: sd.Robot, program: Program, **inputs: Any) -> list[np.ndarray]:
    return list(outputs_of(robot.engine, program, inputs, "float64")[0])


def on(robot: sd.Robot, backend: str) -> sd.Robot:
    if backend == "numpy":
        return robot.with_backend("numpy")
    if importlib.util.find_spec("llvmlite") is None:
        pytest.skip("llvmlite is absent: there is no native code to test")
    return robot.specialize(backend == "straight")


def accelerations(robot: sd.Robot, state: dict[str, Any]) -> np.ndarray:
    return ran(robot, WITHOUT_VELOCITIES, **{name: state[name] for name in ("q", "v", "tau", "external")})[0]


def assert_dynamics(robot: sd.Robot, state: dict[str, Any], found: np.ndarray) -> None:
    """Mass θ̈ + C = T with the dense mass matrix and bias, and the three sweeps' accelerations."""
    dense = DenseRobot(robot.model, state["q"], state["v"])
    M, c, tau = dense.mass_matrix, dense.bias_force(state["external"]), state["tau"]
    scale = norm(M) * norm(found) + norm(tau) + norm(c)
    assert norm(M @ found - (tau - c)) <= 1e-10 * scale
    usual = robot.forward_dynamics(state["q"], state["v"], tau, state["external"])  # type: ignore[attr-defined]
    assert norm(M @ (found - usual)) <= 1e-10 * scale


# Velocities unknown on the way inward


@pytest.mark.parametrize("name", ["ur5", "planar_two_link", "free_flyer"])
def test_accelerations_without_velocities_solve_the_equations_of_motion(name: str, rng: np.random.Generator) -> None:
    robot = sd.load(name).with_backend("numpy")
    states = random_state(rng, robot, (5,))
    for i, found in enumerate(accelerations(robot, states)):
        assert_dynamics(robot, row(states, i), found)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 4, 15])
@pytest.mark.heavy
def test_accelerations_without_velocities_on_random_trees(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant])).with_backend("numpy")
    states = random_state(rng, robot, (3,))
    for i, found in enumerate(accelerations(robot, states)):
        assert_dynamics(robot, row(states, i), found)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_accelerations_without_velocities_for_every_joint_kind(kind: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, kinds=[kind], armature=True)).with_backend("numpy")
    state = random_state(rng, robot)
    assert_dynamics(robot, state, accelerations(robot, state))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["planar_two_link", "ur5", "planar and spherical"])
@pytest.mark.heavy(2)
def test_every_backend_has_the_accelerations(name: str, backend: str, rng: np.random.Generator) -> None:
    made = {"planar and spherical": lambda: sd.Robot(random_model(rng, 3, kinds=["planar", "spherical"]))}
    robot = on(made[name]() if name in made else sd.load(name), backend)
    states = random_state(rng, robot, (4,))
    for i, found in enumerate(accelerations(robot, states)):
        assert_dynamics(robot, row(states, i), found)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bad_row_spoils_no_other(backend: str, rng: np.random.Generator) -> None:
    robot = on(sd.load("planar_two_link"), backend)
    states = random_state(rng, robot, (3,))
    good = accelerations(robot, states)
    states["v"][1, 0] = np.nan
    with sd.errstate("ignore"):
        found = accelerations(robot, states)
    assert np.isnan(found[1]).all()
    assert np.array_equal(found[[0, 2]], good[[0, 2]])


def test_without_wrenches_none_are_asked_for(rng: np.random.Generator) -> None:
    robot = sd.load("ur5").with_backend("numpy")
    s = random_state(rng, robot)
    (found,) = ran(robot, without_external(WITHOUT_VELOCITIES), q=s["q"], v=s["v"], tau=s["tau"])
    assert_dynamics(robot, {**s, "external": 0 * s["external"]}, found)


# Velocities carried from step to step


def three_sweeps(robot: Any, q: np.ndarray, v: np.ndarray, tau: Any, h: float, external: Any = None) -> Any:
    """The semi-implicit Euler step with forward dynamics as everybody else calls it."""
    v = v + h * robot.forward_dynamics(q, v, tau, external)
    return robot.integrate(q, h * v), v


def assert_same_trajectory(robot: sd.Robot, rng: np.random.Generator, h: float, steps: int, size: Any = ()) -> None:
    state = random_state(rng, robot, size)
    q, v = two_q, two_v = state["q"], state["v"]
    (V,) = ran(robot, LINK_VELOCITIES, q=q, v=v)
    known = {"tau": state["tau"], "external": state["external"]}
    for _ in range(steps):
        two_q, two_v, V = ran(robot, SEMI_IMPLICIT_STEP, q=two_q, v=two_v, V_link=V, h=np.asarray(h), **known)
        q, v = three_sweeps(robot, q, v, state["tau"], h, state["external"])
    assert np.abs(two_q - q).max() <= 1e-12 * max(1.0, np.abs(q).max())
    assert np.abs(two_v - v).max() <= 1e-12 * max(1.0, np.abs(v).max())
    assert_link_velocities(robot, q, v, V)


def assert_link_velocities(robot: Any, q: np.ndarray, v: np.ndarray, of_links: np.ndarray) -> None:
    for i, name in enumerate(robot.link_names):
        V = robot.frame_velocity(q, v, name, axes="local")
        assert np.abs(of_links[..., i, :] - V).max() <= 1e-12 * max(1.0, np.abs(V).max())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["planar_two_link", "ur5"])
@pytest.mark.heavy(2)
def test_two_sweeps_a_step_give_the_trajectory_of_three(name: str, backend: str, rng: np.random.Generator) -> None:
    assert_same_trajectory(on(sd.load(name), backend), rng, 1e-3, 100, (2,))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy(2)
def test_two_sweeps_a_step_on_random_trees(variant: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, kinds=SHOWN_KINDS, **VARIANTS[variant]))
    assert_same_trajectory(robot.with_backend("numpy"), rng, 1e-4, 50)


@pytest.mark.parametrize("kind", SHOWN_KINDS)
@pytest.mark.heavy(2)
def test_two_sweeps_a_step_for_every_joint_kind(kind: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, kinds=[kind], root="free", armature=True))
    assert_same_trajectory(robot.with_backend("numpy"), rng, 1e-4, 50)


@pytest.mark.parametrize("backend", ["rolled", "straight"])
@pytest.mark.heavy(2)
def test_quaternions_are_integrated_in_native_code_as_elsewhere(backend: str, rng: np.random.Generator) -> None:
    robot = on(sd.Robot(random_model(rng, 3, kinds=["spherical"], root="free")), backend)
    assert_same_trajectory(robot, rng, 1e-3, 20, (3,))


FREE: dict[str, Any] = {"joint_forces": False, "stops": False, "effort_limit": None}


def test_simulations_in_two_sweeps_are_those_in_three(rng: np.random.Generator) -> None:
    robot, h = sd.load("ur5"), 1 / 512
    state = random_state(rng, robot)
    known: dict[str, Any] = {"control": 0.1 * state["tau"], "duration": 128 * h, "step": h, **FREE}
    three, two = (
        sd.simulate(robot, state["q"], state["v"], method=method, **known) for method in ("semi-implicit", "two-sweep")
    )
    assert len(three.q) == 129
    assert np.abs(two.q - three.q).max() <= 1e-12 * np.abs(three.q).max()
    assert np.abs(two.v - three.v).max() <= 1e-12 * np.abs(three.v).max()


def test_two_sweeps_go_on_rightly_after_events() -> None:
    """Steps that look for an event, and those from a state that it changed, begin where the last one did not end."""
    arm = sd.load("planar_two_link")
    events = [
        sd.Event(lambda t, q, v: q[0], name="level"),
        sd.Event(lambda t, q, v: q[0] + 0.2, do=lambda t, q, v: (q, 0.5 * v), name="slowed"),
    ]
    known: dict[str, Any] = {"duration": 0.5, "step": 0.01, "events": events, **FREE}
    three, two = (sd.simulate(arm, [0.3, 0.0], method=method, **known) for method in ("semi-implicit", "two-sweep"))
    assert [name for _, name in two.events] == ["level", "slowed"]
    np.testing.assert_allclose(two.q, three.q, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(two.v, three.v, rtol=1e-11, atol=1e-11)


# What is printed


@pytest.mark.parametrize("program", [WITHOUT_VELOCITIES, SEMI_IMPLICIT_STEP], ids=lambda program: program.name)
def test_two_sweeps_are_two_loops_and_are_explained(program: Program) -> None:
    assert [loop.header for loop in loops(program)] == [INWARD, OUTWARD]
    text = explain(program, sd.load("planar_two_link"))
    for stage in program.stages:
        equations, _, reference = documented(stage.step)  # type: ignore[union-attr]
        assert equations
        assert all(line.split("  [")[0] in text for line in equations)
        assert reference in text or any("  [001 (" in line for line in equations)


def test_the_steps_inputs_and_results_are_told() -> None:
    assert explain(WITHOUT_VELOCITIES).startswith("forward_dynamics_without_velocities:  q, v, T, external → θ̈\n")
    assert explain(SEMI_IMPLICIT_STEP).startswith("semi_implicit_step:  q, v, T, external, V_link, h → q, v, V_link\n")


# Quadratic polynomials


def random_vector(rng: np.random.Generator, columns: int = 1) -> Spatial:
    return Spatial.of(rng.standard_normal((2, 6, columns)))


def random_transform(rng: np.random.Generator) -> Transform:
    R = np.linalg.qr(rng.standard_normal((2, 3, 3)))[0]
    return Transform(R * np.linalg.det(R)[:, None, None], rng.standard_normal((2, 3, 1)))


@pytest.fixture
def z(rng: np.random.Generator) -> Quadratic:
    return Quadratic(random_vector(rng), random_vector(rng, 6), random_vector(rng, 21))


def same(x: Spatial, y: Spatial) -> bool:
    return bool(np.allclose(x.dense(), y.dense(), rtol=1e-13, atol=1e-13))


def test_a_shifted_polynomial_is_the_polynomial_elsewhere(z: Quadratic, rng: np.random.Generator) -> None:
    V, by = random_vector(rng), random_vector(rng)
    assert same(z.shifted(by).at(V), z.at(V + by))


def test_a_carried_polynomial_takes_the_inner_velocity(z: Quadratic, rng: np.random.Generator) -> None:
    phi, V = random_transform(rng), random_vector(rng)
    assert same(z.carried(phi).at(V), phi @ z.at(phi.mT @ V))


def test_a_mapped_polynomial_maps_its_values(z: Quadratic, rng: np.random.Generator) -> None:
    X, V = rng.standard_normal((2, 6, 6)), random_vector(rng)
    mapped = z.mapped(lambda x: Spatial.of(X @ x.dense()))
    assert same(mapped.at(V), Spatial.of(X @ z.at(V).dense()))


def test_polynomials_of_products_and_sums_have_their_values(rng: np.random.Generator) -> None:
    constant, linear, V = random_vector(rng), random_vector(rng, 6), random_vector(rng)
    squares = Quadratic.of_products(Spatial.cross_force)
    both = sum([squares, Quadratic.affine(constant, linear)])
    expected = V.cross_force(V) + constant + linear @ V.dense()
    assert isinstance(both, Quadratic)
    assert same(both.at(V), expected)


def test_spatial_cross_products_are_dual_and_those_of_the_moving_frame(rng: np.random.Generator) -> None:
    """(X × f)·Y = -f·(X × Y), and both go along with a change of frame (000 eq. B.8)."""
    X, Y, f, phi = random_vector(rng), random_vector(rng), random_vector(rng), random_transform(rng)
    assert np.allclose(X.cross_force(f).dot(Y), -f.dot(X.cross(Y)), atol=1e-13)
    assert same(phi.mT @ X.cross(Y), (phi.mT @ X).cross(phi.mT @ Y))
