"""Level 6 - the block diagonal operators of a formula, applied at one link.

Each entry of OPERATORS names the values a block is made of and how it acts on this link's share x. With a passive set
G and D are those of the passive arm: G has no columns, D no coupling for active components.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.link.points import carried_points, carried_pose, force_on_link, motion_of_points, pose_wrench
from soadyn.mechanics.spatial.arithmetic import (
    Array,
    back_substituted,
    cross,
    forward_substituted,
    rows_of,
    semidefinite_root,
    spread,
    sqrt,
    stacked,
)
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial

Action = Callable[..., Any]


def _plain(X: Inertia | ArticulatedInertia | Array, x: Any) -> Any:
    return X @ x


def _adjoint(X: Rows | Spatial | Array, x: Any) -> Any:
    return X.mT @ x


def _crossed(X: Spatial, x: Spatial) -> Spatial:
    """X̃ x of a motion x."""
    return X.cross(x)


def _crossed_adjoint(X: Spatial, x: Spatial) -> Spatial:
    """X̃* x of a force x."""
    return _negative(X.cross_force(x))


def _moved(X: Spatial, x: Spatial) -> Spatial:
    """-X̃* x of a force x: how it changes while its point moves with X."""
    return X.cross_force(x)


def _moved_adjoint(X: Spatial, x: Spatial) -> Spatial:
    """-X̃ x of a motion x."""
    return _negative(X.cross(x))


def _turned(X: Spatial, x: Spatial) -> Spatial:
    """diag(ω̃, ω̃) x with the angular half ω of X."""
    return Spatial(cross(X.angular, x.angular), cross(X.angular, x.linear))


def _turned_adjoint(X: Spatial, x: Spatial) -> Spatial:
    return _negative(_turned(X, x))


def _turned_inside(V: Spatial, across: Spatial, x: Spatial) -> Spatial:
    """The same with the angular velocity of the next link inward."""
    return _turned(V - across, x)


def _turned_inside_adjoint(V: Spatial, across: Spatial, x: Spatial) -> Spatial:
    return _negative(_turned(V - across, x))


def _slid(X: Spatial, x: Spatial) -> Spatial:
    """[0, g̃; 0, 0] x with the linear half g of X."""
    return Spatial(cross(X.linear, x.linear), 0.0 * x.linear)


def _slid_adjoint(X: Spatial, x: Spatial) -> Spatial:
    return Spatial(0.0 * x.angular, -cross(X.linear, x.angular))


def _negative(x: Spatial) -> Spatial:
    return Spatial(-x.angular, -x.linear)


def _passive_rows(H: Rows, passive: Array, x: Spatial) -> Array:
    return passive * (H @ x)


def _active_rows(H: Rows, passive: Array, x: Spatial) -> Array:
    return (1 - passive) * (H @ x)


def _pivot(D: Pivot, x: Array) -> Array:
    return D.D @ x


def _solved(D: Pivot, x: Array) -> Array:
    return D.solve(x)


def _root(D: Pivot, x: Array) -> Array:
    """sqrt(D) x = L √d x."""
    rows = [spread(sqrt(d)) * row for d, row in zip(D.d, rows_of(x), strict=True)]
    for i in reversed(range(len(rows))):
        for k in range(i):
            rows[i] = rows[i] + spread(D.L[i][k]) * rows[k]
    return stacked(rows)


def _root_adjoint(D: Pivot, x: Array) -> Array:
    """sqrt(D)* x = √d L* x."""
    rows = rows_of(x)
    for i in range(len(rows)):
        for k in range(i + 1, len(rows)):
            rows[i] = rows[i] + spread(D.L[k][i]) * rows[k]
    return stacked([spread(sqrt(d)) * row for d, row in zip(D.d, rows, strict=True)])


def _root_solved(D: Pivot, x: Array) -> Array:
    """sqrt(D)⁻¹ x."""
    rows = forward_substituted(D.L, rows_of(x))
    return stacked([row / spread(sqrt(d)) for d, row in zip(D.d, rows, strict=True)])


def _root_adjoint_solved(D: Pivot, x: Array) -> Array:
    """sqrt(D)⁻* x."""
    return stacked(back_substituted(D.L, [row / spread(sqrt(d)) for d, row in zip(D.d, rows_of(x), strict=True)]))


def _link_root(link_frame: Transform, M: Inertia, x: Spatial) -> Spatial:
    """sqrt(M) x, the root being the lower Cholesky factor at the public link frame; zero where M is."""
    return link_frame @ Spatial.of(link_inertia_root(link_frame, M) @ x.dense())


def _link_root_adjoint(link_frame: Transform, M: Inertia, x: Spatial) -> Spatial:
    """sqrt(M)* x."""
    return Spatial.of(link_inertia_root(link_frame, M).mT @ (link_frame.mT @ x).dense())


def link_inertia_root(link_frame: Transform, M: Inertia) -> Array:
    """M^½ at the public link frame: the lower Cholesky factor, with empty columns where M is singular."""
    return semidefinite_root(link_frame.inverse().shift(M).dense())


def _force_inward(link_frame: Transform, x: Spatial) -> Spatial:
    """A force given at the public link frame, at the frame the sweeps use."""
    return link_frame @ x


def _force_outward(link_frame: Transform, x: Spatial) -> Spatial:
    return link_frame.inverse() @ x


def _motion_outward(link_frame: Transform, x: Spatial) -> Spatial:
    """A motion at the frame the sweeps use, at the public link frame."""
    return link_frame.mT @ x


def _motion_inward(link_frame: Transform, x: Spatial) -> Spatial:
    return link_frame.inverse().mT @ x


def _number_each(numbers: Array, x: Array) -> Array:
    """A number for each component: joint damping, stiffness."""
    return numbers * x


def _number_each_solved(numbers: Array, x: Array) -> Array:
    return x / numbers


OPERATORS: Mapping[str, tuple[tuple[str, ...], Action]] = MappingProxyType(
    {
        "H": (("H",), _plain),
        "H*": (("H",), _adjoint),
        "H_p": (("H", "passive"), _passive_rows),
        "H_p*": (("H",), _adjoint),
        "H_a": (("H", "passive"), _active_rows),
        "H_a*": (("H",), _adjoint),
        "M": (("M",), _plain),
        "R": (("R",), _plain),
        "P": (("P",), _plain),
        "P_plus": (("P_plus",), _plain),
        "Upsilon": (("Upsilon",), _plain),
        "G": (("G",), _plain),
        "G*": (("G",), _adjoint),
        "D": (("D",), _pivot),
        "D^-1": (("D",), _solved),
        "D^1/2": (("D",), _root),
        "D^*/2": (("D",), _root_adjoint),
        "D^-1/2": (("D",), _root_solved),
        "D^-*/2": (("D",), _root_adjoint_solved),
        "M^1/2": (("link_frame", "M"), _link_root),
        "M^*/2": (("link_frame", "M"), _link_root_adjoint),
        "A_r": (("A_r",), _plain),
        "V_tilde": (("V",), _crossed),
        "V_tilde*": (("V",), _crossed_adjoint),
        "W_omega": (("V",), _turned),
        "W_omega*": (("V",), _turned_adjoint),
        "W_s": (("V", "Delta"), _turned_inside),
        "W_s*": (("V", "Delta"), _turned_inside_adjoint),
        "W_delta": (("Delta",), _turned),
        "W_delta*": (("Delta",), _turned_adjoint),
        "N_delta": (("Delta",), _slid),
        "N_delta*": (("Delta",), _slid_adjoint),
        "X_delta": (("Delta",), _moved),
        "X_delta*": (("Delta",), _moved_adjoint),
        "Y_delta": (("Delta_H",), _moved),
        "Y_delta*": (("Delta_H",), _moved_adjoint),
        "eta_delta": (("eta",), _plain),
        "eta_delta*": (("eta",), _adjoint),
        "lambda_dot": (("lambda_dot",), _plain),
        "Z": (("Z",), _plain),
        "Z*": (("Z",), _adjoint),
        "force in": (("link_frame",), _force_inward),
        "force out": (("link_frame",), _force_outward),
        "motion in": (("link_frame",), _motion_inward),
        "motion out": (("link_frame",), _motion_outward),
        "L_Y*": (("Y",), pose_wrench),
        "pose at its link": (("at_point$0",), carried_pose),
        "numbers": ((), _number_each),
        "numbers^-1": ((), _number_each_solved),
    }
)


# The same for so many operational points.
POINT_OPERATORS: Mapping[str, tuple[Callable[[int], tuple[str, ...]], Action]] = MappingProxyType(
    {
        "B": (lambda m: ("pose", *inputs_at("point", m), *inputs_at("at_point", m)), force_on_link),
        "B*": (lambda m: ("pose", *inputs_at("point", m)), motion_of_points),
        "at their links": (lambda m: inputs_at("at_point", m), carried_points),
    }
)


def inputs_at(kind: str, points: int) -> tuple[str, ...]:
    """The inputs of a kind that belong to so many points.

    >>> inputs_at("point", 2)
    ('point$0', 'point$1')
    """
    return tuple(f"{kind}${i}" for i in range(points))


def combined(terms: list[tuple[float, Any]]) -> Any:
    """Σ c x, for joint columns and spatial vectors alike."""
    total: Any = None
    for number, x in terms:
        if total is None:
            total = x if number == 1 else _scaled(number, x)
        elif number == 1:
            total = total + x
        elif number == -1:
            total = total - x
        else:
            total = total + _scaled(number, x)
    return total


def _scaled(number: float, x: Any) -> Any:
    return Spatial(number * x.angular, number * x.linear) if isinstance(x, Spatial) else number * x


def dot(x: Any, y: Any) -> Array:
    """x* y of one link's shares, (..., 1, 1)."""
    return x.dot(y) if isinstance(x, Spatial) else x.mT @ y
