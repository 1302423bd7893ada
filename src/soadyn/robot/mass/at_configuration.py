"""A robot held at one configuration, or a batch of them: what the operators there share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, FrozenError
from soadyn.programs.sweep.program import Program
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.quantity_functions import evaluate
from soadyn.robot.calling.run_program import outputs_of, precision_of
from soadyn.view.display.heat_map import Labels

Compute = Callable[[str, np.ndarray], np.ndarray]


@final
class AtConfiguration:
    """An engine and checked coordinates; matrices are computed when first asked for, and kept.

    `compute` gives a quantity's result at given coordinates; by default the table's way, with all its checks.
    """

    __slots__ = ("_compute", "_kept", "engine", "q")

    def __init__(self, engine: Engine, q: ArrayLike, compute: Compute | None = None) -> None:
        if engine.coordinates.tied:
            raise ArgumentError(
                f"robot {engine.model.name!r} has tied mimic joints, which couple the joint inertias D: its mass "
                "matrix has no sweeps of its own; take mass_matrix(q)"
            )
        self.engine = engine
        self.q = np.array(arguments.coordinates(engine.coordinates, q))  # the caller's array may change
        self.q.setflags(write=False)
        self._kept: dict[str, Any] = {}
        self._compute = compute or self._checked

    @property
    def batch(self) -> tuple[int, ...]:
        """The batch axes of q."""
        return self.q.shape[:-1]

    @property
    def nv(self) -> int:
        return self.engine.coordinates.nv

    def frozen(self, name: str) -> FrozenError:
        return FrozenError(f"a mass matrix cannot be changed (setting {name!r}); make another with robot.mass(q)")

    def dofs(self, joint: str) -> range:
        """The places in v of a joint's components."""
        return self.engine.coordinates.joint_dofs(joint)

    def labels(self) -> Labels:
        """The joints, as names at the side of a matrix."""
        names = self.engine.coordinates.joint_names
        return Labels(names, [len(self.dofs(name)) for name in names])

    def units(self, chosen: Sequence[int] | np.ndarray) -> np.ndarray:
        """Unit vectors along some joint components, (len(chosen), nv)."""
        found = np.zeros((len(chosen), self.nv))
        found[np.arange(len(chosen)), chosen] = 1.0
        return found

    def with_axis(self) -> AtConfiguration:
        """The same configurations with a batch axis of one behind the others."""
        return AtConfiguration(self.engine, self.q[..., None, :])

    def vector(self, name: str, x: Any) -> np.ndarray:
        """A joint vector (..., nv) that broadcasts with q, checked."""
        array = arguments.joint_vector(self.engine.coordinates, x, name)
        arguments.batch_shape({"q": self.q, name: array}, {"q": 1, name: 1})
        return array

    def run(self, program: Program, **vectors: np.ndarray) -> Any:
        """A program's only output at these configurations."""
        inputs = {"q": self.q, **vectors}
        outputs, _ = outputs_of(self.engine, program, inputs, precision_of(inputs.values()))
        return outputs[0][()]

    def of_frame(self, name: str, frame: Any) -> np.ndarray:
        """A quantity of a frame along world axes."""
        found: np.ndarray = evaluate(self.engine, QUANTITIES[name], {"q": self.q, "frame": frame, "axes": "world"})
        return found

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """U and D."""
        U, D = evaluate(self.engine, QUANTITIES["mass_matrix_factors"], {"q": self.q})
        return U, D

    def _checked(self, name: str, q: np.ndarray) -> np.ndarray:
        return np.asarray(evaluate(self.engine, QUANTITIES[name], {"q": q}))

    def quantity(self, name: str) -> np.ndarray:
        """A quantity that depends on q alone, kept for the next time; not to be written to."""
        if name not in self._kept:
            self._kept[name] = self._compute(name, self.q)
            self._kept[name].setflags(write=False)
        found: np.ndarray = self._kept[name]
        return found
