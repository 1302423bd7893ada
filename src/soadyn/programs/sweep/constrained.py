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
    given,
)
from soadyn.programs.sweep.closed import CutRows, Shape, cut_bias, responses, rows_together, solution_of
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.eliminated import eliminated_dynamics
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep


@lru_cache(maxsize=64)
def constrained_dynamics(shape: Shape) -> Program:
    """Accelerations, and the closures' forces: by algorithm 7 of 24.3, or by 8 where that takes fewer operations."""
    by_columns = _by_columns(shape)
    others = (eliminated_dynamics(shape),) if any(group.has_home for group in shape.groups) else ()
    return replace(by_columns, alternatives=others)


def _by_columns(shape: Shape) -> Program:
    """The columns of all closure forces climb to the ground (24.3, algorithm 7)."""
    kept = {g: group.kept for g, group in enumerate(shape.groups) if group.kept}
    forces = tuple(f"lambda~{g}" for g in kept)
    together = rows_together(shape, tuple(group.kept for group in shape.groups))
    smoothing = given(SMOOTHING, **ALL_PASSIVE)
    acting: tuple[Stage, ...] = (smoothing,)
    if kept:  # otherwise no closure ever says more than others do
        solution, reads = solution_of(shape, kept)
        acting = (
            *(cut_bias(shape, g) for g in kept if isinstance(shape.groups[g], CutRows)),
            *responses(shape, kept, moving=True),
            Once(solution, reads, ("Lambda_Q_pivot", "Lambda_Q_room", *forces)),
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
    return replace(_without_forces(whole), alternatives=tuple(map(_without_forces, whole.alternatives)))


def _without_forces(program: Program) -> Program:
    return replace(program, name="forward_dynamics", outputs=program.outputs[:1], stages=program.stages[:-1])
