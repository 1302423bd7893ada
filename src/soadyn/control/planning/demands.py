"""What is demanded of the active joints: rows of the generalized and of the disturbance Jacobian.

    [J_G; J_D] x = [frame's part; passive joints' part],    x = v_a at zero momentum, or a_a

The composite Jacobian of 004 (7.1); a demand is a row of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import HoldLike, held_components, passive_set, rates_named
from soadyn.errors import ArgumentError, unknown_name
from soadyn.fork_safe import cached_property
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.checked import checked_robot

FrameRows = Literal["pose", "position", "orientation", "none"]
FRAME_ROWS: dict[str, range] = {
    "pose": range(6),
    "position": range(3, 6),
    "orientation": range(3),
    "none": range(0),
}
AXES = ("turn about x", "turn about y", "turn about z", "move along x", "move along y", "move along z")


@final
@dataclass(frozen=True, eq=False)
class Demands:
    """The rows of [J_G; J_D] that are demanded of a robot's active joints.

    frame, of_frame: a frame and what of its motion in world axes: "pose" (six rows), "position" or "orientation"
        (three), or "none".
    passive: the joints without actuators, as quantities take them; by default the free root, and none where the robot
        stands on the ground: J_G is then the frame's Jacobian.
    hold: the passive components whose motion is demanded too, mostly to be zero: "attitude", "position" or "pose" of
        the free root (of several, of the one that carries the frame), "none", or components as `passive` takes them.

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> demands = sd.control.Demands(flyer, "tool", hold="attitude")
    >>> demands.jacobian(flyer.neutral()).shape, demands.names[-1]
    ((9, 10), 'root.wz')
    """

    robot: Robot
    frame: FrameLike
    of_frame: FrameRows = "pose"
    passive: PassiveLike | None = None
    hold: HoldLike = "none"
    mask: np.ndarray = field(init=False)  # of the passive components, (nv,)

    def __post_init__(self) -> None:
        checked_robot(self.robot, "Demands")
        arguments.frame(self.robot.model, self.frame)
        if not isinstance(self.of_frame, str) or self.of_frame not in FRAME_ROWS:
            raise unknown_name("part of a frame's motion", self.of_frame, FRAME_ROWS)
        object.__setattr__(self, "mask", passive_set(self.robot, self.passive, "Demands"))
        if not len(self.held) and not len(self.frame_rows):
            raise ArgumentError("nothing is demanded: neither of the frame (of_frame) nor of passive joints (hold)")

    @cached_property
    def active(self) -> np.ndarray:
        """The places in v of the active components."""
        return np.flatnonzero(~self.mask)

    @cached_property
    def active_coordinates(self) -> np.ndarray:
        """The places in q of the active components, whose coordinates must be plain numbers: no quaternions."""
        places: list[int] = []
        for name in self.robot.joint_names:
            q, v = self.robot.joint_coordinates(name), self.robot.joint_dofs(name)
            active = [i for i, dof in enumerate(v) if not self.mask[dof]]
            if active and len(q) != len(v):
                raise ArgumentError(
                    f"joint {name!r} is active and has a quaternion; plans are followed with joints that have none"
                )
            places += [q[i] for i in active]
        return np.array(places, dtype=int)

    @cached_property
    def passive_places(self) -> np.ndarray:
        """The places in v of the passive components."""
        return np.flatnonzero(self.mask)

    @cached_property
    def frame_rows(self) -> np.ndarray:
        """The rows of J_G that are demanded."""
        return np.array(FRAME_ROWS[self.of_frame], dtype=int)

    @cached_property
    def held(self) -> np.ndarray:
        """The rows of J_D that are demanded."""
        places = held_components(self.robot, self.hold, self.frame)
        active = rates_named(self.robot, np.intersect1d(places, self.active))
        if active:
            raise ArgumentError(f"hold names {', '.join(map(repr, active))}, which passive does not: it is active")
        return np.searchsorted(self.passive_places, places)

    @property
    def frame_name(self) -> str:
        """What the frame is called in messages."""
        return self.frame if isinstance(self.frame, str) else f"{self.frame[0]} + offset"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each row demands."""
        return (
            *(f"{self.frame_name}: {AXES[row]}" for row in self.frame_rows),
            *rates_named(self.robot, self.passive_places[self.held]),
        )

    def jacobians(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """J_G (..., 6, N_a) and J_D (..., N_p, N_a), all rows; without passive joints J_G = J."""
        if not self.mask.any():
            J = self.robot.jacobian(q, self.frame)
            return J, np.zeros((*J.shape[:-2], 0, self.robot.nv))
        return (
            self.robot.generalized_jacobian(q, self.frame, passive=self.mask),
            self.robot.disturbance_jacobian(q, passive=self.mask),
        )

    def jacobian(self, q: ArrayLike) -> np.ndarray:
        """The demanded rows of [J_G; J_D], (..., rows, N_a)."""
        return self.rows_of(*self.jacobians(q))

    def rows_of(self, J_G: np.ndarray, J_D: np.ndarray) -> np.ndarray:
        """The demanded rows, from all."""
        return np.concatenate([J_G[..., self.frame_rows, :], J_D[..., self.held, :]], axis=-2)

    def stacked(self, of_frame: np.ndarray, of_passive: np.ndarray) -> np.ndarray:
        """A frame's six numbers and the passive components' as the numbers of the demanded rows, (..., rows)."""
        batch = np.broadcast_shapes(of_frame.shape[:-1], of_passive.shape[:-1])
        parts = (of_frame[..., self.frame_rows], of_passive[..., self.held])
        return np.concatenate([np.broadcast_to(part, (*batch, part.shape[-1])) for part in parts], axis=-1)

    def whole(self, of_active: np.ndarray, of_passive: np.ndarray) -> np.ndarray:
        """Active and passive components in the order of v, (..., nv)."""
        batch = np.broadcast_shapes(of_active.shape[:-1], of_passive.shape[:-1])
        both = np.zeros((*batch, self.robot.nv))
        both[..., self.active], both[..., self.passive_places] = of_active, of_passive
        return both


def checked_demands(demands: Demands, of: str) -> Demands:
    """The demands, if they are; `of` is who asks."""
    if not isinstance(demands, Demands):
        raise ArgumentError(f"{of} takes Demands, got {type(demands).__name__}")
    return demands
