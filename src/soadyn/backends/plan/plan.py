"""A program as loops with their steps, each traced once for each joint class.

The link's constants, its inputs and its neighbours' values are unknowns. Only scalars that some result depends on are
computed and kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, final

import numpy as np

from soadyn.backends.layout import matrix_of
from soadyn.backends.plan.joint_classes import LinkClass
from soadyn.backends.plan.step import Key, Step
from soadyn.backends.plan.values import Values, kept
from soadyn.spatial.vector import Spatial
from soadyn.sweep.loops import Loop, loops
from soadyn.sweep.program import FRAMES, SHARED, Climb, Direction, Once, Program, Sweep, kept_kind
from soadyn.tracing.values import assembled, scalars

Needs = dict[str, set[tuple[str, int]]]  # where a key is read, to the names and numbers read there


@final
@dataclass(slots=True)
class Walk:
    """Sweeps that share a walk, with a step for each joint class; one with `columns` is repeated for every column."""

    direction: Direction
    sweeps: list[Sweep]
    columns: bool
    steps: list[Step] = field(default_factory=list)


@final
@dataclass(slots=True)
class ClimbLoop:
    """A Climb: for each joint class how a link starts columns, carries them inward, and takes its rows of them."""

    climb: Climb
    own: list[Step] = field(default_factory=list)
    carry: list[Step] = field(default_factory=list)
    row: list[Step] = field(default_factory=list)


@final
@dataclass(slots=True)
class OnceStep:
    """A Once."""

    once: Once
    step: Step = field(default_factory=Step)


Part = Walk | ClimbLoop | OnceStep


@final
class Plan:
    """A program's parts with their steps for some classes of links; `needs` are the keys that they read."""

    def __init__(self, program: Program, classes: tuple[LinkClass, ...]) -> None:
        self.program = program
        self.classes = classes
        self.grounds: dict[str, Callable[..., Any]] = {}
        self._values = Values(classes)
        self.parts: list[Part] = [part for loop in loops(program) for part in self._traced(loop)]
        self.needs: Needs = defaultdict(set)
        self._settle()

    def place(self, climb: Climb) -> int:
        """Which of the program's results a climb is."""
        return next(i for i, output in enumerate(self.program.outputs) if output.value == climb.writes[0])

    def _traced(self, loop: Loop) -> list[Part]:
        if loop.direction is None:
            single = [stage for stage in loop.stages if not isinstance(stage, Sweep)]
            return [self._climb(stage) if isinstance(stage, Climb) else self._once(stage) for stage in single]
        walk = Walk(loop.direction, [stage for stage in loop.stages if isinstance(stage, Sweep)], loop.columns)
        for sweep in walk.sweeps:
            self.grounds.update(sweep.ground)
        walk.steps = [self._step(walk, c) for c in range(len(self.classes))]
        return [walk]

    def _step(self, walk: Walk, c: int) -> Step:
        step = Step()
        written: dict[str, Any] = {}
        for sweep in walk.sweeps:
            arguments = [self._values.read(step, name, sweep, c, written) for name in sweep.reads]
            written.update(zip(sweep.writes, sweep.step(self.classes[c].kind, *arguments), strict=True))
        for name, value in written.items():
            self._values.own[c][name] = kept(step, "own", name, value)
            if kept_kind(name) in SHARED:
                for i, scalar in enumerate(scalars(value)):
                    step.results["share", name, i] = scalar
                    step.results["add", name, i] = scalar
            self._hand_out(step, name, value)
        return step

    def _once(self, once: Once) -> OnceStep:
        part = OnceStep(once)
        values = once.step(*(self._values.read(part.step, name, once) for name in once.reads))
        written = dict(zip(once.writes, values, strict=True))
        self._values.once.update((name, kept(part.step, "once", name, value)) for name, value in written.items())
        for name, value in written.items():
            self._hand_out(part.step, name, value)
        return part

    def _hand_out(self, step: Step, name: str, value: Any) -> None:
        for place, output in enumerate(self.program.outputs):
            if output.value == name:
                for i, scalar in enumerate(np.asarray(matrix_of(value), dtype=object).flat):
                    step.results["out", str(place), i] = scalar

    def _climb(self, climb: Climb) -> ClimbLoop:
        part, place = ClimbLoop(climb), str(self.place(climb))
        for c, kind in enumerate(link.kind for link in self.classes):
            own, carry, row = Step(), Step(), Step()
            block, x = climb.own(kind, *(self._values.read(own, name, climb, c) for name in climb.own_reads))
            for i, scalar in enumerate(np.asarray(block, dtype=object).flat):
                own.results["out", place, i] = scalar
            for i, scalar in enumerate(x.dense().T.flat):  # column after column
                own.results["own", "x", i] = scalar
            moving = assembled(Spatial, carry.read_all("own", "x", 6))
            carried = self._values.read(carry, "phi", climb, c) @ moving
            for i, scalar in enumerate(scalars(carried)):
                carry.results["own", "x", i] = scalar
            passing = assembled(Spatial, row.read_all("own", "x", 6))
            felt = climb.row(kind, *(self._values.read(row, name, climb, c) for name in climb.row_reads), passing)
            for i, scalar in enumerate(felt.flat):
                row.results["out", place, i] = scalar
            part.own.append(own)
            part.carry.append(carry)
            part.row.append(row)
        return part

    def _steps(self) -> list[Step]:
        found: list[Step] = []
        for part in self.parts:
            match part:
                case Walk():
                    found += part.steps
                case OnceStep():
                    found.append(part.step)
                case ClimbLoop():
                    found += [*part.own, *part.carry, *part.row]
        return found

    def _settle(self) -> None:
        """Mark the results that are wanted: those that go out, and those that wanted ones depend on."""
        steps, more = self._steps(), True
        while more:
            more = False
            for step in steps:
                wanted = {key for key in step.results if key not in step.wanted and _is_wanted(key, self.needs)}
                step.wanted |= wanted
                more |= bool(wanted)
                for where, name, i in step.live_inputs():
                    more |= (name, i) not in self.needs[where]
                    self.needs[where].add((name, i))


def _is_wanted(key: Key, needs: Needs) -> bool:
    where, name, i = key
    match where:
        case "out":
            return True
        case "own" | "once":
            return (name, i) in needs[where] or name == "x"  # x: the columns that climb
        case "share":
            return any((name, i) in needs[reader] for reader in ("parent", *FRAMES))
        case _:
            return any((name, i) in needs[reader] for reader in ("sum", "ground"))


@lru_cache(maxsize=256)
def planned(program: Program, classes: tuple[LinkClass, ...]) -> Plan:
    """The plan of a program for robots with these classes of links."""
    return Plan(program, classes)
