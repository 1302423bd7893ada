"""A robot's equations of motion as the arrays that Kalman software takes (003 Fig. 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.algebra import E_phi, H, M, a, b, phi
from soadyn.errors import ArgumentError, ShapeError
from soadyn.estimation.link_forces import link_inertias, with_every_link
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import real
from soadyn.robot.checked import checked_robot
from soadyn.robot.compiled import compile_formulas


@final
@dataclass(frozen=True, eq=False)
class KalmanModel:
    """x_k = Σ F_j x_j + u_k + w_k over the children j of k,  y_k = H_k x_k + v_k,  cov w_k = Q_k,  cov v_k = R_k.

    All lists run from the tips to the base: a link comes after its children, on a chain the parent of k is k + 1.

    links    names of the links
    parents  the place of each link's parent in these lists; -1 for links on the ground
    F        (links, 6, 6) transition from a link to its parent, φ(p, k); zero for links on the ground
    Q        (links, 6, 6) process noise, M(k)
    H        r(k) x 6 each, measurement, H(k)
    R        r(k) x r(k) each, measurement noise, A_r(k): armature
    u        (links, 6) known input: gyroscopic forces, and inertial forces of Coriolis accelerations and gravity
    dofs     the place in v of each link's measurements

    >>> import soadyn as sd
    >>> model = sd.estimation.build_kalman_model(sd.load("planar_two_link"), [0.3, 0.5], [0.0, 0.0])
    >>> model.parents, model.F.shape, model.Q.shape
    ((1, -1), (2, 6, 6), (2, 6, 6))
    """

    links: tuple[str, ...]
    parents: tuple[int, ...]
    F: np.ndarray
    Q: np.ndarray
    H: tuple[np.ndarray, ...]
    R: tuple[np.ndarray, ...]
    u: np.ndarray
    dofs: tuple[np.ndarray, ...]

    def measurements(self, tau: ArrayLike) -> tuple[np.ndarray, ...]:
        """Joint forces (nv,) as the measurements y_k."""
        size = sum(len(dofs) for dofs in self.dofs)
        y = real("tau", tau, size, meaning="joint forces", of="a Kalman model")
        if y.ndim != 1:
            raise ShapeError(f"argument 'tau' has shape {y.shape}; a Kalman model's measurements are of one sample")
        return tuple(y[dofs] for dofs in self.dofs)

    def joint_vector(self, y: tuple[np.ndarray, ...] | list[np.ndarray]) -> np.ndarray:
        """What belongs to each measurement, such as smoothing errors, in the order of v, (nv,)."""
        whole = np.zeros(sum(len(dofs) for dofs in self.dofs))
        for dofs, part in zip(self.dofs, y, strict=True):
            whole[dofs] = part
        return whole


def build_kalman_model(robot: Robot, q: ArrayLike, v: ArrayLike | None = None) -> KalmanModel:
    """The state-space model whose smoother does forward dynamics, at one state.

    Given y = tau a smoother returns link forces as smoothed states, link accelerations as costates and joint
    accelerations as smoothing errors u = S⁻¹ e - K* λ; docs/algebra/kalman.md hands it to another package.

    >>> import soadyn as sd
    >>> model = sd.estimation.build_kalman_model(sd.load("puma560"), [0.0] * 6, [0.1] * 6)
    >>> model.F.shape, model.H[0].shape, model.parents
    ((6, 6, 6), (1, 6), (1, 2, 3, 4, 5, -1))
    """
    robot = with_every_link(checked_robot(robot, "build_kalman_model", moving=True))
    space = robot.engine.coordinates
    q = arguments.coordinates(space, q)
    v = np.zeros(robot.nv) if v is None else arguments.joint_vector(space, v, "v")
    if q.ndim != 1 or v.ndim != 1:
        raise ArgumentError(f"build_kalman_model takes one state; q has shape {q.shape}, v {v.shape}")
    n, slices = len(robot.link_names), robot.model.v_slices
    order = range(n)[::-1]
    E = compile_formulas(E_phi, robot)(q).dense().reshape(n, 6, n, 6)
    h = compile_formulas(H, robot)(q).dense().reshape(-1, n, 6)
    u = compile_formulas(M @ phi.T @ a + b, robot)(q, v)
    parents = [robot.model.parents[k] - 1 for k in order]
    steps = [E[p, :, k] if p >= 0 else np.zeros((6, 6)) for k, p in zip(order, parents, strict=True)]
    return KalmanModel(
        tuple(robot.link_names[k] for k in order),
        tuple(n - 1 - p if p >= 0 else -1 for p in parents),
        np.array(steps),
        link_inertias(robot)[list(order)],
        tuple(np.ascontiguousarray(h[slices[k], k]) for k in order),
        tuple(np.diag(robot.armature[slices[k]]) for k in order),
        np.ascontiguousarray(u[list(order)]),
        tuple(np.r_[slices[k]] for k in order),
    )
