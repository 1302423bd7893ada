"""Formulas that are refused while they are written, one row each: what is wrong, the formula, the words about it.

`docs/make_misuse.py` prints the rows, `algebra/test_misuse.py` provokes each and holds the printed page to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

import soadyn as sd
from soadyn.algebra import inv, operators, sqrt


@final
@dataclass(frozen=True, slots=True)
class Misuse:
    """A formula as Python code, and what its refusal must contain. `text`: `formula` refuses it with the same words."""

    about: str
    code: str
    words: tuple[str, ...]
    text: bool = True


NAMES: dict[str, Any] = {**operators.NAMES, "inv": inv, "sqrt": sqrt, "np": np}


def refusal(case: Misuse) -> str:
    """The words that a case gets; an AssertionError if it is not refused."""
    try:
        made = eval(case.code, dict(NAMES))
    except sd.SpaceError as error:
        return str(error)
    raise AssertionError(f"{case.code} is not refused, it is {made!r}")


PRODUCTS = (
    Misuse(
        "a missing adjoint inside the mass matrix",
        "H @ phi @ M @ phi @ H.T",
        ("M takes a link motion", "phi gives a link force", "is phi.T meant?"),
    ),
    Misuse(
        "a missing adjoint at its end",
        "H @ phi @ M @ phi.T @ H",
        ("phi.T takes a link motion", "H gives a joint force"),
    ),
    Misuse("an adjoint too many", "H @ psi.T", ("H takes a link force", "psi.T gives a link motion", "is psi meant?")),
    Misuse(
        "two that could be meant",
        "phi @ psi.T",
        ("phi takes a link force", "psi.T gives a link motion", "is phi.T or psi meant?"),
    ),
    Misuse("the wrong order", "phi @ H", ("phi takes a link force", "H gives a joint force")),
    Misuse("links moved by joint rates", "phi.T @ theta_dot", ("phi.T takes a link motion", "is H.T missing between")),
    Misuse("a joint force from a joint force", "H @ T", ("H takes a link force", "T is a joint force")),
    Misuse(
        "a mass times a force",
        "mass @ T",
        ("mass takes a joint motion", "T is a joint force", "is inv(mass) meant?"),
    ),
    Misuse(
        "an inverse too many",
        "inv(mass) @ theta_ddot",
        ("inv(mass) takes a joint force", "theta_ddot is a joint motion", "is mass meant?"),
    ),
    Misuse("an inertia times a force", "M @ f", ("M takes a link motion", "f is a link force", "is inv(M) meant?")),
    Misuse("a covariance times a motion", "Omega @ V", ("Omega takes a link force", "V is a link motion")),
    Misuse("the gain where its adjoint belongs", "K @ alpha", ("K takes a joint force", "alpha is a link motion")),
    Misuse(
        "a tip's own acceleration among those of links",
        "alpha + a_tip",
        ("alpha", "link motion", "a_tip", "task motion"),
    ),
    Misuse(
        "a tip force that skips B", "phi @ f_tip", ("phi takes a link force", "f_tip is a task force", "is B missing")
    ),
    Misuse(
        "a Jacobian that skips the links",
        "B.T @ theta_dot",
        ("B.T takes a link motion", "theta_dot is a joint motion", "is H.T missing between"),
    ),
    Misuse(
        "active rates for all rates",
        "H.T @ theta_dot_a",
        ("H.T takes a joint motion", "theta_dot_a is an active joint motion"),
    ),
    Misuse(
        "an active force into the passive gain",
        "K_p @ H_a",
        ("K_p takes a passive joint force", "H_a gives an active joint force"),
    ),
    Misuse(
        "a vector on the left",
        "theta_dot @ H.T",
        ("theta_dot is a vector (joint motion)", "H.T gives a link motion", "is H.T @ theta_dot meant?"),
    ),
    Misuse(
        "a column where a row belongs",
        "V @ f",
        ("V is a vector (link motion)", "f is a link force", "is V.T or f.T meant?"),
    ),
    Misuse("power of two motions", "V.T @ alpha", ("V.T takes a link force", "alpha is a link motion")),
    Misuse(
        "a factor on the wrong side",
        "(I_joint - H @ psi @ K) @ theta_ddot",
        (
            "(I_joint - H @ psi @ K) takes a joint force",
            "theta_ddot is a joint motion",
            "is (I_joint - H @ psi @ K).T meant?",
        ),
    ),
    Misuse("the identity of another space", "I_joint @ phi", ("I_joint takes a joint force", "phi gives a link force")),
    Misuse(
        "a root on the wrong side",
        "inv(sqrt(D)) @ theta_dot",
        ("inv(sqrt(D)) takes a joint force", "theta_dot is a joint motion"),
    ),
)

SUMS = (
    Misuse(
        "an operator and another's adjoint",
        "phi - psi.T",
        ("phi maps link force to link force", "psi.T maps link motion to link motion", "is phi.T or psi meant?"),
    ),
    Misuse(
        "a carrier and an inertia",
        "phi + M",
        ("phi maps link force to link force", "M maps link motion to link force"),
    ),
    Misuse(
        "the identity and an inertia",
        "I_link + M",
        ("I_link maps link force to link force", "M maps link motion to link force"),
    ),
    Misuse(
        "the identity of other places", "I_joint - G @ H", ("joint force to joint force", "link force to link force")
    ),
    Misuse("motion and force", "alpha + f", ("alpha is a link motion", "f is a link force")),
    Misuse("joint forces and link forces", "T - b", ("T is a joint force", "b is a link force")),
    Misuse("an operator and a vector", "H + T", ("H maps link force to joint force", "T is a joint force")),
    Misuse(
        "the mass matrix and its inverse",
        "inv(mass) + A_r",
        ("inv(mass) maps joint force to joint motion", "A_r maps joint motion to joint force"),
    ),
    Misuse(
        "a number for an identity",
        "1 - H @ psi @ K",
        ("1 - H @ psi @ K: ", "maps joint force to joint force", "is I_joint meant?"),
    ),
)

SIGNS = (
    Misuse("a star between operators", "H * phi", ("H maps link force", "phi maps link force", "multiplied with @")),
    Misuse("a number before @", "2 @ phi", ("2 @ phi", "phi maps link force to link force", "multiplied with *")),
    Misuse("division by an operator", "T / D", ("T / D", "T is a joint force", "only numbers divide")),
    Misuse("division of a number", "1 / D", ("1 / D", "D maps joint motion to joint force", "inv(...)")),
    Misuse("a power", "phi ** 2", ("phi ** 2", "phi maps link force to link force", "there are no powers"), text=False),
    Misuse("division by zero", "phi / 0", ("phi / 0", "other than zero")),
    Misuse("an array for an operator", "np.eye(6) @ phi", ("ndarray @ phi", "phi maps", "sd.operator"), text=False),
    Misuse("a text for an operator", "phi @ 'psi'", ("phi @ str", "phi maps", 'formula("...")'), text=False),
    Misuse("True for a number", "True * phi", ("bool * phi", "neither a formula nor a plain number"), text=False),
    Misuse("a number that is none", "float('nan') * phi", ("a number in a formula is finite",), text=False),
    Misuse("a formula as a condition", "phi if H @ phi else psi", ("H @ phi", "neither true nor false"), text=False),
)

FUNCTIONS = (
    Misuse("an inverse between two places", "inv(H)", ("inv(H)", "H maps link force to joint force")),
    Misuse("an inverse of a vector", "inv(T)", ("inv(T)", "a vector (joint force) has no inverse")),
    Misuse("an inverse of zero", "inv(0 * M)", ("zero has no inverse",)),
    Misuse("an inverse of a number", "inv(2)", ("inv takes a formula, got int",), text=False),
    Misuse("a root of what is not symmetric", "sqrt(phi)", ("sqrt(phi)", "phi maps link force to link force")),
    Misuse(
        "a root of what is not block diagonal", "sqrt(mass)", ("sqrt(mass)", "mass maps joint motion to joint force")
    ),
)

SECTIONS = {"Products": PRODUCTS, "Sums": SUMS, "Signs and numbers": SIGNS, "Inverses and roots": FUNCTIONS}
CASES = tuple(case for section in SECTIONS.values() for case in section)
