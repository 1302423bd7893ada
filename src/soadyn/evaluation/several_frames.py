"""Operational quantities of several frames: a block for each pair of frames, the mass matrix never formed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from soadyn.backends import checks
from soadyn.backends.engine import Engine, Precision
from soadyn.backends.faults import Faults
from soadyn.errors import ArgumentError
from soadyn.evaluation import arguments
from soadyn.evaluation.inputs import inputs_of
from soadyn.evaluation.run_program import ran, report
from soadyn.link.operational import operational_inertia
from soadyn.quantities import Quantity
from soadyn.sweep.algorithms import without_external
from soadyn.sweep.links import FREE_ACCELERATION
from soadyn.sweep.program import Program
from soadyn.sweep.under_actuated import OPERATIONAL_COUPLING, OPERATIONAL_INERTIA_INVERSE

Precise = Callable[[Mapping[str, np.ndarray]], Precision | None]


def of_frames(engine: Engine, quantity: Quantity, given: Mapping[str, Any], precision: Precise) -> np.ndarray:
    """The inverse of the operational inertia of a list of m frames, (..., 6 m, 6 m), that inertia, or its bias.

    `precision` says of the arrays given how they are computed with.
    """
    if not given["frames"]:
        raise ArgumentError(f"{quantity.name} takes a frame or a list of at least one, got an empty list")
    frames = _Frames(engine, quantity, given, precision)
    match quantity.name:
        case "operational_inertia_inverse":
            result = frames.response()
        case "operational_inertia":
            result = frames.inertia()
        case _:
            result = frames.bias(loaded=given["external"] is not None)
    report(quantity.name, frames.faults)
    return result


@final
class _Frames:
    """The inputs of each frame, and the bad rows found so far."""

    def __init__(self, engine: Engine, quantity: Quantity, given: Mapping[str, Any], precision: Precise) -> None:
        self.engine = engine
        self.inputs = [inputs_of(engine, quantity, {**given, "frames": frame}) for frame in given["frames"]]
        axes = engine.core_axes(quantity.program, self.inputs[0])
        arrays = {name: self.inputs[0][name] for name in axes}
        self.precision = precision(arrays)
        self.batch = arguments.batch_shape(arrays, axes)
        self.faults = Faults(self.batch)

    def _run(self, program: Program, inputs: Mapping[str, Any]) -> np.ndarray:
        read = {name: x for name, x in inputs.items() if name in program.inputs}
        (output,), found, _ = ran(self.engine, program, read, self.precision)
        for fault in found.found:
            self.faults.add(fault.reason, fault.rows)
        return output

    def response(self) -> np.ndarray:
        """Λ⁻¹ = B* Ω B; blocks below the diagonal are transposed ones."""
        rows: list[list[Any]] = [[None] * len(self.inputs) for _ in self.inputs]
        for i, j in itertools.combinations_with_replacement(range(len(self.inputs)), 2):
            program = OPERATIONAL_INERTIA_INVERSE if i == j else OPERATIONAL_COUPLING
            other = {"other": self.inputs[i]["frame"], "other_axes": self.inputs[i]["axes"]}
            block = self._run(program, {**self.inputs[j], **other})
            rows[i][j], rows[j][i] = block, block if i == j else block.mT
        return np.block(rows)

    def inertia(self) -> np.ndarray:
        """Λ, NaN where Λ⁻¹ is singular."""
        pivot, Lambda = operational_inertia(self.response())
        checks.task_pivots(pivot, self.faults)
        return checks.with_bad_rows(np.ascontiguousarray(Lambda), Lambda.shape[:-2], self.faults)

    def bias(self, loaded: bool) -> np.ndarray:
        """- Λ α, α being the accelerations of the frames without joint forces."""
        program = FREE_ACCELERATION if loaded else without_external(FREE_ACCELERATION)
        alpha = np.concatenate([self._run(program, inputs) for inputs in self.inputs], axis=-1)
        pivot, Lambda = operational_inertia(self.response())
        checks.task_pivots(pivot, self.faults)
        return checks.with_bad_rows(-(Lambda @ alpha[..., None])[..., 0], self.batch, self.faults)
