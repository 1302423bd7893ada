"""Position limits as stops that give way, and effort limits as bounds of the actuators' forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, errstate
from soadyn.mechanics.spatial.arithmetic import Array, clipped
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation.laws.placed_laws import Elastic

# Steps in half a period of a joint on its stop, where no stiffness is given: enough for every method to follow it.
CONTACT_STEPS = 20
DAMPING_RATIO = 0.5  # of the critical damping, where none is given: a joint comes back with about a third of its speed


@final
@dataclass(frozen=True, slots=True)
class Stops:
    """How position limits act in `simulate`: as stops that give way like a spring and take energy like a damper.

        T = -max(0, stiffness d + damping ḋ),        d > 0: how far the joint is beyond its limit

    A stop never pulls. By default it is as stiff as the step allows: half a period of the joint on its stop takes
    twenty steps, and the damping is half the critical one, both with the inertia that the joint feels in the first
    state. A joint that arrives with speed v then passes its limit by at most 20 step / π · v, and by load / stiffness
    under a load.

    >>> import soadyn as sd
    >>> sd.Stops(stiffness=1e4, damping=50.0)
    Stops(stiffness=10000.0, damping=50.0)
    """

    stiffness: float | None = None
    damping: float | None = None

    def __post_init__(self) -> None:
        if self.stiffness is not None:
            positive("stiffness", self.stiffness, "Stops")
        if self.damping is not None:
            positive("damping", self.damping, "Stops", zero=True)


def placed_stops(robot: Robot, quantities: Any, stops: Stops, q0: np.ndarray, step: float) -> tuple[Elastic, ...]:
    """The stops of a robot's limited joints, for the rows of its first states."""
    found = []
    for side, limits in ((-1, _limits(robot, "lower")), (1, _limits(robot, "upper"))):
        if limits:
            q, v, limit = (np.array(column) for column in zip(*limits, strict=True))
            K, C = _figures(quantities, stops, q0, v, step)
            found.append(Elastic(False, q, v, K, limit, side, C=C, grows=False))
    return tuple(found)


def _limits(robot: Robot, which: str) -> list[tuple[int, int, float]]:
    """Where a coordinate stands in q and its rate in v, and its limit; of joints whose rates are derivatives."""
    found = []
    for name in robot.joint_names:
        joint = robot.model.joints[robot.model.joint_indices[name][0] - 1]
        if not joint.behaviour.free_turn and len(robot.model.joint_indices[name]) == 1:
            places = zip(robot.joint_coordinates(name), robot.joint_dofs(name), getattr(joint, which), strict=True)
            found += [(i, j, limit) for i, j, limit in places if np.isfinite(limit)]
    return found


def _figures(
    quantities: Any, stops: Stops, q0: np.ndarray, v: np.ndarray, step: float
) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of each row and component."""
    with errstate("ignore"), np.errstate(all="ignore"):
        inverse = quantities.mass_matrix_inverse(q0)
        inertia = 1 / np.diagonal(inverse, axis1=-2, axis2=-1)[..., v]
    return stop_figures(stops, np.where(np.isfinite(inertia), inertia, 1.0), step)  # if not, the simulation says why


def stop_figures(stops: Stops, inertia: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of stops in joints that feel some inertia each."""
    frequency = np.pi / (CONTACT_STEPS * step)
    K = inertia * frequency**2 if stops.stiffness is None else np.full_like(inertia, stops.stiffness)
    if stops.damping is not None:
        return K, np.full_like(inertia, stops.damping)
    return K, 2 * DAMPING_RATIO * np.sqrt(K * inertia)


@final
@dataclass(frozen=True, slots=True, eq=False)
class EffortLimits:
    """The largest forces of actuators, where the model states some."""

    v: np.ndarray  # places of the components
    bound: np.ndarray

    def clipped(self, tau: Array) -> Array:
        tau = np.array(tau)
        tau[..., self.v] = clipped(tau[..., self.v], self.bound)
        return tau


def effort_limits(robot: Robot, wanted: ArrayLike | str | None = "robot") -> EffortLimits | None:
    """The robot's effort limits, or others (nv,) in their place; None if there are none."""
    if wanted is None:
        return None
    if isinstance(wanted, str) and wanted != "robot":
        raise ArgumentError(f'simulate: effort_limit is "robot", None or numbers (nv,), got {wanted!r:.80}')
    limit = robot.effort_limit if isinstance(wanted, str) else _bounds(robot, wanted)
    v = np.flatnonzero(limit < np.inf)
    return EffortLimits(v, limit[v]) if len(v) else None


def _bounds(robot: Robot, wanted: ArrayLike) -> np.ndarray:
    limit = arguments.joint_vector(robot.engine.coordinates, wanted, "effort_limit")
    if limit.ndim != 1 or limit.dtype.kind not in "fi" or not (limit >= 0).all():
        raise ArgumentError(f"simulate: effort_limit must be zero or more in each joint, (nv,), got {wanted!r:.80}")
    return limit.astype(float)
