"""Native functions of recorded operations that are no program of sweeps: what else is to run in lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.engine import Engine
from soadyn.engine.native.passes import straight_kernel
from soadyn.engine.tracing.ports import Ports
from soadyn.engine.tracing.trace import Traced

Function = Callable[..., Any]


def recorded_function(
    engine: Engine, name: str, ports: Ports, depends: tuple[Any, ...], trace: Callable[[], Traced], single: bool = False
) -> Function | None:
    """A function of arrays with leading batch axes, from a trace; None where the reference computes.

    `depends` is all that the trace depends on beside the robot: code made before is found by it. `single` asks for code
    for one state as well.
    """
    if engine.kernels is None:
        return None
    content = fingerprint(name, engine.constants, *depends)
    many = straight_kernel(name, ports, content, trace, "float64", "many")
    one = straight_kernel(name, ports, content, trace, "float64", "one") if single else many
    core = len(ports[0][0].shape)

    def call(*arrays: np.ndarray) -> Any:
        kernel = one if arrays[0].ndim == core else many
        return kernel(*arrays)[0]

    return call
