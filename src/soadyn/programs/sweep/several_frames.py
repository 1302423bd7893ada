"""Level 4 - what several frames feel together: a block for each pair of frames, the mass matrix never formed.

    Λ⁻¹(i,j) = B*(i) Ω(i,j) B(j)

The frames are the inputs point$0, point$1, ..., and axes$0, axes$1, ... those along whose axes the results are wanted.
"""

from __future__ import annotations

from functools import cache

from soadyn.mechanics.link import frame, operational, task
from soadyn.programs.sweep.algorithms import ALL_PASSIVE, ARTICULATED, EVERY, HINGE, POSE
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.links import FRAME_INERTIA, FREE_MOTION
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep
from soadyn.programs.sweep.under_actuated import SIX, UPSILON, wrench_responses

_RESPONDING = (HINGE, ARTICULATED, UPSILON, POSE)


@cache
def program_of(name: str, count: int) -> Program:
    """The inverse of the operational inertia of so many frames, (6 m, 6 m), that inertia, or its bias (6 m,)."""
    response = (*(_task_map(i) for i in range(count)), *_columns(count), *_response(count))
    places = tuple(_place(i) for i in range(count))
    match name:
        case "operational_inertia_inverse":
            return _program(name, "Lambda_inverse", (*_RESPONDING, *places, *response), (6 * count,) * 2)
        case "operational_inertia":
            return _program(name, "Lambda", (*_RESPONDING, *places, *response, FRAME_INERTIA), (6 * count,) * 2)
        case "operational_bias":
            bias = (*(_drift(i) for i in range(count)), UPSILON, *response, FRAME_INERTIA, _bias(count))
            return _program(name, "F", (*FREE_MOTION, *places, *bias), (6 * count,))
    raise AssertionError(name)


def _program(name: str, result: str, stages: tuple[Stage, ...], shape: tuple[int, ...]) -> Program:
    return Program(name, stages, (Output(result, "whole", shape),), joint_space=True)


def _place(i: int) -> Once:
    reads = f"point${i}.pose", f"point${i}", f"axes${i}.pose", f"axes${i}"
    return Once(frame.frame_pose, reads, (f"pose_point_{i}", f"R_axes_{i}"))


def _task_map(i: int) -> Once:
    return Once(task.task_map, (f"point${i}.pose", f"point${i}", f"R_axes_{i}"), (f"B_{i}",))


def _columns(count: int) -> tuple[Stage, ...]:
    """What all links do under six unit wrenches on each frame but the first, whose blocks follow by symmetry."""
    stages: list[Stage] = []
    for j in range(1, count):
        names = {name: f"{name}~{j}" for name in SIX.values()}
        stages.append(Sweep(EVERY, task.unit_wrenches, (f"at_point${j}", f"B_{j}"), (f"f_B~{j}",)))
        stages += [renamed(stage, names) for stage in wrench_responses(**ALL_PASSIVE)]
    return tuple(stages)


def _response(count: int) -> tuple[Once, ...]:
    blocks: list[Once] = []
    for i in range(count):
        blocks.append(Once(task.frame_response, (f"B_{i}", f"point${i}.Upsilon"), (f"Lambda_{i}_{i}",)))
        for j in range(i + 1, count):
            reads = f"B_{i}", f"point${i}.alpha_B~{j}"
            blocks.append(Once(task.response_elsewhere, reads, (f"Lambda_{i}_{j}",)))
    upper = tuple(stage.writes[0] for stage in blocks)
    return (*blocks, Once(task.response_of_frames, upper, ("Lambda_inverse",)))


def _drift(i: int) -> Once:
    reads = f"point${i}.V", f"point${i}.alpha", f"point${i}.pose", f"point${i}", f"R_axes_{i}", "gravity"
    return Once(task.frame_drift, reads, (f"alpha_frame_{i}",))


def _bias(count: int) -> Once:
    alphas = tuple(f"alpha_frame_{i}" for i in range(count))
    return Once(operational.bias_of_frames, ("Lambda", *alphas), ("F",))
