"""What a program's loops cost."""

from __future__ import annotations

from collections import Counter

from soadyn.engine.constants.constants import Constants
from soadyn.engine.loops.joint_classes import class_numbers, classes_of
from soadyn.engine.loops.plan import Walk, planned
from soadyn.programs.sweep.program import Program


def planned_operations(program: Program, constants: Constants) -> int:
    """How many operations a program's walks take on a robot, the numbers of its links counted as unknown."""
    links = Counter(class_numbers(constants))
    walks = [part for part in planned(program, classes_of(constants)).parts if isinstance(part, Walk)]
    return sum(count * walk.steps[c].operations() for walk in walks for c, count in links.items())
