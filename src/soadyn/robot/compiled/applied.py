"""An operator at one configuration, or at a batch of them: applied, transposed, made dense, handed to SciPy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import B, H, Omega, mass, phi
from soadyn.algebra.spaces import Space
from soadyn.errors import ArgumentError, ShapeError, unknown_name
from soadyn.programs.lowering.known_inverses import forms_of, same
from soadyn.robot.compiled.formula_arguments import Argument
from soadyn.view.display.heat_map import Labels, Map

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled

MASS, FACTOR = forms_of(mass), forms_of(IDENTITIES["innovations factor"].left)


@final
class Applied:
    """What `f(q)` gives for an operator f.

    Vectors carry their batch axes in front, `f(q) @ x` has x of shape (..., size); those of links are (..., links, 6).

    >>> import numpy as np, soadyn as sd
    >>> from soadyn.algebra import inv, mass
    >>> arm = sd.load("ur5")
    >>> M_inverse = sd.compile(inv(mass), arm)(arm.neutral())
    >>> (M_inverse @ np.ones(6)).shape, M_inverse.T.shape
    ((6,), (6, 6))
    """

    __array_ufunc__ = None

    def __init__(self, compiled: Compiled, at: Mapping[str, np.ndarray]) -> None:
        self._compiled = compiled
        self._at = at  # q, joint rates where the operator depends on them, and the constants of a parametric robot

    @property
    def _arguments(self) -> list[Argument]:
        return self._compiled.called_with

    @property
    def _batch(self) -> tuple[int, ...]:
        return self._compiled.setting.batch(self._arguments, self._at)

    @property
    def domain(self) -> Space:
        return self._compiled.formulas[0].domain

    @property
    def codomain(self) -> Space:
        return self._compiled.formulas[0].codomain

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns, batch axes in front; vectors of links count six for each."""
        return (*self._batch, self._compiled.setting.size(self.codomain), self._compiled.setting.size(self.domain))

    def __matmul__(self, x: Any) -> np.ndarray:
        return self._compiled.times(self._at, x)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The matrix, for np.asarray."""
        if copy is False:
            raise ArgumentError("the matrix of an operator is computed: it cannot be had without a copy")
        return self.dense() if dtype is None else self.dense().astype(dtype)

    @property
    def T(self) -> Applied:
        """The adjoint at the same configuration."""
        return Applied(self._compiled.T, self._at)

    def dense(self, order: Literal["storage", "paper"] = "storage") -> np.ndarray:
        """The matrix, (..., rows, columns); `order="paper"` counts joints and links from the tips to the base."""
        self._check_order(order)
        matrix = whole_matrix(self._compiled, self._at["q"])
        if matrix is None:
            matrix = self._columns(np.arange(self._compiled.setting.size(self.domain)))
        if order == "paper":
            rows, columns = self._reversed(self.codomain), self._reversed(self.domain)
            matrix = np.ascontiguousarray(matrix[..., rows[:, None], columns])
        return matrix

    def block(self, row: str, column: str) -> np.ndarray:
        """The block that a link or joint `column` contributes to a link or joint `row`: phi(i, j), psi(i, j).

        >>> import soadyn as sd
        >>> from soadyn.algebra import phi
        >>> arm = sd.load("ur5")
        >>> sd.compile(phi, arm)(arm.neutral()).block(arm.link_names[0], arm.link_names[1]).shape
        (6, 6)
        """
        rows, columns = self._entries(self.codomain, row), self._entries(self.domain, column)
        return np.ascontiguousarray(self._columns(columns)[..., rows, :])

    def linear_operator(self) -> Any:
        """The same for SciPy's solvers, at a single configuration."""
        from scipy.sparse import linalg

        if self._batch:
            raise ShapeError(f"SciPy's operators have no batch axes; this one has {self._batch}")
        adjoint = self.T
        shapes = [self._compiled.setting.shape(space) for space in (self.domain, self.codomain)]

        def matvec(x: np.ndarray) -> np.ndarray:
            return (self @ np.asarray(x).reshape(shapes[0])).reshape(-1)

        def rmatvec(x: np.ndarray) -> np.ndarray:
            return (adjoint @ np.asarray(x).reshape(shapes[1])).reshape(-1)

        return linalg.LinearOperator(self.shape, matvec=matvec, rmatvec=rmatvec, dtype=self._at["q"].dtype)

    def _columns(self, chosen: np.ndarray) -> np.ndarray:
        """Some columns of the matrix: the operator applied to unit vectors."""
        setting = self._compiled.setting
        units = np.eye(setting.size(self.domain))[chosen].reshape(len(chosen), *setting.shape(self.domain))
        at = {x.name: np.expand_dims(self._at[x.name], -1 - setting.core_axes(x)) for x in self._arguments}
        found = self._compiled.times(at, units)
        flat = found.reshape(*self._batch, len(chosen), setting.size(self.codomain))
        return np.ascontiguousarray(flat.swapaxes(-1, -2))

    def _check_order(self, order: str) -> None:
        if order not in ("storage", "paper"):
            raise ArgumentError(f'order is "storage" or "paper", got {order!r}')

    def _reversed(self, space: Space) -> np.ndarray:
        places = self._places(space, "the papers' order is that of all joints and links")
        return np.concatenate([np.zeros(0, dtype=int), *(np.r_[x] for x in reversed(places.values()))])

    def _entries(self, space: Space, name: str) -> np.ndarray:
        places, robot = self._places(space, "blocks are those of links and joints"), self._compiled.robot
        if space.place == "link" and name not in places:
            raise unknown_name("link", name, robot.link_names, of=f"robot {robot.name!r}")
        return np.array(places[name] if name in places else robot.joint_dofs(name))

    def _places(self, space: Space, what: str) -> dict[str, range]:
        """The entries of each link or joint in a vector; `what` needs them, for the message."""
        if space.place not in ("link", "joint"):
            raise ArgumentError(f"{what}; this operator has a {space}")
        return self._parts(space)

    def _parts(self, space: Space) -> dict[str, range]:
        """The entries of each part of a vector by its name: those of links, of joints, or all."""
        robot = self._compiled.robot
        if space.place.endswith("link"):
            return {name: range(6 * i, 6 * i + 6) for i, name in enumerate(robot.link_names)}
        if space.place in ("joint", "white joint"):
            return {name: robot.joint_dofs(name) for name in robot.joint_names}
        return {str(space): range(self._compiled.setting.size(space))}

    def __repr__(self) -> str:
        return f"<{self._compiled.formulas[0]} at q, {' x '.join(map(str, self.shape))}>"

    def plot(self, path: str | PathLike[str] | None = None, order: Literal["storage", "paper"] = "storage") -> Any:
        """Draw the matrix as a heat map with the names of links and joints; its file, or without a path a `Picture`.

        With `order="paper"` joints and links are counted from the tips to the base, as `dense` does.

        >>> import soadyn as sd
        >>> from soadyn.algebra import phi
        >>> type(sd.compile(phi, sd.load("ur5"))([0.0] * 6).plot()).__name__
        'Picture'
        """
        self._check_order(order)
        return self._map(order).plot(path)

    def _repr_html_(self) -> str:
        return self._map().html()

    def _map(self, order: Literal["storage", "paper"] = "storage") -> Map:
        title = f"{self._compiled.formulas[0]} of {self._compiled.robot.name}"
        parts = self._parts(self.codomain), self._parts(self.domain)
        rows, columns = (Labels(tuple(x), [len(part) for part in x.values()]) for x in parts)
        if order == "paper":
            rows, columns = rows.reversed, columns.reversed
        return Map(partial(self.dense, order), self.shape, rows, columns, title)


def whole_matrix(compiled: Compiled, q: np.ndarray) -> np.ndarray | None:
    """The operator's matrix by a program of its own; None if it has none and is applied to unit vectors.

        mass = H (R + phi~ R + R phi~*) H* + A_r        column by column up the ancestors, symmetric half mirrored
        B* Omega B                                      Upsilon at each point, nearest common ancestors between points

    >>> import soadyn as sd
    >>> from soadyn.algebra import mass
    >>> arm = sd.load("ur5")
    >>> bool((whole_matrix(sd.compile(mass, arm), arm.neutral()) == arm.mass_matrix(arm.neutral())).all())
    True
    """
    formula, robot = compiled.formulas[0], compiled.robot
    frames = [point.given for point in compiled.setting.points]
    if compiled.is_dense or compiled.reading.as_written or compiled.setting.parametric is not None:
        return None
    if _is(formula, MASS):
        return robot.mass_matrix(q)
    if isinstance(formula, Inverse) and _is(formula.of, MASS):
        return robot.mass_matrix_inverse(q)
    if _is(formula, FACTOR):
        return robot.mass_matrix_factors(q)[0]
    if _is(formula, tuple(form.T for form in FACTOR)):
        return np.asarray(robot.mass_matrix_factors(q)[0].swapaxes(-1, -2))
    if compiled.setting.passive is None and _is(formula, (B.T @ Omega @ B,)):
        return robot.operational_inertia_inverse(q, frames)
    if _is(formula, (B.T @ phi.T @ H.T,)):
        return np.concatenate([robot.jacobian(q, frame) for frame in frames], axis=-2)
    return None


def _is(formula: Expression, forms: tuple[Expression, ...]) -> bool:
    return any(same(formula, form) for form in forms)
