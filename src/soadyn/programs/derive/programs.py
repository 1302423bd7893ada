"""Derivatives of programs as programs of their own, for loops over the links.

    tangent     every sweep also carries how its values change, the same way
    gradient    the sweeps again in reverse order and direction: what a step read of its parent has a weight that is
                summed over the children, and what it summed over its children has one that each child reads

What solves the equations of motion T = inverse(q, v, θ̈) is not differentiated: dθ̈ = Mass⁻¹ (dT - inverse'), inverse'
being the change at fixed θ̈, and Mass⁻¹ the motion of the same robot at rest, for weights as well.

Programs of sweeps whose results are joint vectors or link vectors have such derivatives; others have none here.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import Any, final

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link import hinge, motion
from soadyn.mechanics.link.force import force_left
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
    Read,
    Stage,
    Sweep,
    kept_kind,
    read_of,
    without_derivatives,
)

OPPOSITE = MappingProxyType(
    {
        Direction.TIP_TO_BASE: Direction.BASE_TO_TIP,
        Direction.BASE_TO_TIP: Direction.TIP_TO_BASE,
        Direction.EVERY_LINK: Direction.EVERY_LINK,
    }
)
OTHER_SIDE = MappingProxyType({"parent": "children", "children": "parent", "": ""})
EVERY = Direction.EVERY_LINK


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
    if further or whole or "passive" in own.inputs or {x.layout for x in own.outputs} - set(SHARES):
        raise NoProgramError
    layouts: list[Layout]
    if derivative.mode == "tangent":
        called = {f"d:{name}": share_of(name) for name in derivative.by}
        layouts = [x.layout for x in own.outputs]
    else:
        called = {f"w:{x.value}": SHARES[x.layout] for x in own.outputs}
        layouts = ["link vectors" if share_of(name) == "wrench" else "joint" for name in derivative.by]
    inputs = _further_inputs(own, called)
    names = {name[2:]: x for name, x in inputs.items()}
    tangent = derivative.mode == "tangent"
    stages, results = _tangent(own, names) if tangent else _gradient(own, derivative.by, names)
    outputs = (*own.outputs, *(Output(value, layout) for value, layout in zip(results, layouts, strict=True)))
    program = replace(own, name=f"{own.name}_{derivative.mode}", stages=tuple(stages), outputs=outputs,
                      alternatives=(), implicit=None)  # fmt: skip
    return Derived(program, {x: name for name, x in inputs.items()})


# Of results that have weights, how these are laid out over the links; and the kinds of further inputs.
SHARES: Mapping[Layout, Share] = MappingProxyType({"joint": "joint", "link vectors": "wrench"})
KINDS: Mapping[Share | None, str] = MappingProxyType({"coordinates": "joint", "joint": "joint", "wrench": "link"})


def _further_inputs(own: Program, called: Mapping[str, Share | None]) -> dict[str, str]:
    """An input for each that is called so elsewhere, numbered on from those that the program has."""
    taken = set(own.inputs)
    found: dict[str, str] = {}
    for name, share in called.items():
        if share not in KINDS:
            raise NoProgramError
        found[name] = next(x for i in count() if (x := f"{KINDS[share]}${i}") not in taken)
        taken.add(found[name])
    return found


Made = tuple[list[Stage], list[str]]  # stages, and the names of the derivative's results


def _sweeps(stages: Iterable[Stage]) -> list[Sweep]:
    """The stages, all of which must be sweeps whose values can be differentiated."""
    found = []
    for stage in stages:
        if not isinstance(stage, Sweep) or "identity" in dict(stage.given).values():
            raise NoProgramError
        shared = {SHARED.get(kept_kind(name), Spatial) for name in stage.writes}
        places = {read_of(text).where for text in stage.reads}
        if shared != {Spatial} or places - {"", "parent", "children"} or "D" in stage.writes:
            raise NoProgramError
        found.append(stage)
    return found


def _to_differentiate(own: Program, stages: list[Stage]) -> tuple[list[Sweep], list[str]]:
    """The sweeps to be differentiated, and their results: those of the equations that a program solves, if there are.

    Of these equations the stages that are not there yet are appended.
    """
    if own.implicit is None:
        return _sweeps(own.stages), [x.value for x in own.outputs]
    names = {"vdot": own.outputs[0].value}
    there = appended(stages, own.implicit.inverse.stages, names)
    return _sweeps(there), [names.get(x.value, x.value) for x in own.implicit.inverse.outputs]


def _in_place(stages: Iterable[Stage], old: Sequence[Stage], new: Sequence[Sequence[Stage]]) -> list[Stage]:
    """The stages with others in place of old ones."""
    others = dict(zip(old, new, strict=True))
    return [again for stage in stages for again in others.get(stage, [stage])]


def _solved(rule: Implicit, stages: list[Stage], force: str) -> str:
    """What a force does to the robot at rest."""
    names = {"tau": force}
    appended(stages, rule.at_rest.stages, names)
    value = rule.at_rest.outputs[0].value
    return names.get(value, value)


def _difference(force: str | None, less: str, name: str) -> Sweep:
    """What is left of a joint force, or of none, without another."""
    none = () if force else (("tau", 0.0),)
    return Sweep(EVERY, force_left, (force or "tau", less), (name,), given=none)


# Tangents


def _tangent(own: Program, along: Mapping[str, str]) -> Made:
    stages = list(own.stages)
    sweeps, values = _to_differentiate(own, stages)
    moving = {name: direction for name, direction in along.items() if own.implicit is None or name != "tau"}
    new, changes = _with_changes(sweeps, moving)
    stages = _in_place(stages, sweeps, new)
    rates = [_changed(changes, value) for value in values]
    if own.implicit is None:
        return stages, rates
    stages.append(_difference(along.get("tau"), rates[0], "T_left~d"))
    return stages, [_solved(own.implicit, stages, "T_left~d")]


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
        changing = [read_of(text) for text, on in zip(sweep.reads, active, strict=True) if on]
        more = [str(Read(where, changes[name])) for where, name in changing]
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
    read = ["" if text in given else read_of(text).name for text in sweep.reads]
    if not any(name in changing for name in read):
        return (False,) * len(read)
    return tuple(name in changing or name in sweep.writes for name in read)


# Gradients


def _gradient(own: Program, by: tuple[str, ...], weights: Mapping[str, str]) -> Made:
    stages = list(own.stages)
    sweeps, values = _to_differentiate(own, stages)
    weighing = [weights[x.value] for x in own.outputs]
    found: dict[str, str] = {}
    if own.implicit is not None:
        found["tau"] = _solved(own.implicit, stages, weighing[0])
        stages.append(_difference(None, found["tau"], "lambda"))
        weighing = ["lambda"]
    readers = {value: [weight] for value, weight in zip(values, weighing, strict=True)}
    kept, back, readers = _reversed(sweeps, [name for name in by if name not in found], readers)
    results = [found.get(name) or _gathered(back, name, readers.get(name, [])) for name in by]
    return [*_in_place(stages, sweeps, [[sweep] for sweep in kept]), *back], results


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
        near = [text for text in sweep.reads if read_of(text).where] if any(active) else []
        copies = {text: f"{read_of(text).name}~k{t}" for text in near}
        places = tuple(sweep.reads.index(text) for text in near)
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
        prefix, value = read_of(name)
        # An input's name with a number in it would be taken for another input.
        writes.append(f"{value.replace('$', '_')}~{prefix[:1] or 'o'}{t}")
        if prefix == "children":
            ground.append((writes[-1], motion.resting))
        readers.setdefault(value, []).append(str(Read(OTHER_SIDE[prefix], writes[-1])))
    given = [readers.get(name, []) for name in sweep.writes]
    reads = (*(copies.get(name, name) for name in sweep.reads), *(name for names in given for name in names))
    step = steps.gradient_step(sweep.step, active, tuple(map(len, given)))
    direction = OPPOSITE[sweep.direction]
    if direction is EVERY and any(read_of(text).where for names in given for text in names):
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
