"""Walks as the stages of a Program: base sweeps from the named algorithms, and one step for all nodes of a walk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, final

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link import block_operators, motion, points, task
from soadyn.mechanics.link.block_operators import Action
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.programs.lowering.nodes import CROSSINGS, OF_POINTS, Node, Nodes, in_order
from soadyn.programs.lowering.rate_stages import (
    ALONG,
    RATE_BASE,
    RATE_STAGES,
    bases_along,
    place_along,
    stages_along,
    values_along,
)
from soadyn.programs.lowering.walks import INWARD, OUTWARD, Base, Walks, below, groups_of, walks_of
from soadyn.programs.sweep import algorithms as sweeps
from soadyn.programs.sweep.program import Direction, Layout, Output, Program, Stage, Sweep
from soadyn.programs.sweep.under_actuated import UPSILON

GRAVITY = Sweep(
    OUTWARD,
    motion.with_gravity,
    ("phi", "a", "parent.ground_up"),
    ("a_g", "ground_up"),
    (("ground_up", motion.upward),),
)
PASSIVE_READS = ("phi", "H", "D", "G", "passive", "parent.Upsilon")
# Base values: those that sweeps of the named algorithms compute.
BASE = {
    "phi": Base(None),
    "H": Base(None),
    "V": Base(OUTWARD),
    "a": Base(OUTWARD),
    "a_g": Base(OUTWARD, ("a",)),
    "b": Base(None, ("V",)),
    "f_external": Base(None),
    "R": Base(INWARD),
    **dict.fromkeys(("P", "D", "G", "P_plus"), Base(INWARD)),
    "Upsilon": Base(OUTWARD, ("D",)),
    **RATE_BASE,
    "pose": Base(OUTWARD),
    "Y": Base(None, ("pose",)),
    "a_tip": Base(None, ("V", "pose")),
}
STAGE_OF: dict[str, Stage] = {
    "phi": sweeps.HINGE,
    "H": sweeps.HINGE,
    "V": sweeps.VELOCITY,
    "a": sweeps.VELOCITY,
    "a_g": GRAVITY,
    "b": sweeps.GYROSCOPIC,
    "f_external": sweeps.EXTERNAL,
    "R": sweeps.COMPOSITE,
    **RATE_STAGES,
    "pose": sweeps.POSE,
    "Y": Sweep(Direction.EVERY_LINK, points.pose_of_point, ("pose", "point$0"), ("Y",)),
}
WHOLE_STAGE_OF: dict[str, Stage] = {
    **dict.fromkeys(("P", "D", "G", "P_plus"), sweeps.ARTICULATED),
    "Upsilon": UPSILON,
}
PASSIVE_STAGE_OF: dict[str, Stage] = {
    **dict.fromkeys(("P", "D", "G", "P_plus"), sweeps.RICCATI),
    "Upsilon": replace(UPSILON, step=task.passive_operational_inertia, reads=PASSIVE_READS),
}
LAYOUT: dict[str, Layout] = {"joint": "joint", "link": "link vectors", "number": "sum", "task": "sum"}


class Printed(Protocol):
    """What a formula's walks look like in the papers' letters."""

    def lines(self, walk: int) -> list[tuple[str, str]]:
        """The equations of a walk with their numbers in the papers."""

    def letters_of(self, walk: int) -> dict[str, str]:
        """The letters of what crosses or is kept, by its name in the program."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Lowered:
    """A formula's program, with the walks and the nodes that became its stages."""

    program: Program
    walks: Walks
    nodes: Nodes
    outputs: tuple[Node, ...]
    steps: Mapping[int, WalkStep]


@final
@dataclass(slots=True, eq=False)
class WalkStep:
    """One walk's share of a link: its nodes, worked out one after the other.

    `names` says what earlier walks call the values read; crossings read children.NAME or parent.NAME.
    """

    walk: int
    nodes: list[Node]
    definitions: Mapping[Node, Node]
    points: int
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    names: dict[Node, str] = field(default_factory=dict)
    carried: dict[Node, str] = field(default_factory=dict)
    results: dict[str, Node] = field(default_factory=dict)
    printed: Printed | None = field(default=None, compare=False)

    @property
    def __name__(self) -> str:
        return f"walk_{self.walk}"

    @property
    def letters(self) -> dict[str, str]:
        """The papers' letters of what crosses or is kept, by its name in the program."""
        return self.printed.letters_of(self.walk) if self.printed else {}

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        equations = self.printed.lines(self.walk) if self.printed else []
        lines = [f"{line}  [{reference}]" if reference else line for line, reference in equations]
        return "\n".join(["Level 6 - a formula's share of a link.", "", *lines])

    def __call__(self, joint: JointKind, *values: Any) -> tuple[Any, ...]:
        given = dict(zip(self.reads, values, strict=True))
        found: dict[Node, Any] = {node: given[name] for node, name in self.names.items()}
        for node in self.nodes:
            found[node] = self._value(node, joint, given, found)
        written: dict[str, Any] = {}
        for crossing, name in self.carried.items():
            x = found[crossing.x]
            written[name] = given["phi"] @ x if crossing.kind == "in" else x
        written.update((name, found[node]) for name, node in self.results.items())
        return tuple(written[name] for name in self.writes)

    def _value(self, node: Node, joint: JointKind, given: Mapping[str, Any], found: Mapping[Node, Any]) -> Any:
        match node.kind:
            case "leaf":
                return given[node.operator]
            case "in":
                total = given[f"children.{self.carried[node]}"]
                return Spatial.zero() if isinstance(total, int) else total  # nothing hangs on a tip
            case "out":
                return given["phi"].mT @ given[f"parent.{self.carried[node]}"]
            case "var":
                return found[self.definitions[node]]
            case "named":
                return found[node.x]
            case "dot":
                left, right = node.below
                return block_operators.dot(found[left], found[right])
            case "act":
                action, blocks = _action(node)
                return action(*(given[name] for name in blocks), found[node.x])
            case "sum" if node.terms:
                return block_operators.combined([(float(c), found[x]) for c, x in node.terms])
        zeros = {"joint": joint.nv, "number": 1, "task": points.NUMBERS * self.points, "pose": 12}
        return np.zeros((zeros[node.place], 1)) if node.place in zeros else Spatial.zero()


def lowered(
    name: str, nodes: Nodes, outputs: Iterable[Node], passive: bool, count: int = 0, joint_space: bool = False
) -> Lowered:
    """The program that computes the outputs; gain and pivot are the passive arm's if `passive`.

    `count` is how many operational points there are; `joint_space` is what `Program` says of it.
    """
    wanted = tuple(outputs)
    groups = [node for group in groups_of(wanted, nodes.definitions) for node in group]
    places = [place_along(node.operator) for node in groups if ALONG in node.operator]
    bases = {**BASE, **bases_along(places)}
    needed = {node: tuple(name for name in _read_by(node) if name in bases) for node in groups}
    walks = walks_of(wanted, nodes.definitions, needed, bases)
    steps = _steps(wanted, nodes.definitions, walks, count)
    made = {**STAGE_OF, **(PASSIVE_STAGE_OF if passive else WHOLE_STAGE_OF), **stages_along(places)}
    made["a_tip"] = _swing(count)
    sources = {name: made[name] for name in bases if name in made}  # in the order in which they read each other
    stages: list[Stage] = []
    before = 0
    for walk in sorted({0, *walks.used}):
        for base in _base_stages(walks, walk, sources):
            if base not in stages:
                stages.append(base)
        if walk in steps:
            direction = Direction.EVERY_LINK if walk == 0 else walks.direction(walk)
            stages.append(_stage(steps[walk], direction, apart=walk > before + 1 > 1))
        before = walk
    names = {node: name for step in steps.values() for name, node in step.results.items()}
    sizes = {"task": (points.NUMBERS * count,)}
    results = tuple(Output(names[node], LAYOUT[node.place], sizes.get(node.place)) for node in wanted)
    return Lowered(Program(name, tuple(stages), results, joint_space), walks, nodes, wanted, steps)


def _swing(count: int) -> Sweep:
    """What computes a(0) of so many points."""
    reads = ("V", "pose", *block_operators.inputs_at("point", count))
    return Sweep(Direction.EVERY_LINK, points.swing_of_points, reads, ("a_tip",))


def _base_stages(walks: Walks, walk: int, sources: Mapping[str, Stage]) -> list[Stage]:
    """Sweeps of the named algorithms in a walk, in the order they read each other; sines come first."""
    found = [stage for name, stage in sources.items() if walks.base.get(name) == walk]
    return [sweeps.HINGE, *found] if walk == 0 else found


def _steps(wanted: tuple[Node, ...], definitions: Mapping[Node, Node], walks: Walks, count: int) -> dict[int, WalkStep]:
    order = _order(wanted, definitions)
    steps: dict[int, WalkStep] = {}
    for node in order:
        if node.kind != "leaf" or node in wanted:  # a leaf is read where it is needed
            walk = walks.of[node]
            steps.setdefault(walk, WalkStep(walk, [], definitions, count)).nodes.append(node)
    kept: dict[Node, str] = {}
    crossings = 0
    for walk in sorted(steps):
        step = steps[walk]
        inside = set(step.nodes)
        reads: dict[str, None] = {}
        for node in step.nodes:
            for name in _read_by(node):
                reads.setdefault(name)
            if node.kind in CROSSINGS:
                name = f"{'phi_x' if node.kind == 'in' else 'alpha'}~{(crossings := crossings + 1)}"
                step.carried[node] = name
                reads.setdefault(f"{'children' if node.kind == 'in' else 'parent'}.{name}")
            for x in below(node, definitions):
                if x.kind == "leaf":
                    step.names[x] = x.operator
                elif x not in inside:
                    step.names[x] = kept.setdefault(x, f"y{len(kept) + 1}")
        step.reads = [*reads, *(name for name in step.names.values() if name not in reads)]
    for node in wanted:
        kept.setdefault(node, f"y{len(kept) + 1}")
    for node, name in kept.items():
        steps[walks.of[node]].results[name] = node
    for step in steps.values():
        step.writes = [*step.carried.values(), *step.results]
    return steps


def _action(node: Node) -> tuple[Action, tuple[str, ...]]:
    """How a block diagonal operator acts, and the values its blocks are made from."""
    operators = block_operators.OPERATORS
    if OF_POINTS in node.operator:
        operator, _, count = node.operator.partition(OF_POINTS)
        values, action = block_operators.POINT_OPERATORS[operator]
        return action, values(int(count))
    if ALONG in node.operator:
        blocks, action = operators[node.operator.partition(ALONG)[0]]
        return action, values_along(blocks, place_along(node.operator))
    if "$" in node.operator:  # a user's numbers
        operator, numbers = node.operator.split(" ")
        return operators[operator][1], (numbers,)
    blocks, action = operators[node.operator]
    return action, blocks


def _read_by(node: Node) -> tuple[str, ...]:
    """The values, inputs and constants a node reads at its own link."""
    match node.kind:
        case "leaf":
            return (node.operator,)
        case "act":
            return _action(node)[1]
        case "in" | "out":
            return ("phi",)
    return ()


def _order(wanted: tuple[Node, ...], definitions: Mapping[Node, Node]) -> list[Node]:
    """Nodes after those they read at their own link; values from parents or children need no earlier node."""

    order: dict[Node, None] = {}

    def read_here(node: Node) -> list[Node]:
        return [] if node.kind in CROSSINGS else [x for x in below(node, definitions) if x not in order]

    pending = list(wanted)
    while pending:
        found = in_order([pending.pop()], read_here)
        order.update(dict.fromkeys(found))
        pending += [node.x for node in found if node.kind in CROSSINGS and node.x not in order]
    return list(order)


def _stage(step: WalkStep, direction: Direction, apart: bool) -> Sweep:
    ground = tuple((name, motion.resting) for node, name in step.carried.items() if node.kind == "out")
    return Sweep(direction, step, tuple(step.reads), tuple(step.writes), ground, apart=apart)
