"""The groups of base parameters with lengths as symbols, as W. Khalil and M. Gautier (1990) print them.

What a joint does not feel of its link is counted with the link inboard, from the tips on. Of a revolute joint about a
coordinate axis e these are the mass, the first moment along e, and one number λ of J = ... + λ (1 - e e*); of a
prismatic joint all of J.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.later import optional
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Model

# By the axis of a revolute joint: which diagonal entry of J is λ, so that the groups start as `base_parameters` has it.
GIVEN_AWAY = {0: 1, 1: 0, 2: 1}


def symbolic_groups(model: Model, names: tuple[str, ...]) -> dict[str, Any]:
    """The expression of each group, by the parameter that it starts with."""
    sympy = optional("sympy", "base_parameters().symbolic")
    inertias = [_symbols(sympy, link.name) for link in model.links]
    for k in range(model.n, 0, -1):
        unfelt = _unfelt(sympy, model, k, inertias[k - 1])
        inertias[k - 1] = inertias[k - 1] - unfelt
        parent = model.parents[k - 1]
        if parent:
            inertias[parent - 1] = inertias[parent - 1] + _placed(sympy, model, k).shift(unfelt)
    found = dict(entry for link, M in zip(model.links, inertias, strict=True) for entry in _entries(link.name, M))
    return {name: sympy.nsimplify(sympy.expand(found[name]), rational=True) for name in names}


def _symbols(sympy: Any, link: str) -> Inertia:
    """A link's ten parameters as symbols."""

    def symbol(letter: str) -> Any:
        return sympy.Symbol(f"{letter}({link})", real=True)

    J = [[symbol(f"J{'xyz'[min(i, j)]}{'xyz'[max(i, j)]}") for j in range(3)] for i in range(3)]
    mp = [[symbol(f"m{axis}")] for axis in "xyz"]
    return Inertia(np.array(J, dtype=object), np.array(mp, dtype=object), np.array([[symbol("m")]], dtype=object))


def _unfelt(sympy: Any, model: Model, k: int, M: Inertia) -> Inertia:
    """What the joint of link k does not feel of it."""
    joint = model.joints[k - 1]
    axis = np.abs(np.array(joint.axis))
    plain = joint.kind in ("revolute", "continuous", "prismatic") and sorted(axis) == [0.0, 0.0, 1.0]
    if not plain or any(joint.offset.position) or not np.array_equal(joint.offset.rotation, np.eye(3)):
        raise ArgumentError(
            f"symbolic groups are those of revolute and prismatic joints about coordinate axes of their links; joint "
            f"{joint.name!r} is none: the groups with numbers are in `groups`"
        )
    zero = sympy.Integer(0)
    J, mp = np.full((3, 3), zero, dtype=object), np.full((3, 1), zero, dtype=object)
    if joint.kind == "prismatic":
        return Inertia(M.J, mp, np.array([[zero]], dtype=object))
    e = int(np.argmax(axis))
    for i in {0, 1, 2} - {e}:
        J[i, i] = M.J[GIVEN_AWAY[e], GIVEN_AWAY[e]]
    mp[e, 0] = M.mp[e, 0]
    return Inertia(J, mp, M.m)


def _placed(sympy: Any, model: Model, k: int) -> Transform:
    """The joint's place in its parent, coordinates that are not zero as symbols."""
    joint = model.joints[k - 1]
    R = np.array([[sympy.nsimplify(x, rational=True) for x in row] for row in np.array(joint.placement.rotation)])
    l = [
        [sympy.Symbol(f"l_{joint.name}_{axis}", real=True) if x else sympy.Integer(0)]
        for axis, x in zip("xyz", joint.placement.position, strict=True)
    ]
    return Transform(R.astype(object), np.array(l, dtype=object))


def _entries(link: str, M: Inertia) -> list[tuple[str, Any]]:
    J = [(f"J{'xyz'[i]}{'xyz'[j]}({link})", M.J[i, j]) for i in range(3) for j in range(i, 3)]
    return [(f"m({link})", M.m[0, 0]), *((f"m{x}({link})", M.mp[i, 0]) for i, x in enumerate("xyz")), *J]
