"""Quantities as C: compiled without a warning, with the bits of the kernels, right beside the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported, like_the_kernels
from soadyn.engine.native.kernel import available
from soadyn.exporting import parts

STATES = 20
# Quantities without a frame, and which of a state's arrays they take.
TAKES = {
    "forward_dynamics": ("q", "v", "tau"),
    "inverse_dynamics": ("q", "v", "a"),
    "mass_matrix": ("q",),
    "mass_matrix_inverse": ("q",),
    "mass_matrix_factors": ("q",),
    "bias_force": ("q", "v"),
    "gravity_force": ("q",),
    "kinetic_energy": ("q", "v"),
    "potential_energy": ("q",),
    "center_of_mass": ("q",),
    "center_of_mass_jacobian": ("q",),
    "centroidal_momentum_matrix": ("q",),
    "poses": ("q",),
    "inertia_regressor": ("q", "v", "a"),
}
FRAMED = {
    "pose": ("q",),
    "jacobian": ("q",),
    "frame_velocity": ("q", "v"),
    "frame_acceleration": ("q", "v", "a"),
}


def states(robot: sd.Robot, rng: np.random.Generator) -> list[dict[str, np.ndarray]]:
    return [
        {
            "q": robot.random_configuration(rng),
            **{name: rng.standard_normal(robot.nv) for name in ("v", "a", "tau")},
            "external": rng.standard_normal((len(robot.link_names), 6)),
        }
        for _ in range(STATES)
    ]


def results(found: Any) -> list[np.ndarray]:
    return [np.ravel(x) for x in (found if isinstance(found, tuple) else (found,))]


def assert_same_bits(found: list[np.ndarray], wanted: Any) -> None:
    for x, y in zip(found, results(wanted), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(x, y)


def assert_near(found: list[np.ndarray], wanted: Any, tolerance: float = 1e-11) -> None:
    for x, y in zip(found, results(wanted), strict=True):
        assert np.abs(x - y).max() <= tolerance * max(1.0, np.abs(y).max())


def needs_kernels() -> None:
    if not available():
        pytest.skip("llvmlite is absent: there are no kernels to compare with")


# The bits of the kernels, the numbers of the reference


@pytest.mark.parametrize("quantity", ["forward_dynamics", "inverse_dynamics", "mass_matrix", "poses"])
@pytest.mark.heavy(2)
def test_the_bits_are_those_of_the_straight_line_kernel(
    quantity: str, robot: sd.Robot, rng: np.random.Generator, tmp_path: Path
) -> None:
    needs_kernels()
    code = Exported(getattr(robot, quantity), tmp_path, "-O1", *like_the_kernels())
    kernel, reference = robot.specialize(), robot.with_backend("numpy")
    for state in states(robot, rng):
        given = [state[name] for name in TAKES[quantity]]
        status, found = code(*given)
        assert status == 0
        assert_same_bits(found, getattr(kernel, quantity)(*given))
        assert_near(found, getattr(reference, quantity)(*given))


@pytest.mark.parametrize("quantity", TAKES)
@pytest.mark.parametrize("optimised", ["-O0", pytest.param("-O3", marks=pytest.mark.slow)])
@pytest.mark.heavy(2)
def test_every_quantity_has_the_same_bits_however_it_is_compiled(
    quantity: str, optimised: str, ur5: sd.Robot, rng: np.random.Generator, tmp_path: Path
) -> None:
    needs_kernels()
    code = Exported(getattr(ur5, quantity), tmp_path, optimised, *like_the_kernels())
    kernel = ur5.specialize()
    for state in states(ur5, rng):
        given = [state[name] for name in TAKES[quantity]]
        status, found = code(*given)
        assert status == 0
        assert_same_bits(found, getattr(kernel, quantity)(*given))


def test_single_precision_has_the_bits_of_the_kernel(ur5: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    needs_kernels()
    code = Exported(ur5.inverse_dynamics, tmp_path, "-O1", *like_the_kernels(), real="float")
    assert "double tau" not in code.prototype
    for state in states(ur5, rng):
        given = [state[name].astype(np.float32) for name in ("q", "v", "a")]
        status, found = code(*given)
        assert status == 0
        assert_same_bits(found, ur5.specialize().inverse_dynamics(*given))


@pytest.mark.heavy(2)
def test_parts_change_no_bit(
    robot: sd.Robot, rng: np.random.Generator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_kernels()
    monkeypatch.setattr(parts, "PART", 50)
    code = Exported(robot.mass_matrix_factors, tmp_path, "-O1", *like_the_kernels())
    assert "f_part_5(" in code.text
    for state in states(robot, rng):
        status, found = code(state["q"])
        assert status == 0
        assert_same_bits(found, robot.specialize().mass_matrix_factors(state["q"]))


@pytest.mark.parametrize("size", [1e4, 3e5, 1e9])
def test_large_angles_are_right(size: float, ur5: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    code = Exported(ur5.pose, tmp_path, "-O1", frame="tool0")
    for _ in range(STATES):
        q = size * rng.uniform(-1, 1, 6)
        status, found = code(q)
        assert status == 0
        assert_near(found, ur5.with_backend("numpy").pose(q, "tool0"))


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.heavy(2)
def test_the_functions_of_the_c_library_do_as_well(
    real: Any, ur5: sd.Robot, rng: np.random.Generator, tmp_path: Path
) -> None:
    code = Exported(ur5.forward_dynamics, tmp_path, "-O1", libm=True, real=real)
    assert "sine_and_cosine(" not in code.text
    for state in states(ur5, rng):
        given = [state[name] for name in TAKES["forward_dynamics"]]
        status, found = code(*given)
        assert status == 0
        wanted = ur5.with_backend("numpy").forward_dynamics(*given)
        residual = ur5.mass_matrix(state["q"]) @ (np.float64(found[0]) - wanted)
        assert_near([residual], np.zeros(6), 1e-11 if real == "double" else 1e-3)


@pytest.mark.heavy(2)
def test_wrenches_are_an_argument_if_wanted(robot: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    code = Exported(robot.inverse_dynamics, tmp_path, "-O1", external=True)
    for state in states(robot, rng):
        given = [state[name] for name in ("q", "v", "a", "external")]
        status, found = code(*given)
        assert status == 0
        assert_near(found, robot.with_backend("numpy").inverse_dynamics(*given))


# What is folded in


@pytest.mark.parametrize(("quantity", "axes"), [*((name, "local") for name in FRAMED), ("jacobian", "world")])
@pytest.mark.heavy(2)
def test_frames_are_folded_in(
    quantity: str, axes: str, robot: sd.Robot, rng: np.random.Generator, tmp_path: Path
) -> None:
    turned = np.array([[0.0, -1.0, 0.0, 0.1], [1.0, 0.0, 0.0, -0.2], [0.0, 0.0, 1.0, 0.3], [0.0, 0.0, 0.0, 1.0]])
    frame = (robot.link_names[-1], turned)
    options = {} if quantity == "pose" else {"axes": axes}
    code = Exported(getattr(robot, quantity), tmp_path, "-O1", frame=frame, **options)
    for state in states(robot, rng):
        given = [state[name] for name in FRAMED[quantity]]
        status, found = code(*given)
        assert status == 0
        assert_near(found, getattr(robot.with_backend("numpy"), quantity)(*given, frame, **options))


@pytest.mark.parametrize("about", ["origin", "com", [0.3, -0.2, 0.1]], ids=str)
@pytest.mark.heavy(2)
def test_the_point_of_a_momentum_is_folded_in(
    about: Any, robot: sd.Robot, rng: np.random.Generator, tmp_path: Path
) -> None:
    code = Exported(robot.momentum, tmp_path, "-O1", about=about)
    for state in states(robot, rng):
        status, found = code(state["q"], state["v"])
        assert status == 0
        assert_near(found, robot.with_backend("numpy").momentum(state["q"], state["v"], about))


@pytest.mark.heavy(2)
def test_a_mask_can_be_an_argument(robot: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    code = Exported(robot.hybrid_dynamics, tmp_path, "-O1", *like_the_kernels())
    assert [name for _, _, name, _ in code.arrays] == ["q", "v", "a", "tau", "passive", "a_out", "tau_out"]
    kernel, reference = robot.specialize(), robot.with_backend("numpy")
    for state in states(robot, rng):
        mask = rng.random(robot.nv) < 0.5
        q, v = state["q"], state["v"]
        a, tau = np.where(mask, np.nan, state["a"]), np.where(mask, state["tau"], np.nan)
        status, found = code(q, v, a, tau, 3 * mask)
        assert status == 0
        assert_near(found, reference.hybrid_dynamics(q, v, a, tau, mask), 1e-9)
        if available():
            assert_same_bits(found, kernel.hybrid_dynamics(q, v, a, tau, mask))


def test_a_mask_can_be_folded_in(rng: np.random.Generator, tmp_path: Path) -> None:
    robot = sd.load("ets_vii")
    code = Exported(robot.hybrid_dynamics, tmp_path, "-O1", passive=["root"])
    assert code.text.count("MULTIPLY_ADD") < Exported(robot.hybrid_dynamics, tmp_path).text.count("MULTIPLY_ADD")
    mask = np.arange(robot.nv) < 6
    for state in states(robot, rng):
        a, tau = np.where(mask, np.nan, state["a"]), np.where(mask, state["tau"], np.nan)
        status, found = code(state["q"], state["v"], a, tau)
        assert status == 0
        wanted = robot.with_backend("numpy").hybrid_dynamics(state["q"], state["v"], a, tau, ["root"])
        assert_near(found, wanted, 1e-10)
        a[-1] = np.inf
        assert code(state["q"], state["v"], a, tau)[0] == 1


# States without an answer


def assert_no_answer(found: tuple[int, list[np.ndarray]], status: int) -> None:
    assert found[0] == status
    assert all(np.isnan(x).all() for x in found[1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.heavy(2)
def test_a_number_that_is_not_finite_is_told(bad: float, ur5: sd.Robot, tmp_path: Path) -> None:
    code = Exported(ur5.forward_dynamics, tmp_path, "-O2")
    for argument in range(3):
        for place in range(6):
            given = [np.zeros(6), np.zeros(6), np.zeros(6)]
            given[argument][place] = bad
            assert_no_answer(code(*given), 1)


def test_a_quaternion_of_zeros_and_an_overflow_are_told(tmp_path: Path) -> None:
    robot = sd.load("ets_vii")
    code = Exported(robot.forward_dynamics, tmp_path, "-O2")
    q, zero = robot.neutral(), np.zeros(robot.nv)
    assert code(q, zero, zero)[0] == 0
    assert_no_answer(code(q, np.full(robot.nv, 1e200), zero), 3)
    q[:4] = 0
    assert_no_answer(code(q, zero, zero), 2)


def test_a_singular_state_is_told(tmp_path: Path) -> None:
    """A point mass straight above the axis that turns it: the azimuth has nothing to accelerate."""
    builder = sd.Builder("spherical pendulum")
    builder.link("fork", axis=(0, 0, 1))
    builder.link("rod", sd.Body(2.0, com=(0, 0, 0.5)), parent="fork", axis=(0, 1, 0))
    robot = sd.build(builder)
    code = Exported(robot.forward_dynamics, tmp_path, "-O2")
    zero = np.zeros(2)
    assert code([0.3, 0.5], zero, zero)[0] == 0
    assert_no_answer(code([0.3, 0.0], zero, zero), 2)
    with sd.errstate("ignore"):
        assert np.isnan(robot.forward_dynamics([0.3, 0.0], zero, zero)).all()


@pytest.mark.heavy(2)
def test_results_may_lie_where_arguments_lie(robot: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    code = Exported(robot.hybrid_dynamics, tmp_path, "-O2", passive=[robot.joint_names[0]])
    for state in states(robot, rng):
        given = [state[name] for name in ("q", "v", "a", "tau")]
        status, wanted = code(*given)
        assert status == 0
        crossed = [given[3], given[2]]  # accelerations are written where forces were read
        assert code(*given, out=crossed)[0] == 0
        assert_same_bits(crossed, tuple(wanted))


# Formulas


@pytest.mark.heavy(2)
def test_compiled_formulas_have_the_bits_of_their_kernels(
    robot: sd.Robot, rng: np.random.Generator, tmp_path: Path
) -> None:
    """A vector, an operator, and several results of one function with a user's numbers."""
    needs_kernels()
    from soadyn.algebra import D, H, I_joint, K, M, T, a, b, inv, mass, phi, psi, theta_dot

    damping = sd.operator("damping", np.linspace(0.5, 1.5, robot.nv))
    filtered = (I_joint - H @ psi @ K) @ (T - damping @ theta_dot)
    cases = [inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b)), inv(mass), [filtered, inv(D) @ filtered]]
    special = robot.specialize()
    for formula in cases:
        f = sd.compile(formula, special)
        code = Exported(f, tmp_path, "-O1", *like_the_kernels())
        for state in states(robot, rng)[:5]:
            given = {"q": state["q"], "v": state["v"], "T": state["tau"], "x": state["tau"]}
            if f.is_operator:
                expected, arguments = f(given["q"]) @ given["x"], ("q", "x")
            else:
                arguments = tuple(argument.name for argument in f.arguments)
                expected = f(*(given[x] for x in arguments))
            status, found = code(*(given[x] for x in arguments))
            assert status == 0
            for x, wanted in zip(found, expected if isinstance(expected, tuple) else (expected,), strict=True):
                assert np.array_equal(x, wanted)


def test_formulas_at_operational_points(ur5: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    """Forces and motions at two frames, and a derivative by them: the robot's own Jacobians, and the formula's."""
    from soadyn.algebra import B, H, V, f_tip, phi

    frames = ["tool0", "forearm_link"]
    q, v, dq, dv = rng.standard_normal((4, 6))
    w, dw = rng.standard_normal((2, 12))
    J = np.concatenate([ur5.jacobian(q, frame) for frame in frames])
    f = sd.compile([B.T @ V, H @ phi @ B @ f_tip], ur5, frames=frames)
    code = Exported(f, tmp_path)
    assert "frame: tool0" in code.text
    assert "frame: forearm_link" in code.text
    status, (motion, force) = code(q, v, w)
    assert status == 0
    assert np.allclose(motion, J @ v, rtol=0, atol=1e-13)
    assert np.allclose(force, J.T @ w, rtol=0, atol=1e-13)
    status, found = Exported(f, tmp_path, derivative="jvp")(q, v, w, dq, dv, dw)
    assert status == 0
    assert np.allclose(np.concatenate(found[2:]), np.concatenate(f.jvp((q, v, w), (dq, dv, dw))[1]), rtol=0, atol=1e-12)


def test_what_belongs_to_compiling_or_is_solved_around_the_program_is_refused(ur5: sd.Robot, tmp_path: Path) -> None:
    from soadyn.algebra import B, H, Omega, inv, phi

    with pytest.raises(sd.ArgumentError, match=r"inv\(B.T @ Omega @ B\) is solved numerically"):
        sd.export_c(sd.compile(inv(B.T @ Omega @ B), ur5, frames=["tool0"]), tmp_path / "inertia")
    with pytest.raises(sd.ArgumentError, match=r"'frame' belongs to sd\.compile"):
        sd.export_c(sd.compile(H @ phi @ phi, ur5), tmp_path / "twice", frame="tool0")
