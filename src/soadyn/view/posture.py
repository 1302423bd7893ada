"""The configuration in which a view begins: neutral, but for joints whose neutral stands at a limit."""

from __future__ import annotations

import numpy as np

from soadyn.model.coordinates import Coordinates
from soadyn.view.motions import Movable

NEAR = 0.05  # of a joint's range; nearer to a limit a pose shows little of the joint


def posture(robot: Movable) -> np.ndarray:
    """Neutral; joints that would stand at a limit or beside it stand in the middle of their range instead.

    >>> import soadyn as sd
    >>> posture(sd.load("panda")).round(2).tolist()
    [0.0, 0.0, 0.0, -1.57, 0.0, 1.87, 0.0]
    """
    q, space = robot.neutral().copy(), Coordinates(robot.model)
    for k, (joint, part) in enumerate(zip(robot.model.joints, robot.model.q_slices, strict=True), start=1):
        if joint.behaviour.nq != 1 or k in space.tied:
            continue
        (low,), (high,), place = joint.lower, joint.upper, int(np.searchsorted(space.q_kept, part.start))
        span = high - low
        if np.isfinite(span) and min(q[place] - low, high - q[place]) < NEAR * span:
            q[place] = (low + high) / 2
    return q
