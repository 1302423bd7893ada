"""The joint kinds. Adding one is adding a class here and its row in `KINDS`."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import final

import numpy as np

from soadyn.errors import check_name
from soadyn.mechanics.joint.kind import JointKind
from soadyn.mechanics.spatial import rotation
from soadyn.mechanics.spatial.arithmetic import Array, cos, cross, matrix, sin
from soadyn.mechanics.spatial.exponential import rigid_bracket, turning_bracket, turning_ends
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows

X, Y, Z = np.eye(3)[:, None, :]
NONE = np.zeros((1, 3))
ORIGIN = np.zeros((3, 1))
QUATERNION = ("w", "x", "y", "z")


def _turn(angle: Array, start: Array = 0.0, slide: Array = 0.0) -> Screw:
    """A turn about z by angle + start, with a slide along it."""
    if isinstance(start, float) and (quarters := 2 * start / np.pi).is_integer():
        c, s = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][int(quarters) % 4]
        cosine, sine = cos(angle), sin(angle)
        return Screw(2, c * cosine - s * sine, c * sine + s * cosine, slide)
    return Screw(2, cos(angle + start), sin(angle + start), slide)


def _side_by_side(x: Array, y: Array) -> Array:
    batch = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
    return np.concatenate([np.broadcast_to(part, batch + part.shape[-1:]) for part in (x, y)], axis=-1)


@final
class Revolute(JointKind):
    """Turns about its axis; q is the angle, never wrapped.    H = [z, 0]"""

    nq = nv = 1
    components = ("angular",)
    picks = (2,)
    drawn_as = "turn"
    can_start = True

    def __init__(self, name: str) -> None:
        self.name = name

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform.of(_turn(q[..., 0], start))

    def H(self, q: Array, pitch: Array) -> Rows:
        return Rows(Z, NONE)

    def unfelt(self, M: Inertia) -> Inertia:
        """Mass on the axis as well."""
        return replace(super().unfelt(M), mp=M.mp * Z.T, m=M.m)


@final
class Prismatic(JointKind):
    """Slides along its axis.    H = [0, z]"""

    name = "prismatic"
    nq = nv = 1
    components = ("linear",)
    picks = (5,)
    drawn_as = "slide"

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform.of(Screw.slide(2, q[..., 0]))

    def H(self, q: Array, pitch: Array) -> Rows:
        return Rows(NONE, Z)

    def unfelt(self, M: Inertia) -> Inertia:
        """All moments of inertia: nothing turns."""
        return replace(Inertia.zero(), J=M.J)


@final
class Helical(JointKind):
    """A screw: turns about its axis and slides along it by `pitch` metres per radian.    H = [z, pitch z]"""

    name = "helical"
    nq = nv = 1
    components = ("angular",)
    picks = (None,)
    drawn_as = "turn"
    can_start = True

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform.of(_turn(q[..., 0], start, pitch * q[..., 0]))

    def H(self, q: Array, pitch: Array) -> Rows:
        return Rows(Z, pitch * Z)


@final
class Cylindrical(JointKind):
    """Turns about its axis and slides along it, independently; q = (angle, slide).    H = [z, 0; 0, z]"""

    name = "cylindrical"
    nq = nv = 2
    components = ("angular", "linear")
    picks = (2, 5)
    labels = (("angle", "slide"),) * 2
    drawn_as = "turn"
    can_start = True

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform.of(_turn(q[..., 0], start, q[..., 1]))

    def H(self, q: Array, pitch: Array) -> Rows:
        return Rows(np.concatenate([Z, NONE]), np.concatenate([NONE, Z]))


@final
class Planar(JointKind):
    """Slides in the plane normal to its axis and turns about it; q = (x, y, angle), x and y along inboard axes.

    H* = [0; x], [0; y], [z; 0]   with x and y along the inboard frame's axes
    """

    name = "planar"
    nq = nv = 3
    components = ("linear", "linear", "angular")
    picks = (None, None, 2)
    labels = (("x", "y", "angle"),) * 2

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform.of(_turn(q[..., 2]), Screw.slide(0, q[..., 0]), Screw.slide(1, q[..., 1]))

    def H(self, q: Array, pitch: Array) -> Rows:
        R = rotation.about_z(q[..., 2])
        slides = R[..., :2, :]  # rows of R: the inboard x and y along outboard axes
        none = np.zeros_like(slides[..., :1, :])
        return Rows(np.concatenate([none, none, none + Z], axis=-2), np.concatenate([slides, none], axis=-2))

    def map_turning(self, v: Array) -> Array:
        """Y = [0, g̃; 0, 0] for maps fixed in the parent, g the velocity of the slides: only the turn's column moves."""
        return matrix([[0, 0, -v[..., 1]], [0, 0, v[..., 0]], [0, 0, 0]])


@final
class Spherical(JointKind):
    """A ball joint; q is a quaternion (w, x, y, z), v the angular velocity along outboard axes.    H = [I, 0]"""

    name = "spherical"
    nq, nv = 4, 3
    fixed_in = "body"
    has_axis = False
    components = ("angular",) * 3
    picks = (0, 1, 2)
    labels = QUATERNION, ("wx", "wy", "wz")

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform(rotation.from_quaternion(q), ORIGIN)

    def H(self, q: Array, pitch: Array) -> Rows:
        return Rows(np.eye(3), np.zeros((3, 3)))

    def unfelt(self, M: Inertia) -> Inertia:
        """Mass at the centre."""
        return replace(Inertia.zero(), m=M.m)

    def neutral(self) -> Array:
        return np.array([1.0, 0.0, 0.0, 0.0])

    def rates(self, q: Array, v: Array) -> Array:
        return rotation.quaternion_rate(q, v)

    def bracket(self, v: Array) -> Array:
        return turning_bracket(v)

    def integrate(self, q: Array, dv: Array) -> Array:
        return rotation.unit(rotation.product(rotation.unit(q), rotation.exponential(dv)))

    def difference(self, q0: Array, q1: Array) -> Array:
        return rotation.logarithm(rotation.product(rotation.conjugate(rotation.unit(q0)), rotation.unit(q1)))

    def shifted(self, q: Array, d: Array) -> Array:
        return self.integrate(q, d)

    def ends(self, d: Array, p: Array, f: Array, h: Array) -> tuple[Array, Array]:
        return turning_ends(d, p, f, h)

    def random(self, rng: np.random.Generator, lower: Array, upper: Array, size: tuple[int, ...]) -> Array:
        return rotation.unit(rng.standard_normal((*size, 4)))

    def quaternion(self) -> slice:
        return slice(0, 4)


@final
class Free(JointKind):
    """No constraint; q = (w, x, y, z, px, py, pz), v = [angular; linear] along outboard axes.    H = I"""

    name = "free"
    nq, nv = 7, 6
    fixed_in = "body"
    has_axis = False
    components = ("angular",) * 3 + ("linear",) * 3
    picks = (0, 1, 2, 3, 4, 5)
    labels = (*QUATERNION, "px", "py", "pz"), ("wx", "wy", "wz", "vx", "vy", "vz")

    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        return Transform(rotation.from_quaternion(q), q[..., 4:7, None])

    def H(self, q: Array, pitch: Array) -> Rows:
        H = np.eye(6)
        return Rows(H[:, :3], H[:, 3:])

    def unfelt(self, M: Inertia) -> Inertia:
        return Inertia.zero()

    def neutral(self) -> Array:
        return np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def rates(self, q: Array, v: Array) -> Array:
        quaternion = q[..., :4]
        slide = rotation.from_quaternion(quaternion) @ v[..., 3:, None]
        return np.concatenate([rotation.quaternion_rate(quaternion, v[..., :3]), slide[..., 0]], axis=-1)

    def bracket(self, v: Array) -> Array:
        return rigid_bracket(v)

    def integrate(self, q: Array, dv: Array) -> Array:
        turn, slide = dv[..., :3], dv[..., 3:]
        quaternion = rotation.unit(q[..., :4])
        step = rotation.from_quaternion(quaternion) @ rotation.left_jacobian_times(turn, slide)[..., None]
        turned = rotation.unit(rotation.product(quaternion, rotation.exponential(turn)))
        position = q[..., 4:] + step[..., 0]
        batch = np.broadcast_shapes(turned.shape[:-1], position.shape[:-1])
        return np.concatenate([np.broadcast_to(turned, (*batch, 4)), np.broadcast_to(position, (*batch, 3))], axis=-1)

    def difference(self, q0: Array, q1: Array) -> Array:
        start = rotation.unit(q0[..., :4])
        turn = rotation.logarithm(rotation.product(rotation.conjugate(start), rotation.unit(q1[..., :4])))
        step = rotation.from_quaternion(start).mT @ (q1[..., 4:] - q0[..., 4:])[..., None]
        return np.concatenate([turn, rotation.left_jacobian_solve(turn, step[..., 0])], axis=-1)

    def inboard(self, q: Array, v: Array) -> Array:
        return _side_by_side(v[..., :3], (rotation.from_quaternion(q[..., :4]) @ v[..., 3:, None])[..., 0])

    def outboard(self, q: Array, x: Array) -> Array:
        return _side_by_side(x[..., :3], (rotation.from_quaternion(q[..., :4]).mT @ x[..., 3:, None])[..., 0])

    def shifted(self, q: Array, d: Array) -> Array:
        turned = rotation.unit(rotation.product(rotation.unit(q[..., :4]), rotation.exponential(d[..., :3])))
        return _side_by_side(turned, q[..., 4:] + d[..., 3:])

    def inboard_force(self, q: Array, v: Array, p: Array, f: Array) -> Array:
        """Of a turn δ the outboard slide v = R* x changes by v × δ, and p·(v × δ) = -(v × p)·δ."""
        turn = cross(v[..., 3:, None], p[..., 3:, None])[..., 0]
        return _side_by_side(f[..., :3] - turn, f[..., 3:])

    def ends(self, d: Array, p: Array, f: Array, h: Array) -> tuple[Array, Array]:
        turns = turning_ends(d[..., :3], p[..., :3], f[..., :3], h)
        slides = super().ends(d[..., 3:], p[..., 3:], f[..., 3:], h)
        return _side_by_side(turns[0], slides[0]), _side_by_side(turns[1], slides[1])

    def random(self, rng: np.random.Generator, lower: Array, upper: Array, size: tuple[int, ...]) -> Array:
        quaternion = rotation.unit(rng.standard_normal((*size, 4)))
        return np.concatenate([quaternion, rng.uniform(-1, 1, (*size, 3))], axis=-1)

    def quaternion(self) -> slice:
        return slice(0, 4)


KINDS = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Revolute("revolute"),
            Revolute("continuous"),
            Prismatic(),
            Helical(),
            Cylindrical(),
            Planar(),
            Spherical(),
            Free(),
        )
    }
)


def named_joint_kind(name: str) -> JointKind:
    """The joint kind of that name."""
    check_name("joint kind", name, KINDS)
    return KINDS[name]
