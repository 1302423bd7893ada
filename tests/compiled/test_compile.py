"""Compiled formulas against the dense oracle: every operator, random formulas, every joint kind, every backend."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import agreement
import soadyn as sd
from random_robots import random_model
from soadyn.algebra import B, D, D_p, H_a, H_p, I_joint, K, K_p, Omega, P, inv, mass, psi, sqrt
from soadyn.algebra.expressions import Expression, Product, Sum
from soadyn.algebra.operators import OPERATORS, VECTORS, WHOLE_ARM_NAMES, H
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS
from soadyn.errors import ArgumentError, ShapeError, SpaceError
from soadyn.robot import Robot
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

BACKENDS = ("numpy", "rolled", "straight")
OTHERS = ("A_ra", "A_rp", "B", "L_Y")
WHOLE = [x for x in OPERATORS.values() if not x.name.endswith(("_a", "_p")) and x.name not in OTHERS]
PASSIVE = [x for x in OPERATORS.values() if x.name not in (*WHOLE_ARM_NAMES, "B", "L_Y", "H", "A_r", "mass")]


def robot_of(seed: int, n: int = 7, **options) -> Robot:
    rng = np.random.default_rng(seed)
    root = "free" if seed % 2 else "fixed"
    return Robot(random_model(rng, n, root=root, armature=seed % 3 != 0, **options), backend="numpy")


def state_of(arm: Robot, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1000 + seed)
    return {
        "q": arm.random_configuration(rng),
        "v": rng.normal(size=arm.nv),
        "theta_ddot": rng.normal(size=arm.nv),
        "T": rng.normal(size=arm.nv),
    }


def truth(formula: Expression, arm: Robot, state: dict[str, np.ndarray], **options) -> np.ndarray:
    vectors = {name: x for name, x in state.items() if name not in ("q", "v")}
    return dense_value(formula, DenseRobot(arm.model, state["q"], state["v"]), vectors=vectors, **options)


def computed(f: sd.Compiled, state: dict[str, np.ndarray]) -> np.ndarray:
    return f(**{argument.name: state[argument.name] for argument in f.arguments})


close = partial(agreement.close, tolerance=1e-11)


def random_formula(rng: np.random.Generator, operators: list, starts: list, ends: tuple[str, ...], longest: int = 7):
    """A random product of operators on a vector that ends in one of some places; then maybe a sum of two."""
    known = [y for x in operators for y in {x, x.T}]
    for _ in range(1000):
        x = starts[rng.integers(len(starts))]
        for _ in range(rng.integers(1, longest)):
            fitting = [y for y in known if y.domain == x.codomain]
            if not fitting:
                break
            x = fitting[rng.integers(len(fitting))] @ x
            if rng.random() < 0.2:
                again = [y for y in known if (y.domain, y.codomain) == (x.codomain, x.codomain)]
                if again:
                    x = x - 2 * (again[rng.integers(len(again))] @ x)
        if x.codomain.place in ends and isinstance(x, (Product, Sum)):
            return x
    raise AssertionError("no formula found")


# Compiling the loops of a formula takes longer than all else here, so most of those cases are slow.
CASES = [
    pytest.param(seed, backend, marks=[pytest.mark.slow] if backend != "numpy" and seed >= 4 else [])
    for seed in range(25)
    for backend in BACKENDS
]


@pytest.mark.parametrize(("seed", "backend"), CASES)
@pytest.mark.heavy(2)
def test_random_formulas_of_the_whole_arm(seed, backend):
    rng = np.random.default_rng(seed)
    arm = robot_of(seed)
    formula = random_formula(
        rng, [*WHOLE, inv(D)], [VECTORS[n] for n in ("T", "theta_dot", "theta_ddot", "a", "b")], ("joint",)
    )
    state = state_of(arm, seed)
    for as_written in (False, True):
        f = sd.compile(formula, arm.with_backend(backend), as_written=as_written)
        assert close(computed(f, state), truth(formula, arm, state)), str(formula)


@pytest.mark.parametrize("seed", range(25))
def test_random_formulas_with_a_passive_set(seed):
    rng = np.random.default_rng(seed)
    arm = robot_of(seed)
    mask = rng.random(arm.nv) < 0.5
    mask[rng.integers(arm.nv)] = True
    mask[0] = False
    starts = [VECTORS["T_p"], VECTORS["theta_ddot_a"], VECTORS["a"]]
    formula = random_formula(rng, [*PASSIVE, inv(D_p)], starts, ("active joint", "passive joint"))
    state = state_of(arm, seed)
    state |= {"T_p": rng.normal(size=mask.sum()), "theta_ddot_a": rng.normal(size=(~mask).sum())}
    backend = BACKENDS[seed % 3] if seed < 6 else "numpy"
    f = sd.compile(formula, arm.with_backend(backend), passive=mask)
    assert close(computed(f, state), truth(formula, arm, state, passive=mask)), str(formula)


@pytest.mark.parametrize("name", [x.name for x in WHOLE])
@pytest.mark.heavy(2)
def test_every_operator_is_dense_as_the_oracle_says(name):
    """Operators between joints directly, those of links between joint maps, which are the same in every frame."""
    X = OPERATORS[name]
    arm = robot_of(3)
    state = state_of(arm, 3)
    formula: Expression = X
    if formula.domain.place == "link":
        formula = formula @ (H.T if formula.domain.side == "motion" else P @ H.T)
    if formula.codomain.place == "link":
        formula = (H if formula.codomain.side == "force" else H @ P) @ formula
    expected = dense_value(formula, DenseRobot(arm.model, state["q"], state["v"]))
    f = sd.compile(formula, arm)
    at = f(state["q"], state["v"]) if name in VELOCITY_OPERATORS else f(state["q"])
    assert close(at.dense(), expected)
    assert close(at.T.dense(), expected.T)
    assert at.shape == expected.shape


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.heavy(2)
def test_inverses_that_the_papers_know(seed):
    arm = robot_of(seed)
    q = state_of(arm, seed)["q"]
    A, A_inverse = I_joint + H @ OPERATORS["phi"] @ K, I_joint - H @ psi @ K
    for X in (mass, A, A_inverse, A.T, D, A @ D, A @ D @ A.T, 2 * mass, OPERATORS["phi"], psi):
        if X.domain.place == "link":
            formula, expected = H @ inv(X) @ P @ H.T, None
        else:
            formula, expected = inv(X), np.linalg.inv(dense_value(X, DenseRobot(arm.model, q)))
        expected = dense_value(formula, DenseRobot(arm.model, q)) if expected is None else expected
        found = sd.compile(formula, arm)(q).dense()
        assert close(found, expected, tolerance=1e-9), str(X)


def test_roots():
    arm = robot_of(5)
    q = state_of(arm, 5)["q"]
    m = (I_joint + H @ OPERATORS["phi"] @ K) @ sqrt(D)
    root = sd.compile(m, arm)(q).dense()
    assert close(root @ root.T, arm.mass_matrix(q))
    ell = inv(sqrt(D)) @ (I_joint - H @ psi @ K)
    assert close(sd.compile(ell, arm)(q).dense() @ root, np.eye(arm.nv))


def test_operational_points():
    arm = sd.load("dual_arm_flyer")
    q = arm.random_configuration(np.random.default_rng(0))
    frames = [
        arm.link_names[-1],
        (arm.link_names[4], np.array([[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1]])),
    ]
    J = np.concatenate([arm.jacobian(q, frame) for frame in frames])
    assert close(sd.compile(B.T @ OPERATORS["phi"].T @ H.T, arm, frames=frames)(q).dense(), J)
    inertia = sd.compile(B.T @ Omega @ B, arm, frames=frames)
    assert close(inertia(q).dense(), J @ arm.mass_matrix_inverse(q) @ J.T)
    assert close(inertia(q).dense(), arm.operational_inertia_inverse(q, frames))
    Lambda = sd.compile(inv(B.T @ Omega @ B), arm, frames=frames)
    assert close(Lambda(q).dense() @ inertia(q).dense(), np.eye(12), tolerance=1e-9)


def test_the_generalized_jacobian_is_the_named_one():
    arm = sd.load("ets_vii")
    q = arm.random_configuration(np.random.default_rng(0))
    J_G = B.T @ (psi.T - Omega @ P) @ H_a.T
    found = sd.compile(J_G, arm, passive=["root"], frames=["link_ee"])(q).dense()
    assert close(found, arm.generalized_jacobian(q, "link_ee", passive=["root"]))
    J_D = -K_p.T @ (psi.T - Omega @ P) @ H_a.T - inv(D_p) @ H_p @ psi @ P @ H_a.T
    assert close(sd.compile(J_D, arm, passive=["root"])(q).dense(), arm.disturbance_jacobian(q, passive=["root"]))


def test_batches_and_bits():
    arm = sd.load("ur5")
    rng = np.random.default_rng(0)
    q, x = arm.random_configuration(rng, 9), rng.normal(size=(9, 6))
    for backend in BACKENDS:
        f = sd.compile(inv(mass), arm, backend=backend)
        together = f(q) @ x
        assert np.array_equal(together, np.stack([f(q[i]) @ x[i] for i in range(9)]))
        assert f(q).dense().shape == (9, 6, 6)
        assert np.array_equal(f(q[:, None]) @ x, np.stack([f(q[i]) @ x for i in range(9)]))


def test_several_formulas_share_their_sweeps():
    arm = sd.load("ur5")
    state = state_of(arm, 0)
    A_inverse = I_joint - H @ psi @ K
    T = VECTORS["T"]
    one, two = A_inverse @ T, A_inverse.T @ inv(D) @ A_inverse @ T
    both = sd.compile([one, two], arm)
    alone = [sd.compile(x, arm) for x in (one, two)]
    assert sum(both.operation_counts().values()) == sum(alone[1].operation_counts().values())
    for found, f in zip(both(state["q"], state["T"]), alone, strict=True):
        assert close(found, f(state["q"], state["T"]))


def test_scipy_solves_with_a_compiled_operator():
    from scipy.sparse.linalg import cg

    arm = sd.load("ur5")
    state = state_of(arm, 1)
    M = sd.compile(mass, arm)(state["q"]).linear_operator()
    M_inverse = sd.compile(inv(mass), arm)(state["q"]).linear_operator()
    x, info = cg(M, state["T"], M=M_inverse, rtol=1e-12)
    assert info == 0
    assert close(arm.mass_matrix(state["q"]) @ x, state["T"], tolerance=1e-9)


def test_dense_is_the_way_out():
    arm = robot_of(4, n=4, kinds=["revolute", "prismatic", "spherical"])
    state = state_of(arm, 4)
    formula = H @ P @ inv(OPERATORS["M"] + P) @ P @ H.T @ VECTORS["theta_ddot"]
    with pytest.raises(SpaceError, match=r"no recursion .* inv\(M \+ P\)"):
        sd.compile(formula, arm)
    f = sd.compile(formula, arm, dense=True)
    assert f.is_dense
    assert close(f(state["q"], state["theta_ddot"]), truth(formula, arm, state), tolerance=1e-9)
    assert f(np.stack([state["q"]] * 3), state["theta_ddot"]).shape == (3, arm.nv)


def test_blocks_of_phi_are_rigid_transforms():
    arm = sd.load("ur5")
    q = state_of(arm, 2)["q"]
    phi = sd.compile(OPERATORS["phi"], arm)(q)
    inner, outer = arm.link_names[1], arm.link_names[4]
    pose = np.linalg.inv(arm.pose(q, inner)) @ arm.pose(q, outer)
    R, l = pose[:3, :3], pose[:3, 3]
    skew = np.array([[0, -l[2], l[1]], [l[2], 0, -l[0]], [-l[1], l[0], 0]])
    assert close(phi.block(inner, outer), np.block([[R, skew @ R], [np.zeros((3, 3)), R]]))
    assert not phi.block(outer, inner).any()
    lower = phi.dense(order="paper")
    assert not np.triu(lower, 6).any()


def test_user_symbols():
    arm = sd.load("ur5")
    state = state_of(arm, 0)
    damping = sd.operator("damping", np.arange(1.0, 7.0))
    wind = sd.vector("wind", "link force")
    f = sd.compile(VECTORS["T"] - damping @ VECTORS["theta_dot"] + H @ OPERATORS["phi"] @ wind, arm)
    assert [argument.name for argument in f.arguments] == ["q", "v", "T", "wind"]
    w = np.random.default_rng(0).normal(size=(6, 6))
    zero = np.zeros(6)
    felt = arm.inverse_dynamics(state["q"], zero, zero) - arm.inverse_dynamics(state["q"], zero, zero, external=w)
    expected = state["T"] - np.arange(1.0, 7.0) * state["v"] + felt
    assert close(f(state["q"], state["v"], state["T"], wind=w), expected)
    implicit = sd.compile(inv(damping) @ VECTORS["T"], arm)
    assert close(implicit(state["q"], state["T"]), state["T"] / np.arange(1.0, 7.0))


def test_given_vectors_are_arguments():
    arm = sd.load("ur5")
    state = state_of(arm, 0)
    bias = H @ OPERATORS["phi"] @ (OPERATORS["M"] @ OPERATORS["phi"].T @ VECTORS["a"] + VECTORS["b"])
    f = sd.compile(bias, arm, given=["a", "b"])
    assert f.signature == "f(q, a, b) -> joint force (6,)"
    a, b = sd.compile([VECTORS["a"], VECTORS["b"]], arm)(state["q"], state["v"])
    assert close(f(state["q"], a, b), arm.bias_force(state["q"], state["v"]))


def test_kinetic_energy_is_a_number():
    arm = robot_of(7)
    state = state_of(arm, 7)
    v = VECTORS["theta_dot"]
    E = sd.compile(v.T @ mass @ v / 2, arm)
    assert E(state["q"], state["v"]) == pytest.approx(arm.kinetic_energy(state["q"], state["v"]))


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"formula": H_p @ VECTORS["b"]}, ArgumentError, "passive"),
        ({"formula": B.T @ VECTORS["V"]}, ArgumentError, "frames"),
        ({"formula": inv(D) @ VECTORS["T"], "passive": ["shoulder_pan_joint"]}, SpaceError, "D_p"),
        ({"formula": mass, "given": ["T"]}, ArgumentError, "given names 'T'"),
        ({"formula": []}, ArgumentError, "empty list"),
        ({"formula": [mass]}, ArgumentError, "is an operator"),
        ({"formula": "mass"}, ArgumentError, "got str"),
        ({"formula": VECTORS["V"], "frames": "tool0"}, ArgumentError, r"write \['tool0'\]"),
    ],
)
def test_misuse_of_compile_is_refused(options, error, words):
    arm = sd.load("ur5")
    formula = options.pop("formula")
    with pytest.raises(error, match=words):
        sd.compile(list(formula) if isinstance(formula, str) else formula, arm, **options)


def test_misuse_of_calls_is_refused():
    arm = sd.load("ur5")
    f = sd.compile(inv(mass) @ VECTORS["T"], arm)
    with pytest.raises(ArgumentError, match="without T"):
        f(arm.neutral())
    with pytest.raises(ShapeError, match=r"'T' has shape \(5,\)"):
        f(arm.neutral(), np.zeros(5))
    with pytest.raises(ArgumentError, match="no argument 'tau'"):
        f(arm.neutral(), tau=np.zeros(6))
    with pytest.raises(ShapeError, match=r"'x' has shape \(7,\)"):
        sd.compile(mass, arm)(arm.neutral()) @ np.zeros(7)


def test_whole_matrices_come_from_their_own_programs():
    """Composite bodies for the mass matrix, however it is written; the same numbers as columns from unit vectors."""
    arm = robot_of(5)
    q = state_of(arm, 5)["q"]
    phi = OPERATORS["phi"]
    newton_euler = OPERATORS["A_r"] + H @ phi @ OPERATORS["M"] @ phi.T @ H.T
    A = I_joint + H @ phi @ K
    for formula, expected in (
        (mass, arm.mass_matrix(q)),
        (newton_euler, arm.mass_matrix(q)),
        (A @ D @ A.T, arm.mass_matrix(q)),
        (inv(newton_euler), arm.mass_matrix_inverse(q)),
        (A, arm.mass_matrix_factors(q)[0]),
        (A.T, arm.mass_matrix_factors(q)[0].T),
    ):
        found = sd.compile(formula, arm)(q)
        assert np.array_equal(found.dense(), expected)
        columns = np.stack([found @ unit for unit in np.eye(arm.nv)], axis=-1)
        assert close(columns, expected)
