"""Reaction mode (004 section 7): a free-flyer's frames move, and its base, which has no thrusters, does not.

    [J_G; J_D] θ̈_a + drift = [α_wanted; 0 or what brings the base back],    T_p = 0

The rows of J_D stand among those of the frames, and both are met as in operational space: by the least effort in the
measure of the motors' mass matrix, in which light wheels do what they can.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import HoldLike, held_components, passive_set
from soadyn.control.feedback.joint_feedbacks import checked_for_feedback
from soadyn.control.feedback.operational_space import Operational
from soadyn.control.feedback.task_feedback import SINGULAR, checked_targets
from soadyn.control.feedback.tasks import Components
from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.simulation.drive.time_series import TimeSeries


@final
class ReactionMode(Operational):
    """A free-flyer's frames follow their references while its base, which has no thrusters, stays as it is.

    hold_at: a configuration (..., nq), or `sd.TimeSeries`: where the base shall be.
    hold: what of the passive joints is held: "attitude", "position" or "pose" of the free root (of several, of the one
        that carries the first frame), or components as `passive` takes them.
    passive: the joints without a motor; the free root by default. The others as in `OperationalSpace`.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> there = flyer.pose(q, "tool")
    >>> there[:3, 3] += [0.02, 0.0, -0.01]
    >>> control = sd.control.ReactionMode(flyer, {"tool": there}, q, bandwidth=1.0)
    >>> still = np.zeros(flyer.nv)
    >>> tau = control(0.0, q, still)
    >>> a = flyer.forward_dynamics(q, still, tau)
    >>> bool(np.allclose(flyer.frame_acceleration(q, still, a, "tool"), [0, 0, 0, 0.02, 0.0, -0.01], atol=1e-10))
    True
    >>> bool(np.abs(a[:3]).max() < 1e-10), tau[:6].any().item()  # the base stays, and nothing drives it
    (True, False)
    """

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        hold_at: ArrayLike | TimeSeries,
        hold: HoldLike = "attitude",
        *,
        bandwidth: ArrayLike = 10.0,
        damping_ratio: ArrayLike = 1.0,
        posture: ArrayLike | TimeSeries | None = None,
        posture_bandwidth: ArrayLike = 5.0,
        posture_damping_ratio: ArrayLike = 1.0,
        passive: PassiveLike | None = None,
        singular: float = SINGULAR,
    ) -> None:
        checked_for_feedback(robot, "ReactionMode")
        mask = passive_set(robot, passive, "ReactionMode")
        held = _held(robot, hold, mask, next(iter(checked_targets(targets, "ReactionMode")), None))
        super().__init__(
            robot,
            {**targets, Components(held): hold_at},
            bandwidth=bandwidth,
            damping_ratio=damping_ratio,
            posture=posture,
            posture_bandwidth=posture_bandwidth,
            posture_damping_ratio=posture_damping_ratio,
            passive=mask,
            singular=singular,
        )


def _held(robot: Robot, hold: HoldLike, mask: np.ndarray, frame: FrameLike | None) -> tuple[int, ...]:
    """The passive components that are held; `frame` is the first that moves."""
    places = held_components(robot, hold, frame)
    if not len(places) or not mask[places].all():
        raise ArgumentError("ReactionMode: hold names passive components, at least one, and no others")
    return tuple(int(i) for i in places)
