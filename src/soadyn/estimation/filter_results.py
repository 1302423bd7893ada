"""What filter and smoother found, link by link, printable beside the symbols of textbooks on Kalman filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.robot import Robot
from soadyn.view.display.tables import aligned, number

FILTER_HEAD = ("link, tip to base", "|x⁻|=|z|", "tr P⁻=tr P", "y=T", "e=ε", "S=D", "|K|=|G|")
SMOOTHER_HEAD = ("link, base to tip", "|λ|=|α|", "u=M⁻¹T", "|xˢ|=|f|", "tr Pˢ=tr(P-PΥP)")


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
        z, P, T, epsilon, D, G = map(_first, (self.z, self.P, self.T, self.epsilon, self.D, self.G), (2, 3, 1, 1, 2, 3))
        rows = [FILTER_HEAD]
        for k, dofs in reversed([*enumerate(self.robot.model.v_slices)]):
            norms = np.linalg.norm(z[k]), np.trace(P[k]), np.linalg.norm(G[k][:, dofs])
            size, trace, gain = map(number, norms)
            name, S = self.robot.link_names[k], np.diag(D[dofs, dofs])
            rows.append((name, size, trace, _few(T[dofs]), _few(epsilon[dofs]), _few(S), gain))
        return "\n".join(aligned(rows))


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
        alpha, theta_ddot, f, P = map(_first, (self.alpha, self.theta_ddot, self.f, self.covariance), (2, 1, 2, 3))
        rows = [SMOOTHER_HEAD]
        for k, name in enumerate(robot.link_names):
            size, force, trace = map(number, (np.linalg.norm(alpha[k]), np.linalg.norm(f[k]), np.trace(P[k])))
            rows.append((name, size, _few(theta_ddot[robot.model.v_slices[k]]), force, trace))
        return "\n".join(aligned(rows))


def _first(x: np.ndarray, core: int) -> np.ndarray:
    """The first state of a batch."""
    return np.asarray(x.reshape(-1, *x.shape[x.ndim - core :])[0])


def _few(x: np.ndarray) -> str:
    return ",".join(map(number, x[:2])) + (",.." if len(x) > 2 else "")
