"""Level 4 - forward dynamics of closed robots by elimination at the closures' homes (24.3, algorithm 8).

Groups of closure rows without a home are solved for at the ground, as `closed` does it. Frames are seen from the homes,
so that nothing depends on where these are in the world.
"""

from __future__ import annotations

from functools import lru_cache

from soadyn.mechanics.link import closed, elimination, motion
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.algorithms import EVERY, EXTERNAL, GYROSCOPIC, HINGE, INWARD, OUTWARD, VELOCITY
from soadyn.programs.sweep.closed import CutRows, Shape
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep


def _home(shape: Shape, g: int) -> str:
    return f"at_home${shape.groups[g].closure}"


def _pose(shape: Shape, g: int) -> Stage:
    """Poses as seen from the home of a group of rows."""
    reads = ("phi", _home(shape, g), f"parent.pose~{g}")
    ground = ((f"pose~{g}", motion.world),)
    return Sweep(OUTWARD, elimination.pose_from_home, reads, (f"pose~{g}",), ground=ground)


@lru_cache(maxsize=64)
def eliminated_dynamics(shape: Shape) -> Program:
    """Accelerations, and the closures' forces."""
    kept = {g: group.kept for g, group in enumerate(shape.groups) if group.kept}
    groups = tuple(
        elimination.Group(
            len(rows), isinstance(shape.groups[g], CutRows), shape.groups[g].has_home, sweeps.least_of(shape, g)
        )
        for g, rows in kept.items()
    )
    at_ground = [g for g in kept if not shape.groups[g].has_home]
    stages: list[Stage] = [HINGE, VELOCITY, GYROSCOPIC, EXTERNAL]
    crossing: list[str] = []
    innovation: list[str] = []
    for g, rows in kept.items():
        group = shape.groups[g]
        crossing += [_home(shape, g)] * group.has_home
        innovation += [f"Y~{g}", f"Z_plus~{g}", f"children.s_Q~{g}"]
        if isinstance(group, CutRows):
            own, pose = tuple(group.rows[i] for i in rows), f"pose~{g}"
            stages += [_pose(shape, g), sweeps.wrenches(g, own, pose), sweeps.cut_bias(shape, g, pose)]
            crossing += [pose, f"Q~{g}", f"y~{g}", *sweeps.marks(g, "at")]
            innovation += [f"a_Q~{g}"] * group.has_home
        else:
            stages.append(sweeps.coupled(shape, g, rows, "v"))
            crossing.append(f"E~{g}")
            innovation.append(f"drift~{g}")
        crossing.append(f"children.phi_Z~{g}")
    blocks = tuple(f"S_Q~{e}_{f}" for e, f in sweeps.pairs(kept))
    stages += [
        Sweep(
            INWARD,
            elimination.ClosedCrossing(groups),
            ("phi", "H", "M", "A_r", "load", "children.phi_P", *crossing, *(f"children.{block}" for block in blocks)),
            (
                *("D", "G", "P_plus", "phi_P", "eliminated"),
                *(f"{name}~{g}" for g in kept for name in ("Y", "nu_Y", "Z_plus", "phi_Z")),
                *blocks,
            ),
        ),
        Sweep(
            INWARD,
            elimination.ClosedInnovation(groups),
            (
                *("phi", "H", "D", "G", "P_plus", "a", "b", "f_external", "tau", "eliminated", "children.phi_z"),
                *innovation,
            ),
            ("nu", "phi_z", "moved", *(f"s_Q~{g}" for g in kept)),
        ),
    ]
    if at_ground:
        solution, reads = sweeps.solution_of(shape, {g: kept[g] for g in at_ground})
        stages.append(Once(solution, reads, ("Lambda_Q_pivot", "Lambda_Q_room", *(f"lambda~{g}" for g in at_ground))))
    homed = [g for g in kept if shape.groups[g].has_home]
    forces = (f"lambda~{g}" if g in at_ground else f"parent.lambda_Q~{g}" for g in kept)
    carried = tuple(f"lambda_Q~{g}" for g in homed)
    stages.append(
        Sweep(
            OUTWARD,
            elimination.ClosedMotion(groups),
            (
                *("phi", "H", "G", "a", "nu", "eliminated", "moved", "parent.alpha"),
                *(f"nu_Y~{g}" for g in kept),
                *forces,
            ),
            ("theta_ddot", "alpha", *carried),
            ground=(("alpha", motion.upward), *((name, elimination.no_forces) for name in carried)),
        )
    )
    for g in homed:
        stages += [
            Sweep(EVERY, elimination.at_home_alone, (_home(shape, g), f"lambda_Q~{g}"), (f"own~{g}",)),
            Sweep(INWARD, closed.summed, (f"own~{g}", f"children.S_Q~home{g}"), (f"S_Q~home{g}",)),
        ]
    found = tuple(f"lambda~{g}" if g in at_ground else f"ground.S_Q~home{g}" for g in kept)
    together = sweeps.rows_together(shape, tuple(group.kept for group in shape.groups))
    outputs = (Output("theta_ddot", "joint"), Output("lambda", "whole", (shape.rows,)))
    return Program("constrained_dynamics", (*stages, Once(together, found, ("lambda",))), outputs, joint_space=True)
