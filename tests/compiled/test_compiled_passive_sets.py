"""Formulas with a passive set: which operators are the passive arm's and which belong to all joints."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import agreement
import soadyn as sd
from random_robots import random_model
from soadyn.algebra import A_r, A_rp, D_p, H, H_a, H_p, K_p, M, Omega, P, T, inv, mass, phi, psi, theta_ddot
from soadyn.algebra.expressions import Expression
from soadyn.algebra.operators import OPERATORS, VECTORS
from soadyn.robot import Robot
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

M_pp = H_p @ phi @ M @ phi.T @ H_p.T + A_rp
WHOLE = (mass, inv(mass), inv(H @ phi @ M @ phi.T @ H.T + A_r), A_r, H, H_a, H_p, M, OPERATORS["R"], phi)
PASSIVE_ARM = (P, psi, Omega, D_p, inv(D_p), K_p, inv(M_pp), OPERATORS["tau_bar"], OPERATORS["Upsilon"])
ATOMS = [y for x in (*WHOLE, *PASSIVE_ARM) for y in dict.fromkeys((x, x.T))]
ENDS = ("joint", "active joint", "passive joint", "number")
KINDS = ("revolute", "prismatic", "spherical", "planar")


def random_formula(rng: np.random.Generator, atoms: list[Expression]) -> Expression:
    """A product of operators on a vector, with sums in it, that ends in a space of joints."""
    starts = [VECTORS[name] for name in ("T", "theta_dot", "theta_ddot", "a", "b", "T_p", "theta_ddot_a")]
    while True:
        x = starts[rng.integers(len(starts))]
        for _ in range(rng.integers(1, 7)):
            fitting = [y for y in atoms if y.domain == x.codomain]
            if fitting:
                x = fitting[rng.integers(len(fitting))] @ x
            beside = [y for y in atoms if y.domain == y.codomain == x.codomain]
            if beside and rng.random() < 0.3:
                x = x - 2 * (beside[rng.integers(len(beside))] @ x)
        if x.codomain.place in ENDS and x not in starts:
            return x


class Case:
    """A random robot at a random state with a random passive set."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = np.random.default_rng(seed)
        model = random_model(rng, 5, kinds=KINDS, root="free" if seed % 2 else "fixed", armature=seed % 3 != 0)
        self.arm = Robot(model, backend="numpy")
        self.passive = rng.random(self.arm.nv) < 0.5
        self.passive[rng.integers(self.arm.nv)] = True
        self.given = {"q": self.arm.random_configuration(rng)}
        self.given |= {name: rng.normal(size=self.arm.nv) for name in ("v", "theta_ddot", "T")}
        self.given["T_p"] = rng.normal(size=self.passive.sum())
        self.given["theta_ddot_a"] = rng.normal(size=(~self.passive).sum())

    def truth(self, x: Expression) -> np.ndarray:
        vectors = {name: value for name, value in self.given.items() if name not in ("q", "v")}
        dense = DenseRobot(self.arm.model, self.given["q"], self.given["v"])
        return np.asarray(dense_value(x, dense, self.passive, vectors=vectors))

    def computed(self, f: sd.Compiled) -> np.ndarray:
        return f(**{argument.name: self.given[argument.name] for argument in f.arguments})


close = partial(agreement.close, tolerance=1e-9)


@pytest.mark.parametrize("seed", range(60))
def test_random_formulas_of_both_arms_are_right_or_refused(seed):
    case = Case(seed)
    x = random_formula(case.rng, ATOMS)
    expected = case.truth(x)
    f = sd.compile(x, case.arm, passive=case.passive, dense=True)
    assert close(case.computed(f), expected), str(x)
    if f.is_dense:
        with pytest.raises(sd.SpaceError, match=r"articulated bodies of one arm|no recursion"):
            sd.compile(x, case.arm, passive=case.passive)


@pytest.mark.parametrize("seed", range(20))
def test_random_formulas_of_all_joints_do_not_mind_a_passive_set(seed):
    case = Case(100 + seed)
    atoms = [x for x in ATOMS if x in WHOLE or x.T in WHOLE]
    x = random_formula(case.rng, [y for y in atoms if "H_" not in str(y)])
    x = x if "_a" not in str(x) and "_p" not in str(x) else mass @ theta_ddot
    f = sd.compile(x, case.arm, passive=case.passive)
    assert close(case.computed(f), case.truth(x)), str(x)
    assert np.array_equal(case.computed(f), case.computed(sd.compile(x, case.arm))), str(x)


@pytest.mark.parametrize("X", [mass, inv(mass), inv(2 * mass), inv(mass) @ mass, H_a @ phi @ M @ phi.T @ H.T], ids=str)
def test_an_operator_of_all_joints_is_the_same_applied_and_dense(X):
    case = Case(7)
    found = sd.compile(X, case.arm, passive=case.passive)(case.given["q"])
    assert close(found.dense(), case.truth(X))
    for x in np.random.default_rng(0).normal(size=(3, case.arm.nv)):
        assert close(found @ x, found.dense() @ x)


def test_the_inverse_of_the_mass_matrix_does_not_mind_what_is_passive():
    arm = sd.load("ur5")
    q, tau = arm.random_configuration(np.random.default_rng(0)), np.arange(6.0)
    f = sd.compile(inv(mass) @ T, arm, passive=["elbow_joint"])
    assert close(f(q, tau), np.linalg.solve(arm.mass_matrix(q), tau))


def test_both_arms_in_one_formula_are_told_apart():
    arm = sd.load("ur5")
    x = H_p @ psi @ M @ phi.T @ H.T @ inv(mass) @ T
    with pytest.raises(sd.SpaceError, match=r"inv\(mass\) is the inverse for all joints.*dense=True"):
        sd.compile(x, arm, passive=["elbow_joint"])
    q, tau = arm.random_configuration(np.random.default_rng(0)), np.arange(6.0)
    found = sd.compile(x, arm, passive=["elbow_joint"], dense=True)(q, tau)
    mask = np.array([name == "elbow_joint" for name in arm.joint_names])
    assert close(found, dense_value(x, DenseRobot(arm.model, q), mask, vectors={"T": tau}))
