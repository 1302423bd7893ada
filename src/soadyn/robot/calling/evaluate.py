"""From a quantity and its arguments to its result, once; and how many operations it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.trace import Traced, cheapest_trace
from soadyn.engine.tracing.traced import WORLD, traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.quantities import Quantity
from soadyn.robot.calling.quantity_functions import quantity_function


def evaluate(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> Any:
    """A quantity's result, or the tuple of its results; `given` has a value for each argument by its public name."""
    function = quantity_function(engine, quantity, given)
    return function.checked(*[given[vector.name] for vector in function.vectors], keep=False)


def counted_operations(engine: Engine, quantity: Quantity, link: int) -> dict[str, dict[str, int]]:
    """How many operations a quantity takes without wrenches and along the world's axes, sweep by sweep.

    `link` carries the frame, if there is one.
    """
    program = quantity.program_on(engine.model)
    if "external" in program.inputs:
        program = without_external(program)

    def trace(same: Program) -> Traced:
        return traced(same, engine.constants, {"frame": link}, known={"axes": WORLD})

    return cheapest_trace(program, engine.model, trace).counts_by_stage()
