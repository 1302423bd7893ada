"""Level 6 - closures: what holds two frames of different links together, row by row.

A row restricts the motion of frame y seen from frame x, V_δ = V(y) - φ*(x,y) V(x) at the point y. Its wrench w acts at
that point on the link of y, and its opposite on the link of x: w* V_δ is the rate of its error Φ, on the closure and
off it. All is along the world's axes.

    Φ̇ = w* V_δ,    d/dt (w* V_δ) = w* [φ*(j,y) α(j) - φ*(i,y) α(i)] + a_Q
    a_Q = ẇ* V_δ + w_v* {ω̃(j) ω̃(j) l(j,y) - ω̃(i) [v(y) - v(i)]}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.joint.closure_kinds import FREE, SLIDES, TURNS
from soadyn.mechanics.spatial.arithmetic import Array, arctan, cos, cross, sin, sqrt
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial

Z = 2


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Where the frames x and y of a closure are."""

    x: Transform
    y: Transform

    def n(self, axis: int) -> Array:
        """An axis of x."""
        return self.x.R[..., :, axis : axis + 1]

    def m(self, axis: int) -> Array:
        """An axis of y."""
        return self.y.R[..., :, axis : axis + 1]

    @property
    def p(self) -> Array:
        """From x to y."""
        return self.y.l - self.x.l


@final
@dataclass(frozen=True, slots=True, eq=False)
class Motions:
    """How the frames x and y of a closure move: the angular velocities of their links, and V_δ at y."""

    omega_x: Array
    omega_y: Array
    V: Spatial

    def p_dot(self, at: Sides) -> Array:
        """ṗ: how y moves from x."""
        return self.V.linear + cross(self.omega_x, at.p)


class ClosureRow(ABC):
    """One row of a closure."""

    @abstractmethod
    def error(self, at: Sides) -> Array:
        """Φ, (..., 1, 1)."""

    @abstractmethod
    def wrench(self, at: Sides) -> Spatial:
        """w at the point y."""

    @abstractmethod
    def wrench_rate(self, at: Sides, moving: Motions) -> Spatial:
        """ẇ."""


@final
@dataclass(frozen=True, slots=True)
class SlideRow(ClosureRow):
    """y stays at `c` along an axis n of x.

    Φ = n* p - c,    w = [0; n],    ẇ = [0; ω̃(x) n]
    """

    axis: int
    c: float = 0.0

    def error(self, at: Sides) -> Array:
        return _dot(at.n(self.axis), at.p) - self.c

    def wrench(self, at: Sides) -> Spatial:
        return Spatial(_NOTHING, at.n(self.axis))

    def wrench_rate(self, at: Sides, moving: Motions) -> Spatial:
        return Spatial(_NOTHING, cross(moving.omega_x, at.n(self.axis)))


@final
@dataclass(frozen=True, slots=True)
class DotRow(ClosureRow):
    """An axis n of x stays across an axis m of y.

    Φ = n* m,    w = [m̃ n; 0],    ẇ = [(ω̃(y) m) × n + m × (ω̃(x) n); 0]
    """

    of_x: int
    of_y: int

    def error(self, at: Sides) -> Array:
        return _dot(at.n(self.of_x), at.m(self.of_y))

    def wrench(self, at: Sides) -> Spatial:
        return Spatial(cross(at.m(self.of_y), at.n(self.of_x)), _NOTHING)

    def wrench_rate(self, at: Sides, moving: Motions) -> Spatial:
        n, m = at.n(self.of_x), at.m(self.of_y)
        return Spatial(cross(cross(moving.omega_y, m), n) + cross(m, cross(moving.omega_x, n)), _NOTHING)


@final
@dataclass(frozen=True, slots=True)
class DistanceRow(ClosureRow):
    """y stays at a distance from x.

    Φ = |p| - c,    w = [0; u],    u = p / |p|,    ẇ = [0; (ṗ - u u* ṗ) / |p|]
    """

    length: float

    def error(self, at: Sides) -> Array:
        return sqrt(_dot(at.p, at.p)) - self.length

    def wrench(self, at: Sides) -> Spatial:
        return Spatial(_NOTHING, at.p / sqrt(_dot(at.p, at.p)))

    def wrench_rate(self, at: Sides, moving: Motions) -> Spatial:
        length, p_dot = sqrt(_dot(at.p, at.p)), moving.p_dot(at)
        u = at.p / length
        return Spatial(_NOTHING, (p_dot - u * _dot(u, p_dot)) / length)


@final
@dataclass(frozen=True, slots=True)
class ScrewRow(ClosureRow):
    """y slides along z of x as it turns about it, from any turn of the thread.

    γ = z* p / h - angle,    Φ = h γ less whole turns of γ
    angle: from x₁ to y₁ about z,    c = x₁* y₁,    s = x₂* y₁,    w = [-h (c ỹ₁ x₂ - s ỹ₁ x₁) / (c² + s²); z]
    """

    pitch: float

    def error(self, at: Sides) -> Array:
        slid = _dot(at.n(Z), at.p) / self.pitch
        c, s = _dot(at.n(0), at.m(0)), _dot(at.n(1), at.m(0))
        # sine and cosine of the difference of both angles, times the length of (c, s)
        across, along = sin(slid) * c - cos(slid) * s, cos(slid) * c + sin(slid) * s
        return 2 * self.pitch * arctan(across / (sqrt(c * c + s * s) + along))

    def wrench(self, at: Sides) -> Spatial:
        c, s, u_c, u_s = self._turned(at)
        turn = (c * u_s - s * u_c) / (c * c + s * s)
        return Spatial(-self.pitch * turn, at.n(Z))

    def wrench_rate(self, at: Sides, moving: Motions) -> Spatial:
        c, s, u_c, u_s = self._turned(at)
        omega = moving.V.angular
        c_dot, s_dot = _dot(u_c, omega), _dot(u_s, omega)
        u_c_dot, u_s_dot = (DotRow(axis, 0).wrench_rate(at, moving).angular for axis in (0, 1))
        square, top = c * c + s * s, c * u_s - s * u_c
        top_dot = c_dot * u_s + c * u_s_dot - s_dot * u_c - s * u_c_dot
        turn_dot = (top_dot - top * (2 * (c * c_dot + s * s_dot) / square)) / square
        return Spatial(-self.pitch * turn_dot, cross(moving.omega_x, at.n(Z)))

    def _turned(self, at: Sides) -> tuple[Array, Array, Array, Array]:
        """c, s, and what turns them."""
        x_1, x_2, y_1 = at.n(0), at.n(1), at.m(0)
        return _dot(x_1, y_1), _dot(x_2, y_1), cross(y_1, x_1), cross(y_1, x_2)


@final
@dataclass(frozen=True, slots=True)
class RollRow(ClosureRow):
    """The lowest point of a sphere about y does not slip along an axis t of x, whose z is the plane's normal.

    w = [-r z̃ t; t],    ẇ = [-r ω̃(x) (z̃ t); ω̃(x) t];    of its position nothing is asked: Φ = 0
    """

    axis: int
    radius: float

    def error(self, at: Sides) -> Array:
        return np.zeros((1, 1))

    def wrench(self, at: Sides) -> Spatial:
        t = at.n(self.axis)
        return Spatial(-self.radius * cross(at.n(Z), t), t)

    def wrench_rate(self, at: Sides, moving: Motions) -> Spatial:
        w = self.wrench(at)
        return Spatial(cross(moving.omega_x, w.angular), cross(moving.omega_x, w.linear))


_NOTHING = np.zeros((3, 1))


def _dot(x: Array, y: Array) -> Array:
    """x* y, (..., 1, 1)."""
    return x.mT @ y


def rows_of_kind(kind: str, free: tuple[str, ...], figure: float) -> tuple[ClosureRow, ...]:
    """The rows of a closure of that kind; `figure` is its length, pitch or radius if the kind has one."""
    match kind:
        case "distance":
            return (DistanceRow(figure),)
        case "helical":
            return (*_pair_rows(FREE["cylindrical"]), ScrewRow(figure))
        case "rolling":
            return SlideRow(Z, figure), RollRow(0, figure), RollRow(1, figure)
    return _pair_rows(free)


def _pair_rows(free: tuple[str, ...]) -> tuple[ClosureRow, ...]:
    """A slide for each direction that is not free, and as many dots as there are turns that are not.

    About one free axis: the other two of x stay across that of y. With two free axes: the first of x stays across the
    second of y.
    """
    slides = [SlideRow(axis) for axis, name in enumerate(SLIDES) if name not in free]
    turning = [axis for axis, name in enumerate(TURNS) if name in free]
    match turning:
        case []:
            dots = [DotRow(1, 2), DotRow(2, 0), DotRow(0, 1)]
        case [axis]:
            dots = [DotRow(other, axis) for other in range(3) if other != axis]
        case [first, second]:
            dots = [DotRow(first, second)]
        case _:
            dots = []
    return (*slides, *dots)


def closure_error(rows: tuple[ClosureRow, ...], at: Sides) -> Array:
    """Φ of every row, (..., rows, 1)."""
    return _column([row.error(at) for row in rows])


def closure_wrenches(rows: tuple[ClosureRow, ...], at: Sides) -> Spatial:
    """w of every row, side by side."""
    return Spatial.beside([row.wrench(at) for row in rows])


def closure_motions(pose_i: Transform, V_i: Spatial, pose_j: Transform, V_j: Spatial, at: Sides) -> Motions:
    """V_δ at y: the motion of the link of y there, less that of the link of x; poses and velocities are the links'."""
    omega_i, omega_j = pose_i.R @ V_i.angular, pose_j.R @ V_j.angular
    v_i = pose_i.R @ V_i.linear + cross(omega_i, at.y.l - pose_i.l)
    v_j = pose_j.R @ V_j.linear + cross(omega_j, at.y.l - pose_j.l)
    return Motions(omega_i, omega_j, Spatial(omega_j - omega_i, v_j - v_i))


def closure_bias(
    rows: tuple[ClosureRow, ...], pose_i: Transform, V_i: Spatial, pose_j: Transform, V_j: Spatial, at: Sides
) -> Array:
    """a_Q of every row, (..., rows, 1): what the closure's rate does while no link accelerates.

    a_Q = ẇ* V_δ + w_v* {ω̃(j) ω̃(j) l(j,y) - ω̃(i) [v(y) - v(i)]}
    """
    moving = closure_motions(pose_i, V_i, pose_j, V_j, at)
    swung = cross(moving.omega_y, at.y.l - pose_j.l)
    past = pose_j.R @ V_j.linear + swung - pose_i.R @ V_i.linear
    swing = cross(moving.omega_y, swung) - cross(moving.omega_x, past)
    return _column([row.wrench_rate(at, moving).dot(moving.V) + _dot(row.wrench(at).linear, swing) for row in rows])


def alignment(rows: tuple[ClosureRow, ...], at: Sides) -> Array:
    """Positive if the frames stand as they should: dots vanish as well where axes point the other way."""
    dots = [row for row in rows if isinstance(row, DotRow)]
    if len(dots) == 3:
        return sum(_dot(at.n(axis), at.m(axis)) for axis in range(3))
    if len(dots) == 2:
        return _dot(at.n(dots[0].of_y), at.m(dots[0].of_y))
    return np.ones((1, 1))


def _column(entries: list[Array]) -> Array:
    batch = np.broadcast_shapes(*(entry.shape[:-2] for entry in entries))
    return np.concatenate([np.broadcast_to(entry, (*batch, 1, 1)) for entry in entries], axis=-2)
