"""A program as a function of arrays, its kernels kept from call to call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine, Prepared
from soadyn.programs.sweep.program import Program
from soadyn.robot.calling.run_program import outputs_of, precision_of, unpacked

NO_VALUES: Mapping[str, np.ndarray] = MappingProxyType({})


@final
class ProgramCall:
    """A program run on arrays in the order of its inputs, each with batch axes in front; nothing is checked.

    `values` are those of an engine's parameters.

    >>> from soadyn.loading import load_model
    >>> from soadyn.programs.sweep.moving import INTEGRATE
    >>> ProgramCall(Engine(load_model("planar_two_link")), INTEGRATE)(np.array([0.0, 0.5]), np.array([0.1, 0.2]))
    array([0.1, 0.7])
    """

    def __init__(self, engine: Engine, program: Program, values: Mapping[str, np.ndarray] = NO_VALUES) -> None:
        self._engine, self._program, self._values, self._prepared = engine, program, values, Prepared()

    def __call__(self, *arrays: np.ndarray) -> Any:
        found = self._prepared.call(*arrays)
        if found is not None:
            return found
        inputs = {**dict(zip(self._program.inputs, arrays, strict=True)), **self._values}
        outputs, call = outputs_of(self._engine, self._program, inputs, precision_of(arrays))
        self._prepared.keep(call, self._program.inputs)
        return unpacked(outputs)
