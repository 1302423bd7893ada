"""Programs with a joint vector that is every unit vector in turn: one more batch axis, which becomes the last axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from soadyn.engine.reference.faults import Faults
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.programs.sweep.combine import one_unit
from soadyn.programs.sweep.program import Program

Batch = tuple[int, ...]
Run = Callable[[Program, Mapping[str, Any], Batch], tuple[Any, Faults]]


def in_turn(
    program: Program, inputs: Mapping[str, Any], axes: Mapping[str, int], batch: Batch, nv: int, run: Run
) -> tuple[list[Array], Faults]:
    """The outputs of a program with `units`, and the bad rows.

    `axes` says of inputs that are arrays how many axes follow those of the batch; `run` runs a program without units.
    """
    wider = {name: np.expand_dims(x, -1 - axes[name]) if name in axes else x for name, x in inputs.items()}
    kind = inputs["q"].dtype
    wider[program.units] = np.eye(nv, dtype=kind if kind.kind == "f" else float)
    outputs, found = run(one_unit(program), wider, (*batch, nv))
    faults = Faults(batch)
    for fault in found.found:
        faults.add(fault.reason, fault.rows.any(axis=-1))
    return [np.ascontiguousarray(np.moveaxis(output, len(batch), -1)) for output in outputs], faults
