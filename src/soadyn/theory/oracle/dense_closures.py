"""Closures for the dense oracle: errors and Jacobians row by row in one inertial frame, forces by one dense system."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.fork_safe import cached_property
from soadyn.mechanics.joint import KINDS
from soadyn.model.closures import Anchor, Closure, Coupling
from soadyn.model.model import Model
from soadyn.theory.oracle.dense_geometry import Matrix, rigid, six
from soadyn.theory.oracle.dense_robot import DenseRobot

# Of what is left free: slides along axes of x, and pairs of an axis of x and one of y that stay across each other.
ROWS = MappingProxyType(
    {
        "": "x y z yz zx xy",
        "rx ry rz": "x y z",
        "rz": "x y z xz yz",
        "rx": "x y z yx zx",
        "ry": "x y z xy zy",
        "rx ry": "x y z xy",
        "rx rz": "x y z xz",
        "ry rz": "x y z yz",
        "z": "x y yz zx xy",
        "z rz": "x y xz yz",
        "x y rz": "z xz yz",
        "x y rx ry rz": "z",
        "z rx ry rz": "x y",
        "x y z rz": "xz yz",
    }
)
STEP = 1e-30


@final
class DenseClosures:
    """The closures of a model at one state: Φ, J_c, J̇_c v, and the motion that they leave.

    >>> import numpy as np
    >>> from soadyn.model.builder import assemble, chain
    >>> DenseClosures(assemble(chain(2)), np.zeros(2)).jacobian.shape
    (0, 2)
    """

    def __init__(self, model: Model, q: ArrayLike, v: ArrayLike | None = None) -> None:
        self.model, self.dense = model, DenseRobot(model, q, v)

    @cached_property
    def error(self) -> Matrix:
        return np.array([phi for each in self.model.closures for phi, _ in self._rows(each)])

    @cached_property
    def jacobian(self) -> Matrix:
        rows = [row for each in self.model.closures for _, row in self._rows(each)]
        return np.array(rows).reshape(len(rows), self.model.nv)

    @cached_property
    def drift(self) -> Matrix:
        """J̇_c v by a complex step of J_c along v."""
        q, v = self.dense.q, self.dense.v
        ahead = q + 1j * STEP * coordinate_rates(self.model, q, v)
        return DenseClosures(self.model, ahead).jacobian.imag / STEP @ v

    @cached_property
    def inertia_inverse(self) -> Matrix:
        return self.jacobian @ np.linalg.solve(self.dense.mass_matrix, self.jacobian.T)

    def forward_dynamics(self, tau: ArrayLike, external: Any = None) -> tuple[Matrix, Matrix]:
        """Accelerations, and the forces of least norm: M a - J_c* λ = T - C,  J_c a = - J̇_c v."""
        M, J, rows = self.dense.mass_matrix, self.jacobian, len(self.error)
        L = np.linalg.cholesky(M)
        W = np.linalg.solve(L, J.T)  # rows of J_c in the mass metric
        free = np.linalg.solve(M, np.asarray(tau) - self.dense.bias_force(external))
        forces = np.linalg.lstsq(W.T @ W, -self.drift - J @ free, rcond=1e-13)[0] if rows else np.zeros(0)
        # The motion itself from the better conditioned W: x = L* (a - a_free) is the shortest with W* x = r.
        moved = np.linalg.lstsq(W.T, -self.drift - J @ free, rcond=1e-11)[0] if rows else np.zeros(len(M))
        return free + np.linalg.solve(L.T, moved), forces

    # One closure

    def _rows(self, each: Closure | Coupling) -> list[tuple[Any, Matrix]]:
        """Φ and the row of J_c, row by row."""
        return [self._coupled(each)] if isinstance(each, Coupling) else self._cut(each)

    def _coupled(self, coupling: Coupling) -> tuple[Any, Matrix]:
        phi, row = 0.0, np.zeros(self.model.nv, dtype=self.dense.q.dtype)
        for joint, poly in coupling.terms:
            (theta,) = self.dense.q[self.model.q_slices[joint - 1]]
            polynomial = np.polynomial.Polynomial(poly)
            phi = phi + polynomial(theta)
            row[self.model.v_slices[joint - 1]] += polynomial.deriv()(theta)
        return phi, row

    def _cut(self, closure: Closure) -> list[tuple[Any, Matrix]]:
        X, Y = self._pose(closure.x), self._pose(closure.y)
        p_x, p_y = X[:3, 3], Y[:3, 3]
        twist = self._moved(closure.y.link, p_y) - self._moved(closure.x.link, p_y)  # V_δ at y
        turn, slide = twist[:3], twist[3:]
        p = p_y - p_x

        def slid(n: Matrix) -> tuple[Any, Matrix]:
            return n @ p, n @ slide

        def crossed(n: Matrix, m: Matrix) -> tuple[Any, Matrix]:
            return n @ m, np.cross(m, n) @ turn

        x, y = ({"xyz"[i]: T[:3, i] for i in range(3)} for T in (X, Y))
        match closure.kind:
            case "distance":
                length = np.sqrt(p @ p)
                return [(length - closure.figure, p / length @ slide)]
            case "rolling":
                touching = slide + np.cross(turn.T, -closure.figure * x["z"]).T
                height, rate = slid(x["z"])
                return [(height - closure.figure, rate), (0.0, x["x"] @ touching), (0.0, x["y"] @ touching)]
            case "helical":
                rows = [slid(x["x"]), slid(x["y"]), crossed(x["x"], y["z"]), crossed(x["y"], y["z"])]
                (c, dc), (s, ds) = crossed(x["x"], y["x"]), crossed(x["y"], y["x"])
                height, rate = slid(x["z"])
                turns = np.exp(1j * (height.real / closure.figure)) / (c.real + 1j * s.real)
                wrapped = closure.figure * np.angle(turns) + 0j
                d_height, d_angle = height.imag, (c.real * s.imag - s.real * c.imag) / (c.real**2 + s.real**2)
                wrapped += 1j * (d_height - closure.figure * d_angle)
                phi = wrapped if np.iscomplexobj(p) else wrapped.real
                return [*rows, (phi, rate - closure.figure * (c * ds - s * dc) / (c * c + s * s))]
        named = ROWS[" ".join(closure.free)]
        return [slid(x[name]) if len(name) == 1 else crossed(x[name[0]], y[name[1]]) for name in named.split()]

    def _pose(self, anchor: Anchor) -> Matrix:
        carrier = self.dense.link_poses[anchor.link - 1] if anchor.link else np.eye(4)
        return carrier @ anchor.placement.matrix()

    def _moved(self, link: int, p: Matrix) -> Matrix:
        """The Jacobian of a link's motion at a point, 6 x N."""
        if not link:
            return np.zeros((6, self.model.nv))
        return rigid(p - self.dense.origins[link - 1]).T @ self.dense.H_phi.T[six(link - 1)]


def coordinate_rates(model: Model, q: Matrix, v: Matrix) -> Matrix:
    """q̇ of joint rates v."""
    parts = [
        KINDS[joint.kind].rates(q[at], v[along])
        for joint, at, along in zip(model.joints, model.q_slices, model.v_slices, strict=True)
    ]
    return np.concatenate([np.zeros(0), *parts])
