"""The identity table: every row holds where it says, and where it says it needs more it fails without."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from random_robots import random_model, random_q, random_v
from soadyn.algebra import D, Expression, G, H, H_p, M, V, inv, mass, phi, psi, sqrt
from soadyn.algebra.identities import IDENTITIES, SECTIONS
from soadyn.algebra.identities.row import Row
from soadyn.errors import SpaceError
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues
from soadyn.theory.oracle.specimens import FAMILY

EXACT, FALSE = 1e-11, 1e-6
SYSTEMS = {
    "chain": {"shape": "serial"},
    "chain with armature": {"shape": "serial", "armature": True},
    "chain on a free base with armature": {"shape": "serial", "root": "free", "armature": True},
    "tree": {},
    "tree with armature": {"armature": True},
    "tree on a free base": {"root": "free"},
    "tree on a free base with armature": {"root": "free", "armature": True},
    "star on a free base with armature": {"shape": "star", "root": "free", "armature": True},
}


@cache
def random_values(system: str, passive: bool) -> DenseValues:
    rng = np.random.default_rng(list(SYSTEMS).index(system))
    model = random_model(rng, 7, **SYSTEMS[system])  # type: ignore[arg-type]
    robot = DenseRobot(model, random_q(rng, model), random_v(rng, model))
    vectors = {"theta_ddot": rng.standard_normal(model.nv), "f_tip": rng.standard_normal(6)}
    return DenseValues(robot, rng.random(model.nv) < 0.5 if passive else None, ["tool"], vectors)


@cache
def specimen_values(index: int, passive: bool) -> DenseValues:
    return FAMILY[index].values(passive)


def is_chain(robot: DenseRobot) -> bool:
    return robot.parents == list(range(-1, robot.n - 1))


def promised(row: Row, values: DenseValues) -> bool:
    """Whether the row says that it holds here."""
    kept = {
        "A_r = 0": not values.robot.A_r.any(),
        "serial": is_chain(values.robot),
        "one frame": len(values.frames) == 1,
        "single joints": all(dofs.stop - dofs.start == 1 for dofs in values.robot.model.v_slices),
    }
    return all(kept[need] for need in row.needs)


def all_values(row: Row) -> list[DenseValues]:
    found = [random_values(system, arm) for arm in row.arms for system in SYSTEMS]
    return found + [specimen_values(i, arm) for arm in row.arms for i in range(len(FAMILY))]


def broken_promises(row: Row) -> list[float]:
    errors = [values.apart(row.left, row.right) for values in all_values(row) if promised(row, values)]
    return [error for error in errors if not error <= EXACT]


def test_the_table_is_as_large_as_the_papers_ask() -> None:
    assert len(IDENTITIES) == sum(map(len, SECTIONS.values())) >= 60
    assert all(row.reference for row in IDENTITIES.values())


def test_the_systems_are_what_they_should_be() -> None:
    robots = [random_values(system, False).robot for system in SYSTEMS]
    assert sum(map(is_chain, robots)) == 3
    assert max(len(range(s.start, s.stop)) for robot in robots for s in robot.model.v_slices) == 6
    assert {joint.kind for robot in robots for joint in robot.model.joints} >= {"spherical", "planar", "cylindrical"}


@pytest.mark.parametrize("row", IDENTITIES.values(), ids=lambda row: row.name)
def test_a_row_holds_where_it_says(row: Row) -> None:
    assert sum(promised(row, values) for values in all_values(row)) >= 4
    assert not broken_promises(row)


@pytest.mark.parametrize("row", [row for row in IDENTITIES.values() if row.needs], ids=lambda row: row.name)
def test_a_row_needs_what_it_says(row: Row) -> None:
    # each need by itself: false on some system that has everything else
    for need in row.needs:
        others = Row(row.name, row.left, row.right, "", tuple(x for x in row.needs if x != need))
        without = [v for v in all_values(row) if promised(others, v) and not promised(row, v)]
        assert max(v.apart(row.left, row.right) for v in without) > FALSE


@pytest.mark.parametrize("row", IDENTITIES.values(), ids=lambda row: row.name)
def test_a_spoilt_row_is_caught(row: Row) -> None:
    spoilt = -row.right if str(row.right) != "0" else something(row.left)
    assert broken_promises(Row(row.name, row.left, spoilt, ""))


def something(like: Expression) -> Expression:
    """An operator that maps the same spaces and is not zero."""
    candidates = (H, G, G @ D, H @ M, phi.T @ H_p.T, V, inv(D) @ D, sqrt(D).T @ inv(D) @ sqrt(D))
    return next(x for x in candidates if (x.domain, x.codomain) == (like.domain, like.codomain))


def test_a_forgotten_armature_is_caught() -> None:
    assert broken_promises(Row("forgotten", mass, H @ phi @ M @ phi.T @ H.T, ""))


def test_a_wrong_adjoint_is_no_formula() -> None:
    with pytest.raises(SpaceError, match="gives a link motion"):
        H @ psi.T
