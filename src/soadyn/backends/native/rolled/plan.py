"""Rolled kernels, planned: which sweeps share a loop, what each joint kind's step computes, what is kept between loops.

Every step is traced once for each joint kind, with the link's constants, its inputs and its neighbours' values as
unknowns. Only scalars that some result depends on are computed and kept.

A key says where a scalar comes from:

    ("constant", name, i)   the link's table      ("input", port, i)   the link's share of an argument
    ("own", name, i)        what an earlier loop kept for this link
    ("parent", name, i)     the parent's value    ("sum", name, i)     the sum over the children
    ("ground", name, i)     the sum at the ground (a frame, name, i)   the value of that frame's link
    ("once", name, i)       what a Once wrote     ("whole", port, i)   an argument that is the same for all links
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from soadyn.joint import KINDS, JointKind
from soadyn.spatial.inertia import Inertia
from soadyn.spatial.transform import Transform
from soadyn.spatial.vector import Spatial
from soadyn.sweep.program import (
    COLUMNS,
    FRAMES,
    SHARED,
    SPATIAL,
    Climb,
    Direction,
    Once,
    Program,
    Stage,
    Sweep,
    base,
    kept_kind,
    share_of,
)
from soadyn.tracing import Graph, Scalar
from soadyn.tracing.values import COUNTS, assembled, changed, scalars

Key = tuple[str, str, int]

# Revolute and continuous joints move alike.
CLASSES: tuple[JointKind, ...] = tuple(kind for name, kind in KINDS.items() if name != "continuous")
CLASS_OF = {name: CLASSES.index(KINDS["revolute" if name == "continuous" else name]) for name in KINDS}


@final
@dataclass(slots=True)
class Step:
    """What one loop does at a link of one kind (or once): operations, where inputs come from, where results go."""

    graph: Graph
    inputs: dict[Key, Scalar] = field(default_factory=dict)
    results: dict[Key, Any] = field(
        default_factory=dict
    )  # ("own" | "share" | "add" | "out" | "once", name, i) -> scalar
    wanted: set[Key] = field(default_factory=set)

    def read(self, key: Key) -> Scalar:
        if key not in self.inputs:
            self.inputs[key] = self.graph.input(repr(key))
        return self.inputs[key]

    def live_results(self) -> dict[Key, Any]:
        return {key: value for key, value in self.results.items() if key in self.wanted}

    def operations(self) -> int:
        """How many operations the wanted results take."""
        return sum(self.graph.counts(self.live_results().values()).values())

    def live_inputs(self) -> dict[Key, Scalar]:
        live = set(self.graph.live(self.live_results().values()))
        return {key: scalar for key, scalar in self.inputs.items() if scalar.node in live}


@final
@dataclass(slots=True)
class Loop:
    """Sweeps that share a walk; `columns` says that it is repeated for every column of a matrix."""

    direction: Direction
    sweeps: list[Sweep]
    columns: bool
    steps: list[Step] = field(default_factory=list)  # one for each joint class


@final
@dataclass(slots=True)
class ClimbLoop:
    """A Climb: the columns each link starts, how they are carried inward, what each ancestor makes of them."""

    climb: Climb
    own: list[Step] = field(default_factory=list)
    carry: list[Step] = field(default_factory=list)
    row: list[Step] = field(default_factory=list)


@final
@dataclass(slots=True)
class OnceStep:
    """A Once."""

    once: Once
    step: Step


Part = Loop | ClimbLoop | OnceStep


@final
class Plan:
    """A program's loops with their steps, liveness settled."""

    def __init__(self, program: Program, joint_classes: tuple[JointKind, ...] = CLASSES) -> None:
        self.program = program
        self.classes = joint_classes
        self.parts: list[Part] = _parts(program)
        self.templates: list[dict[str, Any]] = [{} for _ in joint_classes]  # what each class's own values look like
        self.once: dict[str, Any] = {}
        self.grounds: dict[str, Callable[..., Any]] = {}
        for part in self.parts:
            self._trace(part)
        self._settle()

    # Tracing

    def _trace(self, part: Part) -> None:
        match part:
            case Loop():
                for sweep in part.sweeps:
                    self.grounds.update(sweep.ground)
                part.steps = [self._loop_step(part, c) for c in range(len(self.classes))]
            case OnceStep():
                values = part.once.step(*(self._read(part.step, name, part.once, 0, {}) for name in part.once.reads))
                for name, value in zip(part.once.writes, values, strict=True):
                    self.once[name] = self._keep(part.step, "once", name, value)
            case ClimbLoop():
                self._trace_climb(part)

    def _loop_step(self, loop: Loop, c: int) -> Step:
        step = Step(Graph())
        written: dict[str, Any] = {}
        for sweep in loop.sweeps:
            arguments = [self._read(step, name, sweep, c, written) for name in sweep.reads]
            written.update(zip(sweep.writes, sweep.step(self.classes[c], *arguments), strict=True))
        for name, value in written.items():
            self.templates[c][name] = self._keep(step, "own", name, value)
            if kept_kind(name) in SHARED:
                for i, scalar in enumerate(scalars(value)):
                    step.results["share", name, i] = scalar
                    step.results["add", name, i] = scalar
            for place, output in enumerate(self.program.outputs):
                if output.value == name:
                    for i, scalar in enumerate(_dense(value).flat):
                        step.results["out", str(place), i] = scalar
        return step

    def _keep(self, step: Step, where: str, name: str, value: Any) -> Any:
        """A value as later loops see it: known numbers stay, scalars become keys of what is stored or read again."""
        origin = {scalar.node: key for key, scalar in step.inputs.items()}
        places: dict[int, int] = {}

        def change(x: Any) -> Any:
            if not isinstance(x, Scalar):
                return x
            key = origin.get(x.node)
            if key is None or key[0] in ("parent", "sum"):
                i = places.setdefault(x.node, len(places))
                key = (where, name, i)
                step.results[key] = Scalar(x.graph, x.node, False)
            return key, x.negative

        return changed(value, change)

    def _recall(self, step: Step, template: Any) -> Any:
        def change(x: Any) -> Any:
            if not isinstance(x, tuple):
                return x
            key, negative = x
            scalar = step.read(key)
            return -scalar if negative else scalar

        return changed(template, change)

    def _trace_climb(self, part: ClimbLoop) -> None:
        climb = part.climb
        place = str(self.place(climb))
        for c, kind in enumerate(self.classes):
            own, carry, row = Step(Graph()), Step(Graph()), Step(Graph())
            block, x = climb.own(kind, *(self._read(own, name, climb, c, {}) for name in climb.own_reads))
            for i, scalar in enumerate(np.asarray(block, dtype=object).flat):
                own.results["out", place, i] = scalar
            columns = x.dense()
            for i, scalar in enumerate(columns.T.flat):  # column after column
                own.results["own", "x", i] = scalar
            moving = Spatial(*(np.array([[carry.read(("own", "x", 3 * h + i))] for i in range(3)]) for h in (0, 1)))
            carried = self._read(carry, "phi", climb, c, {}) @ moving
            for i, scalar in enumerate(scalars(carried)):
                carry.results["own", "x", i] = scalar
            passing = Spatial(*(np.array([[row.read(("own", "x", 3 * h + i))] for i in range(3)]) for h in (0, 1)))
            felt = climb.row(kind, *(self._read(row, name, climb, c, {}) for name in climb.row_reads), passing)
            for i, scalar in enumerate(felt.flat):
                row.results["out", place, i] = scalar
            part.own.append(own)
            part.carry.append(carry)
            part.row.append(row)

    def place(self, climb: Climb) -> int:
        """Which of the program's results a climb is."""
        return next(i for i, output in enumerate(self.program.outputs) if output.value == climb.writes[0])

    # Reading

    def _read(self, step: Step, name: str, stage: Stage, c: int, written: dict[str, Any]) -> Any:
        kind = self.classes[c]
        given = dict(stage.given)
        prefix, _, value = name.rpartition(".")
        if name in given:
            if name in SPATIAL:
                return Spatial.zero()
            if given[name] == "identity":
                return unknown([step.read(("input", "unit", i)) for i in range(kind.nv)], (kind.nv, 1))
            return np.full((kind.nv, 1), float(given[name]))
        if prefix:
            where = {"children": "sum"}.get(prefix, prefix)
            shared = SHARED[kept_kind(value)]
            return assembled(shared, [step.read((where, value, i)) for i in range(COUNTS[shared])])
        if name in written:
            return written[name]
        if share_of(name):
            return self._input(step, name, kind)
        if name in self.once:
            return self._recall(step, self.once[name])
        if name in self.templates[c]:
            return self._recall(step, self.templates[c][name])
        return _constant(step, name, kind)

    def _input(self, step: Step, name: str, kind: JointKind) -> Any:
        match share_of(name):
            case "coordinates":
                return unknown([step.read(("input", name, i)) for i in range(kind.nq)], (kind.nq,))
            case "joint":
                return unknown([step.read(("input", name, i)) for i in range(kind.nv)], (kind.nv, 1))
            case "wrench":
                return assembled(Spatial, [step.read(("input", name, i)) for i in range(6)])
            case "each":
                return step.read(("input", name, 0))
            case "whole":
                if name in FRAMES:
                    return assembled(Transform, [step.read(("whole", name, i + 1)) for i in range(12)])
                if name in COLUMNS:
                    return unknown([step.read(("whole", name, i)) for i in range(COLUMNS[name])], (COLUMNS[name], 1))
                return step.read(("whole", name, 0))
        raise AssertionError(name)

    # Liveness

    def steps(self) -> list[Step]:
        found: list[Step] = []
        for part in self.parts:
            match part:
                case Loop():
                    found += part.steps
                case OnceStep():
                    found.append(part.step)
                case ClimbLoop():
                    found += [*part.own, *part.carry, *part.row]
        return found

    def _settle(self) -> None:
        """Which results are wanted: those that go out, and those that wanted ones depend on."""
        outputs = {str(i) for i, _ in enumerate(self.program.outputs)}
        for part in self.parts:
            if isinstance(part, OnceStep):
                for name in part.once.writes:
                    for place, output in enumerate(self.program.outputs):
                        if output.value == name:
                            part.step.results.update(self._once_output(name, place))
        changed_something = True
        needs: dict[str, set[tuple[str, int]]] = defaultdict(set)
        while changed_something:
            changed_something = False
            for step in self.steps():
                for key in step.results:
                    if key not in step.wanted and self._is_wanted(key, needs, outputs):
                        step.wanted.add(key)
                        changed_something = True
                for where, name, i in step.live_inputs():
                    if (name, i) not in needs[where]:
                        needs[where].add((name, i))
                        changed_something = True
        self.needs = needs

    def _once_output(self, name: str, place: int) -> dict[Key, Any]:
        part = next(p for p in self.parts if isinstance(p, OnceStep) and name in p.once.writes)
        value = self._recall_in(part.step, self.once[name])
        return {("out", str(place), i): x for i, x in enumerate(_dense(value).flat)}

    def _recall_in(self, step: Step, template: Any) -> Any:
        """A template of this very step, as its own scalars."""

        def change(x: Any) -> Any:
            if not isinstance(x, tuple):
                return x
            key, negative = x
            scalar = step.results[key] if key in step.results else step.inputs[key]
            return -scalar if negative else scalar

        return changed(template, change)

    @staticmethod
    def _is_wanted(key: Key, needs: dict[str, set[tuple[str, int]]], outputs: set[str]) -> bool:
        where, name, i = key
        match where:
            case "out":
                return name in outputs
            case "own" | "once":
                return (name, i) in needs[where] or name == "x"
            case "share":
                return any((name, i) in needs[reader] for reader in ("parent", *FRAMES))
            case _:
                return any((name, i) in needs[reader] for reader in ("sum", "ground"))


def _parts(program: Program) -> list[Part]:
    """The program's stages with neighbouring sweeps merged where one walk can do for both."""
    parts: list[Part] = []
    for stage in program.stages:
        match stage:
            case Once():
                parts.append(OnceStep(stage, Step(Graph())))
            case Climb():
                parts.append(ClimbLoop(stage))
            case Sweep():
                columns = "identity" in dict(stage.given).values()
                last = parts[-1] if parts else None
                if isinstance(last, Loop) and last.columns == columns and not stage.apart and _can_share(last, stage):
                    last.sweeps.append(stage)
                    if last.direction is Direction.EVERY_LINK:
                        last.direction = stage.direction
                else:
                    parts.append(Loop(stage.direction, [stage], columns))
    return parts


def _can_share(loop: Loop, sweep: Sweep) -> bool:
    walked = {loop.direction, sweep.direction} - {Direction.EVERY_LINK}
    done_here = {name for earlier in loop.sweeps for name in earlier.writes}
    afterwards = {base(name) for name in sweep.reads if name.partition(".")[0] in ("ground", *FRAMES)}
    return len(walked) <= 1 and not (afterwards & done_here)


def unknown(entries: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    """An array of scalars."""
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)


def _constant(step: Step, name: str, kind: JointKind) -> Any:
    match name:
        case "placement" | "link_frame":
            return assembled(Transform, [step.read(("constant", name, i)) for i in range(12)])
        case "M":
            return assembled(Inertia, [step.read(("constant", name, i)) for i in range(10)])
        case "pitch" | "start":
            return step.read(("constant", name, 0))
        case "gravity":
            return unknown([step.read(("whole", name, i)) for i in range(3)], (3, 1))
        case "A_r":
            diagonal = np.zeros((kind.nv, kind.nv), dtype=object)
            for i in range(kind.nv):
                diagonal[i, i] = step.read(("constant", name, i))
            return diagonal
    raise AssertionError(name)


def _dense(value: Any) -> np.ndarray:
    """A value as the matrix that goes out."""
    if isinstance(value, Transform):
        return value.homogeneous()
    return np.asarray(value.dense() if isinstance(value, Spatial) else value, dtype=object)
