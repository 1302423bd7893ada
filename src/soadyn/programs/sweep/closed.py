"""Level 4 - robots with closures: errors, Jacobians, and forward dynamics by the columns of the closures' forces.

The rows of each cut, and of couplings six by six, make a group of six columns, empty beyond its rows, which climb to
the base like the columns of a frame:

    Z(k) = [BQ*](k) + Σⱼ φ(k,j) Z⁺(j),    Y(k) = H(k) Z(k) + E_c*(k),    Z⁺(k) = Z(k) - G(k) Y(k)
    Λ_Q⁻¹ = J_c M⁻¹ J_c* = Σₖ Y*(k) D⁻¹(k) Y(k)

A `Shape` is what of a model's closures its programs depend on; frames and coefficients are inputs that it supplies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import final

from soadyn.mechanics.link import closed, closure_forces
from soadyn.mechanics.link.closures import ClosureRow, DotRow, rows_of_kind
from soadyn.model.closures import AnyClosure, Closure, Coupling, row_names
from soadyn.model.model import Model
from soadyn.programs.sweep.algorithms import (
    ACCELERATION,
    ARTICULATED,
    EVERY,
    HINGE,
    INWARD,
    POSE,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.inputs import multipliers
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep

COLUMNS = 6


@final
@dataclass(frozen=True, slots=True)
class CutRows:
    """A cut: its rows, those among them that are kept, and for frames x and y whether the ground carries them.

    `closure` is its number among the closures; with `has_home` its forces can be eliminated at a link.
    """

    rows: tuple[ClosureRow, ...]
    kept: tuple[int, ...]
    x_on_ground: bool
    y_on_ground: bool
    closure: int
    has_home: bool

    @property
    def count(self) -> int:
        return len(self.rows)


@final
@dataclass(frozen=True, slots=True)
class CoupledRows:
    """Up to six couplings: the degree of each one's polynomials, those that are kept; the rest as of a cut."""

    degrees: tuple[int, ...]
    kept: tuple[int, ...]
    closure: int
    has_home: bool

    @property
    def count(self) -> int:
        return len(self.degrees)


Group = CutRows | CoupledRows


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """What of a model's closures its programs depend on.

    `order` says where each of the groups' rows stands among the closures' rows. `redundant`: rows that follow from
    others, perhaps at some postures alone, are kept, so that Λ_Q⁻¹ may have no inverse. `least`: what the whole robot
    as one body answers to a force and to a couple, by which a row that nothing can move is told.
    """

    groups: tuple[Group, ...]
    order: tuple[int, ...]
    redundant: bool
    least: tuple[float, float]

    @property
    def rows(self) -> int:
        """How many rows all closures have."""
        return len(self.order)


def shape_of(model: Model) -> Shape:
    """The shape of a model's closures."""
    return _shape(model.closures, model.superfluous or (), model.changing, _least(model), model.homes)


def _least(model: Model) -> tuple[float, float]:
    """One over the mass of all links, and over a moment of inertia that no posture exceeds."""
    mass = sum(link.mass for link in model.links)
    lengths = [p for joint in model.joints for place in (joint.placement, joint.offset) for p in place.position]
    reach = sum(map(abs, (*lengths, *(x for link in model.links for x in link.com))))
    inertia = mass * reach**2 + sum(link.inertia[i][i] for link in model.links for i in range(3))
    inertia += sum(x for joint in model.joints for x in joint.armature)
    return 1 / mass if mass else 0.0, 1 / inertia if inertia else 0.0


@lru_cache(maxsize=256)
def _shape(
    closures: tuple[AnyClosure, ...],
    superfluous: tuple[int, ...],
    changing: bool,
    least: tuple[float, float],
    homes: tuple[int, ...],
) -> Shape:
    """The shape of closures of which some rows follow from others; those of a closure that keeps its rows stay."""
    first = [sum(each.rows for each in closures[:i]) for i in range(len(closures))]
    dropped = {
        row
        for row in superfluous
        for each, start in zip(closures, first, strict=True)
        if start <= row < start + each.rows and not each.keep
    }
    groups: list[Group] = []
    order: list[int] = []
    numbered = list(enumerate(zip(closures, first, strict=True)))
    has_home = [bool(homes and homes[number]) for number, _ in numbered]
    for number, (each, start) in numbered:
        if isinstance(each, Closure):
            kept = tuple(i for i in range(each.rows) if start + i not in dropped)
            rows = rows_of_kind(each.kind, each.free, each.figure)
            ends = not each.x.link, not each.y.link
            groups.append(CutRows(rows, kept, *ends, number, has_home[number]))
            order += range(start, start + each.rows)
    couplings = [(number, each, start) for number, (each, start) in numbered if isinstance(each, Coupling)]
    for i in range(0, len(couplings), COLUMNS):
        some = couplings[i : i + COLUMNS]
        kept = tuple(c for c, (_, _, start) in enumerate(some) if start not in dropped)
        number = some[0][0]
        groups.append(CoupledRows(tuple(degree(each) for _, each, _ in some), kept, number, has_home[number]))
        order += [start for _, _, start in some]
    return Shape(tuple(groups), tuple(order), bool(set(superfluous) - dropped) or changing, least)


def degree(coupling: Coupling) -> int:
    """The highest power in a coupling."""
    return max(len(poly) for _, poly in coupling.terms) - 1


def kept_names(model: Model) -> tuple[str, ...]:
    """The closure that each kept row belongs to, group by group."""
    shape, names = shape_of(model), row_names(model.closures)
    starts = [sum(group.count for group in shape.groups[:g]) for g in range(len(shape.groups))]
    return tuple(
        names[shape.order[start + i]] for start, group in zip(starts, shape.groups, strict=True) for i in group.kept
    )


# Stages of one group


def _frames(e: int) -> tuple[str, str]:
    """The frames x and y of a cut."""
    return f"closure${2 * e}", f"closure${2 * e + 1}"


def seen(e: int, *values: str) -> tuple[str, ...]:
    """Values of the links that carry the frames of a cut, and the frames: first those of x, then those of y."""
    return tuple(text for frame in _frames(e) for text in (*(f"{frame}.{value}" for value in values), frame))


def marks(e: int, where: str) -> tuple[str, str]:
    """The inputs that mark the links that carry the frames of a cut, or those on the way to them."""
    x, y = _frames(e)
    return f"{where}_{x}", f"{where}_{y}"


def wrenches(g: int, rows: tuple[ClosureRow, ...], pose: str = "pose") -> Once:
    """The wrenches of a cut's rows and where they act, along the axes of what the poses are seen from."""
    return Once(closed.CutWrenches(rows), seen(g, pose), (f"Q~{g}", f"y~{g}"))


def coupled(shape: Shape, g: int, kept: Sequence[int], v: str | None) -> Sweep:
    """The shares of a group of couplings; without velocities where `v` is None."""
    group, first = shape.groups[g], 0
    places: list[tuple[int, int]] = []  # where each coupling's coefficients begin, and its degree
    for other in shape.groups[: g + 1]:
        if isinstance(other, CoupledRows):
            starts = [first + sum(d + 1 for d in other.degrees[:i]) for i in range(len(other.degrees))]
            places, first = list(zip(starts, other.degrees, strict=True)), first + sum(d + 1 for d in other.degrees)
    assert isinstance(group, CoupledRows)
    reads = [f"coupling${places[c][0] + power}" for c in kept for power in range(places[c][1] + 1)]
    step = closed.Coupled(tuple(group.degrees[c] for c in kept))
    sweep = Sweep(EVERY, step, ("q", "v", *reads), (f"Phi~{g}", f"E~{g}", f"drift~{g}"))
    return sweep if v else given(sweep, v=0.0)  # type: ignore[return-value]


def _all(group: Group) -> tuple[int, ...]:
    return tuple(range(group.count))


def sum_of(g: int, share: str) -> Sweep:
    """The sum of a group's shares over all links."""
    return Sweep(INWARD, closed.summed, (f"{share}~{g}", f"children.s_Q~{g}"), (f"s_Q~{g}",))


Choice = dict[int, tuple[int, ...]]  # rows of groups, by the groups' numbers


def responses(shape: Shape, choice: Choice, nothing: Mapping[str, float]) -> Iterator[Stage]:
    """The columns of the chosen rows of each group, and their blocks of Λ_Q⁻¹; "a" and "nu" may be `nothing`."""
    free, moving = dict(nothing), "a" not in nothing
    column = ("phi", "H", "D", "G", "a", "nu")
    for g, rows in choice.items():
        group = shape.groups[g]
        sums, writes = (f"children.phi_Z~{g}", f"children.s_Q~{g}"), (f"Y~{g}", f"nu_Y~{g}", f"phi_Z~{g}", f"s_Q~{g}")
        if isinstance(group, CutRows):
            yield wrenches(g, tuple(group.rows[i] for i in rows))
            yield Sweep(EVERY, closed.cut_forces, ("pose", f"Q~{g}", f"y~{g}", *marks(g, "at")), (f"f_Q~{g}",))
            yield given(Sweep(INWARD, closed.cut_response, (*column, f"f_Q~{g}", *sums), writes), **free)
        else:
            yield coupled(shape, g, rows, "v" if moving else None)
            reads = (*column, f"E~{g}", f"drift~{g}", *sums)
            yield given(Sweep(INWARD, closed.coupling_response, reads, writes), **free)
    for e, f in pairs(choice):
        yield Sweep(
            INWARD,
            closure_forces.response_block,
            (f"Y~{e}", f"nu_Y~{f}", f"children.S_Q~{e}_{f}"),
            (f"S_Q~{e}_{f}",),
        )


def pairs(choice: Choice) -> Iterator[tuple[int, int]]:
    """The groups two by two, each with itself as well."""
    return combinations_with_replacement(choice, 2)


def _blocks(choice: Choice) -> tuple[str, ...]:
    return tuple(f"ground.S_Q~{e}_{f}" for e, f in pairs(choice))


def _counts(choice: Choice) -> tuple[int, ...]:
    return tuple(map(len, choice.values()))


def _turns(group: Group, row: int) -> bool:
    """Is a row's force a couple?"""
    return isinstance(group, CoupledRows) or isinstance(group.rows[row], DotRow)


def cut_bias(shape: Shape, g: int, pose: str = "pose") -> Once:
    """What the rates of a cut's kept rows do while no link accelerates."""
    group = shape.groups[g]
    assert isinstance(group, CutRows)
    rows = tuple(group.rows[i] for i in group.kept)
    return Once(closed.CutBias(rows), seen(g, pose, "V"), (f"a_Q~{g}",))


def least_of(shape: Shape, g: int) -> tuple[float, ...]:
    """What the kept rows of a group answer at least."""
    return tuple(shape.least[_turns(shape.groups[g], i)] for i in shape.groups[g].kept)


def solution_of(
    shape: Shape, kept: Choice, moving: bool = True
) -> tuple[closure_forces.ClosureSolution, tuple[str, ...]]:
    """The step that finds the forces of groups from all that has reached the ground, and what it reads."""
    sides: list[int | None] = []
    reads: list[str] = []
    for g in kept:
        group = shape.groups[g]
        reads += [f"ground.s_Q~{g}", f"ground.phi_Z~{g}"]
        if isinstance(group, CutRows):
            sides.append(group.y_on_ground - group.x_on_ground)
            reads += [f"Q~{g}", f"a_Q~{g}"] if moving else []
        else:
            sides.append(None)
    least = tuple(x for g in kept for x in least_of(shape, g))
    step = closure_forces.ClosureSolution(_counts(kept), tuple(sides), shape.redundant, least, moving)
    return step, ("gravity" if moving else "no_gravity", *reads, *_blocks(kept))


# Programs


@lru_cache(maxsize=64)
def closure_error(shape: Shape) -> Program:
    """Φ of all rows."""
    stages: list[Stage] = [HINGE, POSE]
    reads = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(Once(closed.CutError(group.rows), seen(g, "pose"), (f"Phi~{g}",)))
            reads.append(f"Phi~{g}")
        else:
            stages += [coupled(shape, g, _all(group), None), sum_of(g, "Phi")]
            reads.append(f"ground.s_Q~{g}")
    return _of_rows("closure_error", shape, stages, reads, tuple(map(_all, shape.groups)), "Phi_Q")


@lru_cache(maxsize=64)
def closure_alignment(shape: Shape) -> Program:
    """For each cut a number that is positive if its frames' axes point the right way."""
    stages: list[Stage] = [HINGE, POSE]
    outputs = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(Once(closed.CutAlignment(group.rows), seen(g, "pose"), (f"aligned~{g}",)))
            outputs.append(Output(f"aligned~{g}", "whole", ()))
    return Program("closure_alignment", tuple(stages), tuple(outputs), joint_space=True)


def _of_rows(
    name: str,
    shape: Shape,
    stages: Sequence[Stage],
    reads: Sequence[str],
    kept: tuple[tuple[int, ...], ...],
    value: str,
) -> Program:
    """The program that ends with a number for each row."""
    together = Once(rows_together(shape, kept), tuple(reads), (value,))
    return Program(name, (*stages, together), (Output(value, "whole", (shape.rows,)),), joint_space=True)


def rows_together(shape: Shape, kept: tuple[tuple[int, ...], ...]) -> closed.RowsTogether:
    """The step that puts the groups' rows in the order of the closures."""
    return closed.RowsTogether(tuple(group.count for group in shape.groups), kept, shape.order)


@lru_cache(maxsize=64)
def closure_jacobian(shape: Shape) -> Program:
    """J_c of all rows."""
    stages: list[Stage] = [HINGE, POSE]
    reads: list[str] = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(wrenches(g, group.rows))
            reads += [f"Q~{g}", f"y~{g}", *marks(g, "on")]
        else:
            stages.append(coupled(shape, g, _all(group), None))
            reads.append(f"E~{g}")
    counts = tuple(group.count for group in shape.groups)
    step = closed.ClosureColumns(counts, tuple(isinstance(group, CutRows) for group in shape.groups), shape.order)
    columns = Sweep(EVERY, step, ("pose", "H", *reads), ("J_c",))
    outputs = (Output("J_c", "columns", (shape.rows, "nv")),)
    return Program("closure_jacobian", (*stages, columns), outputs, joint_space=True)


@lru_cache(maxsize=64)
def closure_drift(shape: Shape) -> Program:
    """J̇_c v of all rows."""
    stages: list[Stage] = [HINGE, VELOCITY, POSE, given(at_rest(ACCELERATION), vdot=0.0)]
    reads = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(Once(closed.CutDrift(group.rows), seen(g, "pose", "V", "alpha"), (f"u~{g}",)))
            reads.append(f"u~{g}")
        else:
            stages += [coupled(shape, g, _all(group), "v"), sum_of(g, "drift")]
            reads.append(f"ground.s_Q~{g}")
    return _of_rows("closure_drift", shape, stages, reads, tuple(map(_all, shape.groups)), "u_Q")


@lru_cache(maxsize=64)
def closure_inertia_inverse(shape: Shape) -> Program:
    """Λ_Q⁻¹ of all rows."""
    choice = dict(enumerate(map(_all, shape.groups)))
    response = Once(
        closure_forces.ClosureResponse(_counts(choice), shape.order), _blocks(choice), ("Lambda_Q_inverse",)
    )
    stages = (HINGE, POSE, ARTICULATED, *responses(shape, choice, {"a": 0.0, "nu": 0.0}), response)
    outputs = (Output("Lambda_Q_inverse", "whole", (shape.rows, shape.rows)),)
    return Program("closure_inertia_inverse", stages, outputs, joint_space=True)


@lru_cache(maxsize=256)
def cut_wrench(shape: Shape, g: int) -> Program:
    """The wrench of a cut, from the forces of all rows."""
    group, first = shape.groups[g], sum(other.count for other in shape.groups[:g])
    assert isinstance(group, CutRows)
    step = closed.CutWrench(shape.order[first], group.count)
    wrench = Once(step, (f"Q~{g}", multipliers(shape.rows)), ("f_Q",))
    stages = (HINGE, POSE, wrenches(g, group.rows), wrench)
    return Program("closure_wrench", stages, (Output("f_Q", "whole", (6,)),), joint_space=True)
