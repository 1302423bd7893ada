"""Exact arithmetic: residues are a field, and exact arms tell the same of every row of the table as doubles do."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from soadyn.algebra import A_r, D, G, K, M, P, P_plus, R, sqrt
from soadyn.algebra.expressions import Expression, Identity, Symbol
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import Row
from soadyn.algebra.operators import NAMES
from soadyn.errors import SingularError
from soadyn.theory.oracle.arithmetic import DOUBLES
from soadyn.theory.oracle.exact_robot import ExactRobot, drawn
from soadyn.theory.oracle.residues import LONGEST, PRIME, RESIDUES, Modular, Residues, residues
from soadyn.theory.oracle.robot_operators import RobotOperators
from soadyn.theory.oracle.specimens import FAMILY, PARENTS, Specimen


def complex_drawn(rng: np.random.Generator, *shape: int) -> Residues:
    return Residues(drawn(rng, *shape).re, drawn(rng, *shape).re)


def test_the_prime_is_one_and_small_enough() -> None:
    assert all(PRIME % n for n in range(2, int(PRIME**0.5) + 1))
    assert PRIME % 4 == 3  # so that -1 is no square
    assert 6 * max(map(len, PARENTS.values())) * (PRIME - 1) ** 2 < 2**63
    assert LONGEST * (PRIME - 1) ** 2 < 2**63


def test_residues_are_a_field(rng: np.random.Generator) -> None:
    X, Y, Z = (complex_drawn(rng, 5, 5) for _ in range(3))
    assert not (X + Y) @ Z - (X @ Z + Y @ Z)
    assert not (X @ Y) @ Z - X @ (Y @ Z)
    assert not (X @ Y).T - Y.T @ X.T
    assert not X @ RESIDUES.inverse(X) - RESIDUES.eye(5)
    assert not RESIDUES.inverse(X.T) @ X.T - RESIDUES.eye(5)
    real = drawn(rng, 5, 5)
    assert not RESIDUES.solve(real, real @ X) - X
    assert not X * RESIDUES.number(Fraction(3, 7)) * 7 - X * 3
    assert X


def test_real_and_complex_residues_mix(rng: np.random.Generator) -> None:
    X, real = complex_drawn(rng, 4, 4), drawn(rng, 4, 4)
    lifted = Residues(real.re, np.zeros_like(real.re))
    assert not X @ real - X @ lifted
    assert not real @ X - lifted @ X
    assert not (X + real) - (X + lifted)
    stacked = RESIDUES.zeros(8, 4)
    stacked[:4], stacked[4:] = X, real
    assert not stacked[:4] - X
    assert not stacked[4:] - real


def test_numbers_are_what_doubles_hold() -> None:
    assert RESIDUES.number(-1) == PRIME - 1
    assert RESIDUES.number(0.5) * 2 % PRIME == 1
    assert RESIDUES.number(0.1) == RESIDUES.number(Fraction(0.1)) != RESIDUES.number(Fraction(1, 10))
    with pytest.raises(SingularError):
        RESIDUES.number(Fraction(1, 3 * PRIME))


def test_singular_matrices_have_no_inverse(rng: np.random.Generator) -> None:
    thin = drawn(rng, 6, 5)
    with pytest.raises(SingularError):
        RESIDUES.inverse(thin @ thin.T)


def test_roots_are_lower_factors(rng: np.random.Generator) -> None:
    X = drawn(rng, 6, 4)
    for square in (X @ X.T, RESIDUES.eye(6) + X @ X.T):
        L = RESIDUES.root(square)
        assert not L @ L.T - square
        assert not np.triu(L.re, 1).any()
    with pytest.raises(SingularError, match="indefinite"):
        RESIDUES.root(residues(np.array([[0, 1], [1, 0]])))


def test_other_signs_of_roots_are_roots_too(rng: np.random.Generator) -> None:
    X = drawn(rng, 6, 6)
    square = X @ X.T
    roots = [Modular(signs).root(square) for signs in (0, PRIME // 3, PRIME // 5)]
    assert all(not L @ L.T - square for L in roots)
    assert all(L - roots[0] for L in roots[1:])


@pytest.mark.parametrize("row", IDENTITIES.values(), ids=lambda row: row.name)
def test_a_row_is_exact_where_doubles_are_close(row: Row) -> None:
    for specimen in FAMILY:
        for passive in row.arms:
            apart = specimen.values(passive).apart(row.left, row.right)
            assert specimen.exact_values(passive).same(row.left, row.right) == (apart < 1e-10)


@pytest.mark.parametrize("x", [M, P, R, D, A_r, P_plus], ids=str)
def test_roots_of_operators_are_exact(x: Symbol) -> None:
    for specimen in FAMILY:
        assert specimen.exact_values().same(sqrt(x) @ sqrt(x).T, x)


@pytest.mark.parametrize("specimen", FAMILY, ids=str)
def test_an_exact_arm_has_the_tree_and_the_joints_of_its_specimen(specimen: Specimen) -> None:
    for passive in (False, True):
        dense, exact = specimen.values(passive), specimen.exact_values(passive)
        assert exact.robot.parents == dense.robot.parents
        for x in (x for x in NAMES.values() if x not in ((D, G, K) if passive else ()) and passive in arms(x)):
            assert exact.matrix(x).shape == dense.matrix(x).shape
    assert bool(exact.matrix(A_r)) == specimen.armature


def arms(x: Expression) -> tuple[bool, ...]:
    return Row("", x, x, "").arms if not isinstance(x, Identity) else (True,)


def test_biases_are_computed_as_in_doubles(rng: np.random.Generator) -> None:
    """With small whole numbers nothing is rounded in doubles, and nothing reduced modulo the prime."""
    model = FAMILY[5].model()
    exact = ExactRobot(model, rng)
    small = [Residues(rng.integers(0, 5, x.shape)) for x in (exact.v, exact.g)]
    exact._v, exact._g = small
    exact._origins = [Residues(rng.integers(0, 5, 3)) for _ in exact.origins]
    exact._joint_maps = [Residues(rng.integers(0, 3, x.shape)) for x in exact.joint_maps]
    exact._figures = [tuple(Residues(rng.integers(0, 5, x.shape)) for x in figures) for figures in exact.figures]

    class Rounded(RobotOperators):
        v, g, A_r = (getattr(exact, name).re.astype(float) for name in ("v", "g", "A_r"))
        origins, joint_maps = ([x.re.astype(float) for x in y] for y in (exact.origins, exact.joint_maps))
        figures = [tuple(x.re.astype(float) for x in figures) for figures in exact.figures]  # noqa: RUF012

    rounded = Rounded(model, DOUBLES)
    for name in ("V", "a", "a_g", "b"):
        found = getattr(exact, name).re
        assert np.array_equal(np.where(found > PRIME // 2, found - PRIME, found), np.rint(getattr(rounded, name)))
