"""What a plan's steps lose, by facts that steps without error would keep."""

from __future__ import annotations

import numpy as np

from soadyn.control.planning.plan import Plan

# Angle tolerances that the step error may reach; Simpson's rule, its estimate, is less exact than the plan's steps.
STEP_ERROR = 10.0


def step_error(plan: Plan, metres: float, radians: float, zero_momentum: bool) -> float:
    """What the steps lost, as a share of what is allowed."""
    if not zero_momentum:
        return 0.0
    turned = float(turns_lost(plan).sum()) / (STEP_ERROR * radians)
    return max(turned, float(mass_centre_way(plan).max()) / metres) if plan.demands.mask.any() else turned


def mass_centre_way(plan: Plan) -> np.ndarray:
    """How far the mass centre is from where it was, (T,)."""
    centre = plan.robot.center_of_mass(plan.q)
    return np.asarray(np.linalg.norm(centre - centre[0], axis=-1))


def turns_lost(plan: Plan) -> np.ndarray:
    """Simpson's rule over pairs of steps, error = difference(q₀, q₂) - h (v₀ + 4 v₁ + v₂) / 3, as turns (pairs,).

    At zero momentum the base moves by J_D times the motion of the active joints. J_D times the active part of the error
    must therefore be the base's part; the difference is a turn of the base that the plan gained or lost. Without a
    base, it is what the frame turns, or moves by as many metres, along the error of its joints.
    """
    demands, robot, nodes = plan.demands, plan.robot, (len(plan.t) - 1) // 2 * 2 + 1
    if nodes < 3:
        return np.zeros(1)
    q, v, h = plan.q[:nodes], plan.v[:nodes], plan.t[1] - plan.t[0]
    error = robot.difference(q[:-1:2], q[2::2]) - h / 3 * (v[:-1:2] + 4 * v[1::2] + v[2::2])
    if not demands.mask.any():
        return np.linalg.norm((robot.jacobian(q[1::2], demands.frame) @ error[..., None])[..., 0], axis=-1)
    answer = robot.disturbance_jacobian_times(q[1::2], error[:, demands.active], passive=demands.mask)
    return np.asarray(np.linalg.norm((answer - error[:, demands.passive_places])[:, :3], axis=-1))
