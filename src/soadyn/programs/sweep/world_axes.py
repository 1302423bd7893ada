"""Level 4 - programs along the world's axes: the same sweeps, in which nothing has to turn from link to link.

Between two links φ turns and shifts. Straight-line code knows its robot's placements, whose axes mostly agree, so that
it turns little. Loops know nothing of placements: they turn a column at every link that it climbs to. Along the world's
axes

    φ = [I, l̃; 0, I]

only shifts; that takes one turn of each link's H, M and wrench. Every link keeps its own origin, so that levers are as
short, and results as accurate, as along the links' axes. Programs are taken there whose steps are marked `axes_free`.
"""

from __future__ import annotations

from functools import lru_cache

from soadyn.mechanics.link import motion, world_axes
from soadyn.programs.sweep.algorithms import EVERY, EXTERNAL, HINGE, OUTWARD
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.program import Pairs, Program, Stage, Sweep, step_of

ALONG_WORLD = Sweep(
    OUTWARD,
    world_axes.along_world,
    ("phi_hinge", "H_hinge", "M", "parent.pose"),
    ("pose", "phi", "H", "M_world"),
    ground=(("pose", motion.world),),
)
FORCE_ALONG_WORLD = Sweep(EVERY, world_axes.force_along_world, ("pose", "f_external"), ("f_world",))


@lru_cache(maxsize=64)
def in_world_axes(program: Program) -> Program:
    """The program along the world's axes, if columns climb in it and all its steps allow; otherwise as it is."""
    climbs = any(isinstance(stage, Pairs) for stage in program.stages)
    if not climbs or not all(map(_allows, program.stages)):
        return program
    stages = tuple(turned for stage in program.stages for turned in _turned(stage))
    return Program(program.name, stages, program.outputs, program.joint_space)


def _allows(stage: Stage) -> bool:
    """Can a stage be taken along the world's axes? What turns must have its usual names."""
    step = step_of(stage)
    turns = {HINGE.step: HINGE, EXTERNAL.step: EXTERNAL}
    return stage == turns[step] if step in turns else world_axes.is_axes_free(step)


def _turned(stage: Stage) -> tuple[Stage, ...]:
    if stage == HINGE:
        return renamed(HINGE, {"phi": "phi_hinge", "H": "H_hinge"}), ALONG_WORLD
    if stage == EXTERNAL:
        return EXTERNAL, FORCE_ALONG_WORLD
    return (renamed(stage, {"M": "M_world", "f_external": "f_world"}),)
