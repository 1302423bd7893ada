"""Level 4 - programs of closed robots that have no answer at states off the closures."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from soadyn.mechanics.link import closed, projecting
from soadyn.programs.sweep.algorithms import INWARD
from soadyn.programs.sweep.closed import CutRows, Shape, seen
from soadyn.programs.sweep.program import Once, Program, Stage, Sweep


@lru_cache(maxsize=128)
def where_shut(program: Program, shape: Shape) -> Program:
    """The program, which also looks at Φ of the kept rows; each group's poses are those that it has."""
    written = {name for stage in program.stages for name in stage.writes}
    stages: list[Stage] = []
    reads: list[str] = []
    counts: list[int] = []
    for g, group in enumerate(shape.groups):
        if not group.kept:
            continue
        counts.append(len(group.kept))
        if isinstance(group, CutRows):
            pose = f"pose~{g}" if f"pose~{g}" in written else "pose"
            stages.append(
                Once(closed.CutError(tuple(group.rows[i] for i in group.kept)), seen(g, pose), (f"open~{g}",))
            )
            reads.append(f"open~{g}")
        else:
            stages.append(Sweep(INWARD, closed.summed, (f"Phi~{g}", f"children.s_Q~open{g}"), (f"s_Q~open{g}",)))
            reads.append(f"ground.s_Q~open{g}")
    look = Once(projecting.Shut(tuple(counts)), tuple(reads), ("Phi_Q", "Phi_Q_room"))
    others = tuple(where_shut(same, shape) for same in program.alternatives)
    return replace(program, stages=(*program.stages, *stages, look) if reads else program.stages, alternatives=others)
