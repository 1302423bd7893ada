"""002 sections 4-6: reverse Gaussian elimination, articulated masses, forward dynamics, counts."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.algebra import P
from soadyn.theory.literature.entry import PaperFormula
from systems_001 import TOLERANCE, System


def same(x: object, y: object) -> bool:
    return error(x, y) <= TOLERANCE


def steps(s: System) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Every step of the elimination, the last joint first."""
    return {name: s.robot.elimination(s.q, name) for name in reversed(s.robot.joint_names)}


def block_lower(s: System, X: np.ndarray) -> bool:
    """Does nothing stand above the diagonal blocks of the joints?"""
    above = np.ones_like(X, dtype=bool)
    for name in s.robot.joint_names:
        dofs = s.robot.joint_dofs(name)
        above[dofs.start :, : dofs.stop] = False
        above[dofs.start : dofs.stop, dofs.start : dofs.stop] = False
    return bool(abs(X[above]).max(initial=0.0) <= TOLERANCE * abs(X).max())


def test_002_eq_17(s: System) -> None:
    E = np.eye(s.robot.nv)
    for step in steps(s).values():
        E = step[0] @ E
    assert block_lower(s, E @ s.d.mass_matrix)
    assert same(E @ s.d.mass_matrix, s.d.D @ s.d.U.T)


def test_002_eq_18(s: System) -> None:
    for E, _ in steps(s).values():
        assert same(np.linalg.inv(E), 2 * np.eye(s.robot.nv) - E)


def test_002_eq_19(s: System) -> None:
    U = np.eye(s.robot.nv)
    for E, _ in steps(s).values():
        U = U @ np.linalg.inv(E)
    assert same(s.robot.mass_matrix_factors(s.q)[0], U)


def test_002_eq_20(s: System) -> None:
    """L_2 = D L with L = U*: what the elimination leaves."""
    U, D = s.robot.mass_matrix_factors(s.q)
    assert same(steps(s)[s.robot.joint_names[0]][1], D @ U.T)


def test_002_eq_21(s: System) -> None:
    U, D = s.robot.mass_matrix_factors(s.q)
    assert same(U @ D @ U.T, s.d.mass_matrix)


def test_002_eq_22(s: System) -> None:
    U, D = s.robot.mass_matrix_factors(s.q)
    c = s.robot.decoupled_complement(s.q)
    articulated = c.at_mass_centres(s.robot.articulated_inertias(s.q))
    N = np.zeros((6 * s.d.n, s.robot.nv))
    for i, name in enumerate(s.robot.link_names):
        at = s.robot.model.v_slices[i]
        N[6 * i : 6 * i + 6, at] = articulated[i] @ c.p(name) @ np.linalg.inv(D[at, at])
    closed = np.eye(s.robot.nv) + c.T_d.T @ (c.T_l - np.eye(6 * s.d.n)).T @ N
    assert same(U, closed)


@pytest.mark.heavy(2)
def test_002_section_4(s: System) -> None:
    """The articulated mass of a link is that of the robot that starts there."""
    name = s.robot.link_names[-2]
    reduced = s.robot.subtree(name, s.q)
    dofs = [x for joint in reduced.joint_names for x in s.robot.joint_coordinates(joint)]
    own = reduced.articulated_inertias(s.q[dofs])[reduced.link_names.index(name)]
    k = s.robot.link_names.index(name)
    assert same(s.robot.articulated_inertias(s.q)[k], own)
    assert same(own, s.operator(P)[6 * k : 6 * k + 6, 6 * k : 6 * k + 6])


def test_002_eq_23(s: System) -> None:
    assert same(s.robot.forward_dynamics(s.q, s.v, s.tau), s.d.forward_dynamics(s.tau))


def solution(s: System, which: str) -> np.ndarray:
    entry = sd.papers[f"002 {which} solution"]
    assert isinstance(entry, PaperFormula)
    return np.asarray(sd.compile(entry, s.robot)(s.q, s.tau))


def test_002_eq_24(s: System) -> None:
    assert same(s.d.mass_matrix @ solution(s, "third"), s.tau)


def test_002_eq_25(s: System) -> None:
    """Before joint k, L_k is the mass matrix that the joints before it feel."""
    for name, step in steps(s).items():
        first = s.robot.joint_dofs(name).start
        if first:
            passive = np.arange(s.robot.nv) >= first
            felt = s.robot.actuation_matrices(s.q, passive)[0]
            M = s.d.mass_matrix
            schur = M[:first, :first] - M[:first, first:] @ np.linalg.solve(M[first:, first:], M[first:, :first])
            assert same(step[1][:first, :first], schur)
            assert same(felt, schur)


def test_002_eq_26_29(s: System) -> None:
    for name, (E, _) in steps(s).items():
        dofs = s.robot.joint_dofs(name)
        outside = E - np.eye(s.robot.nv)
        outside[: dofs.start, dofs.start : dofs.stop] = 0
        assert (outside == 0).all()


def test_002_eq_30(s: System) -> None:
    L = s.d.mass_matrix
    for E, left in steps(s).values():
        L = E @ L
        assert same(left, L)


def test_002_eq_31(s: System) -> None:
    U = s.robot.mass_matrix_factors(s.q)[0]
    for name, (E, _) in steps(s).items():
        dofs = s.robot.joint_dofs(name)
        assert same(-E[: dofs.start, dofs.start : dofs.stop], U[: dofs.start, dofs.start : dofs.stop])


def test_002_eq_32_33(s: System) -> None:
    D = s.robot.mass_matrix_factors(s.q)[1]
    c = s.robot.decoupled_complement(s.q)
    articulated = c.at_mass_centres(s.robot.articulated_inertias(s.q))
    for i, name in enumerate(s.robot.link_names):
        at = s.robot.model.v_slices[i]
        assert same(c.p(name).T @ articulated[i] @ c.p(name) + s.d.A_r[at, at], D[at, at])


def test_002_eq_34_35(s: System) -> None:
    """M̂ from the tips: what crosses a joint loses ψ̂ ψ*."""
    c, model = s.robot.decoupled_complement(s.q), s.robot.model
    found = [c.M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] for i in range(s.d.n)]
    for i in reversed(range(s.d.n)):
        name, parent = s.robot.link_names[i], model.parents[i] - 1
        psi = found[i] @ c.p(name)
        m_hat = c.p(name).T @ psi + s.d.A_r[model.v_slices[i], model.v_slices[i]]
        if parent >= 0:
            B = c.B(name, s.robot.link_names[parent])
            found[parent] = found[parent] + B.T @ (found[i] - psi @ np.linalg.solve(m_hat, psi.T)) @ B
    assert same(c.at_mass_centres(s.robot.articulated_inertias(s.q)), found)


def test_002_eq_36_37(s: System) -> None:
    assert same(s.d.U @ solution(s, "first"), s.tau)


def test_002_section_5(s: System) -> None:
    assert same(s.d.U @ s.d.D @ solution(s, "second"), s.tau)


def test_002_eq_38_39(s: System) -> None:
    left = s.tau - s.robot.inverse_dynamics(s.q, s.v, np.zeros(s.robot.nv))
    f = sd.compile(sd.papers["002 third solution"], s.robot)  # type: ignore[arg-type]
    assert same(f(s.q, left), s.d.forward_dynamics(s.tau))
    assert same(s.robot.forward_dynamics(s.q, s.v, s.tau), s.d.forward_dynamics(s.tau))


def total(robot: sd.Robot, quantity: str) -> int:
    return sum(n for part in robot.operation_counts(quantity).values() for n in part.values())


def generic(n: int) -> sd.Robot:
    """A chain whose Denavit-Hartenberg parameters and inertias are all different from zero."""
    rng = np.random.default_rng(n)
    bodies = [
        sd.Body(1.0 + k / 10, rng.uniform(0.1, 0.5, 3), np.diag(rng.uniform(1.0, 1.5, 3)) + 0.05) for k in range(n)
    ]
    return sd.from_dh([(*rng.uniform(0.2, 1.0, 3), 0.0) for _ in range(n)], bodies=bodies)


def test_002_section_6() -> None:
    counts = [total(sd.chain(n), "forward_dynamics") for n in (16, 32, 64)]
    assert 1.8 < (counts[2] - counts[1]) / (counts[1] - counts[0]) < 2.2


def test_002_section_6_counts() -> None:
    """Saha's frames and ours differ: per link we count about as many operations as 201 + 193."""
    counts = [total(generic(n), "forward_dynamics") for n in (8, 9)]
    assert 300 < counts[1] - counts[0] < 550


def test_002_section_6_break_even() -> None:
    """Where the O(n) recursion takes fewer operations than composite bodies and Cholesky's factors."""
    from soadyn.engine.tracing.traced import traced
    from soadyn.programs.sweep.algorithms import without_external
    from soadyn.programs.sweep.newton_euler import FORWARD_BY_FILTER, FORWARD_BY_MATRIX

    def cheaper(n: int) -> bool:
        constants = generic(n).engine.constants
        by_filter, by_matrix = (
            traced(without_external(x), constants, {}).operations for x in (FORWARD_BY_FILTER, FORWARD_BY_MATRIX)
        )
        return by_filter < by_matrix

    found = next(n for n in range(2, 20) if cheaper(n))
    assert found == 9


def test_002_section_6_steps(s: System) -> None:
    """Every intermediate matrix of the elimination can be looked at: D appears pivot by pivot."""
    D = s.robot.mass_matrix_factors(s.q)[1]
    for name, (_, L) in steps(s).items():
        dofs = s.robot.joint_dofs(name)
        at = slice(dofs.start, dofs.stop)
        assert same(L[at, at], D[at, at])


def test_002_section_6_designers(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    found = arm.parametric("link2.mass", "joint2.position").composite_inertias([0.0, 0.5], 3.0, [2.0, 0.0, 0.0])
    heavier = found[0, 5, 5] - arm.composite_inertias([0.0, 0.5])[0, 5, 5]
    assert heavier == pytest.approx(2.0)


def test_002_section_1(rng: np.random.Generator) -> None:
    arm = sd.chain(9)
    q, v, tau = arm.random_configuration(rng), *rng.standard_normal((2, arm.nv))
    assert same(arm.mass_matrix(q) @ arm.forward_dynamics(q, v, tau), tau - arm.bias_force(q, v))


def test_002_section_1_analysis() -> None:
    sympy = pytest.importorskip("sympy")
    U, _ = sd.load("planar_two_link").symbolic("mass_matrix_factors", free=("q",)).expressions
    q2 = sympy.Symbol("q_joint2", real=True)
    assert sympy.simplify(U[0, 1] - (1 + sympy.Rational(3, 2) * sympy.cos(q2))) == 0


def test_002_cited() -> None:
    assert len([name for name in sd.papers if name.startswith("002")]) >= 6
    assert "S. K. Saha" in sd.papers["002 decomposition"].citation
