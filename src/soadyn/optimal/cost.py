"""What a motion costs: how far it is from a goal, and what its motors do.

    J = ½ Σ h { x* Q x + u* R u } + ½ x* S x at the end,    x = [difference(goal, q); v],    u = T - T_goal

u is of the motors alone. x lives on the tangent space, so that free bases and ball joints have goals like all others.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.component_values import weight_matrix
from soadyn.robot.arguments.plain_values import real
from soadyn.robot.checked import checked_robot

MOST_SHOWN = 8  # coordinates of the goal in a line


@final
class Cost:
    """The quadratic cost of motions towards a goal, where the robot should rest.

    q: the goal, (nq,).
    state_weight: Q, a number, (2 nv,) of them for [difference(goal, q); v], or a matrix (2 nv, 2 nv); per second.
    effort_weight: R, a positive number, one for each motor, or a matrix (motors, motors); per second.
    final_weight: S of the last state, as `state_weight`; by default the regulator's: what the rest of an endless motion
        costs.
    passive: joints without a motor.
    tau: joint forces from which effort counts, (nv,); by default those that hold the motors' joints at the goal.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> cost = sd.optimal.Cost(arm, [0.5, 0.2], state_weight=10.0, effort_weight=0.1, final_weight=100.0)
    >>> cost.deviation([0.6, 0.3], [0.0, 0.3]).round(3).tolist()
    [0.1, 0.1, 0.0, 0.3]
    """

    def __init__(
        self,
        robot: Robot,
        q: ArrayLike,
        *,
        state_weight: ArrayLike,
        effort_weight: ArrayLike,
        final_weight: ArrayLike | None = None,
        passive: PassiveLike = (),
        tau: ArrayLike | None = None,
    ) -> None:
        self.robot: Any = checked_robot(robot, "Cost")
        space = robot.engine.coordinates
        if space.tied:
            raise ArgumentError(f"Cost: robot {robot.name!r} has tied joints; load it with mimic='independent'")
        self.passive = arguments.one_passive_set(space, passive, "Cost")
        self.active = np.flatnonzero(~self.passive)
        if not len(self.active):
            raise ArgumentError(f"Cost: every joint of robot {robot.name!r} is passive: nothing can be controlled")
        meaning = f"the {robot.nq} coordinates of robot {robot.name!r}"
        self.q = _finite("q", real("q", q, robot.nq, meaning=meaning, of="Cost"), (robot.nq,))
        states = 2 * robot.nv
        self.Q = weight_matrix("state_weight", state_weight, states, "Cost", definite=False)
        self.R = weight_matrix("effort_weight", effort_weight, len(self.active), "Cost")
        self.final = None
        if final_weight is not None:
            self.final = weight_matrix("final_weight", final_weight, states, "Cost", definite=False)
        if tau is None:
            self.tau = np.where(self.passive, 0.0, robot.gravity_force(self.q))
        else:
            meaning = f"the {robot.nv} joint forces of robot {robot.name!r}"
            self.tau = _finite("tau", real("tau", tau, robot.nv, meaning=meaning, of="Cost"), (robot.nv,))

    def __repr__(self) -> str:
        goal = ", ".join([*(f"{x:.4g}" for x in self.q[:MOST_SHOWN]), *["..."][: len(self.q) > MOST_SHOWN]])
        motors = f"{len(self.active)} of {self.robot.nv} components have motors"
        return f"<Cost of {self.robot.name!r}: goal [{goal}], {motors}>"

    def deviation(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """x = [difference(goal, q); v], (..., 2 nv)."""
        return np.concatenate(np.broadcast_arrays(self.robot.difference(self.q, q), np.asarray(v, float)), axis=-1)

    def of(self, q: np.ndarray, v: np.ndarray, u: np.ndarray, step: float, S: np.ndarray) -> np.ndarray:
        """J of motions: q and v (..., steps + 1, n), the motors' forces u (..., steps, motors), S of the last state."""
        x, du = self.deviation(q, v), u - self.tau[self.active]
        before, last = x[..., :-1, :], x[..., -1, :]
        running = np.einsum("...ti,...ti->...", before @ self.Q, before) + np.einsum(
            "...ti,...ti->...", du @ self.R, du
        )
        return np.asarray(step * running + np.einsum("...i,...i->...", last @ S, last)) / 2

    def turned(self, q: np.ndarray) -> np.ndarray | None:
        """∂x/∂(small motion of the state), (..., 2 nv, 2 nv); None where that is the identity: without quaternions."""
        if self.robot.nq == self.robot.nv:
            return None
        nv = self.robot.nv
        _, columns = self.robot.jvp("difference", (self.q, q[..., None, :]), (None, np.eye(nv)))
        E = np.zeros((*q.shape[:-1], 2 * nv, 2 * nv))
        E[..., :nv, :nv], E[..., nv:, nv:] = columns.mT, np.eye(nv)
        return E


def in_places(cost: Cost, u: np.ndarray) -> np.ndarray:
    """Motors' forces (..., motors) in their places among the joint forces, (..., nv)."""
    tau = np.zeros((*u.shape[:-1], cost.robot.nv))
    tau[..., cost.active] = u
    return tau


def checked_cost(cost: Any, of: str) -> Cost:
    """The cost, if it is one; `of` is who asks."""
    if not isinstance(cost, Cost):
        raise ArgumentError(f"{of} takes a Cost, got {type(cost).__name__}")
    return cost


def _finite(name: str, x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if x.shape != shape or not np.isfinite(x).all():
        raise ArgumentError(f"Cost: {name} must be finite numbers {shape}, got {x!r:.80}")
    return x
