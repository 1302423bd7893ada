"""Level 4 - states led back onto the closures in the mass metric: the closures' forces on the robot at rest (24.9).

    q ← q ∘ exp(-M⁻¹ J_c* Λ_Q Φ)    v ← v - M⁻¹ J_c* Λ_Q J_c v

The first is a step of Newton's method. The second is an impact without restitution, which never adds energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from soadyn.mechanics.link import closed, closure_forces, diagonalized, motion, projecting
from soadyn.programs.sweep.algorithms import ARTICULATED, EVERY, HINGE, INWARD, OUTWARD, POSE, VELOCITY, given
from soadyn.programs.sweep.closed import Choice, CutRows, Shape, least_of, pairs, responses, seen
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep

RESTING = Sweep(
    OUTWARD,
    diagonalized.rate_from_total,
    ("phi", "H", "G", "nu_c", "parent.alpha"),
    ("theta_ddot", "alpha"),
    ground=(("alpha", motion.resting),),
)


@lru_cache(maxsize=64)
def nearer_configuration(shape: Shape) -> Program:
    """The least joint motion that closes what is open, to first order."""
    stages: list[Stage] = []
    reads = []
    choice = _kept(shape)
    for g, rows in choice.items():
        group = shape.groups[g]
        if isinstance(group, CutRows):
            error = closed.CutError(tuple(group.rows[i] for i in rows))
            stages.append(Once(error, seen(g, "pose"), (f"Phi~{g}",)))
            reads.append(f"Phi~{g}")
        else:
            stages.append(_summed(f"Phi~{g}", g))
            reads.append(f"ground.{_asked(g)}")
    return _projection("nearer_configuration", shape, (HINGE, POSE), stages, reads)


@lru_cache(maxsize=64)
def consistent_rates(shape: Shape) -> Program:
    """What has to be added to joint rates to keep the closures closed."""
    stages: list[Stage] = []
    reads = []
    choice = _kept(shape)
    for g, rows in choice.items():
        if isinstance(shape.groups[g], CutRows):
            stages.append(Once(projecting.CutRate(len(rows)), (f"Q~{g}", *seen(g, "pose", "V")), (f"u~{g}",)))
            reads.append(f"u~{g}")
        else:
            stages.append(Sweep(EVERY, projecting.coupling_rate, (f"E~{g}", "v"), (f"drift~{g}_v",)))
            stages.append(_summed(f"drift~{g}_v", g))
            reads.append(f"ground.{_asked(g)}")
    return _projection("consistent_rates", shape, (HINGE, VELOCITY, POSE), stages, reads)


def _kept(shape: Shape) -> Choice:
    return {g: group.kept for g, group in enumerate(shape.groups) if group.kept}


def _asked(g: int) -> str:
    return f"s_Q~{g}_asked"


def _summed(share: str, g: int) -> Sweep:
    return Sweep(INWARD, closed.summed, (share, f"children.{_asked(g)}"), (_asked(g),))


def _projection(
    name: str, shape: Shape, first: Sequence[Stage], asked: Sequence[Stage], reads: Sequence[str]
) -> Program:
    """-M⁻¹ J_c* Λ_Q of what is asked, a number for each kept row."""
    choice = _kept(shape)
    least = tuple(x for g in choice for x in least_of(shape, g))
    answer = closure_forces.ClosureAnswer(tuple(map(len, choice.values())), shape.redundant, least)
    blocks = (f"ground.S_Q~{e}_{f}" for e, f in pairs(choice))
    forces = tuple(f"lambda~{g}" for g in choice)
    answers = tuple(f"nu_Y~{g}" for g in choice)
    stages = (
        *first,
        ARTICULATED,
        *responses(shape, choice, {"a": 0.0, "nu": 0.0}),
        *asked,
        Once(answer, (*reads, *blocks), ("Lambda_Q_pivot", *forces)),
        given(Sweep(EVERY, closure_forces.closed_innovation, ("nu", *answers, *forces), ("nu_c",)), nu=0.0),
        RESTING,
    )
    return Program(name, stages, (Output("theta_ddot", "joint"),), joint_space=True)
