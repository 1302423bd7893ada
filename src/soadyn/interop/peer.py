"""The conversions that all peers share: orders of joints, coordinates joint by joint, and rates by one orthogonal map.

v_peer = S v        a_peer = S a + dS/dt v        T_peer = S T        M_peer = S M S*        J_peer = J S*
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.interop.matching import PeerJoint, matches, named_pairs
from soadyn.mechanics.spatial.arithmetic import cross
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments

Rows = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Peer(ABC):
    """A robot here and its model in another library, and what is written where.

    Made by `Pinocchio`, `MuJoCo` and `Drake`. Joints are matched by name; `names` gives the peer's name of a joint that
    is called otherwise there, and a free root is found by itself. Both models must place their joint frames alike.

    q and v are always ours; arguments and results in the peer's convention are called so. Leading batch axes broadcast.

    >>> import soadyn as sd
    >>> from soadyn.interop import Drake
    >>> flyer = sd.load("free_flyer")
    >>> drake = Drake(flyer)
    >>> q = flyer.random_configuration()
    >>> v_drake = drake.v_to(q, [1.0] * flyer.nv)          # the base's rates along world axes
    >>> v_drake.shape == drake.v_from(q, v_drake).shape == (flyer.nv,)
    True
    """

    @abstractmethod
    def __init__(
        self,
        robot: Robot,
        title: str,
        joints: Sequence[PeerJoint],
        names: Mapping[str, str] | None,
        linear_first: bool,
    ) -> None:
        if names is not None and not isinstance(names, Mapping):
            raise ArgumentError(f"names maps our joints' names to those in {title}, got {names!r:.80}")
        pairs = named_pairs(robot, title, joints, names or {})
        self.robot = robot
        self.title = title
        self.joint_names = {ours.name: theirs.name for ours, theirs in pairs}  # the peer's name of each of our joints
        self._matches = matches(title, pairs)
        self.nq = sum(match.pairing.nq for match in self._matches)
        self.nv = sum(match.pairing.nv for match in self._matches)
        self._order = np.zeros(self.nv, dtype=int)
        for match in self._matches:
            self._order[match.v_peer] = match.v.start + np.array(match.pairing.order, dtype=int)
        self._back = np.argsort(self._order)
        self._turned = [(match, match.v_peer.start + i) for match in self._matches for i in match.pairing.turned]
        self._rows = [3, 4, 5, 0, 1, 2] if linear_first else [0, 1, 2, 3, 4, 5]

    def __repr__(self) -> str:
        return f"<{self.title} conventions of {self.robot!r}: nq={self.nq}, nv={self.nv}>"

    # States

    def q_to(self, q: ArrayLike) -> np.ndarray:
        """The peer's coordinates."""
        ours = self._coordinates(q)
        parts = [(match.q_peer, match.pairing.q_to(ours[..., match.q])) for match in self._matches]
        return _filled(self.nq, parts, like=ours)

    def q_from(self, q_peer: ArrayLike) -> np.ndarray:
        """Our coordinates; angles that the peer writes as (cos, sin) come out in (-pi, pi]."""
        meaning = f"the {self.nq} coordinates of the robot in {self.title}"
        theirs = arguments.numbers("q_peer", q_peer, self.nq, meaning=meaning)
        parts = [(match.q, match.pairing.q_from(theirs[..., match.q_peer])) for match in self._matches]
        return _filled(self.robot.nq, parts, like=theirs)

    def v_to(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The peer's joint rates."""
        return self._vector(q, "v", v, self._to)

    def v_from(self, q: ArrayLike, v_peer: ArrayLike) -> np.ndarray:
        """Our joint rates."""
        return self._vector(q, "v_peer", v_peer, self._from)

    def a_to(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
        """The peer's joint accelerations, the time derivative of its rates."""
        a_peer: np.ndarray = self._drift(q, v, "a", a) + self._vector(q, "a", a, self._to)
        return a_peer

    def a_from(self, q: ArrayLike, v: ArrayLike, a_peer: ArrayLike) -> np.ndarray:
        """Our joint accelerations; v is ours."""
        drift = self._drift(q, v, "a_peer", a_peer)
        return self._vector(q, "a_peer", self._rates("a_peer", a_peer) - drift, self._from)

    # Forces, matrices, Jacobians

    def force_to(self, q: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """The peer's joint forces: they have the same power.

        Bias forces belong to a = 0 on their own side: the peer's is that of our acceleration a_from(q, v, 0).
        """
        return self._vector(q, "tau", tau, self._to)

    def force_from(self, q: ArrayLike, tau_peer: ArrayLike) -> np.ndarray:
        """Our joint forces."""
        return self._vector(q, "tau_peer", tau_peer, self._from)

    def matrix_to(self, q: ArrayLike, M: ArrayLike) -> np.ndarray:
        """The peer's mass matrix, or its inverse, from ours."""
        return self._both_sides(q, "M", M, self._to)

    def matrix_from(self, q: ArrayLike, M_peer: ArrayLike) -> np.ndarray:
        """Our mass matrix, or its inverse, from the peer's."""
        return self._both_sides(q, "M_peer", M_peer, self._from)

    def jacobian_to(self, q: ArrayLike, J: ArrayLike) -> np.ndarray:
        """The peer's Jacobian; (..., 6, nv) in the peer's order of rows, or (..., 3, nv).

        The frame stays the same: its origin, and the axes that J has.
        """
        return self._jacobian(q, "J", J, self._to)

    def jacobian_from(self, q: ArrayLike, J_peer: ArrayLike) -> np.ndarray:
        """Our Jacobian [angular; linear], or (..., 3, nv)."""
        return self._jacobian(q, "J_peer", J_peer, self._from)

    def wrench_to(self, wrench: ArrayLike) -> np.ndarray:
        """A wrench in the peer's order of rows, at the same point along the same axes; velocities likewise.

        >>> import soadyn as sd
        >>> from soadyn.interop import Drake
        >>> Drake(sd.load("ur5")).wrench_to([1, 2, 3, 4, 5, 6])
        array([1., 2., 3., 4., 5., 6.])
        """
        return arguments.numbers("wrench", wrench, 6, meaning="a wrench [moment; force]")[..., self._rows]

    def wrench_from(self, wrench_peer: ArrayLike) -> np.ndarray:
        """A wrench [moment; force] from one in the peer's order; velocities likewise."""
        order = "[moment; force]" if self._rows[0] == 0 else "[force; moment]"
        return arguments.numbers("wrench_peer", wrench_peer, 6, meaning=f"a wrench {order}")[..., self._rows]

    # The map S

    def _to(self, q: np.ndarray, X: np.ndarray) -> np.ndarray:
        """X S*, rows (..., m, nv) in our rates to rows in the peer's."""
        Y = _room(q, X)
        Y[...] = X[..., self._order]
        for match, start in self._turned:
            R = match.pairing.axes.rotation(q[..., match.q])
            Y[..., start : start + 3] = Y[..., start : start + 3] @ R.mT
        return Y

    def _from(self, q: np.ndarray, X: np.ndarray) -> np.ndarray:
        """X S, rows in the peer's rates to rows in ours."""
        Y = _room(q, X)
        Y[...] = X
        for match, start in self._turned:
            R = match.pairing.axes.rotation(q[..., match.q])
            Y[..., start : start + 3] = Y[..., start : start + 3] @ R
        return Y[..., self._back]

    def _drift(self, q: ArrayLike, v: ArrayLike, name: str, a: ArrayLike) -> np.ndarray:
        """dS/dt v."""
        arrays = {"q": self._coordinates(q), "v": self._rates("v", v), name: self._rates(name, a)}
        batch = arguments.batch_shape(arrays, dict.fromkeys(arrays, 1))
        at, rates = arrays["q"], arrays["v"]
        drift = np.zeros((*batch, self.nv), dtype=np.result_type(at, rates))
        for match, start in self._turned:
            axes, x = match.pairing.axes, rates[..., self._order[start : start + 3], None]
            change = axes.rotation(at[..., match.q]) @ cross(axes.spin(rates[..., match.v])[..., None], x)
            drift[..., start : start + 3] = change[..., 0]
        return drift

    # Arguments and results

    def _vector(self, q: ArrayLike, name: str, x: ArrayLike, convert: Rows) -> np.ndarray:
        return convert(*self._together(q, name, self._rates(name, x)[..., None, :]))[..., 0, :]

    def _both_sides(self, q: ArrayLike, name: str, M: ArrayLike, convert: Rows) -> np.ndarray:
        matrix = arguments.numbers(name, M, self.nv, self.nv, meaning="a matrix over the joint rates")
        ours, matrix = self._together(q, name, matrix)
        return convert(ours, convert(ours, matrix).mT).mT

    def _jacobian(self, q: ArrayLike, name: str, J: ArrayLike, convert: Rows) -> np.ndarray:
        matrix = arguments.numbers(name, J, self.nv, meaning="a Jacobian with a column for each joint rate")
        if matrix.ndim < 2 or matrix.shape[-2] not in (3, 6):
            raise ShapeError(
                f"argument {name!r} has shape {matrix.shape}; expected a Jacobian (..., 6 or 3, {self.nv})"
            )
        converted = convert(*self._together(q, name, matrix))
        return converted[..., self._rows, :] if matrix.shape[-2] == 6 else converted

    def _coordinates(self, q: ArrayLike) -> np.ndarray:
        meaning = f"the {self.robot.nq} coordinates of robot {self.robot.name!r}"
        return arguments.numbers("q", q, self.robot.nq, meaning=meaning)

    def _rates(self, name: str, x: ArrayLike) -> np.ndarray:
        return arguments.numbers(name, x, self.nv, meaning=f"one number for each of the {self.nv} joint rates")

    def _together(self, q: ArrayLike, name: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ours = self._coordinates(q)
        arguments.batch_shape({"q": ours, name: rows}, {"q": 1, name: 2})
        return ours, rows


def _room(q: np.ndarray, X: np.ndarray) -> np.ndarray:
    """An array for what becomes of the rows X (..., m, nv) at the states q."""
    batch = np.broadcast_shapes(q.shape[:-1], X.shape[:-2])
    return np.empty(batch + X.shape[-2:], dtype=np.result_type(q, X))


def _filled(size: int, parts: Sequence[tuple[slice, np.ndarray]], like: np.ndarray) -> np.ndarray:
    """The vectors (..., size) with the given parts."""
    whole = np.empty((*like.shape[:-1], size), dtype=like.dtype)
    for place, part in parts:
        whole[..., place] = part
    return whole
