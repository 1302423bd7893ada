"""Which stages share a loop: one rule for what is printed and for what rolled kernels run."""

from __future__ import annotations

import pytest

from soadyn.engine.loops.joint_classes import LinkClass
from soadyn.engine.loops.plan import ClimbLoop, OnceStep, SubstitutionLoop, Walk, planned
from soadyn.mechanics.joint import KINDS
from soadyn.programs.sweep.loops import HEADERS, loops
from soadyn.programs.sweep.printing import explain
from soadyn.programs.sweep.program import Direction, Stage
from soadyn.quantities import QUANTITIES

TIP_TO_BASE, BASE_TO_TIP = HEADERS[Direction.TIP_TO_BASE], HEADERS[Direction.BASE_TO_TIP]


@pytest.mark.parametrize("name", QUANTITIES)
def test_rolled_kernels_run_the_loops_that_are_printed(name: str) -> None:
    program = QUANTITIES[name].program
    run: list[tuple[Direction | None, list[Stage]]] = []
    for part in planned(program, (LinkClass(KINDS["revolute"], any_placement=False),)).parts:
        match part:
            case Walk():
                run.append((part.direction, [*part.sweeps]))
            case ClimbLoop():
                run.append((None, [part.climb]))
            case SubstitutionLoop():
                run.append((None, [part.stage]))
            case OnceStep():
                run.append((None, [part.once]))
    printed = [
        (loop.direction, stages)
        for loop in loops(program)
        for stages in ([loop.stages] if loop.direction else [[stage] for stage in loop.stages])
    ]
    assert run == printed
    text = explain(program)
    assert [line for line in text.splitlines() if line in HEADERS.values()] == [
        loop.header for loop in loops(program) if loop.direction
    ]


@pytest.mark.parametrize("name", ["mass_matrix_inverse", "disturbance_jacobian", "actuation_matrices"])
def test_what_is_repeated_for_every_column_has_loops_of_its_own(name: str) -> None:
    found = loops(QUANTITIES[name].program)
    assert [loop.header for loop in found] == [TIP_TO_BASE, TIP_TO_BASE, BASE_TO_TIP]
    assert [loop.columns for loop in found] == [False, True, True]
