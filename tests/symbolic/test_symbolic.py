"""Symbolic quantities: textbook formulas, numbers that agree, few operations, code that runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from corpus import loadable_urdfs, short_name
from native_cases import corpus_robot
from random_robots import random_model
from soadyn.algebra import T, V, inv, mass, theta_dot

sympy = pytest.importorskip("sympy")


def run(made: Any, *values: Any) -> tuple[np.ndarray, ...]:
    """The generated Python, called."""
    space: dict[str, Any] = {}
    exec(made.python(), space)
    found = space[made.name](*np.concatenate([np.ravel(x) for x in values]).tolist())
    return tuple(np.array(x) for x in found) if isinstance(found, tuple) else (np.array(found),)


def names(text: str, **assumptions: Any) -> Any:
    return sympy.symbols(text, real=True, **assumptions)


def test_a_planar_arm_comes_out_as_textbooks_print_it() -> None:
    """The planar elbow of M. Spong, S. Hutchinson, M. Vidyasagar, Robot Modeling and Control (2006), on dynamics."""
    arm = sd.load("planar_two_link")
    free = ("q", "v", "masses", "centres", "inertias", "lengths", "gravity")
    m1, m2 = names("m_link1 m_link2", positive=True)
    r1, r2, l1, I1, I2 = names("c_link1_x c_link2_x l_joint2_x J_link1_yy J_link2_yy")
    q1, q2, v1, v2, g = names("q_joint1 q_joint2 v_joint1 v_joint2 g_z")
    cos, sin = sympy.cos, sympy.sin
    d11 = m1 * r1**2 + m2 * (l1**2 + r2**2 + 2 * l1 * r2 * cos(q2)) + I1 + I2
    d12 = m2 * (r2**2 + l1 * r2 * cos(q2)) + I2
    M = sympy.Matrix([[d11, d12], [d12, m2 * r2**2 + I2]])
    h = -m2 * l1 * r2 * sin(q2)
    coriolis = sympy.Matrix([2 * h * v1 * v2 + h * v2**2, -h * v1**2])
    weight = -g * sympy.Matrix([(m1 * r1 + m2 * l1) * cos(q1) + m2 * r2 * cos(q1 + q2), m2 * r2 * cos(q1 + q2)])
    assert sympy.simplify(arm.symbolic("mass_matrix", free=free).expressions - M) == sympy.zeros(2, 2)
    assert sympy.simplify(arm.symbolic("gravity_force", free=free).expressions - weight) == sympy.zeros(2, 1)
    bias = arm.symbolic("bias_force", free=free).expressions
    assert sympy.simplify(bias - coriolis - weight) == sympy.zeros(2, 1)


def test_the_factors_of_puma_take_few_operations_and_agree(rng: np.random.Generator) -> None:
    arm = sd.load("puma560")
    made = arm.symbolic("mass_matrix_factors", free=("q",))
    assert made.operations() <= 420
    for _ in range(3):
        q = arm.random_configuration(rng)
        for found, expected in zip(run(made, q), arm.mass_matrix_factors(q), strict=True):
            assert error(found, expected) <= 1e-13


@pytest.mark.parametrize("quantity", ["mass_matrix", "bias_force", "forward_dynamics", "inverse_dynamics", "poses"])
@pytest.mark.heavy(2)
def test_generated_code_computes_what_the_quantity_does(quantity: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, root="free", armature=True), backend="numpy")
    made = robot.symbolic(quantity)
    given = {"q": robot.random_configuration(rng), **{x: rng.standard_normal(robot.nv) for x in ("v", "a", "tau")}}
    taken = [given[name] for name in ("q", "v", "a", "tau") if name in sd.quantities.QUANTITIES[quantity].arguments]
    assert error(run(made, *taken)[0], getattr(robot, quantity)(*taken)) <= 1e-12


def test_pandas_bias_force(rng: np.random.Generator) -> None:
    found = [short_name(path) for path in loadable_urdfs() if "panda" in short_name(path)]
    if not found:
        pytest.skip("example-robot-data is not installed")
    panda = corpus_robot(found[0]).with_backend("numpy")
    made = panda.symbolic("bias_force", free=("q", "v"))
    q, v = panda.random_configuration(rng), rng.standard_normal(panda.nv)
    assert error(run(made, q, v)[0], panda.bias_force(q, v)) <= 1e-12
    assert made.expressions.shape == (panda.nv, 1)


def test_constants_by_their_own_names(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    made = arm.symbolic("gravity_force", free=("q", "tool0.mass", "forearm_link.com", "elbow_joint.position"))
    shown = [str(x) for x in made.symbols]
    assert shown[6:] == ["m_tool0", *(f"c_forearm_link_{x}" for x in "xyz"), *(f"l_elbow_joint_{x}" for x in "xyz")]
    q, com, position = arm.random_configuration(rng), rng.standard_normal(3), rng.standard_normal(3)
    numbers = arm.parametric("tool0.mass", "forearm_link.com", "elbow_joint.position")
    assert error(run(made, q, 2.0, com, position)[0], numbers.gravity_force(q, 2.0, com, position)) <= 1e-12


def test_formulas_have_symbols_too() -> None:
    arm = sd.load("planar_two_link")
    energy = arm.symbolic(theta_dot.T @ mass @ theta_dot / 2, free=("q", "v")).simplified()
    assert energy.diff(sympy.Symbol("v_joint2", real=True), 2) == sympy.Rational(1, 3)
    found = arm.symbolic(inv(mass) @ T, free=("q", "tau")).expressions
    M = arm.symbolic("mass_matrix", free=("q",)).expressions
    tau = sympy.Matrix(names("tau_joint1 tau_joint2"))
    assert sympy.simplify(M * found - tau) == sympy.zeros(2, 1)
    with pytest.raises(sd.ArgumentError, match="vectors of joints or numbers"):
        arm.symbolic(V)


def test_what_is_left_out_is_at_rest() -> None:
    arm = sd.load("planar_two_link")
    assert arm.symbolic("bias_force", free=("q",)).expressions == arm.symbolic("gravity_force").expressions
    assert arm.symbolic("mass_matrix", free=()).symbols == ()


def test_frames_are_options_and_latex_and_c_are_text() -> None:
    arm = sd.load("planar_two_link")
    J = arm.symbolic("jacobian", free=("q",), frame="tool")
    assert J.simplified()[5, 1] == sympy.cos(sum(names("q_joint1 q_joint2")))
    assert r"\cos{\left(q_{joint2} \right)}" in arm.symbolic("mass_matrix").latex()
    assert "x_{0} = " in arm.symbolic("mass_matrix").latex(shared=True)
    assert "void mass_matrix(double q_joint1, double q_joint2, double out0[])" in arm.symbolic("mass_matrix").c()
    with pytest.raises(sd.ArgumentError, match="jacobian needs frame"):
        arm.symbolic("jacobian")
    with pytest.raises(sd.ArgumentError, match="mass_matrix has no option 'frame'"):
        arm.symbolic("mass_matrix", frame="tool")


def test_generated_c_compiles_and_agrees(tmp_path: Any, rng: np.random.Generator) -> None:
    import ctypes
    import shutil
    import subprocess

    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    arm = sd.load("puma560")
    source, library = tmp_path / "made.c", tmp_path / "made.so"
    source.write_text(arm.symbolic("mass_matrix", free=("q",)).c(), encoding="utf-8")
    subprocess.run(["gcc", "-std=c99", "-shared", "-fPIC", "-O1", "-o", library, source, "-lm"], check=True)
    q, M = arm.random_configuration(rng), np.zeros((6, 6))
    function = ctypes.CDLL(str(library)).mass_matrix
    function.argtypes = [*[ctypes.c_double] * 6, ctypes.c_void_p]
    function(*q.tolist(), M.ctypes.data)
    assert error(M, arm.mass_matrix(q)) <= 1e-13


def test_sympy_numbers_are_sent_to_symbolic() -> None:
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ShapeError, match=r"argument 'q' holds the SymPy expression x; robot.symbolic"):
        arm.mass_matrix([sympy.Symbol("x"), 0.0])
    with pytest.raises(sd.UnknownNameError, match=r"unknown name for `free` 'mases'. Did you mean 'masses'"):
        arm.symbolic("mass_matrix", free=("q", "mases"))
    with pytest.raises(sd.ArgumentError, match="free takes a list of names, got the text 'q'"):
        arm.symbolic("mass_matrix", free="q")
    with pytest.raises(sd.ArgumentError, match="given a constant twice"):
        arm.symbolic("mass_matrix", free=("masses", "link1.mass"))
