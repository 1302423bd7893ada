"""Dynamics as estimation: inertial forces are white noise, joint forces are measurements (003 sections 5-10)."""

from __future__ import annotations

from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.algebra import D, G, H, K, Omega, P, P_plus, T, inv, mass, phi, psi, sqrt
from soadyn.algebra.defining import vector
from soadyn.algebra.expressions import Expression
from soadyn.algebra.factors import A, A_inverse
from soadyn.errors import ArgumentError, check_name
from soadyn.estimation.covariances import COVARIANCES
from soadyn.estimation.filter_results import FilterResult, SmootherResult
from soadyn.estimation.link_forces import FieldPoints, inertia_roots, points_of_links, with_every_link
from soadyn.model.poses import finite3
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import real, whole
from soadyn.robot.checked import checked_robot
from soadyn.robot.compiled import compile_formulas
from soadyn.robot.compiled.applied import Applied

_W = vector("W", "link force")
_ROOT = A @ sqrt(D)  # 003 (8.1): its square is the mass matrix
_INNOVATIONS = A_inverse @ T
_COSTATES = psi.T @ H.T @ inv(D) @ _INNOVATIONS


class FieldSample(NamedTuple):
    """Draws from the model of 003 (5.4): inertial forces W, link forces X (both (..., links, 6)), joint forces T.

    >>> import numpy as np, soadyn as sd
    >>> field = sd.estimation.RandomField(sd.load("planar_two_link"), [0.3, 0.5])
    >>> drawn = field.sample(np.random.default_rng(0), 1000)
    >>> drawn.W.shape, drawn.T.shape
    ((1000, 2, 6), (1000, 2))
    """

    W: np.ndarray
    X: np.ndarray
    T: np.ndarray


@final
class RandomField:
    """A robot at rest in q as a linear random model: X = φ W, T = H X + v with E[W W*] = M, E[v v*] = A_r.

    The links' inertias are covariances of white forces W, rotor inertias those of measurement noise v. The covariance
    of the joint forces T is the mass matrix (003 Lemma 2); a Kalman filter from tip to base whitens T, and its smoother
    gives the joint accelerations. Gravity and velocities are means, not covariances: T stands for
    tau - bias_force(q, v). q may have batch axes.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("puma560")
    >>> field = sd.estimation.RandomField(arm, np.full(6, 0.3))
    >>> tau = np.arange(6.0)
    >>> found = field.smooth(tau)
    >>> bool(np.allclose(found.theta_ddot, np.linalg.solve(arm.mass_matrix(np.full(6, 0.3)), tau)))
    True
    """

    def __init__(self, robot: Robot, q: ArrayLike) -> None:
        self.robot = with_every_link(checked_robot(robot, "RandomField"))
        meaning = f"the {self.robot.nq} coordinates of robot {robot.name!r}"
        self.q = real("q", q, self.robot.nq, meaning=meaning, of="a random field")

    def __repr__(self) -> str:
        return f"<RandomField of {self.robot.name!r} at q of shape {self.q.shape}>"

    # Covariances

    @property
    def names(self) -> tuple[str, ...]:
        """The variables whose covariances are known."""
        return tuple(COVARIANCES)

    def covariance(self, name: str) -> Applied:
        """The covariance of a variable as an operator at q: `@`, `.dense()`, `.block(link, link)`.

        The thirteen of 003 section 10 are W, X, T, z, X-z, epsilon, nu, alpha, theta_ddot, f, X-f, f-z and W_hat; then
        W-W_hat, and v_hat, v-v_hat of the measurement noise.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("puma560")
        >>> field = sd.estimation.RandomField(arm, arm.neutral())
        >>> bool(np.allclose(field.covariance("T").dense(), arm.mass_matrix(arm.neutral())))
        True
        """
        check_name("variable", name, COVARIANCES)
        return self._at(COVARIANCES[name].formula)

    def _at(self, formula: Expression) -> Applied:
        return compile_formulas(formula, self.robot)(self.q)

    # Samples

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> FieldSample:
        """W, X and T drawn from the model, batch axes of `size` in front.

        W is drawn with covariance M, link by link; 003 section 10 prints the mass matrix in its place.

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("puma560"), np.zeros(6))
        >>> field.sample(np.random.default_rng(0), 1000).T.shape
        (1000, 6)
        """
        white = self._white(rng, size, len(self.robot.link_names), 6)
        W = (inertia_roots(self.robot) @ white[..., None])[..., 0]
        X, HX = compile_formulas([phi @ _W, H @ phi @ _W], self.robot)(self.q, W=W)
        v = self._white(rng, size, self.robot.nv) * np.sqrt(self.robot.armature)
        return FieldSample(W, X, HX + v)

    def sample_forces(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Joint forces drawn from N(0, M), M the mass matrix: (I + H φ K) D^½ times white noise, (..., nv)."""
        return self._at(_ROOT) @ self._white(rng, size, self.robot.nv)

    def sample_accelerations(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Joint accelerations drawn from N(0, M⁻¹): (I - H ψ K)* D^-½ times white noise, (..., nv).

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("puma560"), np.zeros(6))
        >>> field.sample_accelerations(np.random.default_rng(0), 10).shape
        (10, 6)
        """
        return self._at(A_inverse.T @ inv(sqrt(D)).T) @ self._white(rng, size, self.robot.nv)

    def _white(self, rng: Any, size: int | tuple[int, ...], *each: int) -> np.ndarray:
        """White noise (*size, ..., *each), with the batch axes of q."""
        if not isinstance(rng, np.random.Generator):
            raise ArgumentError(f"samples are drawn with a numpy.random.Generator, got {type(rng).__name__}")
        sizes = size if isinstance(size, tuple | list) else (size,)
        return rng.standard_normal((*(whole("size", n, 0) for n in sizes), *self.q.shape[:-1], *each))

    # The field itself

    def points(self) -> FieldPoints:
        """Point masses with the links' inertias, six in each: where a density that gives M(k) may be concentrated.

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("ur5"), np.zeros(6))
        >>> bool(np.isclose(field.points().masses.sum(), field.robot.total_mass))
        True
        """
        return points_of_links(self.robot)

    def kernel(self, link: str, x: ArrayLike) -> np.ndarray:
        """H(k) φ(k, x) B, (..., nv, 3): the joint forces that a unit force at x makes, both in axes of the link.

        003 section 5; x (3,) is a place in a link or any other frame of the robot.

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("planar_two_link"), [0.0, 0.5])
        >>> field.kernel("link2", [1.0, 0.0, 0.0]).round(3)[:, 0]
        array([0.479, 0.   ])
        """
        here = np.eye(4)
        here[:3, 3] = finite3(x, "the place x")
        return np.ascontiguousarray(self.robot.jacobian(self.q, (link, here), axes="local")[..., 3:, :].mT)

    def sample_points(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """The field w(x) at `points()`, (..., points, 3) in axes of their links: white, E[w w*] = ρ δ(x - y).

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("ur5"), np.zeros(6))
        >>> field.sample_points(np.random.default_rng(0), 5).shape
        (5, 36, 3)
        """
        masses = self.points().masses
        return self._white(rng, size, len(masses), 3) * np.sqrt(masses)[:, None]

    # Estimates

    def filter(self, tau: ArrayLike) -> FilterResult:
        """The Kalman filter from the tips to the base, 003 (9.3)-(9.10), for joint forces (..., nv).

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("planar_two_link"), [0.1, 0.2])
        >>> print(field.filter([1.0, 2.0]))
        link, tip to base  |x⁻|=|z|  tr P⁻=tr P  y=T  e=ε    S=D     |K|=|G|
        link2              0         3.667       2    2      0.3333  1.803
        link1              5.78      8.51        1    -3.94  0.6129  1.635
        """
        tau = arguments.joint_vector(self.robot.engine.coordinates, tau, "tau")
        z, epsilon, nu = compile_formulas([psi @ K @ T, _INNOVATIONS, inv(D) @ _INNOVATIONS], self.robot)(self.q, tau)
        gain, links = self._at(G).dense(), len(self.robot.link_names)
        z_plus = z + (gain @ epsilon[..., None])[..., 0].reshape(z.shape)
        D_dense = self._at(D).dense()
        chance = np.linalg.slogdet(D_dense)[1] + (epsilon * nu).sum(-1) + self.robot.nv * np.log(2 * np.pi)
        return FilterResult(
            self.robot, tau, z, self._blocks(P), epsilon, D_dense,
            gain.reshape(*gain.shape[:-2], links, 6, self.robot.nv), z_plus, self._blocks(P_plus), nu, -chance / 2,
        )  # fmt: skip

    def smooth(self, tau: ArrayLike) -> SmootherResult:
        """Filter and Bryson-Frazier smoother, 003 (9.3)-(9.14): link and joint accelerations, link forces.

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("planar_two_link"), [0.1, 0.2])
        >>> field.smooth([1.0, 2.0]).f.shape
        (2, 6)
        """
        filtered = self.filter(tau)
        found = compile_formulas([_COSTATES, inv(mass) @ T], self.robot)(self.q, filtered.T)
        alpha, theta_ddot = found
        f = filtered.z + (filtered.P @ alpha[..., None])[..., 0]
        covariance = filtered.P - filtered.P @ self._blocks(Omega) @ filtered.P
        return SmootherResult(filtered, alpha, theta_ddot, f, covariance)

    def log_likelihood(self, tau: ArrayLike) -> np.ndarray:
        """ln p(T) = -(ln det M + T* M⁻¹ T + nv ln 2π) / 2 for joint forces (..., nv), by the filter.

        >>> import numpy as np, soadyn as sd
        >>> field = sd.estimation.RandomField(sd.load("planar_two_link"), [0.1, 0.2])
        >>> field.log_likelihood([[1.0, 2.0], [0.0, 0.0]]).round(3)
        array([-19.708,  -1.044])
        """
        return self.filter(tau).log_likelihood

    def _blocks(self, formula: Expression) -> np.ndarray:
        """The diagonal blocks of an operator between links, (..., links, 6, 6)."""
        dense = self._at(formula).dense()
        n = len(self.robot.link_names)
        split = dense.reshape(*dense.shape[:-2], n, 6, n, 6)
        return np.ascontiguousarray(np.moveaxis(np.diagonal(split, axis1=-4, axis2=-2), -1, -3))
