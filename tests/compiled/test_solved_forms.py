"""Forward dynamics as it is computed is what the identity table makes of its definition."""

from __future__ import annotations

from soadyn.programs.lowering.lower import rewritten_program
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.stages import step_of
from soadyn.theory.formula.dynamics import FORWARD_DYNAMICS, forward_dynamics


def printed(program: Program) -> list[tuple[str | None, tuple[str, ...], tuple[str, ...]]]:
    """What each stage says, reads and writes."""
    return [(step_of(stage).__doc__, stage.reads, stage.writes) for stage in program.stages]


def test_forward_dynamics_is_found_from_its_definition() -> None:
    found = rewritten_program("forward_dynamics", FORWARD_DYNAMICS)
    assert printed(found) == printed(forward_dynamics())
    assert found.joint_space
