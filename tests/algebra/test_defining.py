"""A user's own operators and vectors, how large a formula may be, and what a star import brings."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import soadyn as sd
from soadyn import algebra
from soadyn.algebra import H, M, T, inv, phi, sqrt
from soadyn.algebra.expressions import DEEPEST, LARGEST, Expression
from soadyn.algebra.operators import NAMES
from soadyn.algebra.spaces import JOINT_MOTION, WHITE_JOINT, WHITE_LINK
from soadyn.robot import Robot
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value


@pytest.fixture
def arm() -> Robot:
    return sd.load("planar_two_link")


# Names


@pytest.mark.parametrize("name", ["q", "v"])
def test_the_names_of_the_state_are_refused(name):
    with pytest.raises(sd.SpaceError, match=f"cannot be called '{name}': calls have the state under that name"):
        sd.vector(name, "joint force")
    with pytest.raises(sd.SpaceError, match=f"cannot be called '{name}'"):
        sd.operator(name, [1.0, 2.0])


def test_a_users_vector_is_the_argument_of_its_name(arm):
    for name in ("x", "y", "qq", "vdot", "external", "passive", "B_f_tip"):
        f = sd.compile(T - sd.vector(name, "joint force"), arm)
        assert [argument.name for argument in f.arguments] == ["q", "T", name]
        assert np.array_equal(f(arm.neutral(), [1.0, 2.0], **{name: [0.5, 0.5]}), [0.5, 1.5])


# White spaces


def test_an_operator_may_map_white_joints_to_white_joints(arm):
    weights = sd.operator("weights", [2.0, 3.0], maps=("white joint", "white joint"))
    assert (weights.domain, weights.codomain) == (WHITE_JOINT, WHITE_JOINT)
    assert weights == weights.T
    root = sqrt(algebra.D)
    q = np.array([0.3, 0.4])
    for dense in (False, True):
        found = sd.compile(root @ weights @ root.T, arm, dense=dense)(q).dense()
        expected = dense_value(root @ weights @ root.T, DenseRobot(arm.model, q))
        assert np.allclose(found, expected)
    coloured = sd.operator("coloured", [2.0, 3.0], maps=("white joint", "joint force"))
    assert (coloured.T.domain, coloured.T.codomain) == (JOINT_MOTION, WHITE_JOINT)


def test_an_operator_may_map_white_links_to_white_links(arm):
    rng = np.random.default_rng(0)
    blocks = rng.normal(size=(2, 6, 6))
    weights = sd.operator("weights", blocks, maps=("white link", "white link"))
    assert (weights.domain, weights.codomain) == (WHITE_LINK, WHITE_LINK)
    q = np.array([0.3, 0.4])
    found = dense_value(weights, DenseRobot(arm.model, q))
    assert np.array_equal(found[:6, :6], blocks[0])
    assert np.array_equal(found[6:, 6:], blocks[1])
    x = rng.normal(size=(2, 6))
    assert np.allclose(sd.compile(weights, arm, dense=True)(q) @ x, np.einsum("kij,kj->ki", blocks, x))


@pytest.mark.parametrize(
    ("definition", "maps"),
    [
        ([1.0, 2.0], ("white link", "white link")),
        ([1.0, 2.0], ("white joint",)),
        ([1.0, 2.0], "white joint"),
        ([1.0, 2.0], (3, 4)),
        ([1.0, 2.0], (["joint motion"], "joint force")),
        ([1.0 + 1j, 2.0], None),
        (np.array([1.0 + 1j, 2.0]), None),
        (np.ma.masked_array([1.0, 2.0], [False, True]), None),
        (["1", "2"], None),
        ([10**400, 1], None),
        ([[1.0], [2.0, 3.0]], None),
        ({}, None),
    ],
    ids=repr,
)
def test_what_is_no_block_diagonal_operator_is_refused(definition, maps):
    with pytest.raises(sd.SpaceError):
        sd.operator("own", definition, maps)


# Sizes


def test_a_formula_that_nests_too_deep_is_refused_while_it_is_written():
    x: Expression = phi
    while x.depth <= DEEPEST - 2:
        x = inv(phi + x)
    with pytest.raises(sd.SpaceError, match=f"nests at most {DEEPEST} deep"):
        inv(phi + x)
    assert len(str(x)) == len(str(x.T)) - len(".T") * x.size
    assert pickle.loads(pickle.dumps(x)) == x
    assert hash(x) == hash(pickle.loads(pickle.dumps(x)))


def test_abbreviations_of_abbreviations_are_counted():
    x: Expression = phi
    while 2 * x.size <= LARGEST:
        x = sd.operator("x", x @ x)
    with pytest.raises(sd.SpaceError, match=f"at most {LARGEST:,} symbols"):
        x @ x


def test_long_products_and_sums_do_not_nest():
    x: Expression = phi
    for _ in range(2000):
        x = x @ phi
    y = H @ x @ M
    assert y.depth == 2
    total = phi
    for _ in range(500):
        total = total + phi
    assert total.depth == 2
    assert str(total.T).count("phi") == 501


# Star imports


def test_a_star_import_leaves_a_users_variables_alone():
    mine = dict.fromkeys(("a", "b", "f", "T", "M", "R", "tau", "q", "v", "x"), "mine")
    names = dict(mine)
    exec("from soadyn.algebra import *", names)
    assert {name: names[name] for name in mine} == mine
    assert names["phi"] is phi
    assert names["inv"] is inv


def test_every_symbol_can_be_imported_by_its_name():
    for name, x in NAMES.items():
        assert getattr(algebra, name) is x
    assert not [name for name in algebra.__all__ if len(name) == 1 or name == "tau"]
