"""Derivatives of programs as programs of their own, for loops over the links.

    tangent     every sweep also carries how its values change, the same way
    gradient    the sweeps again in reverse order and direction: what a step read of its parent has a weight that is
                summed over the children, and what it summed over its children has one that each child reads

Programs of sweeps whose results are joint vectors or link vectors have such derivatives; others have none here.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, final

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link import hinge, motion
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.programs.derive import steps
from soadyn.programs.sweep.combine import appended
from soadyn.programs.sweep.inputs import Share, share_of
from soadyn.programs.sweep.program import (
    SHARED,
    Derivative,
    Direction,
    Implicit,
    Layout,
    Output,
    Program,
    Stage,
    Sweep,
    base,
    kept_kind,
    without_derivatives,
)

OPPOSITE = MappingProxyType(
    {
        Direction.TIP_TO_BASE: Direction.BASE_TO_TIP,
        Direction.BASE_TO_TIP: Direction.TIP_TO_BASE,
        Direction.EVERY_LINK: Direction.EVERY_LINK,
    }
)
EVERY = Direction.EVERY_LINK
VECTOR_LAYOUTS = ("joint", "link vectors")


class NoProgramError(Exception):
    """A derivative that has no program of its own."""


@final
@dataclass(frozen=True, slots=True)
class Derived:
    """A derivative's program; `called` says what other parts of the library call its further inputs."""

    program: Program
    called: Mapping[str, str]


@lru_cache(maxsize=256)
def derived_program(program: Program) -> Derived | None:
    """The program of a program with one derivative; None if there is none."""
    own = without_derivatives(program)
    try:
        return _derived(own, *program.derivatives)
    except NoProgramError:
        return None


def _derived(own: Program, derivative: Derivative, *further: Derivative) -> Derived:
    whole = derivative.mode in ("jacobian", "second")
    if further or whole or "passive" in own.inputs or {x.layout for x in own.outputs} - set(VECTOR_LAYOUTS):
        raise NoProgramError
    names = _Names(own)
    tangent = derivative.mode == "tangent"
    if tangent:
        along = {name: names.new(f"d:{name}", share_of(name)) for name in derivative.by}
        stages, results = (_tangent if own.implicit is None else _implicit_tangent)(own, along)
    else:
        weights = {x.value: names.new(f"w:{x.value}", OF_LAYOUT[x.layout]) for x in own.outputs}
        stages, results = (_gradient if own.implicit is None else _implicit_gradient)(own, derivative.by, weights)
    layouts = (
        [x.layout for x in own.outputs]
        if tangent
        else [LAYOUT_OF.get(share_of(name) or "joint", "joint") for name in derivative.by]
    )
    outputs = (*own.outputs, *(Output(value, layout) for value, layout in zip(results, layouts, strict=True)))
    program = replace(own, name=f"{own.name}_{derivative.mode}", stages=tuple(stages), outputs=outputs,
                      alternatives=(), implicit=None)  # fmt: skip
    return Derived(program, names.called)


OF_LAYOUT: Mapping[str, Share] = MappingProxyType({"joint": "joint", "link vectors": "wrench"})
LAYOUT_OF: Mapping[str, Layout] = MappingProxyType({"wrench": "link vectors"})


@final
class _Names:
    """Names of further inputs, numbered on from those that the program has."""

    def __init__(self, program: Program) -> None:
        self._taken = set(program.inputs)
        self.called: dict[str, str] = {}

    def new(self, called: str, share: str | None) -> str:
        """An input for what is called so elsewhere."""
        if share not in ("coordinates", "joint", "wrench"):
            raise NoProgramError
        kind = "link" if share == "wrench" else "joint"
        name = next(x for i in range(len(self._taken) + 1) if (x := f"{kind}${i}") not in self._taken)
        self._taken.add(name)
        self.called[name] = called
        return name


Made = tuple[list[Stage], list[str]]  # stages, and the names of the derivative's results


def _sweeps(stages: Iterable[Stage]) -> list[Sweep]:
    """The stages, all of which must be sweeps whose values can be differentiated."""
    found = []
    for stage in stages:
        if not isinstance(stage, Sweep) or "identity" in dict(stage.given).values():
            raise NoProgramError
        shared = {SHARED.get(kept_kind(name), Spatial) for name in stage.writes}
        prefixes = {name.partition(".")[0] for name in stage.reads if "." in name}
        if shared != {Spatial} or prefixes - {"parent", "children"} or "D" in stage.writes:
            raise NoProgramError
        found.append(stage)
    return found


# Tangents


def _tangent(own: Program, along: Mapping[str, str]) -> Made:
    new, changes = _with_changes(_sweeps(own.stages), along)
    return list(chain(*new)), [_changed(changes, output.value) for output in own.outputs]


def _changed(changes: Mapping[str, str], name: str) -> str:
    if name not in changes:  # a result that does not change
        raise NoProgramError
    return changes[name]


def _with_changes(sweeps: Sequence[Sweep], along: Mapping[str, str]) -> tuple[list[list[Stage]], dict[str, str]]:
    """For each sweep what also computes the changes of its values, and what the change of each value is called."""
    changes = {name: direction for name, direction in along.items() if name != "q"}
    found: list[list[Stage]] = []
    for sweep in sweeps:
        if sweep.step is hinge.hinge:
            found.append([sweep])
            if "q" in along:
                changes |= {"phi": "phi~d", "H": "H~d"}
                reads = ("H", "pitch", "q", along["q"])
                found[-1].append(Sweep(EVERY, steps.hinge_change, reads, ("phi~d", "H~d")))
            continue
        active = _active(sweep, changes)
        if not any(active):
            found.append([sweep])
            continue
        changes |= {name: f"{name}~d" for name in sweep.writes}
        more = [_prefixed(name, changes[base(name)]) for name, on in zip(sweep.reads, active, strict=True) if on]
        wider = replace(
            sweep,
            step=steps.tangent_step(sweep.step, active),
            reads=(*sweep.reads, *more),
            writes=(*sweep.writes, *(changes[name] for name in sweep.writes)),
            ground=(*sweep.ground, *((changes[name], motion.resting) for name, _ in sweep.ground)),
        )
        found.append([wider])
    return found, changes


def _active(sweep: Sweep, changing: Container[str]) -> tuple[bool, ...]:
    """Which of the values that a sweep reads change, its own at neighbours included."""
    given = {name for name, _ in sweep.given}
    read = [name not in given and base(name) in changing for name in sweep.reads]
    if any(read):
        read = [
            on or (name not in given and base(name) in sweep.writes) for name, on in zip(sweep.reads, read, strict=True)
        ]
    return tuple(read)


def _prefixed(read: str, name: str) -> str:
    prefix, dot, _ = read.rpartition(".")
    return prefix + dot + name


# Gradients


def _gradient(own: Program, by: tuple[str, ...], weights: Mapping[str, str]) -> Made:
    kept, back, readers = _reversed(_sweeps(own.stages), by, {value: [w] for value, w in weights.items()})
    results = [_gathered(back, name, readers.get(name, [])) for name in by]
    return [*kept, *back], results


def _gathered(stages: list[Stage], name: str, readers: list[str]) -> str:
    """The sum of the weights of an argument."""
    if not readers:
        raise NoProgramError
    if len(readers) == 1:
        return readers[0]
    total = f"{name.replace('$', '_')}~g"
    stages.append(Sweep(EVERY, steps.added, tuple(readers), (total,)))
    return total


def _reversed(
    sweeps: Sequence[Sweep], by: Collection[str], readers: dict[str, list[str]]
) -> tuple[list[Stage], list[Stage], dict[str, list[str]]]:
    """The sweeps, keeping what they read of neighbours; the same in reverse, for weights; under what names these are.

    `readers` are the names under which weights of the results are read.
    """
    changing = {name for name in by if name != "q"} | ({"phi", "H"} if "q" in by else set())
    kept: list[Stage] = []
    passes: list[tuple[Sweep, tuple[bool, ...], dict[str, str]]] = []
    for t, sweep in enumerate(sweeps):
        active = _active(sweep, changing) if sweep.step is not hinge.hinge else ()
        changing |= set(sweep.writes) if any(active) else set()
        near = [name for name in sweep.reads if "." in name] if any(active) else []
        copies = {name: f"{base(name)}~k{t}" for name in near}
        places = tuple(sweep.reads.index(name) for name in near)
        kept.append(
            replace(sweep, step=keeping(sweep.step, places), writes=(*sweep.writes, *copies.values()))
            if near
            else sweep
        )
        passes.append((sweep, active, copies))
    back: list[Stage] = []
    for t, (sweep, active, copies) in reversed(list(enumerate(passes))):
        if sweep.step is hinge.hinge and "q" in by:
            back += _back_through_hinge(readers)
        elif any(active):
            back += _back(t, sweep, active, copies, readers)
    return kept, back, readers


def _back(
    t: int, sweep: Sweep, active: tuple[bool, ...], copies: Mapping[str, str], readers: dict[str, list[str]]
) -> list[Stage]:
    """One sweep in reverse; the weights it finds are added to the readers."""
    if not any(readers.get(name) for name in sweep.writes):
        return []
    writes: list[str] = []
    ground: list[tuple[str, Any]] = []
    for name, on in zip(sweep.reads, active, strict=True):
        if not on:
            continue
        prefix, _, value = name.rpartition(".")
        # An input's name with a number in it would be taken for another input.
        writes.append(f"{value.replace('$', '_')}~{prefix[:1] or 'o'}{t}")
        if prefix == "children":
            ground.append((writes[-1], motion.resting))
        side = {"parent": "children.", "children": "parent.", "": ""}[prefix]
        readers.setdefault(value, []).append(side + writes[-1])
    given = [readers.get(name, []) for name in sweep.writes]
    reads = (*(copies.get(name, name) for name in sweep.reads), *(name for names in given for name in names))
    step = steps.gradient_step(sweep.step, active, tuple(map(len, given)))
    direction = OPPOSITE[sweep.direction]
    if direction is EVERY and any("." in name for names in given for name in names):
        raise NoProgramError
    return [Sweep(direction, step, reads, tuple(writes), tuple(ground), sweep.given)]


def _back_through_hinge(readers: dict[str, list[str]]) -> list[Stage]:
    """From the weights of φ and H those of the directions of q."""
    stages: list[Stage] = []
    x, H = (_gathered(stages, name, readers.get(name, [])) for name in ("phi", "H"))
    readers["q"] = ["q~g"]
    return [*stages, Sweep(EVERY, steps.hinge_weights, ("H", "pitch", "q", x, H), ("q~g",))]


@lru_cache(maxsize=1024)
def keeping(step: Any, places: tuple[int, ...]) -> Any:
    """The step, which also keeps what it read of neighbours."""

    def stepped(joint: JointKind, *values: Any) -> tuple[Any, ...]:
        return (*step(joint, *values), *(values[i] for i in places))

    stepped.__name__, stepped.__doc__ = step.__name__, step.__doc__
    return stepped


# By the equations of motion at the solution (`implicit`)


def _implicit_tangent(own: Program, along: Mapping[str, str]) -> Made:
    assert own.implicit is not None
    stages = list(own.stages)
    solution = own.outputs[0].value
    rest = {name: direction for name, direction in along.items() if name != "tau"}
    names = {"vdot": solution}
    there = appended(stages, own.implicit.inverse.stages, names)
    force = names.get("T", "T")
    sweeps = _sweeps(there)
    new, changes = _with_changes(sweeps, rest)
    wider: dict[Stage, list[Stage]] = dict(zip(sweeps, new, strict=True))
    stages = [again for stage in stages for again in wider.get(stage, [stage])]
    change = _changed(changes, force)
    left = Sweep(EVERY, lost, (change,), ("T_left~d",))
    if "tau" in along:
        left = replace(left, step=left_over, reads=(along["tau"], change))
    stages.append(left)
    return _solved(own.implicit, stages, "T_left~d")


def _implicit_gradient(own: Program, by: tuple[str, ...], weights: Mapping[str, str]) -> Made:
    assert own.implicit is not None
    stages = list(own.stages)
    solution = own.outputs[0].value
    stages, (solved,) = _solved(own.implicit, stages, weights[solution])
    names = {"vdot": solution}
    there = appended(stages, own.implicit.inverse.stages, names)
    stages.append(Sweep(EVERY, lost, (solved,), ("lambda",)))
    rest = tuple(name for name in by if name != "tau")
    back: list[Stage] = []
    readers: dict[str, list[str]] = {}
    if rest:
        kept, back, readers = _reversed(_sweeps(there), rest, {names.get("T", "T"): ["lambda"]})
        new = dict(zip(there, kept, strict=True))
        stages = [new.get(stage, stage) for stage in stages]
    results = [solved if name == "tau" else _gathered(back, name, readers.get(name, [])) for name in by]
    return [*stages, *back], results


def _solved(rule: Implicit, stages: list[Stage], force: str) -> Made:
    """What a force does to the robot at rest."""
    names = {"tau": force}
    appended(stages, rule.at_rest.stages, names)
    value = rule.at_rest.outputs[0].value
    return stages, [names.get(value, value)]


def lost(joint: JointKind, T: Any) -> tuple[Any]:
    """Level 6 - a force taken away.

    -T(k)
    """
    return (-T,)


def left_over(joint: JointKind, tau: Any, T: Any) -> tuple[Any]:
    """Level 6 - what a force leaves of another.

    T(k) - T'(k)
    """
    return (tau - T,)
