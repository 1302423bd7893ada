"""Operators on joint vectors at one configuration or a batch of them: the mass matrix, its inverse, its root."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot.mass.at_configuration import AtConfiguration
from soadyn.theory.formula.mass import X, applied
from soadyn.view.display.heat_map import Map


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """What an operator is: the formula that applies it, those of its adjoint and inverse, and its matrix's quantity.

    `mirrored`: the matrix is the transposed of the quantity.
    """

    formula: str
    adjoint: str
    inverse: str
    quantity: str
    mirrored: bool = False


KINDS = {
    "Mass": Kind("Mass x", "Mass", "Mass^-1", "mass_matrix"),
    "Mass^-1": Kind("Mass^-1 x", "Mass^-1", "Mass", "mass_matrix_inverse"),
    "m": Kind("m x", "m*", "m^-1", "mass_matrix_root"),
    "m*": Kind("m* x", "m", "m^-*", "mass_matrix_root", mirrored=True),
    "m^-1": Kind("m^-1 x", "m^-*", "m", ""),
    "m^-*": Kind("m^-* x", "m^-1", "m*", ""),
}


@final
class JointOperator:
    """An operator on joint vectors, applied by O(N) sweeps; made by `Robot.mass`.

    Vectors carry their batch axes in front, (..., nv), and broadcast with those of q.

    >>> import numpy as np, soadyn as sd
    >>> m = sd.load("ur5").mass([0.0, -1.0, 1.0, 0.0, 0.5, 0.0])
    >>> w = m.root.solve(np.ones(6))
    >>> bool(np.allclose(m.root @ w, np.ones(6))), m.root.T.shape
    (True, (6, 6))
    """

    __array_ufunc__ = None
    __slots__ = ("_at", "_name")
    _at: AtConfiguration
    _name: str

    def __init__(self, at: AtConfiguration, name: str) -> None:
        object.__setattr__(self, "_at", at)
        object.__setattr__(self, "_name", name)

    def __setattr__(self, name: str, value: object) -> None:
        raise self._at.frozen(name)

    @property
    def _kind(self) -> Kind:
        return KINDS[self._name]

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns, batch axes in front."""
        return (*self._at.batch, self._at.nv, self._at.nv)

    @property
    def T(self) -> JointOperator:
        """The adjoint at the same configuration."""
        return JointOperator(self._at, self._kind.adjoint)

    @property
    def inverse(self) -> JointOperator:
        """The inverse at the same configuration."""
        return JointOperator(self._at, self._kind.inverse)

    def __matmul__(self, x: Any) -> np.ndarray:
        return self._at.run(applied(self._kind.formula), **{X: self._at.vector("x", x)})

    def solve(self, x: Any) -> np.ndarray:
        """The inverse applied to x, (..., nv)."""
        return self.inverse @ x

    def dense(self) -> np.ndarray:
        """The matrix, (..., nv, nv), computed once and not to be written to."""
        kind = self._kind
        if kind.quantity and not kind.mirrored:
            return self._at.quantity(kind.quantity)
        matrix = np.ascontiguousarray(self.T.dense().mT) if kind.mirrored else self.columns(np.arange(self._at.nv))
        matrix.setflags(write=False)
        return matrix

    def columns(self, chosen: Any) -> np.ndarray:
        """Some columns of the matrix, (..., nv, len(chosen)): the operator applied to unit vectors."""
        found = JointOperator(self._at.with_axis(), self._name) @ self._at.units(chosen)
        return np.ascontiguousarray(found.swapaxes(-1, -2))

    def block(self, row: str, column: str) -> np.ndarray:
        """The block of two joints, by O(N) sweeps for each component of the second."""
        rows, columns = (list(self._at.dofs(joint)) for joint in (row, column))
        return np.ascontiguousarray(self.columns(columns)[..., rows, :])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The matrix, for np.asarray."""
        if copy is False:
            raise ArgumentError("the matrix of an operator is computed: it cannot be had without a copy")
        matrix = self.dense()
        return np.array(matrix, dtype=dtype) if copy or dtype not in (None, matrix.dtype) else matrix

    def linear_operator(self) -> Any:
        """The same for SciPy's solvers, at a single configuration."""
        from scipy.sparse import linalg

        if self._at.batch:
            raise ShapeError(f"SciPy's operators have no batch axes; this one has {self._at.batch}")
        adjoint = self.T
        return linalg.LinearOperator(
            self.shape,
            matvec=lambda x: self @ np.asarray(x).reshape(-1),
            rmatvec=lambda x: adjoint @ np.asarray(x).reshape(-1),
            dtype=np.float64,
        )

    def __repr__(self) -> str:
        return f"<{self._name} of {self._at.engine.model.name!r}, {' x '.join(map(str, self.shape))}>"

    def plot(self, path: str | PathLike[str] | None = None) -> Any:
        """Draw the matrix as a heat map with the joints' names; its file, or without a path a `Picture`.

        >>> import soadyn as sd
        >>> type(sd.load("ur5").mass([0.0] * 6).root.plot()).__name__
        'Picture'
        """
        return self._map().plot(path)

    def _repr_html_(self) -> str:
        return self._map().html()

    def _map(self) -> Map:
        labels = self._at.labels()
        return Map(self.dense, self.shape, labels, labels, f"{self._name} of {self._at.engine.model.name}")
