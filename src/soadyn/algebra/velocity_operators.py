"""Operators that are linear in the joint rates, of which the rates and sensitivities of all others are made (000).

Each of them exists along the motion, linear in θ̇, and along one joint component, as if that one alone moved at unit
rate: `lambda_dot` and `lambda_of("elbow")`. All are block diagonal; X, Y, N and W act on forces, their adjoints on
motions. 000 has revolute joints, for which X_delta is W_delta and nothing else is needed; here joints are of any kind.
"""

from __future__ import annotations

import re
from typing import Any

from soadyn.algebra.expressions import Expression, Symbol
from soadyn.algebra.meanings import Meaning
from soadyn.algebra.replacing import replaced
from soadyn.algebra.spaces import JOINT_MOTION, LINK_FORCE, LINK_MOTION, NUMBER, WHITE_JOINT, Space
from soadyn.errors import SpaceError

Along = tuple[str, int | None]  # a joint's name and component; None for joints that have only one
DISPLACED: Along = ("", None)  # no joint's name: all joints at once, as d_theta says


def _local(name: str, maps: tuple[Space, Space], meaning: Meaning, symmetric: bool = False) -> Symbol:
    return Symbol(name, *maps, symmetric=symmetric, local=True, meaning=meaning)


_FORCES = (LINK_FORCE, LINK_FORCE)

V_tilde = _local(
    "V_tilde",
    (LINK_MOTION, LINK_MOTION),
    Meaning(r"\tilde{V}", "V(k) x, the spatial cross product with V(k)", "000 (5.5)-(5.6)", "cross products with V"),
)
W_omega = _local(
    "W_omega",
    _FORCES,
    Meaning(r"\tilde\Omega", "omega(k) x, applied to both halves", "000 (6.1)-(6.2)", "how link vectors turn"),
)
W_s = _local(
    "W_s",
    _FORCES,
    Meaning(r"\tilde\Omega_s", "W_omega(p(k)) at link k", "000 (A.3)", "how vectors of the next link inward turn"),
)
W_delta = _local(
    "W_delta",
    _FORCES,
    Meaning(r"\tilde\Omega_\delta", "W_delta = W_omega - W_s", "000 (6.3)", "how vectors turn across a joint"),
)
N_delta = _local(
    "N_delta",
    _FORCES,
    Meaning(
        r"\mathcal{N}_\delta",
        "[0, g~(k); 0, 0], g(k) the linear half of H*(k) theta_dot(k)",
        "000 (6.3) for joints that slide",
        "how a joint's slide moves the point of a force",
    ),
)
X_delta = _local(
    "X_delta",
    _FORCES,
    Meaning(
        r"X_\delta",
        "X_delta = W_delta + N_delta",
        "000 (6.3) for all joints",
        "how forces change across a moving joint",
    ),
)
Y_delta = _local(
    "Y_delta",
    _FORCES,
    Meaning(
        r"Y_\delta",
        "X_delta(k) where H(k) is fixed in link k, else N_delta(k)",
        "000 Table 3 for all joints",
        "how a joint's own axes move, seen from the next link inward",
    ),
)
eta_delta = _local(
    "eta_delta",
    (JOINT_MOTION, JOINT_MOTION),
    Meaning(
        r"\eta_\delta",
        "H*(k) eta_delta(k) = Y_delta*(k) H*(k)",
        "000 Table 3 for all joints",
        "Y_delta in joint components; zero for joints with one",
    ),
)
lambda_dot = _local(
    "lambda_dot",
    (LINK_MOTION, LINK_FORCE),
    Meaning(
        r"\dot\lambda",
        "lambda_dot = E_psi @ lambda_dot @ E_psi.T + K @ (A_r @ eta_delta + eta_delta.T @ A_r) @ K.T "
        "+ X_delta @ P + P @ X_delta.T",
        "000 (6.4)-(6.5), (A.27)-(A.28)",
        "rate of the articulated inertia, seen from the next link inward",
    ),
    symmetric=True,
)
Z = _local(
    "Z",
    (WHITE_JOINT, WHITE_JOINT),
    Meaning(
        "Z",
        "half of the lower less half of the upper triangle of L^-1 (rate of D) L^-* (k), L = sqrt(D)",
        "000 (A.29) for all joints",
        "how the square root of D turns; zero for joints with one component",
    ),
)

d_theta = Symbol(
    "d_theta",
    NUMBER,
    JOINT_MOTION,
    meaning=Meaning(r"d\theta", "", "000 (6.10)-(6.11)", "a small displacement of the joints, in the order of v"),
)

VELOCITY_OPERATORS: dict[str, Symbol] = {
    x.name: x for x in (V_tilde, W_omega, W_s, W_delta, N_delta, X_delta, Y_delta, eta_delta, lambda_dot, Z)
}
# The functions that give an operator along one joint component.
OF_JOINT: dict[str, Symbol] = {
    "W_of": W_omega,
    "W_s_of": W_s,
    "W_delta_of": W_delta,
    "N_of": N_delta,
    "X_of": X_delta,
    "Y_of": Y_delta,
    "eta_of": eta_delta,
    "lambda_of": lambda_dot,
    "Z_of": Z,
}
# A text that calls one of them: lambda_of("elbow"), lambda_of(("root", 2)), lambda_of(d_theta).
CALL = re.compile(r'([^\W\d]\w*_of)\(\s*(?:"([^"\n]*)"|\(\s*"([^"\n]*)"\s*,\s*([0-9]{1,9})\s*\)|d_theta)\s*\)')
_FUNCTION = {x.name: function for function, x in OF_JOINT.items()}
_LETTERS = {"W_of": r"\mathcal{H}", "W_s_of": r"\mathcal{H}_s", "W_delta_of": r"\mathcal{H}_\delta"}
_LETTERS |= {"N_of": r"\mathcal{N}", "X_of": "X", "Y_of": "Y", "eta_of": r"\eta", "lambda_of": r"\lambda", "Z_of": "Z"}


def along(x: Symbol, joint: str | tuple[str, int] | Symbol) -> Symbol:
    """An operator that is linear in the joint rates, with one joint component alone moving, at unit rate.

    In place of a joint it may be d_theta: all joints move, each by its component of it.

    >>> along(X_delta, "elbow")
    <X_of("elbow") : link force -> link force>
    >>> along(lambda_dot, d_theta)
    <lambda_of(d_theta) : link motion -> link force>
    """
    return _along(x, DISPLACED if joint == d_theta else checked_joint(joint))


def _along(x: Symbol, direction: Along) -> Symbol:
    name, component = direction
    said = f'"{name}"' if component is None else f'("{name}", {component})'
    index = rf"\mathrm{{{name}}}".replace("_", r"\_") + ("" if component is None else f",{component}")
    when = f"{said} alone moves"
    if direction == DISPLACED:
        said, index, when = d_theta.name, d_theta.meaning.latex, "the joints move along d_theta"
    function, meaning = _FUNCTION[x.name], x.meaning
    letter = _LETTERS[function]
    return Symbol(
        f"{function}({said})",
        x.domain,
        x.codomain,
        symmetric=x.symmetric,
        local=True,
        meaning=Meaning(
            f"{letter}_{{{index}}}" if "_" not in letter else f"{letter}^{{{index}}}",
            f"{x.name} while {when}",
            "000 (6.10)-(6.11), (A.1)-(A.3), (A.16)",
            f"{meaning.physics}, while {'the joints move' if direction == DISPLACED else 'one joint moves'}",
        ),
        along=direction,
    )


def lambda_of(joint: str | tuple[str, int]) -> Symbol:
    """λ_i of 000 (A.16): how the articulated inertia changes with one joint, seen from the next link inward.

    `joint` is a joint's name or, for joints of several components, (name, component).

    >>> lambda_of("elbow")
    <lambda_of("elbow") : link motion -> link force>
    """
    return along(lambda_dot, joint)


def unit_rate(x: Symbol) -> Symbol:
    """The joint rates that an operator along a joint belongs to: one there, zero elsewhere; or d_theta."""
    assert x.along is not None
    if x.along == DISPLACED:
        return d_theta
    return Symbol(f"unit rate of {x.along}", NUMBER, JOINT_MOTION, along=x.along)


def moving(x: Symbol) -> Symbol:
    """The operator along the motion that one along a joint is made from; others as they are."""
    return OF_JOINT[x.name.partition("(")[0]] if x.along is not None else x


def of_a_joint(x: Expression, joint: Along) -> Expression:
    """A formula with operators along one joint component in place of those along the motion.

    >>> of_a_joint(X_delta.T @ W_omega.T, ("elbow", None))
    <X_of("elbow").T @ W_of("elbow").T : link motion -> link motion>
    """
    return replaced(x, lambda y: _along(y, joint) if isinstance(y, Symbol) and y.name in _FUNCTION else y)


def checked_joint(joint: Any) -> Along:
    """A joint's name and component; SpaceError for what names no joint."""
    name, component = joint if isinstance(joint, tuple) and len(joint) == 2 else (joint, None)
    whole = component is None or (isinstance(component, int) and not isinstance(component, bool) and component >= 0)
    if not isinstance(name, str) or not name or not whole:
        raise SpaceError(f"a joint is given by its name, or by (name, component) counted from 0, got {joint!r}")
    if '"' in name or not name.isprintable():
        raise SpaceError(f"a formula cannot name the joint {name!r}: quotes and control characters have no place in it")
    return name, component
