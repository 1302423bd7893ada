"""Dense matrices: of formulas for which no recursion is known, and of operators at points, whose inverse is asked for.

Formulas are computed one state at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, final

import numpy as np

from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import Space
from soadyn.errors import ArgumentError, SingularError
from soadyn.programs.sweep.vector_names import VECTOR_NAMES
from soadyn.robot.compiled.applied import Applied
from soadyn.robot.compiled.formula_arguments import Argument, Setting
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import NEARLY_SINGULAR, dense_value

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled

SYMBOL = {x.argument: x.symbol for x in VECTOR_NAMES}
OF_LINKS = ("link", "white link")


def dense_results(
    formulas: tuple[Expression, ...],
    setting: Setting,
    arguments: list[Argument],
    given: Mapping[str, np.ndarray],
) -> list[np.ndarray]:
    """The values of vectors and numbers for a batch, state by state."""
    batch = setting.batch(arguments, given)
    cores = {x.name: setting.core_axes(x) for x in arguments}
    spread = {name: np.broadcast_to(x, batch + x.shape[x.ndim - cores[name] :]) for name, x in given.items()}
    frames = [point.given for point in setting.points]
    results = [np.zeros(batch + setting.shape(formula.codomain)) for formula in formulas]
    spaces = {argument.name: argument.space for argument in arguments if argument.space is not None}
    for row in np.ndindex(batch):
        state = {name: x[row] for name, x in spread.items()}
        robot = DenseRobot(setting.robot.model, state["q"], state.get("v"))
        vectors = {SYMBOL.get(name, name): _inertial(robot, state[name], spaces[name]) for name in spaces}
        for result, formula in zip(results, formulas, strict=True):
            value = np.asarray(dense_value(formula, robot, setting.passive, frames, vectors))
            result[row] = _at_link_frames(robot, value, formula.codomain)
    return results


def _inertial(robot: DenseRobot, x: np.ndarray, space: Space) -> np.ndarray:
    """Link vectors at the links' frames, along inertial axes at the joints; others as they are."""
    if space.place not in OF_LINKS:
        return x
    if space.side == "force":
        return robot.external_force(x)
    flat = x.reshape(-1)
    return np.linalg.solve(_force_map(robot).T, flat) if space.side else flat


def _at_link_frames(robot: DenseRobot, x: np.ndarray, space: Space) -> np.ndarray:
    if space.place not in OF_LINKS:
        return x
    forces = _force_map(robot)
    match space.side:
        case "force":
            x = np.linalg.solve(forces, x)
        case "motion":
            x = forces.T @ x
    return x.reshape(-1, 6)


def _force_map(robot: DenseRobot) -> np.ndarray:
    """From forces at the links' frames, along their axes, to the same at the joints, along inertial axes."""
    if len(robot.model.visible) != robot.n:
        raise ArgumentError(
            f"robot {robot.model.name!r} has hidden links between the joints of one; "
            "dense link vectors would lack theirs"
        )
    return robot.from_link_frames


def solved(matrix: np.ndarray, x: np.ndarray, what: str) -> np.ndarray:
    """matrix⁻¹ x for batches; where the matrix is not finite, neither is the result."""
    finite = np.isfinite(matrix).all(axis=(-1, -2))
    safe = np.where(finite[..., None, None], matrix, np.eye(matrix.shape[-1]))
    if not (np.linalg.cond(safe) <= NEARLY_SINGULAR).all():
        raise SingularError(f"{what}: the matrix is singular on this robot")
    found = np.linalg.solve(safe, x[..., None])[..., 0]
    return np.where(finite[..., None], found, np.nan)


@final
class InverseAt:
    """y = A⁻¹ x at a point, where `function` is inv(A) and `inverted` A, both compiled; and its derivatives.

    dy = A⁻¹ (dx - dA y)                        along a direction
    x̄ = A⁻* ȳ,    q̄ = -∂(x̄* A y)/∂q              of a weighted sum of y, with x̄ and y held constant in the second
    """

    def __init__(self, function: Compiled, inverted: Compiled, at: Any) -> None:
        function.point(at)
        setting, self.formula = function.setting, function.formulas[0]
        given = {x.name: setting.checked(x, value) for x, value in zip(function.arguments, at, strict=True)}
        self.setting, self.place = setting, list(given).index("x")
        x = given.pop("x")
        self.matrix = Applied(inverted, given).dense()
        self.y = solved(self.matrix, x, str(self.formula))
        self.values = self._replaced(at, self.y)
        self.problem = inverted.point(self.values)
        self.problem.name = function.signature

    def jvp(self, along: Any) -> tuple[np.ndarray, np.ndarray]:
        """y and its rate along a direction."""
        dx, still = np.zeros(()), along
        listed = isinstance(along, tuple | list) and len(along) == len(self.problem.vectors)
        if listed and along[self.place] is not None:
            dx = self.setting.checked(Argument("dx", self.formula.domain), along[self.place])
            still = self._replaced(along, np.zeros(self.y.shape[-1]))
        _, change = self.problem.jvp(self.values, still)
        return self.y, solved(self.matrix, dx - change, str(self.formula))

    def vjp(self, weights: Any) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """y and the derivatives of a weighted sum of its entries by each argument."""
        given = self.setting.checked(Argument("weights", self.formula.codomain), weights)
        by_x = solved(self.matrix.mT, given, str(self.formula))
        _, found = self.problem.vjp(self.values, by_x)
        whole = np.array(np.broadcast_to(by_x, found[self.place].shape))
        return self.y, self._replaced([-x for x in found], whole)

    def _replaced(self, values: Any, x: np.ndarray) -> tuple[Any, ...]:
        return (*values[: self.place], x, *values[self.place + 1 :])
