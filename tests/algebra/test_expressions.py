"""Formulas as values: adjoints, sums, products, equality, hashing, copying; on random formulas."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import soadyn as sd
from random_formulas import DAMPING, formulas, numbers
from soadyn.algebra import (
    D,
    Expression,
    H,
    I_joint,
    I_link,
    I_white_joint,
    K,
    M,
    T,
    V,
    formula,
    inv,
    mass,
    phi,
    psi,
    sqrt,
    theta_dot,
)
from soadyn.algebra.defining import vector
from soadyn.algebra.expressions import Product, Sum, walk
from soadyn.algebra.numbers import Number
from soadyn.algebra.spaces import NUMBER, SPACES, WHITE_JOINT, Space


@given(formulas())
def test_the_adjoint_of_the_adjoint_is_the_operator(x: Expression) -> None:
    assert x == x.T.T


@given(formulas())
def test_the_adjoint_maps_between_the_duals_the_other_way_round(x: Expression) -> None:
    assert (x.T.domain, x.T.codomain) == (x.codomain.dual, x.domain.dual)


@given(formulas(), formulas())
def test_the_adjoint_of_a_product_is_the_product_of_adjoints_reversed(x: Expression, y: Expression) -> None:
    for left, right in ((x, y), (y, x), (x, x.T), (x.T, x)):
        if left.domain == right.codomain:
            assert (left @ right).T == right.T @ left.T


@given(formulas(), numbers)
def test_the_adjoint_of_a_sum_is_the_sum_of_adjoints(x: Expression, number: Number) -> None:
    assert x.T - number * x.T == (x - number * x).T
    assert (-x).T == -(x.T)


@given(formulas())
def test_products_associate(x: Expression) -> None:
    row = vector_row(x.codomain)
    column = vector_row(x.domain.dual).T
    if not x.is_vector:
        assert (row @ x) @ column == row @ (x @ column)


def vector_row(space: Space) -> Expression:
    return vector("y", space.dual).T


@given(formulas(), formulas())
def test_the_terms_of_a_sum_are_kept_in_the_order_they_are_written(x: Expression, y: Expression) -> None:
    if (x.domain, x.codomain) == (y.domain, y.codomain):
        one, other = terms(x + y), terms(y + x)
        assert Counter(one) == Counter(other)
        assert one == terms(x) + terms(y)


def terms(x: Expression) -> list[tuple[Number, str]]:
    """The terms with their texts; in an identity the text says less than the node, on purpose."""
    return (
        [(c, str(y).removesuffix(".T")) for c, y in x.terms] if isinstance(x, Sum) else [(1, str(x).removesuffix(".T"))]
    )


@given(formulas())
def test_sums_and_products_are_flat(x: Expression) -> None:
    for y in walk(x):
        assert not (isinstance(y, Product) and any(isinstance(z, Product) for z in y.factors))
        assert not (isinstance(y, Sum) and any(isinstance(z, Sum) for _, z in y.terms))


@given(formulas())
def test_the_factors_of_every_product_fit(x: Expression) -> None:
    for y in walk(x):
        if isinstance(y, Product):
            for left, right in zip(y.factors, y.factors[1:], strict=False):
                assert left.domain == right.codomain
        if isinstance(y, Sum):
            assert all((z.domain, z.codomain) == (y.domain, y.codomain) for _, z in y.terms)


@given(formulas(), formulas())
def test_equal_formulas_have_equal_hashes_and_different_texts_differ(x: Expression, y: Expression) -> None:
    assert (x == y) == (str(x) == str(y))
    if x == y:
        assert hash(x) == hash(y)


@given(formulas())
def test_a_copy_is_the_formula_itself(x: Expression) -> None:
    assert copy.copy(x) is x
    assert copy.deepcopy([x])[0] is x


@given(formulas())
def test_a_formula_is_pickled(x: Expression) -> None:
    back = pickle.loads(pickle.dumps(x))
    assert str(back) == str(x)
    if DAMPING.name not in str(x) and "skew" not in str(x):  # arrays are compared by identity
        assert back == x
        assert hash(back) == hash(x)


def test_a_pickled_array_is_still_read_only() -> None:
    back = pickle.loads(pickle.dumps(DAMPING))
    assert np.array_equal(back.blocks.array, DAMPING.blocks.array)
    with pytest.raises(ValueError, match="read-only"):
        back.blocks.array[0] = 1.0


@given(formulas())
def test_a_formula_does_not_change(x: Expression) -> None:
    for field in dataclasses.fields(x):  # type: ignore[arg-type]
        with pytest.raises(AttributeError):
            setattr(x, field.name, None)
    with pytest.raises((AttributeError, TypeError)):  # Python 3.11 says TypeError for names that are no fields
        x.anything = None  # type: ignore[attr-defined]


@given(formulas(), formulas())
def test_comparing_is_by_what_is_written_not_by_identity(x: Expression, y: Expression) -> None:
    assert {x: 1}[pickle.loads(pickle.dumps(x)) if "damping" not in str(x) and "skew" not in str(x) else x] == 1
    assert (x in [y]) == (x == y)


# Identities and numbers


@given(st.sampled_from([phi, phi.T, psi.T @ phi.T, inv(M) @ M]))
def test_an_identity_vanishes_in_a_product_of_either_side(x: Expression) -> None:
    assert I_link @ x == x == x @ I_link


@pytest.mark.parametrize("scaled", [2 * I_link, -I_link, I_link + I_link, inv(2 * I_link), I_link / 3], ids=str)
def test_multiples_of_the_identity_serve_motions_and_forces(scaled: Expression) -> None:
    for x in (phi, phi.T):
        assert (scaled + x).domain == (x - scaled).codomain == x.domain
        assert (scaled @ x).codomain == (x @ scaled).domain == x.domain
        assert (scaled + x).T == scaled.T + x.T


def test_one_times_a_formula_is_the_formula() -> None:
    assert 1 * phi == phi * 1.0 == phi / 1 == 2 * (phi / 2) == -1 * -phi == +phi == phi


def test_numbers_keep_their_kind() -> None:
    assert phi / 3 == Fraction(1, 3) * phi
    assert np.int64(2) * phi == phi * 2
    assert str(np.float64(0.1) * phi) == "0.1 * phi"
    assert str(np.float32(0.5) * phi) == "0.5 * phi"


def test_zero_takes_everything_with_it() -> None:
    zero = 0 * phi
    assert zero @ phi == phi @ zero == zero == 0.0 * psi
    assert phi + zero == zero + phi == phi
    assert (H @ zero).codomain == H.codomain
    assert str(zero) == "0"


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), 10**400, Fraction(1, 10**400)], ids=["nan", "inf", "large", "small"]
)
def test_numbers_beyond_doubles_are_refused(number: Number) -> None:
    with pytest.raises(sd.SpaceError, match="finite and within the range of doubles"):
        number * phi


def test_numbers_that_grow_beyond_doubles_are_refused() -> None:
    with pytest.raises(sd.SpaceError, match="finite and within the range of doubles"):
        1e300 * (1e300 * phi)


# Roots, inverses, rows


def test_a_root_has_an_inverse_that_leads_to_the_white_space() -> None:
    whitener = inv(sqrt(D))
    assert (whitener.domain, whitener.codomain) == (D.codomain, WHITE_JOINT)
    assert whitener @ sqrt(D) - I_white_joint == whitener @ sqrt(D) - I_white_joint.T


def test_the_adjoint_of_the_inverse_is_the_inverse_of_the_adjoint() -> None:
    assert inv(phi.T) == inv(phi).T
    assert inv(D) == inv(D).T
    assert inv(inv(phi)) == phi


def test_the_mass_matrix_is_its_own_adjoint() -> None:
    x = H @ phi @ M @ phi.T @ H.T
    assert x == x.T
    assert mass == mass.T
    assert I_joint + K.T @ phi.T @ H.T == (I_joint + H @ phi @ K).T


@pytest.mark.parametrize("end", [T, theta_dot, D, inv(D)], ids=str)
def test_multiples_of_the_identity_keep_their_order_beside_motions_and_forces(end: Expression) -> None:
    x = (2 * I_joint) @ (inv(3 * I_joint) + I_joint) @ end
    assert str(x).startswith("(2 * I_joint) @ (inv(3 * I_joint) + I_joint) @")
    assert formula(str(x)) == x


def test_power_is_a_number() -> None:
    power = theta_dot.T @ T
    assert (power.domain, power.codomain) == (NUMBER, NUMBER)
    assert T.T @ theta_dot == power.T
    assert (V.T @ M @ V / 2).is_vector


@pytest.mark.parametrize("space", SPACES.values(), ids=str)
def test_the_dual_of_the_dual_is_the_space(space: Space) -> None:
    assert space.dual.dual == space
    assert (space.dual == space) == (space.side == "")
