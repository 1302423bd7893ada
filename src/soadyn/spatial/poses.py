"""Poses as people hand them over: matrices (..., 4, 4) of one frame in another, columns its axes and its origin."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.mechanics.spatial import rigid
from soadyn.spatial import checked

DType = np.dtype[Any]


def pose(rotation_matrix: ArrayLike, position: ArrayLike) -> np.ndarray:
    """The pose (..., 4, 4) with a rotation matrix (..., 3, 3) and a position (..., 3).

    >>> pose(np.eye(3), [1.0, 2.0, 3.0]).tolist()
    [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0], [0.0, 0.0, 0.0, 1.0]]
    """
    R, kind0 = checked.rotations("pose", "rotation_matrix", rotation_matrix)
    p, kind1 = checked.real("pose", "position", position, 3, meaning="a position")
    checked.fit(rotation_matrix=(R, 2), position=(p, 1))
    return rigid.pose_of(R, p).astype(np.result_type(kind0, kind1))


def pose_from_twist(twist: ArrayLike) -> np.ndarray:
    """Where a frame is that moves with a constant twist along its own axes for one unit of time (Pinocchio's exp6).

    `twist` is [angular; linear] (..., 6), the pose (..., 4, 4): a screw about and along one axis.

    >>> quarter = pose_from_twist([0.0, 0.0, np.pi / 2, np.pi / 2, 0.0, 0.0])  # on a circle with radius 1
    >>> quarter[:3, 3].round(12).tolist()
    [1.0, 1.0, 0.0]
    """
    xi, kind = checked.real("pose_from_twist", "twist", twist, 6, meaning="a twist [angular; linear]")
    return rigid.exponential(xi).astype(kind)


def twist(pose: ArrayLike) -> np.ndarray:
    """The twist [angular; linear] (..., 6) that leads to a pose (..., 4, 4) (Pinocchio's log6).

    It is told along the frame's own axes, takes one unit of time and turns by pi at most.

    >>> twist(pose(np.diag([1.0, -1.0, -1.0]), [0.5, 0.0, 0.0])).tolist()
    [3.141592653589793, 0.0, 0.0, 0.5, 0.0, 0.0]
    """
    T, kind = checked.poses("twist", "pose", pose)
    return rigid.logarithm(T).astype(kind)


def inverse(pose: ArrayLike) -> np.ndarray:
    """The inverse (..., 4, 4) of a pose: of B in A, the pose of A in B.

    >>> inverse(pose([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 0.0, 0.0]))[:3, 3].tolist()
    [0.0, 1.0, 0.0]
    """
    T, kind = checked.poses("inverse", "pose", pose)
    return rigid.inverse(T).astype(kind)


def compose(first: ArrayLike, *more: ArrayLike) -> np.ndarray:
    """The pose (..., 4, 4) of the last frame in the first: of B in A, of C in B, and so on.

    >>> lift = pose(np.eye(3), [0.0, 0.0, 0.3])
    >>> float(compose(lift, lift, lift)[2, 3].round(12))
    0.9
    """
    given = [checked.poses("compose", f"pose {i}", one) for i, one in enumerate((first, *more), start=1)]
    checked.fit(**{f"pose {i}": (T, 2) for i, (T, _) in enumerate(given, start=1)})
    whole = given[0][0]
    for T, _ in given[1:]:
        whole = whole @ T
    return whole.astype(np.result_type(*(kind for _, kind in given)))


def motion_adjoint(pose: ArrayLike) -> np.ndarray:
    """The matrix (..., 6, 6) that takes twists [angular; linear] of frame B at B to frame A at A, for B's pose in A.

    [R, 0; p̃ R, R]: both are the same motion, told along the axes of B or of A and at the origin of B or of A. In
    Pinocchio it is `action`, with the halves exchanged.

    >>> lift = pose(np.eye(3), [0.0, 0.0, 2.0])
    >>> (motion_adjoint(lift) @ [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).tolist()
    [1.0, 0.0, 0.0, 0.0, 2.0, 0.0]
    """
    # That of forces with its blocks exchanged.
    return np.roll(_force_adjoint("motion_adjoint", pose), 3, axis=(-1, -2))


def force_adjoint(pose: ArrayLike) -> np.ndarray:
    """The matrix (..., 6, 6) that takes wrenches [moment; force] of frame B at B to frame A at A, for B's pose in A.

    [R, p̃ R; 0, R], the operator φ of the papers; the inverse and transpose of `motion_adjoint`.

    >>> lift = pose(np.eye(3), [0.0, 0.0, 2.0])
    >>> (force_adjoint(lift) @ [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]).tolist()
    [0.0, 2.0, 0.0, 1.0, 0.0, 0.0]
    """
    return _force_adjoint("force_adjoint", pose)


def _force_adjoint(of: str, pose: ArrayLike) -> np.ndarray:
    T, kind = checked.poses(of, "pose", pose)
    return np.asarray(rigid.transform(T).dense() + 0.0).astype(kind)


def pose_error(pose: ArrayLike, target: ArrayLike) -> np.ndarray:
    """[turn; displacement] (..., 6) in world axes from a pose (..., 4, 4) to a target: what feedbacks make small.

    The turn is a rotation vector, rad, the displacement that of the origin. For the screw between them, see `twist`.

    >>> pose_error(np.eye(4), np.eye(4)).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    T0, kind0 = checked.poses("pose_error", "pose", pose)
    T1, kind1 = checked.poses("pose_error", "target", target)
    checked.fit(pose=(T0, 2), target=(T1, 2))
    return rigid.error(T0, T1).astype(np.result_type(kind0, kind1))


def line_between(start: ArrayLike, end: ArrayLike, s: ArrayLike) -> np.ndarray:
    """Poses (..., 4, 4) from `start` (s = 0) to `end` (s = 1): the origin on a straight line, turning evenly.

    `s` (...,) has or makes the batch axes; below 0 and above 1 the motion goes on.

    >>> there = pose_from_twist([0.0, 0.0, np.pi / 2, np.pi / 2, 0.0, 0.0])
    >>> line_between(np.eye(4), there, [0.0, 0.5, 1.0])[:, :2, 3].round(12).tolist()
    [[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]]
    """
    T0, T1, share, kind = _way("line_between", start, end, s)
    return rigid.on_line(T0, T1, share).astype(kind)


def screw_between(start: ArrayLike, end: ArrayLike, s: ArrayLike) -> np.ndarray:
    """Poses (..., 4, 4) on the one screw from `start` (s = 0) to `end` (s = 1), at a constant twist.

    `s` (...,) has or makes the batch axes; below 0 and above 1 the motion goes on. Pinocchio's `SE3.Interpolate`.

    >>> there = pose_from_twist([0.0, 0.0, np.pi / 2, np.pi / 2, 0.0, 0.0])
    >>> screw_between(np.eye(4), there, 0.5)[:2, 3].round(6).tolist()
    [0.707107, 0.292893]
    """
    T0, T1, share, kind = _way("screw_between", start, end, s)
    return rigid.on_screw(T0, T1, share).astype(kind)


def _way(of: str, start: ArrayLike, end: ArrayLike, s: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, DType]:
    T0, kind0 = checked.poses(of, "start", start)
    T1, kind1 = checked.poses(of, "end", end)
    share, _ = checked.real(of, "s", s, meaning="the share of the way")
    checked.fit(start=(T0, 2), end=(T1, 2), s=(share, 0))
    return T0, T1, share, np.result_type(kind0, kind1)
