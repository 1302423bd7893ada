"""Paths of a frame in space: lines and arcs, turned into joint paths by inverse kinematics along the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial import rigid
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.mechanics.spatial.rotation import exponential, from_quaternion, product, vector_of
from soadyn.paths.curve_rates import nearest_signs
from soadyn.paths.frame_motion import target_pose
from soadyn.paths.joint_paths import Path, configurations, spline
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.plain_values import flag, positive, real, shown, single

FEWEST, MOST = 9, 513  # poses that a curve is followed through
LONGEST_STEP = 0.7  # rad or m between neighbours: a longer one is a jump to another branch
Curve = Callable[[np.ndarray], np.ndarray]


def cartesian_line(robot: Robot, q0: ArrayLike, frame: Any, end: ArrayLike, accuracy: float = 1e-5) -> Path:
    """The straight line of a frame from where q0 has it to a pose (4, 4) or a position (3,); the axes turn evenly.

    With a position alone the axes stay as they are. `accuracy`: how far the frame may be from the line, m and rad.

    >>> import soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q0 = [0.0, -1.2, 1.6, -0.5, 1.3, 0.0]
    >>> end = arm.pose(q0, "tool0")[:3, 3] + [0.0, 0.2, -0.1]
    >>> path = sd.paths.cartesian_line(arm, q0, "tool0", end)
    >>> bool(abs(arm.pose(path.at(1.0)[0], "tool0")[:3, 3] - end).max() < 1e-7)
    True
    """
    start, q, frame = _start(robot, q0, frame, "cartesian_line")
    last, _ = target_pose(end, start, "end", "cartesian_line")
    return _followed(robot, q, frame, lambda s: rigid.on_line(start, last, s), accuracy)


def arc(
    robot: Robot,
    q0: ArrayLike,
    frame: Any,
    center: ArrayLike,
    axis: ArrayLike,
    angle: float,
    accuracy: float = 1e-5,
    turning: bool = False,
) -> Path:
    """A circular arc of a frame from where q0 has it, about an axis through a centre in the world, by an angle in rad.

    `turning`: the frame's axes turn with it; else they stay as they are.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("panda")
    >>> q0 = [0.0, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8]
    >>> center = arm.pose(q0, "panda_link8")[:3, 3] - [0.0, 0.1, 0.0]
    >>> path = sd.paths.arc(arm, q0, "panda_link8", center, [1.0, 0.0, 0.0], 2 * np.pi)
    >>> points = arm.pose(path.at(np.linspace(0, 1, 50))[0], "panda_link8")[:, :3, 3]
    >>> bool(abs(np.linalg.norm(points - center, axis=-1) - 0.1).max() < 1e-5)
    True
    """
    start, q, frame = _start(robot, q0, frame, "arc")
    middle = _vector(center, "arc: center")
    about = _vector(axis, "arc: axis")
    if not np.linalg.norm(about) > 0:
        raise ArgumentError("arc: the axis has no length")
    if not np.isfinite(turn := single(angle)):
        raise ArgumentError(f"arc: angle must be a finite number, got {shown(angle)}")
    turning = flag("arc: turning", turning)
    about = about / np.linalg.norm(about)

    def poses(s: np.ndarray) -> np.ndarray:
        # The half turn, taken twice: so turns of more than pi keep their length.
        half = exponential(0.5 * turn * s[:, None] * about)
        R = from_quaternion(product(half, half))
        T = np.broadcast_to(start, (len(s), 4, 4)).copy()
        T[:, :3, 3] = middle + R @ (start[:3, 3] - middle)
        if turning:
            T[:, :3, :3] = R @ start[:3, :3]
        return T

    return _followed(robot, q, frame, poses, accuracy)


def through_poses(robot: Robot, q0: ArrayLike, frame: Any, poses: ArrayLike, knots: ArrayLike | None = None) -> Path:
    """A spline in joint space through configurations with a frame at poses (n, 4, 4), the first nearest to q0.

    >>> import soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q = [[0.0, -1.2, 1.6, -0.5, 0.3, 0.0], [0.2, -1.1, 1.5, -0.4, 0.3, 0.1], [0.3, -1.0, 1.6, -0.4, 0.2, 0.1]]
    >>> sd.paths.through_poses(arm, q[0], "tool0", arm.pose(q, "tool0"))
    <Path of 'ur5' through 3 points>
    """
    _, q, frame = _start(robot, q0, frame, "through_poses")
    wanted = real("poses", poses, meaning="poses (n, 4, 4)", of="through_poses")
    if wanted.ndim != 3 or wanted.shape[1:] != (4, 4) or len(wanted) < 2:
        raise ShapeError(f"through_poses takes at least two poses (n, 4, 4), got shape {wanted.shape}")
    s = np.linspace(0.0, 1.0, len(wanted))
    return spline(robot, _continued(robot, q, frame, wanted, s), knots)


def _start(robot: Robot, q0: Any, frame: Any, of: str) -> tuple[np.ndarray, np.ndarray, FrameLike]:
    """The frame's pose at q0, q0 checked, and the frame as a key of `inverse_kinematics`."""
    q = configurations(robot, [q0, q0], of)[0]
    return robot.pose(q, frame), q, arguments.frame_key(robot.model, frame)


def _followed(robot: Robot, q: np.ndarray, frame: Any, poses: Curve, accuracy: float) -> Path:
    """The spline through so many poses of a curve that it is near enough between them."""
    accuracy = positive("accuracy", accuracy)
    n = FEWEST
    while True:
        s = np.linspace(0.0, 1.0, n)
        points = _continued(robot, q, frame, poses(s), s)
        if n < MOST and (np.abs(robot.difference(points[:-1], points[1:])) > LONGEST_STEP).any():
            n = 2 * n - 1
            continue
        _check_jumps(robot, frame, points, s)
        path = Path(robot, s, points)
        between = (s[1:] + s[:-1]) / 2
        apart = np.linalg.inv(poses(between)) @ robot.pose(path.at(between)[0], frame)
        off = max(np.abs(apart[:, :3, 3]).max(), np.abs(vector_of(apart[:, :3, :3])).max())
        if off <= accuracy:
            return path
        if n >= MOST:
            raise ArgumentError(
                f"the frame {frame!r:.60} comes no nearer than {off:.2g} to its curve with {n} poses; "
                "give a coarser accuracy, or a curve away from singular configurations"
            )
        n = 2 * n - 1


def _continued(robot: Robot, q: np.ndarray, frame: Any, poses: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Configurations for poses in turn, each found from the one before."""
    found: list[np.ndarray] = []
    for place, pose in zip(s, poses, strict=True):
        near = robot.inverse_kinematics({frame: pose}, q, restarts=0)
        if not near.success:
            raise ArgumentError(
                f"the frame {frame!r:.60} cannot follow: at s = {place:.4g} it misses by {float(near.error):.3g} "
                "within joint limits"
            )
        q = near.q
        found.append(q)
    return nearest_signs(robot, np.array(found))


def _check_jumps(robot: Robot, frame: Any, points: np.ndarray, s: np.ndarray) -> None:
    """Refuse neighbours that are on different branches of the inverse kinematics."""
    steps = np.abs(robot.difference(points[:-1], points[1:]))
    if (steps > LONGEST_STEP).any():
        at, component = np.unravel_index(np.argmax(steps), steps.shape)
        joint = next(name for name in robot.joint_names if component in robot.joint_dofs(name))
        raise ArgumentError(f"the frame {frame!r:.60} cannot follow: at s = {s[at]:.4g} joint {joint!r} would jump")


def _vector(x: Any, what: str) -> np.ndarray:
    try:
        array = real_array(x)
    except NotNumbersError as error:
        raise ShapeError(f"{what} {error}; expected numbers of shape (3,)") from None
    if array.shape != (3,) or not np.isfinite(array).all():
        raise ShapeError(f"{what} must be finite numbers of shape (3,), got shape {array.shape}")
    return array
