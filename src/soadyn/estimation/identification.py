"""Inertial parameters from motions and torques: weighted, in base parameters, physically possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.estimation.identifiability import Told
from soadyn.estimation.physical import parameters_of, possible, possible_fit, pseudo_inertia
from soadyn.estimation.regression import EXPLAINED, Columns, independent_columns, joint_weights, samples
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.checked import checked_robot

HINT = "record a longer or richer motion (sd.estimation.design_excitation makes one), or ask for fewer terms"
USED_UP = 1e-9  # of a joint's equations, or of its share in a variance: less is rounding


@final
@dataclass(frozen=True, eq=False)
class IdentificationResult:
    """What `sd.estimation.identify` found.

    robot        the robot with the identified bodies, all physically possible
    joints       {"coulomb" | "viscous" | "offset" | "armature": (nv,)}, the joints' own terms that were asked for
    torque_std   (nv,) what is left unexplained, by joint; NaN where a joint's equations are all used up by unknowns
    base_names, base, base_std   base parameters by plain weighted least squares, and their standard deviations;
                 infinite where nothing tells the noise
    condition    of the weighted regressor of base parameters and joints' terms, its columns scaled to length one
    loss         by how much the misfit grew because bodies must be possible, relative; torques without noise count as
                 if they had some, 1e-8 of their size

    >>> import numpy as np, soadyn as sd
    >>> arm, rng = sd.load("planar_two_link"), np.random.default_rng(0)
    >>> q, v, a = rng.standard_normal((3, 200, 2))
    >>> found = sd.estimation.identify(arm, q, v, a, arm.inverse_dynamics(q, v, a) + 0.3 * v, terms=("viscous",))
    >>> found.joints["viscous"].round(3).tolist(), bool(found.torque_std.max() < 1e-3)
    ([0.3, 0.3], True)
    """

    robot: Robot
    joints: dict[str, np.ndarray]
    torque_std: np.ndarray
    base_names: tuple[str, ...]
    base: np.ndarray
    base_std: np.ndarray
    condition: float
    loss: float

    def torques(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
        """What the identified robot and its joints' own terms say of the torques, (..., nv)."""
        space = self.robot.engine.coordinates
        v, a = arguments.joint_vector(space, v, "v"), arguments.joint_vector(space, a, "a")
        of_bodies = self.robot.inverse_dynamics(q, v, a)
        columns = Columns.of(self.robot, tuple(self.joints)).matrix(v, a)
        own = np.concatenate([np.zeros(0), *self.joints.values()])
        return np.asarray(of_bodies + columns @ own)


def identify(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    tau: ArrayLike,
    terms: Sequence[str] = ("coulomb", "viscous", "offset"),
) -> IdentificationResult:
    """Bodies, friction and rotors of a robot from a recording: q, v, a, tau of shape (samples, ...).

    tau = Y(q, v, a) π + coulomb tanh(v / 0.01 rad/s) + viscous v + offset + armature a. `robot` gives kinematics and
    gravity, and where torques say nothing the bodies; armature it has itself counts as known. A recording that does not
    tell every base parameter and term is refused, with the names of those it leaves open.

    >>> import numpy as np, soadyn as sd
    >>> arm, rng = sd.load("planar_two_link"), np.random.default_rng(0)
    >>> q, v, a = rng.standard_normal((3, 200, 2))
    >>> tau = arm.inverse_dynamics(q, v, a) + 0.3 * v + 0.01 * rng.standard_normal((200, 2))
    >>> found = sd.estimation.identify(arm, q, v, a, tau, terms=("viscous",))
    >>> found.joints["viscous"].round(2)
    array([0.3, 0.3])
    """
    q, v, a, tau = _recording(robot, q, v, a, tau)
    own = Columns.of(robot, terms)
    W = np.concatenate([robot.inertia_regressor(q, v, a), own.matrix(v, a)], axis=-1)
    y = tau - a * robot.armature
    chosen, names = independent_columns(robot, own)
    Told.of(W[..., chosen].reshape(-1, len(chosen)), names).check("identify", HINT)
    sigma = joint_weights(W[..., chosen], y, robot.nv)
    plain, std, condition, freedom = _least_squares(W[..., chosen], y, sigma)
    # Torques without noise must not outweigh by more than rounding allows what stands for the bodies they leave open.
    weight = np.maximum(sigma, EXPLAINED * np.sqrt((y**2).mean(0)))
    x = possible_fit(possible_bodies(robot), W / weight[:, None], y / weight, own.never_negative(robot.nv))
    left, least = y - W @ x, y - W[..., chosen] @ plain
    misfit = [float(np.sum((part / weight) ** 2)) for part in (left, least)]
    misfit = [x + len(y) * float((weight > sigma).sum()) for x in misfit]  # as if rounding were noise
    count = 10 * len(robot.link_names)
    return IdentificationResult(
        robot.with_inertial_parameters(x[:count]),
        own.split(x[count:], robot.nv),
        np.sqrt((left**2).sum(0) / freedom),
        names,
        plain,
        std,
        condition,
        misfit[0] / misfit[1] - 1,
    )


def _recording(robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike) -> list[np.ndarray]:
    checked_robot(robot, "identify", moving=True)
    sizes = {"q": robot.nq, "v": robot.nv, "a": robot.nv, "tau": robot.nv}
    return samples("identify", sizes, (q, v, a, tau))


def _least_squares(W: np.ndarray, y: np.ndarray, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, np.ndarray]:
    """Estimates, their standard deviations, the condition number with columns of length one, and degrees of freedom.

    Of a joint's n equations Σ h are used up by the estimates, h the diagonal of A A⁺. The rest, (nv,), tells the
    joint's σ² = Σ left²/(n - Σ h); where none is left, NaN, σ is not known, and estimates that lean on the joint
    have infinite deviations.
    """
    A, b = (W / sigma[:, None]).reshape(-1, W.shape[-1]), (y / sigma).reshape(-1)
    length = np.linalg.norm(A, axis=0)
    U, s, Vt = np.linalg.svd(A / length, full_matrices=False)
    x = Vt.T @ ((U.T @ b) / s) / length
    freedom = len(W) - (U**2).reshape(*y.shape, -1).sum((0, 2))
    freedom = np.where(freedom > USED_UP * len(W), freedom, np.nan)
    spread = np.nan_to_num((((y - W @ x) / sigma) ** 2).sum(0) / freedom, nan=np.inf)
    shares = ((Vt.T / s @ U.T) ** 2).reshape(-1, *y.shape).sum(1)  # of each joint in an estimate's variance
    leans = shares > USED_UP * shares.sum(1, keepdims=True)
    variance = np.multiply(shares, spread, where=leans, out=np.zeros_like(shares)).sum(1)
    return x, np.sqrt(variance) / length, float(s[0] / s[-1]), freedom


def possible_bodies(robot: Robot, share: float = 1e-6) -> np.ndarray:
    """The robot's bodies, (links, 10); those that cannot exist, or hardly, made to by raising Σ's eigenvalues."""
    bodies = robot.inertial_parameters().reshape(-1, 10)
    size, axes = np.linalg.eigh(pseudo_inertia(bodies))
    lowest = np.maximum(share * size[..., -1:], 1e-8)
    raised = (axes * np.maximum(size, lowest)[..., None, :]) @ axes.mT
    return np.where(possible(bodies, share)[:, None], bodies, parameters_of(raised))
