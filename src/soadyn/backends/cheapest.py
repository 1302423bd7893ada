"""The cheapest of several algorithms that compute the same, by operations counted on the robot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from soadyn.backends.traced import TooLongError, Traced
from soadyn.model.model import Model
from soadyn.sweep.program import Program


def cheapest_trace(program: Program, model: Model, trace: Callable[[Program], Traced]) -> Traced:
    """The trace of the program or of one of its alternatives, whichever takes the fewest operations.

    TooLongError if all of them are too long.
    """
    found: list[Traced] = []
    for same in (program, *(alternative for alternative in program.alternatives if _may_serve(alternative, model))):
        with suppress(TooLongError):
            found.append(trace(same))
    if not found:
        raise TooLongError
    return min(found, key=lambda trace: trace.operations)


def _may_serve(alternative: Program, model: Model) -> bool:
    """Is an alternative as accurate as the program, and the robot small enough to try it?

    At joints with several components articulated bodies lose what is free to move exactly; a mass matrix keeps it as a
    difference of large numbers.
    """
    forms_matrix = any("mass" in stage.writes for stage in alternative.stages)
    one_component = all(joint.behaviour.nv == 1 for joint in model.joints)
    small = alternative.most_components is None or model.nv <= alternative.most_components
    return small and (one_component or not forms_matrix)
