"""Momenta of single links, which scale a drift of the total momentum; rates at which the total is zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import passive_set
from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.plain_values import real
from soadyn.robot.checked import checked_robot
from soadyn.simulation import Trajectory


def zero_momentum_rates(
    robot: Robot, q: ArrayLike, v_active: ArrayLike, passive: PassiveLike | None = None
) -> np.ndarray:
    """The rates (..., nv) of all joints while the active ones move with v_active and the momentum is zero.

    v_p = J_D v_a, so that M_pa v_a + M_pp v_p = 0: of a free root's six components that is the robot's momentum

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> v = sd.control.zero_momentum_rates(flyer, flyer.neutral(), np.ones(10))
    >>> bool(np.abs(flyer.momentum(flyer.neutral(), v)).max() < 1e-12)
    True
    """
    mask = passive_set(checked_robot(robot, "zero_momentum_rates"), passive, "zero_momentum_rates")
    count = int((~mask).sum())
    v_a = real("v_active", v_active, count, meaning="one rate for each active component", of="control")
    v_p = robot.disturbance_jacobian_times(q, v_a, passive=mask)
    v = np.zeros((*v_p.shape[:-1], robot.nv))
    v[..., ~mask], v[..., mask] = v_a, v_p
    return v


def link_momenta(robot: Robot, q: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Each link's momentum (..., links, 6), [angular; linear] about the world's origin in world axes.

    p = m (v + ω × R c),    L = R J_c R* ω + (x + R c) × p

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q, v = flyer.neutral(), np.ones(flyer.nv)
    >>> bool(np.allclose(sd.control.link_momenta(flyer, q, v).sum(axis=0), flyer.momentum(q, v)))
    True
    """
    poses = checked_robot(robot, "link_momenta", closed=True).poses(q)
    shares = []
    for i, name in enumerate(robot.link_names):
        link = robot.model.links[robot.model.visible[i] - 1]
        V = robot.frame_velocity(q, v, name)
        R, x = poses[..., i, :3, :3], poses[..., i, :3, 3]
        w = V[..., :3]
        c = R @ np.array(link.com)
        p = link.mass * (V[..., 3:] + np.cross(w, c))
        spin = R @ (np.array(link.inertia) @ (R.mT @ w[..., None]))
        shares.append(np.concatenate([spin[..., 0] + np.cross(x + c, p), p], axis=-1))
    return np.stack(np.broadcast_arrays(*shares), axis=-2)


def relative_momentum_drift(robot: Robot, trajectory: Trajectory) -> tuple[float, float]:
    """How much the momentum about the world's origin changes without cause: largest angular and linear drift.

    Each relative to the largest sum over the links of the lengths of their momenta on the way; zero for a robot that
    does not move.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> run = sd.simulate(flyer, flyer.neutral(), 0.1 * np.ones(flyer.nv), duration=0.1, step=0.01)
    >>> all(drift < 1e-9 for drift in sd.control.relative_momentum_drift(flyer, run))
    True
    """
    if not isinstance(trajectory, Trajectory):
        raise ArgumentError(f"relative_momentum_drift takes a Trajectory, got {type(trajectory).__name__}")
    checked_robot(robot, "relative_momentum_drift", closed=True)
    if trajectory.momentum_drift is None:
        return 0.0, 0.0
    shares = link_momenta(robot, trajectory.q, trajectory.v)
    drifts = []
    for part in (slice(0, 3), slice(3, 6)):
        scale = np.linalg.norm(shares[..., part], axis=-1).sum(axis=-1).max(initial=0.0)
        drift = np.linalg.norm(trajectory.momentum_drift[..., part], axis=-1).max(initial=0.0)
        drifts.append(float(drift / scale) if scale > 0 else 0.0)
    return drifts[0], drifts[1]
