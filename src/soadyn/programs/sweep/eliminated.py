"""Level 4 - forward dynamics of closed robots by elimination at the closures' homes (24.3, algorithm 8).

Groups of closure rows without a home are solved for at the ground, as `closed` does it. Frames are seen from the homes,
so that nothing depends on where these are in the world.
"""

from __future__ import annotations

from functools import lru_cache

from soadyn.mechanics.link import closed, elimination, motion
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.algorithms import EVERY, EXTERNAL, GYROSCOPIC, HINGE, INWARD, OUTWARD, VELOCITY, given
from soadyn.programs.sweep.closed import CutRows, Shape
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep


def home_of(shape: Shape, g: int) -> str:
    """The input that marks the home of a group of rows."""
    return f"at_home${shape.groups[g].closure}"


def pose_from_home(shape: Shape, g: int) -> Stage:
    """Poses as seen from the home of a group of rows."""
    reads = ("phi", home_of(shape, g), f"parent.pose~{g}")
    ground = ((f"pose~{g}", motion.world),)
    return Sweep(OUTWARD, elimination.pose_from_home, reads, (f"pose~{g}",), ground=ground)


NO_GRAVITY = Once(elimination.no_gravity, ("gravity",), ("no_gravity",))
_NOTHING: dict[str, float | str] = {"a": 0.0, "b": 0.0, "f_external": 0.0, "tau": "identity"}


def acting(stage: Stage, moving: bool) -> Stage:
    """The stage itself, or at rest on unit forces at the joints."""
    return stage if moving else given(stage, **{name: x for name, x in _NOTHING.items() if name in stage.reads})


def results(shape: Shape, moving: bool) -> tuple[Output, ...]:
    """Accelerations and closure forces; at rest a column of both for each joint component."""
    if moving:
        return Output("theta_ddot", "joint"), Output("lambda", "whole", (shape.rows,))
    return Output("theta_ddot", "joint matrix"), Output("lambda", "whole", (shape.rows, "nv"))


@lru_cache(maxsize=64)
def eliminated_dynamics(shape: Shape, moving: bool = True) -> Program:
    """Accelerations, and the closures' forces; at rest what unit forces at the joints do."""
    kept = {g: group.kept for g, group in enumerate(shape.groups) if group.kept}
    groups = tuple(
        elimination.RowGroup(
            len(rows), isinstance(shape.groups[g], CutRows), shape.groups[g].has_home, sweeps.least_of(shape, g)
        )
        for g, rows in kept.items()
    )
    at_ground = [g for g in kept if not shape.groups[g].has_home]
    stages: list[Stage] = [HINGE, VELOCITY, GYROSCOPIC, EXTERNAL] if moving else [HINGE, NO_GRAVITY]
    crossing: list[str] = []
    innovation: list[str] = []
    for g, rows in kept.items():
        group = shape.groups[g]
        crossing += [home_of(shape, g)] * group.has_home
        innovation += [f"Y~{g}", f"Z_plus~{g}", f"children.s_Q~{g}"]
        if isinstance(group, CutRows):
            own, pose = tuple(group.rows[i] for i in rows), f"pose~{g}"
            stages += [pose_from_home(shape, g), sweeps.wrenches(g, own, pose)]
            stages += [sweeps.cut_bias(shape, g, pose)] * moving
            crossing += [pose, f"Q~{g}", f"y~{g}", *sweeps.marks(g, "at")]
            innovation += [f"a_Q~{g}"] * (moving and group.has_home)
        else:
            stages.append(sweeps.coupled(shape, g, rows, "v" if moving else None))
            crossing.append(f"E~{g}")
            innovation += [f"drift~{g}"] * moving
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
        acting(
            Sweep(
                INWARD,
                elimination.ClosedInnovation(groups, moving),
                (
                    *("phi", "H", "D", "G", "P_plus", "a", "b", "f_external", "tau", "eliminated", "children.phi_z"),
                    *innovation,
                ),
                ("nu", "phi_z", "moved", *(f"s_Q~{g}" for g in kept)),
            ),
            moving,
        ),
    ]
    if at_ground:
        solution, reads = sweeps.solution_of(shape, {g: kept[g] for g in at_ground}, moving)
        stages.append(Once(solution, reads, ("ground_pivot", "ground_room", *(f"lambda~{g}" for g in at_ground))))
    homed = [g for g in kept if shape.groups[g].has_home]
    forces = (f"lambda~{g}" if g in at_ground else f"parent.lambda_Q~{g}" for g in kept)
    carried = tuple(f"lambda_Q~{g}" for g in homed)
    upward = motion.upward if moving else motion.resting
    stages.append(
        acting(
            Sweep(
                OUTWARD,
                elimination.ClosedMotion(groups),
                (
                    *("phi", "H", "G", "a", "nu", "eliminated", "moved", "parent.alpha"),
                    *(f"nu_Y~{g}" for g in kept),
                    *forces,
                ),
                ("theta_ddot", "alpha", *carried),
                ground=(("alpha", upward), *((name, elimination.no_forces) for name in carried)),
            ),
            moving,
        )
    )
    for g in homed:
        stages += [
            Sweep(EVERY, elimination.at_home_alone, (home_of(shape, g), f"lambda_Q~{g}"), (f"own~{g}",)),
            Sweep(INWARD, closed.summed, (f"own~{g}", f"children.S_Q~home{g}"), (f"S_Q~home{g}",)),
        ]
    found = tuple(f"lambda~{g}" if g in at_ground else f"ground.S_Q~home{g}" for g in kept)
    together = sweeps.rows_together(shape, tuple(group.kept for group in shape.groups))
    outputs = results(shape, moving)
    return Program("constrained_dynamics", (*stages, Once(together, found, ("lambda",))), outputs, joint_space=True)
