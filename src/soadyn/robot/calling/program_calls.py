"""A program as a function of arrays, its kernels kept from call to call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine, Prepared
from soadyn.programs.sweep.program import Program
from soadyn.robot.calling.evaluate import precision_of, unpacked
from soadyn.robot.calling.run_program import outputs_of

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
        try:
            found = self._prepared.call(*arrays)
            if found is not None:
                return found
        except (AttributeError, TypeError, ValueError):  # the kernel does not take these arrays: the engine does
            pass
        inputs = {**dict(zip(self._program.inputs, arrays, strict=True)), **self._values}
        precision = precision_of(arrays)
        outputs, call = outputs_of(self._engine, self._program, inputs, precision)
        if call is not None and precision == "float64" and not self._values and call.batch == arrays[0].shape[:-1]:
            self._prepared.keep(call, self._program.inputs)
        return unpacked(outputs)
