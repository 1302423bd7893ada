"""Several programs as one: what they share is done once."""

from __future__ import annotations

from dataclasses import replace

from soadyn.programs.sweep.combine import appended
from soadyn.programs.sweep.program import Output, Program, Stage


def combined(programs: tuple[Program, ...]) -> Program:
    """One program with the outputs of all. Equal stages merge; a value that two stages write differently is renamed."""
    stages: list[Stage] = []
    outputs: list[Output] = []
    for program in programs:
        names: dict[str, str] = {}
        appended(stages, program.stages, names)
        outputs += [replace(output, value=names.get(output.value, output.value)) for output in program.outputs]
    joint_space = all(program.joint_space for program in programs)
    return Program("+".join(program.name for program in programs), tuple(stages), tuple(outputs), joint_space)
