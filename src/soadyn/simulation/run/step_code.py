"""The machine code of a step with the arrays that it is called with again and again: for one shape of batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from soadyn.simulation.run.machine import Machine
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.stretches import Stretch


@final
class StepCode:
    """A problem's step for states of its batch; what is held stays as in the problem, but for what a call brings."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.machine = machine = Machine(problem)
        machine.begin(Stretch(0.0, problem.step, 1, 1, recorded=True))
        ports = self.ports = machine.ports
        self.rollout = problem.engine.rollout(ports, machine.content(), machine.record, machine.rows == 1)
        # What has flowed in, and which limits have acted so far, do not change where a step leads.
        fixed = {port.name: np.zeros((1, port.count)) for port in ports.state} | machine.held
        self.places = {port.name: i for i, port in enumerate(ports.arguments)}
        self.fixed = {i: fixed[name] for name, i in self.places.items()}

    def run(self, n: int, given: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The state after n steps, by name, with the axes of the batch; `given` is what this call brings."""
        arrays = [
            self.machine.flat(given[port.name], len(port.shape)) if port.name in given else self.fixed[i]
            for i, port in enumerate(self.ports.arguments)
        ]
        after, _ = self.rollout.ran(arrays, n, n + 1)  # so that no step is recorded
        found = zip(self.ports.state, after, strict=True)
        return {port.name: x.reshape(*self.problem.batch, port.count) for port, x in found}

    def of_one_row(self, n: int, names: tuple[str, ...]) -> Callable[..., Any]:
        """n steps of a single state as a function of these arguments; see `Rollout.of_one_row`."""
        places = [self.places[name] for name in names]
        return self.rollout.of_one_row(places, {i: x for i, x in self.fixed.items() if i not in places}, n)
