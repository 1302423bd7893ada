"""What is wanted of a frame: a pose, a position, an orientation, the direction of one of its axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.mechanics.spatial.rotation import is_rotation

Numbers = Any  # an array, or what NumPy makes one of


@final
@dataclass(frozen=True, eq=False)
class Position:
    """The frame's origin at a point of the world, (..., 3) in m.

    >>> import soadyn as sd
    >>> found = sd.load("panda").inverse_kinematics({"panda_link8": sd.kinematics.Position([0.5, 0.1, 0.3])})
    >>> bool(found.success)
    True
    """

    point: Numbers
    weight: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class Orientation:
    """The frame's axes along the columns of a rotation, (..., 3, 3).

    >>> import numpy as np
    >>> hanging = {"panda_link8": Orientation(np.diag([1.0, -1.0, -1.0]))}  # for robot.inverse_kinematics(hanging)
    >>> hanging["panda_link8"].weight
    1.0
    """

    rotation: Numbers
    weight: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class Pose:
    """The frame at a pose, (..., 4, 4); the weights are those of its position and of its orientation.

    >>> import soadyn as sd
    >>> arm = sd.load("panda")
    >>> pose = arm.pose([0.1, 0.2, 0.3, -1.5, 0.2, 1.2, 0.4], "panda_link8")
    >>> bool(arm.inverse_kinematics({"panda_link8": sd.kinematics.Pose(pose, turn_weight=0.1)}).success)
    True
    """

    pose: Numbers
    weight: float = 1.0
    turn_weight: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class Direction:
    """An axis of the frame (3,), z by default, along a direction of the world (..., 3); turns about it are free.

    >>> down = {"panda_link8": [Position([0.5, 0.1, 0.3]), Direction([0.0, 0.0, -1.0])]}  # for inverse_kinematics(down)
    >>> down["panda_link8"][1].axis
    (0.0, 0.0, 1.0)
    """

    along: Numbers
    axis: Numbers = (0.0, 0.0, 1.0)
    weight: float = 1.0


Target = Position | Orientation | Pose | Direction


@final
@dataclass(frozen=True, eq=False)
class Demand:
    """One demand: its kind, the number of its frame, what is wanted as (..., k) numbers, and its weight.

    position     the point, 3        orientation  the rotation row by row, 9
    com          the point, 3        direction    the direction, then the axis in the frame, 6
    closures     zeros, one for each row
    """

    kind: str
    frame: int
    goal: np.ndarray
    weight: float
    label: str


def parts_of(targets: Any, com: Any) -> tuple[list[Any], list[Demand]]:
    """Frames in the order they come, and the demands on them; `com` is the wanted mass centre or None."""
    if not isinstance(targets, Mapping):
        raise ArgumentError(f"inverse_kinematics takes {{frame: target}}, got {targets!r:.80}")
    frames: list[Any] = []
    parts: list[Demand] = []
    for frame, wanted in targets.items():
        frames.append(frame)
        several = wanted if isinstance(wanted, list) and any(isinstance(x, Target) for x in wanted) else [wanted]
        for one in several:
            parts += _parts(frame, len(frames) - 1, one)
    if com is not None:
        parts.append(Demand("com", -1, _array(com, (3,), "the mass centre"), 1.0, "mass centre"))
    if not parts:
        raise ArgumentError("inverse_kinematics needs at least one target: {frame: pose}, or com=")
    return frames, parts


def _parts(frame: Any, number: int, wanted: Any) -> Sequence[Demand]:
    name = str(frame[0] if isinstance(frame, tuple) and frame else frame)[:60]
    match wanted:
        case Position(point, weight):
            return [_part("position", number, _array(point, (3,), f"target of {name!r}"), weight, name)]
        case Orientation(rotation, weight):
            R = _rotation(_array(rotation, (3, 3), f"target of {name!r}"), name)
            return [_part("orientation", number, R, weight, name)]
        case Direction(along, axis, weight):
            goal, own = (_unit(_array(x, (3,), f"direction of {name!r}"), name) for x in (along, axis))
            goal, own = np.broadcast_arrays(goal, own)
            return [_part("direction", number, np.concatenate([goal, own], axis=-1), weight, name)]
        case Pose(pose, weight, turn_weight):
            T = _array(pose, (4, 4), f"target of {name!r}")
            R = _rotation(T[..., :3, :3], name)
            return [
                _part("position", number, T[..., :3, 3], weight, name),
                _part("orientation", number, R, turn_weight, name),
            ]
    return _parts(frame, number, Position(wanted) if _are_points(wanted) else Pose(wanted))


def _are_points(x: Any) -> bool:
    """Are these points, and no rotations? What is no array is none; reading it as a pose says what it is."""
    try:
        shape = real_array(x).shape
    except NotNumbersError:
        return False
    return shape[-1:] == (3,) and shape[-2:] != (3, 3)


def _part(kind: str, number: int, goal: np.ndarray, weight: Any, name: str) -> Demand:
    if not isinstance(weight, int | float | np.floating) or not 0 < weight < np.inf:
        raise ArgumentError(f"the weight of a target must be positive, got {weight!r:.60} for {name!r}")
    return Demand(kind, number, np.ascontiguousarray(goal), float(weight), name)


def _array(x: Any, core: tuple[int, ...], what: str) -> np.ndarray:
    try:
        array = real_array(x)
    except NotNumbersError as error:
        raise ShapeError(f"{what} {error}; expected numbers (..., {', '.join(map(str, core))})") from None
    if array.shape[-len(core) :] != core:
        is_rotation = core == (4, 4) and array.shape[-2:] == (3, 3)
        hint = "; for a rotation alone write sd.kinematics.Orientation(R)" if is_rotation else ""
        raise ShapeError(f"{what} has shape {array.shape}; expected (..., {', '.join(map(str, core))}){hint}")
    if not np.isfinite(array).all():
        raise ArgumentError(f"{what} has numbers that are not finite")
    return array


def _rotation(R: np.ndarray, name: str) -> np.ndarray:
    """Rotations (..., 3, 3) as (..., 9), checked."""
    if (wrong := ~is_rotation(R)).any():
        raise ArgumentError(f"target of {name!r}: the rotation is none, got\n{R[wrong][0]}")
    return R.reshape(*R.shape[:-2], 9)


def _unit(x: np.ndarray, name: str) -> np.ndarray:
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    if not (length > 0).all():
        raise ArgumentError(f"a direction of {name!r} has no length")
    return x / length
