"""Motions of the active joints for a wanted motion of a frame, and what the passive joints do meanwhile.

At zero momentum the Jacobians act on rates, v_p = J_D v_a and V = J_G v_a (004 (6.1)-(6.2)); always they act on
accelerations, α(0) = J_G a_a + drift and a_p = J_D a_a + drift (004 (6.10), (6.12)).
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.planning.demands import Demands, checked_demands
from soadyn.control.planning.least_squares import Solving, solve_demands
from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.plain_values import real
from soadyn.robot.checked import checked_robot


def zero_momentum_rates(
    robot: Robot, q: ArrayLike, v_active: ArrayLike, passive: PassiveLike = ("root",)
) -> np.ndarray:
    """The rates (..., nv) of all joints while the active ones move with v_active and the momentum is zero.

    v_p = J_D v_a, so that M_pa v_a + M_pp v_p = 0: of a free root's six components that is the robot's momentum

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> v = sd.control.zero_momentum_rates(flyer, flyer.neutral(), np.ones(10))
    >>> bool(np.abs(flyer.momentum(flyer.neutral(), v)).max() < 1e-12)
    True
    """
    checked_robot(robot, "zero_momentum_rates")
    mask = arguments.passive(robot.engine.coordinates, passive)
    count = int((~mask).sum())
    v_a = real("v_active", v_active, count, meaning="one rate for each active component", of="control")
    v_p = robot.disturbance_jacobian_times(q, v_a, passive=mask)
    v = np.zeros((*v_p.shape[:-1], robot.nv))
    v[..., ~mask], v[..., mask] = v_a, v_p
    return v


def resolved_rate(
    demands: Demands, q: ArrayLike, twist: ArrayLike, of_passive: Any = 0.0, **solving: Unpack[Solving]
) -> np.ndarray:
    """The rates (..., nv) at zero momentum that move the frame with `twist` (..., 6), [angular; linear] in world axes.

    v_a from [J_G; J_D] v_a = [twist; of_passive],    v_p = J_D v_a

    of_passive: rates (..., N_p) wanted of the passive components, zero by default; only held ones count.
    solving: `weights`, `row_weights`, `damping`, `preferred` of `solve_demands`.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> demands = sd.control.Demands(flyer, "tool", hold="attitude")
    >>> v = sd.control.resolved_rate(demands, q, [0, 0, 0, 0.01, 0, 0])
    >>> bool(np.allclose(flyer.frame_velocity(q, v, "tool"), [0, 0, 0, 0.01, 0, 0])), bool(np.abs(v[:3]).max() < 1e-12)
    (True, True)
    """
    V = real("twist", twist, 6, meaning="a twist [angular; linear] in world axes", of="control")
    J_G, J_D = checked_demands(demands, "resolved_rate").jacobians(q)
    wanted = demands.stacked(V, _of_passive(demands, of_passive))
    v_a = solve_demands(demands.rows_of(J_G, J_D), wanted, names=demands.names, **solving).x
    return demands.whole(v_a, (J_D @ v_a[..., None])[..., 0])


def resolved_acceleration(
    demands: Demands,
    q: ArrayLike,
    v: ArrayLike,
    alpha: ArrayLike,
    of_passive: Any = 0.0,
    *,
    tau_passive: Any = 0.0,
    **solving: Unpack[Solving],
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and forces (..., nv) of all joints that give the frame the acceleration `alpha` (..., 6).

    [J_G; J_D] a_a = [alpha; of_passive] - drift, then T_a and a_p by the hybrid sweep     (004 sections 6.2, 7)

    The drift is what the frame and the passive joints do where a_a = 0: velocity terms and `tau_passive`, the forces
    (..., N_p) at the passive joints. `solving` is for `solve_demands`.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> v = 0.1 * np.ones(flyer.nv)
    >>> demands = sd.control.Demands(flyer, "tool", hold="attitude")
    >>> a, tau = sd.control.resolved_acceleration(demands, q, v, np.zeros(6))
    >>> bool(np.abs(flyer.frame_acceleration(q, v, a, "tool")).max() < 1e-9), tau[:6].tolist()
    (True, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    """
    robot = checked_demands(demands, "resolved_acceleration").robot
    alpha0 = real("alpha", alpha, 6, meaning="an acceleration [angular; linear] in world axes", of="control")
    tau = demands.whole(np.zeros(len(demands.active)), _of_passive(demands, tau_passive))
    of_frame, of_others = demands.drifts(q, v, tau)
    wanted = demands.stacked(alpha0 - of_frame, _of_passive(demands, of_passive) - of_others)
    a_a = solve_demands(demands.jacobian(q), wanted, names=demands.names, **solving).x
    return robot.hybrid_dynamics(q, v, a=demands.whole(a_a, np.zeros_like(of_others)), tau=tau, passive=demands.mask)


def _of_passive(demands: Demands, x: Any) -> np.ndarray:
    """One number for each passive component; a single number counts for all."""
    array = real("of_passive", x, meaning="numbers for the passive components", of="control")
    count = len(demands.passive_places)
    if array.ndim and array.shape[-1] != count:
        raise ArgumentError(f"the passive components are {count}, got numbers of shape {array.shape}")
    return np.broadcast_to(array, (*array.shape[:-1], count))
