"""Derivatives of y = A⁻¹ x, where A is an operator of operational points whose matrix is solved numerically.

dy = A⁻¹ (dx - dA y)                        along a direction
x̄ = A⁻* ȳ,    q̄ = -∂(x̄* A y)/∂q              of a weighted sum of y, with x̄ and y held constant in the second
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

import numpy as np

from soadyn.robot.compiled.applied import Applied
from soadyn.robot.compiled.dense_way import solved
from soadyn.robot.compiled.formula_arguments import Argument

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled


@final
class InverseAt:
    """inv(A) x at a point: `function` is inv(A) and `inverted` A, both compiled."""

    def __init__(self, function: Compiled, inverted: Compiled, at: Any) -> None:
        function.point(at)
        named = zip(function.arguments, at, strict=True)
        given = {argument.name: function.setting.checked(argument, x) for argument, x in named}
        self.function, self.place = function, list(given).index("x")
        x = given.pop("x")
        self.matrix = Applied(inverted, given).dense()
        self.y = self._solved(self.matrix, x)
        self.values = self._replaced(at, self.y)
        self.problem = inverted.point(self.values)
        self.problem.name = function.signature

    def jvp(self, along: Any) -> tuple[np.ndarray, np.ndarray]:
        """y and its rate along a direction."""
        dx, still = np.zeros(()), along
        listed = isinstance(along, tuple | list) and len(along) == len(self.problem.vectors)
        if listed and along[self.place] is not None:
            dx = self._checked("dx", self.function.formulas[0].domain, along[self.place])
            still = self._replaced(along, np.zeros(self.y.shape[-1]))
        _, change = self.problem.jvp(self.values, still)
        return self.y, self._solved(self.matrix, dx - change)

    def vjp(self, weights: Any) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """y and the derivatives of a weighted sum of its entries by each argument."""
        given = self._checked("weights", self.function.formulas[0].codomain, weights)
        by_x = self._solved(self.matrix.mT, given)
        _, found = self.problem.vjp(self.values, by_x)
        whole = np.array(np.broadcast_to(by_x, found[self.place].shape))
        return self.y, self._replaced([-x for x in found], whole)

    def _replaced(self, values: Any, x: np.ndarray) -> tuple[Any, ...]:
        return (*values[: self.place], x, *values[self.place + 1 :])

    def _checked(self, name: str, space: Any, x: Any) -> np.ndarray:
        return self.function.setting.checked(Argument(name, space), x)

    def _solved(self, matrix: np.ndarray, x: np.ndarray) -> np.ndarray:
        return solved(matrix, x, str(self.function.formulas[0]))
