"""Level 4 - what loops add to derivatives: what the closures' forces do at the joints, and the closures' accelerations.

    J_c* λ,    J_c v̇ + J̇_c v

Both depend on the joints of each loop alone: poses and motions are those seen from the closures' homes.
"""

from __future__ import annotations

from functools import lru_cache

from soadyn.mechanics.link import closed, elimination, motion
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.algorithms import EVERY, HINGE, OUTWARD
from soadyn.programs.sweep.closed import CutRows, Shape
from soadyn.programs.sweep.eliminated import home_of, pose_from_home
from soadyn.programs.sweep.inputs import multipliers
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep


@lru_cache(maxsize=64)
def loop_changes(shape: Shape) -> Program:
    """J_c* λ and J_c v̇ + J̇_c v of all rows."""
    stages: list[Stage] = [HINGE]
    forces: list[str] = []
    accelerations: list[str] = []
    numbers = iter(shape.order)
    rows: list[tuple[int, ...]] = []
    for g, group in enumerate(shape.groups):
        rows.append(tuple(next(numbers) for _ in range(group.count)))
        everything = tuple(range(group.count))
        if isinstance(group, CutRows):
            pose, V, alpha = (f"{value}~{g}" for value in ("pose", "V", "alpha"))
            reads = ("phi", "H", "v", "vdot", home_of(shape, g), f"parent.{V}", f"parent.{alpha}")
            ground = ((V, motion.resting), (alpha, motion.resting))
            stages += [
                pose_from_home(shape, g),
                sweeps.wrenches(g, group.rows, pose),
                Sweep(OUTWARD, elimination.motion_from_home, reads, (V, alpha), ground=ground),
                Once(closed.CutDrift(group.rows), sweeps.seen(g, pose, V, alpha), (f"u~{g}",)),
            ]
            forces += [pose, f"Q~{g}", f"y~{g}", *sweeps.marks(g, "on")]
            accelerations.append(f"u~{g}")
        else:
            share = Sweep(
                EVERY, elimination.coupling_acceleration, (f"E~{g}", f"drift~{g}", "vdot"), (f"acceleration~{g}",)
            )
            stages += [sweeps.coupled(shape, g, everything, "v"), share, sweeps.sum_of(g, "acceleration")]
            forces.append(f"E~{g}")
            accelerations.append(f"ground.s_Q~{g}")
    acting = elimination.LoopForces(tuple(rows), tuple(isinstance(group, CutRows) for group in shape.groups))
    together = sweeps.rows_together(shape, tuple(tuple(range(group.count)) for group in shape.groups))
    stages += [
        Sweep(EVERY, acting, ("H", multipliers(shape.rows), *forces), ("T_c",)),
        Once(together, tuple(accelerations), ("u_Q",)),
    ]
    outputs = (Output("T_c", "joint"), Output("u_Q", "whole", (shape.rows,)))
    return Program("loop_changes", tuple(stages), outputs, joint_space=True)
