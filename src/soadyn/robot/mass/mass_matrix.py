"""The mass matrix at one configuration or a batch of them, without ever forming it unless it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Backend, Engine
from soadyn.errors import ArgumentError
from soadyn.model.model import Model
from soadyn.programs.sweep.links import INVERSE_DIAGONAL, PIVOTS
from soadyn.robot.mass.at_configuration import AtConfiguration
from soadyn.robot.mass.condition import largest_eigenvalue
from soadyn.robot.mass.joint_operator import JointOperator
from soadyn.theory.formula.mass import X, Y, applied


@final
class MassMatrix:
    """Mass(q) as an operator on joint motions; made by `Robot.mass`. Immutable; nothing is computed until needed.

        Mass = H φ M φ* H* + A_r = m m*,    m = (I + H φ K) D^½

    Products, solutions, single elements and the determinant take O(N) sweeps each. Vectors carry their batch axes in
    front, (..., nv), and broadcast with those of q. `inverse` and `root` are operators of the same kind.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5")
    >>> m = arm.mass([0.0, -1.0, 1.0, 0.0, 0.5, 0.0])
    >>> x = np.arange(6.0)
    >>> bool(np.allclose(m.solve(m @ x), x)), bool(np.allclose(m.root @ (m.root.T @ x), m @ x))
    (True, True)
    >>> np.asarray(m).shape, m.block("elbow_joint", "wrist_1_joint").shape
    ((6, 6), (1, 1))
    >>> bool(np.isclose(m.log_determinant(), np.linalg.slogdet(m.dense())[1]))
    True
    """

    __array_ufunc__ = None
    __slots__ = ("_at", "_operator")
    _at: AtConfiguration
    _operator: JointOperator

    def __init__(self, at: AtConfiguration) -> None:
        object.__setattr__(self, "_at", at)
        object.__setattr__(self, "_operator", JointOperator(at, "Mass"))

    def __setattr__(self, name: str, value: object) -> None:
        raise self._at.frozen(name)

    def __reduce__(self) -> tuple[Callable[..., MassMatrix], tuple[Model, Backend, np.ndarray]]:
        return _rebuilt, (self._at.engine.model, self._at.engine.backend, self._at.q)

    @property
    def q(self) -> np.ndarray:
        """The coordinates, (..., nq), not to be written to."""
        return self._at.q

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns, batch axes in front."""
        return self._operator.shape

    @property
    def T(self) -> MassMatrix:
        """The adjoint: the mass matrix itself, which is symmetric."""
        return self

    @property
    def inverse(self) -> JointOperator:
        """Mass⁻¹, applied by the filter and the smoother of 001 (46)."""
        return self._operator.inverse

    @property
    def root(self) -> JointOperator:
        """The root m = (I + H φ K) D^½; of single joints Cholesky's factor in the papers' order (000 eq. 5.1)."""
        return JointOperator(self._at, "m")

    def __matmul__(self, x: Any) -> np.ndarray:
        return self._operator @ x

    def solve(self, x: Any) -> np.ndarray:
        """Mass⁻¹ x, (..., nv)."""
        return self._operator.solve(x)

    def whiten(self, x: Any) -> np.ndarray:
        """m⁻¹ x: joint forces with covariance Mass become numbers with covariance I."""
        return self.root.solve(x)

    def dense(self) -> np.ndarray:
        """The matrix, (..., nv, nv), by composite bodies; computed once and not to be written to."""
        return self._operator.dense()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._operator.__array__(dtype, copy)

    def block(self, row: str, column: str) -> np.ndarray:
        """The block of two joints, (..., components, components), in O(N)."""
        return self._operator.block(row, column)

    def inverse_block(self, row: str, column: str) -> np.ndarray:
        """The inverse's block of two joints, (..., components, components), in O(N).

        x* Mass⁻¹ y = (W x)* D⁻¹ (W y) with W = I - H ψ K takes one inward sweep (001 eq. 46); the rows of 003 Lemma 13
        would be walked inward and outward again.

        >>> import soadyn as sd
        >>> m = sd.load("free_flyer").mass(sd.load("free_flyer").neutral())
        >>> m.inverse_block("root", "elbow").shape
        (6, 1)
        """
        rows, columns = (self._at.units(self._at.dofs(joint)) for joint in (row, column))
        if len(rows) == len(columns) == 1:  # a batch axis of one state would take it from the fastest kernels
            return np.asarray(self._at.run(applied("x* Mass^-1 y"), **{X: rows[0], Y: columns[0]}))[..., None, None]
        at = AtConfiguration(self._at.engine, self._at.q[..., None, None, :])
        return np.ascontiguousarray(at.run(applied("x* Mass^-1 y"), **{X: rows[:, None], Y: columns}))

    def inverse_diagonal(self) -> np.ndarray:
        """The diagonal of the inverse, (..., nv), in O(N) by the sweep of 003 Lemma 13."""
        found: np.ndarray = self._at.run(INVERSE_DIAGONAL)
        return found

    def log_determinant(self) -> np.ndarray:
        """The logarithm of the determinant, (...): that of D, since U has ones on its diagonal."""
        return np.log(self._at.run(PIVOTS)).sum(axis=-1)[()]

    def condition(self) -> np.ndarray:
        """The largest over the smallest eigenvalue, (...), estimated from products and solutions in O(N) each.

        Up to 40 components it is exact but for rounding, beyond that at most the true one and usually close to it.
        """
        if not self.shape[-1]:
            raise ArgumentError(f"{self!r} has no eigenvalues, and so no condition")
        rng = np.random.default_rng(0)
        return (largest_eigenvalue(self._operator, rng) * largest_eigenvalue(self.inverse, rng))[()]

    def linear_operator(self) -> Any:
        """The same for SciPy's solvers, at a single configuration."""
        return self._operator.linear_operator()

    def __repr__(self) -> str:
        return f"<MassMatrix of {self._at.engine.model.name!r}, {' x '.join(map(str, self.shape))}>"

    def plot(self, path: str | PathLike[str] | None = None) -> Any:
        """Draw the matrix as a heat map with the joints' names; its file, or without a path a `Picture`.

        >>> import soadyn as sd
        >>> type(sd.load("ur5").mass([0.0] * 6).plot()).__name__
        'Picture'
        """
        return self._operator.plot(path)

    def _repr_html_(self) -> str:
        return self._operator._repr_html_()


def _rebuilt(model: Model, backend: Backend, q: np.ndarray) -> MassMatrix:
    return MassMatrix(AtConfiguration(Engine(model, backend), q))
