"""A step in time as recorded operations: what goes from step to step, what comes in, and what is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port

# Trials of one step, at most; what the last one gives is taken.
TRIALS = 8


@final
@dataclass(frozen=True, slots=True)
class StepPorts:
    """What becomes of a step's arguments and results.

    state      an argument of every step and its result, which is the next step's argument
    held       arguments that stay the same through all steps
    streamed   arguments with a row for every step
    emitted    results that are kept at records, beside the state
    modes      the part of the state that a repeated trial of a step changes
    """

    state: tuple[Port, ...]
    held: tuple[Port, ...] = ()
    streamed: tuple[Port, ...] = ()
    emitted: tuple[Port, ...] = ()
    modes: tuple[Port, ...] = ()

    @property
    def arguments(self) -> tuple[Port, ...]:
        return (*self.state, *self.held, *self.streamed)

    @property
    def results(self) -> tuple[Port, ...]:
        return (*self.state, *self.emitted)

    @property
    def arrays(self) -> tuple[Port, ...]:
        """The arrays of a loop over steps: its arguments; the last state; the records of all results."""
        return (*self.arguments, *self.state, *self.results)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """The recorded scalars of a step's arguments and results.

    Where `again` comes out positive the step is tried again with the modes that this trial gave; the rest of the state
    is what it was.
    """

    graph: Graph
    ports: StepPorts
    inputs: Mapping[Port, Sequence[Any]]
    outputs: Mapping[Port, Sequence[Any]]
    again: Any = None

    @property
    def arguments(self) -> list[Any]:
        """The scalars of all arguments, in order."""
        return [x for port in self.ports.arguments for x in self.inputs[port]]

    @property
    def results(self) -> list[Any]:
        """The scalars of all results, in order; last the one that asks for another trial, if there is one."""
        found = [x for port in self.ports.results for x in self.outputs[port]]
        return found if self.again is None else [*found, self.again]

    @property
    def operations(self) -> int:
        """How many operations a step takes."""
        return len(self.graph.operations(self.results))
