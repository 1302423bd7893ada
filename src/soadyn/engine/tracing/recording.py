"""Recording a step in time: programs of one robot run on recorded scalars, as often as the step needs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.parameters import with_parameters
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.trace import candidates, recorded
from soadyn.engine.tracing.traced import traced
from soadyn.engine.tracing.values import array_of
from soadyn.programs.sweep.program import Program

Shapes = Mapping[str, tuple[int, ...]]


@final
class Recording:
    """A graph that grows, and the robot whose programs run on its scalars. Parameters of the robot are arguments.

    Programs of several robots run on the scalars of one `graph`, each in a recording of its own.

    >>> from soadyn.engine.engine import Engine
    >>> from soadyn.loading import load_model
    >>> from soadyn.programs.sweep.algorithms import MASS_MATRIX
    >>> recording = Recording(Engine(load_model("planar_two_link")).constants)
    >>> q = recording.argument(Port("q", (2,)))
    >>> (M,) = recording.run(MASS_MATRIX, q=recording.integrate(q, q))  # at twice the angles
    >>> M.shape
    (2, 2)
    """

    def __init__(self, constants: Constants, parameters: Shapes | None = None, graph: Graph | None = None) -> None:
        self.graph = graph or Graph()
        self.inputs: dict[Port, list[Any]] = {}
        self._chosen: dict[Program, Program] = {}
        self._plain, self._shapes = constants, dict(parameters or {})
        self.parameters = {name: self.argument(Port(name, shape)) for name, shape in (parameters or {}).items()}
        self.constants = with_parameters(constants, self.parameters) if self.parameters else constants

    def argument(self, port: Port) -> np.ndarray[Any, Any]:
        """The numbers of an argument of the step."""
        array = recorded(self.graph, port)
        self.inputs[port] = list(array.flat)
        return array

    def run(self, program: Program, **inputs: Any) -> list[np.ndarray[Any, Any]]:
        """A program's results on recorded scalars, by whichever of its alternatives takes the fewest operations."""
        if program not in self._chosen:
            self._chosen[program] = self._cheapest(program)
        trace = traced(self._chosen[program], self.constants, {}, self.graph, known=inputs)
        return [array_of(x, port.shape) for port, x in trace.outputs.items()]

    def _cheapest(self, program: Program) -> Program:
        def operations(same: Program) -> int:
            apart = Recording(self._plain, self._shapes)  # what is recorded in a trial stays out of this graph
            return traced(same, apart.constants, {}, apart.graph).operations

        return min(candidates(program, self.constants.model), key=operations) if program.alternatives else program

    def integrate(self, q: np.ndarray[Any, Any], dv: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The configuration after motion along dv: q ∘ exp(dv)."""
        model = self.constants.model
        moved = [
            joint.behaviour.integrate(q[at], dv[along])
            for joint, at, along in zip(model.joints, model.q_slices, model.v_slices, strict=True)
        ]
        return np.concatenate(moved)

    def difference(self, q0: np.ndarray[Any, Any], q1: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The motion dv with q1 = q0 ∘ exp(dv)."""
        model = self.constants.model
        return np.concatenate(
            [joint.behaviour.difference(q0[at], q1[at]) for joint, at in zip(model.joints, model.q_slices, strict=True)]
        )
