"""Values that steps read: what earlier loops kept, the neighbours' values, arguments and constants, all as unknowns."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from soadyn.engine.loops.joint_classes import LinkClass
from soadyn.engine.loops.step import Key, LoopStep
from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.values import COUNTS, array_of, assembled, leaves, rebuild
from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.programs.sweep.inputs import columns_of, is_frame, share_of
from soadyn.programs.sweep.program import SHARED, SPATIAL, Stage, kept_kind, read_of


@final
class Values:
    """What the steps traced so far have written, by joint class and once for all.

    Each is kept as a template: known numbers as they are, a scalar as what it takes to read it again.
    """

    def __init__(self, classes: tuple[LinkClass, ...]) -> None:
        self.classes = classes
        self.own: list[dict[str, Any]] = [{} for _ in classes]
        self.once: dict[str, Any] = {}

    def read(self, step: LoopStep, name: str, stage: Stage, c: int = 0, written: dict[str, Any] | None = None) -> Any:
        """A value that a stage reads at a link of class c; `written` is what the same loop wrote there before."""
        kind, given = self.classes[c].kind, dict(stage.given)
        prefix, value = read_of(name)
        if name in given:
            return _given(step, name, given[name], kind)
        if prefix:
            where = "sum" if prefix == "children" else prefix
            shared = SHARED[kept_kind(value)]
            return assembled(shared, step.read_all(where, value, COUNTS[shared]))
        if written and name in written:
            return written[name]
        if share_of(name):
            return _input(step, name, kind)
        if name in self.once:
            return _recalled(step, self.once[name])
        if name in self.own[c]:
            return _recalled(step, self.own[c][name])
        return _constant(step, name, self.classes[c])


def kept(step: LoopStep, where: str, name: str, value: Any) -> Any:
    """The template of a value that a step wrote; scalars that later steps cannot read again become results to keep."""
    origin = {scalar.node: key for key, scalar in step.inputs.items()}
    places: dict[int, int] = {}

    def change(x: Any) -> Any:
        if not isinstance(x, Scalar):
            return x
        key = origin.get(x.node)
        if key is None or key[0] in ("parent", "sum"):
            key = (where, name, places.setdefault(x.node, len(places)))
            step.results[key] = Scalar(x.graph, x.node, False)
        return _Again(key, x.negative)

    return rebuild(value, map(change, leaves(value)))


@final
class _Again:
    """A scalar of an earlier step: what its key is, and whether it is negated."""

    __slots__ = ("key", "negative")

    def __init__(self, key: Key, negative: bool) -> None:
        self.key, self.negative = key, negative


def _recalled(step: LoopStep, template: Any) -> Any:
    def change(x: Any) -> Any:
        if not isinstance(x, _Again):
            return x
        return -step.read(x.key) if x.negative else step.read(x.key)

    return rebuild(template, map(change, leaves(template)))


def _given(step: LoopStep, name: str, value: float | str, kind: JointKind) -> Any:
    if name in SPATIAL:
        return Spatial.zero()
    if value == "identity":
        return array_of(step.read_all("input", "unit", kind.nv), (kind.nv, 1))
    return np.full((kind.nv, 1), float(value))


def _input(step: LoopStep, name: str, kind: JointKind) -> Any:
    match share_of(name):
        case "coordinates":
            return array_of(step.read_all("input", name, kind.nq), (kind.nq,))
        case "joint":
            return array_of(step.read_all("input", name, kind.nv), (kind.nv, 1))
        case "wrench":
            return assembled(Spatial, step.read_all("input", name, 6))
        case "each":
            return step.read(("input", name, 0))
        case _ if is_frame(name):  # its first number is the link that carries it
            return assembled(Transform, [step.read(("whole", name, i)) for i in range(1, 13)])
        case _ if (count := columns_of(name)) is not None:
            return array_of(step.read_all("whole", name, count), (count, 1))
        case _:
            return step.read(("whole", name, 0))


def _constant(step: LoopStep, name: str, link: LinkClass) -> Any:
    """A constant of a link; the numbers of a placement are in the order of `placement_numbers`."""
    match name:
        case "placement" if link.any_placement:  # made of screws it would take four, which are more than R and l
            return assembled(Transform, [step.read(("constant", name, i)) for i in range(4, 16)])
        case "placement":
            d, c, s, f = step.read_all("constant", name, 4)
            return Transform.of(Screw.slide(2, d), Screw(0, c, s, f))
        case "M":
            return assembled(Inertia, step.read_all("constant", name, 10))
        case "link_frame":
            return assembled(Transform, step.read_all("constant", name, 12))
        case "pitch" | "start":
            return step.read(("constant", name, 0))
        case "gravity":
            return array_of(step.read_all("whole", name, 3), (3, 1))
        case "load":
            return array_of(step.read_all("constant", name, 3), (3,))
        case "A_r":
            nv = link.kind.nv
            diagonal = np.zeros((nv, nv), dtype=object)
            np.fill_diagonal(diagonal, step.read_all("constant", name, nv))
            return diagonal
    raise AssertionError(name)
