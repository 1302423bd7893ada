"""Many motions of one robot at once, by the machine code of `simulate`, and the derivatives of all their steps.

A motion that runs away ends in NaN and leaves the others alone: a search tries steps that are too long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.model.coordinate_rates import coordinate_rates, joint_rates
from soadyn.model.steppers import Method, Moment
from soadyn.optimal.state_feedback import TrackingFeedback
from soadyn.robot import Robot
from soadyn.simulation.derivatives.differentiated import TangentStep, direction
from soadyn.simulation.drive.feedback import reference
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.run import rollout
from soadyn.simulation.run.machine import Machine
from soadyn.simulation.run.problem import AsGiven, Problem
from soadyn.simulation.run.stretches import Stretch
from soadyn.simulation.simulating import posed_by

Matrices = tuple[np.ndarray, np.ndarray]


@final
class Steps:
    """The steps of a robot's simulation under forces that are held through each; joint laws and stops act.

    q: a state to begin with. passive: booleans (nv,). effort_limit: the motors' largest forces, (motors,), infinite
    where there is none. method, joint_forces: of `simulate`; stops: let position limits act.
    """

    def __init__(
        self,
        robot: Robot,
        q: np.ndarray,
        step: float,
        passive: np.ndarray,
        effort_limit: np.ndarray,
        method: Method = "rk4",
        joint_forces: bool = True,
        stops: bool = True,
    ) -> None:
        self.robot, self.step = robot, step
        self.active = np.flatnonzero(~passive)
        self._problem: Problem = posed_by(
            robot, q, control=self._held, duration=step, step=step, method=method, joint_forces=joint_forces,
            stops=stops, effort_limit=None,
        )  # fmt: skip
        if not rollout.possible(self._problem):
            raise ArgumentError(
                f"the steps of {robot.name!r} cannot be machine code, which their derivatives are made of: method "
                f"{method!r}, joints that are tied or sprung while they turn freely, or no native code"
            )
        sizes = {"q": robot.nq, "v": robot.nv, "tau": robot.nv, "K": len(self.active) * 2 * robot.nv}
        streams = {name: TimeSeries([0.0], np.zeros((1, size)), hold=True) for name, size in sizes.items()}
        self.tracking = TrackingFeedback(robot, **streams, passive=passive, effort_limit=effort_limit)

    @property
    def _held(self) -> TimeSeries:
        return TimeSeries([0.0], np.zeros((1, self.robot.nv)), hold=True)

    def _machine(self, torque: Any, q: np.ndarray, v: np.ndarray) -> Machine:
        start = Moment(0.0, q, v, np.zeros((len(q), self._problem.start.inflow.shape[-1])))
        return Machine(replace(self._problem, source=AsGiven(torque), start=start))

    def followed(self, q: np.ndarray, v: np.ndarray, references: Mapping[str, np.ndarray]) -> Matrices:
        """Motions from q, v (rows, n) by references (rows, steps, size) of `TrackingFeedback`; q, v of all states."""
        machine = self._machine(self.tracking, q, v)
        steps = references["q"].shape[1]
        stretch = Stretch(0.0, steps * self.step, steps, 1, True)
        machine.begin(stretch)
        code = self._problem.engine.rollout(machine.ports, machine.content(), machine.record, machine.rows == 1)
        state = [machine.spread(machine.first[port.name]) for port in machine.ports.state]
        named = {reference(name): x for name, x in references.items()}
        streams = [named[port.name] for port in machine.ports.streamed]
        _, records = code.ran([*state, *machine.held.values(), *streams], steps, 1)
        at_q, at_v = (
            np.concatenate([x[:, None], later], axis=1) for x, later in zip(state[:2], records[:2], strict=True)
        )
        return at_q, at_v

    def matrices(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> Matrices:
        """A (..., 2 nv, 2 nv) and B (..., 2 nv, motors) of a step from each state (..., n): x' = A x + B du."""
        nv, batch = self.robot.nv, q.shape[:-1]
        rows = int(np.prod(batch))
        count = 2 * nv + len(self.active)
        directions = np.zeros((count, 3 * nv))
        directions[: 2 * nv, : 2 * nv] = np.eye(2 * nv)
        directions[np.arange(2 * nv, count), 2 * nv + self.active] = 1.0
        q, v, tau = (np.repeat(x.reshape(rows, -1), count, axis=0) for x in (q, v, tau))
        along = np.tile(directions, (rows, 1))
        q, dq, dv = self._tangent(self._machine(self._held, q, v), tau, along)
        dq = dq if self.plain else joint_rates(self.robot.model, q, dq)
        changes = np.concatenate([dq, dv], axis=-1).reshape(*batch, count, 2 * nv).mT
        return np.ascontiguousarray(changes[..., : 2 * nv]), np.ascontiguousarray(changes[..., 2 * nv :])

    def _tangent(self, machine: Machine, tau: np.ndarray, along: np.ndarray) -> tuple[np.ndarray, ...]:
        """q after one step of all rows, and how q and v change along directions (rows, 3 nv) of q, v and the forces."""
        machine.begin(Stretch(0.0, self.step, 1, 1, True))
        step = TangentStep(machine, ("tau",))
        content = (*machine.content(), "tangent", "torque")
        code = self._problem.engine.rollout(step.ports, content, step.record, machine.rows == 1)
        dq, dv, dtau = (np.ascontiguousarray(part) for part in np.split(along, 3, axis=-1))
        if not self.plain:
            dq = coordinate_rates(self.robot.model, machine.first["q"], dq)
        directions = dict(zip(map(direction, step.moving), (dq, dv), strict=True))
        state = [machine.spread(directions.get(port, machine.first[port.name])) for port in step.ports.state]
        after, _ = code.ran([*state, *machine.held.values(), tau[:, None], dtau[:, None]], 1, 1)
        found = dict(zip(step.ports.state, after, strict=True))
        (q, v) = step.moving
        return found[q], found[direction(q)], found[direction(v)]

    @property
    def plain(self) -> bool:
        """Are coordinates' rates of change the joint rates?"""
        return self.robot.nq == self.robot.nv
