"""Steps in time with their derivatives, on recorded scalars.

tangent    the state and a direction of it go on together: (x, dx) -> (x', dx')
gradient   weights of the state after a step become weights of the state before it, and add up for all that is held

Directions and weights of q are of its coordinates here; `model/coordinate_rates.py` translates.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, final

from soadyn.engine.tracing.derivatives import gradient, tangent
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.engine.tracing.trace import recorded
from soadyn.simulation.run.machine import Machine

MOVING = ("q", "v")


def _flat(graph: Any, port: Port) -> list[Any]:
    return list(recorded(graph, port).flat)


@final
class TangentStep:
    """A machine's step with the rates of the state along directions of its arguments `by`, held or streamed."""

    def __init__(self, machine: Machine, by: tuple[str, ...]) -> None:
        self.machine, ports = machine, machine.ports
        self.moving = tuple(port for port in ports.state if port.name in MOVING)
        self.held = tuple(port for port in ports.held if port.name in by)
        self.streamed = tuple(port for port in ports.streamed if port.name in by)
        self.ports = StepPorts(
            (*ports.state, *map(direction, self.moving)),
            (*ports.held, *map(direction, self.held)),
            (*ports.streamed, *map(direction, self.streamed)),
            modes=ports.modes,
        )

    def record(self) -> Step:
        step = self.machine.record()
        along = {port: _flat(step.graph, direction(port)) for port in (*self.moving, *self.held, *self.streamed)}
        seeds = {
            x.node: rate for port, rates in along.items() for x, rate in zip(step.inputs[port], rates, strict=True)
        }
        inputs = {**step.inputs, **{direction(port): rates for port, rates in along.items()}}
        outputs = dict(step.outputs)
        for port in self.moving:
            outputs[direction(port)] = tangent(step.graph, step.outputs[port], seeds)
        return Step(step.graph, self.ports, inputs, outputs, step.again)


@final
class GradientStep:
    """A machine's step backwards: the state before each step is streamed in, weights of the state after it go on."""

    def __init__(self, machine: Machine, by: tuple[str, ...]) -> None:
        self.machine, ports = machine, machine.ports
        self.moving = tuple(port for port in ports.state if port.name in MOVING)
        self.known = tuple(port for port in ports.state if port.name in (*MOVING, "sliding"))
        self.held = tuple(port for port in ports.held if port.name in by)
        self.streamed = tuple(port for port in ports.streamed if port.name in by)
        self.ports = StepPorts(
            (*map(weight, self.moving), *map(weight, self.held)),
            ports.held,
            (*self.known, *ports.streamed),
            emitted=tuple(map(weight, self.streamed)),
        )

    def record(self) -> Step:
        step = self.machine.record()
        graph = step.graph
        weights = {port: _flat(graph, weight(port)) for port in (*self.moving, *self.held)}
        results = [x for port in self.moving for x in step.outputs[port]]
        given = [w for port in self.moving for w in weights[port]]
        by = (*self.moving, *self.held, *self.streamed)
        found = iter(gradient(graph, results, given, [x.node for port in by for x in step.inputs[port]]))
        outputs: dict[Port, list[Any]] = {}
        for port in by:
            own = [next(found) for _ in range(port.count)]
            if port in self.held:
                own = [a + b for a, b in zip(weights[port], own, strict=True)]
            outputs[weight(port)] = own
        inputs = {port: x for port, x in step.inputs.items() if port in self.ports.arguments}
        unused = {"inflow", "acted"}
        assert all(port in inputs or port.name in unused for port in step.inputs), "an argument went astray"
        return Step(graph, self.ports, {**inputs, **{weight(p): w for p, w in weights.items()}}, outputs)


def direction(port: Port) -> Port:
    return replace(port, change="direction")


def weight(port: Port) -> Port:
    return replace(port, change="weight")
