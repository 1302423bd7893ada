"""What filter and smoother found, link by link, printable beside the symbols of textbooks on Kalman filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.robot import Robot

FILTER_TITLE = "link, tip to base      |x⁻|=|z|    tr P⁻=tr P    y=T          e=ε          S=D         |K|=|G|"
SMOOTHER_TITLE = "link, base to tip      |λ|=|α|     θ̈            |xˢ|=|f|     tr Pˢ=tr(P-PΥP)"


@final
@dataclass(frozen=True, eq=False)
class FilterResult:
    """The filter's results, 003 (9.3)-(9.10). Links are in storage order, base to tip, at their frames in their axes.

    robot      whose links and joints these are; hidden links are among them
    T          (..., nv)           measurements y: joint forces
    z          (..., links, 6)     predicted states x⁻: link forces before the joint's own force is known
    P          (..., links, 6, 6)  their covariances P⁻: articulated inertias
    epsilon    (..., nv)           innovations e = y - H x⁻
    D          (..., nv, nv)       their covariances S, block diagonal
    G          (..., links, 6, nv) gains K; a link's own columns alone are not zero
    z_plus     (..., links, 6)     corrected states x⁺ = z + G ε
    P_plus     (..., links, 6, 6)  their covariances P⁺
    nu         (..., nv)           D⁻¹ ε: accelerations if all joints inboard were locked
    log_likelihood  (...)          ln p(T) = -(ln det M + T* M⁻¹ T + nv ln 2π) / 2

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> filtered = sd.estimation.RandomField(arm, [0.3, 0.5]).filter([2.0, -1.0])
    >>> bool(np.allclose(filtered.P, arm.articulated_inertias([0.3, 0.5])))
    True
    """

    robot: Robot
    T: np.ndarray
    z: np.ndarray
    P: np.ndarray
    epsilon: np.ndarray
    D: np.ndarray
    G: np.ndarray
    z_plus: np.ndarray
    P_plus: np.ndarray
    nu: np.ndarray
    log_likelihood: np.ndarray

    def __str__(self) -> str:
        return "\n".join([FILTER_TITLE, *(self._row(k) for k in reversed(range(len(self.robot.link_names))))])

    def _row(self, k: int) -> str:
        dofs = self.robot.model.v_slices[k]
        G = _first(self.G, 3)[k][:, dofs]
        return (
            f"{self.robot.link_names[k]:<22.22} {np.linalg.norm(_first(self.z, 2)[k]):<11.4g} "
            f"{np.trace(_first(self.P, 3)[k]):<13.4g} {_few(_first(self.T, 1)[dofs])} "
            f"{_few(_first(self.epsilon, 1)[dofs])} {_few(np.diag(_first(self.D, 2)[dofs, dofs]), 11)} "
            f"{np.linalg.norm(G):.4g}"
        )


@final
@dataclass(frozen=True, eq=False)
class SmootherResult:
    """The smoother's results, 003 (9.11)-(9.14), in the manner of `FilterResult`.

    filtered    what the filter found before
    alpha       (..., links, 6)     costates -λ: link accelerations
    theta_ddot  (..., nv)           smoothing errors u = S⁻¹ e - K* λ⁺: joint accelerations, M⁻¹ T
    f           (..., links, 6)     smoothed states xˢ = x⁻ + P⁻ α: link forces
    covariance  (..., links, 6, 6)  their errors' covariances Pˢ = P - P Υ P

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> smoothed = sd.estimation.RandomField(arm, [0.3, 0.5]).smooth([2.0, -1.0])
    >>> bool(np.allclose(arm.mass_matrix([0.3, 0.5]) @ smoothed.theta_ddot, [2.0, -1.0]))
    True
    """

    filtered: FilterResult
    alpha: np.ndarray
    theta_ddot: np.ndarray
    f: np.ndarray
    covariance: np.ndarray

    def __str__(self) -> str:
        robot = self.filtered.robot
        rows = [
            f"{name:<22.22} {np.linalg.norm(_first(self.alpha, 2)[k]):<11.4g} "
            f"{_few(_first(self.theta_ddot, 1)[robot.model.v_slices[k]])} "
            f"{np.linalg.norm(_first(self.f, 2)[k]):<12.4g} {np.trace(_first(self.covariance, 3)[k]):.4g}"
            for k, name in enumerate(robot.link_names)
        ]
        return "\n".join([SMOOTHER_TITLE, *rows])


def _first(x: np.ndarray, core: int) -> np.ndarray:
    """The first state of a batch."""
    return np.asarray(x.reshape(-1, *x.shape[x.ndim - core :])[0])


def _few(x: np.ndarray, width: int = 12) -> str:
    text = ",".join(f"{value:.4g}" for value in x[:2]) + (",.." if len(x) > 2 else "")
    return f"{text:<{width}}"
