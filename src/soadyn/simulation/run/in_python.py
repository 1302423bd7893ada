"""What of a simulation runs in Python, and why: sentences that decide which way it runs and that its trajectory keeps.

Each says what it is, and what to do about it.
"""

from __future__ import annotations

import numpy as np

from soadyn.robot import Robot
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.stretches import steps

# What users call the functions whose answers are these.
CALLED = {"tau": "control", "wrenches": "external", "acceleration": "acceleration"}
INSTEAD = {
    "control": "a feedback of sd.control or sd.TimeSeries runs in machine code",
    "external": "a constant or sd.TimeSeries runs in machine code",
    "acceleration": "a constant runs in machine code",
}


def asked(problem: Problem) -> dict[str, int]:
    """How often a step asks each function, by what its answers are called; 0 where only the method itself knows."""
    often, sampled = problem.integrator.asked, problem.actuation.sampled
    functions = [name for name, x in problem.source.named().items() if callable(x) and not isinstance(x, TimeSeries)]
    return {name: 1 if sampled and name != "wrenches" else often for name in functions}


def functions(problem: Problem) -> tuple[str, ...]:
    """The Python functions that are called between machine code, or from Python."""
    found = []
    for answers, times in asked(problem).items():
        name = CALLED[answers]
        often = "once" if times == 1 else f"{times} times" if times else "at every evaluation, many times"
        once = "" if times == 1 or name == "external" else "sampled=True asks once, and "
        found.append(f"{name} is a Python function, asked {often} a step: {once}{INSTEAD[name]}")
    if callable(problem.source.passive):
        found.append("passive is a Python function, asked once a step: a schedule {time: joints} runs in machine code")
    return tuple(found)


def obstacles(problem: Problem) -> tuple[str, ...]:
    """What no step in machine code can do, so that all of it runs step by step in Python."""
    robot = problem.robot
    found = [] if problem.engine.kernels is not None else [_no_kernels(problem)]
    if tied := sorted({robot.model.joints[k - 1].name for k in problem.engine.coordinates.tied}):
        found.append(
            f'tied mimic {_listed(tied)}: step by step in Python; a robot loaded with mimic="independent" runs in '
            "machine code"
        )
    if turning := _sprung(problem):
        found.append(f"springs in {_listed(turning)}, which turn freely: step by step in Python")
    found += of_method(problem)
    if unknown := [CALLED[answers] for answers, times in asked(problem).items() if times == 0]:
        found.append(
            f'method "{problem.method}" asks {" and ".join(unknown)} many times a step: step by step in Python'
        )
    return tuple(found)


def of_method(problem: Problem) -> tuple[str, ...]:
    """Why a method steps in Python."""
    why = problem.integrator.in_python
    return (f'method "{problem.method}" {why}',) if why else ()


def watching(problem: Problem) -> tuple[str, ...]:
    """Events are looked for in every step."""
    names = ", ".join(dict.fromkeys(repr(event.name) for event in problem.events))
    return (f"events ({names:.80}) are looked for in every step: step by step in Python",) if names else ()


def short(problem: Problem) -> tuple[str, ...]:
    """Few steps would wait for the compiler longer than they take."""
    count, rows = sum(1 for _ in steps(problem)), int(np.prod(problem.batch))
    of = f" of {rows} rows" if problem.batch else ""
    return (f"only {count} steps{of}: not worth compiling; sd.Stepper keeps the code for many short calls",)


def _no_kernels(problem: Problem) -> str:
    if problem.engine.backend == "numpy":
        return 'backend "numpy": step by step in Python; robot.with_backend("auto") runs in machine code'
    if not problem.robot.nv:
        return "a robot without joints: step by step in Python"
    return "there is no native code here, for which soadyn needs llvmlite: step by step in Python"


def _sprung(problem: Problem) -> list[str]:
    """The joints that turn freely and have a spring or backlash."""
    forces = problem.acting.forces
    parts = () if forces is None else forces.elastic
    return list(dict.fromkeys(_joint_of(problem.robot, int(part.v[0])) for part in parts if part.free_turn))


def _joint_of(robot: Robot, component: int) -> str:
    return next(name for name in robot.joint_names if component in robot.joint_dofs(name))


def _listed(joints: list[str]) -> str:
    named = ", ".join(map(repr, joints[:4])) + (", ..." if len(joints) > 4 else "")
    return f"{'joint' if len(joints) == 1 else 'joints'} {named}"
