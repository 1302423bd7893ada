"""Level 4 - robots with closures: errors, Jacobians, and forward dynamics by the columns of the closures' forces.

The rows of each cut, and of couplings six by six, make a group of six columns, empty beyond its rows, which climb to
the base like the columns of a frame:

    Z(k) = [BQ*](k) + Σⱼ φ(k,j) Z⁺(j),    Y(k) = H(k) Z(k) + E_c*(k),    Z⁺(k) = Z(k) - G(k) Y(k)
    Λ_Q⁻¹ = J_c M⁻¹ J_c* = Σₖ Y*(k) D⁻¹(k) Y(k)

A `Shape` is what of a model's closures its programs depend on; frames and coefficients are inputs that it supplies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import final

from soadyn.mechanics.link import closed, closure_forces
from soadyn.mechanics.link.closures import ClosureRow, DotRow, rows_of_kind
from soadyn.model.closures import AnyClosure, Closure, Coupling, row_names
from soadyn.model.model import Model
from soadyn.programs.sweep.algorithms import (
    ACCELERATION,
    ALL_PASSIVE,
    ARTICULATED,
    EVERY,
    EXTERNAL,
    GYROSCOPIC,
    HINGE,
    INNOVATIONS,
    INWARD,
    POSE,
    SMOOTHING,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.inputs import multipliers
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep

COLUMNS = 6


@final
@dataclass(frozen=True, slots=True)
class CutRows:
    """A cut: its rows, those among them that are kept, and for frames x and y whether the ground carries them."""

    rows: tuple[ClosureRow, ...]
    kept: tuple[int, ...]
    x_on_ground: bool
    y_on_ground: bool

    @property
    def count(self) -> int:
        return len(self.rows)


@final
@dataclass(frozen=True, slots=True)
class CoupledRows:
    """Up to six couplings: the degree of each one's polynomials, those that are kept."""

    degrees: tuple[int, ...]
    kept: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.degrees)


Group = CutRows | CoupledRows


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """What of a model's closures its programs depend on.

    `order` says where each of the groups' rows stands among the closures' rows. `redundant`: rows that follow from
    others are kept, so that Λ_Q⁻¹ has no inverse. `least`: what the whole robot as one body answers to a force and to a
    couple, by which a row that nothing can move is told.
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
    return _shape(model.closures, model.superfluous or (), _least(model))


def _least(model: Model) -> tuple[float, float]:
    """One over the mass of all links, and over a moment of inertia that no posture exceeds."""
    mass = sum(link.mass for link in model.links)
    lengths = [p for joint in model.joints for place in (joint.placement, joint.offset) for p in place.position]
    reach = sum(map(abs, (*lengths, *(x for link in model.links for x in link.com))))
    inertia = mass * reach**2 + sum(link.inertia[i][i] for link in model.links for i in range(3))
    inertia += sum(x for joint in model.joints for x in joint.armature)
    return 1 / mass if mass else 0.0, 1 / inertia if inertia else 0.0


@lru_cache(maxsize=256)
def _shape(closures: tuple[AnyClosure, ...], superfluous: tuple[int, ...], least: tuple[float, float]) -> Shape:
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
    for each, start in zip(closures, first, strict=True):
        if isinstance(each, Closure):
            kept = tuple(i for i in range(each.rows) if start + i not in dropped)
            rows = rows_of_kind(each.kind, each.free, each.figure)
            groups.append(CutRows(rows, kept, not each.x.link, not each.y.link))
            order += range(start, start + each.rows)
    couplings = [(each, start) for each, start in zip(closures, first, strict=True) if isinstance(each, Coupling)]
    for i in range(0, len(couplings), COLUMNS):
        some = couplings[i : i + COLUMNS]
        kept = tuple(c for c, (_, start) in enumerate(some) if start not in dropped)
        groups.append(CoupledRows(tuple(degree(each) for each, _ in some), kept))
        order += [start for _, start in some]
    return Shape(tuple(groups), tuple(order), bool(set(superfluous) - dropped), least)


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


def _seen(e: int, *values: str) -> tuple[str, ...]:
    """Values of the links that carry the frames of a cut, and the frames: first those of x, then those of y."""
    return tuple(text for frame in _frames(e) for text in (*(f"{frame}.{value}" for value in values), frame))


def _marks(e: int, where: str) -> tuple[str, str]:
    x, y = _frames(e)
    return f"{where}_{x}", f"{where}_{y}"


def _wrenches(g: int, rows: tuple[ClosureRow, ...]) -> Once:
    return Once(closed.CutWrenches(rows), _seen(g, "pose"), (f"Q~{g}", f"y~{g}"))


def _coupled(shape: Shape, g: int, kept: Sequence[int], v: str | None) -> Sweep:
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


def _sum(g: int, share: str) -> Sweep:
    return Sweep(INWARD, closed.summed, (f"{share}~{g}", f"children.s_Q~{g}"), (f"s_Q~{g}",))


Choice = dict[int, tuple[int, ...]]  # rows of groups, by the groups' numbers


def _responses(shape: Shape, choice: Choice, moving: bool) -> Iterator[Stage]:
    """The columns of the chosen rows of each group, and their blocks of Λ_Q⁻¹."""
    free = {} if moving else {"a": 0.0, "nu": 0.0}
    column = ("phi", "H", "D", "G", "a", "nu")
    for g, rows in choice.items():
        group = shape.groups[g]
        sums, writes = (f"children.phi_Z~{g}", f"children.s_Q~{g}"), (f"Y~{g}", f"nu_Y~{g}", f"phi_Z~{g}", f"s_Q~{g}")
        if isinstance(group, CutRows):
            yield _wrenches(g, tuple(group.rows[i] for i in rows))
            yield Sweep(EVERY, closed.cut_forces, ("pose", f"Q~{g}", f"y~{g}", *_marks(g, "at")), (f"f_Q~{g}",))
            yield given(Sweep(INWARD, closed.cut_response, (*column, f"f_Q~{g}", *sums), writes), **free)
        else:
            yield _coupled(shape, g, rows, "v" if moving else None)
            reads = (*column, f"E~{g}", f"drift~{g}", *sums)
            yield given(Sweep(INWARD, closed.coupling_response, reads, writes), **free)
    for e, f in _pairs(choice):
        yield Sweep(
            INWARD,
            closure_forces.response_block,
            (f"Y~{e}", f"nu_Y~{f}", f"children.S_Q~{e}_{f}"),
            (f"S_Q~{e}_{f}",),
        )


def _pairs(choice: Choice) -> Iterator[tuple[int, int]]:
    return combinations_with_replacement(choice, 2)


def _blocks(choice: Choice) -> tuple[str, ...]:
    return tuple(f"ground.S_Q~{e}_{f}" for e, f in _pairs(choice))


def _counts(choice: Choice) -> tuple[int, ...]:
    return tuple(map(len, choice.values()))


def _turns(group: Group, row: int) -> bool:
    """Is a row's force a couple?"""
    return isinstance(group, CoupledRows) or isinstance(group.rows[row], DotRow)


# Programs


@lru_cache(maxsize=64)
def closure_error(shape: Shape) -> Program:
    """Φ of all rows."""
    stages: list[Stage] = [HINGE, POSE]
    reads = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(Once(closed.CutError(group.rows), _seen(g, "pose"), (f"Phi~{g}",)))
            reads.append(f"Phi~{g}")
        else:
            stages += [_coupled(shape, g, _all(group), None), _sum(g, "Phi")]
            reads.append(f"ground.s_Q~{g}")
    return _of_rows("closure_error", shape, stages, reads, tuple(map(_all, shape.groups)), "Phi_Q")


@lru_cache(maxsize=64)
def closure_alignment(shape: Shape) -> Program:
    """For each cut a number that is positive if its frames' axes point the right way."""
    stages: list[Stage] = [HINGE, POSE]
    outputs = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(Once(closed.CutAlignment(group.rows), _seen(g, "pose"), (f"aligned~{g}",)))
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
    together = Once(_rows_together(shape, kept), tuple(reads), (value,))
    return Program(name, (*stages, together), (Output(value, "whole", (shape.rows,)),), joint_space=True)


def _rows_together(shape: Shape, kept: tuple[tuple[int, ...], ...]) -> closed.RowsTogether:
    return closed.RowsTogether(tuple(group.count for group in shape.groups), kept, shape.order)


@lru_cache(maxsize=64)
def closure_jacobian(shape: Shape) -> Program:
    """J_c of all rows."""
    stages: list[Stage] = [HINGE, POSE]
    reads: list[str] = []
    for g, group in enumerate(shape.groups):
        if isinstance(group, CutRows):
            stages.append(_wrenches(g, group.rows))
            reads += [f"Q~{g}", f"y~{g}", *_marks(g, "on")]
        else:
            stages.append(_coupled(shape, g, _all(group), None))
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
            stages.append(Once(closed.CutDrift(group.rows), _seen(g, "pose", "V", "alpha"), (f"u~{g}",)))
            reads.append(f"u~{g}")
        else:
            stages += [_coupled(shape, g, _all(group), "v"), _sum(g, "drift")]
            reads.append(f"ground.s_Q~{g}")
    return _of_rows("closure_drift", shape, stages, reads, tuple(map(_all, shape.groups)), "u_Q")


@lru_cache(maxsize=64)
def closure_inertia_inverse(shape: Shape) -> Program:
    """Λ_Q⁻¹ of all rows."""
    choice = dict(enumerate(map(_all, shape.groups)))
    response = Once(
        closure_forces.ClosureResponse(_counts(choice), shape.order), _blocks(choice), ("Lambda_Q_inverse",)
    )
    stages = (HINGE, POSE, ARTICULATED, *_responses(shape, choice, moving=False), response)
    outputs = (Output("Lambda_Q_inverse", "whole", (shape.rows, shape.rows)),)
    return Program("closure_inertia_inverse", stages, outputs, joint_space=True)


@lru_cache(maxsize=64)
def constrained_dynamics(shape: Shape) -> Program:
    """Accelerations, and the closures' forces (24.3, algorithm 7)."""
    kept = {g: group.kept for g, group in enumerate(shape.groups) if group.kept}
    sides: list[int | None] = []
    reads: list[str] = []
    biases: list[Stage] = []
    for g in kept:
        group = shape.groups[g]
        reads += [f"ground.s_Q~{g}", f"ground.phi_Z~{g}"]
        if isinstance(group, CutRows):
            sides.append(group.y_on_ground - group.x_on_ground)
            reads += [f"Q~{g}", f"a_Q~{g}"]
            rows = tuple(group.rows[i] for i in group.kept)
            biases.append(Once(closed.CutBias(rows), _seen(g, "pose", "V"), (f"a_Q~{g}",)))
        else:
            sides.append(None)
    least = tuple(shape.least[_turns(shape.groups[g], i)] for g, rows in kept.items() for i in rows)
    solution = closure_forces.ClosureSolution(_counts(kept), tuple(sides), shape.redundant, least)
    forces = tuple(f"lambda~{g}" for g in kept)
    together = _rows_together(shape, tuple(group.kept for group in shape.groups))
    smoothing = given(SMOOTHING, **ALL_PASSIVE)
    acting: tuple[Stage, ...] = (smoothing,)
    if kept:  # otherwise no closure ever says more than others do
        acting = (
            *biases,
            *_responses(shape, kept, moving=True),
            Once(solution, ("gravity", *reads, *_blocks(kept)), ("Lambda_Q_pivot", "Lambda_Q_room", *forces)),
            Sweep(EVERY, closure_forces.closed_innovation, ("nu", *(f"nu_Y~{g}" for g in kept), *forces), ("nu_c",)),
            renamed(smoothing, {"nu": "nu_c"}),
        )
    free = HINGE, VELOCITY, GYROSCOPIC, EXTERNAL, POSE, ARTICULATED, given(INNOVATIONS, **ALL_PASSIVE)
    stages = (*free, *acting, Once(together, forces, ("lambda",)))
    outputs = (Output("theta_ddot", "joint"), Output("lambda", "whole", (shape.rows,)))
    return Program("constrained_dynamics", stages, outputs, joint_space=True)


@lru_cache(maxsize=64)
def forward_dynamics(shape: Shape) -> Program:
    """Accelerations alone."""
    whole = constrained_dynamics(shape)
    return replace(whole, name="forward_dynamics", stages=whole.stages[:-1], outputs=whole.outputs[:1])


@lru_cache(maxsize=256)
def cut_wrench(shape: Shape, g: int) -> Program:
    """The wrench of a cut, from the forces of all rows."""
    group, first = shape.groups[g], sum(other.count for other in shape.groups[:g])
    assert isinstance(group, CutRows)
    step = closed.CutWrench(shape.order[first], group.count)
    wrench = Once(step, (f"Q~{g}", multipliers(shape.rows)), ("f_Q",))
    stages = (HINGE, POSE, _wrenches(g, group.rows), wrench)
    return Program("closure_wrench", stages, (Output("f_Q", "whole", (6,)),), joint_space=True)
