"""A robot brought to rest through its normalized rates (000 Control 8.1).

    ε = -c ν,    that is T = -m c m* v:        d/dt ½ ν* ν = -ν* c ν

With passive joints T_p = 0 and T_a = -m_a c m_a* v_a, where m_a m_a* = S_aa is the mass matrix that the motors feel.
The paper leaves gravity out; here the feedback cancels it, which motors can do only where every joint has one.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import PassiveLike
from soadyn.robot import Robot
from soadyn.simulation.inputs import checked_robot, real


class NormalizedDamping:
    """The force -m c m* v of the motors, gravity cancelled, within bounds."""

    def __init__(
        self, robot: Robot, gain: ArrayLike, passive: PassiveLike = (), effort: ArrayLike | None = None
    ) -> None:
        own = type(self).__name__
        self.robot: Any = checked_robot(robot, own)
        self.passive = arguments.one_passive_set(robot.engine.coordinates, passive, own)
        if self.passive.any() and robot.gravity.any():
            raise ArgumentError(
                f"{own}: gravity acts on the passive joints of robot {robot.name!r} and no motor can cancel it there; "
                "take robot.with_gravity([0, 0, 0])"
            )
        self.active = ~self.passive
        self.gain = positive_matrix("gain", gain, int(self.active.sum()), own)
        self.effort = None
        if effort is not None:
            self.effort = real("effort", effort, robot.nv, meaning="the largest joint forces", of=own)

    def damping(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """-m c m* v, (..., nv)."""
        if not self.passive.any():
            nu = self.robot.normalized_rates(q, v)
            return -np.asarray(self.robot.forces_from_normalized(q, self._gained(nu)))
        m = np.linalg.cholesky(self.robot.actuation_matrices(q, self.passive)[0])
        nu = (m.mT @ v[..., self.active, None])[..., 0]
        force = np.zeros((*np.broadcast_shapes(q.shape[:-1], v.shape[:-1]), self.robot.nv))
        force[..., self.active] = -(m @ self._gained(nu)[..., None])[..., 0]
        return force

    def dissipated(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """ν* c ν, (...): by so much the Lyapunov function falls in a second where no bound acts."""
        return -np.asarray((self.damping(np.asarray(q), np.asarray(v)) * v).sum(axis=-1))

    def _gained(self, nu: np.ndarray) -> np.ndarray:
        return np.asarray((self.gain @ nu[..., None])[..., 0])

    def _within(self, force: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """weight + s force with the largest s <= 1 that keeps the bounds, and s; the weight is never cut."""
        if self.effort is None:
            return weight + force, np.ones(force.shape[:-1])
        room = np.maximum(self.effort - np.sign(force) * weight, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(force == 0, np.inf, room / np.abs(force)).min(axis=-1)
        scale = np.minimum(scale, 1.0)
        return weight + scale[..., None] * force, scale

    def _weight(self, q: np.ndarray) -> np.ndarray:
        return np.asarray(self.robot.gravity_force(q)) if self.robot.gravity.any() else np.zeros(self.robot.nv)


@final
class RateFeedback(NormalizedDamping):
    """Joint forces (t, q, v) -> (..., nv) that bring a robot to rest; give it to `simulate` as `torque`.

    gain: c, a positive number or matrix, 1/s; `passive` are joints without a motor.
    effort: the largest joint forces (nv,). Beyond them T is scaled as a whole, so that energy still falls.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> run = sd.simulate(arm, [0.3, 0.4], [1.0, -2.0], torque=sd.control.RateFeedback(arm, 2.0), duration=1.0)
    >>> energy = arm.kinetic_energy(run.q, run.v)
    >>> bool((energy[1:] < energy[:-1]).all()), bool(energy[-1] < 0.02 * energy[0])
    (True, True)
    """

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return self._within(self.damping(q, v), self._weight(q))[0]

    def lyapunov(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """½ ν* ν, (...): the kinetic energy."""
        return np.asarray(self.robot.kinetic_energy(q, v))


def positive_matrix(name: str, x: ArrayLike, size: int, of: str) -> np.ndarray:
    """A symmetric positive matrix (size, size), from a number, a diagonal (size,) or itself."""
    array = np.asarray(x, dtype=float)
    full = array * np.eye(size) if array.ndim == 0 else np.diag(array) if array.shape == (size,) else array
    if full.shape != (size, size) or not np.isfinite(full).all() or np.abs(full - full.T).max(initial=0.0) > 0:
        raise ArgumentError(
            f"{of}: {name} must be a positive number, {size} of them, or a symmetric ({size}, {size}) matrix, "
            f"got {x!r:.60}"
        )
    if np.linalg.eigvalsh(full).min(initial=1.0) <= 0:
        raise ArgumentError(f"{of}: {name} must be positive definite, got {x!r:.60}")
    return full
