"""Level 3: the rate of a formula as the joints move, and its sensitivity to one joint, as formulas (000 section 6)."""

from __future__ import annotations

from soadyn.algebra.calculus_rows import DEFINED, RATES, RateRow
from soadyn.algebra.expressions import (
    Adjoint,
    Expression,
    Identity,
    Inverse,
    Product,
    Sum,
    Symbol,
    product,
    total,
    walk,
    zero,
)
from soadyn.algebra.misfits import shown
from soadyn.algebra.operators import L_Y, B, H, V, Y, phi, theta_ddot
from soadyn.algebra.replacing import replaced
from soadyn.algebra.spaces import LINK_FORCE, LINK_MOTION, NUMBER
from soadyn.algebra.velocity_operators import DISPLACED, W_omega, checked_joint, d_theta, of_a_joint
from soadyn.errors import SpaceError


def rate(x: Expression) -> Expression:
    """How a formula changes while the joints move with the rates θ̇: ẋ.

    The derivative is that of inertial components, resolved in the links' axes: M, which is constant in its link, has
    the rate W_omega @ M + M @ W_omega.T. Of vectors the joint rates, link velocities and poses have a rate.

    >>> from soadyn.algebra import D, H, M, inv
    >>> print(rate(M))
    W_omega @ M + M @ W_omega.T
    >>> print(rate(inv(D)))
    -(inv(D) @ (H @ lambda_dot @ H.T + A_r @ eta_delta + eta_delta.T @ A_r - eta_delta.T @ D - D @ eta_delta) @ inv(D))
    """
    return _rate(_checked(x, "rate"), held=False, moved=V)


def sensitivity(x: Expression, joint: str | tuple[str, int]) -> Expression:
    """How a formula changes with one joint: ∂x/∂θ_i, all vectors but V held. `joint` is a name or (name, component).

    Where joint rates are no derivatives of coordinates, as for ball joints, it is the change per unit of that rate.

    >>> from soadyn.algebra import E_phi, P
    >>> print(sensitivity(P, ("root", 2)).terms[0][1])
    lambda_of(("root", 2))
    """
    return of_a_joint(_rate(_checked(x, "sensitivity"), held=True), checked_joint(joint))


def diff(x: Expression, by: str) -> Expression:
    """How a vector or a number changes with a small displacement d_theta of all joints: (∂x/∂θ) dθ. `by` is "theta".

    The vector d_theta, in the order of v, becomes an argument of the compiled formula: unit vectors give the columns
    of the Jacobian, and `f.vjp` of the formula by d_theta its transpose, for a number the gradient. Vectors that come
    with a call are held; V, which is made of the joint rates, and poses change with the joints.

    >>> from soadyn.algebra import theta_dot
    >>> print(diff(H.T @ theta_dot, "theta"))
    (-((W_of(d_theta).T - X_of(d_theta).T) @ H.T) - H.T @ eta_of(d_theta)) @ theta_dot
    """
    if not isinstance(by, str) or by != "theta":
        raise SpaceError(f'formulas are differentiated by the joints, diff(x, "theta"), got {by!r}')
    if not _checked(x, "diff").is_vector:
        raise SpaceError(
            f"diff takes a vector or a number, got an operator ({x.domain} -> {x.codomain}); "
            "apply it to a vector, or see sensitivity(x, joint)"
        )
    if any(isinstance(part, Symbol) and (part == d_theta or part.along == DISPLACED) for part in walk(x)):
        raise SpaceError(
            "diff takes a formula without d_theta, which is the displacement that diff itself brings in, got "
            f'{shown(x)}; write vector("x", "joint motion") for a vector of your own; '
            "further derivatives are those of the compiled formula, f.jvp and f.vjp"
        )
    return of_a_joint(_rate(x, held=True, moved=phi.T @ H.T @ d_theta), DISPLACED)


def sensitivity_of_row(row: RateRow, joint: str | tuple[str, int]) -> Expression:
    """What a row of the table says of the sensitivity to a joint: its rate along that joint, θ̇ being held.

    >>> from soadyn.algebra.calculus_rows import ELEMENTS
    >>> print(sensitivity_of_row(ELEMENTS[1], "elbow"))
    W_of("elbow") @ E_phi - E_phi @ (W_of("elbow") - X_of("elbow"))
    """
    return of_a_joint(replaced(row.rate, _held), checked_joint(joint))


def _checked(x: object, what: str) -> Expression:
    if not isinstance(x, Expression):
        raise SpaceError(f"{what} takes a formula, got {type(x).__name__}")
    return x


def _rate(x: Expression, held: bool, moved: Expression | None = None) -> Expression:
    """The rate by the rules for sums, products and inverses, down to the rows of the table.

    θ̇ may be held; poses follow the link velocities `moved`.
    """
    match x:
        case Identity():
            return zero(x.domain, x.codomain)
        case Adjoint():
            return _rate(x.of, held, moved).T
        case Sum():
            terms = tuple((number, _rate(term, held, moved)) for number, term in x.terms)
            return total(terms) if terms else x
        case Product():
            return total(tuple((1, _one_changed(x.factors, i, held, moved)) for i in range(len(x.factors))))
        case Inverse():
            return -product(product(x, _rate(x.of, held, moved)), x)
        case Symbol() if x.formula is not None:
            return _rate(x.formula, held, moved)
    if x == Y and moved is not None:
        return L_Y @ B.T @ moved  # 000 (8.5)
    if x in RATES:
        return replaced(RATES[x], _held) if held else RATES[x]
    if x in DEFINED:
        return _rate(DEFINED[x], held, moved)
    return _given(x, held)


def _one_changed(factors: tuple[Expression, ...], i: int, held: bool, moved: Expression | None) -> Expression:
    result = _rate(factors[i], held, moved)
    if i > 0:
        result = product(_in_one(factors[:i]), result)
    return product(result, _in_one(factors[i + 1 :])) if i + 1 < len(factors) else result


def _in_one(factors: tuple[Expression, ...]) -> Expression:
    """Neighbouring factors of a product, which fit."""
    return factors[0] if len(factors) == 1 else Product(factors)


def _held(x: Symbol | Identity) -> Expression:
    """Joint rates that do not change."""
    return zero(NUMBER, x.codomain) if x == theta_ddot else x


def _given(x: Expression, held: bool) -> Expression:
    """The rate of what comes with a call: vectors that are held, numbers of joints, blocks fixed in links."""
    if isinstance(x, Symbol) and x.blocks is not None:
        changes = [product(W_omega, x)] if x.codomain == LINK_FORCE else []
        changes += [-product(W_omega.T, x)] if x.codomain == LINK_MOTION else []
        changes += [product(x, W_omega.T)] if x.domain == LINK_MOTION else []
        changes += [-product(x, W_omega)] if x.domain == LINK_FORCE else []
        return total(tuple((1, change) for change in changes)) if changes else zero(x.domain, x.codomain)
    if held and x.is_vector and x.codomain.place.endswith("joint"):
        return zero(x.domain, x.codomain)
    why = "the table of rates has no row for it"
    if x.is_vector:
        why = "of the vectors that are not held V has one" if held else "of such vectors theta_dot, V and Y have one"
    raise SpaceError(f"no rate is known of {x}: {why}")
