"""Whether a plan may be believed: it arrives within the limits, and it moves as a robot without momentum can.

Near a singularity the joints' rates grow without bound; steps of fixed length then miss the motion, and a plan can
"arrive" where no robot gets. Three facts tell: no joint winds up, the mass centre rests, and the rates, summed up, lead
from node to node. Where steps are too long, they are halved.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from soadyn.control.feedback.free_root import rates_named
from soadyn.control.planning.momenta import link_momenta
from soadyn.control.planning.plan import Plan, ReachError
from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import positive, single

Tolerance = tuple[float, float]
LONGEST_WAY = 20 * np.pi  # rad or m that a joint may travel in one plan, to and fro; wheels may turn for ever
MOMENTUM = 1e-6  # of the links' momenta together that may be left
ROUNDING = 1e-6  # of a speed limit, to which rates are scaled
# Angle tolerances that the step error may reach; Simpson's rule, its estimate, is less exact than the plan's steps.
STEP_ERROR = 10.0
MOST_HALVINGS = 5
ADVICE = "Try a shorter step, regularization=, a nearer target, another start, or hold less"


def refined(make: Callable[[float], Plan], step: float, tolerance: Tolerance, zero_momentum: bool = True) -> Plan:
    """The plan that `make` makes of steps, halved while the error is too large and falls; checked."""
    limits = tolerances(tolerance)
    plan = make(positive("step", step))
    error = step_error(plan, *limits, zero_momentum)
    for halvings in range(1, MOST_HALVINGS + 1):
        if error <= 1 or beyond_limits(plan):
            break
        finer = make(step / 2**halvings)
        less = step_error(finer, *limits, zero_momentum)
        # Half a step of fourth order should leave a sixteenth of the error; near a singularity it does not.
        if not less <= error / 2:
            break
        plan, error = finer, less
    return checked(plan, tolerance, zero_momentum)


def checked(plan: Plan, tolerance: Tolerance, zero_momentum: bool = True) -> Plan:
    """The plan if it can be believed; otherwise `ReachError` says what was found.

    A plan that takes its base for fixed does not keep the momentum: `zero_momentum` False.
    """
    metres, radians = tolerances(tolerance)
    wrong = beyond_limits(plan) or _not_there(plan, metres, radians)
    floats = plan.demands.mask.any()
    if zero_momentum:
        wrong = wrong or (_mass_centre_moved(plan, metres) if floats else "") or _steps_too_long(plan, radians)
        wrong = wrong or (_has_momentum(plan) if floats else "") or _too_weak(plan)
    if wrong:
        raise ReachError(f"the motion of {plan.demands.frame_name!r} {wrong}", plan)
    return plan


def beyond_limits(plan: Plan) -> str:
    """A joint that passes a limit or winds up, which shorter steps would not mend; nothing if there is none."""
    return _limit_passed(plan) or _wound_up(plan) or _too_fast(plan)


def tolerances(tolerance: Tolerance) -> tuple[float, float]:
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
    if plan.regularization.any():
        first = plan.t[np.argmax(plan.regularization > 0)]
        reasons.append(f"regularization acted from t = {first:.3g} s (up to {plan.regularization.max():.2g})")
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


def _too_fast(plan: Plan) -> str:
    """A joint beyond its speed limit."""
    active = plan.demands.active
    limit = plan.robot.velocity_limit[active]
    share = np.abs(plan.v[:, active]) / limit
    if share.max(initial=0.0) <= 1 + ROUNDING:
        return ""
    node, i = np.unravel_index(int(np.argmax(share)), share.shape)
    return (
        f"takes joint {rates_named(plan.robot, active[[i]])[0]!r} to {np.abs(plan.v[node, active[i]]):.3g} at "
        f"t = {plan.t[node]:.3g} s, beyond its speed limit of {limit[i]:.3g}; a duration of "
        f"{plan.duration * share.max():.4g} s would keep it"
    )


def _too_weak(plan: Plan) -> str:
    """A motor that would need more force than it has, at a node."""
    demands, robot = plan.demands, plan.robot
    limit = robot.effort_limit[demands.active]
    if len(plan.t) < 3 or not (limit < np.inf).any():
        return ""
    a = np.gradient(plan.v, plan.t, axis=0)
    T = robot.hybrid_dynamics(plan.q, plan.v, a=a, tau=np.zeros(robot.nv), passive=demands.mask)[1][:, demands.active]
    share = np.abs(T) / limit
    if share.max() <= 1:
        return ""
    node, i = np.unravel_index(int(np.argmax(share)), share.shape)
    weight = abs(float(robot.gravity_force(plan.q[node])[demands.active[i]]))
    advice = "a longer duration takes less" if weight <= limit[i] else f"its load's weight alone takes {weight:.3g}"
    return (
        f"takes {np.abs(T[node, i]):.3g} N m or N of joint {rates_named(robot, demands.active[[i]])[0]!r} at "
        f"t = {plan.t[node]:.3g} s, which has {limit[i]:.3g}; {advice}"
    )


def _mass_centre_moved(plan: Plan, metres: float) -> str:
    """The mass centre of a robot without momentum rests."""
    moved = mass_centre_way(plan).max()
    if moved <= metres:
        return ""
    return (
        f"moves the robot's mass centre by {moved:.3g} m, though its momentum is zero; at most {metres:g} m are "
        f"allowed: {_singular(plan)}. {ADVICE}"
    )


def _has_momentum(plan: Plan) -> str:
    """The links' momenta cancel at every node."""
    momentum = plan.robot.momentum(plan.q, plan.v, about="com")
    shares = link_momenta(plan.robot, plan.q, plan.v)
    for part, name in ((slice(3, 6), "linear"), (slice(0, 3), "angular")):
        left = np.linalg.norm(momentum[:, part], axis=-1)
        if left.max() > MOMENTUM * np.linalg.norm(shares[..., part], axis=-1).sum(axis=-1).max():
            when = plan.t[np.argmax(left)]
            return f"has {name} momentum, {left.max():.3g} at t = {when:.3g} s, where it began with none"
    return ""


def _steps_too_long(plan: Plan, radians: float) -> str:
    turned, radians = turns_lost(plan), STEP_ERROR * radians
    if turned.sum() <= radians:
        return ""
    whose = "the base" if plan.demands.mask.any() else repr(plan.demands.frame_name)
    return (
        f"is too rough for steps of {plan.t[1] - plan.t[0]:.3g} s: its rates and its coordinates differ by turns of "
        f"{whose} of {np.degrees(turned.sum()):.3g} deg in all, most at t = {plan.t[1::2][np.argmax(turned)]:.3g} s; "
        f"at most {np.degrees(radians):.3g} deg are allowed. {ADVICE}"
    )


def _singular(plan: Plan) -> str:
    worst = int(np.argmin(plan.smallest))
    return f"the smallest singular value of its Jacobian is {plan.smallest[worst]:.2g} at t = {plan.t[worst]:.3g} s"


def _joint(plan: Plan, place: int) -> str:
    robot = plan.robot
    return next(name for name in robot.joint_names if place in robot.joint_coordinates(name))


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
