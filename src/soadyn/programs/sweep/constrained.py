"""Level 4 - forward dynamics of closed robots by the columns of the closures' forces."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from soadyn.mechanics.link import closure_forces
from soadyn.programs.sweep.algorithms import (
    ALL_PASSIVE,
    ARTICULATED,
    EVERY,
    EXTERNAL,
    GYROSCOPIC,
    HINGE,
    INNOVATIONS,
    POSE,
    SMOOTHING,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.closed import CutRows, Shape, cut_bias, responses, rows_together, solution_of
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.derivatives import INVERSE_DYNAMICS_DERIVATIVES
from soadyn.programs.sweep.eliminated import NO_GRAVITY, acting, eliminated_dynamics, results
from soadyn.programs.sweep.loop_changes import loop_changes
from soadyn.programs.sweep.program import Derivative, Implicit, Once, Program, Stage, Sweep


@lru_cache(maxsize=64)
def constrained_dynamics(shape: Shape) -> Program:
    """Accelerations, and the closures' forces: by algorithm 7 of 24.3, or by 8 where that takes fewer operations."""
    by_columns = _by_columns(shape)
    others = (eliminated_dynamics(shape),) if any(group.has_home for group in shape.groups) else ()
    return replace(by_columns, alternatives=others)


def _by_columns(shape: Shape, moving: bool = True) -> Program:
    """The columns of all closure forces climb to the ground (24.3, algorithm 7)."""
    kept = {g: group.kept for g, group in enumerate(shape.groups) if group.kept}
    forces = tuple(f"lambda~{g}" for g in kept)
    together = rows_together(shape, tuple(group.kept for group in shape.groups))
    smoothing = acting(given(SMOOTHING if moving else at_rest(SMOOTHING), **ALL_PASSIVE), moving)
    moved: tuple[Stage, ...] = (smoothing,)
    if kept:  # otherwise no closure ever says more than others do
        solution, reads = solution_of(shape, kept, moving)
        moved = (
            *(cut_bias(shape, g) for g in kept if moving and isinstance(shape.groups[g], CutRows)),
            *responses(shape, kept, {} if moving else {"a": 0.0}),
            Once(solution, reads, ("Lambda_Q_pivot", "Lambda_Q_room", *forces)),
            Sweep(EVERY, closure_forces.closed_innovation, ("nu", *(f"nu_Y~{g}" for g in kept), *forces), ("nu_c",)),
            renamed(smoothing, {"nu": "nu_c"}),
        )
    own = (HINGE, VELOCITY, GYROSCOPIC, EXTERNAL) if moving else (HINGE, NO_GRAVITY)
    filtered = acting(given(INNOVATIONS, **ALL_PASSIVE), moving)
    stages = (*own, POSE, ARTICULATED, filtered, *moved, Once(together, forces, ("lambda",)))
    return Program("constrained_dynamics", stages, results(shape, moving), joint_space=True)


@lru_cache(maxsize=64)
def forward_dynamics(shape: Shape) -> Program:
    """Accelerations alone."""
    whole = constrained_dynamics(shape)
    return replace(_without_forces(whole), alternatives=tuple(map(_without_forces, whole.alternatives)))


@lru_cache(maxsize=64)
def forward_dynamics_derivatives(shape: Shape) -> Program:
    """The derivatives of the accelerations by q, v and the joint forces (24.10)."""
    whole = constrained_dynamics(shape)
    rests = _by_columns(shape, moving=False), *(eliminated_dynamics(shape, moving=False) for _ in whole.alternatives)
    first, *others = (
        replace(
            program,
            name="forward_dynamics_derivatives",
            alternatives=(),
            derivatives=(Derivative("first", ("q", "v", "tau")),),
            implicit=Implicit(INVERSE_DYNAMICS_DERIVATIVES, at_rest, loop_changes(shape)),
        )
        for program, at_rest in zip((whole, *whole.alternatives), rests, strict=True)
    )
    return replace(first, alternatives=tuple(others))


def _without_forces(program: Program) -> Program:
    return replace(program, name="forward_dynamics", outputs=program.outputs[:1], stages=program.stages[:-1])
