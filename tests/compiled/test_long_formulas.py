"""Formulas of many factors: the right numbers, and work that grows with the square of their length at most."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.algebra import T, inv, mass
from soadyn.algebra.expressions import Expression
from soadyn.backends.plan import plan
from soadyn.backends.plan.operations import planned_operations
from soadyn.lowering import letters


def accelerations(pairs: int) -> Expression:
    """inv(mass) @ T, after so many times inv(mass) @ mass, each of which is the identity."""
    x = inv(mass) @ T
    for _ in range(pairs):
        x = inv(mass) @ mass @ x
    return x


def test_a_formula_of_240_factors_gives_the_right_numbers() -> None:
    arm = sd.load("ur5").with_backend("numpy")
    q, tau = np.random.default_rng(0).normal(size=(2, 6))
    found = sd.compile(accelerations(120), arm)(q, tau)
    assert error(found, np.linalg.solve(arm.mass_matrix(q), tau)) <= 1e-11


def test_nodes_are_walked_no_more_than_the_square_of_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    arm, visited = sd.load("ur5"), 0

    def counted(*arguments):
        nonlocal visited
        found = letters_in_order(*arguments)
        visited += len(found)
        return found

    letters_in_order = letters.in_order
    monkeypatch.setattr(letters, "in_order", counted)

    def visits(pairs: int) -> int:
        before = visited
        sd.compile(accelerations(pairs), arm)
        return visited - before

    assert 0 < visits(40) <= 4.2 * visits(20)


def test_a_plan_asks_for_what_is_wanted_in_a_number_of_rounds_that_does_not_grow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arm, asked = sd.load("ur5"), 0

    def counted(*arguments):
        nonlocal asked
        asked += 1
        return is_wanted(*arguments)

    is_wanted = plan._is_wanted
    monkeypatch.setattr(plan, "_is_wanted", counted)

    def questions(pairs: int) -> int:
        before, f = asked, sd.compile(accelerations(pairs), arm)
        planned_operations(f.program, arm.engine.constants)
        return asked - before

    assert 0 < questions(24) <= 2.5 * questions(12)
