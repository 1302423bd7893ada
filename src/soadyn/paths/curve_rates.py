"""Curves of coordinates as motions of joints: a spline may lead through quaternions as through all other coordinates.

A quaternion's four numbers Q(s), of any length but zero, stand for the turn of Q / |Q|. With n = Q · Q

    ω = 2 vec(Q* Q') / n        ω' = 2 vec(Q* Q'') / n - ω n' / n        (Q'* Q' is a number: it has no vector)

along the child's axes, and of a free joint's position p in its parent   v = R* p',   v' = R* p'' - ω × v.
"""

from __future__ import annotations

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.rotation import conjugate, from_quaternion, product, unit
from soadyn.robot import Robot

Rates = tuple[np.ndarray, np.ndarray, np.ndarray]


def joint_motion(robot: Robot, x: np.ndarray, first: np.ndarray, second: np.ndarray) -> Rates:
    """q (..., nq), and the joint rates and accelerations (..., nv) of coordinates x and their derivatives (..., nq)."""
    if robot.nq == robot.nv:
        return x, first, second
    q = np.array(x)
    v, a = np.zeros((2, *x.shape[:-1], robot.nv))
    model = robot.model
    for joint, at, along in zip(model.joints, model.q_slices, model.v_slices, strict=True):
        if not joint.behaviour.free_turn:
            v[..., along], a[..., along] = first[..., at], second[..., at]
            continue
        own = _turning(*(y[..., at][..., :4] for y in (x, first, second)))
        v[..., along][..., :3], a[..., along][..., :3] = own
        q[..., at][..., :4] = unit(x[..., at][..., :4])
        if joint.behaviour.nv > 3:
            R = from_quaternion(q[..., at][..., :4]).mT
            slide, push = ((R @ y[..., at][..., 4:, None])[..., 0] for y in (first, second))
            v[..., along][..., 3:], a[..., along][..., 3:] = slide, push - np.cross(own[0], slide)
    return q, v, a


def _turning(Q: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ω and ω'."""
    n = (Q * Q).sum(axis=-1, keepdims=True)
    omega, push = (2 * product(conjugate(Q), y)[..., 1:] / n for y in (first, second))
    return omega, push - omega * 2 * (Q * first).sum(axis=-1, keepdims=True) / n


def nearest_signs(robot: Robot, points: np.ndarray) -> np.ndarray:
    """The same configurations (n, nq) with unit quaternions, each of the sign that is nearer to the one before."""
    if robot.nq == robot.nv:
        return points
    if robot.engine.coordinates.tied:
        raise ArgumentError(f"splines of robot {robot.name!r}: it has quaternions and tied joints; untie them")
    q = np.array(robot.normalize(points))
    for joint, at in zip(robot.model.joints, robot.model.q_slices, strict=True):
        if joint.behaviour.free_turn:
            own = q[:, at][:, :4]
            turns = np.where((own[1:] * own[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
            own *= np.concatenate([[1.0], np.cumprod(turns)])[:, None]
    return q
