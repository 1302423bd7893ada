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
