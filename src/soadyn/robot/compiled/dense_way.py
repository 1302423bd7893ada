"""Formulas by dense matrices, one state at a time: the explicit way out where no recursion is known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import Space
from soadyn.errors import ArgumentError, SingularError
from soadyn.programs.sweep.vector_names import VECTOR_NAMES
from soadyn.robot.compiled.formula_arguments import Argument, Setting
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import NEARLY_SINGULAR, dense_value

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
