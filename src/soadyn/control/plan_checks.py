"""Whether a plan may be believed: it arrives within the limits, and it moves as a robot without momentum can.

Near a singularity the joints' rates grow without bound; steps of fixed length then miss the motion, and a plan can
"arrive" where no robot gets. Three facts tell: no joint winds up, the mass centre rests, and the rates, summed up, lead
from node to node.
"""

from __future__ import annotations

import numpy as np

from soadyn.control.plan import Plan, ReachError
from soadyn.errors import ArgumentError
from soadyn.simulation.inputs import single

Tolerance = tuple[float, float]
LONGEST_WAY = 20 * np.pi  # rad or m that a joint may travel in one plan, to and fro; wheels may turn for ever
# Angle tolerances that the step error may reach; Simpson's rule, its estimate, is less exact than the plan's steps.
STEP_ERROR = 10.0
ADVICE = "Try a shorter step, damping=, a nearer target, another start, or hold less"


def checked(plan: Plan, tolerance: Tolerance, zero_momentum: bool = True) -> Plan:
    """The plan if it can be believed; otherwise `ReachError` says what was found.

    A plan that takes its base for fixed does not keep the momentum: `zero_momentum` False.
    """
    metres, radians = _tolerances(tolerance)
    wrong = _limit_passed(plan) or _not_there(plan, metres, radians) or _wound_up(plan)
    if zero_momentum:
        wrong = wrong or _mass_centre_moved(plan, metres) or _steps_too_long(plan, STEP_ERROR * radians)
    if wrong:
        error = ReachError(f"the motion of {plan.demands.frame_name!r} {wrong}")
        error.plan = plan
        raise error
    return plan


def _tolerances(tolerance: Tolerance) -> tuple[float, float]:
    given = tolerance if isinstance(tolerance, tuple | list) else ()
    metres, radians = (single(x) for x in given) if len(given) == 2 else (np.nan, np.nan)
    if not (metres > 0 and radians > 0):
        raise ArgumentError(f"tolerance must be two positive numbers, (metres, radians), got {tolerance!r:.80}")
    return metres, radians


def _limit_passed(plan: Plan) -> str:
    robot = plan.robot
    outside = (plan.q < robot.lower) | (plan.q > robot.upper)
    if not outside.any():
        return ""
    node, place = np.argwhere(outside)[0]
    return (
        f"takes joint {_joint(plan, place)!r} past its position limit at t = {plan.t[node]:.3g} s: "
        f"{plan.q[node, place]:.3g} is outside of {robot.lower[place]:.3g} to {robot.upper[place]:.3g}"
    )


def _not_there(plan: Plan, metres: float, radians: float) -> str:
    rows = set(plan.demands.frame_rows.tolist())
    far, turned = float(plan.position_error[-1]), float(plan.angle_error[-1])
    missing: list[str] = []
    if rows >= {3, 4, 5} and not far <= metres:
        missing.append(f"{1e3 * far:.3g} mm")
    if rows >= {0, 1, 2} and not turned <= radians:
        missing.append(f"{np.degrees(turned):.3g} deg")
    if not missing:
        return ""
    reasons = [_singular(plan)]
    if plan.damping.any():
        first = plan.t[np.argmax(plan.damping > 0)]
        reasons.append(f"damping acted from t = {first:.3g} s (up to {plan.damping.max():.2g})")
    if plan.slowed.any():
        reasons.append(f"speed limits held it back from t = {plan.t[np.argmax(plan.slowed)]:.3g} s")
    return (
        f"ends {' and '.join(missing)} from its target: {'; '.join(reasons)}. "
        "Try a nearer target, another start, a longer duration, or hold less"
    )


def _wound_up(plan: Plan) -> str:
    """A joint that goes far, though its coordinate matters to the masses or to the frame."""
    robot, places = plan.robot, plan.demands.active_coordinates
    gone = np.abs(np.diff(plan.q[:, places], axis=0)).sum(axis=0)
    for i in np.flatnonzero(~(gone <= LONGEST_WAY)).tolist():
        other = np.array(plan.q[0])
        other[places[i]] += 1.0  # a wheel that turns leaves all else as it is
        pair = np.stack([plan.q[0], other])
        M, pose = robot.mass_matrix(pair), robot.pose(pair, plan.demands.frame)
        if not all(np.abs(x[1] - x[0]).max() <= 1e-9 * np.abs(x[0]).max() for x in (M, pose)):
            return (
                f"takes joint {_joint(plan, places[i])!r} {gone[i]:.3g} rad or m to and fro; at most {LONGEST_WAY:.3g} "
                f"are believed of a joint that is no wheel: {_singular(plan)}. {ADVICE}"
            )
    return ""


def _mass_centre_moved(plan: Plan, metres: float) -> str:
    """The mass centre of a robot without momentum rests."""
    centre = plan.robot.center_of_mass(plan.q)
    moved = np.linalg.norm(centre - centre[0], axis=-1)
    if moved.max() <= metres:
        return ""
    return (
        f"moves the robot's mass centre by {moved.max():.3g} m, though its momentum is zero; at most {metres:g} m are "
        f"allowed: {_singular(plan)}. {ADVICE}"
    )


def _steps_too_long(plan: Plan, radians: float) -> str:
    """Simpson's rule over pairs of steps, error = difference(q₀, q₂) - h (v₀ + 4 v₁ + v₂) / 3.

    At zero momentum the base moves by J_D times the motion of the active joints. J_D times the active part of the error
    must therefore be the base's part; the difference is a turn of the base that the plan gained or lost.
    """
    demands, robot, nodes = plan.demands, plan.robot, (len(plan.t) - 1) // 2 * 2 + 1
    if nodes < 3:
        return ""
    q, v, h = plan.q[:nodes], plan.v[:nodes], plan.t[1] - plan.t[0]
    error = robot.difference(q[:-1:2], q[2::2]) - h / 3 * (v[:-1:2] + 4 * v[1::2] + v[2::2])
    answer = robot.disturbance_jacobian_times(q[1::2], error[:, demands.active], passive=demands.mask)
    turned = np.linalg.norm((answer - error[:, demands.passive_places])[:, :3], axis=-1)
    if turned.sum() <= radians:
        return ""
    return (
        f"is too rough for steps of {h:.3g} s: its rates and its coordinates differ by turns of the base of "
        f"{np.degrees(turned.sum()):.3g} deg in all, most at t = {plan.t[1::2][np.argmax(turned)]:.3g} s; at most "
        f"{np.degrees(radians):.3g} deg are allowed. {ADVICE}"
    )


def _singular(plan: Plan) -> str:
    worst = int(np.argmin(plan.smallest))
    return f"the smallest singular value of its Jacobian is {plan.smallest[worst]:.2g} at t = {plan.t[worst]:.3g} s"


def _joint(plan: Plan, place: int) -> str:
    robot = plan.robot
    return next(name for name in robot.joint_names if place in robot.joint_coordinates(name))
