"""The operations that we count ourselves, on a chain with nothing special about it: they must not grow unseen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import soadyn as sd
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Derivative, with_derivative
from soadyn.programs.sweep.second_derivatives import (
    FORWARD_DYNAMICS_SECOND_DERIVATIVES,
    INVERSE_DYNAMICS_SECOND_DERIVATIVES,
)
from soadyn.quantities import QUANTITIES

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from counts import OURS, PUBLISHED, Count, counted, generic_chain

# Products and sums.
HELD = {
    "articulated bodies": {6: (962, 814), 12: (2252, 1942), 20: (3972, 3446)},
    "bias force, then the filter": {6: (967, 834)},
    "bias force, composite bodies, U D U*": {6: (850, 642)},
    "acceleration fields": {6: (393, 327), 12: (903, 765), 20: (1583, 1349)},
    "composite bodies": {6: (342, 259)},
}
SECOND = {
    "inverse_dynamics": INVERSE_DYNAMICS_SECOND_DERIVATIVES,
    "forward_dynamics": FORWARD_DYNAMICS_SECOND_DERIVATIVES,
}


@pytest.mark.parametrize("name", HELD)
def test_no_count_grows(name: str) -> None:
    for n, held in HELD[name].items():
        found = counted(OURS[name][1](), generic_chain(n))
        assert found.products <= held[0]
        assert found.sums <= held[1]


def test_counts_are_linear_where_the_algorithm_is() -> None:
    for name in ("articulated bodies", "acceleration fields"):
        a, b, c = (counted(OURS[name][1](), generic_chain(n)).total for n in (5, 7, 9))
        assert c - b == b - a


def test_inverse_dynamics_takes_fewer_operations_than_were_published() -> None:
    for row in PUBLISHED:
        if row.what == "inverse dynamics":
            for n in (4, 6, 12, 20):
                found, printed = counted(OURS["acceleration fields"][1](), generic_chain(n)), row.at(n)
                assert found.products < printed.products
                assert found.sums < printed.sums


def test_published_counts_are_read_as_printed() -> None:
    assert [row.at(6) for row in PUBLISHED] == [Count(871, 797), Count(425, 369)]


def test_the_page_on_derivatives_tells_what_is_counted() -> None:
    columns = []
    for robot in (sd.load("ur5"), sd.load("panda")):
        for name, vectors in (("inverse_dynamics", ("q", "v", "vdot")), ("forward_dynamics", ("q", "v", "tau"))):
            primal = without_external(QUANTITIES[name].program)
            programs = [
                primal,
                *(with_derivative(primal, Derivative(kind, vectors)) for kind in ("tangent", "gradient")),
            ]
            programs.append(without_external(QUANTITIES[f"{name}_derivatives"].program))
            programs.append(without_external(SECOND[name]))
            constants = robot.engine.constants
            columns.append([sum(traced(program, constants, {}).counts().values()) for program in programs])
    page = Path(__file__).resolve().parent.parent / "docs" / "guides" / "derivatives.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| operations | UR5 inverse")) + 2
    printed = [[int(cell.replace(",", "")) for cell in line.split("|")[2:-1]] for line in lines[start : start + 5]]
    assert printed == [list(row) for row in zip(*columns, strict=True)]
