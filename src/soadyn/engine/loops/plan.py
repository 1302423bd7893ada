"""A program as loops with their steps, each traced once for each joint class.

The link's constants, its inputs and its neighbours' values are unknowns. Only scalars that some result depends on are
computed and kept.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.loops.joint_classes import LinkClass, class_numbers, classes_of
from soadyn.engine.loops.step import Key, LoopStep
from soadyn.engine.loops.values import Values, kept
from soadyn.engine.reference.layout import matrix_of
from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.values import array_of, assembled, leaves
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.loops import Loop, loops
from soadyn.programs.sweep.program import (
    SHARED,
    Climb,
    Direction,
    Once,
    Pairs,
    Program,
    Substitution,
    Sweep,
    kept_kind,
    read_of,
)

Needs = dict[str, set[tuple[str, int]]]  # where a key is read, to the names and numbers read there


@final
@dataclass(slots=True)
class Walk:
    """Sweeps that share a walk, with a step for each joint class; one with `columns` is repeated for every column."""

    direction: Direction
    sweeps: list[Sweep]
    columns: bool
    steps: list[LoopStep] = field(default_factory=list)


@final
@dataclass(slots=True)
class ClimbLoop:
    """A Climb or Pairs: for each joint class how a link starts columns, carries them inward and takes its rows.

    A column that climbs has `height` numbers; at a link of class c `widths[c]` columns start.
    """

    climb: Climb | Pairs
    height: int = 0
    widths: list[int] = field(default_factory=list)
    own: list[LoopStep] = field(default_factory=list)
    carry: list[LoopStep] = field(default_factory=list)
    row: list[LoopStep] = field(default_factory=list)


@final
@dataclass(slots=True)
class OnceStep:
    """A Once."""

    once: Once
    step: LoopStep = field(default_factory=LoopStep)


@final
@dataclass(frozen=True, slots=True)
class SubstitutionLoop:
    """A Substitution; `places` are the results that hold the right sides, and then what is found."""

    stage: Substitution
    places: tuple[int, ...]


Part = Walk | ClimbLoop | SubstitutionLoop | OnceStep

# What Pairs writes into instead of a result: the matrix U of a substitution.
KEPT = "kept"


@final
class LoopPlan:
    """A program's parts with their steps for some classes of links.

    `ground` writes what the ground shares; `needs` are the keys that all steps read.
    """

    def __init__(self, program: Program, classes: tuple[LinkClass, ...]) -> None:
        self.program = program
        self.classes = classes
        self.ground = _ground(program)
        self._steps = [self.ground]
        self._values = Values(classes)
        self.parts: list[Part] = [part for loop in loops(program) for part in self._traced(loop)]
        self.needs: Needs = defaultdict(set)
        self._settle()

    def _traced(self, loop: Loop) -> list[Part]:
        if loop.direction is None:
            return [self._single(stage) for stage in loop.stages if not isinstance(stage, Sweep)]
        walk = Walk(loop.direction, [stage for stage in loop.stages if isinstance(stage, Sweep)], loop.columns)
        walk.steps = [self._step(walk, c) for c in range(len(self.classes))]
        self._steps += walk.steps
        return [walk]

    def _single(self, stage: Climb | Pairs | Substitution | Once) -> Part:
        match stage:
            case Climb() | Pairs():
                return self._climb(stage)
            case Substitution():
                return SubstitutionLoop(stage, tuple(place for name in stage.writes for place in self._places(name)))
            case Once():
                return self._once(stage)

    def _places(self, matrix: str) -> list[Any]:
        """The results that a matrix is, or is the right side of; the matrix U of a substitution is no result."""
        found: list[Any] = [place for place, output in enumerate(self.program.outputs) if output.value == matrix]
        for stage in self.program.stages:
            if isinstance(stage, Substitution):
                U, *right = (read_of(text).name for text in stage.reads)
                solved = [out for x, out in zip(right, stage.writes, strict=True) if x == matrix]
                found += [KEPT] if matrix == U else [place for out in solved for place in self._places(out)]
        return found

    def _step(self, walk: Walk, c: int) -> LoopStep:
        step = LoopStep()
        written: dict[str, Any] = {}
        for sweep in walk.sweeps:
            arguments = [self._values.read(step, name, sweep, c, written) for name in sweep.reads]
            written.update(zip(sweep.writes, sweep.step(self.classes[c].kind, *arguments), strict=True))
        for name, value in written.items():
            self._values.own[c][name] = kept(step, "own", name, value)
            if kept_kind(name) in SHARED:
                for i, scalar in enumerate(leaves(value)):
                    step.results["share", name, i] = scalar
                    step.results["add", name, i] = scalar
            self._hand_out(step, name, value)
        return step

    def _once(self, once: Once) -> OnceStep:
        part = OnceStep(once)
        values = once.step(*(self._values.read(part.step, name, once) for name in once.reads))
        for name, value in zip(once.writes, values, strict=True):
            self._values.once[name] = kept(part.step, "once", name, value)
            self._hand_out(part.step, name, value)
        self._steps.append(part.step)
        return part

    def _hand_out(self, step: LoopStep, name: str, value: Any) -> None:
        for place, output in enumerate(self.program.outputs):
            if output.value == name:
                for i, scalar in enumerate(np.asarray(matrix_of(value), dtype=object).flat):
                    step.results["out", str(place), i] = scalar

    def _climb(self, climb: Climb | Pairs) -> ClimbLoop:
        part = ClimbLoop(climb)
        for c in range(len(self.classes)):
            own, rising = self._start(part, c)
            part.own.append(own)
            part.carry.append(self._carry(climb, c, rising))
            part.row.append(self._row(climb, c, rising))
        self._steps += [*part.own, *part.carry, *part.row]
        return part

    def _start(self, part: ClimbLoop, c: int) -> tuple[LoopStep, tuple[Any, ...]]:
        """The step that starts columns, and the values that climb."""
        own, climb = LoopStep(), part.climb
        arguments = [self._values.read(own, name, climb, c) for name in climb.own_reads]
        blocks, rising = climb.begin(self.classes[c].kind, *arguments)
        self._enter(own, "out", climb, blocks)
        columns = np.concatenate([matrix_of(x) for x in rising])
        for i, scalar in enumerate(columns.T.flat):  # column after column
            own.results["own", "x", i] = scalar
        part.height, width = columns.shape
        part.widths.append(width)
        return own, rising

    def _carry(self, climb: Climb | Pairs, c: int, rising: tuple[Any, ...]) -> LoopStep:
        carry = LoopStep()
        phi = self._values.read(carry, "phi", climb, c)
        _climb_on(carry, [phi.carried(x) for x in _column(carry, rising)])
        return carry

    def _row(self, climb: Climb | Pairs, c: int, rising: tuple[Any, ...]) -> LoopStep:
        row = LoopStep()
        arguments = [self._values.read(row, name, climb, c) for name in climb.row_reads]
        above, below, passed = climb.take(self.classes[c].kind, *arguments, *_column(row, rising))
        self._enter(row, "out", climb, above)
        self._enter(row, "below", climb, below)
        _climb_on(row, passed)
        return row

    def _enter(self, step: LoopStep, where: str, climb: Climb | Pairs, blocks: tuple[Any, ...]) -> None:
        """Record entries of the matrices that a climb writes."""
        for name, block in zip(climb.writes, blocks, strict=True):
            if block is None:
                continue
            for place in self._places(name):
                for i, scalar in enumerate(np.asarray(block, dtype=object).flat):
                    if isinstance(scalar, Scalar) or scalar != 0.0:  # zeros are there already
                        step.results[where, str(place), i] = scalar

    def _settle(self) -> None:
        """Mark the results that are wanted: those that go out, and those that wanted ones depend on."""
        steps, more = self._steps, True
        for step in steps:
            if step.graph.guards:  # which are computed whatever is wanted
                self._need(step)
        while more:
            more = False
            for step in reversed(steps):  # most read earlier steps; forward, each walk would take a round of its own
                wanted = {key for key in step.results if key not in step.wanted and _is_wanted(key, self.needs)}
                if wanted:
                    step.wanted |= wanted
                    self._need(step)
                    more = True

    def _need(self, step: LoopStep) -> None:
        for where, name, i in step.live_inputs():
            self.needs[where].add((name, i))


def _ground(program: Program) -> LoopStep:
    """The step that writes what the ground shares with the links that hang on it, by gravity."""
    step = LoopStep()
    gravity = array_of(step.read_all("whole", "gravity", 3), (3, 1))
    for stage in program.stages:
        for name, value in stage.ground if isinstance(stage, Sweep) else ():
            step.results.update((("share", name, i), scalar) for i, scalar in enumerate(leaves(value(gravity))))
    return step


def _column(step: LoopStep, rising: tuple[Any, ...]) -> list[Any]:
    """One column of the values that climb: spatial vectors and couples."""
    found, start = [], 0
    for x in rising:
        size = 6 if isinstance(x, Spatial) else 3
        entries = [step.read(("own", "x", start + i)) for i in range(size)]
        found.append(assembled(Spatial, entries) if size == 6 else array_of(entries, (3, 1)))
        start += size
    return found


def _climb_on(step: LoopStep, values: Sequence[Any]) -> None:
    """Record the numbers of a column that change when it climbs to the parent."""
    for i, scalar in enumerate(np.concatenate([matrix_of(x) for x in values]).flat):
        read = step.inputs["own", "x", i]
        if not (isinstance(scalar, Scalar) and scalar.node == read.node and not scalar.negative):
            step.results["own", "x", i] = scalar


def _is_wanted(key: Key, needs: Needs) -> bool:
    where, name, i = key
    match where:
        case "out" | "below":
            return True
        case "own" | "once":
            return (name, i) in needs[where] or name == "x"  # x: the columns that climb
        case "share":
            return any((name, i) in keys for reader, keys in needs.items() if reader == "parent" or is_frame(reader))
        case _:
            return any((name, i) in needs[reader] for reader in ("sum", "ground"))


def planned_operations(program: Program, constants: Constants) -> int:
    """How many operations a program's walks take on a robot, the numbers of its links counted as unknown."""
    links = Counter(class_numbers(constants))
    walks = [part for part in planned(program, classes_of(constants)).parts if isinstance(part, Walk)]
    return sum(count * walk.steps[c].operations() for walk in walks for c, count in links.items())


@lru_cache(maxsize=256)
def planned(program: Program, classes: tuple[LinkClass, ...]) -> LoopPlan:
    """The plan of a program for robots with these classes of links."""
    return LoopPlan(program, classes)
