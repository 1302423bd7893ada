"""The cheapest of several algorithms that compute the same, by operations counted on the robot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from soadyn.engine.tracing import TooLongError
from soadyn.engine.tracing.trace import Traced
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Program


def cheapest_trace(program: Program, model: Model, trace: Callable[[Program], Traced]) -> Traced:
    """The trace of the program or of one of its alternatives, whichever takes the fewest operations.

    TooLongError if all of them are too long.
    """
    found: list[Traced] = []
    for same in (program, *(other for other in program.alternatives if _may_serve(other, model))):
        with suppress(TooLongError):
            found.append(trace(same))
    if not found:
        raise TooLongError
    return min(found, key=lambda trace: trace.operations)


def _may_serve(alternative: Program, model: Model) -> bool:
    """Is the robot small enough to try an alternative, and the alternative as accurate as the program?

    Articulated bodies remove the directions in which a joint moves freely, without rounding if it has several
    components. A factored mass matrix leaves these directions as differences of large numbers.
    """
    solves_matrix = any("all.mass" in stage.reads for stage in alternative.stages)
    small = alternative.most_components is None or model.nv <= alternative.most_components
    return small and (not solves_matrix or all(joint.behaviour.nv == 1 for joint in model.joints))
