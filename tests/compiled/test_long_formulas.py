"""Formulas of many factors: the right numbers, and work that grows with the square of their length at most."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.algebra import A_r, D, T, inv, mass, rate
from soadyn.algebra.expressions import Expression
from soadyn.engine.cache.contents import content_hash
from soadyn.engine.loops import plan
from soadyn.engine.loops.plan import planned_operations
from soadyn.programs.lowering import letters, nodes
from soadyn.programs.sweep.stages import step_of


def accelerations(pairs: int) -> Expression:
    """inv(mass) @ T, after so many times inv(mass) @ mass, each of which is the identity."""
    x = inv(mass) @ T
    for _ in range(pairs):
        x = inv(mass) @ mass @ x
    return x


def products(pairs: int) -> Expression:
    """T, after so many times mass @ inv(D); nothing cancels."""
    x: Expression = T
    for _ in range(pairs):
        x = mass @ inv(D) @ x
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
        for stage in sd.compile(products(pairs), arm).program.stages:
            assert step_of(stage).__doc__
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
        before, f = asked, sd.compile(products(pairs), arm)
        planned_operations(f.program, arm.engine.constants)
        return asked - before

    assert 0 < questions(24) <= 2.5 * questions(12)


def test_sums_in_the_derivatives_of_long_products_are_collected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were collected again for every sum that holds them: 90 times as often for each further pair."""
    arm, collected = sd.load("ur5"), 0

    def counted(*arguments):
        nonlocal collected
        collected += 1
        return under_one_operator(*arguments)

    under_one_operator = nodes._under_one_operator
    monkeypatch.setattr(nodes, "_under_one_operator", counted)

    def sums(pairs: int) -> int:
        before = collected
        sd.compile(sd.diff(accelerations(pairs), "theta"), arm)
        return collected - before

    assert 0 < sums(6) <= 4.2 * sums(3)


def test_the_derivative_of_a_long_product_has_the_right_numbers() -> None:
    arm = sd.load("ur5").with_backend("numpy")
    q, tau, d = np.random.default_rng(0).normal(size=(3, 6))
    f, change = (sd.compile(x, arm) for x in (products(5), sd.diff(products(5), "theta")))
    step = 1e-6
    expected = (f(q + step * d, tau) - f(q - step * d, tau)) / (2 * step)
    assert error(change(q, tau, d), expected) <= 1e-7


def test_a_formula_too_large_is_refused_at_once() -> None:
    x: Expression = mass
    for _ in range(200):
        x = mass @ inv(D) @ x
    with pytest.raises(sd.SpaceError, match="at most 100,000 symbols"):
        rate(x)


def test_content_that_lies_thousands_deep_is_read() -> None:
    deep: tuple[object, ...] = ()
    for _ in range(5_000):
        deep = (deep, 1.0)
    assert content_hash(deep) == content_hash(deep)
    x: Expression = mass
    for _ in range(12):
        x = (mass + A_r + D) @ inv(D) @ x
    assert sd.compile(x, sd.load("planar_two_link")).sweeps > 10
