"""What every joint kind answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Literal

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows


class JointKind(ABC):
    """A kind of joint, in its own axes: where there is one axis, it is z of the joint's frames.

    `q` is (..., nq), `v` and `dv` are (..., nv). Motions and forces are referred to the outboard frame.
    """

    name: str
    nq: int
    nv: int
    # Which frame the columns of H* are constant in; for one axis both are true and "parent" is cheaper.
    fixed_in: Literal["parent", "body"] = "parent"
    has_axis: bool = True
    # For each component of v: does it turn ("angular") or slide ("linear")?
    components: tuple[Literal["angular", "linear"], ...]
    # For each component of v: the entry of a spatial force (0 to 5) that its row of H picks; None if it mixes several.
    picks: tuple[int | None, ...]

    # What the entries of q and of v are called where there are several, and what the joint is drawn as.
    labels: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    drawn_as: Literal["turn", "slide", "ball"] = "ball"

    # True if a constant rotation about the axis leaves H unchanged, so that an angle offset can be folded into q.
    can_start: bool = False

    @abstractmethod
    def transform(self, q: Array, pitch: Array, start: Array = 0.0) -> Transform:
        """φ from the outboard to the inboard frame; `start` is added to the angle (only if `can_start`)."""

    @abstractmethod
    def H(self, q: Array, pitch: Array) -> Rows:
        """The joint map H (nv x 6): link force to joint force, along the outboard frame's axes."""

    def unfelt(self, M: Inertia) -> Inertia:
        """The part Δ of a link's inertia that only the inboard link feels: H Δ = 0, and the joint's motion leaves Δ.

        For a turn about z it is J_yy about x and y: J - Δ has no J_yy then.
        """
        j = M.J[1, 1]
        return replace(Inertia.zero(), J=np.diag([j, j, 0.0]))

    def neutral(self) -> Array:
        """The coordinates at which the frames coincide."""
        return np.zeros(self.nq)

    def rates(self, q: Array, v: Array) -> Array:
        """How the coordinates change with the joint rates v: dq/dt, (..., nq)."""
        return v

    def bracket(self, v: Array) -> Array | None:
        """ad v, (..., nv, nv): how directions turn while the joint moves with v. None where rates add like vectors."""
        return None

    def map_turning(self, v: Array) -> Array | None:
        """η, (..., nv, nv), with H* η = Y* H*: how the columns of H* turn, seen from the parent. None where η = 0.

        Y = -Δ̃* for maps fixed in the link, Δ = H* v, so that η = -ad v.
        """
        bracket = self.bracket(v)
        return None if bracket is None else -bracket

    def integrate(self, q: Array, dv: Array) -> Array:
        """The coordinates reached from q by moving with the constant velocity dv for one unit of time."""
        return q + dv

    def difference(self, q0: Array, q1: Array) -> Array:
        """The dv with integrate(q0, dv) = q1."""
        return q1 - q0

    # Steps in time that keep areas (`model.discrete`) turn by the exponential and slide along inboard axes: in these
    # the rates x = inboard(q, v) of a slide add up, however the joint turns.

    def inboard(self, q: Array, v: Array) -> Array:
        """Rates, or forces, with slides along the inboard frame's axes."""
        return v

    def outboard(self, q: Array, x: Array) -> Array:
        """The inverse of `inboard`."""
        return x

    def shifted(self, q: Array, d: Array) -> Array:
        """The coordinates reached from q with the inboard rates d in one unit of time."""
        return q + d

    def inboard_force(self, q: Array, v: Array, p: Array, f: Array) -> Array:
        """∂L/∂q with the inboard rates held instead of v; f is that with v held, p = ∂L/∂v."""
        return f

    def ends(self, d: Array, p: Array, f: Array, h: Array) -> tuple[Array, Array]:
        """The momenta before and after a step by d, of which p and f are ∂L/∂x and ∂L/∂q halfway; h is its length."""
        return p - h / 2 * f, p + h / 2 * f

    def random(self, rng: np.random.Generator, lower: Array, upper: Array, size: tuple[int, ...]) -> Array:
        """Coordinates drawn uniformly from their interval."""
        return rng.uniform(*self.interval(lower, upper), size=(*size, self.nq))

    def interval(self, lower: Array, upper: Array) -> tuple[Array, Array]:
        """What coordinates are drawn from: an unlimited turn from (-pi, pi), an unlimited slide from (-1, 1)."""
        span = np.array([np.pi if c == "angular" else 1.0 for c in self.components])
        low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * span, -span))
        high = np.where(np.isfinite(upper), upper, np.where(np.isfinite(lower), lower + 2 * span, span))
        return low, high

    def quaternion(self) -> slice | None:
        """Where in q the quaternion stands, if there is one."""
        return None

    @property
    def free_turn(self) -> bool:
        """Does the joint turn about any axis? Then q begins with a quaternion, and v is no derivative of q."""
        return self.quaternion() is not None

    def is_angle(self, n: int) -> bool:
        """Is the n-th coordinate an angle? One that belongs to a quaternion is none."""
        return not self.free_turn and self.components[n] == "angular"
