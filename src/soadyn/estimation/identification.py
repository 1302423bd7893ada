"""Inertial parameters from motions and torques: weighted, in base parameters, physically possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.estimation.base_parameters import base_parameters
from soadyn.estimation.physical import from_log_cholesky, log_cholesky, parameters_of, possible, pseudo_inertia
from soadyn.estimation.regression import Columns, joint_weights
from soadyn.evaluation import arguments
from soadyn.model.bodies import Body
from soadyn.robot import Robot
from soadyn.simulation.inputs import checked_robot

# How much a body may be pulled towards the given one where torques say nothing, in standard deviations of θ.
LOOSE = 1e-3


@final
@dataclass(frozen=True, eq=False)
class Identified:
    """What `sd.estimation.identify` found.

    robot        the robot with the identified bodies, all physically possible
    joints       {"coulomb" | "viscous" | "offset" | "armature": (nv,)}, the joints' own terms that were asked for
    torque_std   (nv,) what is left unexplained, by joint
    base_names, base, base_std   base parameters by plain weighted least squares, and their standard deviations
    condition    of the weighted regressor of base parameters and joints' terms, its columns scaled to length one
    loss         by how much the misfit grew because bodies must be possible, relative
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
        v, a = np.asarray(v, dtype=float), np.asarray(a, dtype=float)
        columns = Columns.of(self.robot, tuple(self.joints)).matrix(v, a)
        own = np.concatenate([np.zeros(0), *self.joints.values()])
        return np.asarray(self.robot.inverse_dynamics(q, v, a) + columns @ own)


def identify(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    tau: ArrayLike,
    terms: Sequence[str] = ("coulomb", "viscous", "offset"),
) -> Identified:
    """Bodies, friction and rotors of a robot from a recording: q, v, a, tau of shape (samples, ...).

    tau = Y(q, v, a) π + coulomb sign(v) + viscous v + offset + armature a. `robot` gives the kinematics, gravity, and
    where torques say nothing the bodies; armature it has itself counts as known.

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
    base = base_parameters(robot)
    count = robot.inertial_parameters().size
    reduced = np.concatenate([W[..., base.chosen], W[..., count:]], axis=-1)
    sigma = joint_weights(reduced, y, robot.nv)
    plain, std, condition = _least_squares(reduced, y, sigma)
    possible_ones, extra = _possible(robot, W, y, sigma, count)
    misfit = [
        float(np.sum(((y - X @ x) / sigma) ** 2))
        for X, x in ((reduced, plain), (W, np.concatenate([possible_ones, extra])))
    ]
    left = y - W @ np.concatenate([possible_ones, extra])
    nb = len(base.names)
    return Identified(
        with_parameters(robot, possible_ones),
        own.split(extra, robot.nv),
        np.sqrt((left**2).mean(0)),
        (*base.names, *own.names),
        plain,
        std,
        condition,
        misfit[1] / misfit[0] - 1 if nb and misfit[0] > 0 else 0.0,
    )


def _recording(robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike) -> list[np.ndarray]:
    space = checked_robot(robot, "identify").engine.coordinates
    rates = {name: arguments.joint_vector(space, x, name) for name, x in (("v", v), ("a", a), ("tau", tau))}
    found = [arguments.coordinates(space, q), *rates.values()]
    shapes = {x.shape[:-1] for x in found}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        raise ArgumentError(
            f"a recording has one row of q, v, a and tau for each sample; got {[x.shape for x in found]}"
        )
    if not all(np.isfinite(x).all() for x in found):
        raise ArgumentError("the recording holds numbers that are not finite")
    return found


def _least_squares(W: np.ndarray, y: np.ndarray, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Estimates, their standard deviations, and the condition number with columns of length one."""
    A, b = (W / sigma[:, None]).reshape(-1, W.shape[-1]), (y / sigma).reshape(-1)
    length = np.linalg.norm(A, axis=0)
    if (length == 0).any() or np.linalg.cond(A / length) > 1e12:
        raise ArgumentError(
            "the motion does not excite all base parameters and joints' terms: some columns of the regressor vanish or "
            "depend on each other; record a richer motion (sd.estimation.excitation makes one)"
        )
    U, s, Vt = np.linalg.svd(A / length, full_matrices=False)
    x = Vt.T @ ((U.T @ b) / s) / length
    return x, np.sqrt(((Vt.T / s) ** 2).sum(1)) / length, float(s[0] / s[-1])


def _possible(
    robot: Robot, W: np.ndarray, y: np.ndarray, sigma: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """The best fit among bodies that can exist: least squares over θ, the joints' terms being linear.

    Where torques say nothing θ stays near that of the given robot, by a weak pull.
    """
    from scipy.optimize import least_squares

    A = (W / sigma[:, None]).reshape(-1, W.shape[-1])
    Q, R = np.linalg.qr(A)
    z = Q.T @ (y / sigma).reshape(-1)
    start = possible_bodies(robot)
    theta0 = np.stack([log_cholesky(x) for x in start])
    own = np.linalg.lstsq(R[:, count:], z - R[:, :count] @ start.reshape(-1), rcond=None)[0]
    pull = LOOSE * np.sqrt(len(y))
    scale = np.concatenate([np.ones(count), np.maximum(np.linalg.norm(R[:, count:], axis=0), 1e-12)])

    def misfit(x: np.ndarray) -> np.ndarray:
        bodies, _ = from_log_cholesky(x[:count].reshape(-1, 10))
        left = R[:, :count] @ bodies.reshape(-1) + R[:, count:] @ (x[count:] / scale[count:]) - z
        return np.concatenate([left, pull * (x[:count] - theta0.reshape(-1))])

    def slope(x: np.ndarray) -> np.ndarray:
        _, d = from_log_cholesky(x[:count].reshape(-1, 10))
        bodies = np.zeros((count, count))
        for k, block in enumerate(d):
            bodies[10 * k : 10 * k + 10, 10 * k : 10 * k + 10] = block
        fit = np.concatenate([R[:, :count] @ bodies, R[:, count:] / scale[count:]], axis=1)
        return np.concatenate([fit, pull * np.eye(count, fit.shape[1])])

    first = np.concatenate([theta0.reshape(-1), own * scale[count:]])
    found = least_squares(misfit, first, slope, method="trf", x_scale="jac", max_nfev=300).x
    return from_log_cholesky(found[:count].reshape(-1, 10))[0].reshape(-1), found[count:] / scale[count:]


def possible_bodies(robot: Robot, share: float = 1e-6) -> np.ndarray:
    """The robot's bodies, (links, 10); those that cannot exist, or hardly, made to by raising Σ's eigenvalues."""
    bodies = robot.inertial_parameters().reshape(-1, 10)
    size, axes = np.linalg.eigh(pseudo_inertia(bodies))
    lowest = np.maximum(share * size[..., -1:], 1e-8)
    raised = (axes * np.maximum(size, lowest)[..., None, :]) @ axes.mT
    return np.where(possible(bodies, share)[:, None], bodies, parameters_of(raised))


def with_parameters(robot: Robot, parameters: ArrayLike) -> Robot:
    """The robot with other bodies, given as `inertial_parameters()` gives them, (10 links,).

    >>> import soadyn as sd
    >>> arm = sd.load("ur5")
    >>> sd.estimation.with_parameters(arm, 2 * arm.inertial_parameters()).total_mass / arm.total_mass
    2.0
    """
    model = checked_robot(robot, "with_parameters").model
    x = np.asarray(parameters, dtype=float)
    if x.shape != (10 * len(model.visible),):
        raise ArgumentError(f"parameters has shape {x.shape}; expected ten for each of {len(model.visible)} links")
    links = list(model.links)
    for k, (m, *h_J) in zip(model.visible, x.reshape(-1, 10), strict=True):
        c = np.array(h_J[:3]) / m if m else np.zeros(3)
        xx, xy, yy, xz, yz, zz = h_J[3:]
        body = Body.about_origin(m, c, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        links[k - 1] = replace(links[k - 1], mass=body.mass, com=body.com, inertia=body.inertia)
    return Robot(replace(model, links=tuple(links)), robot.backend)
