"""The cheapest of several algorithms that compute the same, by operations counted on the robot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from soadyn.engine.tracing import TooLongError
from soadyn.engine.tracing.trace import Traced
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Program, Substitution

# Joint components up to which a program that substitutes is compared with its alternatives; beyond, tracing both takes
# longer than compiling one.
MOST_COMPONENTS = 16
# Components inboard of a component, on average, up to which substitution takes fewer operations than sweeps for
# every column. For robots with more components than those above that decides which form is traced.
DEEPEST = 14


def cheapest_trace(program: Program, model: Model, trace: Callable[[Program], Traced]) -> Traced:
    """The trace of the program or of one of its alternatives, whichever takes the fewest operations.

    TooLongError if all of them are too long.
    """
    found: list[Traced] = []
    for same in _candidates(program, model):
        with suppress(TooLongError):
            found.append(trace(same))
    if not found:
        raise TooLongError
    return min(found, key=lambda trace: trace.operations)


def _candidates(program: Program, model: Model) -> list[Program]:
    alternatives = [alternative for alternative in program.alternatives if _may_serve(alternative, model)]
    substitutes = any(isinstance(stage, Substitution) for stage in program.stages)
    if not substitutes or model.nv <= MOST_COMPONENTS:
        return [program, *alternatives]
    return alternatives if alternatives and _mean_depth(model) > DEEPEST else [program]


def _may_serve(alternative: Program, model: Model) -> bool:
    """Is the robot small enough to try an alternative, and the alternative as accurate as the program?

    Articulated bodies remove the directions in which a joint moves freely, without rounding if it has several
    components. A factored mass matrix leaves these directions as differences of large numbers.
    """
    solves_matrix = any("all.mass" in stage.reads for stage in alternative.stages)
    small = alternative.most_components is None or model.nv <= alternative.most_components
    return small and (not solves_matrix or all(joint.behaviour.nv == 1 for joint in model.joints))


def _mean_depth(model: Model) -> float:
    """How many components of v, itself counted, move a component's link, on average."""
    counts = [joint.behaviour.nv for joint in model.joints]
    inboard = [sum(counts[i - 1] for i in model.ancestors(k) if i) for k in range(1, model.n + 1)]
    return sum(own * above for own, above in zip(counts, inboard, strict=True)) / max(sum(counts), 1)
